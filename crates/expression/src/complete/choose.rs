//! Which candidates fit what was typed, and in which order.

use super::{Candidate, Completion, CompletionKind};

/// How well a candidate fits; the smaller, the better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// It is what was typed.
    Whole,
    /// It begins with it.
    Start,
    /// It is its last part, such as `path` in `http.request.uri.path`.
    End,
    /// A part of it begins with it.
    Part,
    /// The words on a value begin with it: `ger` finds Germany.
    Words,
    /// It has it somewhere.
    Inside,
    /// Another name for it begins with it.
    OtherName,
}

/// The fitting candidates, the likeliest first.
pub(super) fn choose(candidates: Vec<Candidate>, typed: &str) -> Vec<Completion> {
    let typed = typed.to_lowercase();
    let mut found: Vec<_> = candidates
        .into_iter()
        .filter_map(|candidate| Some((fit(&candidate, &typed)?, candidate.rank, candidate.item)))
        .collect();
    found.sort_by_key(|(fit, rank, _)| (*fit, *rank));
    let mut items: Vec<Completion> = found.into_iter().map(|(_, _, item)| item).collect();
    // A field may be found by its own name and by another one, which then stand apart.
    let mut seen = std::collections::BTreeSet::new();
    items.retain(|item| seen.insert(item.label.clone()));
    items
}

fn fit(candidate: &Candidate, typed: &str) -> Option<Fit> {
    let label = candidate.item.label.to_lowercase();
    if typed.is_empty() {
        return candidate.other_name.is_none().then_some(Fit::Start);
    }
    if let Some(name) = candidate.other_name {
        return name.starts_with(typed).then_some(Fit::OtherName);
    }
    if label == typed {
        return Some(Fit::Whole);
    }
    if label.starts_with(typed) {
        return Some(Fit::Start);
    }
    let is_part = |before: &str| before.ends_with(['.', '_', '-', ' ', '$', '/']);
    if label.strip_suffix(typed).is_some_and(is_part) {
        return Some(Fit::End);
    }
    let mut parts = label.match_indices(typed).map(|(at, _)| label.get(..at).unwrap_or_default());
    if parts.clone().any(is_part) {
        return Some(Fit::Part);
    }
    let is_value = candidate.item.kind == CompletionKind::Value;
    if is_value && candidate.item.note.to_lowercase().starts_with(typed) {
        return Some(Fit::Words);
    }
    parts.next().map(|_| Fit::Inside)
}
