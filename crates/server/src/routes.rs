//! The handlers: one module for each resource. A handler runs extractors, the engine and the store, and returns an
//! envelope.

pub(crate) mod accounts;
pub(crate) mod audit_logs;
mod bodies;
pub(crate) mod filters;
pub(crate) mod firewall_rules;
pub(crate) mod logpush_datasets;
pub(crate) mod logpush_destinations;
pub(crate) mod logpush_edge;
pub(crate) mod logpush_ingest;
pub(crate) mod logpush_jobs;
pub(crate) mod logpush_transformers;
pub(crate) mod monitoring;
pub(crate) mod openapi;
pub(crate) mod page_rules;
pub(crate) mod rulesets;
pub(crate) mod settings;
pub(crate) mod tokens;
pub(crate) mod user;
pub(crate) mod validate_expr;
pub(crate) mod waf_groups;
pub(crate) mod waf_migration;
pub(crate) mod waf_overrides;
pub(crate) mod waf_packages;
pub(crate) mod waf_rules;
pub(crate) mod zones;

use crate::app::App;
use crate::blocking::run_blocking;
use crate::error::Error;
use crate::response_cache::CachedBody;
use axum::body::Bytes;
use axum::http::Uri;
use axum::http::header::CONTENT_TYPE;
use axum::http::uri::PathAndQuery;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Serialize;
use serde_json::Value;
use zonewright_api::Envelope;
use zonewright_expression::schema::Tier;
use zonewright_firewall::ValidationError;
use zonewright_store::{Page, Zone};

/// The result of a handler.
pub(crate) type ApiResult<T> = Result<Json<Envelope<T>>, Error>;

/// Returns a successful response.
pub(crate) fn success_response<T>(result: T) -> ApiResult<T> {
    Ok(Json(Envelope::success(result)))
}

/// Returns a successful response for the only item of the request.
pub(crate) fn single_response<T>(results: Vec<T>) -> ApiResult<T> {
    let result = results.into_iter().next();
    success_response(
        result.ok_or_else(|| Error::Internal("the store returned no result for the only item of a request".into()))?,
    )
}

/// Returns a response with one page of a list.
pub(crate) fn page_response<T>((items, total): (Vec<T>, u64), page: Page) -> ApiResult<Vec<T>> {
    let info = page.info(items.len(), total);
    Ok(Json(Envelope { result_info: Some(info), ..Envelope::success(items) }))
}

/// Returns the response to a read of a zone from the cache (`response_cache.rs`), or computes and caches it. Use it
/// only for data whose changes all have an entry in the audit log of the zone.
pub(crate) async fn cached_response<T: Serialize>(
    app: &App,
    zone: &Zone,
    uri: &Uri,
    response: impl Future<Output = ApiResult<T>>,
) -> Result<Response, Error> {
    let url = uri.path_and_query().map_or("", PathAndQuery::as_str);
    let body = match app.response_cache.get(zone.id(), zone.revision, url) {
        Some(body) => body,
        None => {
            let Json(envelope) = response.await?;
            let body = serde_json::to_vec(&envelope).map_err(|error| Error::Internal(error.into()))?;
            let body = CachedBody::new(Bytes::from(body.into_boxed_slice()));
            app.response_cache.insert(zone.id(), zone.revision, url, &body);
            body
        }
    };
    let content_type = [(CONTENT_TYPE, "application/json")];
    Ok((content_type, Extension(body.compressed), body.plain).into_response())
}

/// Maximum cost of a body that the engine validates on the thread of the request: the bytes of its strings and names,
/// [`OBJECT_BYTES`] for each object, and 1 for each array item.
const INLINE_BYTES: usize = 512;
/// Cost of an object in bytes, because each object is checked and reported separately.
const OBJECT_BYTES: usize = 32;

/// Returns whether the body is so short that moving it to another thread would take longer than validating it.
///
/// The length of the body in bytes is unknown here, because the extractor drops the text after parsing it. It would
/// also be a poor measure: many small objects cost more than one string of the same length. The walk stops at the
/// limit.
fn is_short(value: &Value) -> bool {
    /// Returns what remains of the budget after a value; `None` if the value exceeds it.
    fn remaining_budget(value: &Value, budget: usize) -> Option<usize> {
        match value {
            Value::String(text) => budget.checked_sub(text.len()),
            Value::Array(items) => {
                items.iter().try_fold(budget, |budget, item| remaining_budget(item, budget.checked_sub(1)?))
            }
            Value::Object(members) => {
                let budget = budget.checked_sub(OBJECT_BYTES)?;
                let charge = |budget: usize, (name, item): (&String, &Value)| {
                    remaining_budget(item, budget.checked_sub(name.len())?)
                };
                members.iter().try_fold(budget, charge)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => Some(budget),
        }
    }
    remaining_budget(value, INLINE_BYTES).is_some()
}

/// Validates a body with the engine. Only a short body is validated on the thread of the request, because a longer body
/// may contain thousands of expressions.
pub(crate) async fn parse_validated<T: Send + 'static>(
    body: Value,
    tier: Tier,
    read: impl FnOnce(&Value, Tier) -> Result<T, Vec<ValidationError>> + Send + 'static,
) -> Result<T, Error> {
    if is_short(&body) {
        return Ok(read(&body, tier)?);
    }
    Ok(run_blocking(move || read(&body, tier)).await??)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_short_bodies_are_validated_inline() {
        let rule = |expression: &str| json!([{"filter": {"expression": expression}, "action": "block"}]);
        for (body, expected) in [
            (rule("ip.src eq 192.0.2.1"), true),
            (rule(r#"http.host matches "^a""#), true),
            (rule(&"not ".repeat(INLINE_BYTES / 4)), false),
            (json!([rule(&" ".repeat(INLINE_BYTES / 2)), rule(&" ".repeat(INLINE_BYTES / 2))]), false),
            (json!({ "a".repeat(INLINE_BYTES): 0 }), false),
            (json!(vec![json!({"expression": "b"}); 12]), false),
            (json!(vec![0; INLINE_BYTES]), true),
            (json!(vec![0; INLINE_BYTES + 1]), false),
            (Value::Null, true),
        ] {
            assert_eq!(is_short(&body), expected, "{body}");
        }
    }
}
