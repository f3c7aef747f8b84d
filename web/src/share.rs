//! Links that carry an expression in the part of the address after `#`, which browsers never send.

use crate::route::Route;
use crate::scope::{Scope, phase_named};
use crate::session::Session;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use leptos::ev;
use leptos::prelude::*;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Kind, parse};

/// Parameter of the address that carries it.
const PARAMETER: &str = "e=";
/// The form of what is packed, so that later ones can differ.
const FORM: &str = "1";
/// Most bytes that a link may unpack to: what the engine reads at most.
const MOST_BYTES: usize = 1 << 20;
/// Best compression: expressions are short.
const LEVEL: u8 = 9;

/// What a link carries.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shared {
    /// The expression.
    pub(crate) source: String,
    /// What it is checked against.
    pub(crate) scope: Scope,
}

impl Shared {
    /// The part of an address after `#`.
    pub(crate) fn to_hash(&self) -> String {
        let Scope { kind, phase, tier } = self.scope;
        let (phase, tier) = (phase.map_or("-", Phase::name), tier.map_or("-", Tier::name));
        let text = format!("{FORM} {} {phase} {tier}\n{}", kind.name(), self.source);
        format!("#/expressions?{PARAMETER}{}", URL_SAFE_NO_PAD.encode(compress_to_vec(text.as_bytes(), LEVEL)))
    }

    /// Reads what [`to_hash`](Shared::to_hash) wrote: `None` when the address carries nothing.
    ///
    /// # Errors
    /// When what it carries was cut short or changed.
    pub(crate) fn from_hash(hash: &str) -> Option<Result<Shared, &'static str>> {
        let packed = hash.split_once('?')?.1.split('&').find_map(|part| part.strip_prefix(PARAMETER))?;
        Some(unpack(packed).ok_or("The link is damaged or was cut short: ask for it again"))
    }
}

fn unpack(packed: &str) -> Option<Shared> {
    let bytes = decompress_to_vec_with_limit(&URL_SAFE_NO_PAD.decode(packed).ok()?, MOST_BYTES).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let (head, source) = text.split_once('\n')?;
    let mut words = head.split(' ');
    if words.next()? != FORM {
        return None;
    }
    let kind = Kind::from_name(words.next()?)?;
    let phase = words.next().and_then(phase_named);
    let tier = words.next().and_then(Tier::from_name);
    Some(Shared { source: source.to_owned(), scope: Scope { kind, phase, tier } })
}

/// Opens what the address carries, now and whenever the address changes. What was in the editor stays
/// one undo away, and the address becomes the plain one, so that loading again keeps later changes.
pub(crate) fn take_from_address(session: Session) {
    let take = move || {
        let Some(found) = window().location().hash().ok().as_deref().and_then(Shared::from_hash) else { return };
        if let Ok(history) = window().history() {
            drop(history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(Route::Expressions.href())));
        }
        match found {
            Ok(shared) => {
                session.scope.set(shared.scope);
                session.source.set(shared.source);
                session.toast.set(Some("Opened the shared expression; undo brings yours back".to_owned()));
            }
            Err(problem) => session.toast.set(Some(problem.to_owned())),
        }
    };
    // The editor comes first, with the text of the last visit: then undo knows it.
    request_animation_frame(take);
    let listener = window_event_listener(ev::hashchange, move |_| take());
    on_cleanup(move || listener.remove());
}

/// Strings of an expression that look like secrets: long, of letters and digits in disorder.
pub(crate) fn secrets(source: &str) -> Vec<String> {
    let parsed = parse(source);
    let mut found = Vec::new();
    for literal in parsed.ast.iter().flat_map(crate::pieces::strings_of) {
        if looks_secret(&literal) && !found.contains(&literal) {
            found.push(literal);
        }
    }
    found
}

/// Long, without blanks, with at least two of: small letters, capitals, digits; and not a host, path
/// or pattern.
fn looks_secret(text: &str) -> bool {
    const SHORTEST: usize = 20;
    let is_token = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '+' | '=' | '/');
    if text.len() < SHORTEST || !text.chars().all(is_token) || text.starts_with('/') {
        return false;
    }
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let capitals = text.chars().any(|letter| letter.is_ascii_uppercase());
    let small = text.chars().any(|letter| letter.is_ascii_lowercase());
    digits >= 3 && (capitals || small)
}
