//! Lowers expressions from the resolved tree to nodes of an arena.
//!
//! Start with [`Lowering`]. A condition without a model becomes an uninterpreted atom, so a proof never relies on a
//! guess.

mod comparison;
mod elements;

use crate::arena::{Arena, NodeId, Predicate, Sort, TermId};
use crate::domain::ValueFormat;
use crate::key;
use crate::language::{CaseFold, Language, StringPattern};
use comparison::lower_literal_comparison;
use std::collections::BTreeMap;
use zonewright_expression::ast::{ComparisonOperator as Operator, LogicalOperator};
use zonewright_expression::resolved::{
    Argument, Call, Comparison, Condition, ConditionKind, Index, Literal, Operand, OperandSource, RightOperand,
};
use zonewright_expression::schema::{FunctionId, ResultForm};
use zonewright_expression::{Scalar, Type};

/// The state of the lowering: the arena, and facts that relate atoms to each other.
#[derive(Debug)]
pub(crate) struct Lowering {
    pub(crate) arena: Arena,
    /// Implications: if the first node is true, the second is true.
    pub(crate) implications: Vec<(NodeId, NodeId)>,
    /// Implications that hold only for values of the term in their documented format.
    pub(crate) format_implications: Vec<(NodeId, NodeId, TermId)>,
    /// Lookups of values in named lists.
    pub(crate) list_lookups: Vec<ListLookup>,
    /// Comparisons of two values of the request.
    pub(crate) value_comparisons: Vec<ValueComparison>,
}

/// A comparison of two values, such as `http.host eq http.referer` or `tcp.srcport lt tcp.dstport`.
#[derive(Clone, Debug)]
pub(crate) struct ValueComparison {
    /// The term of the condition.
    pub(crate) term: TermId,
    pub(crate) left: TermId,
    pub(crate) right: TermId,
    pub(crate) relation: Relation,
}

/// The relation of an atom that compares two values. Negation or exchange of the operands gives all other relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Equal,
    Less,
    /// Only for addresses: addresses of different families are not ordered, so the negation of `gt` is not `le`.
    LessOrEqual,
}

impl Relation {
    pub(crate) fn holds_for_equal_values(self) -> bool {
        match self {
            Relation::Equal | Relation::LessOrEqual => true,
            Relation::Less => false,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Relation::Equal => "eq",
            Relation::Less => "lt",
            Relation::LessOrEqual => "le",
        }
    }
}

/// A lookup in a named list: `value in $list`.
#[derive(Clone, Debug)]
pub(crate) struct ListLookup {
    /// The term of the condition.
    pub(crate) term: TermId,
    pub(crate) value: TermId,
    pub(crate) list: String,
}

impl Lowering {
    pub(crate) fn new() -> Lowering {
        Lowering {
            arena: Arena::new(false),
            implications: Vec::new(),
            format_implications: Vec::new(),
            list_lookups: Vec::new(),
            value_comparisons: Vec::new(),
        }
    }

    pub(crate) fn lower_condition(&mut self, condition: &Condition) -> NodeId {
        match &condition.kind {
            ConditionKind::True => Arena::TRUE,
            ConditionKind::Logical(operator, operands) => {
                let operands = operands.iter().map(|operand| self.lower_condition(operand)).collect();
                combine(&mut self.arena, *operator, operands)
            }
            ConditionKind::Not(inner) => {
                let inner = self.lower_condition(inner);
                self.arena.not(inner)
            }
            ConditionKind::Group(inner) => self.lower_condition(inner),
            ConditionKind::Value(operand) => self.lower_boolean(operand),
            ConditionKind::Comparison(comparison) => self.lower_comparison(comparison),
            ConditionKind::Invalid => self.add_uninterpreted(key::condition_key(condition)),
        }
    }

    /// Adds an uninterpreted condition. Conditions with equal keys are equal; nothing else is known about them.
    fn add_uninterpreted(&mut self, key: String) -> NodeId {
        let term = self.arena.intern_term(key, Sort::Boolean, None);
        self.arena.intern_atom(term, Predicate::True)
    }

    /// Lowers a Boolean value.
    fn lower_boolean(&mut self, operand: &Operand) -> NodeId {
        if let (OperandSource::Call(call), []) = (&operand.source, operand.indexes.as_slice())
            && let Some(node) = self.lower_call(call)
        {
            return node;
        }
        let term = self.arena.intern_term(key::operand_key(operand), Sort::Boolean, Some(operand));
        self.arena.intern_atom(term, Predicate::True)
    }

    /// Lowers a call of a function that has a model; returns `None` for other calls.
    fn lower_call(&mut self, call: &Call) -> Option<NodeId> {
        match (call.function.id, call.arguments.as_slice()) {
            (FunctionId::StartsWith, [Argument::Value(value), Argument::Literal(Literal::Text(text), _)]) => {
                Some(self.lower_language(value, StringPattern::StartsWith(text.clone())))
            }
            (FunctionId::EndsWith, [Argument::Value(value), Argument::Literal(Literal::Text(text), _)]) => {
                Some(self.lower_language(value, StringPattern::EndsWith(text.clone())))
            }
            (FunctionId::HasKey, [Argument::Value(map), Argument::Literal(Literal::Text(text), _)]) => {
                let key = String::from_utf8(text.clone()).ok()?;
                let mut element = map.clone();
                element.indexes.push(Index::Key(key));
                element.ty = map.ty.element();
                let term = self.arena.intern_term(key::operand_key(&element), sort_of(element.ty), Some(&element));
                Some(self.arena.present_node(term))
            }
            (FunctionId::HasValue, [Argument::Value(collection), Argument::Literal(literal, _)]) => {
                self.lower_has_value(collection, literal)
            }
            (FunctionId::Any, [argument]) => self.lower_any(argument),
            (FunctionId::All, [argument]) => self.lower_all(argument),
            _ => None,
        }
    }

    fn lower_language(&mut self, value: &Operand, pattern: StringPattern) -> NodeId {
        let (fold, base) = strip_case_calls(value);
        let term = self.add_term(base);
        self.arena.language_node(term, Language::new(pattern, fold))
    }

    fn add_term(&mut self, operand: &Operand) -> TermId {
        self.arena.intern_term(key::operand_key(operand), sort_of(operand.ty), Some(operand))
    }

    /// Adds implications between the terms of collections and their elements:
    ///
    /// - A present element implies that its collection is present.
    /// - A present element implies that the elements before it are present.
    /// - A present array that is never empty has a first element (documented format).
    ///
    /// Call this after all expressions are lowered.
    pub(crate) fn add_presence_implications(&mut self) {
        let mut elements_by_array: BTreeMap<String, Vec<(u32, TermId)>> = BTreeMap::new();
        let mut links = Vec::new();
        let mut first_elements = Vec::new();
        for (number, term) in self.arena.terms.iter().enumerate() {
            let Some(operand) = &term.operand else { continue };
            let mut container = operand.clone();
            while let Some(last) = container.indexes.pop() {
                let name = key::operand_key(&container);
                links.extend(self.arena.find_term(&name).map(|container| (TermId(number), container)));
                if let (Index::Element(position), true) = (last, container.indexes.len() + 1 == operand.indexes.len()) {
                    let array = self.arena.find_term(&name).filter(|_| position == 0);
                    first_elements.extend(array.map(|array| (array, TermId(number))));
                    elements_by_array.entry(name).or_default().push((position, TermId(number)));
                }
            }
        }
        for mut elements in elements_by_array.into_values() {
            elements.sort_unstable();
            links.extend(
                elements.iter().zip(elements.iter().skip(1)).map(|((_, earlier), (_, later))| (*later, *earlier)),
            );
        }
        for (element, container) in links {
            let implication = (self.arena.present_node(element), self.arena.present_node(container));
            self.implications.push(implication);
        }
        for (array, first) in first_elements {
            if self.arena.terms.get(array.0).is_some_and(|term| term.format == Some(ValueFormat::NonEmpty)) {
                let (array_present, first_present) = (self.arena.present_node(array), self.arena.present_node(first));
                self.format_implications.push((array_present, first_present, array));
            }
        }
    }

    fn lower_comparison(&mut self, comparison: &Comparison) -> NodeId {
        let Comparison { left, right, .. } = comparison;
        if left.each {
            return self.add_uninterpreted(key::comparison_key(comparison));
        }
        if let RightOperand::Value(right) = right {
            return self.lower_value_comparison(comparison, right);
        }
        if let RightOperand::List(list) = right {
            return self.lower_list_lookup(left, list);
        }
        let term = self.add_term(constrained_operand(left));
        lower_literal_comparison(&mut self.arena, term, comparison)
            .unwrap_or_else(|| self.add_uninterpreted(key::comparison_key(comparison)))
    }

    fn lower_list_lookup(&mut self, left: &Operand, list: &str) -> NodeId {
        let value = self.add_term(left);
        let name = format!("{} in ${list}", key::operand_key(left));
        let term = self.arena.intern_term(name.clone(), Sort::Boolean, None);
        let is_in_list = self.add_uninterpreted(name);
        let present = self.arena.present_node(value);
        self.list_lookups.push(ListLookup { term, value, list: list.to_owned() });
        self.arena.and(vec![present, is_in_list])
    }

    /// Lowers a comparison of two values. Both values must be present. Negated and reversed comparisons share one atom,
    /// and equal operands have a fixed result. Otherwise the comparison is uninterpreted.
    fn lower_value_comparison(&mut self, comparison: &Comparison, right: &Operand) -> NodeId {
        let left = &comparison.left;
        let mut terms = [left, right].map(|side| self.add_term(side));
        let presence = terms.map(|term| self.arena.present_node(term));
        let mut keys = [left, right].map(key::operand_key);
        let is_ordered = left.ty.scalar != Scalar::Ip;
        let (relation, is_swapped, is_positive) = match comparison.operator {
            Operator::Equal => (Relation::Equal, !keys.is_sorted(), true),
            Operator::NotEqual => (Relation::Equal, !keys.is_sorted(), false),
            Operator::Less => (Relation::Less, false, true),
            Operator::Greater => (Relation::Less, true, true),
            Operator::GreaterOrEqual if is_ordered => (Relation::Less, false, false),
            Operator::LessOrEqual if is_ordered => (Relation::Less, true, false),
            Operator::LessOrEqual => (Relation::LessOrEqual, false, true),
            Operator::GreaterOrEqual => (Relation::LessOrEqual, true, true),
            Operator::Contains
            | Operator::Matches
            | Operator::Wildcard
            | Operator::StrictWildcard
            | Operator::In
            | Operator::BitwiseAnd => return self.add_uninterpreted(key::comparison_key(comparison)),
        };
        if is_swapped {
            keys.reverse();
            terms.reverse();
        }
        let [left_key, right_key] = keys;
        let node = if left_key == right_key {
            if relation.holds_for_equal_values() { Arena::TRUE } else { Arena::FALSE }
        } else {
            let name = format!("{left_key} {} {right_key}", relation.word());
            let term = self.arena.intern_term(name.clone(), Sort::Boolean, None);
            let node = self.add_uninterpreted(name);
            let [left, right] = terms;
            self.value_comparisons.push(ValueComparison { term, left, right, relation });
            self.implications.extend(presence.map(|present| (node, present)));
            node
        };
        let node = if is_positive { node } else { self.arena.not(node) };
        self.arena.and(presence.into_iter().chain([node]).collect())
    }
}

/// Combines operands with one operator.
fn combine(arena: &mut Arena, operator: LogicalOperator, operands: Vec<NodeId>) -> NodeId {
    match operator {
        LogicalOperator::And => arena.and(operands),
        LogicalOperator::Or => arena.or(operands),
        LogicalOperator::Xor => operands.into_iter().fold(Arena::FALSE, |parity, operand| arena.xor(parity, operand)),
    }
}

fn sort_of(ty: Type) -> Sort {
    match (ty.is_scalar(), ty.scalar) {
        (false, _) => Sort::Collection,
        (true, Scalar::Integer) => Sort::Integer,
        (true, Scalar::Ip) => Sort::Ip,
        (true, Scalar::Boolean) => Sort::Boolean,
        (true, Scalar::String | Scalar::Bytes) => Sort::Text,
    }
}

/// Strips `lower(…)` and `upper(…)` from a value. Returns the case that they give it, and the inner value.
fn strip_case_calls(operand: &Operand) -> (CaseFold, &Operand) {
    let (mut fold, mut base) = (CaseFold::None, operand);
    while let OperandSource::Call(call) = &base.source
        && base.indexes.iter().all(|index| *index == Index::Each)
        && base.indexes.len() == usize::from(call.each)
        && let [Argument::Value(inner)] = call.arguments.as_slice()
        && let Some(outer) = fold_of(call)
    {
        // The outermost call determines the case.
        if fold == CaseFold::None {
            fold = outer;
        }
        base = inner;
    }
    (fold, base)
}

/// Returns the case that a call maps letters to.
fn fold_of(call: &Call) -> Option<CaseFold> {
    match call.function.semantics.result_form {
        ResultForm::LowerCase => Some(CaseFold::Lower),
        ResultForm::UpperCase => Some(CaseFold::Upper),
        ResultForm::Any | ResultForm::NotNegative => None,
    }
}

/// Returns the measured text: `a` in `len(a)`.
fn measured_text(operand: &Operand) -> Option<&Operand> {
    let OperandSource::Call(call) = &operand.source else { return None };
    let has_no_other_index = operand.indexes.len() == usize::from(call.each) && operand.each == call.each;
    match call.arguments.as_slice() {
        [Argument::Value(text)] if call.function.id == FunctionId::Len && text.ty.is_text() && has_no_other_index => {
            Some(text)
        }
        _ => None,
    }
}

/// Returns the operand that a comparison with this left operand constrains.
fn constrained_operand(left: &Operand) -> &Operand {
    strip_case_calls(measured_text(left).unwrap_or(left)).1
}
