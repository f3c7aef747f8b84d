//! The record of one request.
//!
//! [`Record`] stores field values by their index in [`FIELDS`], named lists and the random seed. Invariant: a stored
//! value always has the type of its field, because [`Record::set`] checks it.

use crate::{
    ListItem, ListKind, Type, Value,
    functions::random,
    schema::{self, FIELDS, RANDOM_SEED},
    sets::NamedList,
};
use std::{collections::BTreeMap, fmt};

/// The index of a field in [`FIELDS`], and of its slot in a record.
pub(crate) type FieldIndex = u8;

/// The number of slots: one for every possible index, so that a lookup needs no bounds check.
const SLOT_COUNT: usize = 1 << FieldIndex::BITS;
const _: () = assert!(FIELDS.len() <= SLOT_COUNT);

/// The meaning of a field that the record does not provide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingPolicy {
    /// The field may have any value, so the result may be unknown.
    #[default]
    Unknown,
    /// The request has no such value, so every comparison with it is false.
    Absent,
}

impl MissingPolicy {
    /// Both variants.
    pub const ALL: [MissingPolicy; 2] = [MissingPolicy::Unknown, MissingPolicy::Absent];

    /// Returns the name that options use.
    pub fn name(self) -> &'static str {
        match self {
            MissingPolicy::Unknown => "unknown",
            MissingPolicy::Absent => "absent",
        }
    }

    /// Returns the variant with this [`name`](MissingPolicy::name).
    pub fn from_name(name: &str) -> Option<MissingPolicy> {
        MissingPolicy::ALL.into_iter().find(|policy| policy.name() == name)
    }
}

/// The reason why a record rejects a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// No field has this name.
    UnknownField(String),
    /// The value does not have the type of the field.
    WrongType {
        /// The name of the field.
        field: &'static str,
        /// The type of the field.
        expected: Type,
    },
    /// A list item does not have the kind of the list.
    ListItem {
        /// The name of the list, without `$`.
        list: String,
        /// The kind of the list.
        kind: ListKind,
        /// The rejected item.
        item: String,
    },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::UnknownField(name) => write!(f, "unknown field `{name}`"),
            RecordError::WrongType { field, expected } => write!(f, "`{field}` must be of type {expected}"),
            RecordError::ListItem { list, kind, item } => {
                write!(f, "`{item}` is not a valid item of the {} list `${list}`", kind.name())
            }
        }
    }
}

impl std::error::Error for RecordError {}

/// The state of a field in a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Slot {
    /// The record does not provide the field; [`MissingPolicy`] decides its meaning.
    #[default]
    Unset,
    /// The request has no such value.
    Missing,
    /// The request has this value.
    Set(Value),
}

/// The facts about one request: field values, named lists, and the seed of random values.
#[derive(Clone, Debug)]
pub struct Record {
    /// One slot for each of [`FIELDS`], in the same order; the remaining slots stay [`Slot::Unset`].
    slots: Box<[Slot; SLOT_COUNT]>,
    missing_policy: MissingPolicy,
    lists: BTreeMap<String, NamedList>,
    seed: u64,
}

impl Default for Record {
    fn default() -> Self {
        Record::new(MissingPolicy::Unknown)
    }
}

impl Record {
    /// Creates a record that provides no field.
    pub fn new(missing_policy: MissingPolicy) -> Self {
        Record { slots: Box::new([const { Slot::Unset }; SLOT_COUNT]), missing_policy, lists: BTreeMap::new(), seed: 0 }
    }

    /// Returns the meaning of fields that the record does not provide.
    pub fn missing_policy(&self) -> MissingPolicy {
        self.missing_policy
    }

    /// Sets the meaning of fields that the record does not provide.
    pub fn set_missing_policy(&mut self, missing_policy: MissingPolicy) {
        self.missing_policy = missing_policy;
    }

    /// Sets the value of a field.
    ///
    /// # Errors
    ///
    /// Returns an error if no field has the name, or if the value does not have the type of the field.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), RecordError> {
        let field = schema::field(name).ok_or_else(|| RecordError::UnknownField(name.to_owned()))?;
        if !value.has_type(field.ty) {
            return Err(RecordError::WrongType { field: field.name, expected: field.ty });
        }
        self.set_slot(name, Slot::Set(value));
        Ok(())
    }

    /// Marks a field as absent from the request.
    ///
    /// # Errors
    ///
    /// Returns an error if no field has the name.
    pub fn set_absent(&mut self, name: &str) -> Result<(), RecordError> {
        schema::field(name).ok_or_else(|| RecordError::UnknownField(name.to_owned()))?;
        self.set_slot(name, Slot::Missing);
        Ok(())
    }

    /// Removes the value of a field, so that the record no longer provides it. Does nothing if no field has the name.
    pub fn unset(&mut self, name: &str) {
        self.set_slot(name, Slot::Unset);
    }

    /// Returns the value of a field, if the record provides one.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self.slot(index_of(name)?) {
            Slot::Set(value) => Some(value),
            Slot::Missing | Slot::Unset => None,
        }
    }

    /// Iterates over the fields that the record provides or marks as absent (`None`), in the order of their names.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, Option<&Value>)> {
        FIELDS.iter().zip(self.slots.iter()).filter_map(|(field, slot)| match slot {
            Slot::Set(value) => Some((field.name, Some(value))),
            Slot::Missing => Some((field.name, None)),
            Slot::Unset => None,
        })
    }

    /// Sets the items of a named list.
    ///
    /// A list that was not set is unknown or empty, depending on [`missing_policy`](Record::missing_policy). The first
    /// lookup builds the search index of a list, and clones of the record share it.
    pub fn set_list(&mut self, name: &str, items: Vec<ListItem>) {
        self.lists.insert(name.to_owned(), NamedList::new(items));
    }

    /// Returns the items of a named list.
    pub fn list(&self, name: &str) -> Option<&[ListItem]> {
        self.named_list(name).map(NamedList::items)
    }

    /// Iterates over the named lists of the record with their items, in the order of their names.
    pub fn lists(&self) -> impl Iterator<Item = (&str, &[ListItem])> {
        self.lists.iter().map(|(name, list)| (name.as_str(), list.items()))
    }

    /// Returns a named list in its searchable form.
    pub(crate) fn named_list(&self, name: &str) -> Option<&NamedList> {
        self.lists.get(name)
    }

    /// Returns the seed of random values.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Sets the seed of random values.
    ///
    /// `cf.random_seed` gets the bytes of the seed, unless the record already has another value for that field or marks
    /// it as absent.
    pub fn set_seed(&mut self, seed: u64) {
        let bytes = |seed| Value::Text(random::seed_bytes(seed).to_vec());
        let is_derived = match index_of(RANDOM_SEED).map(|index| self.slot(index)) {
            Some(Slot::Set(before)) => *before == bytes(self.seed),
            slot => slot == Some(&Slot::Unset),
        };
        if is_derived {
            self.set_slot(RANDOM_SEED, Slot::Set(bytes(seed)));
        }
        self.seed = seed;
    }

    /// Returns the state of a field.
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "there is a slot for every index")]
    pub(crate) fn slot(&self, index: FieldIndex) -> &Slot {
        &self.slots[usize::from(index)]
    }

    fn set_slot(&mut self, name: &str, slot: Slot) {
        if let Some(target) = index_of(name).and_then(|index| self.slots.get_mut(usize::from(index))) {
            *target = slot;
        }
    }
}

/// Returns the index of the field with this name.
pub(crate) fn index_of(name: &str) -> Option<FieldIndex> {
    FIELDS.binary_search_by(|field| field.name.cmp(name)).ok().and_then(|index| FieldIndex::try_from(index).ok())
}
