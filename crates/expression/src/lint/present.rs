//! Whether a value can be missing.

use crate::{
    resolved::{Argument, Call, Operand, Source},
    schema::{Available, Field},
};

/// Fields that every HTTP request has.
const ALWAYS: [&str; 8] = [
    "http.request.full_uri",
    "http.request.method",
    "http.request.uri",
    "http.request.uri.path",
    "http.request.version",
    "ip.src",
    "raw.http.request.uri",
    "raw.http.request.uri.path",
];

/// Fields, by the beginnings of their names, of which it is not documented whether they are missing or
/// empty where a request lacks what they tell.
const DOUBTFUL: [&str; 10] = [
    "cf.bot_management.",
    "cf.hostname.metadata",
    "cf.tls_client_auth.",
    "http.cookie",
    "http.referer",
    "http.request.body.",
    "http.user_agent",
    "http.x_forwarded_for",
    "ip.geoip.",
    "ip.src.",
];

/// Functions that have a result for every argument.
const TOTAL: [&str; 7] = ["concat", "len", "lower", "remove_bytes", "to_string", "upper", "url_decode"];

/// Whether every request has a value for this field. Fixes of lints that are safe only where a value
/// is never missing count on it.
pub fn is_always_present(field: &str) -> bool {
    ALWAYS.contains(&field)
}

/// Whether the value can never be missing, so that a fix may count on it.
pub(super) fn is_never_missing(operand: &Operand) -> bool {
    matches!(operand.source, Source::Field(field) if operand.indexes.is_empty() && is_always_present(field.name))
}

/// Whether the value is there for every request that anybody would think of: good enough to say that
/// a condition is always true, not good enough for a fix.
pub(super) fn is_present(operand: &Operand) -> bool {
    if !operand.indexes.is_empty() {
        return false;
    }
    match &operand.source {
        Source::Field(field) => is_given(field),
        Source::Call(call) => is_total(call),
        Source::Invalid => false,
    }
}

/// Whether the value is surely there, so that a test for its presence is a mistake.
pub(super) fn is_surely_present(operand: &Operand) -> bool {
    let doubtful = |operand: &Operand| matches!(operand.source, Source::Field(field) if DOUBTFUL.iter().any(|start| field.name.starts_with(start)));
    let mut inside = operand;
    while let Source::Call(call) = &inside.source
        && let Some(Argument::Value(first)) = call.arguments.first()
    {
        inside = first;
    }
    is_present(operand) && !doubtful(inside)
}

fn is_given(field: &Field) -> bool {
    // A packet has the fields of its own protocol only, a token its own claims.
    let whole_packet = matches!(field.name, "ip.len" | "ip.ttl" | "ip.hdr_len" | "ip.dst" | "ip.proto");
    (field.available != Available::Packet || whole_packet) && !field.name.starts_with("http.request.jwt.")
}

fn is_total(call: &Call) -> bool {
    let present = |argument: &Argument| match argument {
        Argument::Value(value) => is_present(value),
        Argument::Literal(..) => true,
        Argument::Condition(_) => false,
    };
    TOTAL.contains(&call.function.name) && !call.each && call.arguments.iter().all(present)
}
