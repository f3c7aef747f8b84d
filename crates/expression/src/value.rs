//! Values of the language, and items of named lists.
//!
//! [`Value`] is a value of any type. Records store values, and functions take and return them.

use crate::{Container, Scalar, Type};
use std::{collections::BTreeMap, net::IpAddr};

/// A value of the language.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A string or bytes, not necessarily UTF-8.
    Text(Vec<u8>),
    /// A 64-bit signed integer.
    Integer(i64),
    /// An IP address.
    Ip(IpAddr),
    /// A Boolean.
    Boolean(bool),
    /// An array whose elements have one type.
    Array(Vec<Value>),
    /// A map from keys to values of one type.
    Map(BTreeMap<Vec<u8>, Value>),
}

impl Value {
    /// Returns whether the value has this type, including every element.
    pub fn has_type(&self, ty: Type) -> bool {
        match (self, ty.container()) {
            (Value::Array(elements), Some(Container::Array)) => {
                elements.iter().all(|value| value.has_type(ty.element()))
            }
            (Value::Map(elements), Some(Container::Map)) => elements.values().all(|value| value.has_type(ty.element())),
            (Value::Text(_), None) => matches!(ty.scalar, Scalar::String | Scalar::Bytes),
            (Value::Integer(_), None) => ty.scalar == Scalar::Integer,
            (Value::Ip(_), None) => ty.scalar == Scalar::Ip,
            (Value::Boolean(_), None) => ty.scalar == Scalar::Boolean,
            _ => false,
        }
    }
}

/// An item of a named list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListItem {
    /// The first and last address of an inclusive range.
    Addresses(IpAddr, IpAddr),
    /// A hostname. A hostname that begins with `*.` matches every subdomain of the rest.
    Hostname(Vec<u8>),
    /// The number of an autonomous system.
    Asn(i64),
}
