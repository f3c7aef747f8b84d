//! Tests of the composed service.

mod assets;
mod durable_responses;
