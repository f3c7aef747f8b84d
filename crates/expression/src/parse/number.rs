//! Reports integers with commas after an operator: `gt 1,000`, `eq 80,443`.

use super::{ChildPairs, Lowering, Rule};
use crate::code;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// The maximum length of a number with commas that messages and fixes repeat, in bytes.
const MAX_QUOTED_BYTES: usize = 200;

/// Returns the spans of the digits directly before and after a comma, or `None` if the comma is not between two
/// integers.
pub(super) fn digits_around(source: &str, comma: Span) -> Option<(Span, Span)> {
    let prefix = source.get(..comma.start)?;
    let suffix = source.get(comma.end..)?;
    let start = prefix.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let end = source.len() - suffix.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (first, second) = (Span::new(start, comma.start), Span::new(comma.end, end));
    let word_continues =
        source.get(end..)?.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ':' | '/' | '_' | '-'));
    (first.start < first.end && second.start < second.end && !word_continues).then_some((first, second))
}

impl<'i> Lowering<'i> {
    /// Consumes a sequence of commas and digits, whose first comma is the next pair, and reports it as one error.
    /// `equal` is the span of the operator before it, if the operator is `eq`.
    pub(super) fn report_number_with_commas(&mut self, equal: Option<Span>, pairs: &mut ChildPairs<'i>) {
        let mut commas: Vec<Span> = Vec::new();
        let mut joined: Option<Span> = None;
        let mut has_thousands = true;
        while let Some(comma) = pairs.peek().filter(|next| next.as_str() == ",").map(|next| self.span(next)) {
            let Some((first, second)) = digits_around(self.source, comma) else { break };
            if joined.is_some_and(|joined| joined.end != comma.start) {
                break;
            }
            pairs.next();
            // The digits after the comma do not begin a condition.
            pairs.next_if(|next| next.as_rule() == Rule::word);
            has_thousands &= second.end - second.start == 3 && (!commas.is_empty() || first.end - first.start <= 3);
            commas.push(comma);
            joined = Some(joined.unwrap_or(first).to(second));
        }
        let Some(span) = joined else { return };
        let text = span.text(self.source);
        if text.len() > MAX_QUOTED_BYTES {
            let message = format!("expected one integer, found {} separated by commas", commas.len() + 1);
            self.report(
                Diagnostic::error(code::MALFORMED_INTEGER, span, message).with_help("write several values as a set"),
            );
            return;
        }
        let edits = commas.iter().map(|comma| Edit::delete(*comma)).collect();
        let set = format!("{{{}}}", text.replace(',', " "));
        let operator = equal.filter(|operator| operator.end <= span.start);
        let mut diagnostic =
            Diagnostic::error(code::MALFORMED_INTEGER, span, format!("expected one integer, found `{text}`"))
                .with_help(format!("write the digits without commas, or several values as a set: `… in {set}`"));
        if has_thousands {
            diagnostic = diagnostic.with_fix(Fix::unsafe_edits("remove the commas", edits));
        }
        if let Some(operator) = operator {
            let edits = vec![Edit::replace(operator, "in"), Edit::replace(span, set.as_str())];
            diagnostic = diagnostic.with_fix(Fix::unsafe_edits(format!("use `in {set}`"), edits));
        }
        self.report(diagnostic);
    }
}
