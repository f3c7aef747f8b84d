//! Lookups at the upstream that validation needs: the plan of a zone and the current state of an object. A failed
//! lookup makes the validation less strict, never stricter.

use super::route_match::RouteMatch;
use super::upstream::{Upstream, UpstreamRequest};
use crate::blocking::run_blocking;
use axum::http::{HeaderMap, Method, StatusCode};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use zonewright_api::Envelope;
use zonewright_expression::schema::Tier;
use zonewright_store::digest;

/// Maximum number of cached plans.
const MAX_PLANS: usize = 1_000;

/// A cache of the plans of zones.
#[derive(Default)]
pub(super) struct PlanCache {
    /// Plans by a digest of zone and credentials, so that no client learns of a zone through another client's lookup.
    plans: Mutex<HashMap<String, (Tier, Instant)>>,
}

/// The members of a zone that the relay reads. The upstream's zones have other members than those of this service.
#[derive(Deserialize)]
struct ZonePlan {
    plan: Plan,
}

#[derive(Deserialize)]
struct Plan {
    legacy_id: String,
}

impl PlanCache {
    /// Returns the plan of a zone; Enterprise if it is unknown. Concurrent calls for one zone may each look it up.
    pub(super) async fn tier(&self, upstream: &Upstream, zone: &str, credentials: &HeaderMap) -> Tier {
        let key = cache_key(zone, credentials);
        if let Some(tier) = self.get(&key, upstream) {
            return tier;
        }
        let path = ["zones".to_owned(), zone.to_owned()];
        let response = fetch_result(upstream, &path, credentials).await;
        let plan = response.and_then(|zone| ZonePlan::deserialize(zone).ok());
        let Some(tier) = plan.and_then(|zone| Tier::from_name(&zone.plan.legacy_id)) else {
            return Tier::Enterprise;
        };
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if plans.len() >= MAX_PLANS {
            plans.clear();
        }
        plans.insert(key, (tier, Instant::now()));
        tier
    }

    fn get(&self, key: &str, upstream: &Upstream) -> Option<Tier> {
        let plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        let (tier, since) = plans.get(key)?;
        (since.elapsed() < upstream.config().limits.plan_ttl).then_some(*tier)
    }
}

fn cache_key(zone: &str, credentials: &HeaderMap) -> String {
    let mut text = zone.to_owned();
    for (name, value) in credentials {
        text.push_str(name.as_str());
        text.push_str(&String::from_utf8_lossy(value.as_bytes()));
    }
    digest(&text)
}

/// Returns the current state of the object at a path.
pub(super) async fn fetch_current(
    upstream: &Upstream,
    route_match: &RouteMatch,
    credentials: &HeaderMap,
) -> Option<Value> {
    // A single rule of a ruleset cannot be read, so the whole ruleset is.
    let end = route_match.segments.iter().position(|segment| segment == "rulesets").map(|at| at + 2);
    let segments = end.and_then(|end| route_match.segments.get(..end)).unwrap_or(&route_match.segments);
    fetch_result(upstream, segments, credentials).await
}

/// Returns the result of a GET request, if it succeeds.
async fn fetch_result(upstream: &Upstream, segments: &[String], credentials: &HeaderMap) -> Option<Value> {
    let timeout = upstream.config().limits.lookup_timeout;
    let headers = credentials.clone();
    let outgoing = UpstreamRequest { method: Method::GET, segments, query: &[], headers, body: None, timeout };
    let response = upstream.send(outgoing).await.ok().filter(|response| response.status == StatusCode::OK)?;
    // Parsing a large ruleset takes long, so it runs on the pool of blocking threads.
    let parse = move || serde_json::from_slice::<Envelope<Value>>(&response.body).ok()?.result;
    run_blocking(parse).await.ok()?
}
