//! Values, and the record of fields that an expression is evaluated on.

use crate::{
    Container, ListKind, Scalar, Type,
    functions::random,
    schema::{self, FIELDS, RANDOM_SEED},
    sets::List,
};
use std::{collections::BTreeMap, fmt, net::IpAddr};

/// The index of a field in [`FIELDS`], and of its slot in a record.
pub(crate) type FieldIndex = u8;

/// As many slots as there are indexes, so that looking one up needs no check.
const SLOT_COUNT: usize = 1 << FieldIndex::BITS;
const _: () = assert!(FIELDS.len() <= SLOT_COUNT);

/// A value of the language.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Text or bytes; they need not be UTF-8.
    Text(Vec<u8>),
    /// 64-bit signed integer.
    Integer(i64),
    /// Address.
    Ip(IpAddr),
    /// True or false.
    Boolean(bool),
    /// Numbered elements, all of one type.
    Array(Vec<Value>),
    /// Elements by name, all of one type.
    Map(BTreeMap<Vec<u8>, Value>),
}

impl Value {
    /// Whether it is of this type, to its last element.
    pub fn is(&self, ty: Type) -> bool {
        match (self, ty.container()) {
            (Value::Array(elements), Some(Container::Array)) => elements.iter().all(|value| value.is(ty.element())),
            (Value::Map(elements), Some(Container::Map)) => elements.values().all(|value| value.is(ty.element())),
            (Value::Text(_), None) => matches!(ty.scalar, Scalar::String | Scalar::Bytes),
            (Value::Integer(_), None) => ty.scalar == Scalar::Integer,
            (Value::Ip(_), None) => ty.scalar == Scalar::Ip,
            (Value::Boolean(_), None) => ty.scalar == Scalar::Boolean,
            _ => false,
        }
    }
}

/// What a field stands for that a record does not give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// It may have any value: the answer may be unknown.
    #[default]
    Unknown,
    /// The request has no such value: a comparison with it is false.
    Absent,
}

impl Missing {
    /// Both of them.
    pub const ALL: [Missing; 2] = [Missing::Unknown, Missing::Absent];

    /// The name used in options.
    pub fn name(self) -> &'static str {
        match self {
            Missing::Unknown => "unknown",
            Missing::Absent => "absent",
        }
    }

    /// The one of this [`name`](Missing::name).
    pub fn from_name(name: &str) -> Option<Missing> {
        Missing::ALL.into_iter().find(|missing| missing.name() == name)
    }
}

/// Why a record was not given a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// No field has this name.
    UnknownField(String),
    /// The value is not of the field's type.
    WrongType {
        /// The field.
        field: &'static str,
        /// Its type.
        expected: Type,
    },
    /// An item of a list is not of the list's kind.
    ListItem {
        /// The list, without `$`.
        list: String,
        /// What its items are.
        kind: ListKind,
        /// The item.
        item: String,
    },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::UnknownField(name) => write!(f, "no field is named `{name}`"),
            RecordError::WrongType { field, expected } => write!(f, "`{field}` is {expected}"),
            RecordError::ListItem { list, kind, item } => {
                write!(f, "`{item}` of the list `${list}` is no {} item", kind.name())
            }
        }
    }
}

impl std::error::Error for RecordError {}

/// What is known of a field.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Slot {
    /// Nothing: what [`Missing`] says.
    #[default]
    NotGiven,
    /// The request has no such value.
    Absent,
    /// This value.
    Given(Value),
}

/// What is known of one request: fields with their values, the named lists, and a seed for what is
/// random.
#[derive(Clone, Debug)]
pub struct Record {
    /// One for each of [`FIELDS`], in its order; the rest stay empty.
    slots: Box<[Slot; SLOT_COUNT]>,
    missing: Missing,
    lists: BTreeMap<String, List>,
    seed: u64,
}

/// An item of a named list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListItem {
    /// First and last address.
    Addresses(IpAddr, IpAddr),
    /// A host name; one that begins with `*.` stands for all names below it.
    Hostname(Vec<u8>),
    /// The number of an autonomous system.
    Asn(i64),
}

impl Default for Record {
    fn default() -> Self {
        Record::new(Missing::Unknown)
    }
}

impl Record {
    /// A record that gives no field yet.
    pub fn new(missing: Missing) -> Self {
        Record { slots: Box::new([const { Slot::NotGiven }; SLOT_COUNT]), missing, lists: BTreeMap::new(), seed: 0 }
    }

    /// What fields stand for that it does not give.
    pub fn missing(&self) -> Missing {
        self.missing
    }

    /// Says what fields stand for that it does not give.
    pub fn set_missing(&mut self, missing: Missing) {
        self.missing = missing;
    }

    /// Gives a field its value.
    ///
    /// # Errors
    /// When no field has the name, or the value is not of its type.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), RecordError> {
        let field = schema::field(name).ok_or_else(|| RecordError::UnknownField(name.to_owned()))?;
        if !value.is(field.ty) {
            return Err(RecordError::WrongType { field: field.name, expected: field.ty });
        }
        self.put(name, Slot::Given(value));
        Ok(())
    }

    /// Says that the request has no value for a field.
    ///
    /// # Errors
    /// When no field has the name.
    pub fn set_absent(&mut self, name: &str) -> Result<(), RecordError> {
        schema::field(name).ok_or_else(|| RecordError::UnknownField(name.to_owned()))?;
        self.put(name, Slot::Absent);
        Ok(())
    }

    /// The value of a field, if it is given.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self.slot(index_of(name)?) {
            Slot::Given(value) => Some(value),
            Slot::Absent | Slot::NotGiven => None,
        }
    }

    /// The fields that are given, in the order of their names; `None` for one that is absent.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, Option<&Value>)> {
        FIELDS.iter().zip(self.slots.iter()).filter_map(|(field, slot)| match slot {
            Slot::Given(value) => Some((field.name, Some(value))),
            Slot::Absent => Some((field.name, None)),
            Slot::NotGiven => None,
        })
    }

    /// Gives a named list its items. A list that is not given is unknown or empty, as
    /// [`missing`](Record::missing) says. It is prepared for searching when it is first asked; copies
    /// of the record share that.
    pub fn set_list(&mut self, name: &str, items: Vec<ListItem>) {
        self.lists.insert(name.to_owned(), List::new(items));
    }

    /// The items of a named list.
    pub fn list(&self, name: &str) -> Option<&[ListItem]> {
        self.named(name).map(List::items)
    }

    /// The named lists that are given, with their items, in the order of their names.
    pub fn lists(&self) -> impl Iterator<Item = (&str, &[ListItem])> {
        self.lists.iter().map(|(name, list)| (name.as_str(), list.items()))
    }

    /// A named list, to be searched.
    pub(crate) fn named(&self, name: &str) -> Option<&List> {
        self.lists.get(name)
    }

    /// The seed of everything random.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Says what everything random is made from: `cf.random_seed` is given its bytes, unless
    /// something else was said of it.
    pub fn set_seed(&mut self, seed: u64) {
        let bytes = |seed| Value::Text(random::bytes(seed).to_vec());
        let ours = match index_of(RANDOM_SEED).map(|index| self.slot(index)) {
            Some(Slot::Given(before)) => *before == bytes(self.seed),
            slot => slot == Some(&Slot::NotGiven),
        };
        if ours {
            self.put(RANDOM_SEED, Slot::Given(bytes(seed)));
        }
        self.seed = seed;
    }

    /// What is known of a field.
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "there is a slot for every index")]
    pub(crate) fn slot(&self, index: FieldIndex) -> &Slot {
        &self.slots[usize::from(index)]
    }

    fn put(&mut self, name: &str, slot: Slot) {
        if let Some(given) = index_of(name).and_then(|index| self.slots.get_mut(usize::from(index))) {
            *given = slot;
        }
    }
}

/// The index of the field of this name.
pub(crate) fn index_of(name: &str) -> Option<FieldIndex> {
    FIELDS.binary_search_by(|field| field.name.cmp(name)).ok().and_then(|index| FieldIndex::try_from(index).ok())
}
