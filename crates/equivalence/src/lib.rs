//! Whether two expressions mean the same: for every request, proved; or with a request that shows the
//! difference.
//!
//! ```
//! use zonewright_equivalence::{Answer, Budget, equivalent};
//! use zonewright_expression::{Options, check};
//!
//! let program = |source| check(source, &Options::default()).program.unwrap();
//! let one = program("http.host eq \"a\" or http.host eq \"b\"");
//! let other = program("http.host in {\"b\" \"a\"}");
//! assert!(matches!(equivalent(&one, &other, &Budget::default()), Answer::Yes { .. }));
//! ```
//!
//! A request either has a value for a field, a key or an element, or has none; every comparison with a
//! missing value is false. So each expression is true or false for each request, and the question is
//! one of logic: [`arena`] holds what is asked of the values, [`solve`] the logic above, `solve::theory` what
//! answers about one value have to do with each other ([`numbers`], [`words`]). "Yes" is a proof; "no"
//! was confirmed by evaluating both expressions; everything else is "undecided".

mod acting;
mod arena;
mod automaton;
mod build;
mod domain;
mod firing;
mod key;
mod language;
mod meter;
mod names;
mod numbers;
mod ranges;
mod solve;
mod witness;
mod words;

pub use acting::Acting;
pub use firing::{Fate, Firing, Proof, Rule, never_fires};

use arena::{NodeId, TermId};
use build::Builder;
use meter::{Meter, Reason};
use solve::{Granted, Solver};
use std::collections::BTreeSet;
use std::fmt;
use witness::Witness;
use zonewright_expression::resolved::Resolved;
use zonewright_expression::{Outcome, Program, Record};

/// How much work may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Steps of all kinds. The same question takes the same steps on every machine; memory is bounded
    /// by them too.
    pub steps: u64,
}

impl Default for Budget {
    /// Enough for all but the hardest questions, and well under a second natively.
    fn default() -> Self {
        Budget { steps: 10_000_000 }
    }
}

/// The answer to a question about all requests.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It is so for every request, as far as these hold.
    Yes {
        /// The assumptions that the proof needs; often none. The set is minimal, unless the budget ran out before it
        /// was minimized.
        assumptions: Vec<Assumption>,
    },
    /// It is not so for this request.
    No(Box<Counterexample>),
    /// It was neither proved nor refuted; says why, in plain words.
    Undecided(String),
}

/// A request for which something is not so.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// What the request has. Fields that do not matter are not given.
    pub record: Record,
    /// What the first expression says of it.
    pub first: Outcome,
    /// What the second expression says of it.
    pub second: Outcome,
}

/// What a proof takes for granted. Requests that break it are not shown as counterexamples either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// Every request has a value for this field.
    Present(&'static str),
    /// Both fields always have the same value.
    Same {
        /// The older name.
        older: &'static str,
        /// The name that is in use.
        current: &'static str,
    },
    /// The values of this field are as they are documented.
    Form {
        /// The field.
        field: &'static str,
        /// The form in words, to be read behind the field's name.
        words: &'static str,
    },
    /// The values of this field are within these bounds.
    Range {
        /// The field.
        field: &'static str,
        /// The lowest.
        low: i64,
        /// The highest.
        high: i64,
    },
    /// Every name in this map has at least one value.
    NamedValues(&'static str),
}

/// Every assumption that a proof may make. Requests in answers satisfy all of them.
pub fn assumptions() -> Vec<Assumption> {
    domain::assumptions()
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::Present(field) => write!(f, "every request has a value for `{field}`"),
            Assumption::Same { older, current } => write!(f, "`{older}` always has the value of `{current}`"),
            Assumption::Form { field, words } => write!(f, "`{field}` {words}"),
            Assumption::NamedValues(field) => write!(f, "every name in `{field}` has at least one value"),
            Assumption::Range { field, low, high } if low == high => write!(f, "`{field}` is always {low}"),
            Assumption::Range { field, low, high: i64::MAX } => write!(f, "`{field}` is never below {low}"),
            Assumption::Range { field, low, high } => write!(f, "`{field}` is from {low} to {high}"),
        }
    }
}

/// Whether an expression can be true.
#[derive(Clone, Debug)]
pub enum Satisfiable {
    /// It is true for this request.
    Yes(Box<Record>),
    /// It is never true, as far as these hold.
    Never {
        /// What the proof takes for granted.
        assumptions: Vec<Assumption>,
    },
    /// It is not known; says why, in plain words.
    Undecided(String),
}

/// Whether both expressions are true for the same requests.
///
/// Value expressions are only known to be the same when they are written the same.
pub fn equivalent(a: &Program, b: &Program, budget: &Budget) -> Answer {
    let programs = [a, b];
    let mut question = match Question::new(&programs, budget) {
        Ok(question) => question,
        Err(answer) => return answer,
    };
    let [forth, back] = [[(0, true), (1, false)], [(1, true), (0, false)]];
    match question.reach(&programs, &forth) {
        Reached::Never { .. } => question.never(&programs, &[&forth, &back]),
        Reached::Here(record) => counterexample(&programs, *record),
        // A difference the other way round may be easier to see.
        Reached::Unknown(why) => match question.reach(&programs, &back) {
            Reached::Here(record) => counterexample(&programs, *record),
            _ => Answer::Undecided(why),
        },
    }
}

/// Whether the general expression is true whenever the special one is. In a counterexample the
/// general one stands first.
pub fn subsumes(general: &Program, special: &Program, budget: &Budget) -> Answer {
    let programs = [general, special];
    Question::new(&programs, budget)
        .map_or_else(|answer| answer, |mut question| question.never(&programs, &[&[(1, true), (0, false)]]))
}

/// Whether the expression is true for some request.
pub fn satisfiable(a: &Program, budget: &Budget) -> Satisfiable {
    let programs = [a];
    match Question::new(&programs, budget).map(|mut question| question.never(&programs, &[&[(0, true)]])) {
        Ok(Answer::Yes { assumptions }) => Satisfiable::Never { assumptions },
        Ok(Answer::No(found)) => Satisfiable::Yes(Box::new(found.record)),
        Ok(Answer::Undecided(why)) | Err(Answer::Undecided(why)) => Satisfiable::Undecided(why),
        Err(_) => Satisfiable::Undecided("it is a value expression".to_owned()),
    }
}

/// Makes a counterexample from a request, with the outcomes of the first two programs.
fn counterexample(programs: &[&Program], record: Record) -> Answer {
    let outcome = |number: usize| programs.get(number).map_or(Outcome::Absent, |one| one.evaluate(&record));
    Answer::No(Box::new(Counterexample { first: outcome(0), second: outcome(1), record }))
}

/// The number of a program, and its required outcome.
type Goal = (usize, bool);

/// The assumptions about terms.
type GrantedTerms = BTreeSet<(TermId, Granted)>;

/// Expressions in one solver.
struct Question {
    roots: Vec<NodeId>,
    solver: Solver,
    witness: Witness,
}

impl Question {
    fn new(programs: &[&Program], budget: &Budget) -> Result<Self, Answer> {
        let resolved: Vec<Resolved> = programs.iter().map(|program| program.resolved()).collect();
        match Question::of(resolved, &[], &Meter::new(budget.steps)) {
            Some(question) => Ok(question),
            None => Err(compare_values(programs)),
        }
    }

    /// A question in which current field names replace former ones, except those in `retained`. `None` when an
    /// expression is a value.
    fn of(mut resolved: Vec<Resolved>, retained: &[&str], meter: &Meter) -> Option<Self> {
        let fields = witness::fields_of(&resolved);
        let mut builder = Builder::new();
        let mut roots = Vec::new();
        for one in &mut resolved {
            names::replace_former(one, retained);
            match one {
                Resolved::Condition(condition) => roots.push(builder.condition(condition)),
                Resolved::Value(_) => return None,
            }
        }
        let witness = Witness::new(fields, &builder);
        let solver = Solver::new(builder, &roots, meter);
        Some(Question { roots, solver, witness })
    }

    fn nodes(&self, goals: &[Goal]) -> Vec<(NodeId, bool)> {
        goals.iter().filter_map(|(number, yes)| self.roots.get(*number).map(|root| (*root, *yes))).collect()
    }

    /// Whether the programs never have the outcomes of any of these sets of goals.
    fn never(&mut self, programs: &[&Program], sets: &[&[Goal]]) -> Answer {
        let mut granted = GrantedTerms::new();
        for goals in sets {
            match self.reach(programs, goals) {
                Reached::Never { granted: more, .. } => granted.extend(more),
                Reached::Here(record) => return counterexample(programs, *record),
                Reached::Unknown(why) => return Answer::Undecided(why),
            }
        }
        Answer::Yes { assumptions: self.minimize_assumptions(programs, sets, granted) }
    }

    /// A request for which the programs have these outcomes, or a proof that there is none.
    fn reach(&mut self, programs: &[&Program], goals: &[Goal]) -> Reached {
        let nodes = self.nodes(goals);
        let mut found = None;
        let witness = &mut self.witness;
        let answer = self.solver.query(&nodes, &mut |choices| {
            found = Some(witness.confirmed(choices, programs, goals)?);
            Ok(())
        });
        match (answer, found) {
            (solve::Answer::Never { goals: core, granted }, _) => {
                let numbers = core.iter().filter_map(|place| goals.get(*place)).map(|(number, _)| *number);
                Reached::Never { goals: numbers.collect(), granted }
            }
            (solve::Answer::Found, Some(record)) => Reached::Here(Box::new(record)),
            (solve::Answer::Found, None) => Reached::Unknown(Reason::NotShown.words()),
            (solve::Answer::Unknown(reason), _) => Reached::Unknown(reason.words()),
        }
    }

    /// Minimizes the assumptions of proofs that no request reaches the goals. The remaining steps bound the search: an
    /// assumption also stays if they run out before a proof without it is found.
    fn minimize_assumptions(
        &mut self,
        programs: &[&Program],
        sets: &[&[Goal]],
        granted: GrantedTerms,
    ) -> Vec<Assumption> {
        let nodes: Vec<Vec<(NodeId, bool)>> = sets.iter().map(|goals| self.nodes(goals)).collect();
        let granted = self.solver.minimize_granted(&nodes, granted);
        let mut assumptions = self.witness.assumptions(&granted);
        // Only the programs of the goals matter.
        let numbers: BTreeSet<usize> = sets.iter().flat_map(|goals| goals.iter().map(|(number, _)| *number)).collect();
        let resolved = || -> Vec<Resolved> {
            numbers.iter().filter_map(|number| programs.get(*number)).map(|one| one.resolved()).collect()
        };
        let index_of = |number: usize| numbers.range(..number).count();
        let mut retained = Vec::new();
        for same in names::same_fields(&witness::fields_of(&resolved())) {
            let Assumption::Same { older, .. } = same else { continue };
            let more: Vec<&str> = retained.iter().copied().chain([older]).collect();
            let proved = Question::of(resolved(), &more, &self.solver.meter).and_then(|mut question| {
                let goals = |goals: &&[Goal]| goals.iter().map(|(number, yes)| (index_of(*number), *yes)).collect();
                let nodes: Vec<_> = sets.iter().map(goals).map(|goals: Vec<Goal>| question.nodes(&goals)).collect();
                let granted = question.solver.prove(&nodes)?;
                Some(question.witness.assumptions(&granted))
            });
            // A proof that needs another assumption instead is no improvement.
            match proved {
                Some(others) if others.iter().all(|one| assumptions.contains(one)) => retained = more,
                _ => assumptions.push(same),
            }
        }
        assumptions.sort_unstable();
        assumptions.dedup();
        assumptions
    }
}

/// What came of goals.
enum Reached {
    /// By no request: even these goals alone cannot be met, under the assumptions in `granted`.
    Never {
        goals: Vec<usize>,
        granted: GrantedTerms,
    },
    /// By this request.
    Here(Box<Record>),
    Unknown(String),
}

/// What is known of value expressions: those that are written the same are the same.
fn compare_values(programs: &[&Program]) -> Answer {
    let resolved: Vec<Resolved> = programs.iter().map(|program| program.resolved()).collect();
    let keys = |retained: &[&str]| -> Vec<Option<String>> {
        let key_of = |one: &Resolved| {
            let mut one = one.clone();
            names::replace_former(&mut one, retained);
            match one {
                Resolved::Value(operand) => Some(key::of_operand(&operand)),
                Resolved::Condition(_) => None,
            }
        };
        resolved.iter().map(key_of).collect()
    };
    let is_same = |retained: &[&str]| matches!(keys(retained).as_slice(), [Some(one), Some(other)] if one == other);
    match keys(&[]).as_slice() {
        [Some(one), Some(other)] if one == other => {
            let mut assumptions = names::same_fields(&witness::fields_of(&resolved));
            assumptions.retain(|same| !matches!(same, Assumption::Same { older, .. } if is_same(&[older])));
            Answer::Yes { assumptions }
        }
        [Some(_), Some(_)] => {
            Answer::Undecided("value expressions are only compared by how they are written".to_owned())
        }
        _ => Answer::Undecided("it is a value expression, which is neither true nor false".to_owned()),
    }
}
