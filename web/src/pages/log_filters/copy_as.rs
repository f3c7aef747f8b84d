//! The filter in the formats of other tools.

use super::context::WorkbenchContext;
use crate::components::code_view::CodeView;
use crate::export::{quote_for_shell, to_hcl_value};
use crate::part::PartResult;
use crate::state::service::ServiceContext;
use leptos::prelude::*;
use serde_json::Value;
use wasm_split_helpers::wasm_split;
use zonewright_logpush::ast::Node;
use zonewright_logpush::{Dataset, JobScope};
use zonewright_logpush::{FormatStyle, print};

/// The panel, which is a part of the app.
#[wasm_split(log_filter_tools, fallible)]
pub(super) fn copy_as_panel() -> PartResult<AnyView> {
    Ok(view! { <CopyAsPanel /> }.into_any())
}

/// Exports the filter to other tools.
#[component]
fn CopyAsPanel() -> impl IntoView {
    let service = ServiceContext::get();
    let workbench = WorkbenchContext::get();
    let root = Memo::new(move |_| {
        let tree = workbench.tree.get();
        tree.root.clone().filter(|_| !tree.is_stale)
    });
    let convert =
        move |write: fn(&Node) -> String| Signal::derive(move || root.read().as_ref().map(write).unwrap_or_default());
    let terraform = Signal::derive(move || {
        root.read().as_ref().map(|root| to_terraform(root, workbench.filter.dataset.get())).unwrap_or_default()
    });
    let curl = Signal::derive(move || {
        let api_root = service.connection.read().absolute_root();
        root.read()
            .as_ref()
            .map(|root| {
                let dataset = workbench.filter.dataset.get();
                let scope = if dataset.has_zone_scope() { JobScope::Zone } else { JobScope::Account };
                to_curl_command(root, dataset, &format!("{api_root}{}", service.job_owner(scope).path_for_shell()))
            })
            .unwrap_or_default()
    });
    let has_no_filter = move || root.read().is_none();
    view! {
        <p class="quiet pad" hidden=move || !has_no_filter()>"Enter a valid filter to copy it."</p>
        <div class="code-views" hidden=has_no_filter>
            <CodeView title="Object" note="The filter as a JSON object." text=convert(|root| print(root, FormatStyle::Compact)) />
            <CodeView title="Escaped string" note="The filter for a job, as a JSON string." text=convert(|root| print(root, FormatStyle::Escaped)) />
            <CodeView title="Terraform" note="A cloudflare_logpush_job resource; jsonencode creates the string." text=terraform />
            <CodeView
                title="curl"
                note="Creates a job. The token and the destination come from the shell variables TOKEN and DESTINATION, never from this page."
                text=curl
            />
        </div>
    }
}

/// Returns a resource with the filter as HCL, so that the user need not escape it.
fn to_terraform(root: &Node, dataset: &Dataset) -> String {
    let owner =
        if dataset.has_zone_scope() { "zone_id          = var.zone_id" } else { "account_id       = var.account_id" };
    let filter = serde_json::from_str(&print(root, FormatStyle::Compact))
        .map(|value| to_hcl_value(&value, 1))
        .unwrap_or_default();
    format!(
        "resource \"cloudflare_logpush_job\" \"{name}\" {{\n  {owner}\n  dataset          = \"{name}\"\n  \
         destination_conf = var.destination_conf\n  enabled          = true\n  filter = jsonencode({filter})\n}}",
        name = dataset.name
    )
}

/// Returns a curl command for a POSIX shell that creates a job with the filter.
fn to_curl_command(root: &Node, dataset: &Dataset, owner: &str) -> String {
    // A shell variable between the quotes provides the destination, so that this page never contains it.
    let before = format!("{{\"dataset\":\"{}\",\"destination_conf\":\"", dataset.name);
    let after = format!("\",\"filter\":{},\"enabled\":true}}", print(root, FormatStyle::Escaped));
    format!(
        "curl --request POST \"{owner}/logpush/jobs\" \\\n  \
         --header \"Authorization: Bearer $TOKEN\" \\\n  \
         --header \"Content-Type: application/json\" \\\n  \
         --data {}\"$DESTINATION\"{}",
        quote_for_shell(&before),
        quote_for_shell(&after)
    )
}

/// Formats a condition as key, operator and value; `None` for any other JSON.
pub(crate) fn format_condition(json: &str) -> Option<String> {
    let value: Value = serde_json::from_str(json).ok()?;
    let member = |name: &str| value.get(name);
    let (key, operator, value) = (member("key")?.as_str()?, member("operator")?.as_str()?, member("value")?);
    Some(format!("{key} {operator} {value}"))
}
