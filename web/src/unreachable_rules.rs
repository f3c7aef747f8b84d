//! The reachability of the rules of a list, computed in time slices.

use crate::time_slice::{TURN, breathe, now};
use zonewright_equivalence::{Assumption, Budget, Fate, Proof, Rule, never_fires};
use zonewright_expression::{Options, check};
use zonewright_firewall::Listed;

/// Limit of proof steps for one rule. It amounts to some hundredths of a second, because a proof blocks the page.
const BUDGET: Budget = Budget { steps: 60_000 };

/// A rule with its reachability.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RuleReachability {
    /// The index of the rule in the input.
    pub(crate) place: usize,
    /// The name of the rule.
    pub(crate) name: String,
    /// The expression of the rule.
    pub(crate) expression: String,
    /// The reachability of the rule.
    pub(crate) said: Reachability,
}

/// The reachability of a rule.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reachability {
    /// The rule can fire.
    Reachable,
    /// The rule never fires. The reason is a sentence without a period, with code between backticks.
    Unreachable(String),
    /// The proof was not decided, for this reason.
    Undecided(String),
    /// The rule is paused or disabled.
    Inactive,
    /// The expression has errors.
    Invalid,
}

/// Analyzes a list of rules. Returns `None` once `is_wanted` returns false, which is checked before each proof.
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

/// Yields to the browser at the end of a time slice.
async fn pause(turn: &mut f64) {
    if now() - *turn > TURN {
        breathe().await;
        *turn = now();
    }
}

/// Returns the name of a rule, or its number.
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
