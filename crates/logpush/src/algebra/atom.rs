//! One condition: what it asks about and which values pass.

use super::{NumberSet, StringSet, SubstringSet};
use crate::{Field, FieldType, Number, Operand, Operator};

/// The element `true` of a set stands for a flag that is set, and for an element that an array has.
pub(super) const TRUE_ITEM: &str = "true";

/// What a condition asks about.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// The field.
    pub(crate) field: &'static Field,
    /// Of an array: the element it may have.
    pub(crate) element: Option<String>,
}

impl Subject {
    /// Equal for equal subjects.
    pub(crate) fn key(&self) -> (&'static str, Option<&str>) {
        (self.field.name, self.element.as_deref())
    }

    /// Whether its values are true and false.
    fn is_flag(&self) -> bool {
        self.element.is_some() || self.field.ty == FieldType::Bool
    }
}

impl PartialEq for Subject {
    fn eq(&self, other: &Subject) -> bool {
        self.key() == other.key()
    }
}

/// A condition; neither true nor false of everything.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Atom {
    /// What it asks about.
    pub(crate) subject: Subject,
    /// Which values pass.
    pub(crate) values: ValueSet,
}

/// Which values pass.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ValueSet {
    /// Some numbers.
    Numbers(NumberSet),
    /// Some texts, or a flag.
    Strings(StringSet),
    /// Texts with a piece, or without.
    Substring(SubstringSet),
}

impl ValueSet {
    /// Whether the text passes; not for numbers.
    pub(crate) fn has_text(&self, text: &str) -> bool {
        match self {
            ValueSet::Numbers(_) => false,
            ValueSet::Strings(texts) => texts.has(text),
            ValueSet::Substring(part) => part.has(text),
        }
    }

    /// How many steps it takes to compare it with another.
    pub(crate) fn size(&self) -> usize {
        match self {
            ValueSet::Numbers(numbers) => numbers.len(),
            ValueSet::Strings(texts) => texts.items.len(),
            ValueSet::Substring(part) => 1 + part.text.len() / 16,
        }
    }
}

impl Atom {
    /// The atom that holds when this one does not.
    pub(crate) fn negated(self) -> Atom {
        let values = match self.values {
            ValueSet::Numbers(numbers) => ValueSet::Numbers(numbers.complement()),
            ValueSet::Strings(texts) => ValueSet::Strings(StringSet { negated: !texts.negated, ..texts }),
            ValueSet::Substring(part) => ValueSet::Substring(SubstringSet { negated: !part.negated, ..part }),
        };
        Atom { values, ..self }
    }

    /// Whether the other one holds whenever this one does.
    pub(crate) fn implies(&self, other: &Atom) -> bool {
        if self.subject != other.subject {
            return false;
        }
        match (&self.values, &other.values) {
            (ValueSet::Numbers(a), ValueSet::Numbers(b)) => a.is_within(b),
            (ValueSet::Substring(a), ValueSet::Substring(b)) => a.is_within(b),
            (ValueSet::Strings(a), b) if !a.negated => a.items.iter().all(|text| b.has_text(text)),
            (a, ValueSet::Strings(b)) if b.negated => !b.items.iter().any(|text| a.has_text(text)),
            // All but some texts are never within a list of texts or those with a piece.
            _ => false,
        }
    }

    /// Whether it and the other one never hold together.
    pub(crate) fn excludes(&self, other: &Atom) -> bool {
        self.subject == other.subject && self.implies(&other.clone().negated())
    }

    /// The conditions that say it. Up to so many whole numbers in a row become a list.
    pub(crate) fn written(&self, most_listed: u32) -> ConditionList {
        let field = self.subject.field;
        let one = |operator, operand| ConditionList { all: true, parts: vec![vec![(operator, operand)]] };
        match &self.values {
            ValueSet::Strings(StringSet { negated, .. }) if self.subject.is_flag() => match &self.subject.element {
                Some(element) => {
                    let operand = match field.ty {
                        FieldType::Ints => Operand::Number(Number::read(element).unwrap_or(Number::Integer(0))),
                        _ => Operand::Text(element.clone()),
                    };
                    one(turned(Operator::Contains, *negated), operand)
                }
                None => one(Operator::Equal, Operand::Bool(!negated)),
            },
            ValueSet::Strings(StringSet { items, negated }) => {
                let mut items: Vec<Operand> = items.iter().cloned().map(Operand::Text).collect();
                match (items.len(), items.pop()) {
                    (1, Some(only)) => one(turned(Operator::Equal, *negated), only),
                    (_, last) => {
                        items.extend(last);
                        one(turned(Operator::In, *negated), Operand::Items(items))
                    }
                }
            }
            ValueSet::Substring(part) => {
                one(turned(part.kind.operator(), part.negated), Operand::Text(part.text.clone()))
            }
            ValueSet::Numbers(numbers) => written_numbers(numbers, most_listed),
        }
    }
}

fn turned(operator: Operator, negated: bool) -> Operator {
    if negated { operator.negation() } else { operator }
}

/// An item as text, equal for equal items.
pub(crate) fn item_text(operand: &Operand) -> String {
    match operand {
        Operand::Text(text) => text.clone(),
        Operand::Number(number) => number.text(),
        Operand::Bool(flag) => flag.to_string(),
        Operand::Items(_) => String::new(),
    }
}

/// An atom as conditions on its field.
#[derive(Clone, Debug)]
pub(crate) struct ConditionList {
    /// Whether all parts hold, and of each part at least one condition; else it is the other way round.
    pub(crate) all: bool,
    /// The parts, none empty.
    pub(crate) parts: Vec<Vec<(Operator, Operand)>>,
}

impl ConditionList {
    /// How many conditions it has.
    pub(crate) fn operators(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }
}

fn written_numbers(numbers: &NumberSet, most: u32) -> ConditionList {
    let operand = |mut numbers: Vec<Number>, operator: Operator| match numbers.pop() {
        Some(only) if !operator.takes_list() => Operand::Number(only),
        last => Operand::Items(numbers.into_iter().chain(last).map(Operand::Number).collect()),
    };
    let write = |numbers: &NumberSet, negated: bool| ConditionList {
        all: negated,
        parts: numbers
            .alternatives(most)
            .into_iter()
            .map(|part| part.into_iter().map(|(op, listed)| (turned(op, negated), operand(listed, op))).collect())
            .collect(),
    };
    let (any, all) = (write(numbers, false), write(&numbers.complement(), true));
    if all.operators() >= any.operators() {
        return any;
    }
    // What is left out reads better behind what is asked for.
    let mut all = all;
    all.parts.sort_by_key(|part| part.iter().any(|(operator, _)| operator.positive() != *operator));
    all
}
