//! Checks values: the right-hand sides of conditions.

use super::Checker;
use crate::{
    Number, Operand, Operator,
    ast::{Json, JsonKind},
    code,
    datasets::{Field, FieldType},
    parse::{errors::excerpt, literal::is_number, node::json_kind_name, string::quoted},
    time::parse_rfc3339,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

impl Checker<'_> {
    /// Returns the operand of a condition, or reports a value of the wrong type. `operator_span` is the span of the
    /// operator's name.
    pub(super) fn check_operand(
        &mut self,
        value: &Json,
        field: &Field,
        operator: Operator,
        operator_span: Span,
    ) -> Option<Operand> {
        match (&value.kind, operator.takes_list()) {
            (JsonKind::Array(items), true) => self.check_list(items, value.span, field),
            (JsonKind::Array(items), false) => {
                self.report(list_for_value_error(items, value.span, field, operator, operator_span));
                None
            }
            (JsonKind::String(_) | JsonKind::Number(_) | JsonKind::Bool(_), true) => {
                self.report(scalar_for_in_error(value, field, operator));
                None
            }
            _ => self.check_scalar(value, field),
        }
    }

    fn check_list(&mut self, items: &[Json], span: Span, field: &Field) -> Option<Operand> {
        if items.is_empty() {
            self.report(
                Diagnostic::error(code::EMPTY_LIST, span, "the list is empty")
                    .with_help("an empty list matches nothing; add at least one value"),
            );
            return None;
        }
        let quoted_items = items.iter().filter(|item| matches!(item.kind, JsonKind::String(_))).count();
        let numbers = items.iter().filter(|item| matches!(item.kind, JsonKind::Number(_))).count();
        let is_mixed = quoted_items > 0 && numbers > 0 && quoted_items + numbers == items.len();
        let is_text = field.ty == FieldType::String;
        if is_mixed || (is_text && numbers == items.len()) {
            self.report(item_type_error(items, span, is_text, is_mixed));
            return None;
        }
        let operands: Vec<_> = items.iter().map(|item| self.check_scalar(item, field)).collect();
        operands.into_iter().collect::<Option<_>>().map(Operand::Items)
    }

    fn check_scalar(&mut self, value: &Json, field: &Field) -> Option<Operand> {
        let result = match field.ty {
            FieldType::String | FieldType::Strings => read_string(value, field).map(Operand::String),
            FieldType::Bool => read_bool(value, field).map(Operand::Bool),
            FieldType::Timestamp => read_timestamp(value, field).map(Operand::Number),
            _ => read_number(value, field).map(Operand::Number),
        };
        match result {
            Ok(operand) => {
                if let Operand::Number(number) = operand
                    && field.ty != FieldType::Float
                    && number < Number::Integer(0)
                {
                    self.report(negative_number_warning(value.span, field));
                }
                Some(operand)
            }
            Err(problem) => {
                if !matches!(value.kind, JsonKind::Invalid) {
                    self.report(*problem);
                }
                None
            }
        }
    }
}

type ValueResult<T> = Result<T, Box<Diagnostic>>;

fn value_type_error(value: &Json, field: &Field, expected: &str) -> Diagnostic {
    let found = match &value.kind {
        JsonKind::String(text) => format!("`{}`", excerpt(text)),
        other => json_kind_name(other).to_owned(),
    };
    Diagnostic::error(code::VALUE_TYPE, value.span, format!("expected {expected}, found {found}")).with_label(format!(
        "`{}` has the type `{}`",
        field.name,
        field.ty.name()
    ))
}

/// Returns a string; only JSON strings are strings (assumption text-values).
fn read_string(value: &Json, field: &Field) -> ValueResult<String> {
    match &value.kind {
        JsonKind::String(text) => Ok(text.clone()),
        JsonKind::Number(number) => {
            let edits = vec![Edit::replace(value.span, quoted(number))];
            Err(Box::new(
                Diagnostic::error(
                    code::NUMBER_FOR_STRING,
                    value.span,
                    format!("`{}` is a string field, but `{}` is a number", field.name, excerpt(number)),
                )
                .with_fix(match is_canonical_integer(number) {
                    true => Fix::safe_edits("add quotes", edits),
                    false => Fix::unsafe_edits("add quotes", edits),
                }),
            ))
        }
        JsonKind::Bool(flag) => Err(Box::new(
            value_type_error(value, field, "a string")
                .with_fix(Fix::unsafe_edits("add quotes", vec![Edit::replace(value.span, format!("\"{flag}\""))])),
        )),
        _ => Err(Box::new(value_type_error(value, field, "a string"))),
    }
}

fn read_bool(value: &Json, field: &Field) -> ValueResult<bool> {
    let word = match &value.kind {
        JsonKind::Bool(flag) => return Ok(*flag),
        JsonKind::String(text) => text.as_str(),
        JsonKind::Number(number) => number.as_str(),
        _ => "",
    };
    let intended = match word {
        "true" => return Ok(true),
        "false" => return Ok(false),
        _ if matches!(word.trim().to_ascii_lowercase().as_str(), "true" | "1" | "yes" | "on") => "true",
        _ if matches!(word.trim().to_ascii_lowercase().as_str(), "false" | "0" | "no" | "off") => "false",
        _ => return Err(Box::new(value_type_error(value, field, "`true` or `false`"))),
    };
    let edits = vec![Edit::replace(value.span, intended)];
    Err(Box::new(
        value_type_error(value, field, "`true` or `false`")
            .with_fix(Fix::unsafe_edits(format!("use `{intended}`"), edits)),
    ))
}

/// Returns a number. A number in a string counts too, because the documented examples have such strings (assumption
/// number-values).
fn read_number(value: &Json, field: &Field) -> ValueResult<Number> {
    let is_integer = field.ty != FieldType::Float;
    let expected = if is_integer { "an integer" } else { "a number" };
    let word = match &value.kind {
        JsonKind::Number(word) | JsonKind::String(word) => word.as_str(),
        _ => return Err(Box::new(value_type_error(value, field, expected))),
    };
    let rewrite = |word: &str| match value.kind {
        JsonKind::String(_) => quoted(word),
        _ => word.to_owned(),
    };
    if !is_number(word) {
        let diagnostic = value_type_error(value, field, expected);
        let trimmed = word.trim();
        if !is_number(trimmed) {
            return Err(Box::new(diagnostic));
        }
        let edits = vec![Edit::replace(value.span, rewrite(trimmed))];
        return Err(Box::new(diagnostic.with_fix(Fix::safe_edits("remove the spaces", edits))));
    }
    let out_of_range = || {
        let message = format!("`{}` is out of range for `{}`", excerpt(word), field.name);
        let diagnostic = Diagnostic::error(code::NUMBER_OUT_OF_RANGE, value.span, message);
        Box::new(diagnostic.with_help(match is_integer {
            true => "integers have 64 bits: 0 to 18446744073709551615",
            false => "numbers have 64 bits: up to about 1.8e308",
        }))
    };
    let number = Number::parse(word).ok_or_else(out_of_range)?;
    let Number::Integer(integer) = number else {
        if !is_integer {
            return Ok(number);
        }
        return Err(if number.is_beyond_64_bits() {
            out_of_range()
        } else {
            Box::new(fraction_error(value.span, word, number, rewrite))
        });
    };
    if is_integer && (u64::try_from(integer).is_err() && i64::try_from(integer).is_err()) {
        return Err(out_of_range());
    }
    Ok(number)
}

fn fraction_error(span: Span, word: &str, number: Number, rewrite: impl Fn(&str) -> String) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(code::FRACTION, span, format!("`{}` is not written as an integer", excerpt(word)));
    match number.to_integer() {
        Some(integer) => {
            let edits = vec![Edit::replace(span, rewrite(&integer.to_string()))];
            diagnostic.with_fix(Fix::safe_edits(format!("use `{integer}`"), edits))
        }
        None => diagnostic.with_help("the field contains only integers"),
    }
}

fn negative_number_warning(span: Span, field: &Field) -> Diagnostic {
    Diagnostic::warning(code::NEGATIVE_NUMBER, span, format!("`{}` is never negative", field.name))
        .with_help("the service may read the field as unsigned and reject the filter")
}

/// Returns a timestamp as a number (assumption time-values).
fn read_timestamp(value: &Json, field: &Field) -> ValueResult<Number> {
    if let JsonKind::String(text) = &value.kind
        && let Some(nanoseconds) = parse_rfc3339(text)
    {
        let edits = vec![Edit::replace(value.span, nanoseconds.to_string())];
        return Err(Box::new(
            value_type_error(value, field, "a Unix time in nanoseconds")
                .with_fix(Fix::safe_edits(format!("use `{nanoseconds}`"), edits)),
        ));
    }
    read_number(value, field)
}

fn scalar_for_in_error(value: &Json, field: &Field, operator: Operator) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        code::SCALAR_FOR_IN,
        value.span,
        format!("`{}` needs a list, found {}", operator.name(), json_kind_name(&value.kind)),
    )
    .with_help("put the values between `[` and `]`");
    let fix = |items: Vec<String>, title: &str, is_safe: bool| {
        let edits = vec![Edit::replace(value.span, format!("[{}]", items.join(",")))];
        if is_safe { Fix::safe_edits(title, edits) } else { Fix::unsafe_edits(title, edits) }
    };
    match &value.kind {
        JsonKind::String(text) => {
            let inner = text.trim().trim_start_matches(['[', '(', '{']).trim_end_matches([']', ')', '}']);
            let parts: Vec<&str> = inner.split([',', ';']).map(|part| part.trim().trim_matches(['"', '\''])).collect();
            let are_numbers = field.ty != FieldType::String && parts.iter().all(|part| is_number(part));
            let item_text = |part: &&str| if are_numbers { (*part).to_owned() } else { quoted(part) };
            if parts.len() < 2 {
                let only = if are_numbers { inner.trim().to_owned() } else { quoted(text) };
                // For a string field, the author may mean `contains`.
                return diagnostic.with_fix(fix(vec![only], "make it a list", are_numbers));
            }
            // `1,500` may be one number with a thousands separator.
            let is_thousands = parts.windows(2).any(|pair| matches!(pair, [a, b] if a.len() == 1 && b.len() == 3));
            let parts = parts.iter().filter(|part| !part.is_empty()).map(item_text).collect();
            let diagnostic = diagnostic.with_fix(fix(parts, "make it a list", are_numbers && !is_thousands));
            if are_numbers {
                diagnostic
            } else {
                diagnostic.with_fix(fix(vec![quoted(text)], "make it a one-item list", false))
            }
        }
        JsonKind::Number(number) => diagnostic.with_fix(fix(vec![number.clone()], "make it a list", true)),
        _ => diagnostic,
    }
}

fn list_for_value_error(
    items: &[Json],
    span: Span,
    field: &Field,
    operator: Operator,
    operator_span: Span,
) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(code::LIST_FOR_VALUE, span, format!("`{}` takes one value, found a list", operator.name()));
    if let [only] = items {
        let delete_start = Edit::delete(Span::new(span.start, only.span.start));
        let delete_end = Edit::delete(Span::new(only.span.end, span.end));
        return diagnostic.with_fix(Fix::safe_edits("remove the brackets", vec![delete_start, delete_end]));
    }
    let list = match operator {
        Operator::Equal => Operator::In,
        Operator::NotEqual => Operator::NotIn,
        _ => return diagnostic.with_help("use one condition per value under `or`"),
    };
    if !list.supports(field.ty) {
        return diagnostic;
    }
    let edits = vec![Edit::replace(operator_span, quoted(list.name()))];
    diagnostic.with_fix(Fix::safe_edits(format!("use `{}`", list.name()), edits))
}

/// Returns the error for numbers and strings in one list, or for numbers in the list of a string field.
fn item_type_error(items: &[Json], span: Span, is_text: bool, is_mixed: bool) -> Diagnostic {
    let diagnostic = if is_mixed {
        Diagnostic::error(code::MIXED_LIST, span, "the list has both strings and numbers")
    } else {
        Diagnostic::error(code::NUMBER_FOR_STRING, span, "the field is a string field, but the list has numbers")
    };
    let mut edits = Vec::new();
    for item in items {
        match &item.kind {
            JsonKind::Number(number) if is_text => edits.push(Edit::replace(item.span, quoted(number))),
            JsonKind::String(text) if !is_text && is_number(text) => edits.push(Edit::replace(item.span, text)),
            _ => {}
        }
    }
    let is_fixable = is_text
        || items
            .iter()
            .all(|item| matches!(&item.kind, JsonKind::Number(text) | JsonKind::String(text) if is_number(text)));
    let title = if is_text { "quote all items" } else { "remove the quotes" };
    let is_clear = !is_text
        || items.iter().all(|item| match &item.kind {
            JsonKind::Number(number) => is_canonical_integer(number),
            _ => true,
        });
    match (is_fixable, is_clear) {
        (false, _) => diagnostic,
        (true, true) => diagnostic.with_fix(Fix::safe_edits(title, edits)),
        (true, false) => diagnostic.with_fix(Fix::unsafe_edits(title, edits)),
    }
}

/// Returns whether a number has only digits, so that its string is unambiguous. The string for `1.50` may be `1.5`.
fn is_canonical_integer(number: &str) -> bool {
    number.bytes().all(|byte| byte.is_ascii_digit())
}
