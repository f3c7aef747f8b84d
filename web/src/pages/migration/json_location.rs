//! Locates JSON pointers in a text, and lists errors with links to their lines and columns.

use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use leptos::html::Textarea;
use leptos::prelude::*;
use zonewright_api::ValidationError;
use zonewright_api::json::JsonError;
use zonewright_diagnostic::{Utf16Offsets, position_at};

/// Largest number of errors that are shown; the others are only counted.
const MAX_ISSUES: usize = 50;

/// An error or a warning about a JSON text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct JsonIssue {
    /// The JSON pointer to the value; empty for the whole text.
    pointer: String,
    message: String,
    /// The byte offset of the error; `None` if the pointer locates it.
    offset: Option<usize>,
}

impl JsonIssue {
    /// Converts validation errors.
    pub(super) fn from_validation_errors(errors: Vec<ValidationError>) -> Vec<JsonIssue> {
        let issue = |ValidationError { pointer, message, .. }| JsonIssue { pointer, message, offset: None };
        errors.into_iter().map(issue).collect()
    }

    /// Creates the error of a text that is not JSON or that repeats a member. The text starts at the byte offset
    /// `start` of the text that the errors are about.
    pub(super) fn from_json_error(error: JsonError, start: usize) -> JsonIssue {
        let JsonError { message, duplicate, offset, .. } = error;
        match duplicate {
            Some(pointer) => JsonIssue { pointer, message, offset: Some(start + offset) },
            None => JsonIssue::at_offset(start + offset, format!("this is not JSON: {message}")),
        }
    }

    /// Creates an error or a warning about the value at a JSON pointer.
    pub(super) fn at_pointer(pointer: &str, message: String) -> JsonIssue {
        JsonIssue { pointer: pointer.to_owned(), message, offset: None }
    }

    /// Creates an error at a byte offset of a text.
    pub(super) fn at_offset(offset: usize, message: String) -> JsonIssue {
        JsonIssue { pointer: String::new(), message, offset: Some(offset) }
    }
}

/// A list of errors with their positions in a text.
#[component]
pub(super) fn IssueList(
    /// The errors.
    issues: Vec<JsonIssue>,
    /// The text.
    text: String,
    /// The field that contains the text.
    area: NodeRef<Textarea>,
    /// The icon of each error.
    #[prop(default = Icon::Error)]
    icon: Icon,
) -> impl IntoView {
    let more = issues.len().saturating_sub(MAX_ISSUES);
    let visible: Vec<JsonIssue> = issues.into_iter().take(MAX_ISSUES).collect();
    let pointers: Vec<&str> = visible.iter().map(|issue| issue.pointer.as_str()).collect();
    let offsets = locate(&text, &pointers);
    let rows = visible.iter().zip(offsets).map(|(issue, fallback)| {
        let byte_offset = issue.offset.unwrap_or(fallback);
        let position = position_at(&text, byte_offset);
        let label = format!("Line {}, column {}", position.line, position.column);
        let offset = u32::try_from(Utf16Offsets::new(&text).byte_to_utf16(byte_offset)).unwrap_or(u32::MAX);
        let (pointer, message) = (issue.pointer.clone(), issue.message.clone());
        view! {
            <li class="json-error">
                <IconView icon />
                <span>
                    <button type="button" class="link" on:click=move |_| move_cursor(area, offset, position.line)>{label}</button>
                    {(!pointer.is_empty()).then(|| view! { ", " <code>{pointer}</code> })}
                    ": " <InlineCode text=message />
                </span>
            </li>
        }
    });
    let rows = rows.collect_view();
    view! {
        <ul class="json-errors">{rows}</ul>
        {(more > 0).then(|| view! { <p class="quiet">{format!("and {more} more")}</p> })}
    }
}

/// Moves the cursor to an offset and scrolls to its line, because browsers do not scroll a text area to its cursor.
fn move_cursor(area: NodeRef<Textarea>, offset: u32, line: usize) {
    let Some(area) = area.get_untracked() else { return };
    drop(area.focus());
    drop(area.set_selection_range(offset, offset));
    let lines = area.value().split('\n').count().max(1);
    let height = f64::from(area.scroll_height()) * line.saturating_sub(1) as f64 / lines as f64;
    // A third of the visible lines remains above the cursor.
    area.set_scroll_top((height - f64::from(area.client_height()) / 3.0) as i32);
}

/// Returns the byte offset of the value of each pointer. A missing value is located at the innermost existing value
/// that should contain it. The text is read once. In a text that is not JSON, the offsets are approximate.
fn locate(text: &str, pointers: &[&str]) -> Vec<usize> {
    let unescape = |token: &str| token.replace("~1", "/").replace("~0", "~");
    let cursors: Vec<PointerCursor> = pointers
        .iter()
        .enumerate()
        .map(|(index, pointer)| PointerCursor {
            index,
            path: pointer.split('/').skip(1).map(unescape).collect(),
            depth: 0,
        })
        .collect();
    let mut locator = PointerLocator { text: text.as_bytes(), offset: 0, offsets: vec![0; pointers.len()] };
    locator.read_value(cursors);
    locator.offsets
}

/// A pointer, with the number of its tokens that were followed.
struct PointerCursor {
    index: usize,
    path: Vec<String>,
    depth: usize,
}

struct PointerLocator<'a> {
    text: &'a [u8],
    offset: usize,
    offsets: Vec<usize>,
}

impl PointerLocator<'_> {
    /// Reads a value, to which the followed tokens of `cursors` lead. The recursion is bounded by the number of tokens.
    fn read_value(&mut self, mut cursors: Vec<PointerCursor>) {
        self.skip_whitespace();
        for cursor in &cursors {
            if let Some(offset) = self.offsets.get_mut(cursor.index) {
                *offset = self.offset;
            }
        }
        cursors.retain(|cursor| cursor.depth < cursor.path.len());
        match self.peek() {
            Some(b'{') if !cursors.is_empty() => self.read_items(cursors, true),
            Some(b'[') if !cursors.is_empty() => self.read_items(cursors, false),
            _ => self.skip_value(),
        }
    }

    /// Reads the items of an object or an array.
    fn read_items(&mut self, mut cursors: Vec<PointerCursor>, is_object: bool) {
        self.offset += 1;
        for count in 0_usize.. {
            self.skip_whitespace();
            if matches!(self.peek(), None | Some(b'}' | b']')) {
                break;
            }
            let name = if is_object { self.read_name() } else { count.to_string() };
            let is_followed = |cursor: &PointerCursor| cursor.path.get(cursor.depth) == Some(&name);
            let (mut inner, rest): (Vec<_>, Vec<_>) = cursors.into_iter().partition(is_followed);
            inner.iter_mut().for_each(|cursor| cursor.depth += 1);
            cursors = rest;
            self.read_value(inner);
            self.skip_whitespace();
            if self.peek() != Some(b',') {
                break;
            }
            self.offset += 1;
        }
        self.offset += 1;
    }

    /// Reads the name of a member and its colon.
    fn read_name(&mut self) -> String {
        let start = self.offset;
        self.skip_string();
        let name = self.text.get(start..self.offset).unwrap_or_default();
        self.skip_whitespace();
        self.offset += usize::from(self.peek() == Some(b':'));
        serde_json::from_slice(name).unwrap_or_default()
    }

    /// Skips a value of any depth without recursion.
    fn skip_value(&mut self) {
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => self.skip_string(),
                b'{' | b'[' => {
                    depth += 1;
                    self.offset += 1;
                }
                b'}' | b']' if depth == 0 => return,
                b'}' | b']' => {
                    depth -= 1;
                    self.offset += 1;
                }
                b',' if depth == 0 => return,
                _ => self.offset += 1,
            }
            if depth == 0 && matches!(byte, b'"' | b'}' | b']') {
                return;
            }
        }
    }

    fn skip_string(&mut self) {
        self.offset += 1;
        while let Some(byte) = self.peek() {
            self.offset += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                return;
            }
        }
    }

    fn skip_whitespace(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.offset += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.offset).copied()
    }
}
