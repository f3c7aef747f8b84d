//! Finds the ranges of numeric fields.

use crate::{
    Dataset, Feature, Field, FieldType, Number, Operator,
    algebra::{NumberKind, NumberSet},
};

/// The known range of a field.
pub(super) struct Domain {
    /// The numbers that occur.
    pub(super) numbers: NumberSet,
    /// The explanation: `` `BotScore` is from 0 to 99 ``.
    pub(super) reason: String,
}

/// Returns the range of a field, if it is known.
pub(super) fn find_domain(field: &Field, dataset: &Dataset) -> Option<Domain> {
    if field.ty != FieldType::Int {
        return None;
    }
    let name = field.name;
    if is_status(name) && dataset.has(Feature::RequestFields) {
        let reason = format!("`{name}` is from 100 to 999, or 0 if there is none");
        let numbers = NumberSet::union(&[&range(100, Some(999)), &range(0, Some(0))], NumberKind::Integer);
        return Some(Domain { numbers, reason });
    }
    let high = match name {
        "BotScore" if dataset.has(Feature::RequestFields) => Some(99),
        _ if is_score(name) && dataset.has(Feature::RequestFields) => Some(100),
        _ if name.ends_with("ASN") => Some(u32::MAX.into()),
        _ if name.ends_with("Port") => Some(u16::MAX.into()),
        // Integers are never negative (assumption whole-numbers).
        _ => None,
    };
    let reason = match high {
        Some(high) => format!("`{name}` is from 0 to {high}"),
        None => format!("`{name}` is never negative"),
    };
    Some(Domain { numbers: range(0, high), reason })
}

/// Returns whether the field is a score; 0 means that there is none.
pub(super) fn is_score(name: &str) -> bool {
    name == "BotScore" || name.ends_with("AttackScore") || name.ends_with("InjectionScore")
}

/// Returns whether the field is the status of a response; 0 means that there is none.
pub(super) fn is_status(name: &str) -> bool {
    matches!(name, "EdgeResponseStatus" | "OriginResponseStatus" | "CacheResponseStatus")
}

fn range(low: i128, high: Option<i128>) -> NumberSet {
    let from = NumberSet::from_comparison(Operator::GreaterOrEqual, Number::Integer(low), NumberKind::Integer);
    match high {
        Some(high) => from.intersection(&NumberSet::from_comparison(
            Operator::LessOrEqual,
            Number::Integer(high),
            NumberKind::Integer,
        )),
        None => from,
    }
}
