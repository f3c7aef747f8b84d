//! Removes the encodings around a filter: JSON strings, quotes, escapes.
//!
//! [`UnwrappedSource`] has the text of the filter and maps its offsets to those of the source.

use super::{
    MAX_PROBLEMS,
    string::{decode, escaped, quoted},
};
use crate::{ast::Encoding, code};
use std::borrow::Cow;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// The maximum number of layers that are removed.
const MAX_LAYERS: usize = 4;

/// The text of a filter, unwrapped from its source.
pub(crate) struct UnwrappedSource<'s> {
    /// The unwrapped text.
    pub(crate) text: Cow<'s, str>,
    /// The encoding of the filter in the source.
    pub(crate) encoding: Encoding,
    /// The diagnostics about the encodings, with spans in the source.
    pub(crate) problems: Vec<Diagnostic>,
    /// The number of diagnostics that are only counted.
    pub(crate) unlisted: usize,
    /// The layers, the outermost first.
    layers: Vec<EscapeLayer>,
}

/// One encoding around the filter.
struct EscapeLayer {
    /// Pairs of an inner and an outer offset. From a pair to the next escape, both offsets grow equally.
    offset_pairs: Vec<(usize, usize)>,
    /// The encoding of the inner text.
    escaping: Escaping,
}

#[derive(Clone, Copy, PartialEq)]
enum Escaping {
    /// Verbatim.
    Plain,
    /// With JSON escapes.
    Escaped,
    /// With every quote doubled, as in CSV files.
    Doubled,
}

/// The result of unwrapping one layer.
struct UnwrappedLayer {
    text: String,
    layer: EscapeLayer,
    kind: WrapperKind,
    problems: Vec<Diagnostic>,
    unlisted: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum WrapperKind {
    /// `"{\"where\":…}"`.
    String,
    /// `{\"where\":…}`.
    Escapes,
    /// `{""where"":…}`.
    Doubled,
    /// `"{"where":…}"`, `'{"where":…}'`.
    Quotes,
}

impl<'s> UnwrappedSource<'s> {
    /// Unwraps the filter (assumption filter-forms).
    pub(crate) fn new(source: &'s str) -> UnwrappedSource<'s> {
        let mut unwrapped = UnwrappedSource {
            text: Cow::Borrowed(source),
            encoding: Encoding::Object,
            problems: Vec::new(),
            unlisted: 0,
            layers: Vec::new(),
        };
        if let Some(rest) = source.strip_prefix('\u{feff}') {
            unwrapped
                .problems
                .push(super::errors::invalid_whitespace_error(Span::new(0, source.len() - rest.len()), source));
            unwrapped
                .layers
                .push(EscapeLayer { offset_pairs: vec![(0, source.len() - rest.len())], escaping: Escaping::Plain });
            unwrapped.text = Cow::Borrowed(rest);
        }
        let mut kinds = Vec::new();
        while let Some(inner) = unwrap_layer(&unwrapped.text).filter(|_| kinds.len() < MAX_LAYERS) {
            let problems: Vec<_> =
                inner.problems.into_iter().map(|problem| unwrapped.to_outer_diagnostic(problem)).collect();
            // Only the outermost layer reports its own problems. The `match` below adds one about all layers.
            if kinds.is_empty() {
                unwrapped.problems.extend(problems);
                unwrapped.unlisted += inner.unlisted;
            }
            unwrapped.text = Cow::Owned(inner.text);
            unwrapped.layers.push(inner.layer);
            kinds.push(inner.kind);
        }
        if unwrapped.layers.iter().any(|layer| layer.escaping == Escaping::Escaped) {
            unwrapped.encoding = Encoding::Escaped;
        }
        let span = trim_span(source);
        match kinds.as_slice() {
            [] | [WrapperKind::String] => {}
            [WrapperKind::Escapes] => unwrapped.problems.push(
                Diagnostic::error(code::ESCAPED_QUOTES, span, "escaped quotes outside a string")
                    .with_help("when you copy a filter from the JSON of a job, include the quotes around it")
                    .with_fix(Fix::safe_edits("remove the escapes", vec![Edit::replace(span, unwrapped.text.trim())]))
                    .with_fix(Fix::unsafe_edits(
                        "add quotes",
                        vec![Edit::insert(span.start, "\""), Edit::insert(span.end, "\"")],
                    )),
            ),
            [WrapperKind::Doubled] => unwrapped.problems.push(
                Diagnostic::error(code::ESCAPED_QUOTES, span, "every quote is doubled")
                    .with_help("CSV files double quotes; JSON does not")
                    .with_fix(Fix::safe_edits(
                        "write each quote once",
                        vec![Edit::replace(span, unwrapped.text.trim())],
                    )),
            ),
            [WrapperKind::Quotes, ..] => unwrapped.problems.push(
                Diagnostic::error(code::QUOTED_OBJECT, span, "the filter is in quotes but not escaped")
                    .with_help("in a JSON string, each quote of the filter must have a backslash before it")
                    .with_fix(Fix::safe_edits("remove the quotes", vec![Edit::replace(span, unwrapped.text.trim())])),
            ),
            _ => unwrapped.problems.push(
                Diagnostic::error(code::DOUBLY_ESCAPED, span, "the filter is a string inside a string")
                    .with_help("the filter was escaped once too often")
                    .with_fix(Fix::safe_edits(
                        "escape it once",
                        vec![Edit::replace(span, quoted(unwrapped.text.trim()))],
                    )),
            ),
        }
        unwrapped
    }

    /// Converts an offset in the unwrapped text to one in the source.
    pub(crate) fn to_outer_offset(&self, inner: usize) -> usize {
        self.layers.iter().rev().fold(inner, |offset, layer| {
            let after = layer.offset_pairs.partition_point(|(inner, _)| *inner <= offset);
            let (inner, outer) = layer.offset_pairs.get(after.saturating_sub(1)).copied().unwrap_or_default();
            outer + offset.saturating_sub(inner)
        })
    }

    /// Converts a span in the unwrapped text to one in the source.
    pub(crate) fn to_outer_span(&self, inner: Span) -> Span {
        if self.layers.is_empty() {
            return inner;
        }
        Span::new(self.to_outer_offset(inner.start), self.to_outer_offset(inner.end))
    }

    /// Converts an offset in the source to one in the unwrapped text. Offsets outside the
    /// unwrapped text become its start or its end.
    pub(crate) fn to_inner_offset(&self, outer: usize) -> usize {
        let inner = self.layers.iter().fold(outer, |offset, layer| {
            let after = layer.offset_pairs.partition_point(|(_, outer)| *outer <= offset);
            let (inner, outer) = layer.offset_pairs.get(after.saturating_sub(1)).copied().unwrap_or_default();
            let end = layer.offset_pairs.get(after).map_or(usize::MAX, |(inner, _)| *inner);
            (inner + offset.saturating_sub(outer)).min(end)
        });
        inner.min(self.text.len())
    }

    /// Applies the encodings of the source to a text that is inserted into the filter.
    pub(crate) fn escape_text(&self, text: String) -> String {
        self.layers.iter().rev().fold(text, |text, layer| match layer.escaping {
            Escaping::Plain => text,
            Escaping::Escaped => escaped(&text),
            Escaping::Doubled => text.replace('"', "\"\""),
        })
    }

    /// Converts a diagnostic of the unwrapped text to one of the source.
    pub(crate) fn to_outer_diagnostic(&self, mut problem: Diagnostic) -> Diagnostic {
        if self.layers.is_empty() {
            return problem;
        }
        problem.span = self.to_outer_span(problem.span);
        for related in &mut problem.related {
            related.span = self.to_outer_span(related.span);
        }
        for edit in problem.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
            edit.span = self.to_outer_span(edit.span);
        }
        self.escape_edits(problem)
    }

    /// Applies the encodings of the source to the edits of a diagnostic whose spans already refer to the source.
    pub(crate) fn escape_edits(&self, mut problem: Diagnostic) -> Diagnostic {
        for edit in problem.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
            edit.text = self.escape_text(std::mem::take(&mut edit.text));
        }
        problem
    }
}

/// Returns the span of the text without byte order marks at its start and without whitespace at its ends.
fn trim_span(source: &str) -> Span {
    let text = source.trim_start_matches('\u{feff}').trim_start();
    let start = source.len() - text.len();
    Span::new(start, start + text.trim_end().len())
}

/// Unwraps one layer, if there is one.
fn unwrap_layer(source: &str) -> Option<UnwrappedLayer> {
    let span = trim_span(source);
    let text = span.text(source);
    match text.as_bytes().first()? {
        b'"' => unwrap_string(text, span.start),
        b'\'' | b'`' => unwrap_quotes(text, span.start),
        b'{' => unwrap_escapes(text, span.start).or_else(|| unwrap_doubled_quotes(text, span.start)),
        b'\\' if text.starts_with("\\\"") => Some(decode_whole_text(text, span.start)),
        _ => None,
    }
}

/// Unwraps a string that contains an object, a list or another string.
fn unwrap_string(text: &str, start: usize) -> Option<UnwrappedLayer> {
    let body = text.get(1..)?;
    if body.trim_start().strip_prefix('{').is_some_and(|inner| inner.trim_start().starts_with('"')) {
        return unwrap_quotes(text, start);
    }
    let mut is_escaped = false;
    let end = body.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    });
    let decoded = decode(body.get(..end.unwrap_or(body.len()))?, MAX_PROBLEMS);
    if !decoded.text.trim_start().starts_with(['{', '[', '"']) {
        return None;
    }
    let mut layer = EscapeLayer { offset_pairs: decoded.offset_pairs, escaping: Escaping::Escaped };
    layer.shift(start + 1);
    let mut problems: Vec<_> =
        decoded.problems.into_iter().map(|problem| shift_diagnostic(problem, start + 1)).collect();
    match end {
        None => problems.push(unterminated_string_error(Span::new(start, start + 1), start + text.len())),
        Some(end) => {
            let rest = text.get(end + 2..).unwrap_or_default();
            if !rest.trim().is_empty() {
                let rest_start = start + text.len() - rest.trim_start().len();
                problems
                    .push(super::errors::trailing_text_error(Span::new(rest_start, start + text.len()), rest.trim()));
            }
        }
    }
    Some(UnwrappedLayer { text: decoded.text, layer, kind: WrapperKind::String, problems, unlisted: decoded.unlisted })
}

fn unterminated_string_error(open: Span, end: usize) -> Diagnostic {
    Diagnostic::error(code::UNTERMINATED_STRING, open, "unterminated string")
        .with_label("no matching quote")
        .with_fix(Fix::unsafe_edits("add a closing quote", vec![Edit::insert(end, "\"")]))
}

/// Unwraps an object in quotes that is not escaped.
fn unwrap_quotes(text: &str, start: usize) -> Option<UnwrappedLayer> {
    let quote = text.chars().next()?;
    let body = text.strip_prefix(quote)?.strip_suffix(quote)?;
    if !(body.trim_start().starts_with('{') && body.trim_end().ends_with('}')) {
        return None;
    }
    let layer = EscapeLayer { offset_pairs: vec![(0, start + 1)], escaping: Escaping::Plain };
    Some(UnwrappedLayer { text: body.to_owned(), layer, kind: WrapperKind::Quotes, problems: Vec::new(), unlisted: 0 })
}

/// Unwraps an object whose first quote has a backslash.
fn unwrap_escapes(text: &str, start: usize) -> Option<UnwrappedLayer> {
    let mut inner = text.get(1..)?.trim_start();
    while let Some(rest) = ["\\n", "\\r", "\\t"].iter().find_map(|escape| inner.strip_prefix(escape)) {
        inner = rest.trim_start();
    }
    if !inner.trim_start_matches('\\').starts_with('"') || !inner.starts_with('\\') {
        return None;
    }
    Some(decode_whole_text(text, start))
}

fn decode_whole_text(text: &str, start: usize) -> UnwrappedLayer {
    let decoded = decode(text, 0);
    let mut layer = EscapeLayer { offset_pairs: decoded.offset_pairs, escaping: Escaping::Escaped };
    layer.shift(start);
    UnwrappedLayer { text: decoded.text, layer, kind: WrapperKind::Escapes, problems: Vec::new(), unlisted: 0 }
}

/// Unwraps an object whose quotes are doubled.
fn unwrap_doubled_quotes(text: &str, start: usize) -> Option<UnwrappedLayer> {
    let inner = text.get(1..)?.trim_start().strip_prefix("\"\"")?;
    if !inner.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let mut offset_pairs = vec![(0, start)];
    let mut unwrapped = String::with_capacity(text.len());
    let mut offset = start;
    for (number, token) in text.split("\"\"").enumerate() {
        if number > 0 {
            unwrapped.push('"');
            offset += 2;
            offset_pairs.push((unwrapped.len(), offset));
        }
        unwrapped.push_str(token);
        offset += token.len();
    }
    let layer = EscapeLayer { offset_pairs, escaping: Escaping::Doubled };
    Some(UnwrappedLayer { text: unwrapped, layer, kind: WrapperKind::Doubled, problems: Vec::new(), unlisted: 0 })
}

impl EscapeLayer {
    fn shift(&mut self, distance: usize) {
        for (_, outer) in &mut self.offset_pairs {
            *outer += distance;
        }
    }
}

/// Shifts all spans of a diagnostic by `distance` bytes.
pub(super) fn shift_diagnostic(mut problem: Diagnostic, distance: usize) -> Diagnostic {
    let shift = |span: &mut Span| *span = Span::new(span.start + distance, span.end + distance);
    shift(&mut problem.span);
    problem.related.iter_mut().for_each(|related| shift(&mut related.span));
    problem.fixes.iter_mut().flat_map(|fix| &mut fix.edits).for_each(|edit| shift(&mut edit.span));
    problem
}
