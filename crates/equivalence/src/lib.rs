//! Decides for all requests whether two expressions are equivalent, with a proof or a counterexample.
//!
//! ```
//! use zonewright_equivalence::{Verdict, Budget, equivalent};
//! use zonewright_expression::{Options, check};
//!
//! let program = |source| check(source, &Options::default()).program.unwrap();
//! let left = program("http.host eq \"a\" or http.host eq \"b\"");
//! let right = program("http.host in {\"b\" \"a\"}");
//! assert!(matches!(equivalent(&left, &right, &Budget::default()), Verdict::Yes { .. }));
//! ```
//!
//! For each request, a field, a key or an element either has a value or is missing. A comparison with a missing value
//! is false. Every filter expression is therefore true or false for each request, so equivalence is a question of
//! logic.
//!
//! The method is lazy SMT: a SAT solver proposes truth values of atoms, and theory solvers decide for each term whether
//! a value with these truth values exists. "Yes" is a proof. Evaluation of both expressions confirms every "no".
//! The result of every other question is "undecided".
//!
//! Start with [`equivalent`], [`subsumes`], [`check_satisfiability`] and [`never_fires`]. The modules, in reading
//! order:
//!
//! - `key`: canonical keys of values and conditions.
//! - `deprecated_names`: replaces deprecated names of fields.
//! - `domain`: facts about fields beyond their types.
//! - `ranges`: sets of integers and addresses.
//! - `language`: sets of strings.
//! - `arena`: terms, atoms and the hash-consed logic above them.
//! - `lower`: lowers expressions to nodes of an arena.
//! - `step_counter`: the step counter and the reasons for "undecided".
//! - `numbers`: theory solver for integers and addresses.
//! - `automaton`: byte automata.
//! - `strings`: theory solver for strings.
//! - `solve`: the SAT solver, and the loop with the theory solvers.
//! - `witness`: builds a request from values of terms and confirms it by evaluation.
//! - `reachability`: finds rules of an ordered list that never fire.
//! - `execution`: proves that no execute rule of a list with skip rules ever runs.

mod arena;
mod automaton;
mod deprecated_names;
mod domain;
mod execution;
mod key;
mod language;
mod lower;
mod numbers;
mod ranges;
mod reachability;
mod solve;
mod step_counter;
mod strings;
mod witness;

pub use execution::ExecutionAnalysis;
pub use reachability::{Reachability, ReachabilityIter, Rule, UnreachableReason, never_fires};

use arena::{NodeId, TermId};
use lower::Lowering;
use solve::{Solver, TermAssumption};
use std::collections::BTreeSet;
use std::fmt;
use step_counter::{StepCounter, UndecidedReason};
use witness::WitnessBuilder;
use zonewright_expression::resolved::ResolvedExpression;
use zonewright_expression::{Outcome, Program, Record};

/// The limit of the work for one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The number of steps of all kinds. The same question takes the same number of steps on every machine. The limit
    /// also bounds memory.
    pub steps: u64,
}

impl Default for Budget {
    /// Returns a budget that suffices for all but the hardest questions. It lasts well under a second in a native
    /// build.
    fn default() -> Self {
        Budget { steps: 10_000_000 }
    }
}

/// The result of a question about all requests.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The statement is true for every request that satisfies the assumptions.
    Yes {
        /// The assumptions that the proof needs; often none. The set is minimal, unless the budget ran out before it
        /// was minimized.
        assumptions: Vec<Assumption>,
    },
    /// The statement is false for this request.
    No(Box<Counterexample>),
    /// The statement was neither proved nor refuted. The text is the reason.
    Undecided(String),
}

/// A request for which a statement is false.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The values of the request. Fields that do not affect the outcomes are not set.
    pub record: Record,
    /// The outcome of the first expression.
    pub first_outcome: Outcome,
    /// The outcome of the second expression.
    pub second_outcome: Outcome,
}

/// A documented fact about requests that a proof relies on. Counterexamples satisfy all assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// Every request has a value for this field.
    Present(&'static str),
    /// Both fields always have the same value.
    Alias {
        /// The deprecated name.
        deprecated: &'static str,
        /// The current name.
        current: &'static str,
    },
    /// Every value of this field has the documented format.
    Format {
        /// The field.
        field: &'static str,
        /// The format as text that follows the name of the field.
        description: &'static str,
    },
    /// Every value of this field is within these bounds.
    Range {
        /// The field.
        field: &'static str,
        /// The lowest value.
        min: i64,
        /// The highest value.
        max: i64,
    },
    /// Every key of this map has at least one value.
    NonEmptyKeys(&'static str),
}

/// Returns every assumption that a proof may make. Requests in results satisfy all of them.
pub fn assumptions() -> Vec<Assumption> {
    domain::assumptions()
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::Present(field) => write!(f, "every request has a value for `{field}`"),
            Assumption::Alias { deprecated, current } => write!(f, "`{deprecated}` always equals `{current}`"),
            Assumption::Format { field, description } => write!(f, "`{field}` {description}"),
            Assumption::NonEmptyKeys(field) => write!(f, "every key of `{field}` has at least one value"),
            Assumption::Range { field, min: low, max: high } if low == high => write!(f, "`{field}` is always {low}"),
            Assumption::Range { field, min: low, max: i64::MAX } => write!(f, "`{field}` is at least {low}"),
            Assumption::Range { field, min: low, max: high } => write!(f, "`{field}` ranges from {low} to {high}"),
        }
    }
}

/// The satisfiability of an expression.
#[derive(Clone, Debug)]
pub enum Satisfiability {
    /// The expression is true for this request.
    Satisfiable(Box<Record>),
    /// The expression is false for every request that satisfies the assumptions.
    Unsatisfiable {
        /// The assumptions of the proof.
        assumptions: Vec<Assumption>,
    },
    /// Satisfiability is unknown. The text is the reason.
    Undecided(String),
}

/// Decides whether two expressions are true for the same requests.
///
/// Value expressions are equivalent only if their canonical keys are equal; otherwise the result is undecided.
pub fn equivalent(a: &Program, b: &Program, budget: &Budget) -> Verdict {
    let programs = [a, b];
    let mut prover = match Prover::new(&programs, budget) {
        Ok(prover) => prover,
        Err(verdict) => return verdict,
    };
    let [forward, backward] = [[(0, true), (1, false)], [(1, true), (0, false)]];
    match prover.find_request(&programs, &forward) {
        SearchResult::Unsatisfiable { .. } => prover.prove_unreachable(&programs, &[&forward, &backward]),
        SearchResult::Found(record) => to_counterexample(&programs, *record),
        // A request with the opposite outcomes may be easier to find.
        SearchResult::Unknown(reason) => match prover.find_request(&programs, &backward) {
            SearchResult::Found(record) => to_counterexample(&programs, *record),
            _ => Verdict::Undecided(reason),
        },
    }
}

/// Decides whether `general` is true whenever `special` is. A counterexample has the outcome of `general` first.
pub fn subsumes(general: &Program, special: &Program, budget: &Budget) -> Verdict {
    let programs = [general, special];
    Prover::new(&programs, budget)
        .map_or_else(|verdict| verdict, |mut prover| prover.prove_unreachable(&programs, &[&[(1, true), (0, false)]]))
}

/// Decides whether the expression is true for some request.
pub fn check_satisfiability(a: &Program, budget: &Budget) -> Satisfiability {
    let programs = [a];
    match Prover::new(&programs, budget).map(|mut prover| prover.prove_unreachable(&programs, &[&[(0, true)]])) {
        Ok(Verdict::Yes { assumptions }) => Satisfiability::Unsatisfiable { assumptions },
        Ok(Verdict::No(counterexample)) => Satisfiability::Satisfiable(Box::new(counterexample.record)),
        Ok(Verdict::Undecided(reason)) | Err(Verdict::Undecided(reason)) => Satisfiability::Undecided(reason),
        Err(_) => Satisfiability::Undecided("it is a value expression".to_owned()),
    }
}

/// Builds a counterexample from a request and the outcomes of the first two programs.
fn to_counterexample(programs: &[&Program], record: Record) -> Verdict {
    let outcome = |number: usize| programs.get(number).map_or(Outcome::Absent, |program| program.evaluate(&record));
    Verdict::No(Box::new(Counterexample { first_outcome: outcome(0), second_outcome: outcome(1), record }))
}

/// The index of a program and its required outcome.
type Goal = (usize, bool);

/// The assumptions about terms that a proof used.
type TermAssumptions = BTreeSet<(TermId, TermAssumption)>;

/// The expressions of one question, loaded into one solver.
struct Prover {
    roots: Vec<NodeId>,
    solver: Solver,
    witness: WitnessBuilder,
}

impl Prover {
    fn new(programs: &[&Program], budget: &Budget) -> Result<Self, Verdict> {
        let resolved: Vec<ResolvedExpression> = programs.iter().map(|program| program.resolved()).collect();
        match Prover::from_resolved(resolved, &[], &StepCounter::new(budget.steps)) {
            Some(prover) => Ok(prover),
            None => Err(compare_value_expressions(programs)),
        }
    }

    /// Creates a prover in which current field names replace deprecated ones, except those in `retained`. Returns
    /// `None` if an expression is a value expression.
    fn from_resolved(mut resolved: Vec<ResolvedExpression>, retained: &[&str], counter: &StepCounter) -> Option<Self> {
        let fields = witness::referenced_fields(&resolved);
        let mut lowering = Lowering::new();
        let mut roots = Vec::new();
        for program in &mut resolved {
            deprecated_names::replace_deprecated_fields(program, retained);
            match program {
                ResolvedExpression::Condition(condition) => roots.push(lowering.lower_condition(condition)),
                ResolvedExpression::Value(_) => return None,
            }
        }
        let witness = WitnessBuilder::new(fields, &lowering);
        let solver = Solver::new(lowering, &roots, counter);
        Some(Prover { roots, solver, witness })
    }

    fn nodes(&self, goals: &[Goal]) -> Vec<(NodeId, bool)> {
        goals.iter().filter_map(|(number, truth)| self.roots.get(*number).map(|root| (*root, *truth))).collect()
    }

    /// Decides whether every set of goals is unreachable.
    fn prove_unreachable(&mut self, programs: &[&Program], sets: &[&[Goal]]) -> Verdict {
        let mut granted = TermAssumptions::new();
        for goals in sets {
            match self.find_request(programs, goals) {
                SearchResult::Unsatisfiable { granted: used, .. } => granted.extend(used),
                SearchResult::Found(record) => return to_counterexample(programs, *record),
                SearchResult::Unknown(reason) => return Verdict::Undecided(reason),
            }
        }
        Verdict::Yes { assumptions: self.minimize_assumptions(programs, sets, granted) }
    }

    /// Finds a request for which the programs have these outcomes, or proves that none exists.
    fn find_request(&mut self, programs: &[&Program], goals: &[Goal]) -> SearchResult {
        let nodes = self.nodes(goals);
        let mut confirmed = None;
        let witness = &mut self.witness;
        let result = self.solver.solve(&nodes, &mut |choices| {
            confirmed = Some(witness.confirm(choices, programs, goals)?);
            Ok(())
        });
        match (result, confirmed) {
            (solve::SatResult::Unsat { goals: core, granted }, _) => {
                let numbers = core.iter().filter_map(|index| goals.get(*index)).map(|(number, _)| *number);
                SearchResult::Unsatisfiable { goals: numbers.collect(), granted }
            }
            (solve::SatResult::Sat, Some(record)) => SearchResult::Found(Box::new(record)),
            (solve::SatResult::Sat, None) => SearchResult::Unknown(UndecidedReason::Unconfirmed.message()),
            (solve::SatResult::Unknown(reason), _) => SearchResult::Unknown(reason.message()),
        }
    }

    /// Minimizes the assumptions of proofs that no request reaches the goals. The remaining steps bound the search. An
    /// assumption stays if the steps run out before a proof without it is found.
    fn minimize_assumptions(
        &mut self,
        programs: &[&Program],
        sets: &[&[Goal]],
        granted: TermAssumptions,
    ) -> Vec<Assumption> {
        let nodes: Vec<Vec<(NodeId, bool)>> = sets.iter().map(|goals| self.nodes(goals)).collect();
        let granted = self.solver.minimize_assumptions(&nodes, granted);
        let mut assumptions = self.witness.assumptions(&granted);
        // Only programs with a goal are part of the proofs.
        let numbers: BTreeSet<usize> = sets.iter().flat_map(|goals| goals.iter().map(|(number, _)| *number)).collect();
        let resolved = || -> Vec<ResolvedExpression> {
            numbers.iter().filter_map(|number| programs.get(*number)).map(|program| program.resolved()).collect()
        };
        let index_of = |number: usize| numbers.range(..number).count();
        let mut retained = Vec::new();
        for alias in deprecated_names::alias_assumptions(&witness::referenced_fields(&resolved())) {
            let Assumption::Alias { deprecated, .. } = alias else { continue };
            let candidate: Vec<&str> = retained.iter().copied().chain([deprecated]).collect();
            let proved = Prover::from_resolved(resolved(), &candidate, &self.solver.counter).and_then(|mut prover| {
                let goals = |goals: &&[Goal]| goals.iter().map(|(number, truth)| (index_of(*number), *truth)).collect();
                let nodes: Vec<_> = sets.iter().map(goals).map(|goals: Vec<Goal>| prover.nodes(&goals)).collect();
                let granted = prover.solver.prove(&nodes)?;
                Some(prover.witness.assumptions(&granted))
            });
            // A proof that needs a different assumption instead is no improvement.
            match proved {
                Some(needed) if needed.iter().all(|assumption| assumptions.contains(assumption)) => {
                    retained = candidate
                }
                _ => assumptions.push(alias),
            }
        }
        assumptions.sort_unstable();
        assumptions.dedup();
        assumptions
    }
}

/// The result of a search for a request that satisfies a set of goals.
enum SearchResult {
    /// No request satisfies the goals under the assumptions in `granted`. `goals` is the unsat core, by program index.
    Unsatisfiable {
        goals: Vec<usize>,
        granted: TermAssumptions,
    },
    /// This request satisfies the goals.
    Found(Box<Record>),
    Unknown(String),
}

/// Compares value expressions by their canonical keys: equal keys prove equivalence.
fn compare_value_expressions(programs: &[&Program]) -> Verdict {
    let resolved: Vec<ResolvedExpression> = programs.iter().map(|program| program.resolved()).collect();
    let keys = |retained: &[&str]| -> Vec<Option<String>> {
        let key_of = |program: &ResolvedExpression| {
            let mut program = program.clone();
            deprecated_names::replace_deprecated_fields(&mut program, retained);
            match program {
                ResolvedExpression::Value(operand) => Some(key::operand_key(&operand)),
                ResolvedExpression::Condition(_) => None,
            }
        };
        resolved.iter().map(key_of).collect()
    };
    let is_same = |retained: &[&str]| matches!(keys(retained).as_slice(), [Some(left), Some(right)] if left == right);
    match keys(&[]).as_slice() {
        [Some(left), Some(right)] if left == right => {
            let mut assumptions = deprecated_names::alias_assumptions(&witness::referenced_fields(&resolved));
            assumptions
                .retain(|alias| !matches!(alias, Assumption::Alias { deprecated, .. } if is_same(&[deprecated])));
            Verdict::Yes { assumptions }
        }
        [Some(_), Some(_)] => Verdict::Undecided("value expressions can only be compared by their text".to_owned()),
        _ => Verdict::Undecided("it is a value expression, so it is neither true nor false".to_owned()),
    }
}
