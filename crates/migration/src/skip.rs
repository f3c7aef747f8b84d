//! Rules that pass over what follows them.

use zonewright_api::ruleset::{ActionParameters, RulesetAction, RulesetRule};
use zonewright_diagnostic::Diagnostic;
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Options, check};

/// A rule that passes over the rest of the entry point.
pub(crate) fn skip(expression: String, description: String, enabled: bool) -> RulesetRule {
    let parameters = ActionParameters { ruleset: Some("current".to_owned()), ..ActionParameters::default() };
    RulesetRule {
        description,
        enabled,
        action_parameters: Some(parameters),
        ..RulesetRule::new(RulesetAction::Skip, expression)
    }
}

/// Why an expression cannot stand where managed rules run; nothing when it can.
pub(crate) fn refused(expression: &str, tier: Tier) -> Option<String> {
    let phase = Some(Phase::HttpRequestFirewallManaged);
    let checked = check(expression, &Options { phase, plan: Some(tier), ..Options::default() });
    checked.diagnostics.into_iter().find(Diagnostic::is_error).map(|first| first.message)
}
