//! `rewrite` rules, which change the request for the following phases, and the targets of redirects.

use crate::conditions::{ComputedText, evaluate_text};
use crate::report::Effect;
use crate::state::RequestState;
use serde_json::Value as Json;
use zonewright_api::ruleset::ActionParameters;
use zonewright_expression::schema::Phase;
use zonewright_expression::{Record, Ternary, Value};
use zonewright_request::{Change, change_header, change_path, change_query};

/// The effects of a rule, and the values that would decide an unknown one.
#[derive(Default)]
pub(crate) struct Rewrite {
    pub(crate) effects: Vec<Effect>,
    pub(crate) needs: Vec<String>,
}

/// Applies a `rewrite` rule to the request if it acts. All new values are computed from the request before the rule.
pub(crate) fn apply_rewrite(
    parameters: &ActionParameters,
    phase: Phase,
    acts: Ternary,
    state: &mut RequestState,
) -> Rewrite {
    let mut rewrite = Rewrite::default();
    let before = state.record.clone();
    let uri = parameters.other.get("uri");
    for (part, field) in [("path", "http.request.uri.path"), ("query", "http.request.uri.query")] {
        let Some(value) = uri.and_then(|uri| uri.get(part)) else { continue };
        let text = compute_text(value, &before);
        let change = rewrite.push_change(field.to_owned(), text_of(&before, field), text, acts);
        match (part, change.as_ref()) {
            ("path", Some(change)) => change_path(&mut state.record, change.borrow()),
            (_, Some(change)) => change_query(&mut state.record, change.borrow()),
            (_, None) => {}
        }
    }
    let headers = parameters.other.get("headers").and_then(Json::as_object);
    for (name, header) in headers.into_iter().flatten() {
        let is_removed = header.get("operation").and_then(Json::as_str) == Some("remove");
        if phase == Phase::HttpResponseHeadersTransform {
            let verb = if is_removed { "removes" } else { "sets" };
            rewrite.effects.push(Effect::Does(format!("{verb} the response header `{name}`")));
            continue;
        }
        let text = if is_removed { NewText::Removed } else { compute_text(header, &before) };
        let field = format!("http.request.headers[\"{}\"]", name.to_ascii_lowercase());
        if let Some(change) = rewrite.push_change(field, header_of(&before, name), text, acts) {
            change_header(&mut state.record, name, change.borrow());
        }
    }
    rewrite
}

/// The new value of a part of the request.
enum NewText {
    Set(Vec<u8>),
    Removed,
    Unknown(Vec<String>),
}

impl NewText {
    fn borrow(&self) -> Change<'_> {
        match self {
            NewText::Set(text) => Change::Set(text),
            NewText::Removed => Change::Remove,
            NewText::Unknown(_) => Change::Unknown,
        }
    }
}

impl Rewrite {
    /// Records a change, and returns the one that applies to the record: none if the rule does not act, and an unknown
    /// value if it may act.
    fn push_change(&mut self, field: String, before: Option<Vec<u8>>, new: NewText, acts: Ternary) -> Option<NewText> {
        let display = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let after = match &new {
            NewText::Set(text) => Some(display(text)),
            NewText::Removed => None,
            NewText::Unknown(needs) => {
                self.needs.extend(needs.iter().cloned());
                None
            }
        };
        let is_unknown = matches!(new, NewText::Unknown(_));
        self.effects.push(Effect::Changes { field, before: before.as_deref().map(display), after, is_unknown });
        match acts {
            Ternary::True => Some(new),
            // The value stays the same, whether the rule acts or not.
            Ternary::Unknown if matches!(&new, NewText::Set(text) if before.as_ref() == Some(text)) => None,
            Ternary::Unknown => Some(NewText::Unknown(Vec::new())),
            Ternary::False => None,
        }
    }
}

/// Returns the text of `{"value": …}` or `{"expression": …}`.
fn compute_text(parameter: &Json, record: &Record) -> NewText {
    match (parameter.get("value"), parameter.get("expression")) {
        (Some(Json::String(text)), _) => NewText::Set(text.as_bytes().to_vec()),
        (_, Some(Json::String(expression))) => match evaluate_text(expression, record) {
            ComputedText::Known(text) => NewText::Set(text),
            ComputedText::Unknown(needs) => NewText::Unknown(needs),
        },
        _ => NewText::Unknown(Vec::new()),
    }
}

/// Returns the target of a redirect and its status code; the target is `None` if it is unknown.
pub(crate) fn redirect_target(parameters: &ActionParameters, record: &Record) -> (Option<String>, u64, Vec<String>) {
    let from_value = parameters.other.get("from_value");
    let status = from_value.and_then(|value| value.get("status_code")).and_then(Json::as_u64).unwrap_or(302);
    let Some(target) = from_value.and_then(|value| value.get("target_url")) else { return (None, status, Vec::new()) };
    let keeps_query =
        from_value.and_then(|value| value.get("preserve_query_string")).and_then(Json::as_bool) == Some(true);
    match compute_text(target, record) {
        NewText::Set(mut text) => {
            let query = text_of(record, "http.request.uri.query").filter(|query| !query.is_empty());
            if let Some(query) = query.filter(|_| keeps_query) {
                text.push(if text.contains(&b'?') { b'&' } else { b'?' });
                text.extend(query);
            }
            (Some(String::from_utf8_lossy(&text).into_owned()), status, Vec::new())
        }
        NewText::Unknown(needs) => (None, status, needs),
        NewText::Removed => (None, status, Vec::new()),
    }
}

fn text_of(record: &Record, field: &str) -> Option<Vec<u8>> {
    match record.get(field) {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    }
}

/// Returns the first value of a header.
fn header_of(record: &Record, name: &str) -> Option<Vec<u8>> {
    let Some(Value::Map(headers)) = record.get("http.request.headers") else { return None };
    match headers.get(name.to_ascii_lowercase().as_bytes()) {
        Some(Value::Array(values)) => match values.first() {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}
