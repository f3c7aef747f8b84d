//! Finds the rules of an ordered list that never fire.
//!
//! Start with [`never_fires`], which returns one [`Reachability`] for each active rule.

use crate::step_counter::{StepCounter, UndecidedReason};
use crate::{Assumption, Budget, Prover, SearchResult, TermAssumptions};
use std::collections::BTreeSet;
use zonewright_expression::resolved::ResolvedExpression;
use zonewright_expression::{Outcome, Program, Record};

/// The maximum number of earlier rules for which a proof is minimized.
const MAX_MINIMIZED_RULES: usize = 12;

/// A rule of an ordered list.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The condition.
    pub program: Program,
    /// Whether the rule is terminating: no later rule is evaluated once it is true. A block is terminating, a log is
    /// not.
    pub is_terminating: bool,
}

/// The reachability of a rule.
#[derive(Clone, Debug)]
pub enum Reachability {
    /// The rule fires for this request: it is true, and no earlier terminating rule is true.
    Reachable(Box<Record>),
    /// The rule fires for no request that satisfies the assumptions.
    Unreachable {
        /// The reason.
        proof: UnreachableReason,
        /// The assumptions of the proof.
        assumptions: Vec<Assumption>,
    },
    /// Reachability is unknown. The text is the reason.
    Undecided(String),
}

/// The reason why a rule never fires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnreachableReason {
    /// The rule is never true, at any position.
    Unsatisfiable,
    /// Whenever the rule is true, one of these earlier terminating rules is true. A set of up to 12 rules is minimal
    /// unless the budget ran out, but other sets may exist.
    Shadowed {
        /// The indexes of the earlier rules in the list.
        by: Vec<usize>,
    },
}

/// Decides for each rule of an ordered list whether it can fire. A terminating rule that is true prevents the
/// evaluation of all later rules. `None` is an inactive rule: paused, or invalid. The budget applies to each rule
/// separately.
pub fn never_fires(rules: Vec<Option<Rule>>, budget: &Budget) -> ReachabilityIter {
    ReachabilityIter::new(rules, budget)
}

/// An iterator over the results of [`never_fires`]. Each result is computed on demand.
pub struct ReachabilityIter {
    rules: Vec<Option<Rule>>,
    /// The list index of each active rule. The solver numbers only active rules.
    rule_indexes: Vec<usize>,
    /// The prover; `None` if one of the expressions is a value expression.
    prover: Option<Prover>,
    counter: StepCounter,
    steps_per_rule: u64,
    next: usize,
    /// The number of active rules that the iterator has passed.
    next_rule: usize,
}

impl ReachabilityIter {
    fn new(rules: Vec<Option<Rule>>, budget: &Budget) -> ReachabilityIter {
        let rule_indexes: Vec<usize> =
            rules.iter().enumerate().filter(|(_, rule)| rule.is_some()).map(|(index, _)| index).collect();
        let resolved: Vec<ResolvedExpression> = rules.iter().flatten().map(|rule| rule.program.resolved()).collect();
        let counter = StepCounter::new(budget.steps);
        let prover = Prover::from_resolved(resolved, &[], &counter);
        ReachabilityIter { rules, rule_indexes, prover, counter, steps_per_rule: budget.steps, next: 0, next_rule: 0 }
    }

    /// Decides the reachability of the active rule with this number.
    ///
    /// The first query contains only the condition of the rule. If a query finds a request, the next query also
    /// contains the earlier terminating rules that match the request. The queries for long lists therefore stay small.
    fn classify(&mut self, number: usize) -> Reachability {
        let rules: Vec<&Rule> = self.rules.iter().flatten().collect();
        let programs: Vec<&Program> = rules.iter().map(|rule| &rule.program).collect();
        let Some(prover) = &mut self.prover else {
            return Reachability::Undecided("it is a value expression, so it is neither true nor false".to_owned());
        };
        let terminating: Vec<usize> =
            (0..number).filter(|other| rules.get(*other).is_some_and(|rule| rule.is_terminating)).collect();
        let mut earlier_rules: BTreeSet<usize> = BTreeSet::new();
        loop {
            match prover.find_request(&programs, &goals(&earlier_rules, number)) {
                SearchResult::Unsatisfiable { goals: core, mut granted } => {
                    let mut shadowing: BTreeSet<usize> = core.into_iter().filter(|other| *other != number).collect();
                    if let Some(last_granted) = minimize_shadowing_rules(prover, &programs, &mut shadowing, number) {
                        granted = last_granted;
                    }
                    let assumptions = prover.minimize_assumptions(&programs, &[&goals(&shadowing, number)], granted);
                    return self.build_unreachable(&shadowing, assumptions);
                }
                SearchResult::Found(mut record) => {
                    prover.witness.fill_missing_fields(&mut record);
                    let may_match = |other: &usize| {
                        programs.get(*other).is_some_and(|program| program.evaluate(&record) != Outcome::False)
                    };
                    let size = earlier_rules.len();
                    let matching: Vec<usize> = terminating.iter().copied().filter(may_match).collect();
                    if matching.is_empty() {
                        return Reachability::Reachable(record);
                    }
                    earlier_rules.extend(matching);
                    if earlier_rules.len() == size {
                        return Reachability::Undecided(UndecidedReason::Unconfirmed.message());
                    }
                    if let Err(reason) = self.counter.consume(terminating.len()) {
                        return Reachability::Undecided(reason.message());
                    }
                }
                SearchResult::Unknown(reason) if earlier_rules.len() == terminating.len() => {
                    return Reachability::Undecided(reason);
                }
                // The query may become decidable with the earlier rules that it does not contain yet.
                SearchResult::Unknown(_) => earlier_rules.extend(&terminating),
            }
        }
    }

    /// Builds the result, with the numbers of the shadowing rules as list indexes.
    fn build_unreachable(&self, by: &BTreeSet<usize>, assumptions: Vec<Assumption>) -> Reachability {
        let by: Vec<usize> = by.iter().filter_map(|number| self.rule_indexes.get(*number).copied()).collect();
        let proof = if by.is_empty() { UnreachableReason::Unsatisfiable } else { UnreachableReason::Shadowed { by } };
        Reachability::Unreachable { proof, assumptions }
    }
}

impl Iterator for ReachabilityIter {
    type Item = Option<Reachability>;

    /// Returns `Some(None)` for an inactive rule.
    fn next(&mut self) -> Option<Option<Reachability>> {
        let is_active = self.rules.get(self.next)?.is_some();
        self.next += 1;
        if !is_active {
            return Some(None);
        }
        self.counter.reset(self.steps_per_rule);
        let reachability = self.classify(self.next_rule);
        self.next_rule += 1;
        Some(Some(reachability))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let remaining = self.rules.len() - self.next;
        (remaining, Some(remaining))
    }
}

/// Returns the goals: the rule is true, and these earlier rules are false.
fn goals(earlier_rules: &BTreeSet<usize>, number: usize) -> Vec<(usize, bool)> {
    earlier_rules.iter().map(|other| (*other, false)).chain([(number, true)]).collect()
}

/// Removes rules that the proof does not need. Returns the assumptions of the last proof.
fn minimize_shadowing_rules(
    prover: &mut Prover,
    programs: &[&Program],
    shadowing: &mut BTreeSet<usize>,
    number: usize,
) -> Option<TermAssumptions> {
    let mut last_granted = None;
    if shadowing.len() > MAX_MINIMIZED_RULES {
        return last_granted;
    }
    for other in shadowing.clone() {
        let mut without = shadowing.clone();
        without.remove(&other);
        if let SearchResult::Unsatisfiable { goals: core, granted } =
            prover.find_request(programs, &goals(&without, number))
        {
            *shadowing = core.into_iter().filter(|other| *other != number).collect();
            last_granted = Some(granted);
        }
    }
    last_granted
}
