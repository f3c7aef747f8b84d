//! Lowers expressions from the resolved tree to nodes of an arena.
//!
//! Start with [`Builder`]. A condition without a model becomes an uninterpreted atom, so a proof never relies on a
//! guess.

mod elements;

use crate::arena::{Arena, NodeId, Predicate, Sort, TermId};
use crate::domain::Form;
use crate::key;
use crate::language::{Fold, Language, Shape};
use crate::ranges::{Point, Ranges};
use std::collections::BTreeMap;
use zonewright_expression::ast::{ComparisonOperator as Operator, LogicalOperator};
use zonewright_expression::resolved::{
    Argument, Call, Comparison, Condition, ConditionKind, Index, Literal, Operand, Right, Source,
};
use zonewright_expression::schema::{FunctionId, ResultForm};
use zonewright_expression::{Scalar, Type};

/// The state of the lowering: the arena, and facts that relate atoms to each other.
#[derive(Debug)]
pub(crate) struct Builder {
    pub(crate) arena: Arena,
    /// Implications: if the first node is true, the second is true.
    pub(crate) implied: Vec<(NodeId, NodeId)>,
    /// Implications that hold only for values of the term in their documented format.
    pub(crate) documented: Vec<(NodeId, NodeId, TermId)>,
    /// Lookups of values in named lists.
    pub(crate) lookups: Vec<Lookup>,
    /// Comparisons of two values of the request.
    pub(crate) pairs: Vec<Pair>,
}

/// A comparison of two values, such as `one eq other` or `one lt other`.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// The term of the condition.
    pub(crate) term: TermId,
    pub(crate) one: TermId,
    pub(crate) other: TermId,
    /// Whether the comparison requires equal values.
    pub(crate) equal: bool,
}

/// A lookup in a named list: `value in $list`.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    /// The term of the condition.
    pub(crate) term: TermId,
    pub(crate) value: TermId,
    pub(crate) list: String,
}

impl Builder {
    pub(crate) fn new() -> Builder {
        Builder {
            arena: Arena::new(false),
            implied: Vec::new(),
            documented: Vec::new(),
            lookups: Vec::new(),
            pairs: Vec::new(),
        }
    }

    pub(crate) fn condition(&mut self, condition: &Condition) -> NodeId {
        match &condition.kind {
            ConditionKind::True => Arena::TRUE,
            ConditionKind::Logical(operator, operands) => {
                let operands = operands.iter().map(|operand| self.condition(operand)).collect();
                combine(&mut self.arena, *operator, operands)
            }
            ConditionKind::Not(inside) => {
                let inside = self.condition(inside);
                self.arena.not(inside)
            }
            ConditionKind::Group(inside) => self.condition(inside),
            ConditionKind::Value(operand) => self.truth(operand),
            ConditionKind::Comparison(comparison) => self.comparison(comparison),
            ConditionKind::Invalid => self.opaque(key::of_condition(condition)),
        }
    }

    /// Returns an uninterpreted condition: only equality of its key is known.
    fn opaque(&mut self, name: String) -> NodeId {
        let term = self.arena.term(name, Sort::Truth, None);
        self.arena.atom(term, Predicate::True)
    }

    /// Lowers a Boolean value.
    fn truth(&mut self, operand: &Operand) -> NodeId {
        if let (Source::Call(call), []) = (&operand.source, operand.indexes.as_slice())
            && let Some(node) = self.known_call(call)
        {
            return node;
        }
        let term = self.arena.term(key::of_operand(operand), Sort::Truth, Some(operand));
        self.arena.atom(term, Predicate::True)
    }

    /// Lowers a call with a model; `None` for all other calls.
    fn known_call(&mut self, call: &Call) -> Option<NodeId> {
        match (call.function.id, call.arguments.as_slice()) {
            (FunctionId::StartsWith, [Argument::Value(value), Argument::Literal(Literal::Text(text), _)]) => {
                Some(self.language(value, Shape::StartsWith(text.clone())))
            }
            (FunctionId::EndsWith, [Argument::Value(value), Argument::Literal(Literal::Text(text), _)]) => {
                Some(self.language(value, Shape::EndsWith(text.clone())))
            }
            (FunctionId::HasKey, [Argument::Value(map), Argument::Literal(Literal::Text(text), _)]) => {
                let key = String::from_utf8(text.clone()).ok()?;
                let mut element = map.clone();
                element.indexes.push(Index::Key(key));
                element.ty = map.ty.element();
                let term = self.arena.term(key::of_operand(&element), sort_of(element.ty), Some(&element));
                Some(self.arena.present(term))
            }
            (FunctionId::HasValue, [Argument::Value(collection), Argument::Literal(literal, _)]) => {
                self.has_value(collection, literal)
            }
            (FunctionId::Any, [argument]) => self.any(argument),
            (FunctionId::All, [argument]) => self.all(argument),
            _ => None,
        }
    }

    fn language(&mut self, value: &Operand, shape: Shape) -> NodeId {
        let (fold, base) = unfold(value);
        let term = self.term(base);
        self.arena.language(term, Language::new(shape, fold))
    }

    fn term(&mut self, operand: &Operand) -> TermId {
        self.arena.term(key::of_operand(operand), sort_of(operand.ty), Some(operand))
    }

    /// Adds implications between the terms of collections and their elements:
    ///
    /// - A present element implies that its collection is present.
    /// - A present element implies that the elements before it are present.
    /// - A present array that is never empty has a first element (documented format).
    ///
    /// Call this after all expressions are lowered.
    pub(crate) fn link_elements(&mut self) {
        let mut rows: BTreeMap<String, Vec<(u32, TermId)>> = BTreeMap::new();
        let mut links = Vec::new();
        let mut firsts = Vec::new();
        for (number, term) in self.arena.terms.iter().enumerate() {
            let Some(operand) = &term.operand else { continue };
            let mut whole = operand.clone();
            while let Some(last) = whole.indexes.pop() {
                let name = key::of_operand(&whole);
                links.extend(self.arena.known_term(&name).map(|whole| (TermId(number), whole)));
                if let (Index::Element(position), true) = (last, whole.indexes.len() + 1 == operand.indexes.len()) {
                    let array = self.arena.known_term(&name).filter(|_| position == 0);
                    firsts.extend(array.map(|array| (array, TermId(number))));
                    rows.entry(name).or_default().push((position, TermId(number)));
                }
            }
        }
        for mut row in rows.into_values() {
            row.sort_unstable();
            links.extend(row.iter().zip(row.iter().skip(1)).map(|((_, before), (_, behind))| (*behind, *before)));
        }
        for (part, whole) in links {
            let pair = (self.arena.present(part), self.arena.present(whole));
            self.implied.push(pair);
        }
        for (array, first) in firsts {
            if self.arena.terms.get(array.0).is_some_and(|term| term.form == Some(Form::NotEmpty)) {
                let (array_present, first) = (self.arena.present(array), self.arena.present(first));
                self.documented.push((array_present, first, array));
            }
        }
    }

    fn comparison(&mut self, comparison: &Comparison) -> NodeId {
        let Comparison { left, operator, right, .. } = comparison;
        if left.each {
            return self.opaque(key::of_comparison(comparison));
        }
        if let Right::Value(right) = right {
            return self.dynamic(left, *operator, right);
        }
        if let Right::List(list) = right {
            return self.lookup(left, list);
        }
        let term = self.term(subject(left));
        asked(&mut self.arena, term, comparison).unwrap_or_else(|| self.opaque(key::of_comparison(comparison)))
    }

    fn lookup(&mut self, left: &Operand, list: &str) -> NodeId {
        let value = self.term(left);
        let name = format!("{} in ${list}", key::of_operand(left));
        let term = self.arena.term(name.clone(), Sort::Truth, None);
        let found = self.opaque(name);
        let present = self.arena.present(value);
        self.lookups.push(Lookup { term, value, list: list.to_owned() });
        self.arena.and(vec![present, found])
    }

    /// Lowers a comparison of two values. Both values must be present. Negated and reversed comparisons share one atom,
    /// and equal operands have a fixed result. Otherwise the comparison is uninterpreted.
    fn dynamic(&mut self, left: &Operand, operator: Operator, right: &Operand) -> NodeId {
        let mut terms = [left, right].map(|side| self.term(side));
        let both = terms.map(|term| self.arena.present(term));
        let [mut one, mut other] = [left, right].map(key::of_operand);
        let ordered = left.ty.scalar != Scalar::Ip;
        let (word, yes) = match operator {
            Operator::Equal => ("eq", true),
            Operator::NotEqual => ("eq", false),
            Operator::Less => ("lt", true),
            Operator::GreaterOrEqual if ordered => ("lt", false),
            Operator::Greater => ("gt", true),
            Operator::LessOrEqual if ordered => ("gt", false),
            operator => (operator.word(), true),
        };
        let turn = match word {
            "eq" => one > other,
            _ => matches!(word, "gt" | "ge"),
        };
        if turn {
            std::mem::swap(&mut one, &mut other);
            terms.reverse();
        }
        let word = match word {
            "gt" => "lt",
            "ge" => "le",
            word => word,
        };
        let same = one == other;
        let found = match word {
            "eq" | "le" if same => Arena::TRUE,
            "lt" if same => Arena::FALSE,
            _ => {
                let name = format!("{one} {word} {other}");
                let term = self.arena.term(name.clone(), Sort::Truth, None);
                let found = self.opaque(name);
                let [one, other] = terms;
                self.pairs.push(Pair { term, one, other, equal: word != "lt" });
                self.implied.extend(both.map(|present| (found, present)));
                found
            }
        };
        let found = if yes { found } else { self.arena.not(found) };
        self.arena.and(both.into_iter().chain([found]).collect())
    }
}

/// Combines operands with one operator.
fn combine(arena: &mut Arena, operator: LogicalOperator, operands: Vec<NodeId>) -> NodeId {
    match operator {
        LogicalOperator::And => arena.and(operands),
        LogicalOperator::Or => arena.or(operands),
        LogicalOperator::Xor => operands.into_iter().fold(Arena::FALSE, |odd, operand| arena.xor(odd, operand)),
    }
}

fn sort_of(ty: Type) -> Sort {
    match (ty.is_scalar(), ty.scalar) {
        (false, _) => Sort::Elements,
        (true, Scalar::Integer) => Sort::Integer,
        (true, Scalar::Ip) => Sort::Address,
        (true, Scalar::Boolean) => Sort::Truth,
        (true, Scalar::String | Scalar::Bytes) => Sort::Text,
    }
}

/// Strips `lower(…)` and `upper(…)` from a value.
fn unfold(operand: &Operand) -> (Fold, &Operand) {
    let (mut fold, mut base) = (Fold::None, operand);
    while let Source::Call(call) = &base.source
        && base.indexes.iter().all(|index| *index == Index::Each)
        && base.indexes.len() == usize::from(call.each)
        && let [Argument::Value(inside)] = call.arguments.as_slice()
        && let Some(outer) = fold_of(call)
    {
        // The outermost call determines the case.
        if fold == Fold::None {
            fold = outer;
        }
        base = inside;
    }
    (fold, base)
}

/// Returns the case that a call maps letters to.
fn fold_of(call: &Call) -> Option<Fold> {
    match call.function.semantics.result_form {
        ResultForm::LowerCase => Some(Fold::Lower),
        ResultForm::UpperCase => Some(Fold::Upper),
        ResultForm::Any | ResultForm::NotNegative => None,
    }
}

/// Returns the text whose length a value is.
fn length_of(operand: &Operand) -> Option<&Operand> {
    let Source::Call(call) = &operand.source else { return None };
    let bare = operand.indexes.len() == usize::from(call.each) && operand.each == call.each;
    match call.arguments.as_slice() {
        [Argument::Value(text)] if call.function.id == FunctionId::Len && text.ty.is_text() && bare => Some(text),
        _ => None,
    }
}

/// Returns the operand that a comparison with this left side constrains.
fn subject(left: &Operand) -> &Operand {
    unfold(length_of(left).unwrap_or(left)).1
}

/// Lowers a comparison with a literal to a predicate on the term of its left side.
fn asked(arena: &mut Arena, term: TermId, comparison: &Comparison) -> Option<NodeId> {
    let Comparison { left, operator, right, .. } = comparison;
    let (fold, _) = unfold(left);
    let language = |arena: &mut Arena, shape| Some(arena.language(term, Language::new(shape, fold)));
    match right {
        Right::Literal(Literal::Text(text)) => asked_of_text(arena, term, fold, *operator, text),
        Right::Literal(Literal::Integer(bits)) if *operator == Operator::BitwiseAnd => match bits {
            0 => Some(Arena::FALSE),
            _ if length_of(left).is_some() => {
                let shape = Shape::LengthBits(bits.cast_unsigned());
                Some(arena.language(term, Language::new(shape, Fold::None)))
            }
            _ => Some(arena.atom(term, Predicate::Bits(*bits))),
        },
        Right::Literal(Literal::Integer(value)) => {
            let ranges = compared(*operator, Point::integer(*value), &Ranges::all_integers())?;
            Some(numbers(arena, term, left, ranges))
        }
        Right::Literal(Literal::Ip(address)) => {
            let ranges = compared(*operator, Point::ip(*address), &Ranges::all_addresses())?;
            Some(arena.ranges(term, ranges))
        }
        Right::Regex(pattern) => language(arena, Shape::Regex(pattern.clone())),
        Right::Wildcard(pattern) => {
            let strict = *operator == Operator::StrictWildcard;
            Some(arena.language(term, Language::wildcard(pattern, strict, fold)))
        }
        Right::Texts(items) => language(arena, Shape::OneOf(items.iter().map(|item| item.value.clone()).collect())),
        Right::Integers(items) => {
            let points = |(first, last)| (Point::integer(first), Point::integer(last));
            let ranges = Ranges::new(items.iter().map(|item| points(item.value)).collect());
            Some(numbers(arena, term, left, ranges))
        }
        Right::Addresses(items) => {
            let points = |(first, last)| (Point::ip(first), Point::ip(last));
            Some(arena.ranges(term, Ranges::new(items.iter().map(|item| points(item.value)).collect())))
        }
        Right::Value(_) | Right::List(_) | Right::Invalid => None,
    }
}

/// Constrains the number that is the left side: a length, or the term itself.
fn numbers(arena: &mut Arena, term: TermId, left: &Operand, ranges: Ranges) -> NodeId {
    match length_of(left) {
        Some(_) => arena.language(term, Language::new(Shape::Length(ranges), Fold::None)),
        None => arena.ranges(term, ranges),
    }
}

fn compared(operator: Operator, point: Point, domain: &Ranges) -> Option<Ranges> {
    let one = Ranges::one(point);
    Some(match operator {
        Operator::Equal => one,
        Operator::NotEqual => domain.without(&one),
        Operator::Less => Ranges::below(point),
        Operator::LessOrEqual => Ranges::below(point).union(&one),
        Operator::Greater => Ranges::above(point),
        Operator::GreaterOrEqual => Ranges::above(point).union(&one),
        _ => return None,
    })
}

fn asked_of_text(arena: &mut Arena, term: TermId, fold: Fold, operator: Operator, text: &[u8]) -> Option<NodeId> {
    let equal = Shape::OneOf([text.to_vec()].into());
    let below = Shape::Below(text.to_vec());
    // No text sorts between a text and the same text with a zero byte appended.
    let up_to = Shape::Below([text, &[0]].concat());
    let (shape, yes) = match operator {
        Operator::Equal => (equal, true),
        Operator::NotEqual => (equal, false),
        Operator::Less => (below, true),
        Operator::GreaterOrEqual => (below, false),
        Operator::LessOrEqual => (up_to, true),
        Operator::Greater => (up_to, false),
        Operator::Contains => (Shape::Contains(text.to_vec()), true),
        _ => return None,
    };
    let found = arena.language(term, Language::new(shape, fold));
    if yes {
        return Some(found);
    }
    let present = arena.present(term);
    let other = arena.not(found);
    Some(arena.and(vec![present, other]))
}
