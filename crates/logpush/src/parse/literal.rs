//! Lowers words: numbers, literals, and strings without quotes.

use super::{Lowering, errors::excerpt, string::quoted};
use crate::{ast::JsonKind, code};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

impl Lowering<'_> {
    /// Lowers a word in the position of a value.
    pub(super) fn lower_word(&mut self, span: Span) -> JsonKind {
        let word = span.text(self.text);
        match word {
            "null" => return JsonKind::Null,
            "true" => return JsonKind::Bool(true),
            "false" => return JsonKind::Bool(false),
            _ if is_number(word) => return JsonKind::Number(word.to_owned()),
            _ => {}
        }
        if let Some(literal) = non_json_literal(word) {
            let diagnostic =
                Diagnostic::error(code::NON_JSON_LITERAL, span, format!("`{}` is not a JSON literal", excerpt(word)))
                    .with_help("the JSON literals are `true`, `false`, and `null`");
            self.report(span.start, |_| match literal {
                Some(right) => {
                    diagnostic.with_fix(Fix::safe_edits(format!("use `{right}`"), vec![Edit::replace(span, right)]))
                }
                None => diagnostic,
            });
            return literal.and_then(|right| right.parse().ok()).map_or(JsonKind::Invalid, JsonKind::Bool);
        }
        if looks_numeric(word) {
            let diagnostic =
                Diagnostic::error(code::MALFORMED_NUMBER, span, format!("`{}` is not a JSON number", excerpt(word)))
                    .with_help("write a number like `0`, `403`, `-1.5`, or `1e9`");
            let Some(number) = correct_number(word) else {
                self.report(span.start, |_| diagnostic);
                return JsonKind::Invalid;
            };
            let edits = vec![Edit::replace(span, number.clone())];
            // A leading zero may denote an octal number.
            let fix = if word.starts_with('0') { Fix::unsafe_edits } else { Fix::safe_edits };
            self.report(span.start, |_| diagnostic.with_fix(fix(format!("use `{number}`"), edits)));
            return JsonKind::Number(number);
        }
        self.report(span.start, |_| {
            let edits = vec![Edit::replace(span, quoted(word))];
            Diagnostic::error(code::MISSING_QUOTES, span, format!("`{}` must be in double quotes", excerpt(word)))
                .with_fix(match is_plain_text(word) {
                    true => Fix::safe_edits("add quotes", edits),
                    false => Fix::unsafe_edits("add quotes", edits),
                })
        });
        JsonKind::String(word.to_owned())
    }
}

/// Returns whether the word is a JSON number.
pub(crate) fn is_number(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let word = word.strip_prefix('-').unwrap_or(word);
    let (number, exponent) = word.split_once(['e', 'E']).map_or((word, None), |(number, e)| (number, Some(e)));
    let (integer, fraction) = number.split_once('.').map_or((number, None), |(integer, rest)| (integer, Some(rest)));
    digits(integer)
        && (integer == "0" || !integer.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

/// Returns whether a word is certainly one string: it is ASCII, and has no whitespace and no signs of a variable, a
/// pattern or a calculation in another language.
fn is_plain_text(word: &str) -> bool {
    let is_sign = |c| matches!(c, '$' | '\\' | '=' | '~' | '{' | '}' | '<' | '>' | '(' | ')' | '*' | '|' | '&');
    word.is_ascii() && !word.contains(char::is_whitespace) && !word.contains(is_sign)
}

/// Returns whether the word is a literal of another language, with its JSON equivalent if there is one.
fn non_json_literal(word: &str) -> Option<Option<&'static str>> {
    let bare = word.trim_start_matches(['-', '+']);
    match word {
        "True" | "TRUE" => Some(Some("true")),
        "False" | "FALSE" => Some(Some("false")),
        "None" | "nil" | "undefined" | "NULL" | "Null" => Some(None),
        _ if matches!(bare, "NaN" | "Infinity" | "nan" | "inf" | "Inf") => Some(None),
        _ => None,
    }
}

/// Returns whether the word resembles a number: digits with signs, at most one point, `_` or an
/// exponent, or hexadecimal digits after `0x`.
fn looks_numeric(word: &str) -> bool {
    let bare = word.strip_prefix(['+', '-']).unwrap_or(word);
    let has_digit = bare.trim_start_matches('.').starts_with(|c: char| c.is_ascii_digit());
    let hexadecimal = bare.strip_prefix("0x").or_else(|| bare.strip_prefix("0X"));
    has_digit
        && bare.bytes().filter(|byte| *byte == b'.').count() < 2
        && (bare.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'_' | b'e' | b'E' | b'+'))
            || hexadecimal.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit())))
}

/// Returns the JSON number for a word that resembles a number.
fn correct_number(word: &str) -> Option<String> {
    let (sign, bare) = word.strip_prefix('-').map_or(("", word), |bare| ("-", bare));
    let bare = bare.trim_start_matches('+').replace('_', "");
    let number = match bare.strip_prefix("0x").or_else(|| bare.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?.to_string(),
        None => {
            let bare = bare.trim_start_matches('0');
            let (integer, rest) = bare.split_at(bare.find(|c: char| !c.is_ascii_digit()).unwrap_or(bare.len()));
            let integer = if integer.is_empty() { "0" } else { integer };
            let rest = if rest == "." { "" } else { rest };
            format!("{integer}{rest}")
        }
    };
    let number = format!("{sign}{number}");
    is_number(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_classified_as_numbers_and_corrected() {
        for word in ["0", "-0", "403", "-1.5", "1e9", "1E+9", "0.5e-3", "123456789012345678901234567890"] {
            assert!(is_number(word), "{word}");
        }
        let cases = [
            ("+1", Some("1")),
            (".5", Some("0.5")),
            ("5.", Some("5")),
            ("007", Some("7")),
            ("00", Some("0")),
            ("-01.5", Some("-1.5")),
            ("1_000", Some("1000")),
            ("0x1F", Some("31")),
            ("1e", None),
        ];
        for (word, expected) in cases {
            assert!(!is_number(word) && looks_numeric(word), "{word}");
            assert_eq!(correct_number(word).as_deref(), expected, "{word}");
        }
        for word in ["1.2.3.4", "abc", "-", "1h", "2024-01-01", ""] {
            assert!(!is_number(word) && !looks_numeric(word), "{word}");
        }
    }
}
