//! The relay before another instance of this service, before a recording upstream, and before hostile upstreams.

mod addresses;
mod agreed;
pub(crate) mod harness;
mod hostile;
mod judged;
mod secrets;
mod sent;
mod session;
mod through;
mod watched;
