//! Creates the findings of page rules.

use super::Deployment;
use super::packing::RuleError;
use super::read::{DISABLE_SECURITY, ParsedPageRule, TargetError, WafEffect, disable_security_effect, is_active};
use crate::entry_point::MAX_ENTRY_POINT_RULES;
use crate::finding::{draft_addition, new_finding};
use crate::limits::MAX_EXPRESSION_BYTES;
use crate::skip::skip_rule;
use serde_json::json;
use zonewright_api::finding::{Draft, Finding, FindingOutcome};
use zonewright_api::legacy_waf::Switch;
use zonewright_api::page_rule::PageRule;

fn page_rule_finding(
    page_rule: &ParsedPageRule<'_>,
    outcome: FindingOutcome,
    code: &'static str,
    message: &str,
) -> Finding {
    new_finding(
        outcome,
        code,
        format!("/page_rules/{}", page_rule.index),
        format!("Page rule {}", display_name(page_rule)),
        message,
    )
}

pub(super) fn report_unaffected(page_rule: &ParsedPageRule<'_>) -> Finding {
    let message = if page_rule.rule.actions.iter().any(|action| action.id == DISABLE_SECURITY) {
        "its `disable_security` is `off`, which disables nothing; it is not affected"
    } else {
        "does not turn the managed rules on or off and is not affected"
    };
    page_rule_finding(page_rule, FindingOutcome::Unaffected, "page-rule-unaffected", message)
}

/// Reports a page rule with the ID of an earlier one, whose finding is `first`. `switched` is whether any active page
/// rule switches the managed rules.
pub(super) fn report_duplicate(
    page_rule: &ParsedPageRule<'_>,
    before: &ParsedPageRule<'_>,
    first: Finding,
    switched: bool,
) -> Finding {
    let settings = |rule: &PageRule| (rule.targets.clone(), rule.actions.clone(), rule.priority, rule.status);
    let pointer = format!("`/page_rules/{}`", before.index);
    let finding = |outcome, message: &str| page_rule_finding(page_rule, outcome, "duplicate", message);
    if settings(page_rule.rule) == settings(before.rule) {
        let duplicate = finding(first.outcome, &format!("duplicates the page rule at {pointer}"));
        return Finding { targets: first.targets, ..duplicate };
    }
    let counted = is_active(page_rule.rule) && !page_rule.pattern.as_ref().is_err_and(TargetError::matches_nothing);
    if page_rule.effect == WafEffect::None && counted && switched {
        let message = format!(
            "has the same ID as the page rule at {pointer}, which takes effect; where this rule applied, page rules \
             with lower priority did not, and now they do"
        );
        return Finding { help: Some(DUPLICATE_HELP.to_owned()), ..finding(FindingOutcome::Lost, &message) };
    }
    if page_rule.effect == WafEffect::None {
        let message =
            format!("has the same ID as the page rule at {pointer}; does not turn the managed rules on or off");
        return finding(FindingOutcome::Unaffected, &message);
    }
    let message =
        format!("has the same ID as the page rule at {pointer} but different settings; the earlier rule takes effect");
    Finding { help: Some(DUPLICATE_HELP.to_owned()), ..finding(FindingOutcome::Lost, &message) }
}

const DUPLICATE_HELP: &str = "remove one of the two rules or give it a different ID, then plan again";

pub(super) fn report_invalid_pattern(page_rule: &ParsedPageRule<'_>, error: &TargetError) -> Finding {
    let help = "if it should take effect, give it a pattern such as `example.com/admin/*` and plan again";
    let message = format!("matches no URL: {error}");
    Finding {
        help: Some(help.to_owned()),
        ..page_rule_finding(page_rule, FindingOutcome::Unaffected, "page-rule-odd", &message)
    }
}

pub(super) fn report_shadowed(page_rule: &ParsedPageRule<'_>) -> Finding {
    let message = "never applies because page rules with higher priority match all its URLs; it is not migrated";
    page_rule_finding(page_rule, FindingOutcome::Unaffected, "page-rule-never", message)
}

pub(super) fn report_no_ruleset(page_rule: &ParsedPageRule<'_>) -> Finding {
    let message = "turns the managed rules on, but the zone has no managed ruleset to execute";
    page_rule_finding(page_rule, FindingOutcome::Unaffected, "page-rule-nothing", message)
}

/// Reports an unreadable page rule that took precedence over page rules of lower priority.
pub(super) fn report_unreadable_exclusion(page_rule: &ParsedPageRule<'_>, error: &TargetError) -> Finding {
    let message =
        format!("cannot be read: {error}; where it applied, page rules with lower priority did not, and now they do");
    let help = "if that matters, exclude its URLs from the rules created for page rules with lower priority";
    Finding {
        help: Some(help.to_owned()),
        ..page_rule_finding(page_rule, FindingOutcome::Lost, "page-rule-target", &message)
    }
}

/// Reports an unreadable page rule that turns on managed rules that run anyway.
pub(super) fn report_unreadable_on(page_rule: &ParsedPageRule<'_>, error: &TargetError) -> Finding {
    let message = format!(
        "cannot be read: {error}; the managed rules run for its URLs unless a page rule with higher priority applies"
    );
    page_rule_finding(page_rule, FindingOutcome::Carried, "page-rule-runs", &message)
}

pub(super) fn report_unreadable_target(page_rule: &ParsedPageRule<'_>, error: &TargetError) -> Finding {
    with_recreate_help(
        page_rule,
        page_rule_finding(page_rule, FindingOutcome::Lost, "page-rule-target", &format!("cannot be read: {error}")),
    )
}

pub(super) fn report_unreadable_value(page_rule: &ParsedPageRule<'_>) -> Finding {
    // `disable_security` takes precedence over `waf`, so `waf` is unreadable only if the former has no effect.
    let name = if disable_security_effect(page_rule.rule) == WafEffect::Unreadable { DISABLE_SECURITY } else { "waf" };
    let actions: Vec<_> = page_rule.rule.actions.iter().filter(|action| action.id == name).collect();
    let message = match actions.as_slice() {
        [action] => match &action.value {
            // User-supplied text is shown as JSON, which has no line breaks.
            Some(value) => {
                let excerpt: String = value.to_string().chars().take(40).collect();
                format!("its `{name}` is {excerpt}, which is neither `on` nor `off`; it is not migrated")
            }
            None => format!("its `{name}` has no value; it is not migrated"),
        },
        _ => format!("has `{name}` more than once, with values that differ or cannot be read; it is not migrated"),
    };
    let help = "set it to `on` or `off` and plan again, or create the rule manually";
    Finding {
        help: Some(help.to_owned()),
        ..page_rule_finding(page_rule, FindingOutcome::Lost, "page-rule-value", &message)
    }
}

pub(super) fn report_rule_error(page_rule: &ParsedPageRule<'_>, error: &RuleError) -> Finding {
    let finding = match error {
        RuleError::TooLong => {
            let message = format!(
                "its pattern, or that of a page rule with higher priority, needs a comparison of more than \
                 {MAX_EXPRESSION_BYTES} bytes, the maximum length of an expression"
            );
            page_rule_finding(page_rule, FindingOutcome::Lost, "page-rule-too-long", &message)
        }
        RuleError::Rejected(reason) => page_rule_finding(
            page_rule,
            FindingOutcome::Lost,
            "page-rule-refused",
            &format!("its pattern cannot be migrated: {reason}"),
        ),
    };
    with_recreate_help(page_rule, finding)
}

/// Returns the description of a rule that a page rule becomes.
pub(super) fn skip_rule_description(page_rule: &ParsedPageRule<'_>) -> String {
    format!("From page rule {}", display_name(page_rule))
}

/// Returns the description of a rule that skips the remaining rules for the requests that `first` or one of
/// `other_count` other page rules decides.
pub(super) fn decision_description(first: &ParsedPageRule<'_>, other_count: usize) -> String {
    match other_count {
        0 => format!("Decided by page rule {}", display_name(first)),
        _ => format!("Decided by page rule {} and {other_count} more", display_name(first)),
    }
}

fn display_name<'a>(page_rule: &ParsedPageRule<'a>) -> &'a str {
    match page_rule.rule.pattern().trim() {
        "" if page_rule.rule.id.is_empty() => "without a pattern",
        "" => &page_rule.rule.id,
        pattern => pattern,
    }
}

/// Adds help and a suggested rule for a lost page rule.
fn with_recreate_help(page_rule: &ParsedPageRule<'_>, finding: Finding) -> Finding {
    if page_rule.effect == WafEffect::On {
        // The new configuration already contains the execute rules with their overrides.
        let help = "add its URLs to the expression of every execute rule, enable those rules, and exclude its URLs from \
                    the skip rules created for page rules with lower priority";
        return Finding { help: Some(help.to_owned()), ..finding };
    }
    let rule = skip_rule(String::new(), &skip_rule_description(page_rule), is_active(page_rule.rule));
    let help = "skip the managed rulesets for its URLs; add the missing expression to the suggested rule";
    let draft: Draft = draft_addition("/rules/0".to_owned(), json!(rule));
    Finding { help: Some(help.to_owned()), draft: Some(draft), ..finding }
}

pub(super) fn report_too_many(page_rule: &ParsedPageRule<'_>) -> Finding {
    if page_rule.effect == WafEffect::None {
        return report_unaffected(page_rule);
    }
    let message = format!(
        "the page rules would need more than {MAX_ENTRY_POINT_RULES} rules, or exceed the maximum size of a request; \
         they are not migrated"
    );
    let help = "contact the provider's support, or delete page rules that you do not need before you migrate";
    Finding {
        help: Some(help.to_owned()),
        ..page_rule_finding(page_rule, FindingOutcome::NeedsSupport, "too-many-page-rules", &message)
    }
}

pub(super) fn report_skip(page_rule: &ParsedPageRule<'_>, targets: Vec<String>) -> Finding {
    let turns_on_waf = page_rule
        .rule
        .actions
        .iter()
        .any(|action| action.id == "waf" && action.value == Some(Switch::On.name().into()));
    let (outcome, code, message) = match (turns_on_waf, is_active(page_rule.rule)) {
        (true, _) => (
            FindingOutcome::Changed,
            "page-rule-contradiction",
            "both disables security and turns the managed rules on; becomes a skip rule because disabling security takes precedence",
        ),
        (false, true) => {
            (FindingOutcome::Carried, "page-rule-skips", "becomes a skip rule before the managed rulesets")
        }
        (false, false) => (FindingOutcome::Carried, "page-rule-skips", "is disabled and becomes a disabled skip rule"),
    };
    Finding { targets, ..page_rule_finding(page_rule, outcome, code, message) }
}

/// Reports a page rule that turns on managed rules that run anyway.
pub(super) fn report_already_on(page_rule: &ParsedPageRule<'_>, deployed: Deployment) -> Finding {
    let message = match (is_active(page_rule.rule), deployed.is_active) {
        (true, true) => {
            "the managed rules run for its URLs unless a page rule with higher priority applies; skip rules for page rules with lower priority exclude its URLs"
        }
        (true, false) => {
            "turns the managed rules on, but their packages are not active, so there is nothing to migrate"
        }
        (false, _) => "is disabled, and the managed rules are on for the zone anyway",
    };
    page_rule_finding(page_rule, FindingOutcome::Carried, "page-rule-runs", message)
}

/// Reports a page rule that turns on managed rules that are off for the zone.
pub(super) fn report_execute(page_rule: &ParsedPageRule<'_>, deployed: Deployment, targets: Vec<String>) -> Finding {
    let message = if deployed.is_active {
        "the managed rules are off for the zone, so the managed rulesets are executed only for the URLs of page rules that turn them on"
    } else {
        "the execute rules apply only to the URLs of page rules that turn the managed rules on, and are disabled because the packages are not active"
    };
    Finding { targets, ..page_rule_finding(page_rule, FindingOutcome::Carried, "page-rule-executes", message) }
}

pub(super) fn report_disabled_turn_on(page_rule: &ParsedPageRule<'_>) -> Finding {
    let message = "is disabled and cannot become a disabled rule because the managed rules are off for the zone";
    let help = "to protect its URLs later, add them to the expression of the execute rules";
    Finding {
        help: Some(help.to_owned()),
        ..page_rule_finding(page_rule, FindingOutcome::Lost, "page-rule-disabled", message)
    }
}
