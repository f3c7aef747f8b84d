//! Parses record templates: the documented part of Go's `text/template` (assumption template-texts).

use crate::excerpt::escaped_excerpt;
use std::fmt;
use zonewright_diagnostic::Span;

const SYNTAX_HELP: &str =
    "a template may contain `{{ .Field }}`, `{{ \"string\" }}`, a string in backticks, and `{{/* comment */}}`";
const UNSUPPORTED_KEYWORDS: [&str; 12] =
    ["if", "else", "end", "range", "with", "define", "template", "block", "break", "continue", "nil", "call"];

/// The maximum number of problems, after which parsing stops.
const MAX_PROBLEMS: usize = 100;

/// An error in a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateProblem {
    /// The span in the template.
    pub span: Span,
    /// The position in characters, from 1.
    pub character: usize,
    /// The message.
    pub message: String,
}

impl fmt::Display for TemplateProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "character {}: {}", self.character, self.message)
    }
}

/// Returns the errors of a template: all of them, or the first 100.
pub fn check_template(source: &str) -> Vec<TemplateProblem> {
    parse_template(source).1
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TemplatePart {
    Text(String),
    /// A field, by name.
    Field(String),
}

/// Parses a template into its parts and its errors.
pub(crate) fn parse_template(source: &str) -> (Vec<TemplatePart>, Vec<TemplateProblem>) {
    let (mut parts, mut problems) = (Vec::new(), Vec::new());
    let mut rest = source;
    while let Some((text, action)) = rest.find("{{").and_then(|offset| rest.split_at_checked(offset)) {
        parts.extend((!text.is_empty()).then(|| TemplatePart::Text(text.to_owned())));
        let start = source.len() - action.len();
        let length = match parse_action(action) {
            Ok((part, length)) => {
                parts.extend(part);
                length
            }
            Err(message) => {
                let length = action.find("}}").map_or(action.len(), |end| end + 2);
                let character = source.get(..start).unwrap_or_default().chars().count() + 1;
                problems.push(TemplateProblem { span: Span::new(start, start + length), character, message });
                if problems.len() == MAX_PROBLEMS {
                    break;
                }
                length
            }
        };
        rest = action.get(length..).unwrap_or_default();
    }
    parts.extend((!rest.is_empty()).then(|| TemplatePart::Text(rest.to_owned())));
    (parts, problems)
}

/// Parses the action at the start of the text, from `{{` to `}}`, and returns its length in bytes.
fn parse_action(action: &str) -> Result<(Option<TemplatePart>, usize), String> {
    let inner = action.get(2..).unwrap_or_default();
    if let Some(comment) = inner.strip_prefix("/*") {
        let after = comment.split_once("*/").ok_or("a comment must end with `*/}}`")?.1;
        let rest = after.strip_prefix("}}").ok_or("`*/` must be followed directly by `}}`")?;
        return Ok((None, action.len() - rest.len()));
    }
    let trimmed = inner.trim_start();
    let (part, rest) = match trimmed.chars().next() {
        Some('.') => parse_field(trimmed)?,
        Some('"') => parse_string(trimmed)?,
        Some('`') => parse_raw_string(trimmed)?,
        _ => return Err(unsupported_action_message(inner)),
    };
    let rest = rest.trim_start().strip_prefix("}}").ok_or_else(|| unsupported_action_message(inner))?;
    Ok((Some(part), action.len() - rest.len()))
}

fn unsupported_action_message(inner: &str) -> String {
    let Some((text, _)) = inner.split_once("}}") else { return "unclosed `{{`".to_owned() };
    let word: String = text.trim().chars().take_while(|char| char.is_alphanumeric()).collect();
    let reason = if inner.starts_with('-') || text.ends_with('-') {
        "trimming whitespace with `-` is not supported"
    } else if UNSUPPORTED_KEYWORDS.contains(&word.as_str()) {
        "conditions, loops, and nested templates are not supported"
    } else if text.contains('|') || !word.is_empty() {
        "functions are not supported"
    } else {
        "this action is not supported"
    };
    format!("`{{{{{}}}}}`: {reason}; {SYNTAX_HELP}", escaped_excerpt(text))
}

fn parse_field(text: &str) -> Result<(TemplatePart, &str), String> {
    let name = text.get(1..).unwrap_or_default();
    let end = name.find(|char: char| !char.is_alphanumeric() && char != '_').unwrap_or(name.len());
    let (name, rest) = name.split_at_checked(end).unwrap_or((name, ""));
    if name.is_empty() {
        return Err(format!("expected a field name after `.`; {SYNTAX_HELP}"));
    }
    if rest.starts_with('.') {
        return Err(format!("members of `{name}` cannot be accessed; {SYNTAX_HELP}"));
    }
    Ok((TemplatePart::Field(name.to_owned()), rest))
}

fn parse_raw_string(text: &str) -> Result<(TemplatePart, &str), String> {
    let (constant, rest) =
        text.strip_prefix('`').and_then(|text| text.split_once('`')).ok_or("unterminated string in backticks")?;
    Ok((TemplatePart::Text(constant.to_owned()), rest))
}

/// Parses a quoted string with the escapes of Go.
fn parse_string(text: &str) -> Result<(TemplatePart, &str), String> {
    const UNTERMINATED_STRING_MESSAGE: &str = "unterminated string";
    let mut constant = Vec::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((offset, char)) = chars.next() {
        match char {
            '"' => {
                let decoded = String::from_utf8(constant).map_err(|_| "a string is not valid UTF-8")?;
                return Ok((TemplatePart::Text(decoded), text.get(offset + 1..).unwrap_or_default()));
            }
            '\n' => return Err("a quoted string must end on its line; write a line break as `\\n`".to_owned()),
            '\\' => {
                let (_, escape) = chars.next().ok_or(UNTERMINATED_STRING_MESSAGE)?;
                let mut digits = |first: Option<char>, count: usize, radix: u32| {
                    let digits: String =
                        first.into_iter().chain(chars.by_ref().take(count).map(|(_, char)| char)).collect();
                    u32::from_str_radix(&digits, radix).ok()
                };
                let byte = |number: Option<u32>| number.and_then(|number| u8::try_from(number).ok());
                let invalid = || format!("invalid escape `\\{escape}`");
                match escape {
                    'x' => constant.push(byte(digits(None, 2, 16)).ok_or_else(invalid)?),
                    '0'..='7' => constant.push(byte(digits(Some(escape), 2, 8)).ok_or_else(invalid)?),
                    'u' | 'U' => {
                        let number = digits(None, if escape == 'u' { 4 } else { 8 }, 16);
                        let char = number.and_then(char::from_u32).ok_or_else(invalid)?;
                        constant.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                    }
                    _ => constant.push(decode_simple_escape(escape).ok_or_else(invalid)?),
                }
            }
            _ => constant.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Err(UNTERMINATED_STRING_MESSAGE.to_owned())
}

fn decode_simple_escape(escape: char) -> Option<u8> {
    Some(match escape {
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 11,
        '\\' => b'\\',
        '"' => b'"',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(source: &str) -> String {
        let (parts, problems) = parse_template(source);
        assert_eq!(problems, [], "{source}");
        let describe = |part: &TemplatePart| match part {
            TemplatePart::Text(text) => format!("{text:?}"),
            TemplatePart::Field(name) => format!(".{name}"),
        };
        parts.iter().map(describe).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn templates_are_split_into_texts_and_fields() {
        for (source, expected) in [
            ("", ""),
            ("a } b }} {", r#""a } b }} {""#),
            ("{{.A}}", ".A"),
            ("{{ .A_1\n}}{{.B}}", ".A_1 .B"),
            ("a{{/* {{.B}} */}}b", r#""a" "b""#),
            (r#"{{"}}"}}{{ "\"\\\n\t\x41\102\u0043\U00000044" }}"#, r#""}}" "\"\\\n\tABCD""#),
            ("{{`}}\n\"`}}", r#""}}\n\"""#),
            (r#"{{ "\xc3\xa9" }}"#, r#""é""#),
        ] {
            assert_eq!(parts(source), expected, "{source}");
        }
    }

    #[test]
    fn listed_problems_are_limited() {
        assert_eq!(check_template(&"{{/*}}".repeat(10_000)).len(), MAX_PROBLEMS);
    }

    #[test]
    fn errors_have_positions() {
        let source = "é{{if .A}} {{.A}} {{- .A }}{{.A";
        let problems = check_template(source);
        let underlined: Vec<&str> = problems.iter().map(|problem| problem.span.text(source)).collect();
        assert_eq!(underlined, ["{{if .A}}", "{{- .A }}", "{{.A"]);
        assert_eq!(problems[0].character, 2);
    }
}
