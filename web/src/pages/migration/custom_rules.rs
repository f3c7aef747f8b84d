//! The firewall rules of the zone as custom rules, because the provider also turns off the firewall rules API.

use super::analysis::call;
use super::context::SourceContext;
use super::findings::FindingTable;
use super::plan::Finding;
use crate::components::answer_view::AnswerView;
use crate::components::code_view::CodeView;
use crate::engine::{Channel, EngineError, Worker, follow, to_js};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use zonewright_api::firewall::FirewallRule;
use zonewright_expression::schema::Tier;

#[derive(Serialize)]
struct ConvertOptions {
    plan: &'static str,
}

/// Result of `migration.convert`.
#[derive(Deserialize)]
struct ConvertResult {
    /// The custom rules as the service accepts them; absent if the firewall rules cannot be read.
    rules: Option<Value>,
    findings: Vec<Finding>,
}

/// The custom rules as text, with a finding for each firewall rule.
#[derive(Debug)]
struct CustomRuleset {
    text: String,
    findings: Vec<Finding>,
}

/// Lists the firewall rules as custom rules, with the request that creates them.
#[component]
pub(super) fn CustomRules() -> impl IntoView {
    let source = SourceContext::get();
    let input = move || {
        source.with_configuration(|configuration| {
            (configuration.config.firewall_rules.clone(), configuration.config.tier)
        })
    };
    let answer = follow(Worker::Tools, input, async |channel, (rules, tier)| convert(channel, &rules, tier).await);
    view! { <AnswerView answer ready=custom_rules_view /> }
}

async fn convert(channel: Channel, rules: &[FirewallRule], tier: Tier) -> Result<CustomRuleset, EngineError> {
    let options = to_js(&ConvertOptions { plan: tier.name() });
    let converted: ConvertResult = call(channel, "migration.convert", vec![to_js(rules), options]).await?;
    let rules = converted.rules.ok_or_else(|| EngineError::Failed("the firewall rules cannot be read".to_owned()))?;
    let with_prefix = |finding: Finding| Finding { setting: format!("/firewall_rules{}", finding.setting), ..finding };
    let body = json!({ "name": "default", "rules": rules });
    Ok(CustomRuleset {
        text: serde_json::to_string_pretty(&body).unwrap_or_default(),
        findings: converted.findings.into_iter().map(with_prefix).collect(),
    })
}

fn custom_rules_view(ruleset: Arc<CustomRuleset>) -> AnyView {
    let (findings, text) = (ruleset.findings.clone(), ruleset.text.clone());
    let is_empty = findings.is_empty();
    view! {
        <p class="pad">"The migration covers only firewall rules that bypass the managed rules. The provider is retiring the firewall rules API separately. This table shows all firewall rules as custom rules, in the order in which they run."</p>
        <FindingTable findings label="Firewall rules as custom rules" />
        {(!is_empty).then(|| view! {
            <div class="pad"><CodeView title="Custom rules" note="The request body for the phase http_request_firewall_custom. This page does not send it." text=Signal::derive(move || text.clone()) /></div>
        })}
    }
    .into_any()
}
