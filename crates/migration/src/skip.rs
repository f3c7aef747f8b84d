//! Rules of the new entry point: those that pass over what follows them, and those that execute.

use zonewright_api::ruleset::{ActionParameters, RulesetAction, RulesetRule};
use zonewright_diagnostic::Diagnostic;
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Options, check};

/// Most characters of a rule's description (assumption entry-point-limits).
const MAX_DESCRIPTION_CHARS: usize = 500;

/// A rule that passes over the rest of the entry point.
pub(crate) fn skip(expression: String, description: &str, enabled: bool) -> RulesetRule {
    let parameters = ActionParameters { ruleset: Some("current".to_owned()), ..ActionParameters::default() };
    rule(RulesetAction::Skip, expression, shortened(description), enabled, parameters)
}

/// A rule that executes a managed ruleset as it is delivered.
pub(crate) fn execute(ruleset: &str, expression: String, description: String, enabled: bool) -> RulesetRule {
    let parameters = ActionParameters { id: Some(ruleset.to_owned()), ..ActionParameters::default() };
    rule(RulesetAction::Execute, expression, shortened(&description), enabled, parameters)
}

fn rule(
    action: RulesetAction,
    expression: String,
    description: String,
    enabled: bool,
    parameters: ActionParameters,
) -> RulesetRule {
    RulesetRule { description, enabled, action_parameters: Some(parameters), ..RulesetRule::new(action, expression) }
}

/// A text as the description of a rule: on one line, and not too long.
pub(crate) fn shortened(text: &str) -> String {
    let whole = text.chars().nth(MAX_DESCRIPTION_CHARS).is_none();
    let most = if whole { MAX_DESCRIPTION_CHARS } else { MAX_DESCRIPTION_CHARS - 1 };
    let mut short: String = text.chars().take(most).map(|char| if char.is_control() { ' ' } else { char }).collect();
    if !whole {
        short.push('…');
    }
    short
}

/// Why an expression cannot stand where managed rules run; nothing when it can.
pub(crate) fn refused(expression: &str, tier: Tier) -> Option<String> {
    if expression.contains('\0') {
        return Some("it has a NUL character, which cannot be stored".to_owned());
    }
    let phase = Some(Phase::HttpRequestFirewallManaged);
    let checked = check(expression, &Options { phase, plan: Some(tier), ..Options::default() });
    checked.diagnostics.into_iter().find(Diagnostic::is_error).map(|first| first.message)
}
