//! Calls for firewall rules and filters.

use super::write::{ObservedState, ProbeResult, WriteOutcome, WriteProbe, deletion_probe_result};
use super::{ApiError, Client, MAX_PER_PAGE, PER_PAGE, Page, encode, missing_result, parse_response};
use gloo_net::http::Request;
use serde_json::Value;
use zonewright_api::firewall::{DeletedRule, Filter, FilterReference, FirewallRule, NewRule};

/// Largest number of pages that [`Client::all_rules`] reads.
const MAX_RULE_PAGES: u64 = 10;

/// The probe of a request that creates or updates a rule.
#[derive(Clone, PartialEq)]
pub(crate) enum RuleWriteProbe {
    /// A creation, with the IDs of the existing rules that share the rule's filter.
    Created(NewRule, Vec<String>),
    /// An update, with the rule before it.
    Updated(FirewallRule, NewRule),
}

impl WriteProbe for RuleWriteProbe {
    type Response = FirewallRule;

    async fn probe(&self, client: &Client) -> Result<ProbeResult<FirewallRule>, ApiError> {
        match self {
            RuleWriteProbe::Created(sent, before) => {
                let rules: Vec<FirewallRule> = client.list_all("/firewall/rules").await?;
                let is_new = |rule: &FirewallRule| uses_filter(rule, &sent.filter) && !before.contains(&rule.id);
                let mut new = rules.into_iter().filter(is_new).peekable();
                let state = if new.peek().is_some() { ObservedState::Diverged } else { ObservedState::Unchanged };
                Ok(new
                    .find(|rule| matches_request(rule, sent))
                    .map_or(ProbeResult::NotApplied(state), ProbeResult::Applied))
            }
            RuleWriteProbe::Updated(before, sent) => {
                let now = client.rule(&before.id).await?;
                Ok(if matches_request(&now, sent) {
                    ProbeResult::Applied(now)
                } else if is_same_rule(&now, before) {
                    ProbeResult::NotApplied(ObservedState::Unchanged)
                } else {
                    ProbeResult::NotApplied(ObservedState::Diverged)
                })
            }
        }
    }
}

/// The deletion of a rule or a filter; also its probe.
#[derive(Clone, PartialEq)]
pub(crate) enum FirewallDeletion {
    /// The ID of the rule, and the ID of its filter if that is also deleted when unused.
    Rule(String, Option<String>),
    /// The ID of the filter.
    Filter(String),
}

impl WriteProbe for FirewallDeletion {
    /// Whether a filter was deleted.
    type Response = bool;

    async fn probe(&self, client: &Client) -> Result<ProbeResult<bool>, ApiError> {
        let filter = match self {
            FirewallDeletion::Filter(id) => Some(id),
            FirewallDeletion::Rule(id, filter) => {
                if let ProbeResult::NotApplied(state) = deletion_probe_result(client.rule(id).await)? {
                    return Ok(ProbeResult::NotApplied(state));
                }
                filter.as_ref()
            }
        };
        let Some(filter) = filter else { return Ok(ProbeResult::Applied(false)) };
        let is_gone = matches!(deletion_probe_result(client.filter(filter).await)?, ProbeResult::Applied(()));
        Ok(match self {
            FirewallDeletion::Filter(_) if !is_gone => ProbeResult::NotApplied(ObservedState::Unchanged),
            _ => ProbeResult::Applied(is_gone),
        })
    }
}

/// Returns whether two states of a rule are equal, ignoring their timestamps.
pub(crate) fn is_same_rule(a: &FirewallRule, b: &FirewallRule) -> bool {
    let without_times = |rule: &FirewallRule| FirewallRule { created_on: None, modified_on: None, ..rule.clone() };
    without_times(a) == without_times(b)
}

/// Returns whether a rule has every member that was sent.
fn matches_request(rule: &FirewallRule, sent: &NewRule) -> bool {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    uses_filter(rule, &sent.filter)
        && rule.action == sent.action
        && rule.priority == sent.priority
        && rule.paused == sent.paused
        && rule.products == sent.products
        && text(&rule.description) == text(&sent.description)
        && text(&rule.reference) == text(&sent.reference)
}

/// Returns whether a rule uses a filter. A new filter is identified by its expression apart from whitespace, because no
/// two filters of a zone have the same expression.
fn uses_filter(rule: &FirewallRule, filter: &FilterReference) -> bool {
    match filter {
        FilterReference::Existing { id } => rule.filter.id == *id,
        FilterReference::New(new) => rule.filter.expression.split_whitespace().eq(new.expression.split_whitespace()),
    }
}

impl Client {
    /// Reads a page of the zone's rules.
    pub(crate) async fn rules(&self, page: u64) -> Result<Page<FirewallRule>, ApiError> {
        self.list("/firewall/rules", page, PER_PAGE).await
    }

    /// Reads all rules of the zone if they fit on one page; otherwise returns `None`.
    pub(crate) async fn rules_if_one_page(&self) -> Result<Option<Vec<FirewallRule>>, ApiError> {
        let Page { items, info } = self.list("/firewall/rules", 1, MAX_PER_PAGE).await?;
        let is_complete = info.is_some_and(|info| usize::try_from(info.total_count) == Ok(items.len()));
        Ok(is_complete.then_some(items))
    }

    /// Reads the zone's rules page by page, at most a thousand.
    pub(crate) async fn all_rules(&self) -> Result<Vec<FirewallRule>, ApiError> {
        let mut all = Vec::new();
        for page in 1..=MAX_RULE_PAGES {
            let Page { items, info } = self.list("/firewall/rules", page, MAX_PER_PAGE).await?;
            let is_last = items.is_empty();
            all.extend(items);
            let total = info.and_then(|info| usize::try_from(info.total_count).ok());
            if is_last || total.is_none_or(|total| all.len() >= total) {
                break;
            }
        }
        Ok(all)
    }

    /// Reads a rule.
    pub(crate) async fn rule(&self, id: &str) -> Result<FirewallRule, ApiError> {
        let url = self.zone_url(&format!("/firewall/rules/{}", encode(id)));
        self.call::<FirewallRule>(Request::get(&url)).await?.result.ok_or_else(missing_result)
    }

    /// Reads a page of the zone's filters.
    pub(crate) async fn filters(&self, page: u64) -> Result<Page<Filter>, ApiError> {
        self.list("/filters", page, PER_PAGE).await
    }

    /// Reads a filter.
    pub(crate) async fn filter(&self, id: &str) -> Result<Filter, ApiError> {
        let url = self.zone_url(&format!("/filters/{}", encode(id)));
        self.call::<Filter>(Request::get(&url)).await?.result.ok_or_else(missing_result)
    }

    /// Creates a rule, and its filter if the filter is new.
    pub(crate) async fn create_rule(&self, rule: &NewRule) -> WriteOutcome<RuleWriteProbe> {
        // Rules that share an existing filter can be equal, so only a new ID identifies the created one.
        let before = match &rule.filter {
            FilterReference::New(_) => Vec::new(),
            FilterReference::Existing { .. } => match self.list_all::<FirewallRule>("/firewall/rules").await {
                Ok(rules) => rules
                    .into_iter()
                    .filter(|listed| uses_filter(listed, &rule.filter))
                    .map(|listed| listed.id)
                    .collect(),
                Err(error) => return WriteOutcome::Rejected(error),
            },
        };
        let response = match self.prepare(Request::post(&self.zone_url("/firewall/rules"))).json(&[rule]) {
            Ok(request) => {
                let created = parse_response::<Vec<FirewallRule>>(request.send().await).await;
                created.and_then(|envelope| {
                    envelope.result.and_then(|rules| rules.into_iter().next()).ok_or_else(missing_result)
                })
            }
            Err(_) => Err(ApiError::InvalidBaseUrl),
        };
        WriteOutcome::resolve(self, response, RuleWriteProbe::Created(rule.clone(), before)).await
    }

    /// Replaces a rule. Its filter does not change.
    pub(crate) async fn update_rule(&self, before: &FirewallRule, rule: &NewRule) -> WriteOutcome<RuleWriteProbe> {
        let url = self.zone_url(&format!("/firewall/rules/{}", encode(&before.id)));
        let response = match self.prepare(Request::put(&url)).json(rule) {
            Ok(request) => {
                let updated = parse_response::<FirewallRule>(request.send().await).await;
                updated.and_then(|envelope| envelope.result.ok_or_else(missing_result))
            }
            Err(_) => Err(ApiError::InvalidBaseUrl),
        };
        WriteOutcome::resolve(self, response, RuleWriteProbe::Updated(before.clone(), rule.clone())).await
    }

    /// Deletes a rule or a filter. With a rule, its filter is deleted if requested and unused. The response is whether
    /// a filter was deleted.
    pub(crate) async fn delete_rule_or_filter(&self, deletion: FirewallDeletion) -> WriteOutcome<FirewallDeletion> {
        let response = match &deletion {
            FirewallDeletion::Filter(id) => self.delete(&format!("/filters/{}", encode(id))).await.map(|()| true),
            FirewallDeletion::Rule(id, filter) => {
                let request = Request::delete(&self.zone_url(&format!("/firewall/rules/{}", encode(id))));
                if filter.is_some() {
                    let body = [("delete_filter_if_unused".to_owned(), Value::Bool(true))].into_iter().collect();
                    let deleted = self.send::<DeletedRule>(request, &body).await;
                    deleted.map(|deleted| deleted.filter.is_some_and(|filter| filter.deleted))
                } else {
                    self.call::<DeletedRule>(request).await.map(|_| false)
                }
            }
        };
        WriteOutcome::resolve(self, response, deletion).await
    }
}
