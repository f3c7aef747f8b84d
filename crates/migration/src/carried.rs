//! What is common to everything that is carried over.

use zonewright_api::finding::{Draft, Fate, Finding};
use zonewright_api::ruleset::{ActionParameters, RulesetAction, RulesetRule};
use zonewright_diagnostic::Severity;
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Options, check};

/// Most characters of an expression (§8: 4 KB).
pub const LONGEST_EXPRESSION: usize = 4096;

/// Rules of the new configuration, and what became of the settings that they come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Carried {
    /// In the order they run.
    pub(crate) rules: Vec<RulesetRule>,
    /// One for each setting, in their order.
    pub(crate) findings: Vec<Finding>,
}

/// A rule that passes over what follows it in the entry point.
pub(crate) fn skip(expression: String, description: String, enabled: bool) -> RulesetRule {
    let parameters = ActionParameters { ruleset: Some("current".to_owned()), ..ActionParameters::default() };
    RulesetRule {
        id: String::new(),
        version: String::new(),
        action: RulesetAction::Skip,
        expression,
        description,
        reference: String::new(),
        enabled,
        action_parameters: Some(parameters),
        last_updated: None,
    }
}

/// Why the managed rules of a zone of this plan cannot have the expression; nothing when they can.
pub(crate) fn refused(expression: &str, tier: Tier) -> Option<String> {
    let options = Options {
        phase: Some(Phase::HttpRequestFirewallManaged),
        plan: Some(tier),
        max_length: LONGEST_EXPRESSION,
        ..Options::default()
    };
    let checked = check(expression, &options);
    let first = checked.diagnostics.into_iter().find(|one| one.severity == Severity::Error)?;
    Some(first.message)
}

/// A finding without more to say.
pub(crate) fn finding(
    fate: Fate,
    code: &'static str,
    setting: impl Into<String>,
    name: impl Into<String>,
    message: impl Into<String>,
) -> Finding {
    let (setting, name, message) = (setting.into(), name.into(), message.into());
    Finding { fate, code, setting, name, message, help: None, became: Vec::new(), draft: None }
}

/// The same finding, with something to do about it.
pub(crate) fn with_help(mut finding: Finding, help: impl Into<String>, draft: Option<Draft>) -> Finding {
    finding.help = Some(help.into());
    finding.draft = draft;
    finding
}

/// The same finding, with the rules of the new configuration that it became, by their places.
pub(crate) fn with_rules(mut finding: Finding, places: impl IntoIterator<Item = usize>) -> Finding {
    finding.became.extend(places.into_iter().map(|place| format!("/rules/{place}")));
    finding
}
