//! The relay before another instance of this service, before a recording upstream, and before hostile upstreams.

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
