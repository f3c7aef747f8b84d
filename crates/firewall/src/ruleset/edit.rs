//! Inserts and changes single rules of a ruleset.
//!
//! Start with [`add_rule`] and [`change_rule`]. A `ref` stays unique in the ruleset.

use super::validation::invalid_value;
use super::{Position, RuleChange};
use zonewright_api::ValidationError;
use zonewright_api::ruleset::RulesetRule;

/// The rules after a change, and the index of the changed rule.
pub type EditedRules = (Vec<RulesetRule>, usize);

/// Returns the rules with a new one. Without a position, it is appended.
pub fn add_rule(
    rules: Vec<RulesetRule>,
    rule: RulesetRule,
    position: Option<&Position>,
) -> Result<EditedRules, Vec<ValidationError>> {
    check_reference(&rules, &rule)?;
    insert(rules, rule, position.unwrap_or(&Position::Last))
}

/// Returns the rules after a change of one of them; `None` if no rule has this `id`.
pub fn change_rule(
    mut rules: Vec<RulesetRule>,
    id: &str,
    change: RuleChange,
) -> Option<Result<EditedRules, Vec<ValidationError>>> {
    let index = rules.iter().position(|rule| rule.id == id)?;
    let existing = rules.remove(index);
    let changed = match change.definition {
        Some(definition) => definition,
        None => RulesetRule { enabled: change.enabled.unwrap_or(existing.enabled), ..existing },
    };
    let same_index = Position::Index(index + 1);
    let position = change.position.as_ref().unwrap_or(&same_index);
    Some(check_reference(&rules, &changed).and_then(|()| insert(rules, changed, position)))
}

/// Inserts a rule at a position.
fn insert(
    mut rules: Vec<RulesetRule>,
    rule: RulesetRule,
    position: &Position,
) -> Result<EditedRules, Vec<ValidationError>> {
    let count = rules.len();
    let position_of = |name: &str, id: &str| {
        rules.iter().position(|other| other.id == id).ok_or_else(|| {
            let reason =
                if id == rule.id { "it is the identifier of the rule itself" } else { "the ruleset has no such rule" };
            vec![invalid_value(format!("/position/{name}"), name, id, reason)]
        })
    };
    let index = match position {
        Position::First => 0,
        Position::Last => count,
        Position::Before(id) => position_of("before", id)?,
        Position::After(id) => position_of("after", id)? + 1,
        Position::Index(index) if *index <= count + 1 => index.saturating_sub(1),
        Position::Index(index) => {
            let reason = format!("the last position is {}", count + 1);
            return Err(vec![invalid_value("/position/index", "index", &index.to_string(), reason)]);
        }
    };
    rules.insert(index, rule);
    Ok((rules, index))
}

/// Checks that no other rule has the same `ref`.
fn check_reference(others: &[RulesetRule], rule: &RulesetRule) -> Result<(), Vec<ValidationError>> {
    let is_duplicate = !rule.reference.is_empty() && others.iter().any(|other| other.reference == rule.reference);
    if is_duplicate {
        Err(vec![invalid_value("/ref", "ref", &rule.reference, "another rule has the same `ref`")])
    } else {
        Ok(())
    }
}
