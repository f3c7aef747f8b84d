//! Lowers the quantifiers `any(…)` and `all(…)`.
//!
//! Predicates on the elements of one array become predicates on a single element, which has a separate arena. Start
//! with [`Lowering::lower_any`] and [`Lowering::lower_all`].

use super::{Lowering, combine, constrained_operand, lower_literal_comparison, sort_of, strip_case_calls};
use crate::arena::{Arena, NodeId, Predicate, Sort, TermId};
use crate::key;
use crate::language::{CaseFold, Language, StringPattern};
use crate::ranges::{Point, RangeSet};
use zonewright_expression::resolved::{
    Argument, Call, Comparison, Condition, ConditionKind, Index, Literal, Operand, OperandSource, RightOperand,
};
use zonewright_expression::schema::FunctionId;

/// The only term in the arena of an element.
const ELEMENT: TermId = TermId(0);

impl Lowering {
    pub(super) fn lower_any(&mut self, argument: &Argument) -> Option<NodeId> {
        self.lower_quantifier(argument, |_, inner| inner)
    }

    /// Lowers `all`: the condition is false for no element. An empty array therefore satisfies it.
    pub(super) fn lower_all(&mut self, argument: &Argument) -> Option<NodeId> {
        let some_fails = self.lower_quantifier(argument, Arena::not)?;
        let none_fails = self.arena.not(some_fails);
        match direct_call(argument) {
            None => Some(none_fails),
            // A mapped call on a missing array returns no array, so the result is false.
            Some(call) => {
                let array = containing_array(base_of_call(call)?);
                if array.each {
                    return None;
                }
                let term = self.arena.intern_term(key::operand_key(&array), Sort::Collection, Some(&array));
                let present = self.arena.present_node(term);
                Some(self.arena.and(vec![present, none_fails]))
            }
        }
    }

    pub(super) fn lower_has_value(&mut self, collection: &Operand, literal: &Literal) -> Option<NodeId> {
        let mut element = collection.clone();
        element.indexes.push(Index::Each);
        element.ty = collection.ty.element();
        element.each = true;
        self.lower_exists(collection, &element, |arena| {
            Some(match literal {
                Literal::Text(text) => arena
                    .language_node(ELEMENT, Language::new(StringPattern::OneOf([text.clone()].into()), CaseFold::None)),
                Literal::Integer(value) => arena.ranges_node(ELEMENT, RangeSet::single(Point::integer(*value))),
                Literal::Ip(address) => arena.ranges_node(ELEMENT, RangeSet::single(Point::ip(*address))),
            })
        })
    }

    fn lower_quantifier(
        &mut self,
        argument: &Argument,
        transform: impl Fn(&mut Arena, NodeId) -> NodeId,
    ) -> Option<NodeId> {
        let base = match argument {
            Argument::Condition(condition) => compared_collection(condition)?,
            Argument::Value(operand) => base_of_call(operand)?,
            Argument::Literal(..) => return None,
        };
        let name = key::operand_key(base);
        let array = containing_array(base);
        self.lower_exists(&array, base, |arena| {
            let inner = match argument {
                Argument::Condition(inner) => lower_element_condition(arena, &name, inner)?,
                Argument::Value(operand) => lower_element_call(arena, &name, operand)?,
                Argument::Literal(..) => return None,
            };
            Some(transform(arena, inner))
        })
    }

    /// Returns a node that is true if any element of an array satisfies a node of the array's own arena.
    fn lower_exists(
        &mut self,
        array: &Operand,
        element: &Operand,
        lower: impl Fn(&mut Arena) -> Option<NodeId>,
    ) -> Option<NodeId> {
        let sort = sort_of(element.ty);
        if !matches!(sort, Sort::Text | Sort::Integer | Sort::Ip) {
            return None;
        }
        let term = self.arena.intern_term(key::operand_key(array), Sort::Collection, Some(array));
        let mut elements = self.arena.terms.get_mut(term.0)?.elements.take()?;
        elements.intern_term(String::new(), sort, Some(element));
        let node = lower(&mut elements);
        self.arena.terms.get_mut(term.0)?.elements = Some(elements);
        match node? {
            Arena::FALSE => Some(Arena::FALSE),
            node => Some(self.arena.intern_atom(term, Predicate::Any(node))),
        }
    }
}

/// Returns the call that is the whole argument, with or without parentheses.
fn direct_call(argument: &Argument) -> Option<&Operand> {
    fn strip_groups(condition: &Condition) -> Option<&Operand> {
        match &condition.kind {
            ConditionKind::Group(inner) => strip_groups(inner),
            ConditionKind::Value(operand) => Some(operand),
            _ => None,
        }
    }
    match argument {
        Argument::Value(operand) => Some(operand),
        Argument::Condition(condition) => strip_groups(condition),
        Argument::Literal(..) => None,
    }
}

/// Returns the array that contains the elements of a value with `[*]`. With an index after `[*]`, the request has no
/// such array, so the key of the elements represents it.
fn containing_array(base: &Operand) -> Operand {
    let mut array = base.clone();
    if array.indexes.last() == Some(&Index::Each) {
        array.indexes.pop();
    }
    array.each = array.indexes.contains(&Index::Each);
    array
}

/// Returns the first compared value that has `[*]`.
fn compared_collection(condition: &Condition) -> Option<&Operand> {
    match &condition.kind {
        ConditionKind::Logical(_, operands) => operands.iter().find_map(compared_collection),
        ConditionKind::Not(inner) | ConditionKind::Group(inner) => compared_collection(inner),
        ConditionKind::Value(operand) => base_of_call(operand),
        ConditionKind::Comparison(comparison) => element_operand(constrained_operand(&comparison.left)),
        ConditionKind::True | ConditionKind::Invalid => None,
    }
}

fn base_of_call(operand: &Operand) -> Option<&Operand> {
    let (value, _) = known_call(operand)?;
    element_operand(strip_case_calls(value).1)
}

/// Returns the operand if it represents elements. Elements without the index after `[*]` are skipped, so each element
/// has a value.
fn element_operand(operand: &Operand) -> Option<&Operand> {
    let mapped = matches!(&operand.source, OperandSource::Call(call) if call.each);
    (operand.each && !mapped).then_some(operand)
}

/// Returns the operand and the set of strings of `starts_with` or `ends_with`, mapped over elements.
fn known_call(operand: &Operand) -> Option<(&Operand, StringPattern)> {
    let OperandSource::Call(call) = &operand.source else { return None };
    let Call { function, arguments, each: true } = &**call else { return None };
    match (function.id, arguments.as_slice(), operand.indexes.as_slice()) {
        (FunctionId::StartsWith, [Argument::Value(value), Argument::Literal(Literal::Text(text), _)], []) => {
            Some((value, StringPattern::StartsWith(text.clone())))
        }
        (FunctionId::EndsWith, [Argument::Value(value), Argument::Literal(Literal::Text(text), _)], []) => {
            Some((value, StringPattern::EndsWith(text.clone())))
        }
        _ => None,
    }
}

fn lower_element_condition(arena: &mut Arena, name: &str, condition: &Condition) -> Option<NodeId> {
    match &condition.kind {
        ConditionKind::Logical(operator, operands) => {
            let operands =
                operands.iter().map(|operand| lower_element_condition(arena, name, operand)).collect::<Option<_>>()?;
            Some(combine(arena, *operator, operands))
        }
        ConditionKind::Not(inner) => {
            let inner = lower_element_condition(arena, name, inner)?;
            Some(arena.not(inner))
        }
        ConditionKind::Group(inner) => lower_element_condition(arena, name, inner),
        ConditionKind::Value(operand) => lower_element_call(arena, name, operand),
        ConditionKind::Comparison(inner) => lower_element_comparison(arena, name, inner),
        ConditionKind::True | ConditionKind::Invalid => None,
    }
}

fn lower_element_call(arena: &mut Arena, name: &str, operand: &Operand) -> Option<NodeId> {
    let (value, pattern) = known_call(operand)?;
    let (fold, base) = strip_case_calls(value);
    (key::operand_key(base) == name).then(|| arena.language_node(ELEMENT, Language::new(pattern, fold)))
}

fn lower_element_comparison(arena: &mut Arena, name: &str, comparison: &Comparison) -> Option<NodeId> {
    if matches!(comparison.right, RightOperand::Value(_) | RightOperand::List(_)) {
        return None;
    }
    (key::operand_key(constrained_operand(&comparison.left)) == name)
        .then(|| lower_literal_comparison(arena, ELEMENT, comparison))
        .flatten()
}
