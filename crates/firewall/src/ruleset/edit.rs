//! Rules of a ruleset that come and change one by one.

use super::validation::invalid;
use super::{Position, RuleChange};
use zonewright_api::Refusal;
use zonewright_api::ruleset::RulesetRule;

/// Rules after a change, and the place in them of the rule that it was about.
pub type Placed = (Vec<RulesetRule>, usize);

/// The rules with a new one, which goes to the end when nothing else is said.
pub fn add_rule(
    rules: Vec<RulesetRule>,
    rule: RulesetRule,
    position: Option<&Position>,
) -> Result<Placed, Vec<Refusal>> {
    check_reference(&rules, &rule)?;
    insert(rules, rule, position.unwrap_or(&Position::Last))
}

/// The rules after one of them changed; nothing when there is no rule `id`.
pub fn change_rule(mut rules: Vec<RulesetRule>, id: &str, change: RuleChange) -> Option<Result<Placed, Vec<Refusal>>> {
    let at = rules.iter().position(|rule| rule.id == id)?;
    let present = rules.remove(at);
    let changed = match change.definition {
        Some(definition) => definition,
        None => RulesetRule { enabled: change.enabled.unwrap_or(present.enabled), ..present },
    };
    let stays = Position::Index(at + 1);
    let position = change.position.as_ref().unwrap_or(&stays);
    Some(check_reference(&rules, &changed).and_then(|()| insert(rules, changed, position)))
}

/// Puts a rule beside the others.
fn insert(mut rules: Vec<RulesetRule>, rule: RulesetRule, position: &Position) -> Result<Placed, Vec<Refusal>> {
    let count = rules.len();
    let beside = |name: &str, id: &str| {
        rules.iter().position(|one| one.id == id).ok_or_else(|| {
            let reason = if id == rule.id { "it is the rule itself" } else { "the ruleset has no such rule" };
            vec![invalid(format!("/position/{name}"), name, id, reason)]
        })
    };
    let at = match position {
        Position::First => 0,
        Position::Last => count,
        Position::Before(id) => beside("before", id)?,
        Position::After(id) => beside("after", id)? + 1,
        Position::Index(index) if *index <= count + 1 => index.saturating_sub(1),
        Position::Index(index) => {
            let reason = format!("the last place is {}", count + 1);
            return Err(vec![invalid("/position/index", "index", &index.to_string(), reason)]);
        }
    };
    rules.insert(at, rule);
    Ok((rules, at))
}

/// Every rule has a `ref` of its own.
fn check_reference(others: &[RulesetRule], rule: &RulesetRule) -> Result<(), Vec<Refusal>> {
    let taken = !rule.reference.is_empty() && others.iter().any(|other| other.reference == rule.reference);
    if taken { Err(vec![invalid("/ref", "ref", &rule.reference, "another rule has it for its `ref`")]) } else { Ok(()) }
}
