//! Creates skip rules and execute rules of the new entry point.

use zonewright_api::ruleset::{ActionParameters, RulesetAction, RulesetRule};
use zonewright_diagnostic::Diagnostic;
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Options, check};

/// The maximum number of characters of a rule's description (assumption entry-point-limits).
const MAX_DESCRIPTION_CHARS: usize = 500;

/// Creates a rule that skips the rest of the entry point.
pub(crate) fn skip_rule(expression: String, description: &str, enabled: bool) -> RulesetRule {
    let parameters =
        ActionParameters { ruleset: Some(ActionParameters::CURRENT.to_owned()), ..ActionParameters::default() };
    new_rule(RulesetAction::Skip, expression, truncate_description(description), enabled, parameters)
}

/// Creates a rule that executes a managed ruleset with its defaults.
pub(crate) fn execute_rule(ruleset: &str, expression: String, description: String, enabled: bool) -> RulesetRule {
    let parameters = ActionParameters { id: Some(ruleset.to_owned()), ..ActionParameters::default() };
    new_rule(RulesetAction::Execute, expression, truncate_description(&description), enabled, parameters)
}

fn new_rule(
    action: RulesetAction,
    expression: String,
    description: String,
    enabled: bool,
    parameters: ActionParameters,
) -> RulesetRule {
    RulesetRule { description, enabled, action_parameters: Some(parameters), ..RulesetRule::new(action, expression) }
}

/// Puts a text on one line and truncates it to the length of a description.
pub(crate) fn truncate_description(text: &str) -> String {
    let fits = text.chars().nth(MAX_DESCRIPTION_CHARS).is_none();
    let max_chars = if fits { MAX_DESCRIPTION_CHARS } else { MAX_DESCRIPTION_CHARS - 1 };
    let mut short: String =
        text.chars().take(max_chars).map(|char| if char.is_control() { ' ' } else { char }).collect();
    if !fits {
        short.push('…');
    }
    short
}

/// Returns why an expression is invalid in the phase of managed rules, or `None` if it is valid.
pub(crate) fn rejection_reason(expression: &str, tier: Tier) -> Option<String> {
    if expression.contains('\0') {
        return Some("it contains a NUL character, which cannot be stored".to_owned());
    }
    let phase = Some(Phase::HttpRequestFirewallManaged);
    let checked = check(expression, &Options { phase, plan: Some(tier), ..Options::default() });
    checked.diagnostics.into_iter().find(Diagnostic::is_error).map(|first| first.message)
}
