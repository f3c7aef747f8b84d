//! `rewrite` rules, which change the request for later phases, and the targets of redirects.

use crate::conditions::{ComputedText, evaluate_text};
use crate::report::{Effect, PartValue, RuleTrace};
use crate::state::{Component, RequestState, extend_unique};
use serde_json::Value as Json;
use zonewright_api::ruleset::ActionParameters;
use zonewright_expression::schema::Phase;
use zonewright_expression::{Record, Ternary, Value};
use zonewright_request::{Change, change_headers, change_path, change_query};

/// The maximum number of characters of a value in a trace.
const MAX_VALUE_CHARS: usize = 1024;

/// Applies a `rewrite` rule to the request if it fires.
pub(crate) fn apply_rewrite(
    parameters: &ActionParameters,
    phase: Phase,
    trace: &mut RuleTrace,
    state: &mut RequestState,
) {
    let uri = parameters.other.get("uri");
    for (part, field) in [("path", "http.request.uri.path"), ("query", "http.request.uri.query")] {
        let Some(value) = uri.and_then(|uri| uri.get(part)) else { continue };
        let new = compute_text(value, &state.record, trace);
        let before = PartValue::of_field(&state.record, field);
        if let Some(new) = record_change(field.to_owned(), before, new, Component::Uri, trace, state) {
            state.change(|record| match part {
                "path" => change_path(record, new.as_change()),
                _ => change_query(record, new.as_change()),
            });
        }
    }
    let headers = parameters.other.get("headers").and_then(Json::as_object);
    if uri.is_none() && headers.is_none() {
        trace.error.get_or_insert_with(|| "the rule has neither `uri` nor `headers` in its parameters".to_owned());
    }
    let mut changes = Vec::new();
    for (name, header) in headers.into_iter().flatten() {
        let operation = header.get("operation").and_then(Json::as_str).unwrap_or("set");
        if phase == Phase::HttpResponseHeadersTransform {
            let verb = match operation {
                "remove" => "removes",
                "add" => "adds",
                _ => "sets",
            };
            trace.effects.push(Effect::Other(format!("{verb} the response header `{name}`")));
            continue;
        }
        let new = match operation {
            "set" => compute_text(header, &state.record, trace),
            "remove" => NewText::Removed,
            other => {
                let message = format!("the operation `{other}` is not available for request headers");
                trace.error.get_or_insert(message);
                NewText::Unknown(Vec::new())
            }
        };
        let field = format!("http.request.headers[\"{}\"]", name.to_ascii_lowercase());
        let before = PartValue::of_header(&state.record, name);
        if let Some(new) = record_change(field, before, new, Component::Headers, trace, state) {
            changes.push((name.as_str(), new));
        }
    }
    if !changes.is_empty() {
        let changes: Vec<(&str, Change<'_>)> = changes.iter().map(|(name, new)| (*name, new.as_change())).collect();
        state.change(|record| change_headers(record, &changes));
    }
    if phase == Phase::HttpResponseHeadersTransform && headers.is_some() {
        // Later phases of the response see other headers than those of the record.
        state.change(|record| {
            for field in ["http.response.headers", "http.response.headers.names", "http.response.headers.values"] {
                record.unset(field);
            }
        });
    }
}

/// The new value of a component or a header.
enum NewText {
    Set(Vec<u8>),
    Removed,
    /// With the values that would decide it.
    Unknown(Vec<String>),
}

impl NewText {
    fn as_change(&self) -> Change<'_> {
        match self {
            NewText::Set(text) => Change::Set(text),
            NewText::Removed => Change::Remove,
            NewText::Unknown(_) => Change::Unknown,
        }
    }

    fn to_part_value(&self) -> PartValue {
        match self {
            NewText::Set(text) => PartValue::from_bytes(text),
            NewText::Removed => PartValue::Absent,
            NewText::Unknown(_) => PartValue::Unknown,
        }
    }
}

/// Records a change as an effect, and returns the one that applies to the request: none if nothing changes, and an unknown
/// value if the rule may fire.
fn record_change(
    field: String,
    before: PartValue,
    new: NewText,
    component: Component,
    trace: &mut RuleTrace,
    state: &mut RequestState,
) -> Option<NewText> {
    let after = new.to_part_value();
    if let NewText::Unknown(depends_on) = &new {
        extend_unique(&mut trace.depends_on, &state.trace_back(depends_on.clone()));
    }
    let is_same = before == after && after != PartValue::Unknown;
    if is_same {
        trace.effects.push(Effect::Other(format!("leaves {field} unchanged")));
        return None;
    }
    trace.effects.push(Effect::Rewrite { field, before, after });
    let new = if trace.fires_if_running() == Ternary::Unknown { NewText::Unknown(Vec::new()) } else { new };
    if matches!(new, NewText::Unknown(_)) {
        state.mark_unknown(component, &trace.depends_on);
    }
    Some(new)
}

/// Returns the text of `{"value": …}` or `{"expression": …}`.
fn compute_text(parameter: &Json, record: &Record, trace: &mut RuleTrace) -> NewText {
    match (parameter.get("value"), parameter.get("expression")) {
        (Some(Json::String(text)), _) => NewText::Set(text.as_bytes().to_vec()),
        (_, Some(Json::String(expression))) => match evaluate_text(expression, record) {
            ComputedText::Known(text) => NewText::Set(text),
            ComputedText::Unknown(depends_on) => NewText::Unknown(depends_on),
            ComputedText::Invalid(error) => {
                trace.error.get_or_insert(error);
                NewText::Unknown(Vec::new())
            }
        },
        _ => {
            trace.error.get_or_insert_with(|| "the rule has neither a `value` nor an `expression`".to_owned());
            NewText::Unknown(Vec::new())
        }
    }
}

/// Returns the target of a redirect; `None` if it is unknown.
pub(crate) fn redirect_target(
    target: &Json,
    keeps_query: bool,
    state: &RequestState,
    trace: &mut RuleTrace,
) -> Option<String> {
    let mut text = match compute_text(target, &state.record, trace) {
        NewText::Set(text) => text,
        NewText::Unknown(depends_on) => {
            extend_unique(&mut trace.depends_on, &state.trace_back(depends_on));
            return None;
        }
        NewText::Removed => return None,
    };
    if keeps_query {
        const QUERY: &str = "http.request.uri.query";
        let Some(Value::Text(query)) = state.record.get(QUERY) else {
            extend_unique(&mut trace.depends_on, &state.trace_back(vec![QUERY.to_owned()]));
            return None;
        };
        if !query.is_empty() {
            let fragment_start = text.iter().position(|byte| *byte == b'#').unwrap_or(text.len());
            let fragment = text.split_off(fragment_start);
            text.push(if text.contains(&b'?') { b'&' } else { b'?' });
            text.extend(query);
            text.extend(fragment);
        }
    }
    Some(String::from_utf8_lossy(&text).into_owned())
}

impl PartValue {
    /// Returns a text for display.
    fn from_bytes(text: &[u8]) -> PartValue {
        let text = String::from_utf8_lossy(text);
        let mut short: String = text.chars().take(MAX_VALUE_CHARS).collect();
        if short.len() < text.len() {
            short.push('…');
        }
        PartValue::Set(short)
    }

    fn of_field(record: &Record, field: &str) -> PartValue {
        match record.get(field) {
            Some(Value::Text(text)) => PartValue::from_bytes(text),
            _ => PartValue::Unknown,
        }
    }

    /// Returns the values of a header, joined as HTTP does.
    fn of_header(record: &Record, name: &str) -> PartValue {
        let Some(Value::Map(headers)) = record.get("http.request.headers") else { return PartValue::Unknown };
        let Some(Value::Array(values)) = headers.get(name.to_ascii_lowercase().as_bytes()) else {
            return PartValue::Absent;
        };
        let texts: Vec<&[u8]> = values
            .iter()
            .filter_map(|value| match value {
                Value::Text(text) => Some(text.as_slice()),
                _ => None,
            })
            .collect();
        PartValue::from_bytes(&texts.join(&b", "[..]))
    }
}
