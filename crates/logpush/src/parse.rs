//! Parses text to a syntax tree.
//!
//! [`parse()`] is the entry point, and [`ParseOutput`] is its result. `unwrap.rs` removes the string encoding, and
//! `filter.pest` accepts every text to its end. `json.rs` and `container.rs` lower its output to JSON, and `node.rs`
//! builds conditions. Pairs and grammar rules never leave this directory.

mod container;
pub(crate) mod errors;
mod json;
pub(crate) mod literal;
mod member;
pub(crate) mod node;
pub(crate) mod string;
mod token;
pub(crate) mod unwrap;

use crate::{
    ast::{Encoding, Filter, Json, Node, NodeKind},
    code,
};
use pest::{Parser as _, iterators::Pair as PestPair};
use std::collections::BTreeSet;
use unwrap::UnwrappedSource;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, MAX_LISTED_DIAGNOSTICS, Problems, Span, group_digits, sort_by_key};

/// The maximum size of a source in bytes; a larger one is rejected without parsing.
pub(crate) const MAX_SOURCE_BYTES: usize = 1 << 20;
/// The maximum number of diagnostics that are listed for a source; the others are counted.
const MAX_PROBLEMS: usize = MAX_LISTED_DIAGNOSTICS;

#[allow(missing_docs, unreachable_pub, reason = "made by pest_derive")]
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "filter.pest"]
    pub(super) struct Grammar;
}
use grammar::{Grammar, Rule};

type Pair<'i> = PestPair<'i, Rule>;

/// The result of [`parse()`].
#[derive(Clone, Debug)]
pub struct ParseOutput {
    /// The filter; `None` if the source is empty, too large, or not a filter. Invalid parts are [`NodeKind::Invalid`]
    /// nodes.
    pub ast: Option<Filter>,
    /// The encoding of the source.
    pub encoding: Encoding,
    /// The syntax diagnostics in source order: the first 1,000, and the number of the others.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of errors that are neither listed nor counted by the last diagnostic.
    pub(crate) omitted: usize,
}

/// Parses a filter, which is a JSON object or an escaped string. Names and values are not validated;
/// [`check`](crate::check()) does that.
pub fn parse(source: &str) -> ParseOutput {
    let mut parsed = parse_unwrapped(source, &UnwrappedSource::new(within_size_limit(source)));
    let (found, unlisted) = (std::mem::take(&mut parsed.diagnostics), std::mem::take(&mut parsed.omitted));
    parsed.diagnostics = collect_problems(found, unlisted).into_diagnostics(code::TOO_MANY_DIAGNOSTICS);
    parsed
}

/// Collects diagnostics, together with errors that were only counted.
pub(crate) fn collect_problems(diagnostics: impl IntoIterator<Item = Diagnostic>, unlisted: usize) -> Problems {
    let mut problems = Problems::default();
    problems.extend(diagnostics);
    problems.count_errors(unlisted);
    problems
}

/// Returns the source, or an empty text if it is too large.
pub(crate) fn within_size_limit(source: &str) -> &str {
    if source.len() > MAX_SOURCE_BYTES { "" } else { source }
}

/// Parses a source that [`UnwrappedSource`] has unwrapped.
pub(crate) fn parse_unwrapped(source: &str, unwrapped: &UnwrappedSource<'_>) -> ParseOutput {
    let refused =
        |problem| ParseOutput { ast: None, encoding: unwrapped.encoding, diagnostics: vec![problem], omitted: 0 };
    if source.len() > MAX_SOURCE_BYTES {
        return refused(
            Diagnostic::error(
                code::SOURCE_TOO_LARGE,
                Span::empty(0),
                format!(
                    "the source has {} bytes; the limit is {}",
                    group_digits(source.len()),
                    group_digits(MAX_SOURCE_BYTES)
                ),
            )
            .with_help(format!("a filter has at most about {} bytes", crate::MAX_FILTER_BYTES)),
        );
    }
    if source.trim().is_empty() {
        return refused(
            Diagnostic::error(code::EMPTY_FILTER, Span::new(0, source.len()), "the filter is empty")
                .with_help("to send every line, omit the filter from the job"),
        );
    }
    let mut lowering = Lowering {
        text: &unwrapped.text,
        is_truncated: false,
        open: Vec::new(),
        recovered: BTreeSet::new(),
        quote_mismatch: None,
        diagnostics: Vec::new(),
        list_limit: usize::MAX,
        unlisted: 0,
    };
    let ast = match Grammar::parse(Rule::document, &unwrapped.text) {
        Ok(mut pairs) => pairs.next().and_then(|document| lowering.lower_document(document)),
        // The grammar accepts every text, so this is reached only if a change breaks that.
        Err(_) => {
            let span = Span::new(0, unwrapped.text.len());
            lowering.report(0, |_| Diagnostic::error(code::NOT_JSON, span, "the filter cannot be parsed"));
            None
        }
    };
    lowering.report_open();
    if let Some(first) = lowering.quote_mismatch.take() {
        lowering.diagnostics.retain(|other| other.span.start < first.span.start);
        lowering.diagnostics.push(first);
        // It is unknown how many of the counted diagnostics precede this error.
        lowering.unlisted = 0;
    }
    if ast.is_none() && !lowering.diagnostics.iter().chain(&unwrapped.problems).any(Diagnostic::is_error) {
        let span = Span::new(0, unwrapped.text.len());
        lowering.report(0, |_| Diagnostic::error(code::NOT_JSON, span, "the filter is not JSON"));
    }
    let mut diagnostics: Vec<_> =
        lowering.diagnostics.into_iter().map(|problem| unwrapped.to_outer_diagnostic(problem)).collect();
    diagnostics.extend(unwrapped.problems.iter().cloned());
    sort_by_key(&mut diagnostics, |diagnostic| diagnostic.span);
    let ast = ast.map(|mut ast| {
        ast.span = unwrapped.to_outer_span(ast.span);
        remap_spans(&mut ast.condition, unwrapped);
        ast
    });
    ParseOutput { ast, encoding: unwrapped.encoding, diagnostics, omitted: lowering.unlisted + unwrapped.unlisted }
}

/// Converts the spans of a tree to those of the source.
fn remap_spans(node: &mut Node, unwrapped: &UnwrappedSource<'_>) {
    node.span = unwrapped.to_outer_span(node.span);
    match &mut node.kind {
        NodeKind::And(nodes) | NodeKind::Or(nodes) => nodes.iter_mut().for_each(|node| remap_spans(node, unwrapped)),
        NodeKind::Condition(condition) => {
            for text in [&mut condition.key, &mut condition.operator].into_iter().flatten() {
                text.span = unwrapped.to_outer_span(text.span);
            }
            condition.value.iter_mut().for_each(|value| remap_json_spans(value, unwrapped));
        }
        NodeKind::Invalid => {}
    }
}

fn remap_json_spans(json: &mut Json, unwrapped: &UnwrappedSource<'_>) {
    use crate::ast::JsonKind;
    json.span = unwrapped.to_outer_span(json.span);
    match &mut json.kind {
        JsonKind::Array(items) => items.iter_mut().for_each(|item| remap_json_spans(item, unwrapped)),
        JsonKind::Object(members) => members.iter_mut().for_each(|member| {
            member.name.span = unwrapped.to_outer_span(member.name.span);
            remap_json_spans(&mut member.value, unwrapped);
        }),
        _ => {}
    }
}

/// Lowers pairs to JSON and then to a tree, and collects diagnostics.
struct Lowering<'i> {
    /// The unwrapped text; all spans refer to it.
    text: &'i str,
    /// Whether the end of the text could not be parsed, so that brackets that are open there are not reported.
    is_truncated: bool,
    /// The brackets that are open at the end of the text, the innermost first.
    open: Vec<Span>,
    /// The start offsets of objects and lists that contain an error. Their missing parts are not reported.
    recovered: BTreeSet<usize>,
    /// The first string with a missing quote. Diagnostics after it are wrong, because the parser swaps strings and
    /// other text there.
    quote_mismatch: Option<Diagnostic>,
    diagnostics: Vec<Diagnostic>,
    /// The offset from which diagnostics are only counted, because [`MAX_PROBLEMS`] start at or before it.
    list_limit: usize,
    /// The number of diagnostics that are only counted.
    unlisted: usize,
}

impl<'i> Lowering<'i> {
    /// Adds the diagnostic, or only counts it if `offset` is at or after `list_limit`. The closure builds the
    /// diagnostic from the unwrapped text on demand, because building half a million diagnostics takes longer than
    /// parsing.
    fn report(&mut self, offset: usize, problem: impl FnOnce(&'i str) -> Diagnostic) {
        if offset >= self.list_limit {
            self.unlisted += 1;
            return;
        }
        self.diagnostics.push(problem(self.text));
        self.drop_excess_problems();
    }

    /// Keeps the first diagnostics and counts the rest, if there are many. Diagnostics are not added in source order,
    /// because the content of brackets is lowered before errors of the brackets are known.
    fn drop_excess_problems(&mut self) {
        if self.diagnostics.len() < 2 * MAX_PROBLEMS {
            return;
        }
        sort_by_key(&mut self.diagnostics, |diagnostic| diagnostic.span);
        self.unlisted += self.diagnostics.len() - MAX_PROBLEMS;
        self.diagnostics.truncate(MAX_PROBLEMS);
        self.list_limit = self.diagnostics.last().map_or(usize::MAX, |last| last.span.start);
    }

    /// Reports all brackets that are open at the end as one error.
    fn report_open(&mut self) {
        let Some(innermost) = self.open.first().copied().filter(|_| !self.is_truncated) else { return };
        let closing: String =
            self.open.iter().map(|open| if open.text(self.text) == "{" { '}' } else { ']' }).collect();
        let end = self.text.trim_end().len();
        self.report(innermost.start, |_| errors::unclosed_brackets_at_end_error(innermost, end, &closing));
    }

    /// Returns a fix that inserts text before and after a span.
    fn wrap(title: &str, span: Span, prefix: &str, suffix: &str) -> Fix {
        Fix::safe_edits(title, vec![Edit::insert(span.start, prefix), Edit::insert(span.end, suffix)])
    }
}

fn span(pair: &Pair<'_>) -> Span {
    let span = pair.as_span();
    Span::new(span.start(), span.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_problems_are_listed() {
        for inner in [10, 1_500, 20_000] {
            let source =
                format!("{{\"were\":1,\"where\":{{\"keyy\":1,\"and\":[{}]}}}}", "{\"keyy\":1,},".repeat(inner));
            let found: Vec<_> =
                parse(&source).diagnostics.iter().take(2).map(|diagnostic| diagnostic.span.text(&source)).collect();
            assert_eq!(found, ["\"were\"", "\"keyy\""], "{inner}");
        }
    }

    #[test]
    fn problems_beyond_the_limit_are_counted() {
        let commas = |count: usize| format!("{{\"where\":{{{}}}}}", ",".repeat(count));
        let escapes = |count: usize| format!("{{\"{}\":1}}", "\\x".repeat(count));
        for (source, problems) in [
            // One for each comma, and one for the empty condition.
            (commas(999), 1000),
            (commas(1000), 1001),
            (commas(5000), 5001),
            ("\"a\n".repeat(5000), 5000),
            (format!("{}{}", escapes(4000), "]"), 4002),
        ] {
            let found = parse(&source).diagnostics;
            let expected = match problems - problems.min(MAX_PROBLEMS) {
                0 => None,
                1 => Some("1 more problem is not listed".to_owned()),
                more if more < 1000 => Some(format!("{more} more problems are not listed")),
                more => Some(format!("{},{:03} more problems are not listed", more / 1000, more % 1000)),
            };
            let counted = found.get(MAX_PROBLEMS).map(|last| last.message.clone());
            assert_eq!(counted, expected, "{:?} of {} bytes", source.get(..20), source.len());
            assert!(found.len() <= MAX_PROBLEMS + 1);
        }
    }
}
