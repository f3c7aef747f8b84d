//! Calls for the previous managed rules and their migration.

use super::write::{ProbeResult, WriteOutcome, WriteProbe, deletion_probe_result};
use super::{ApiError, Client, encode, missing_result, parse_response, transport_error, with_query};
use gloo_net::http::Request;
use serde_json::{Map, Value, json};
use zonewright_api::Envelope;
use zonewright_api::ruleset::Ruleset;
use zonewright_api::waf_migration::{MigrationCompatibility, MigrationStatus};

/// The path of the entry point, relative to the zone.
pub(crate) const ENTRY_POINT: &str = "/rulesets/phases/http_request_firewall_managed/entrypoint";

/// The configuration that the service proposes for the zone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ProposedConfiguration {
    /// The proposed configuration.
    pub(crate) body: Value,
    /// The entity tag (`ETag`) to send with the update, if the service returns one.
    pub(crate) etag: Option<String>,
}

/// The service's report on whether the zone can migrate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CompatibilityCheck {
    /// The result of the check.
    pub(crate) compatibility: MigrationCompatibility,
    /// The messages of the envelope: blockers, and settings that need support.
    pub(crate) messages: Vec<String>,
}

impl Client {
    /// Reads the configuration of the zone, and returns it as the document from which a migration is planned.
    /// `document` already has the members `zone` and `plan` if they are known.
    pub(crate) async fn fetch_zone_configuration(&self, mut document: Map<String, Value>) -> Result<Value, ApiError> {
        let waf: Option<Value> = self.call(Request::get(&self.zone_url("/settings/waf"))).await?.result;
        let value = waf.and_then(|setting| setting.get("value").cloned()).unwrap_or(Value::Null);
        document.insert("settings".to_owned(), json!({ "waf": value }));
        let packages = self.list_all::<Value>("/firewall/waf/packages").await?;
        let (mut groups, mut rules) = (Vec::new(), Vec::new());
        for package in &packages {
            let id = encode(package.get("id").and_then(Value::as_str).unwrap_or_default());
            groups.extend(self.list_all::<Value>(&format!("/firewall/waf/packages/{id}/groups")).await?);
            rules.extend(self.list_all::<Value>(&format!("/firewall/waf/packages/{id}/rules")).await?);
        }
        let overrides = self.list_all::<Value>("/firewall/waf/overrides").await?;
        let firewall_rules = self.list_all::<Value>("/firewall/rules").await?;
        let page_rules: Option<Value> = self.call(Request::get(&self.zone_url("/pagerules"))).await?.result;
        let lists = [
            ("packages", Value::Array(packages)),
            ("groups", Value::Array(groups)),
            ("rules", Value::Array(rules)),
            ("overrides", Value::Array(overrides)),
            ("firewall_rules", Value::Array(firewall_rules)),
            ("page_rules", page_rules.unwrap_or_else(|| json!([]))),
        ];
        document.extend(lists.into_iter().map(|(name, list)| (name.to_owned(), list)));
        if let Some(ruleset) = self.entry_point().await? {
            document.insert("entry_point".to_owned(), json!(ruleset));
        }
        Ok(Value::Object(document))
    }

    /// Reads the current entry point of the managed rules; `None` if the zone has none.
    pub(crate) async fn entry_point(&self) -> Result<Option<Ruleset>, ApiError> {
        match self.call::<Ruleset>(Request::get(&self.zone_url(ENTRY_POINT))).await {
            Ok(envelope) => Ok(envelope.result),
            Err(ApiError::Response { status: 404, .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// Checks whether the zone can migrate.
    pub(crate) async fn migration_check(&self) -> Result<CompatibilityCheck, ApiError> {
        let url = self.zone_url("/waf_migration/check?phase_two=1");
        let envelope: Envelope<MigrationCompatibility> = self.call(with_query(Request::get, &url)).await?;
        let messages = envelope.messages.into_iter().map(|message| message.message).collect();
        Ok(CompatibilityCheck { compatibility: envelope.result.ok_or_else(missing_result)?, messages })
    }

    /// Reads the new configuration that the service proposes.
    pub(crate) async fn proposal(&self) -> Result<ProposedConfiguration, ApiError> {
        let url = self.zone_url("/waf_migration/config?phase_two=1");
        let response = self.prepare(with_query(Request::get, &url)).send().await;
        let etag = response.as_ref().ok().and_then(|response| response.headers().get("etag"));
        let body = parse_response::<Value>(response).await?.result.ok_or_else(missing_result)?;
        Ok(ProposedConfiguration { body, etag })
    }

    /// Reads the migration state.
    pub(crate) async fn migration_status(&self) -> Result<MigrationStatus, ApiError> {
        let url = self.zone_url("/waf_migration/status");
        self.call::<MigrationStatus>(Request::get(&url)).await?.result.ok_or_else(missing_result)
    }

    /// Updates the entry point and advances the migration. The request is sent once, whatever its outcome.
    pub(crate) async fn migrate(&self, step: &str, body: &Value, tag: &str) -> Result<(), ApiError> {
        let request = with_query(Request::put, &self.zone_url(&migrate_path(step)));
        let request = self.prepare(request).header("If-Match", tag);
        let request = request.json(body).map_err(|_| ApiError::InvalidBaseUrl)?;
        parse_response::<Value>(request.send().await).await.map(drop)
    }

    /// Deletes a blocker of the migration.
    pub(crate) async fn delete_blocker(&self, deletion: BlockerDeletion) -> WriteOutcome<BlockerDeletion> {
        // Some services respond to a deletion with 204 and no body.
        let result = match self.prepare(Request::delete(&self.url(&deletion.path))).send().await {
            Ok(response) if response.status() == 204 => Ok(()),
            Ok(response) => parse_response::<Value>(Ok(response)).await.map(drop),
            Err(error) => Err(transport_error(error)),
        };
        WriteOutcome::resolve(self, result, deletion).await
    }
}

/// The deletion of a blocker of a migration; also its probe.
#[derive(Clone, PartialEq)]
pub(crate) struct BlockerDeletion {
    /// The path of the blocker, relative to the base URL.
    pub(crate) path: String,
}

impl WriteProbe for BlockerDeletion {
    type Response = ();

    async fn probe(&self, client: &Client) -> Result<ProbeResult<()>, ApiError> {
        deletion_probe_result(client.call::<Value>(Request::get(&client.url(&self.path))).await)
    }
}

/// Returns path and query of the update, relative to the zone.
pub(crate) fn migrate_path(step: &str) -> String {
    format!("{ENTRY_POINT}?waf_migration={step}&phase_two=1")
}
