//! What the upstream is asked so that a request can be judged: the plan of a zone, and what is there now.
//! What cannot be found out makes the judgement milder, never stricter.

use super::address::Place;
use super::upstream::{Outgoing, Upstream};
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

/// Most plans that are kept.
const MOST: usize = 1_000;

/// Plans of zones, for some minutes.
#[derive(Default)]
pub(super) struct Plans {
    /// By zone and the digest of the credentials, so that nobody learns of a zone by what another asked.
    kept: Mutex<HashMap<String, (Tier, Instant)>>,
}

/// What is read of a zone: a real one has many more members, and not all that ours have.
#[derive(Deserialize)]
struct ZonePlan {
    plan: Plan,
}

#[derive(Deserialize)]
struct Plan {
    legacy_id: String,
}

impl Plans {
    /// The plan of a zone; the largest where it is not known.
    pub(super) async fn tier(&self, upstream: &Upstream, zone: &str, credentials: &HeaderMap) -> Tier {
        let key = key(zone, credentials);
        if let Some(tier) = self.kept(&key, upstream) {
            return tier;
        }
        let path = ["zones".to_owned(), zone.to_owned()];
        let answer = ask(upstream, &path, credentials).await;
        let plan = answer.and_then(|zone| ZonePlan::deserialize(zone).ok());
        let Some(tier) = plan.and_then(|zone| Tier::from_name(&zone.plan.legacy_id)) else {
            return Tier::Enterprise;
        };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(key, (tier, Instant::now()));
        tier
    }

    fn kept(&self, key: &str, upstream: &Upstream) -> Option<Tier> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let (tier, since) = kept.get(key)?;
        (since.elapsed() < upstream.config().pace.plan_age).then_some(*tier)
    }
}

fn key(zone: &str, credentials: &HeaderMap) -> String {
    let mut text = zone.to_owned();
    for (name, value) in credentials {
        text.push_str(name.as_str());
        text.push_str(&String::from_utf8_lossy(value.as_bytes()));
    }
    digest(&text)
}

/// What is at an address now.
pub(super) async fn present(upstream: &Upstream, place: &Place, credentials: &HeaderMap) -> Option<Value> {
    // The rules of a ruleset have no address of their own to read.
    let end = place.pieces.iter().position(|piece| piece == "rulesets").map(|at| at + 2);
    let pieces = end.and_then(|end| place.pieces.get(..end)).unwrap_or(&place.pieces);
    ask(upstream, pieces, credentials).await
}

/// The result of a read, when there is one.
async fn ask(upstream: &Upstream, pieces: &[String], credentials: &HeaderMap) -> Option<Value> {
    let time = upstream.config().pace.question;
    let headers = credentials.clone();
    let outgoing = Outgoing { method: Method::GET, pieces, query: &[], headers, body: None, time };
    let incoming = upstream.send(outgoing).await.ok().filter(|answer| answer.status == StatusCode::OK)?;
    // A large ruleset takes long to parse, so that runs on the pool of blocking threads.
    let parse = move || serde_json::from_slice::<Envelope<Value>>(&incoming.body).ok()?.result;
    run_blocking(parse).await.ok()?
}
