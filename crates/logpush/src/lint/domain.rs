//! The numbers that fields can have.

use crate::{
    Dataset, Feature, Field, FieldType, Number, Operator,
    algebra::{NumberKind, NumberSet},
};

/// What is known of a field's numbers.
pub(super) struct Domain {
    /// Those that occur.
    pub(super) numbers: NumberSet,
    /// How they are called: `a status is from 100 to 999, or 0 when there is none`.
    pub(super) why: String,
}

/// The numbers of a field, where something is known of them.
pub(super) fn of(field: &Field, dataset: &Dataset) -> Option<Domain> {
    if field.ty != FieldType::Int {
        return None;
    }
    let name = field.name;
    if is_status(name) && dataset.has(Feature::RequestFields) {
        let why = format!("`{name}` is from 100 to 999, or 0 when there is none");
        let numbers = NumberSet::union(&[&range(100, Some(999)), &range(0, Some(0))], NumberKind::Integer);
        return Some(Domain { numbers, why });
    }
    let high = match name {
        "BotScore" if dataset.has(Feature::RequestFields) => Some(99),
        _ if is_score(name) && dataset.has(Feature::RequestFields) => Some(100),
        _ if name.ends_with("ASN") => Some(u32::MAX.into()),
        _ if name.ends_with("Port") => Some(u16::MAX.into()),
        // Whole numbers have no sign (assumption whole-numbers).
        _ => None,
    };
    let why = match high {
        Some(high) => format!("`{name}` is from 0 to {high}"),
        None => format!("`{name}` is never below 0"),
    };
    Some(Domain { numbers: range(0, high), why })
}

/// Whether 0 in this field says that there is no score.
pub(super) fn is_score(name: &str) -> bool {
    name == "BotScore" || name.ends_with("AttackScore") || name.ends_with("InjectionScore")
}

/// Whether the field is the status of a response; 0 says that there was none.
pub(super) fn is_status(name: &str) -> bool {
    matches!(name, "EdgeResponseStatus" | "OriginResponseStatus" | "CacheResponseStatus")
}

fn range(low: i128, high: Option<i128>) -> NumberSet {
    let from = NumberSet::that(Operator::GreaterOrEqual, Number::Integer(low), NumberKind::Integer);
    match high {
        Some(high) => {
            from.intersection(&NumberSet::that(Operator::LessOrEqual, Number::Integer(high), NumberKind::Integer))
        }
        None => from,
    }
}
