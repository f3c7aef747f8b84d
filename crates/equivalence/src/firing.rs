//! Over an ordered list of rules: which of them can never fire.

use crate::meter::Meter;
use crate::{Assumption, Budget, GrantedTerms, Question, Reached};
use std::collections::BTreeSet;
use zonewright_expression::resolved::Resolved;
use zonewright_expression::{Outcome, Program, Record};

/// More rules than this are not tried to be made fewer in a proof.
const MOST_TRIED: usize = 12;

/// A rule of an ordered list.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its condition.
    pub program: Program,
    /// Whether no rule behind it is asked once it is true: a block ends the list, a log does not.
    pub ends: bool,
}

/// What becomes of a rule.
#[derive(Clone, Debug)]
pub enum Fate {
    /// It fires for this request: it is true, and no rule before it ends the list.
    Fires(Box<Record>),
    /// No request ever fires it, as far as the assumptions hold.
    Never {
        /// Why.
        proof: Proof,
        /// What the proof takes for granted.
        assumptions: Vec<Assumption>,
    },
    /// It is not known; says why, in plain words.
    Undecided(String),
}

/// Why a rule never fires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It is never true, wherever it stands.
    NeverTrue,
    /// Whenever it is true, one of these earlier rules is true and ends the list. None of them can be left
    /// out, but there may be another choice.
    Covered {
        /// Their places in the list, from 0.
        by: Vec<usize>,
    },
}

/// What becomes of each rule of a list, in its order, when a rule that is true and ends the list keeps
/// those behind it from being asked. `None` is a place without a rule that plays a part: one that is
/// paused, or could not be read. The budget is for each rule by itself.
pub fn never_fires(rules: Vec<Option<Rule>>, budget: &Budget) -> Firing {
    Firing::new(rules, budget)
}

/// The answers of [`never_fires`], each of which is found when it is asked for.
pub struct Firing {
    rules: Vec<Option<Rule>>,
    /// The place of each rule that plays a part among all of them; the solver counts these alone.
    places: Vec<usize>,
    /// `None` when one of the expressions is a value.
    question: Option<Question>,
    meter: Meter,
    steps: u64,
    next: usize,
    /// How many of `places` are behind us.
    asked: usize,
}

impl Firing {
    fn new(rules: Vec<Option<Rule>>, budget: &Budget) -> Firing {
        let places: Vec<usize> =
            rules.iter().enumerate().filter(|(_, rule)| rule.is_some()).map(|(place, _)| place).collect();
        let resolved: Vec<Resolved> = rules.iter().flatten().map(|rule| rule.program.resolved()).collect();
        let meter = Meter::new(budget.steps);
        let question = Question::of(resolved, &[], &meter);
        Firing { rules, places, question, meter, steps: budget.steps, next: 0, asked: 0 }
    }

    /// What becomes of a rule; `number` counts those that play a part.
    ///
    /// A request for which the rule is true is sought first; only rules before it that stop that request
    /// come into the question, so that long lists stay small questions.
    fn fate(&mut self, number: usize) -> Fate {
        let rules: Vec<&Rule> = self.rules.iter().flatten().collect();
        let programs: Vec<&Program> = rules.iter().map(|rule| &rule.program).collect();
        let Some(question) = &mut self.question else {
            return Fate::Undecided("it is a value expression, which is neither true nor false".to_owned());
        };
        let ending: Vec<usize> = (0..number).filter(|other| rules.get(*other).is_some_and(|rule| rule.ends)).collect();
        let mut against: BTreeSet<usize> = BTreeSet::new();
        loop {
            match question.reach(&programs, &goals(&against, number)) {
                Reached::Never { goals: core, mut granted } => {
                    let mut by: BTreeSet<usize> = core.into_iter().filter(|other| *other != number).collect();
                    if let Some(last) = fewest(question, &programs, &mut by, number) {
                        granted = last;
                    }
                    let assumptions = question.minimize_assumptions(&programs, &[&goals(&by, number)], granted);
                    return self.never(&by, assumptions);
                }
                Reached::Here(mut record) => {
                    question.witness.complete(&mut record);
                    let stops = |other: &usize| {
                        programs.get(*other).is_some_and(|program| program.evaluate(&record) != Outcome::False)
                    };
                    let size = against.len();
                    let stopping: Vec<usize> = ending.iter().copied().filter(stops).collect();
                    if stopping.is_empty() {
                        return Fate::Fires(record);
                    }
                    against.extend(stopping);
                    if against.len() == size || self.meter.spend(ending.len()).is_err() {
                        return Fate::Undecided(crate::meter::Reason::NotShown.words());
                    }
                }
                Reached::Unknown(why) if against.len() == ending.len() => return Fate::Undecided(why),
                // A rule that did not come into it yet may decide.
                Reached::Unknown(_) => against.extend(&ending),
            }
        }
    }

    fn never(&self, by: &BTreeSet<usize>, assumptions: Vec<Assumption>) -> Fate {
        let by: Vec<usize> = by.iter().filter_map(|number| self.places.get(*number).copied()).collect();
        let proof = if by.is_empty() { Proof::NeverTrue } else { Proof::Covered { by } };
        Fate::Never { proof, assumptions }
    }
}

impl Iterator for Firing {
    type Item = Option<Fate>;

    /// `Some(None)` for a place without a rule that plays a part.
    fn next(&mut self) -> Option<Option<Fate>> {
        let plays = self.rules.get(self.next)?.is_some();
        self.next += 1;
        if !plays {
            return Some(None);
        }
        self.meter.refill(self.steps);
        let fate = self.fate(self.asked);
        self.asked += 1;
        Some(Some(fate))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.rules.len() - self.next;
        (left, Some(left))
    }
}

/// The rule is to be true, and those before it not.
fn goals(against: &BTreeSet<usize>, number: usize) -> Vec<(usize, bool)> {
    against.iter().map(|other| (*other, false)).chain([(number, true)]).collect()
}

/// Leaves out what a proof does not need; gives what the last proof takes for granted.
fn fewest(
    question: &mut Question,
    programs: &[&Program],
    by: &mut BTreeSet<usize>,
    number: usize,
) -> Option<GrantedTerms> {
    let mut last = None;
    if by.len() > MOST_TRIED {
        return last;
    }
    for other in by.clone() {
        let mut without = by.clone();
        without.remove(&other);
        if let Reached::Never { goals: core, granted } = question.reach(programs, &goals(&without, number)) {
            *by = core.into_iter().filter(|other| *other != number).collect();
            last = Some(granted);
        }
    }
    last
}
