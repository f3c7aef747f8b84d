//! Converts filters to expressions.

use super::Loss;
use crate::field_mapping::{FieldMapping, ValueMapping, mapping_for_log_field};
use crate::{Comparison, Number, Operand, Operator, Program, Test, TestKind, algebra::item_text};
use std::net::IpAddr;

/// Returns the text of the expression, and appends parts without an equivalent to `losses`.
pub(super) fn write_expression(program: &Program, losses: &mut Vec<Loss>) -> Option<String> {
    let fragment = ExpressionWriter { program, losses }.write_test(program.test())?;
    Some(fragment.text)
}

/// A part of an expression.
struct Fragment {
    text: String,
    /// The precedence of its outermost operator.
    precedence: Precedence,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Precedence {
    Or,
    And,
    /// Neither `and` nor `or` is outermost, so parentheses are never necessary.
    Primary,
}

impl Fragment {
    fn primary(text: String) -> Fragment {
        Fragment { text, precedence: Precedence::Primary }
    }

    /// Returns the text for use inside a chain of this operator, in parentheses if necessary.
    fn parenthesized_in(self, precedence: Precedence) -> String {
        if self.precedence == Precedence::Primary || self.precedence == precedence {
            self.text
        } else {
            format!("({})", self.text)
        }
    }
}

struct ExpressionWriter<'a> {
    program: &'a Program,
    losses: &'a mut Vec<Loss>,
}

impl ExpressionWriter<'_> {
    fn write_test(&mut self, test: &Test) -> Option<Fragment> {
        match &test.kind {
            TestKind::All(tests) => self.write_chain(tests, Precedence::And),
            TestKind::Any(tests) => self.write_chain(tests, Precedence::Or),
            TestKind::Comparison(comparison) => self.write_comparison(comparison),
        }
    }

    fn write_chain(&mut self, tests: &[Test], precedence: Precedence) -> Option<Fragment> {
        // Every part is converted, even after a loss, so that all losses are reported.
        let parts: Vec<Option<Fragment>> = tests.iter().map(|test| self.write_test(test)).collect();
        let mut parts: Vec<Fragment> = parts.into_iter().collect::<Option<_>>()?;
        if parts.len() == 1 {
            return parts.pop();
        }
        let word = if precedence == Precedence::And { " and " } else { " or " };
        let texts: Vec<String> = parts.into_iter().map(|part| part.parenthesized_in(precedence)).collect();
        Some(Fragment { text: texts.join(word), precedence })
    }

    fn write_comparison(&mut self, comparison: &Comparison) -> Option<Fragment> {
        let Some(mapping) = mapping_for_log_field(comparison.field.name, self.program.dataset()) else {
            let message = format!("the Rules language has no equivalent of the field `{}`", comparison.field.name);
            self.losses.push(Loss { span: comparison.key_span, message });
            return None;
        };
        let fragment = match mapping.kind {
            ValueMapping::Text | ValueMapping::Encryption => convert_text(mapping, comparison),
            ValueMapping::Country => convert_country(mapping, comparison),
            ValueMapping::Integer => convert_integer(mapping, comparison),
            ValueMapping::Address => convert_address(mapping, comparison),
            ValueMapping::Scheme => convert_scheme(mapping, comparison),
            ValueMapping::Texts | ValueMapping::Integers => convert_array_element(mapping, comparison),
        };
        match fragment {
            Ok(fragment) => Some(fragment),
            Err(message) => {
                self.losses.push(Loss { span: comparison.operand_span, message });
                None
            }
        }
    }
}

type ConvertResult = Result<Fragment, String>;

fn operand_texts(operand: &Operand) -> Vec<String> {
    match operand {
        Operand::Items(items) => items.iter().map(item_text).collect(),
        single => vec![item_text(single)],
    }
}

fn convert_text(mapping: &FieldMapping, comparison: &Comparison) -> ConvertResult {
    let texts = operand_texts(&comparison.operand);
    if mapping.kind == ValueMapping::Encryption
        && let Some(none) = texts.iter().find(|text| text.eq_ignore_ascii_case("none") || text.is_empty())
    {
        return Err(format!("the Rules language value for `{none}` is not documented"));
    }
    convert_strings(mapping, comparison.operator, &texts)
}

fn convert_strings(mapping: &FieldMapping, operator: Operator, texts: &[String]) -> ConvertResult {
    let name = mapping.rules;
    let quoted: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    let only = quoted.first().map(String::as_str).unwrap_or_default();
    let has_empty = texts.iter().any(String::is_empty);
    let negate = |text: String| if operator.is_negated() { format!("not {text}") } else { text };
    let text = match operator.without_negation() {
        Operator::Equal if has_empty && !mapping.always_present => match operator.is_negated() {
            true => format!("{name} ne \"\""),
            // This form is also true for requests without the value.
            false => format!("not {name} ne \"\""),
        },
        Operator::Equal if operator.is_negated() && mapping.always_present => format!("{name} ne {only}"),
        Operator::Equal => negate(format!("{name} eq {only}")),
        Operator::In => {
            let set = format!("{name} in {{{}}}", quoted.join(" "));
            if has_empty && !mapping.always_present {
                return Ok(match operator.is_negated() {
                    true => Fragment { text: format!("{name} ne \"\" and not {set}"), precedence: Precedence::And },
                    false => Fragment { text: format!("{set} or not {name} ne \"\""), precedence: Precedence::Or },
                });
            }
            negate(set)
        }
        _ if has_empty => return Err("every string contains the empty string; remove this condition".to_owned()),
        Operator::StartsWith => negate(format!("starts_with({name}, {only})")),
        Operator::EndsWith => negate(format!("ends_with({name}, {only})")),
        _ => negate(format!("{name} contains {only}")),
    };
    Ok(Fragment::primary(text))
}

fn convert_country(mapping: &FieldMapping, comparison: &Comparison) -> ConvertResult {
    let texts = operand_texts(&comparison.operand);
    if texts.iter().any(|text| text.bytes().any(|byte| byte.is_ascii_uppercase())) {
        return Err("country codes in the log are lowercase, so this matches no country".to_owned());
    }
    let upper: Vec<String> = texts.iter().map(|text| text.to_ascii_uppercase()).collect();
    convert_strings(mapping, comparison.operator, &upper)
}

fn convert_integer(mapping: &FieldMapping, comparison: &Comparison) -> ConvertResult {
    let mut numbers = Vec::new();
    let operands = match &comparison.operand {
        Operand::Items(items) => items.as_slice(),
        single => std::slice::from_ref(single),
    };
    for operand in operands {
        match operand {
            Operand::Number(Number::Integer(integer)) if i64::try_from(*integer).is_ok() => {
                numbers.push(integer.to_string());
            }
            other => return Err(format!("`{}` is not an integer of the Rules language", item_text(other))),
        }
    }
    let only = numbers.first().map(String::as_str).unwrap_or_default();
    let name = mapping.rules;
    let word = match comparison.operator {
        Operator::In => return Ok(Fragment::primary(format!("{name} in {{{}}}", numbers.join(" ")))),
        Operator::NotIn => return Ok(Fragment::primary(format!("not {name} in {{{}}}", numbers.join(" ")))),
        Operator::NotEqual if !mapping.always_present => return Ok(Fragment::primary(format!("not {name} eq {only}"))),
        Operator::NotEqual => "ne",
        Operator::Less => "lt",
        Operator::LessOrEqual => "le",
        Operator::Greater => "gt",
        Operator::GreaterOrEqual => "ge",
        _ => "eq",
    };
    Ok(Fragment::primary(format!("{name} {word} {only}")))
}

fn convert_address(mapping: &FieldMapping, comparison: &Comparison) -> ConvertResult {
    let name = mapping.rules;
    let texts = operand_texts(&comparison.operand);
    let only = texts.first().map(String::as_str).unwrap_or_default();
    let not = if comparison.operator.is_negated() { "not " } else { "" };
    match comparison.operator.without_negation() {
        Operator::Equal | Operator::In => {
            let is_canonical = |text: &str| text.parse::<IpAddr>().is_ok_and(|address| address.to_string() == text);
            if let Some(other) = texts.iter().find(|text| !is_canonical(text)) {
                return Err(format!("`{other}` is not an IP address in the format of the log"));
            }
            Ok(Fragment::primary(match comparison.operator {
                Operator::Equal => format!("{name} eq {only}"),
                Operator::NotEqual => format!("{name} ne {only}"),
                _ => format!("{not}{name} in {{{}}}", texts.join(" ")),
            }))
        }
        Operator::StartsWith => match prefix_to_network(only) {
            Some(network) => Ok(Fragment::primary(format!("{not}{name} in {{{network}}}"))),
            None => Err(format!("the addresses that start with `{only}` do not form a network")),
        },
        _ => Err("the Rules language compares IP addresses, not their text".to_owned()),
    }
}

/// Returns the network of all addresses that start with this text: `10.0.0.0/8` for `10.`.
fn prefix_to_network(start: &str) -> Option<String> {
    let numbers: Vec<&str> = start.strip_suffix('.')?.split('.').collect();
    let is_canonical = |number: &&str| number.parse::<u8>().is_ok_and(|byte| byte.to_string() == **number);
    if numbers.len() > 3 || !numbers.iter().all(is_canonical) {
        return None;
    }
    let mut octets = numbers.clone();
    octets.resize(4, "0");
    Some(format!("{}/{}", octets.join("."), 8 * numbers.len()))
}

fn convert_scheme(mapping: &FieldMapping, comparison: &Comparison) -> ConvertResult {
    let texts = operand_texts(&comparison.operand);
    let is_equality = matches!(comparison.operator.without_negation(), Operator::Equal | Operator::In);
    let is_encrypted = match texts.as_slice() {
        [only] if is_equality && only == "https" => !comparison.operator.is_negated(),
        [only] if is_equality && only == "http" => comparison.operator.is_negated(),
        _ => {
            return Err(format!(
                "the Rules language has `{}` for the scheme, so only `https` and `http` can be converted",
                mapping.rules
            ));
        }
    };
    Ok(Fragment::primary(if is_encrypted { mapping.rules.to_owned() } else { format!("not {}", mapping.rules) }))
}

fn convert_array_element(mapping: &FieldMapping, comparison: &Comparison) -> ConvertResult {
    let item = match &comparison.operand {
        Operand::String(text) => quoted(text),
        Operand::Number(Number::Integer(integer)) if i64::try_from(*integer).is_ok() => integer.to_string(),
        other => return Err(format!("`{}` is not an integer of the Rules language", item_text(other))),
    };
    let not = if comparison.operator.is_negated() { "not " } else { "" };
    Ok(Fragment::primary(format!("{not}any({}[*] eq {item})", mapping.rules)))
}

/// Quotes a string for the Rules language.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
