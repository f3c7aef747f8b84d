//! Matching of candidates with the typed text, and their order.

use super::{Candidate, Completion, CompletionKind};
use zonewright_diagnostic::sort_by_key;

/// The quality of a match; smaller values are better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MatchQuality {
    /// The label equals the typed text.
    Whole,
    /// The label begins with the typed text.
    Prefix,
    /// The typed text is the last segment of the label, such as `path` in `http.request.uri.path`.
    LastSegment,
    /// A segment of the label begins with the typed text.
    SegmentPrefix,
    /// The description of a value begins with the typed text: `ger` finds Germany.
    DescriptionPrefix,
    /// The label contains the typed text at any position.
    Substring,
    /// An alias of the candidate begins with the typed text.
    Alias,
}

/// Returns the matching candidates, best match first.
pub(super) fn rank_matches(candidates: Vec<Candidate>, typed: &str) -> Vec<Completion> {
    let typed = typed.to_lowercase();
    let mut matches: Vec<_> = candidates
        .into_iter()
        .filter_map(|candidate| Some((match_quality(&candidate, &typed)?, candidate.rank, candidate.item)))
        .collect();
    sort_by_key(&mut matches, |(quality, rank, _)| (*quality, *rank));
    let mut items: Vec<Completion> = matches.into_iter().map(|(_, _, item)| item).collect();
    // A field may match by its own name and by an alias; only the better match is retained.
    let mut labels = std::collections::BTreeSet::new();
    items.retain(|item| labels.insert(item.label.clone()));
    items
}

fn match_quality(candidate: &Candidate, typed: &str) -> Option<MatchQuality> {
    let label = candidate.item.label.to_lowercase();
    if typed.is_empty() {
        return candidate.alias.is_none().then_some(MatchQuality::Prefix);
    }
    if let Some(name) = candidate.alias {
        return name.starts_with(typed).then_some(MatchQuality::Alias);
    }
    if label == typed {
        return Some(MatchQuality::Whole);
    }
    if label.starts_with(typed) {
        return Some(MatchQuality::Prefix);
    }
    let ends_with_separator = |prefix: &str| prefix.ends_with(['.', '_', '-', ' ', '$', '/']);
    if label.strip_suffix(typed).is_some_and(ends_with_separator) {
        return Some(MatchQuality::LastSegment);
    }
    let mut prefixes = label.match_indices(typed).map(|(offset, _)| label.get(..offset).unwrap_or_default());
    if prefixes.clone().any(ends_with_separator) {
        return Some(MatchQuality::SegmentPrefix);
    }
    let is_value = candidate.item.kind == CompletionKind::Value;
    if is_value && candidate.item.note.to_lowercase().starts_with(typed) {
        return Some(MatchQuality::DescriptionPrefix);
    }
    prefixes.next().map(|_| MatchQuality::Substring)
}
