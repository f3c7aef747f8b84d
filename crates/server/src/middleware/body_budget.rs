//! Runs each request with a guard of the memory budget. The body extractors reserve memory with it.

use super::Middleware;
use crate::body_budget;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;

/// Runs a request with a guard that holds the memory that its body reserves.
pub(crate) async fn run_with_guard(
    State(middleware): State<Arc<Middleware>>,
    request: Request,
    next: Next,
) -> Response {
    let address = middleware.address(&request);
    body_budget::run_with_reservation(middleware.budget(), address, next.run(request)).await
}
