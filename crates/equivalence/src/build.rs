//! From expressions to nodes of an arena.

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

/// Makes nodes, and remembers what else is known of the atoms.
#[derive(Debug)]
pub(crate) struct Builder {
    pub(crate) arena: Arena,
    /// Whenever the first is true, so is the second.
    pub(crate) implied: Vec<(NodeId, NodeId)>,
    /// Whenever the first is true, so is the second, because the values of the term are as documented.
    pub(crate) documented: Vec<(NodeId, NodeId, TermId)>,
    /// Named lists with the values that are looked up in them.
    pub(crate) lookups: Vec<Lookup>,
    /// Comparisons of two values.
    pub(crate) pairs: Vec<Pair>,
}

/// `one eq other`, `one lt other`.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// The condition.
    pub(crate) term: TermId,
    pub(crate) one: TermId,
    pub(crate) other: TermId,
    /// Whether it asks for the same value.
    pub(crate) equal: bool,
}

/// `value in $list`.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    /// The condition.
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

    /// A condition of which only its name is known.
    fn opaque(&mut self, name: String) -> NodeId {
        let term = self.arena.term(name, Sort::Truth, None);
        self.arena.atom(term, Predicate::True)
    }

    /// A Boolean value.
    fn truth(&mut self, operand: &Operand) -> NodeId {
        if let (Source::Call(call), []) = (&operand.source, operand.indexes.as_slice())
            && let Some(node) = self.known_call(call)
        {
            return node;
        }
        let term = self.arena.term(key::of_operand(operand), Sort::Truth, Some(operand));
        self.arena.atom(term, Predicate::True)
    }

    /// A call whose meaning is known.
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

    /// Says of all terms that what has an element is there itself, and so are the elements before it; and that what
    /// always has an element has a first one.
    /// To be called when all expressions are built.
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

    /// A comparison of two values: only that it is the same as another one is known, what it says
    /// the other way round, and that both values are there.
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

/// Puts operands under one operator.
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

/// Takes `lower(…)` and `upper(…)` off a value.
fn unfold(operand: &Operand) -> (Fold, &Operand) {
    let (mut fold, mut base) = (Fold::None, operand);
    while let Source::Call(call) = &base.source
        && base.indexes.iter().all(|index| *index == Index::Each)
        && base.indexes.len() == usize::from(call.each)
        && let [Argument::Value(inside)] = call.arguments.as_slice()
        && let Some(outer) = fold_of(call)
    {
        // The outermost call decides.
        if fold == Fold::None {
            fold = outer;
        }
        base = inside;
    }
    (fold, base)
}

/// What a call does to the case of letters.
fn fold_of(call: &Call) -> Option<Fold> {
    match call.function.semantics.result_form {
        ResultForm::LowerCase => Some(Fold::Lower),
        ResultForm::UpperCase => Some(Fold::Upper),
        ResultForm::Any | ResultForm::NotNegative => None,
    }
}

/// The text whose length a value is.
fn length_of(operand: &Operand) -> Option<&Operand> {
    let Source::Call(call) = &operand.source else { return None };
    let bare = operand.indexes.len() == usize::from(call.each) && operand.each == call.each;
    match call.arguments.as_slice() {
        [Argument::Value(text)] if call.function.id == FunctionId::Len && text.ty.is_text() && bare => Some(text),
        _ => None,
    }
}

/// The value that a comparison with this left side tells something of.
fn subject(left: &Operand) -> &Operand {
    unfold(length_of(left).unwrap_or(left)).1
}

/// What a comparison with something written out asks of the term of its left side.
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

/// Numbers asked of a term: of its length, when the left side is that.
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
    // Nothing stands between a text and the same with a zero behind it.
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
