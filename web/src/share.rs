//! Links with an expression or a log push filter in the URL fragment, which browsers never send.

use crate::route::Route;
use crate::scope::{Scope, phase_from_name};
use crate::state::expression::ExpressionContext;
use crate::state::log_filter_draft::LogFilterDraft;
use crate::state::toasts::ToastContext;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use leptos::ev;
use leptos::prelude::*;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use std::iter;
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Kind, parse};
use zonewright_logpush::Dataset;
use zonewright_logpush::ast::{JsonKind, Node, NodeKind};
use zonewright_request::secrets::{SecretScan, find_secrets};

/// The parameter of the fragment that contains an expression.
const EXPRESSION_PARAMETER: &str = "e=";
/// The parameter of the fragment that contains a filter.
const FILTER_PARAMETER: &str = "f=";
/// The version of the packed format.
const FORMAT_VERSION: &str = "1";
/// Largest size of an unpacked link in bytes, which is the largest text that the engine parses.
const MAX_UNPACKED_BYTES: usize = 1 << 20;
/// The highest compression level of zlib; its cost is negligible, because expressions are short.
const COMPRESSION_LEVEL: u8 = 9;

/// An expression in a link.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SharedExpression {
    /// The expression.
    pub(crate) source: String,
    /// The kind, phase and plan of the expression.
    pub(crate) scope: Scope,
}

impl SharedExpression {
    /// Returns the URL fragment.
    pub(crate) fn to_hash(&self) -> String {
        let Scope { kind, phase, tier } = self.scope;
        let (phase, tier) = (phase.map_or("-", Phase::name), tier.map_or("-", Tier::name));
        pack(Route::Expressions, EXPRESSION_PARAMETER, &format!("{} {phase} {tier}", kind.name()), &self.source)
    }

    fn read(head: &str, source: &str) -> Option<SharedExpression> {
        let mut parts = head.split(' ');
        let kind = Kind::from_name(parts.next()?)?;
        let phase = parts.next().and_then(phase_from_name);
        let tier = parts.next().and_then(Tier::from_name);
        Some(SharedExpression { source: source.to_owned(), scope: Scope { kind, phase, tier } })
    }
}

/// A log push filter in a link.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SharedFilter {
    /// The filter.
    pub(crate) source: String,
    /// The dataset of the filter.
    pub(crate) dataset: &'static Dataset,
}

impl SharedFilter {
    /// Returns the URL fragment.
    pub(crate) fn to_hash(&self) -> String {
        pack(Route::LogFilters, FILTER_PARAMETER, self.dataset.name, &self.source)
    }

    fn read(head: &str, source: &str) -> Option<SharedFilter> {
        Some(SharedFilter { source: source.to_owned(), dataset: Dataset::from_name(head)? })
    }
}

fn pack(route: Route, parameter: &str, head: &str, source: &str) -> String {
    let text = format!("{FORMAT_VERSION} {head}\n{source}");
    format!(
        "{}?{parameter}{}",
        route.href(),
        URL_SAFE_NO_PAD.encode(compress_to_vec(text.as_bytes(), COMPRESSION_LEVEL))
    )
}

/// Unpacks head and text of a link; `None` if the link is damaged.
fn unpack(packed: &str) -> Option<(String, String)> {
    let bytes = decompress_to_vec_with_limit(&URL_SAFE_NO_PAD.decode(packed).ok()?, MAX_UNPACKED_BYTES).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let (head, source) = text.strip_prefix(FORMAT_VERSION)?.strip_prefix(' ')?.split_once('\n')?;
    Some((head.to_owned(), source.to_owned()))
}

/// Opens the expression of the URL, if any.
pub(crate) fn open_shared_expression(expression: ExpressionContext) {
    open_from_hash(Route::Expressions, EXPRESSION_PARAMETER, move |head, source| {
        let shared = SharedExpression::read(head, source)?;
        expression.scope.set(shared.scope);
        expression.source.set(shared.source);
        Some("Opened the shared expression; undo to restore yours")
    });
}

/// Opens the filter of the URL, if any.
pub(crate) fn open_shared_filter(log_filter: LogFilterDraft) {
    open_from_hash(Route::LogFilters, FILTER_PARAMETER, move |head, source| {
        let shared = SharedFilter::read(head, source)?;
        log_filter.dataset.set(shared.dataset);
        log_filter.source.set(shared.source);
        Some("Opened the shared filter; undo to restore yours")
    });
}

/// Opens the shared text of the URL, now and whenever the URL changes. Undo restores the text of the editor. The shared
/// text is removed from the URL, so that a reload preserves later changes.
fn open_from_hash(
    route: Route,
    parameter: &'static str,
    open: impl Fn(&str, &str) -> Option<&'static str> + Copy + 'static,
) {
    let toasts = ToastContext::get();
    let open_from_url = move || {
        let hash = window().location().hash().unwrap_or_default();
        let packed =
            hash.split_once('?').and_then(|(_, query)| query.split('&').find_map(|part| part.strip_prefix(parameter)));
        let Some(packed) = packed else { return };
        if let Ok(history) = window().history() {
            drop(history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(route.href())));
        }
        let opened = unpack(packed).and_then(|(head, source)| open(&head, &source));
        match opened {
            Some(message) => toasts.show_success(message),
            None => toasts.show_error("The link is damaged or incomplete: ask for a new one"),
        }
    };
    // The editor is mounted first, with the text of the last visit, so that undo can restore that text.
    request_animation_frame(open_from_url);
    let listener = window_event_listener(ev::hashchange, move |_| open_from_url());
    on_cleanup(move || listener.remove());
}

/// Finds secrets and personal data in an expression: in its text with comments, and in the values of its strings.
pub(crate) fn find_expression_secrets(source: &str) -> SecretScan {
    let parsed = parse(source);
    let strings = parsed.ast.iter().flat_map(crate::symbols::string_literals);
    find_secrets(iter::once(source.to_owned()).chain(strings))
}

/// Finds secrets and personal data in a log push filter.
pub(crate) fn find_filter_secrets(source: &str) -> SecretScan {
    let mut texts = vec![source.to_owned()];
    if let Some(filter) = zonewright_logpush::parse(source).ast {
        collect_strings(&filter.condition, &mut texts);
    }
    find_secrets(texts)
}

/// Collects the strings in the values of a filter. The parser bounds the depth of a filter, so the recursion is
/// bounded.
fn collect_strings(node: &Node, texts: &mut Vec<String>) {
    match &node.kind {
        NodeKind::And(nodes) | NodeKind::Or(nodes) => nodes.iter().for_each(|node| collect_strings(node, texts)),
        NodeKind::Condition(condition) => match condition.value.as_ref().map(|value| &value.kind) {
            Some(JsonKind::String(text)) => texts.push(text.clone()),
            Some(JsonKind::Array(items)) => texts.extend(items.iter().filter_map(|item| match &item.kind {
                JsonKind::String(text) => Some(text.clone()),
                _ => None,
            })),
            _ => {}
        },
        NodeKind::Invalid => {}
    }
}
