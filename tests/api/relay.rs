//! The relay, in front of another service of ours, of one that takes down what it is sent, and of hostile ones.

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
