//! Links with an expression or a log push filter in the URL fragment, which browsers never send.

use crate::codemirror;
use crate::route::Route;
use crate::scope::{Scope, phase_from_name};
use crate::state::expression::ExpressionContext;
use crate::state::log_filter_draft::LogFilterDraft;
use crate::state::toasts::ToastContext;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use std::str::Chars;
use zonewright_expression::Kind;
use zonewright_expression::schema::{Phase, Tier};
use zonewright_logpush::Dataset;
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
    spawn_local(async move {
        codemirror::wait_until_loaded().await;
        request_animation_frame(open_from_url);
    });
    let listener = window_event_listener(ev::hashchange, move |_| open_from_url());
    on_cleanup(move || listener.remove());
}

/// Finds secrets and personal data in an expression or a filter: in its text with comments, and behind the escapes of its
/// strings. A filter may itself be a string, so its escapes are removed twice.
pub(crate) fn find_secrets_in(source: &str) -> SecretScan {
    let unescaped = remove_escapes(source);
    let inner = remove_escapes(&unescaped);
    find_secrets([source.to_owned(), unescaped, inner])
}

/// Replaces the escapes of both languages by their characters.
fn remove_escapes(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    let mut characters = source.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => text.extend(read_escape(&mut characters)),
            _ => text.push(character),
        }
    }
    text
}

/// Reads the rest of an escape.
fn read_escape(characters: &mut Chars<'_>) -> Option<char> {
    fn read_code(characters: &mut Chars<'_>, digits: usize) -> Option<char> {
        let text: String = characters.by_ref().take(digits).collect();
        u32::from_str_radix(&text, 16).ok().and_then(char::from_u32)
    }
    match characters.next()? {
        'x' => read_code(characters, 2),
        'u' => read_code(characters, 4),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        other => Some(other),
    }
}
