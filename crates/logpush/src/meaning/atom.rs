//! One condition: what it asks about and which values pass.

use super::{Form, Numbers, Part, PartKind, Scale, Texts};
use crate::{Comparison, Field, FieldType, Number, Operand, Operator};
use std::collections::BTreeSet;

/// The element `true` of a set stands for a flag that is set, and for an element that an array has.
const TRUE: &str = "true";

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
    pub(crate) values: Values,
}

/// Which values pass.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Values {
    /// Some numbers.
    Numbers(Numbers),
    /// Some texts, or a flag.
    Texts(Texts),
    /// Texts with a piece, or without.
    Part(Part),
}

impl Values {
    /// What an atom with these values is.
    pub(crate) fn form(self, subject: Subject) -> Form {
        let (always, never) = match &self {
            Values::Numbers(numbers) => (numbers.is_full(), numbers.is_empty()),
            Values::Texts(Texts { items, negated }) => (items.is_empty() && *negated, items.is_empty() && !negated),
            Values::Part(part) => (part.text.is_empty() && !part.negated, part.text.is_empty() && part.negated),
        };
        match (always, never) {
            (true, _) => Form::Always,
            (_, true) => Form::Never,
            _ => Form::Atom(Box::new(Atom { subject, values: self })),
        }
    }

    /// Whether the text passes; not for numbers.
    pub(crate) fn has_text(&self, text: &str) -> bool {
        match self {
            Values::Numbers(_) => false,
            Values::Texts(texts) => texts.has(text),
            Values::Part(part) => part.has(text),
        }
    }

    /// How many steps it takes to compare it with another.
    pub(crate) fn size(&self) -> usize {
        match self {
            Values::Numbers(numbers) => numbers.len(),
            Values::Texts(texts) => texts.items.len(),
            Values::Part(part) => 1 + part.text.len() / 16,
        }
    }
}

impl Atom {
    /// What a comparison says.
    pub(crate) fn of(comparison: &Comparison) -> Form {
        let Comparison { field, operator, operand, .. } = comparison;
        let negated = operator.is_negated();
        let scale = Scale::of(field.ty);
        if matches!(field.ty, FieldType::Strings | FieldType::Ints) {
            let subject = Subject { field, element: Some(item_text(operand)) };
            return Values::Texts(Texts { items: BTreeSet::from([TRUE.to_owned()]), negated }).form(subject);
        }
        let subject = Subject { field, element: None };
        let values = match (operand, PartKind::of(*operator)) {
            (Operand::Text(text), Some(kind)) => Values::Part(Part { kind, text: text.clone(), negated }),
            (Operand::Text(text), None) => Values::Texts(Texts { items: BTreeSet::from([text.clone()]), negated }),
            (Operand::Number(number), _) => Values::Numbers(Numbers::that(*operator, *number, scale)),
            (Operand::Bool(flag), _) => {
                Values::Texts(Texts { items: BTreeSet::from([TRUE.to_owned()]), negated: negated == *flag })
            }
            (Operand::Items(items), _) => many(items, negated, scale),
        };
        values.form(subject)
    }

    /// The atom that holds when this one does not.
    pub(crate) fn negated(self) -> Atom {
        let values = match self.values {
            Values::Numbers(numbers) => Values::Numbers(numbers.complement()),
            Values::Texts(texts) => Values::Texts(Texts { negated: !texts.negated, ..texts }),
            Values::Part(part) => Values::Part(Part { negated: !part.negated, ..part }),
        };
        Atom { values, ..self }
    }

    /// Whether the other one holds whenever this one does.
    pub(crate) fn implies(&self, other: &Atom) -> bool {
        if self.subject != other.subject {
            return false;
        }
        match (&self.values, &other.values) {
            (Values::Numbers(a), Values::Numbers(b)) => a.is_within(b),
            (Values::Part(a), Values::Part(b)) => a.is_within(b),
            (Values::Texts(a), b) if !a.negated => a.items.iter().all(|text| b.has_text(text)),
            (a, Values::Texts(b)) if b.negated => !b.items.iter().any(|text| a.has_text(text)),
            // All but some texts are never within a list of texts or those with a piece.
            _ => false,
        }
    }

    /// Whether it and the other one never hold together.
    pub(crate) fn excludes(&self, other: &Atom) -> bool {
        self.subject == other.subject && self.implies(&other.clone().negated())
    }

    /// The conditions that say it. Up to so many whole numbers in a row become a list.
    pub(crate) fn written(&self, most_listed: u32) -> Written {
        let field = self.subject.field;
        let one = |operator, operand| Written { all: true, parts: vec![vec![(operator, operand)]] };
        match &self.values {
            Values::Texts(Texts { negated, .. }) if self.subject.is_flag() => match &self.subject.element {
                Some(element) => {
                    let operand = match field.ty {
                        FieldType::Ints => Operand::Number(Number::read(element).unwrap_or(Number::Integer(0))),
                        _ => Operand::Text(element.clone()),
                    };
                    one(turned(Operator::Contains, *negated), operand)
                }
                None => one(Operator::Equal, Operand::Bool(!negated)),
            },
            Values::Texts(Texts { items, negated }) => {
                let mut items: Vec<Operand> = items.iter().cloned().map(Operand::Text).collect();
                match (items.len(), items.pop()) {
                    (1, Some(only)) => one(turned(Operator::Equal, *negated), only),
                    (_, last) => {
                        items.extend(last);
                        one(turned(Operator::In, *negated), Operand::Items(items))
                    }
                }
            }
            Values::Part(part) => one(turned(part.kind.operator(), part.negated), Operand::Text(part.text.clone())),
            Values::Numbers(numbers) => written_numbers(numbers, most_listed),
        }
    }
}

fn turned(operator: Operator, negated: bool) -> Operator {
    if negated { operator.negation() } else { operator }
}

fn many(items: &[Operand], negated: bool, scale: Scale) -> Values {
    if items.iter().any(|item| matches!(item, Operand::Number(_))) {
        let single: Vec<Numbers> = items
            .iter()
            .filter_map(|item| match item {
                Operand::Number(number) => Some(Numbers::that(Operator::Equal, *number, scale)),
                _ => None,
            })
            .collect();
        let set = Numbers::union(&single.iter().collect::<Vec<_>>(), scale);
        return Values::Numbers(if negated { set.complement() } else { set });
    }
    Values::Texts(Texts { items: items.iter().map(item_text).collect(), negated })
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
pub(crate) struct Written {
    /// Whether all parts hold, and of each part at least one condition; else it is the other way round.
    pub(crate) all: bool,
    /// The parts, none empty.
    pub(crate) parts: Vec<Vec<(Operator, Operand)>>,
}

impl Written {
    /// How many conditions it has.
    pub(crate) fn operators(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }
}

fn written_numbers(numbers: &Numbers, most: u32) -> Written {
    let operand = |mut numbers: Vec<Number>, operator: Operator| match numbers.pop() {
        Some(only) if !operator.takes_list() => Operand::Number(only),
        last => Operand::Items(numbers.into_iter().chain(last).map(Operand::Number).collect()),
    };
    let write = |numbers: &Numbers, negated: bool| Written {
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
