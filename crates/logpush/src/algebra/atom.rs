//! One condition: its subject and the set of values that match.

use super::{NumberSet, StringSet, SubstringSet};
use crate::{Field, FieldType, Number, Operand, Operator};
use zonewright_diagnostic::sort_by_key;

/// A run of consecutive integers up to this length counts as a list in [`Atom::operator_count`], and a longer run as a
/// range.
const MAX_LISTED_INTEGERS: u32 = 4;

/// The item of a [`StringSet`] that stands for the Boolean true, or for the presence of an array element.
pub(super) const TRUE_ITEM: &str = "true";

/// The field, or the element of an array field, that a condition tests.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// The field.
    pub(crate) field: &'static Field,
    /// The element, if the field is an array.
    pub(crate) element: Option<String>,
}

impl Subject {
    /// Returns a key that is equal for equal subjects.
    pub(crate) fn key(&self) -> (&'static str, Option<&str>) {
        (self.field.name, self.element.as_deref())
    }

    /// Returns whether the values of the subject are Booleans: those of the field, or the presence of an element.
    fn is_boolean(&self) -> bool {
        self.element.is_some() || self.field.ty == FieldType::Bool
    }
}

impl PartialEq for Subject {
    fn eq(&self, other: &Subject) -> bool {
        self.key() == other.key()
    }
}

/// A condition that matches some values of its subject, but not all.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Atom {
    /// The subject.
    pub(crate) subject: Subject,
    /// The set of values that match.
    pub(crate) values: ValueSet,
}

/// The set of values that match.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ValueSet {
    /// A set of numbers.
    Numbers(NumberSet),
    /// A set of strings, or a Boolean as the presence of [`TRUE_ITEM`].
    Strings(StringSet),
    /// The strings with, or without, a substring.
    Substring(SubstringSet),
}

impl ValueSet {
    /// Returns whether the set contains the string. A set of numbers contains no strings.
    pub(crate) fn has_text(&self, text: &str) -> bool {
        match self {
            ValueSet::Numbers(_) => false,
            ValueSet::Strings(texts) => texts.has(text),
            ValueSet::Substring(part) => part.has(text),
        }
    }

    /// Returns the cost of a comparison with another set, in steps of a [`StepBudget`](super::StepBudget). For strings,
    /// a step is one item, or 16 bytes of a substring.
    pub(crate) fn size(&self) -> usize {
        match self {
            ValueSet::Numbers(numbers) => numbers.len(),
            ValueSet::Strings(texts) => texts.items.len(),
            ValueSet::Substring(part) => 1 + part.text.len() / 16,
        }
    }
}

impl Atom {
    /// Returns the atom that is true exactly when this one is false.
    pub(crate) fn negated(self) -> Atom {
        let values = match self.values {
            ValueSet::Numbers(numbers) => ValueSet::Numbers(numbers.complement()),
            ValueSet::Strings(texts) => ValueSet::Strings(StringSet { negated: !texts.negated, ..texts }),
            ValueSet::Substring(part) => ValueSet::Substring(SubstringSet { negated: !part.negated, ..part }),
        };
        Atom { values, ..self }
    }

    /// Returns whether `other` is true whenever this atom is true.
    pub(crate) fn implies(&self, other: &Atom) -> bool {
        if self.subject != other.subject {
            return false;
        }
        match (&self.values, &other.values) {
            (ValueSet::Numbers(a), ValueSet::Numbers(b)) => a.is_subset(b),
            (ValueSet::Substring(a), ValueSet::Substring(b)) => a.is_subset(b),
            (ValueSet::Strings(a), b) if !a.negated => a.items.iter().all(|text| b.has_text(text)),
            (a, ValueSet::Strings(b)) if b.negated => !b.items.iter().any(|text| a.has_text(text)),
            // Complements and substring sets are infinite, so they are not subsets of a finite list. No complement is a
            // subset of a substring set.
            _ => false,
        }
    }

    /// Returns whether this atom and `other` are never true together.
    pub(crate) fn excludes(&self, other: &Atom) -> bool {
        self.subject == other.subject && self.implies(&other.clone().negated())
    }

    /// Returns the number of conditions that express the atom.
    pub(crate) fn operator_count(&self) -> usize {
        self.to_conditions(MAX_LISTED_INTEGERS).operator_count()
    }

    /// Returns the conditions that express the atom. At most `max_integers` consecutive integers become a list.
    pub(crate) fn to_conditions(&self, max_integers: u32) -> ConditionList {
        let field = self.subject.field;
        let single = |operator, operand| ConditionList { is_conjunction: true, parts: vec![vec![(operator, operand)]] };
        match &self.values {
            ValueSet::Strings(StringSet { negated, .. }) if self.subject.is_boolean() => match &self.subject.element {
                Some(element) => {
                    let operand = match field.ty {
                        FieldType::Ints => Operand::Number(Number::parse(element).unwrap_or(Number::Integer(0))),
                        _ => Operand::String(element.clone()),
                    };
                    single(negate_if(Operator::Contains, *negated), operand)
                }
                None => single(Operator::Equal, Operand::Bool(!negated)),
            },
            ValueSet::Strings(StringSet { items, negated }) => {
                let mut items: Vec<Operand> = items.iter().cloned().map(Operand::String).collect();
                match (items.len(), items.pop()) {
                    (1, Some(only)) => single(negate_if(Operator::Equal, *negated), only),
                    (_, last) => {
                        items.extend(last);
                        single(negate_if(Operator::In, *negated), Operand::Items(items))
                    }
                }
            }
            ValueSet::Substring(part) => {
                single(negate_if(part.kind.operator(), part.negated), Operand::String(part.text.clone()))
            }
            ValueSet::Numbers(numbers) => express_numbers(numbers, max_integers),
        }
    }
}

fn negate_if(operator: Operator, negated: bool) -> Operator {
    if negated { operator.negation() } else { operator }
}

/// Returns the text of an item; equal items have equal texts. The text of a list is empty.
pub(crate) fn item_text(operand: &Operand) -> String {
    match operand {
        Operand::String(text) => text.clone(),
        Operand::Number(number) => number.to_json(),
        Operand::Bool(flag) => flag.to_string(),
        Operand::Items(_) => String::new(),
    }
}

/// The conditions that express an atom.
#[derive(Clone, Debug)]
pub(crate) struct ConditionList {
    /// Whether `and` joins the parts and `or` joins the conditions of a part; otherwise the reverse.
    pub(crate) is_conjunction: bool,
    /// The parts, none of them empty.
    pub(crate) parts: Vec<Vec<(Operator, Operand)>>,
}

impl ConditionList {
    /// Returns the number of conditions.
    pub(crate) fn operator_count(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }
}

fn express_numbers(numbers: &NumberSet, max_integers: u32) -> ConditionList {
    let operand = |mut numbers: Vec<Number>, operator: Operator| match numbers.pop() {
        Some(only) if !operator.takes_list() => Operand::Number(only),
        last => Operand::Items(numbers.into_iter().chain(last).map(Operand::Number).collect()),
    };
    let express = |numbers: &NumberSet, negated: bool| ConditionList {
        is_conjunction: negated,
        parts: numbers
            .to_disjuncts(max_integers)
            .into_iter()
            .map(|part| {
                part.into_iter()
                    .map(|(operator, listed)| (negate_if(operator, negated), operand(listed, operator)))
                    .collect()
            })
            .collect(),
    };
    let (disjunction, mut conjunction) = (express(numbers, false), express(&numbers.complement(), true));
    if conjunction.operator_count() >= disjunction.operator_count() {
        return disjunction;
    }
    // Negated conditions read better after the others.
    sort_by_key(&mut conjunction.parts, |part| {
        part.iter().any(|(operator, _)| operator.without_negation() != *operator)
    });
    conjunction
}
