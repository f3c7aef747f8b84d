//! Which rules of a list can never fire: judged a few at each turn of the browser.

use crate::time_slice::{TURN, breathe, now};
use zonewright_equivalence::{Assumption, Budget, Fate, Proof, Rule, never_fires};
use zonewright_expression::{Options, check};
use zonewright_firewall::Listed;

/// Work for one rule: some hundredths of a second as a rule, since nothing else happens meanwhile.
const BUDGET: Budget = Budget { steps: 60_000 };

/// A rule with what is said of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RuleReachability {
    /// Its place in what was read, from 0.
    pub(crate) place: usize,
    /// What it is called.
    pub(crate) name: String,
    /// Its condition.
    pub(crate) expression: String,
    /// What becomes of it.
    pub(crate) said: Reachability,
}

/// What becomes of a rule.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reachability {
    /// It can fire.
    Reachable,
    /// It never does; why, as a sentence without its period, code between backticks.
    Unreachable(String),
    /// It is not known; why.
    Undecided(String),
    /// It is paused or disabled.
    Inactive,
    /// Its expression has errors.
    Invalid,
}

/// Judges a list; `None` when the answer is no longer wanted.
pub(crate) async fn judge(list: Vec<Listed>, is_wanted: impl Fn() -> bool) -> Option<Vec<RuleReachability>> {
    let options = Options { max_length: usize::MAX, ..Options::default() };
    let mut turn = now();
    let mut rules = Vec::new();
    for listed in &list {
        let program = listed.active.then(|| check(&listed.expression, &options).program).flatten();
        rules.push(program.map(|program| Rule { program, ends: listed.ends }));
        pause(&mut turn).await;
    }
    let mut fates = never_fires(rules, &BUDGET);
    let mut judged = Vec::with_capacity(list.len());
    for listed in &list {
        if !is_wanted() {
            return None;
        }
        let said = match fates.next().flatten() {
            None if listed.active => Reachability::Invalid,
            None => Reachability::Inactive,
            Some(Fate::Fires(_)) => Reachability::Reachable,
            Some(Fate::Undecided(why)) => Reachability::Undecided(why),
            Some(Fate::Never { proof, assumptions }) => Reachability::Unreachable(because(&proof, &assumptions, &list)),
        };
        judged.push(RuleReachability {
            place: listed.place,
            name: name(listed),
            expression: listed.expression.clone(),
            said,
        });
        pause(&mut turn).await;
    }
    is_wanted().then_some(judged)
}

/// Ends the turn when it took long enough.
async fn pause(turn: &mut f64) {
    if now() - *turn > TURN {
        breathe().await;
        *turn = now();
    }
}

/// What a rule is called.
fn name(listed: &Listed) -> String {
    listed.name.as_ref().map_or_else(|| format!("rule {}", listed.place + 1), |name| format!("“{name}”"))
}

fn because(proof: &Proof, assumptions: &[Assumption], list: &[Listed]) -> String {
    let why = match proof {
        Proof::NeverTrue => "no request matches it".to_owned(),
        Proof::Covered { by } => {
            let names: Vec<String> = by.iter().filter_map(|order| list.get(*order)).map(name).collect();
            match names.as_slice() {
                [] => "earlier rules decide".to_owned(),
                [only] => format!("{only} comes first and matches all that it matches"),
                [most @ .., last] => {
                    format!("{} and {last} come first and together match all that it matches", most.join(", "))
                }
            }
        }
    };
    match assumptions {
        [] => why,
        some => {
            let some: Vec<String> = some.iter().map(ToString::to_string).collect();
            format!("{why}, as {}", some.join(" and "))
        }
    }
}
