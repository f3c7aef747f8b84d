//! One log line: a JSON object, of which only some members are wanted.
//!
//! The whole line is held against JSON, whatever is wanted of it: a line that breaks after the last
//! wanted member is no line. Nothing is copied, and nothing recurses.

mod plain;
mod scan;
mod text;
mod value;

use crate::datasets::Field;
use scan::{Name, Scanner};
use std::fmt;
pub(crate) use text::Text;
pub(crate) use value::{Element, Found, elements};

/// Deepest nesting of objects and arrays in a line, its own object included.
pub const MAX_LINE_DEPTH: u32 = 127;

/// Why a line cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// What is wrong, in one line.
    pub message: String,
    /// Where: a byte of the line.
    pub offset: usize,
}

impl LineError {
    pub(crate) fn new(offset: usize, message: impl Into<String>) -> LineError {
        LineError { message: message.into(), offset }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.message, self.offset)
    }
}

impl std::error::Error for LineError {}

/// The fields that are wanted of lines, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Projection {
    fields: Vec<&'static Field>,
    /// A bit for each length of a name; the last one also for all longer ones.
    lengths: u64,
    /// The places of the fields whose names have as many bytes as the index says.
    by_length: Vec<Vec<usize>>,
}

impl Projection {
    /// The place of a field, which is added when it is new.
    pub(crate) fn place(&mut self, field: &'static Field) -> usize {
        if let Some(place) = self.fields.iter().position(|other| other.name == field.name) {
            return place;
        }
        let (place, length) = (self.fields.len(), field.name.len());
        self.lengths |= 1 << length.min(63);
        self.fields.push(field);
        if self.by_length.len() <= length {
            self.by_length.resize(length + 1, Vec::new());
        }
        if let Some(places) = self.by_length.get_mut(length) {
            places.push(place);
        }
        place
    }

    /// The fields, by their places.
    pub(crate) fn fields(&self) -> &[&'static Field] {
        &self.fields
    }

    #[inline]
    fn find(&self, name: &Name<'_>) -> Option<usize> {
        if name.escaped {
            let text = std::str::from_utf8(name.raw).unwrap_or_default();
            return self.place_of(Text::between_quotes(text).read().as_bytes());
        }
        if self.lengths >> name.raw.len().min(63) & 1 == 0 { None } else { self.place_of(name.raw) }
    }

    fn place_of(&self, name: &[u8]) -> Option<usize> {
        let places = self.by_length.get(name.len())?.iter().copied();
        places.into_iter().find(|place| self.fields.get(*place).is_some_and(|field| field.name.as_bytes() == name))
    }
}

/// What a line has in the place of a wanted field.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slot<'a> {
    /// Its value, read by its type.
    pub(crate) found: Found<'a>,
    /// Its JSON text; empty when the member is missing.
    pub(crate) json: &'a str,
    offset: usize,
}

/// Reads the wanted fields of a line, in the order of their places. Of members that have one name, the
/// last counts; `null` counts as missing (assumption log-lines).
///
/// # Errors
/// When the line is no JSON object, or a wanted field is not of its type.
pub(crate) fn read<'a>(line: &'a [u8], wanted: &Projection) -> Result<Vec<Slot<'a>>, LineError> {
    let mut slots = find(line, wanted)?;
    for (slot, field) in slots.iter_mut().zip(&wanted.fields) {
        if !slot.json.is_empty() {
            slot.found = value::read(field, slot.json, slot.offset)?;
        }
    }
    Ok(slots)
}

/// Finds the wanted fields of a line without reading their values: only their JSON text is there, which
/// may be of any type.
///
/// # Errors
/// When the line is no JSON object.
pub(crate) fn find<'a>(line: &'a [u8], wanted: &Projection) -> Result<Vec<Slot<'a>>, LineError> {
    let mut slots = vec![Slot::default(); wanted.fields.len()];
    let mut scanner = Scanner::new(line);
    if members(&mut scanner, wanted, &mut slots).is_none() {
        return Err(scanner.problem());
    }
    Ok(slots)
}

/// Goes over the members of a line; the scanner says what is wrong.
#[inline(always)]
fn members<'a>(line: &mut Scanner<'a>, wanted: &Projection, slots: &mut [Slot<'a>]) -> Option<()> {
    line.open_object()?;
    if !line.skip_if(b'}') {
        loop {
            let name = line.name()?;
            let value = line.value()?;
            if let Some(slot) = wanted.find(&name).and_then(|place| slots.get_mut(place)) {
                let json = std::str::from_utf8(line.bytes(value)).unwrap_or_default();
                *slot = Slot { found: Found::Missing, json, offset: value.start };
            }
            if !line.next_member()? {
                break;
            }
        }
    }
    line.end()
}
