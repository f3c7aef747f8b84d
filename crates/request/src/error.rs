//! The parse error of every input format.

use std::fmt;

/// A parse error with its position.
///
/// The message follows the style of diagnostics: lowercase, one line, no final period, the input in backticks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Error {
    /// The problem, such as what was expected and what was found.
    pub message: String,
    /// The field or list with the problem.
    pub field: Option<String>,
    /// The line of the input, from 1.
    pub line: Option<usize>,
    /// The column in that line, from 1, in characters.
    pub column: Option<usize>,
    /// How to fix the problem.
    pub help: Option<String>,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Error { message: message.into(), ..Error::default() }
    }

    /// Creates an error about a field; the message begins with its name.
    pub(crate) fn for_field(field: &str, message: impl fmt::Display) -> Self {
        Error { message: format!("`{field}`: {message}"), field: Some(field.to_owned()), ..Error::default() }
    }

    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Error { help: Some(help.into()), ..self }
    }

    pub(crate) fn at_line(self, line: usize) -> Self {
        Error { line: Some(line), ..self }
    }

    /// Sets the line and the column from a byte offset of the input.
    pub(crate) fn at_offset(self, text: &[u8], offset: usize) -> Self {
        let prefix = text.get(..offset).unwrap_or(text);
        let last_line = prefix.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = prefix.iter().filter(|byte| **byte == b'\n').count() + 1;
        Error { line: Some(line), column: Some(String::from_utf8_lossy(last_line).chars().count() + 1), ..self }
    }

    /// Converts an error of the JSON parser. For a value of the wrong type, the message names its member.
    pub(crate) fn from_json(error: &serde_json::Error, json: &str) -> Self {
        let text = error.to_string();
        let position = format!(" at line {} column {}", error.line(), error.column());
        let cause = text.strip_suffix(&position).unwrap_or(&text);
        let message = if error.is_data() {
            match json_path_at(json, error.line(), error.column()) {
                path if path.is_empty() => cause.to_owned(),
                path => format!("`{}`: {cause}", shorten(&path)),
            }
        } else {
            format!("invalid JSON: {cause}")
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

/// Returns the path of the member that ends at a position, such as `log.entries[0].url`; empty for the whole document.
/// The text up to the position must be valid JSON.
fn json_path_at(json: &str, line: usize, column: usize) -> String {
    let line_start: usize = json.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let prefix = json.get(..line_start + column).unwrap_or(json);
    let mut segments: Vec<PathSegment<'_>> = Vec::new();
    let mut rest = prefix;
    while let Some(next) = rest.find(['"', '{', '[', '}', ']', ',']) {
        let (delimiter, after) = (rest.as_bytes().get(next), rest.get(next + 1..).unwrap_or_default());
        rest = after;
        match (delimiter, segments.last_mut()) {
            (Some(b'{'), _) => segments.push(PathSegment::Member(None)),
            (Some(b'['), _) => segments.push(PathSegment::Item(0)),
            (Some(b'}' | b']'), _) => _ = segments.pop(),
            (Some(b','), Some(PathSegment::Item(index))) => *index += 1,
            (Some(b','), Some(PathSegment::Member(name))) => *name = None,
            (Some(b'"'), last) => {
                let end = find_string_end(after);
                if let Some(PathSegment::Member(name @ None)) = last {
                    *name = after.get(..end);
                }
                rest = after.get(end + 1..).unwrap_or_default();
            }
            _ => {}
        }
    }
    // All segments share one buffer, because the nesting may be as deep as the text is long.
    let mut path = String::new();
    for segment in segments {
        match segment {
            PathSegment::Member(None) => {}
            PathSegment::Member(Some(name)) => {
                path.push_str(if path.is_empty() { "" } else { "." });
                path.push_str(name);
            }
            PathSegment::Item(index) => path.push_str(&format!("[{index}]")),
        }
    }
    path
}

/// An object or array that is open at a position.
enum PathSegment<'a> {
    /// The name of the current member; `None` until it is read.
    Member(Option<&'a str>),
    /// The index of the current item.
    Item(usize),
}

/// Returns the offset of the quote that closes a string. The text begins after the opening quote.
fn find_string_end(text: &str) -> usize {
    let mut is_escaped = false;
    let is_end = |byte: u8| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    };
    text.bytes().position(is_end).unwrap_or(text.len())
}

/// The maximum number of characters of the input that a message shows.
const MAX_EXCERPT_CHARS: usize = 60;

/// Returns the first [`MAX_EXCERPT_CHARS`] characters of a text, with control characters replaced.
pub(crate) fn shorten(text: &str) -> String {
    let visible = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut start: String = text.chars().take(MAX_EXCERPT_CHARS).map(visible).collect();
    if text.chars().nth(MAX_EXCERPT_CHARS).is_some() {
        start.push('…');
    }
    start
}
