//! Invariants of every migration plan, for any configuration.

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use zonewright_api::finding::{ADD_OPERATION, Finding, FindingOutcome};
use zonewright_api::legacy_waf::{RuleMode, Switch};
use zonewright_api::ruleset::{EntryPoint, RulesetAction};
use zonewright_expression::schema::Phase as RulesetPhase;
use zonewright_expression::{Options, check};
use zonewright_migration::catalog::{self, MANAGED_RULESET_ID, PackageKind};
use zonewright_migration::codes::CODES;
use zonewright_migration::read::{MAX_ENTRY_POINT_RULES, read_entry_point};
use zonewright_migration::{
    MAX_EXPRESSION_BYTES, MigrationPhase, Plan, ZoneConfig, check_eligibility, fingerprint, plan, setting_pointers,
    support_findings, unlisted_references,
};

/// Plans the migration of a zone and checks every invariant of the plan.
pub fn plan_and_check_invariants(config: &ZoneConfig) -> Result<Plan, String> {
    let plan = plan(config);
    check_one_finding_per_setting(config, &plan.findings)?;
    check_findings(&plan)?;
    check_rules_sendable(config, &plan.entry_point)?;
    check_accepted(config, &plan.entry_point)?;
    check_warning_pointers(config, &plan)?;
    check_drafts_accepted(config, &plan)?;
    for finding in support_findings(config) {
        if finding.outcome != FindingOutcome::NeedsSupport || !plan.findings.contains(&finding) {
            return Err(format!("not a finding of the plan: {finding:?}"));
        }
    }
    for phase in [MigrationPhase::One, MigrationPhase::Two] {
        let blockers = check_eligibility(config, phase);
        let known = |finding: &Finding| finding.outcome == FindingOutcome::Blocked && is_known(finding);
        if !blockers.iter().all(known) {
            return Err(format!("not blocked, or an unknown code: {blockers:?}"));
        }
        let blocked: Vec<_> =
            plan.findings.iter().filter(|finding| finding.outcome == FindingOutcome::Blocked).collect();
        if phase == MigrationPhase::Two
            && (!blockers.iter().all(|found| blocked.contains(&found)) || blockers.len() < blocked.len())
        {
            return Err(format!("the migration and the plan have different blockers: {blockers:?}"));
        }
    }
    if fingerprint(config).len() != 64 {
        return Err("a fingerprint must have 64 digits".to_owned());
    }
    Ok(plan)
}

fn is_known(finding: &Finding) -> bool {
    CODES.iter().any(|(code, _)| *code == finding.code)
}

fn check_one_finding_per_setting(config: &ZoneConfig, findings: &[Finding]) -> Result<(), String> {
    let settings = setting_pointers(config);
    let distinct: BTreeSet<_> = settings.iter().collect();
    if distinct.len() != settings.len() {
        return Err("a setting is counted twice".to_owned());
    }
    let finding_settings: Vec<_> = findings.iter().map(|finding| &finding.setting).collect();
    let expected: Vec<_> = settings.iter().collect();
    if finding_settings != expected {
        let without_finding: Vec<_> = expected.iter().filter(|setting| !finding_settings.contains(setting)).collect();
        let extra: Vec<_> = finding_settings.iter().filter(|setting| !expected.contains(setting)).collect();
        return Err(format!("settings without a finding: {without_finding:?}, findings without a setting: {extra:?}"));
    }
    Ok(())
}

fn check_findings(plan: &Plan) -> Result<(), String> {
    let document = json!(plan.entry_point);
    for finding in &plan.findings {
        for pointer in &finding.targets {
            if document.pointer(pointer).is_none() {
                return Err(format!("{pointer} is not in the entry point: {finding:?}"));
            }
        }
        let one_line = |text: &str| !text.is_empty() && !text.contains('\n') && !text.ends_with('.');
        if finding.name.contains(char::is_control)
            || !one_line(&finding.message)
            || !finding.help.as_deref().is_none_or(one_line)
        {
            return Err(format!("not a single line without a period: {finding:?}"));
        }
        if !is_known(finding) {
            return Err(format!("unknown code: {finding:?}"));
        }
        let has_no_targets = matches!(
            finding.outcome,
            FindingOutcome::Lost | FindingOutcome::Blocked | FindingOutcome::NeedsSupport | FindingOutcome::Unaffected
        );
        if has_no_targets && !finding.targets.is_empty() && !finding.setting.starts_with("/settings") {
            return Err(format!("a lost setting has pointers: {finding:?}"));
        }
    }
    Ok(())
}

/// The body limit of the service.
const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;

/// Checks that the service accepts the plan as the body of an update and reads the same entry point.
fn check_accepted(config: &ZoneConfig, entry_point: &EntryPoint) -> Result<(), String> {
    let length = json!(entry_point).to_string().len();
    if length > MAX_BODY_BYTES {
        return Err(format!("a body of {length} bytes"));
    }
    match read_entry_point(&json!(entry_point), config.tier) {
        Ok(read) if read == *entry_point => Ok(()),
        Ok(read) => Err(format!("read differently: {read:?}")),
        Err(errors) => Err(format!("rejected as a body: {errors:?}")),
    }
}

/// Checks that the new configuration names only listed rules and that warnings point into the existing one.
fn check_warning_pointers(config: &ZoneConfig, plan: &Plan) -> Result<(), String> {
    let unlisted = unlisted_references(&json!(plan.entry_point));
    if !unlisted.is_empty() {
        return Err(format!("the new configuration names what the catalog lacks: {unlisted:?}"));
    }
    let document = json!({"entry_point": config.entry_point});
    match plan.warnings.iter().find(|warning| document.pointer(&warning.pointer).is_none()) {
        Some(warning) => Err(format!("a warning with an invalid pointer: {warning:?}")),
        None => Ok(()),
    }
}

/// Checks that the service accepts the entry point with a draft added, once the gap in the draft's expression is
/// filled.
fn check_drafts_accepted(config: &ZoneConfig, plan: &Plan) -> Result<(), String> {
    let additions = plan.findings.iter().filter(|found| !found.setting.starts_with("/entry_point"));
    let additions = additions.filter_map(|found| found.draft.as_ref()).filter(|draft| draft.method == ADD_OPERATION);
    let mut all = json!(plan.entry_point);
    for draft in additions.filter(|draft| !json!(draft).to_string().contains("{rule_id}") && !draft.path.contains('{'))
    {
        let mut item = draft.body.clone().unwrap_or_default();
        if let Some(gap) = item.get_mut("expression").filter(|expression| **expression == "") {
            *gap = json!("ssl");
        }
        let mut body = json!(plan.entry_point);
        if draft.path.contains("/overrides/") {
            add(&mut all, draft.path.trim_start_matches('/'), item.clone())?;
        }
        add(&mut body, draft.path.trim_start_matches('/'), item)?;
        read_entry_point(&body, config.tier).map_err(|errors| format!("{draft:?} is rejected: {errors:?}"))?;
    }
    // Drafts for existing rules are inserted one after another, each at its own index.
    let mut body = json!(plan.entry_point);
    let findings = plan.findings.iter().filter(|found| found.setting.starts_with("/entry_point"));
    for draft in findings.filter_map(|found| found.draft.as_ref()).filter(|draft| draft.method == ADD_OPERATION) {
        let length = body.get("rules").and_then(Value::as_array).map_or(0, Vec::len);
        let index = draft.path.strip_prefix("/rules/").and_then(|index| index.parse::<usize>().ok());
        if index.is_none_or(|index| index > length) {
            return Err(format!("no index among {length}: {draft:?}"));
        }
        add(&mut body, draft.path.trim_start_matches('/'), draft.body.clone().unwrap_or_default())?;
    }
    // No two drafts add the same item.
    read_entry_point(&all, config.tier).map_err(|errors| format!("all drafts together are rejected: {errors:?}"))?;
    Ok(())
}

/// Adds the item of a draft and creates the missing parts of its path.
fn add(target: &mut Value, path: &str, item: Value) -> Result<(), String> {
    let (name, rest) = path.split_once('/').map_or((path, None), |(name, rest)| (name, Some(rest)));
    match (target, rest) {
        (Value::Array(items), None) if name == "-" => items.push(item),
        (Value::Array(items), None) => items.insert(name.parse().map_err(|_| format!("invalid index: {path}"))?, item),
        (Value::Array(items), Some(rest)) => {
            let index: usize = name.parse().map_err(|_| format!("invalid index: {path}"))?;
            add(items.get_mut(index).ok_or_else(|| format!("no item: {path}"))?, rest, item)?;
        }
        (Value::Object(members), Some(rest)) => {
            let container = if rest.parse::<usize>().is_ok() || rest == "-" { json!([]) } else { json!({}) };
            add(members.entry(name).or_insert(container), rest, item)?;
        }
        (other, _) => return Err(format!("{path} leads into {other}")),
    }
    Ok(())
}

/// Checks that expressions are valid and short enough, that every override has an effect, and that all execute rules
/// are the same.
fn check_rules_sendable(config: &ZoneConfig, entry_point: &EntryPoint) -> Result<(), String> {
    let phase = Some(RulesetPhase::HttpRequestFirewallManaged);
    let options = Options { phase, plan: Some(config.tier), ..Options::default() };
    let mut executing = Vec::new();
    let mut first: BTreeMap<&str, _> = BTreeMap::new();
    if entry_point.rules.len() > MAX_ENTRY_POINT_RULES {
        return Err(format!("{} rules", entry_point.rules.len()));
    }
    for rule in &entry_point.rules {
        let reject = |problem: &str| Err(format!("{problem}: {rule:?}"));
        if rule.description.chars().count() > 500 || rule.description.contains(char::is_control) {
            return reject("the description is too long, or has more than one line");
        }
        if check(&rule.expression, &options).program.is_none() || rule.expression.len() > MAX_EXPRESSION_BYTES {
            return reject("the expression is invalid or too long");
        }
        let Some(parameters) = &rule.action_parameters else { return reject("no parameters") };
        match rule.action {
            RulesetAction::Skip => {}
            RulesetAction::Execute => {
                let Some(ruleset) = parameters.id.as_deref().and_then(catalog::ruleset) else {
                    return reject("no such ruleset");
                };
                executing.push(ruleset.id);
                let same = first.entry(ruleset.id).or_insert((rule.enabled, &parameters.overrides));
                if *same != (rule.enabled, &parameters.overrides) {
                    return reject("executed with different overrides than before");
                }
                let overrides = parameters.overrides.clone().unwrap_or_default();
                if !overrides.categories.iter().all(|category| ruleset.categories.contains(&category.category.as_str()))
                {
                    return reject("no such category");
                }
                let rules = catalog::managed_rules(ruleset.id);
                let known: BTreeSet<_> = rules.iter().map(|rule| rule.id).collect();
                let overridden: BTreeSet<_> = overrides.rules.iter().map(|rule| rule.id.as_str()).collect();
                if !overridden.is_subset(&known) || overridden.len() != overrides.rules.len() {
                    return reject("an unknown or a duplicate rule");
                }
            }
            _ => return reject("an unexpected action"),
        }
    }
    // Because of page rules, a ruleset may be executed more than once.
    let repetitions = executing.len() / first.len().max(1);
    let in_order: [&[&str]; 4] =
        [&[], &[MANAGED_RULESET_ID], &[catalog::CORE_RULESET_ID], &[MANAGED_RULESET_ID, catalog::CORE_RULESET_ID]];
    let last = entry_point.rules.last().map(|rule| rule.action);
    let ends_with_execute = executing.is_empty() || last == Some(RulesetAction::Execute);
    if ends_with_execute && in_order.iter().any(|rulesets| executing == rulesets.repeat(repetitions)) {
        Ok(())
    } else {
        Err(format!("executed in this order: {executing:?}"))
    }
}

/// The action of every known rule of the Managed Ruleset under the entry point: `None` when it is not in effect.
/// Overrides apply in order, as the Rulesets API documents.
pub fn effective_actions_after(entry_point: &EntryPoint) -> BTreeMap<&'static str, Option<RulesetAction>> {
    let is_managed =
        |parameters: &&zonewright_api::ruleset::ActionParameters| parameters.id.as_deref() == Some(MANAGED_RULESET_ID);
    let mut parameters = entry_point.rules.iter().filter_map(|rule| rule.action_parameters.as_ref());
    let Some(parameters) = parameters.find(is_managed) else { return BTreeMap::new() };
    let overrides = parameters.overrides.clone().unwrap_or_default();
    let mut effects = BTreeMap::new();
    for rule in catalog::managed_rules(MANAGED_RULESET_ID) {
        let (mut action, mut enabled) = (rule.action, rule.enabled);
        for category in
            overrides.categories.iter().filter(|category| rule.categories.contains(&category.category.as_str()))
        {
            action = category.action.unwrap_or(action);
            enabled = category.enabled.unwrap_or(enabled);
        }
        for rule_override in overrides.rules.iter().filter(|rule_override| rule_override.id == rule.id) {
            action = rule_override.action.unwrap_or(action);
            enabled = rule_override.enabled.unwrap_or(enabled);
        }
        effects.insert(rule.id, enabled.then_some(action));
    }
    effects
}

/// The action of every known rule of the provider's package under a consistent configuration of the previous managed
/// rules, by the ID of its counterpart.
pub fn effective_actions_before(config: &ZoneConfig) -> BTreeMap<&'static str, Option<RulesetAction>> {
    let mut effects = BTreeMap::new();
    for rule in catalog::previous_rules() {
        let group = rule.group().filter(|group| group.package == PackageKind::Managed);
        let (Some(group), Some(targets)) = (group, &rule.counterpart) else { continue };
        let configured = config.rules.iter().find(|configured| configured.id == rule.id);
        let mode = configured.map_or(RuleMode::Default, |configured| configured.mode);
        let default = configured.and_then(|configured| configured.default_mode).or(rule.default_mode);
        let mode = if mode == RuleMode::Default { default.unwrap_or(RuleMode::Block) } else { mode };
        let group_id = configured.map_or(group.id, |configured| configured.group.id.as_str());
        let off = config.groups.iter().any(|configured| configured.id == group_id && configured.mode == Switch::Off);
        let action = match mode {
            RuleMode::Simulate => Some(RulesetAction::Log),
            RuleMode::Challenge => Some(RulesetAction::Challenge),
            RuleMode::Block => Some(RulesetAction::Block),
            _ => None,
        };
        effects.insert(targets.id, action.filter(|_| !off));
    }
    effects
}

/// Replaces or repeats one part of a document.
pub fn mutate_document(mut document: Value, choose: &mut impl FnMut(usize) -> usize) -> Value {
    let depth = choose(6);
    mutate(&mut document, depth, choose);
    document
}

fn mutate(target: &mut Value, depth: usize, choose: &mut impl FnMut(usize) -> usize) {
    match target {
        Value::Array(items) if depth > 0 && !items.is_empty() => {
            let index = choose(items.len());
            if choose(8) == 0 {
                items.extend(items.get(index).cloned());
            }
            if let Some(item) = items.get_mut(index) {
                mutate(item, depth - 1, choose);
            }
        }
        Value::Object(members) if depth > 0 && !members.is_empty() => {
            let index = choose(members.len());
            if let Some((_, member)) = members.iter_mut().nth(index) {
                mutate(member, depth - 1, choose);
            }
        }
        _ => *target = unusual_value(choose),
    }
}

fn unusual_value(choose: &mut impl FnMut(usize) -> usize) -> Value {
    let values = [
        json!(null),
        json!(""),
        json!("on"),
        json!("off"),
        json!("default"),
        json!("block"),
        json!("anomaly"),
        json!("100015"),
        json!("*"),
        json!("c504870194831cd12c3fc0284f294abb"),
        json!("ä\u{0}\n"),
        json!("x".repeat(5_000)),
        json!(-1),
        json!(1e300),
        json!(true),
        json!([]),
        json!([{}]),
        json!({}),
    ];
    values.into_iter().nth(choose(18)).unwrap_or_default()
}
