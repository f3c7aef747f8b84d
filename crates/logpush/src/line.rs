//! Reads the projected fields of one log line, which is a JSON object.
//!
//! [`Projection`] names the fields, and [`Slot`] has the value of one of them. The whole line is validated as JSON,
//! independent of the projection: an error after the last projected member makes the line invalid. Scanning copies
//! nothing and does not recurse.

mod plain;
mod scan;
mod text;
mod value;

use crate::datasets::Field;
use scan::{Name, Scanner};
use std::fmt;
pub(crate) use text::RawString;
pub(crate) use value::{Element, FieldValue, elements};

/// The maximum nesting depth of objects and arrays in a line, including the outermost object.
pub const MAX_LINE_DEPTH: u32 = 127;

/// An error in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// The message, in one line.
    pub message: String,
    /// The byte offset in the line.
    pub offset: usize,
    column: Option<usize>,
}

impl LineError {
    /// Creates an error at an offset of `line`.
    pub(crate) fn new(line: &[u8], offset: usize, message: impl Into<String>) -> LineError {
        let prefix = line.get(..offset).unwrap_or(line);
        let column = (!line.trim_ascii().is_empty()).then(|| String::from_utf8_lossy(prefix).chars().count() + 1);
        LineError { message: message.into(), offset, column }
    }

    /// Returns the column in characters, from 1; `None` for an empty line.
    pub fn column(&self) -> Option<usize> {
        self.column
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(f, "column {column}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for LineError {}

/// The fields to read from lines, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Projection {
    fields: Vec<&'static Field>,
    /// A bit set of the lengths of names in bytes; bit 63 also stands for all longer names.
    lengths: u64,
    /// The slot indexes of the fields, grouped by the length of their names in bytes.
    by_length: Vec<Vec<usize>>,
}

impl Projection {
    /// Returns the slot index of a field, and adds the field if it is new.
    pub(crate) fn insert(&mut self, field: &'static Field) -> usize {
        if let Some(slot_index) = self.fields.iter().position(|other| other.name == field.name) {
            return slot_index;
        }
        let (slot_index, length) = (self.fields.len(), field.name.len());
        self.lengths |= 1 << length.min(63);
        self.fields.push(field);
        if self.by_length.len() <= length {
            self.by_length.resize(length + 1, Vec::new());
        }
        if let Some(slot_indexes) = self.by_length.get_mut(length) {
            slot_indexes.push(slot_index);
        }
        slot_index
    }

    /// Returns the fields in the order of their slots.
    pub(crate) fn fields(&self) -> &[&'static Field] {
        &self.fields
    }

    #[inline]
    fn find_slot(&self, name: &Name<'_>) -> Option<usize> {
        if name.has_escapes {
            let text = std::str::from_utf8(name.raw).unwrap_or_default();
            return self.index_of(RawString::from_content(text).decode().as_bytes());
        }
        if self.lengths >> name.raw.len().min(63) & 1 == 0 { None } else { self.index_of(name.raw) }
    }

    fn index_of(&self, name: &[u8]) -> Option<usize> {
        let slot_indexes = self.by_length.get(name.len())?.iter().copied();
        slot_indexes
            .into_iter()
            .find(|slot_index| self.fields.get(*slot_index).is_some_and(|field| field.name.as_bytes() == name))
    }
}

/// The value of one projected field.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slot<'a> {
    /// The typed value.
    pub(crate) value: FieldValue<'a>,
    /// The JSON text; empty if the line lacks the member.
    pub(crate) json: &'a str,
    offset: usize,
}

/// Reads the projected fields of a line, in the order of their slots. Of duplicate members, the last counts; `null`
/// counts as missing (assumption log-lines).
///
/// # Errors
///
/// Returns an error if the line is not a JSON object, or if a projected field does not have its type.
pub(crate) fn read_fields<'a>(line: &'a [u8], projection: &Projection) -> Result<Vec<Slot<'a>>, LineError> {
    let mut slots = find_fields(line, projection)?;
    for (slot, field) in slots.iter_mut().zip(&projection.fields) {
        if !slot.json.is_empty() {
            slot.value =
                value::parse_value(field, slot.json).map_err(|message| LineError::new(line, slot.offset, message))?;
        }
    }
    Ok(slots)
}

/// Finds the projected fields of a line without typing them: only their JSON texts are set, of any type.
///
/// # Errors
///
/// Returns an error if the line is not a JSON object.
pub(crate) fn find_fields<'a>(line: &'a [u8], projection: &Projection) -> Result<Vec<Slot<'a>>, LineError> {
    let mut slots = vec![Slot::default(); projection.fields.len()];
    let mut scanner = Scanner::new(line);
    if scan_members(&mut scanner, projection, &mut slots).is_none() {
        return Err(scanner.into_error());
    }
    Ok(slots)
}

/// Scans the members of a line. On `None`, the scanner has the error.
#[inline(always)]
fn scan_members<'a>(scanner: &mut Scanner<'a>, projection: &Projection, slots: &mut [Slot<'a>]) -> Option<()> {
    scanner.open_object()?;
    if !scanner.skip_if(b'}') {
        loop {
            let name = scanner.scan_name()?;
            let value = scanner.scan_value()?;
            if let Some(slot) = projection.find_slot(&name).and_then(|slot_index| slots.get_mut(slot_index)) {
                let json = std::str::from_utf8(scanner.bytes(value)).unwrap_or_default();
                *slot = Slot { value: FieldValue::Missing, json, offset: value.start };
            }
            if !scanner.next_member()? {
                break;
            }
        }
    }
    scanner.expect_end()
}
