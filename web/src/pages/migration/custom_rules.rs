//! The firewall rules of the zone as custom rules, because the provider also turns off the firewall rules API.

use super::context::SourceContext;
use super::findings::FindingTable;
use crate::components::code_view::CodeView;
use leptos::prelude::*;
use serde_json::json;
use zonewright_api::finding::Finding;
use zonewright_firewall::convert;

/// Lists the firewall rules as custom rules, with the request that creates them.
#[component]
pub(super) fn CustomRules() -> impl IntoView {
    let source = SourceContext::get();
    move || {
        let converted =
            source.with_analysis(|analysis| convert(&analysis.config.firewall_rules, analysis.config.tier))?;
        let is_empty = converted.findings.is_empty();
        let with_prefix =
            |finding: Finding| Finding { setting: format!("/firewall_rules{}", finding.setting), ..finding };
        let findings: Vec<Finding> = converted.findings.into_iter().map(with_prefix).collect();
        let body = json!({ "name": "default", "rules": converted.rules });
        let text = serde_json::to_string_pretty(&body).unwrap_or_default();
        Some(view! {
            <p class="pad">"The migration covers only firewall rules that bypass the managed rules. The provider is retiring the firewall rules API separately. This table shows all firewall rules as custom rules, in the order in which they run."</p>
            <FindingTable findings label="Firewall rules as custom rules" />
            {(!is_empty).then(|| view! {
                <div class="pad"><CodeView title="Custom rules" note="The request body for the phase http_request_firewall_custom. This page does not send it." text=Signal::derive(move || text.clone()) /></div>
            })}
        })
    }
}
