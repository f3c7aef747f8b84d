//! Accounts the memory of each body to its request.

use super::Middleware;
use crate::body_budget;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;

/// Gives each request a guard of the budget for as long as it is answered.
pub(crate) async fn hold(State(middleware): State<Arc<Middleware>>, request: Request, next: Next) -> Response {
    let address = middleware.address(&request);
    body_budget::scope(middleware.budget(), address, next.run(request)).await
}
