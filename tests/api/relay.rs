//! The relay in front of another instance of this service, of a recording upstream, and of hostile upstreams.

mod addresses;
mod forwarded_parts;
pub(crate) mod harness;
mod hostile_upstreams;
mod monitoring;
mod same_errors;
mod secrets;
mod session;
mod transparency;
mod validation;
