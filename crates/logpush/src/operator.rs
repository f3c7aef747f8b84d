//! The operators of conditions, and the types that support them (documented).

use crate::datasets::FieldType;

/// A comparison operator; its name is case-sensitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `eq`.
    Equal,
    /// `!eq`.
    NotEqual,
    /// `lt`.
    Less,
    /// `leq`.
    LessOrEqual,
    /// `gt`.
    Greater,
    /// `geq`.
    GreaterOrEqual,
    /// `startsWith`.
    StartsWith,
    /// `!startsWith`.
    NotStartsWith,
    /// `endsWith`.
    EndsWith,
    /// `!endsWith`.
    NotEndsWith,
    /// `contains`: a substring of a string, or an element of an array.
    Contains,
    /// `!contains`.
    NotContains,
    /// `in`.
    In,
    /// `!in`.
    NotIn,
}

impl Operator {
    /// All operators, in display order.
    pub const ALL: [Operator; 14] = [
        Operator::Equal,
        Operator::NotEqual,
        Operator::Less,
        Operator::LessOrEqual,
        Operator::Greater,
        Operator::GreaterOrEqual,
        Operator::StartsWith,
        Operator::NotStartsWith,
        Operator::EndsWith,
        Operator::NotEndsWith,
        Operator::Contains,
        Operator::NotContains,
        Operator::In,
        Operator::NotIn,
    ];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Equal => "eq",
            Operator::NotEqual => "!eq",
            Operator::Less => "lt",
            Operator::LessOrEqual => "leq",
            Operator::Greater => "gt",
            Operator::GreaterOrEqual => "geq",
            Operator::StartsWith => "startsWith",
            Operator::NotStartsWith => "!startsWith",
            Operator::EndsWith => "endsWith",
            Operator::NotEndsWith => "!endsWith",
            Operator::Contains => "contains",
            Operator::NotContains => "!contains",
            Operator::In => "in",
            Operator::NotIn => "!in",
        }
    }

    /// Returns the operator of this [`name`](Operator::name).
    pub fn from_name(name: &str) -> Option<Operator> {
        Operator::ALL.into_iter().find(|operator| operator.name() == name)
    }

    /// Returns the operator without its `!`, or itself.
    pub fn without_negation(self) -> Operator {
        match self {
            Operator::NotEqual => Operator::Equal,
            Operator::NotStartsWith => Operator::StartsWith,
            Operator::NotEndsWith => Operator::EndsWith,
            Operator::NotContains => Operator::Contains,
            Operator::NotIn => Operator::In,
            positive => positive,
        }
    }

    /// Returns the operator that is true exactly when this one is false; every operator has one.
    pub fn negation(self) -> Operator {
        match self {
            Operator::Equal => Operator::NotEqual,
            Operator::NotEqual => Operator::Equal,
            Operator::Less => Operator::GreaterOrEqual,
            Operator::LessOrEqual => Operator::Greater,
            Operator::Greater => Operator::LessOrEqual,
            Operator::GreaterOrEqual => Operator::Less,
            Operator::StartsWith => Operator::NotStartsWith,
            Operator::NotStartsWith => Operator::StartsWith,
            Operator::EndsWith => Operator::NotEndsWith,
            Operator::NotEndsWith => Operator::EndsWith,
            Operator::Contains => Operator::NotContains,
            Operator::NotContains => Operator::Contains,
            Operator::In => Operator::NotIn,
            Operator::NotIn => Operator::In,
        }
    }

    /// Returns whether the name starts with `!`.
    pub fn is_negated(self) -> bool {
        self.without_negation() != self
    }

    /// Returns whether the operator takes a list.
    pub fn takes_list(self) -> bool {
        self.without_negation() == Operator::In
    }

    /// Returns whether fields of this type support the operator. The documented table lacks floats and timestamps,
    /// which support the same operators as integers (assumption number-operators).
    pub fn supports(self, ty: FieldType) -> bool {
        match self.without_negation() {
            Operator::Equal => !is_array_or_object(ty),
            Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => is_number(ty),
            Operator::StartsWith | Operator::EndsWith => ty == FieldType::String,
            Operator::Contains => matches!(ty, FieldType::String | FieldType::Strings | FieldType::Ints),
            _ => ty == FieldType::String || is_number(ty),
        }
    }
}

fn is_number(ty: FieldType) -> bool {
    matches!(ty, FieldType::Int | FieldType::Float | FieldType::Timestamp)
}

fn is_array_or_object(ty: FieldType) -> bool {
    matches!(ty, FieldType::Object | FieldType::Objects | FieldType::Strings | FieldType::Ints)
}
