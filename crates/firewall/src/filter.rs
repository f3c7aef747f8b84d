//! Validates filters and their expressions.
//!
//! Start with [`check_filter`] for values and [`read_filter`] for JSON.

use crate::batch::{Batch, MAX_ITEMS, check_texts};
use serde_json::Value;
use zonewright_api::firewall::{ExpressionCheck, NewFilter};
use zonewright_api::{ObjectReader, ValidationError, check_no_nul, error_code};
use zonewright_diagnostic::{Diagnostic, RenderStyle, make_printable, pluralize, render_all};
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Options, check};

/// The maximum number of diagnostics that are rendered; the others are only counted.
const MAX_RENDERED_DIAGNOSTICS: usize = 20;

/// The members that a filter may have.
pub(crate) const MEMBERS: [&str; 4] = ["expression", "paused", "description", "ref"];
/// The members that the service returns and that clients send back.
pub(crate) const READ_ONLY: [&str; 3] = ["id", "created_on", "modified_on"];

/// Returns the options for checking the expression of a filter. Firewall rules run in the phase of custom rules
/// (assumption filter-phase).
pub fn expression_options(tier: Tier) -> Options {
    Options { phase: Some(Phase::HttpRequestFirewallCustom), plan: Some(tier), ..Options::default() }
}

/// Validates a filter for a zone with this plan. Returns all errors.
pub fn check_filter(filter: &NewFilter, tier: Tier) -> Vec<ValidationError> {
    let mut validation_errors = check_expression(&filter.expression, tier);
    validation_errors.extend(check_texts(filter.description.as_deref(), filter.reference.as_deref()));
    validation_errors
}

/// Validates the expression of a filter for a zone with this plan. Returns all errors.
pub fn check_expression(expression: &str, tier: Tier) -> Vec<ValidationError> {
    let checked = check(expression, &expression_options(tier));
    let errors: Vec<Diagnostic> = checked.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
    let mut validation_errors = Vec::new();
    if !errors.is_empty() {
        let message = render_errors(expression, &errors);
        let pointer = "/expression".to_owned();
        validation_errors.push(ValidationError {
            code: error_code::INVALID_EXPRESSION,
            pointer,
            message,
            diagnostics: errors,
        });
    }
    validation_errors.extend(check_no_nul("expression", expression));
    validation_errors
}

/// Renders the errors of an expression: first the earliest error in the format of the service, then all errors with
/// their source lines. At most 20 are rendered, and the others are counted (assumption parsing-error).
pub fn render_errors(expression: &str, errors: &[Diagnostic]) -> String {
    let rendered = errors.get(..MAX_RENDERED_DIAGNOSTICS).unwrap_or(errors);
    let first = errors.iter().min_by_key(|error| error.span.start);
    let mut text = first.map(|first| render_parsing_error(expression, first)).unwrap_or_default();
    text.push_str(render_all(expression, "expression", rendered, RenderStyle::Plain).trim_end());
    if errors.len() > rendered.len() {
        text.push_str(&format!("\n\nand {}", pluralize(errors.len() - rendered.len(), "more error")));
    }
    text
}

/// Renders an error in the format of the service (observed), followed by an empty line. The first line has the line
/// number and the column in bytes, both from 1. The source line with the marked span and the message follow. A source
/// line beyond the length limit of expressions is omitted.
fn render_parsing_error(expression: &str, error: &Diagnostic) -> String {
    let (before, after) = expression.split_at_checked(error.span.start).unwrap_or((expression, ""));
    let head = before.rsplit('\n').next().unwrap_or_default();
    let tail = after.split('\n').next().unwrap_or_default();
    let underlined = tail.get(..error.span.end.saturating_sub(error.span.start)).unwrap_or(tail);
    let (line, column) = (before.matches('\n').count() + 1, head.len() + 1);
    let (indent, carets) = (" ".repeat(head.chars().count()), "^".repeat(underlined.chars().count().max(1)));
    let rendered = format!("{}{}\n{indent}{carets} ", make_printable(head), make_printable(tail));
    let rendered = if head.len() + tail.len() > Options::default().max_length { "" } else { &rendered };
    format!("Filter parsing error ({line}:{column}):\n{rendered}{}\n\n", make_printable(&error.message))
}

/// Reads one filter. The error has all validation errors.
pub fn read_filter(value: &Value, tier: Tier) -> Result<NewFilter, Vec<ValidationError>> {
    let mut members = ObjectReader::new(value, "a filter", &MEMBERS, &READ_ONLY)?;
    let filter = read_and_check_filter(&mut members, tier);
    filter.filter(|_| members.errors.is_empty()).ok_or(members.errors)
}

/// Reads and validates the members of a filter. Returns `None` if there is no expression.
pub(crate) fn read_and_check_filter(members: &mut ObjectReader, tier: Tier) -> Option<NewFilter> {
    let filter = read_filter_members(members)?;
    members.errors.extend(check_filter(&filter, tier));
    Some(filter)
}

/// Reads the members of a filter. Returns `None` if the expression is missing or not a string.
pub(crate) fn read_filter_members(members: &mut ObjectReader) -> Option<NewFilter> {
    let expression = read_expression_member(members);
    let paused = members.boolean("paused");
    let description = members.text("description");
    let reference = members.text("ref");
    expression.map(|expression| NewFilter { expression, paused, description, reference })
}

fn read_expression_member(members: &mut ObjectReader) -> Option<String> {
    match members.required("expression")? {
        Value::String(text) => Some(text.clone()),
        other => members.type_error("expression", "a string", other),
    }
}

/// Reads the body of a request that creates filters. The error has all validation errors, with pointers from the root
/// of the body.
pub fn read_filters(body: &Value, tier: Tier) -> Result<Batch<NewFilter>, Vec<ValidationError>> {
    Batch::read(body, "create", MAX_ITEMS, |item| read_filter(item, tier))
}

/// Reads the body of a request that only checks an expression, and validates the expression. The error has all
/// validation errors.
pub fn read_expression(body: &Value, tier: Tier) -> Result<ExpressionCheck, Vec<ValidationError>> {
    let mut members = ObjectReader::new(body, "the body", &["expression"], &[])?;
    let expression = read_expression_member(&mut members).inspect(|expression| {
        members.errors.extend(check_expression(expression, tier));
    });
    let expression = expression.map(|expression| ExpressionCheck { expression });
    expression.filter(|_| members.errors.is_empty()).ok_or(members.errors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn error_pointers(body: Value) -> Vec<(u32, String)> {
        let validation_errors = read_filters(&body, Tier::Enterprise).unwrap_err();
        validation_errors.into_iter().map(|error| (error.code, error.pointer)).collect()
    }

    #[test]
    fn shape_errors_have_pointers() {
        let cases = [
            (json!(3), vec![""]),
            (json!([]), vec![""]),
            (json!([3]), vec!["/0"]),
            (json!([{}]), vec!["/0/expression"]),
            (json!({}), vec!["/expression"]),
            (json!([{"expression": 1, "paused": "no", "ref": []}]), vec!["/0/expression", "/0/paused", "/0/ref"]),
            (
                json!([{"expression": "ssl"}, {"expresion": "ssl", "a/b~": 1}]),
                vec!["/1/a~1b~0", "/1/expresion", "/1/expression"],
            ),
        ];
        for (body, pointers) in cases {
            let expected: Vec<_> =
                pointers.iter().map(|pointer| (error_code::WRONG_SHAPE, (*pointer).to_owned())).collect();
            assert_eq!(error_pointers(body.clone()), expected, "{body}");
        }
    }

    #[test]
    fn texts_over_the_length_limit_are_rejected() {
        let body = json!([{"expression": "ssl", "description": "d".repeat(501), "ref": "\0".repeat(51)}]);
        let expected =
            ["/0/description", "/0/ref", "/0/ref"].map(|pointer| (error_code::INVALID_VALUE, pointer.to_owned()));
        assert_eq!(error_pointers(body), expected);
    }

    #[test]
    fn texts_with_nul_are_rejected() {
        let body = json!([{"expression": "http.host eq \"a\0b\"", "description": "\0", "ref": "\0"}]);
        let expected = ["/0/expression", "/0/description", "/0/ref"]
            .map(|pointer| (error_code::INVALID_VALUE, pointer.to_owned()));
        assert_eq!(error_pointers(body), expected);
    }

    #[test]
    fn too_many_items_are_rejected_with_one_error() {
        assert_eq!(error_pointers(Value::Array(vec![json!(0); 1001])).len(), 1);
    }

    #[test]
    fn read_only_members_are_ignored() {
        let body = json!({"id": "", "expression": "ssl", "paused": null, "description": "", "created_on": 3});
        let filters = read_filters(&body, Tier::Free).unwrap();
        assert_eq!(filters.items, [NewFilter { expression: "ssl".to_owned(), ..NewFilter::default() }]);
        assert_eq!(filters.pointer(0), "");
    }

    #[test]
    fn errors_over_the_limit_are_counted() {
        let count_line = |errors: usize| {
            let source = vec!["sll"; errors].join(" or ");
            check_expression(&source, Tier::Free)[0].message.lines().last().unwrap().to_owned()
        };
        assert_eq!(count_line(21), "and 1 more error");
        assert_eq!(count_line(22), "and 2 more errors");
    }
}
