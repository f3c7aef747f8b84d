//! The job in the formats of other tools. None of them contains a secret.

use super::form_context::FormContext;
use crate::components::code_view::CodeView;
use crate::export::{quote_for_shell, to_hcl_string, to_hcl_value};
use crate::job::{JobOwner, redact_with_labels};
use crate::state::service::ServiceContext;
use leptos::prelude::*;
use serde_json::{Map, Value};

/// Members that contain secrets, with the variables that replace them.
const SECRET_VARIABLES: [(&str, &str); 2] =
    [("destination_conf", "DESTINATION"), ("ownership_challenge", "OWNERSHIP_CHALLENGE")];

/// The panel "Copy as".
#[component]
pub(super) fn CopyAsPanel() -> impl IntoView {
    let service = ServiceContext::get();
    let context = FormContext::get();
    let json = Signal::derive(move || to_pretty_json(&redact_body(&context.body.read())));
    let id = move || context.draft.original.read().as_ref().map(|job| job.id);
    let command = Signal::derive(move || {
        let root = service.connection.read().absolute_root();
        let (method, path) = match id() {
            Some(id) => ("PUT", format!("/{id}")),
            None => ("POST", String::new()),
        };
        to_curl_command(
            &context.body.read(),
            method,
            &format!("{root}{}/logpush/jobs{path}", context.owner().path_for_shell()),
        )
    });
    let is_empty = move || context.body.read().is_empty();
    let hcl = Signal::derive(move || to_terraform(&context.draft.full_body(), &context.owner()));
    view! {
        <div class="code-views">
            <p class="quiet" hidden=move || !is_empty()>"No changes to send."</p>
            {move || (!is_empty()).then(|| view! {
            <CodeView title="JSON" note="The request body. Replace the placeholders in angle brackets with your secrets." text=json />
            <CodeView title="curl" note="The token and the secrets come from shell variables." text=command />
            })}
            <CodeView title="Terraform" note="A cloudflare_logpush_job resource. The destination is a sensitive variable." text=hcl />
        </div>
    }
}

/// Replaces the secrets of a body by placeholders.
fn redact_body(body: &Map<String, Value>) -> Map<String, Value> {
    let mask = |(name, value): (&String, &Value)| {
        let redacted = match (name.as_str(), value) {
            ("destination_conf", Value::String(address)) => Value::from(redact_with_labels(address)),
            ("ownership_challenge", Value::String(_)) => Value::from("<challenge>"),
            _ => value.clone(),
        };
        (name.clone(), redacted)
    };
    body.iter().map(mask).collect()
}

fn to_pretty_json(body: &Map<String, Value>) -> String {
    serde_json::to_string_pretty(body).unwrap_or_default()
}

/// Returns the request as a curl command for a POSIX shell. Variables between the quotes replace the secrets.
fn to_curl_command(body: &Map<String, Value>, method: &str, url: &str) -> String {
    let mut marked = body.clone();
    let mut lines = String::new();
    for (name, variable) in SECRET_VARIABLES {
        if let Some(value) = marked.get_mut(name) {
            let redacted = value.as_str().map(|text| {
                if name == "destination_conf" { redact_with_labels(text) } else { "<challenge>".to_owned() }
            });
            lines.push_str(&format!("{variable}={}\n", quote_for_shell(&redacted.unwrap_or_default())));
            *value = Value::from(format!("\u{1}{variable}\u{1}"));
        }
    }
    let mut data = quote_for_shell(&Value::Object(marked).to_string());
    for (_, variable) in SECRET_VARIABLES {
        data = data.replace(&format!("\\u0001{variable}\\u0001"), &format!("'\"${variable}\"'"));
    }
    format!(
        "{lines}curl --request {method} \"{url}\" \\\n  --header \"Authorization: Bearer $TOKEN\" \\\n  \
         --header \"Content-Type: application/json\" \\\n  --data {data}"
    )
}

/// Returns the job as a Terraform resource, with sensitive variables instead of secrets.
fn to_terraform(body: &Map<String, Value>, owner: &JobOwner) -> String {
    let (member, id) = owner.id_member();
    let id = if id.is_empty() { format!("var.{member}") } else { to_hcl_string(id) };
    let mut members = vec![(member.to_owned(), id)];
    for (name, value) in body {
        let value = match (name.as_str(), value) {
            ("destination_conf" | "ownership_challenge", _) => format!("var.logpush_{name}"),
            ("filter", Value::String(text)) => match serde_json::from_str::<Value>(text) {
                Ok(filter) => format!("jsonencode({})", to_hcl_value(&filter, 1)),
                Err(_) => to_hcl_string(text),
            },
            ("output_options", Value::Object(options)) => {
                let options =
                    options.iter().map(|(name, value)| (name.replace("CVE-", "cve_").replace('-', "_"), value.clone()));
                to_hcl_value(&Value::Object(options.collect()), 1)
            }
            _ => to_hcl_value(value, 1),
        };
        members.push((name.clone(), value));
    }
    let width = members.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let lines: String = members.iter().map(|(name, value)| format!("  {name:<width$} = {value}\n")).collect();
    let label = body.get("dataset").and_then(Value::as_str).unwrap_or("job");
    let variables = SECRET_VARIABLES.iter().filter(|(name, _)| body.contains_key(*name));
    let variables: String = variables
        .map(|(name, _)| format!("variable \"logpush_{name}\" {{\n  type      = string\n  sensitive = true\n}}\n\n"))
        .collect();
    format!("{variables}resource \"cloudflare_logpush_job\" \"{label}\" {{\n{lines}}}")
}
