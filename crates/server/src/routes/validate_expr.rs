//! `/filters/validate-expr`: validates an expression (observed). It belongs to no zone, so it is validated for a zone
//! with every feature (assumption any-zone).

use super::{ApiResult, parse_validated};
use crate::blocking::run_blocking;
use crate::error::Error;
use crate::request::{JsonBody, QueryParams};
use axum::Json;
use serde_json::{Value, json};
use zonewright_api::firewall::ExpressionCheck;
use zonewright_api::{Envelope, ErrorObject, error_code};
use zonewright_expression::schema::Tier;
use zonewright_firewall::{check_expression, read_expression};
use zonewright_store::Principal;

/// The plan with every feature.
const VALIDATION_TIER: Tier = Tier::Enterprise;

/// Validates an expression in the query.
#[utoipa::path(
    get,
    path = "/filters/validate-expr",
    tag = "Filters",
    params(("expression" = String, Query, description = "Expression in the Rules language", example = "ip.src eq 192.0.2.1")),
    responses(
        (status = 200, description = "The expression is valid; `result` is null", body = Envelope<Value>),
        (status = 400, description = "10016: the expression is invalid; 10014: the expression is missing"),
    )
)]
pub(crate) async fn check_query(_: Principal, query: QueryParams) -> ApiResult<Value> {
    let Some(expression) = query.value("expression") else {
        let message = "the query parameter `expression` is missing";
        return Err(Error::Invalid(vec![ErrorObject::new(error_code::WRONG_SHAPE, message)]));
    };
    let rejections = run_blocking(move || check_expression(&expression, VALIDATION_TIER)).await?;
    if rejections.is_empty() {
        return valid_response();
    }
    // The pointers are dropped because there is no body to point into.
    let errors = rejections.into_iter().map(|error| ErrorObject::new(error.code, error.message));
    Err(Error::Invalid(errors.collect()))
}

/// Validates an expression in the body.
#[utoipa::path(
    post,
    path = "/filters/validate-expr",
    tag = "Filters",
    request_body(content = ExpressionCheck, example = json!({"expression": "ip.src eq 192.0.2.1"})),
    responses(
        (status = 200, description = "The expression is valid; `result` is null", body = Envelope<Value>),
        (status = 400, description = "10016: the expression is invalid; 10014: invalid body; 10019: the body is not valid JSON"),
    )
)]
pub(crate) async fn check_body(_: Principal, JsonBody(body): JsonBody) -> ApiResult<Value> {
    parse_validated(body, VALIDATION_TIER, read_expression).await?;
    valid_response()
}

fn valid_response() -> ApiResult<Value> {
    Ok(Json(Envelope { result: None, ..Envelope::success(json!(null)) }))
}
