//! Builds a record from values at paths, and fills the gaps between the values.
//!
//! Start with [`RecordBuilder`].

use crate::domain::{former_names, is_always_present};
use crate::solve::TermValue;
use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use zonewright_expression::resolved::{Argument, Index, Operand, OperandSource};
use zonewright_expression::schema::{Field, ValueConstraint};
use zonewright_expression::{Container, ListItem, Record, Scalar, Type, Value};

/// The maximum number of elements in an array that exists only because of an index.
const MAX_ELEMENTS: u32 = 1000;

/// The record under construction: fields by name, with the parts that are set.
#[derive(Debug, Default)]
pub(super) struct RecordBuilder {
    fields: BTreeMap<&'static str, (&'static Field, ValueNode)>,
}

/// The parts of one value that are set.
#[derive(Debug, Default)]
struct ValueNode {
    /// Whether the value must be missing.
    is_missing: bool,
    value: Option<Value>,
    elements: BTreeMap<u32, ValueNode>,
    keys: BTreeMap<Vec<u8>, ValueNode>,
    /// Elements whose position does not matter.
    unordered_values: Vec<Value>,
}

impl RecordBuilder {
    /// Sets the value that an operand reads. A call is assumed to return its first field or call argument unchanged,
    /// and an integer is assumed to be the length of an array argument. Evaluation of the record detects a wrong
    /// assumption.
    pub(super) fn insert(&mut self, operand: &Operand, term_value: &TermValue) {
        match &operand.source {
            OperandSource::Field(field) => {
                let field = field.current();
                let (_, mut node) = self.fields.remove(field.name).unwrap_or_else(|| (field, ValueNode::default()));
                node.insert(field.ty, &operand.indexes, term_value);
                self.fields.insert(field.name, (field, node));
            }
            OperandSource::Call(call) => {
                let Some(Argument::Value(argument)) =
                    call.arguments.iter().find(|argument| matches!(argument, Argument::Value(_)))
                else {
                    return;
                };
                self.insert_argument(argument, term_value);
            }
            OperandSource::Invalid => {}
        }
    }

    fn insert_argument(&mut self, argument: &Operand, term_value: &TermValue) {
        let is_set = match argument.source {
            OperandSource::Field(field) => self.fields.contains_key(field.current().name),
            _ => false,
        };
        let term_value = match term_value {
            TermValue::Value(Value::Integer(length)) if argument.ty.container() == Some(Container::Array) => {
                let length = (*length).clamp(0, i64::from(MAX_ELEMENTS));
                TermValue::Value(Value::Array(
                    (0..length).map(|_| typical_value_of_type(argument.ty.element())).collect(),
                ))
            }
            TermValue::Value(value) if !value.has_type(argument.ty) => return,
            term_value => term_value.clone(),
        };
        if !is_set {
            self.insert(argument, &term_value);
        }
    }

    pub(super) fn build(self) -> Record {
        let mut record = Record::default();
        for (field, node) in self.fields.into_values() {
            let mut value = node.build(field.ty);
            if let (true, Some(Value::Map(entries))) = (field.has_named_values(), &mut value) {
                // The request does not have a key without values.
                entries.retain(|_, entry| !matches!(entry, Value::Array(values) if values.is_empty()));
            }
            for name in former_names(field).chain([field.name]) {
                // Setting cannot fail: the name is a field's, and the value has its type.
                let _ = match &value {
                    Some(value) => record.set(name, value.clone()),
                    None => record.set_absent(name),
                };
            }
        }
        record
    }
}

impl ValueNode {
    fn insert(&mut self, ty: Type, indexes: &[Index], term_value: &TermValue) {
        let Some((index, rest)) = indexes.split_first() else {
            match term_value {
                TermValue::Missing => self.is_missing = true,
                TermValue::Value(Value::Array(elements)) => self.unordered_values.extend(elements.iter().cloned()),
                TermValue::Value(value) => self.value = Some(value.clone()),
            }
            return;
        };
        if let (Index::Each, TermValue::Value(Value::Array(values))) = (index, term_value)
            && rest.iter().any(|index| *index != Index::Each)
        {
            // One element for each value, because the index after `[*]` selects one value per element.
            for (number, value) in (0..MAX_ELEMENTS).zip(values) {
                let node = match ty.container() {
                    Some(Container::Map) => self.keys.entry(format!("x{number}").into_bytes()).or_default(),
                    _ => self.elements.entry(number).or_default(),
                };
                node.insert(ty.element(), rest, &TermValue::Value(value.clone()));
            }
            return;
        }
        let node = match (index, ty.container()) {
            (Index::Element(position), _) => self.elements.entry(*position).or_default(),
            (Index::Key(key), _) => self.keys.entry(key.clone().into_bytes()).or_default(),
            (Index::Each, Some(Container::Map)) => self.keys.entry(b"x".to_vec()).or_default(),
            (Index::Each, _) => self.elements.entry(0).or_default(),
        };
        node.insert(ty.element(), rest, term_value);
    }

    /// Builds the value; `None` if it is missing.
    fn build(self, ty: Type) -> Option<Value> {
        let is_empty = self.elements.is_empty() && self.keys.is_empty() && self.unordered_values.is_empty();
        match ty.container() {
            _ if self.is_missing && is_empty => None,
            Some(Container::Array) => Some(Value::Array(self.build_array(ty.element()))),
            Some(Container::Map) => {
                let keys = self.keys.into_iter().filter_map(|(key, node)| Some((key, node.build(ty.element())?)));
                let unordered = self.unordered_values.into_iter().enumerate();
                let unordered = unordered.map(|(number, value)| (format!("x{number}").into_bytes(), value));
                Some(Value::Map(keys.chain(unordered).collect()))
            }
            None => Some(self.value.unwrap_or_else(|| typical_value_of_type(ty))),
        }
    }

    fn build_array(self, ty: Type) -> Vec<Value> {
        let mut array = Vec::new();
        for (position, node) in self.elements.into_iter().filter(|(position, _)| *position < MAX_ELEMENTS) {
            // A missing element needs no elements before it. If there are unordered values, a default value may
            // take its position.
            let value =
                node.build(ty).or_else(|| (!self.unordered_values.is_empty()).then(|| typical_value_of_type(ty)));
            if let Some(value) = value {
                array.resize(position as usize, typical_value_of_type(ty));
                array.push(value);
            }
        }
        array.extend(self.unordered_values);
        array
    }
}

/// Returns a default value of a field; `None` for a field that a request may lack.
pub(super) fn typical_value(field: &'static Field) -> Option<Value> {
    let value = match field.form.constraint() {
        Some(ValueConstraint::Text { example, .. }) => Value::Text(example.as_bytes().to_vec()),
        Some(ValueConstraint::Integers { .. }) | None => typical_value_of_type(field.ty),
    };
    is_always_present(field).then_some(value)
}

fn typical_value_of_type(ty: Type) -> Value {
    match (ty.container(), ty.scalar) {
        (Some(Container::Array), _) => Value::Array(Vec::new()),
        (Some(Container::Map), _) => Value::Map(BTreeMap::new()),
        (None, Scalar::Integer) => Value::Integer(0),
        (None, Scalar::Ip) => Value::Ip(Ipv4Addr::new(192, 0, 2, 1).into()),
        (None, Scalar::Boolean) => Value::Boolean(false),
        (None, Scalar::String | Scalar::Bytes) => Value::Text(Vec::new()),
    }
}

/// Returns the item of a named list that contains one value.
pub(super) fn list_item(value: &Value) -> Option<ListItem> {
    Some(match value {
        Value::Ip(address) => ListItem::Addresses(*address, *address),
        Value::Text(name) => ListItem::Hostname(name.clone()),
        Value::Integer(number) => ListItem::Asn(*number),
        Value::Boolean(_) | Value::Array(_) | Value::Map(_) => return None,
    })
}
