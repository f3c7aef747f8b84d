//! Why a text is no request.

use std::fmt;

/// Why a text was not read, and where.
///
/// Wording: as diagnostics have it, lower case, one line, no final period, the text in backticks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Error {
    /// What is wrong: what was expected and what was found.
    pub message: String,
    /// The field or list that it is about.
    pub field: Option<String>,
    /// The line of the text, from 1.
    pub line: Option<usize>,
    /// The column in that line, from 1, in characters.
    pub column: Option<usize>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Error { message: message.into(), ..Error::default() }
    }

    /// About a field: its name is said first.
    pub(crate) fn about(field: &str, message: impl fmt::Display) -> Self {
        Error { message: format!("`{field}`: {message}"), field: Some(field.to_owned()), ..Error::default() }
    }

    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Error { help: Some(help.into()), ..self }
    }

    pub(crate) fn on_line(self, line: usize) -> Self {
        Error { line: Some(line), ..self }
    }

    /// At a byte offset of the text.
    pub(crate) fn at(self, text: &[u8], offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let last = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        Error { line: Some(line), column: Some(String::from_utf8_lossy(last).chars().count() + 1), ..self }
    }

    /// What JSON's reader says of a text, with its place and, for a value that does not fit, its member.
    pub(crate) fn of_json(error: &serde_json::Error, json: &str) -> Self {
        let text = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let what = text.strip_suffix(&place).unwrap_or(&text);
        let message = if error.is_data() {
            match member_at(json, error.line(), error.column()) {
                member if member.is_empty() => what.to_owned(),
                member => format!("`{}`: {what}", short(&member)),
            }
        } else {
            format!("not JSON: {what}")
        };
        Error { line: Some(error.line()), column: Some(error.column().max(1)), ..Error::new(message) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(f, "line {line}, column {column}: ")?,
            (Some(line), None) => write!(f, "line {line}: ")?,
            _ => {}
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// The member of JSON that ends at a place, as `log.entries[0].url`; empty for the whole. The text is
/// JSON up to there.
fn member_at(json: &str, line: usize, column: usize) -> String {
    let before: usize = json.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let read = json.get(..before + column).unwrap_or(json);
    let mut steps: Vec<Step<'_>> = Vec::new();
    let mut rest = read;
    while let Some(next) = rest.find(['"', '{', '[', '}', ']', ',']) {
        let (sign, behind) = (rest.as_bytes().get(next), rest.get(next + 1..).unwrap_or_default());
        rest = behind;
        match (sign, steps.last_mut()) {
            (Some(b'{'), _) => steps.push(Step::Member(None)),
            (Some(b'['), _) => steps.push(Step::Item(0)),
            (Some(b'}' | b']'), _) => _ = steps.pop(),
            (Some(b','), Some(Step::Item(index))) => *index += 1,
            (Some(b','), Some(Step::Member(name))) => *name = None,
            (Some(b'"'), last) => {
                let end = end_of_string(behind);
                if let Some(Step::Member(name @ None)) = last {
                    *name = behind.get(..end);
                }
                rest = behind.get(end + 1..).unwrap_or_default();
            }
            _ => {}
        }
    }
    // One buffer, because the text may be nested as deep as it is long.
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Member(None) => {}
            Step::Member(Some(name)) => {
                path.push_str(if path.is_empty() { "" } else { "." });
                path.push_str(name);
            }
            Step::Item(index) => path.push_str(&format!("[{index}]")),
        }
    }
    path
}

/// One level of what [`member_at`] has come through.
enum Step<'a> {
    Member(Option<&'a str>),
    Item(usize),
}

/// Where the quote stands that ends a string which has begun.
fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    let ends = |byte: u8| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    };
    text.bytes().position(ends).unwrap_or(text.len())
}

/// At most 60 characters of a text, for a message.
pub(crate) fn short(text: &str) -> String {
    let mut start: String = text.chars().take(60).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(60).is_some() {
        start.push('…');
    }
    start
}
