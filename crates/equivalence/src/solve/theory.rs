//! Dispatches to the theory solver of a term.
//!
//! Start with [`Solver::check_term`]. It decides whether the literals of one term are consistent.

use super::{SatResult, Solver};
use crate::arena::{Arena, AtomId, NodeId, Predicate, Sort, TermId};
use crate::domain::{self, ValueFormat};
use crate::numbers;
use crate::ranges::{Point, RangeSet};
use crate::step_counter::UndecidedReason;
use zonewright_expression::Value;
use zonewright_expression::resolved::OperandSource;
use zonewright_expression::schema::ValueConstraint;

/// An atom and its truth value.
pub(crate) type Literal = (AtomId, bool);

/// The chosen value of a term.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TermValue {
    /// The request does not have the value.
    Missing,
    Value(Value),
}

/// The result of a consistency check of the literals of one term.
#[derive(Debug)]
pub(crate) enum TheoryResult {
    Consistent(TermValue),
    /// These literals contradict each other under these assumptions about the term.
    Conflict(Vec<Literal>, Vec<TermAssumption>),
    Unknown(UndecidedReason),
}

/// An assumption about a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TermAssumption {
    /// Every request has a value for the term.
    Present,
    /// The values of the term have their documented format.
    Format,
}

/// The maximum number of literals for which a contradiction is minimized.
const MAX_MINIMIZED_LITERALS: usize = 200;

impl Solver {
    /// Checks whether the literals of one term are consistent.
    pub(crate) fn check_term(&mut self, term: TermId, literals: &[Literal]) -> TheoryResult {
        let tests_presence = |solver: &Solver, literal: &Literal| {
            solver.arena.atoms.get(literal.0.0).is_some_and(|atom| atom.predicate == Predicate::Present)
        };
        let positive = literals.iter().find(|(_, positive)| *positive);
        if let Some(absence) = literals.iter().find(|literal| !literal.1 && tests_presence(self, literal)) {
            return match positive {
                Some(other) => TheoryResult::Conflict(vec![*absence, *other], Vec::new()),
                None if self.is_always_present(term) => {
                    TheoryResult::Conflict(vec![*absence], vec![TermAssumption::Present])
                }
                None => TheoryResult::Consistent(TermValue::Missing),
            };
        }
        let may_be_missing = positive.is_none();
        if may_be_missing && self.prefers_missing(term) {
            return TheoryResult::Consistent(TermValue::Missing);
        }
        let format = self.enabled_format(term);
        match self.find_value(term, literals, format) {
            Ok(Some(value)) => TheoryResult::Consistent(TermValue::Value(value)),
            Ok(None) if may_be_missing && !self.is_always_present(term) => TheoryResult::Consistent(TermValue::Missing),
            Ok(None) => {
                // A contradiction for every value needs fewer assumptions.
                let needed_format = format.filter(|_| !matches!(self.find_value(term, literals, None), Ok(None)));
                let minimal = self.minimize_conflict(term, literals, needed_format);
                let presence = may_be_missing.then_some(TermAssumption::Present);
                TheoryResult::Conflict(
                    minimal,
                    presence.into_iter().chain(needed_format.map(|_| TermAssumption::Format)).collect(),
                )
            }
            Err(reason) => match self.find_conflicting_pair(term, literals, None) {
                Ok(Some(pair)) => TheoryResult::Conflict(pair, Vec::new()),
                Ok(None) | Err(_) => TheoryResult::Unknown(reason),
            },
        }
    }

    /// Returns the documented format of a term, unless proofs must not use it.
    fn enabled_format(&self, term: TermId) -> Option<ValueFormat> {
        let format = self.arena.terms.get(term.0).and_then(|term| term.format);
        format.filter(|_| !self.disabled_assumptions.contains(&(term, TermAssumption::Format)))
    }

    fn is_always_present(&self, term: TermId) -> bool {
        let operand = self.arena.terms.get(term.0).and_then(|term| term.operand.as_ref());
        let is_required_field = operand.is_some_and(|operand| match operand.source {
            OperandSource::Field(field) => operand.indexes.is_empty() && domain::is_always_present(field.current()),
            _ => false,
        });
        is_required_field && !self.disabled_assumptions.contains(&(term, TermAssumption::Present))
    }

    /// Returns whether a missing value is the better choice. Most elements and keys are missing in a request, whereas a
    /// counterexample shows a field with a value where possible.
    fn prefers_missing(&self, term: TermId) -> bool {
        let operand = self.arena.terms.get(term.0).and_then(|term| term.operand.as_ref());
        !self.arena.is_element() && operand.is_some_and(|operand| !operand.indexes.is_empty())
    }

    /// Finds a value of this format that satisfies the literals. Returns `None` if no such value exists.
    fn find_value(
        &mut self,
        term: TermId,
        literals: &[Literal],
        format: Option<ValueFormat>,
    ) -> Result<Option<Value>, UndecidedReason> {
        self.counter.consume(1 + literals.len())?;
        let Some(sort) = self.arena.terms.get(term.0).map(|term| term.sort) else { return Ok(None) };
        let constraint = match format {
            Some(ValueFormat::NeverPresent) => return Ok(None),
            Some(ValueFormat::Constrained(constraint)) => Some(constraint),
            Some(ValueFormat::NonEmpty) | None => None,
        };
        Ok(match sort {
            Sort::Text => self.automata.find_string(&self.arena, literals, constraint, &self.counter)?.map(Value::Text),
            Sort::Integer => {
                let domain = match constraint {
                    Some(ValueConstraint::Integers { low, high }) => {
                        RangeSet::new(vec![(Point::integer(low), Point::integer(high))])
                    }
                    _ if self.is_length(term) => RangeSet::new(vec![(Point::integer(0), Point::integer(i64::MAX))]),
                    _ => RangeSet::all_integers(),
                };
                let point = numbers::find_number(&self.arena, domain, literals, &self.counter)?;
                point.map(|point| Value::Integer(point.as_integer()))
            }
            Sort::Ip => {
                let point = numbers::find_number(&self.arena, RangeSet::all_addresses(), literals, &self.counter)?;
                point.map(|point| Value::Ip(point.as_ip()))
            }
            Sort::Boolean => {
                let is_true = |literal: &&Literal| {
                    self.arena.atoms.get(literal.0.0).is_some_and(|atom| atom.predicate == Predicate::True)
                };
                Some(Value::Boolean(literals.iter().find(is_true).is_some_and(|(_, positive)| *positive)))
            }
            Sort::Collection => self.find_array(term, literals, format)?.map(Value::Array),
        })
    }

    fn is_length(&self, term: TermId) -> bool {
        let operand = self.arena.terms.get(term.0).and_then(|term| term.operand.as_ref());
        operand.is_some_and(domain::is_length)
    }

    /// Builds an array of this format with one element for each condition that some element must satisfy.
    fn find_array(
        &mut self,
        term: TermId,
        literals: &[Literal],
        format: Option<ValueFormat>,
    ) -> Result<Option<Vec<Value>>, UndecidedReason> {
        let mut required = Vec::new();
        let mut excluded: Vec<(NodeId, bool)> = Vec::new();
        for (id, positive) in literals {
            if let Some(Predicate::Any(node)) = self.arena.atoms.get(id.0).map(|atom| &atom.predicate) {
                if *positive { required.push(*node) } else { excluded.push((*node, false)) }
            }
        }
        if required.is_empty() && format == Some(ValueFormat::NonEmpty) {
            required.push(Arena::TRUE);
        }
        let Some(elements) = self.elements.get_mut(&term) else { return Ok(None) };
        elements.disable_format_assumptions(format.is_none());
        let mut array = Vec::new();
        for node in required {
            let goals: Vec<(NodeId, bool)> = excluded.iter().copied().chain([(node, true)]).collect();
            let mut value = None;
            let result = elements.solve(&goals, &mut |choices| {
                value = choices.values().next().cloned();
                Ok(())
            });
            match (result, value) {
                (SatResult::Unsat { .. }, _) => return Ok(None),
                (SatResult::Unknown(reason), _) => return Err(reason),
                (SatResult::Sat, Some(TermValue::Value(value))) => array.push(value),
                // Every element satisfies the condition.
                (SatResult::Sat, _) => array.push(elements.typical_element()),
            }
        }
        Ok(Some(array))
    }

    /// Disables or restores the documented formats of a solver of elements.
    fn disable_format_assumptions(&mut self, is_disabled: bool) {
        self.disabled_assumptions = (0..self.arena.terms.len())
            .filter(|_| is_disabled)
            .map(|number| (TermId(number), TermAssumption::Format))
            .collect();
    }

    /// Returns a typical value of the only term in an arena of elements.
    fn typical_element(&self) -> Value {
        let Some(term) = self.arena.terms.first() else { return Value::Text(Vec::new()) };
        match (term.sort, term.format) {
            (Sort::Text, Some(ValueFormat::Constrained(ValueConstraint::Text { example, .. }))) => {
                Value::Text(example.as_bytes().to_vec())
            }
            (Sort::Integer, Some(ValueFormat::Constrained(ValueConstraint::Integers { low, .. }))) => {
                Value::Integer(low)
            }
            (Sort::Integer, _) => Value::Integer(0),
            (Sort::Ip, _) => Value::Ip(std::net::Ipv4Addr::new(192, 0, 2, 1).into()),
            _ => Value::Text(Vec::new()),
        }
    }

    /// Minimizes contradicting literals, because a shorter clause excludes more models. If there is a positive literal,
    /// at least one stays, because otherwise the value may be missing.
    fn minimize_conflict(&mut self, term: TermId, literals: &[Literal], format: Option<ValueFormat>) -> Vec<Literal> {
        if let Ok(Some(pair)) = self.find_conflicting_pair(term, literals, format) {
            return pair;
        }
        let mut minimal = literals.to_vec();
        if minimal.len() > MAX_MINIMIZED_LITERALS {
            return minimal;
        }
        let needs_value = literals.iter().any(|(_, positive)| *positive);
        for literal in literals {
            let without: Vec<Literal> = minimal.iter().copied().filter(|other| other != literal).collect();
            let has_value = without.iter().any(|(_, positive)| *positive);
            let is_removable = has_value || !(needs_value || without.is_empty());
            if is_removable && matches!(self.find_value(term, &without, format), Ok(None)) {
                minimal = without;
            }
        }
        minimal
    }

    /// Finds two literals that contradict each other, of which at least one is positive.
    fn find_conflicting_pair(
        &mut self,
        term: TermId,
        literals: &[Literal],
        format: Option<ValueFormat>,
    ) -> Result<Option<Vec<Literal>>, UndecidedReason> {
        for (index, second) in literals.iter().enumerate() {
            for first in literals.iter().take(index).filter(|first| second.1 || first.1) {
                let pair = [*first, *second];
                let key = (pair, format.is_some());
                let is_consistent = match self.conflict_cache.get(&key) {
                    Some(is_consistent) => *is_consistent,
                    None => {
                        let is_consistent = self.find_value(term, &pair, format)?.is_some();
                        self.conflict_cache.insert(key, is_consistent);
                        is_consistent
                    }
                };
                if !is_consistent {
                    return Ok(Some(pair.to_vec()));
                }
            }
        }
        Ok(None)
    }
}
