//! Tests that the first page rule that matches takes effect, before and after a migration.

use super::read::waf_effect;
use super::*;
use crate::read_config;
use serde_json::json;
use zonewright_api::finding::FindingOutcome;
use zonewright_api::page_rule::PageRule;
use zonewright_expression::Value::Text;
use zonewright_expression::{Options, Outcome, Program, Record, check};

/// Builds a zone from pairs of pattern and action in descending priority; `-` before an action disables the rule.
fn zone(waf: &str, rules: &[(&str, &str)]) -> ZoneConfig {
    let page_rules: Vec<_> = rules
        .iter()
        .enumerate()
        .map(|(index, (pattern, action))| {
            let (action, status) = action.strip_prefix('-').map_or((*action, "active"), |action| (action, "disabled"));
            let action = match action.split_once('=') {
                Some((id, value)) => json!({"id": id, "value": value}),
                None => json!({"id": action}),
            };
            json!({"id": index.to_string(), "priority": 10_000 - index, "status": status, "actions": [action],
                "targets": [{"target": "url", "constraint": {"operator": "matches", "value": pattern}}]})
        })
        .collect();
    read_config(&json!({"plan": "business", "settings": {"waf": waf}, "page_rules": page_rules})).unwrap()
}

/// The steps in order with their programs, and whether any step is executed. The program of `true` is `None`.
struct CompiledSteps<'a>(Vec<(&'a PlannedStep, Option<Program>)>, bool);

fn compile_steps(pages: &PageRuleMigration) -> CompiledSteps<'_> {
    let program = |step: &PlannedStep| {
        let expression = match step {
            PlannedStep::Execute(expression) => expression,
            PlannedStep::Skip(rule) => &rule.expression,
        };
        (expression != "true").then(|| check(expression, &Options::default()).program.unwrap())
    };
    CompiledSteps(pages.steps.iter().map(|step| (step, program(step))).collect(), pages.any_executed)
}

/// Returns whether the managed rules run before the migration: the first page rule that matches decides.
fn runs_before(config: &ZoneConfig, url: &str) -> bool {
    let fits = |rule: &&PageRule| is_active(rule) && matches_pattern(rule.pattern(), url) == Ok(true);
    match config.page_rules.iter().find(fits).map(waf_effect) {
        Some(WafEffect::Off) => false,
        Some(WafEffect::On) => true,
        Some(WafEffect::None | WafEffect::Unreadable) | None => config.waf == Switch::On,
    }
}

/// Returns whether the managed rules run after the migration, by evaluating the new rules in order. Asserts that they
/// run at most once.
fn runs_after(CompiledSteps(steps, enabled): &CompiledSteps<'_>, url: &str) -> bool {
    let mut record = Record::default();
    record.set("http.request.full_uri", Text(url.as_bytes().to_vec())).unwrap();
    let mut executed = 0;
    for (step, program) in steps {
        let fits = program.as_ref().is_none_or(|program| program.evaluate(&record) == Outcome::True);
        match step {
            PlannedStep::Skip(rule) if rule.enabled && fits => break,
            PlannedStep::Execute(_) if *enabled && fits => executed += 1,
            _ => {}
        }
    }
    assert!(executed < 2, "{url} executes the managed rules {executed} times");
    executed == 1
}

const BOTH: Deployment = Deployment { ruleset_count: 2, is_active: true };

fn migrate(config: &ZoneConfig) -> PageRuleMigration {
    let pages = migrate_page_rules(config, 0, BOTH);
    let mut rules = 0;
    for step in &pages.steps {
        let (expression, width) = match step {
            PlannedStep::Skip(rule) => (&rule.expression, 1),
            PlannedStep::Execute(expression) => (expression, 2),
        };
        assert!(expression.len() <= MAX_EXPRESSION_BYTES, "{} bytes", expression.len());
        rules += width;
    }
    assert!(rules <= MAX_ENTRY_POINT_RULES, "{rules} rules");
    pages
}

fn codes(pages: &PageRuleMigration) -> Vec<&str> {
    pages.findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn first_matching_page_rule_decides_before_and_after() {
    let patterns =
        ["example.com/*", "*example.com/a/*", "https://example.com/a/b*", "example.com/", "*.example.com/*b"];
    let actions = ["disable_security", "waf=off", "waf=on", "cache_level=bypass", "-waf=off", "-waf=on"];
    let urls = [
        "https://example.com/",
        "http://example.com/a/",
        "https://example.com/a/b",
        "https://example.com/a/bc",
        "https://www.example.com/a/b",
        "http://www.example.com/",
        "https://example.com/?u=http://example.com/a/b",
    ];
    let mut compared = 0;
    for waf in ["on", "off"] {
        // Every pattern is first once, with all combinations of actions for the three page rules.
        for shift in 0..patterns.len() {
            for first in actions {
                for second in actions {
                    for third in ["waf=on", "waf=off", "cache_level=bypass"] {
                        let pattern_at = |offset: usize| patterns[(shift + offset) % patterns.len()];
                        let config =
                            zone(waf, &[(pattern_at(0), first), (pattern_at(1), second), (pattern_at(3), third)]);
                        let pages = migrate(&config);
                        let pages = compile_steps(&pages);
                        for url in urls {
                            assert_eq!(runs_after(&pages, url), runs_before(&config, url), "{config:?} {url}");
                            compared += 1;
                        }
                    }
                }
            }
        }
    }
    assert_eq!(compared, 2 * 5 * 6 * 6 * 3 * 7);
}

#[test]
fn every_page_rule_has_one_finding() {
    let cases = [
        ("on", vec![("example.com/*", "disable_security")], vec!["page-rule-skips"]),
        ("on", vec![("example.com/*", "-waf=off")], vec!["page-rule-skips"]),
        (
            "on",
            vec![("example.com/*", "waf=on"), ("example.com/a", "security_level=high")],
            vec!["page-rule-runs", "page-rule-unaffected"],
        ),
        ("off", vec![("example.com/*", "waf=on"), ("a b", "waf=off")], vec!["page-rule-executes", "page-rule-odd"]),
        ("off", vec![("example.com/*", "-waf=on")], vec!["page-rule-disabled"]),
        // Page rules of higher priority cover all URLs, by one pattern or by two.
        (
            "on",
            vec![("*example.com/*", "waf=off"), ("example.com/a*", "waf=on")],
            vec!["page-rule-skips", "page-rule-never"],
        ),
        (
            "on",
            vec![("example.com/*", "waf=on"), ("example.com/*", "-waf=off")],
            vec!["page-rule-runs", "page-rule-never"],
        ),
        (
            "on",
            vec![("http://example.com/*", "cache_level=basic"), ("https://*", "waf=on"), ("example.com/a", "waf=off")],
            vec!["page-rule-unaffected", "page-rule-runs", "page-rule-never"],
        ),
        // A disabled page rule does not take precedence.
        (
            "on",
            vec![("example.com/*", "-waf=on"), ("example.com/*", "waf=off")],
            vec!["page-rule-runs", "page-rule-skips"],
        ),
        (
            "on",
            vec![("example.com/*", "waf=OFF"), ("example.com/a", "waf")],
            vec!["page-rule-value", "page-rule-never"],
        ),
        (
            "on",
            vec![("example.com/a", "waf"), ("bücher.example/*", "waf=off")],
            vec!["page-rule-value", "page-rule-target"],
        ),
    ];
    for (waf, rules, expected) in cases {
        assert_eq!(codes(&migrate(&zone(waf, &rules))), expected, "{rules:?}");
    }
}

#[test]
fn findings_do_not_claim_execution_without_rulesets() {
    let outcomes = |waf: &str, deployed: Deployment| {
        let pages = migrate_page_rules(&zone(waf, &[("example.com/*", "waf=on")]), 0, deployed);
        pages.findings.iter().map(|finding| (finding.outcome, finding.code)).collect::<Vec<_>>()
    };
    let none = Deployment { ruleset_count: 0, is_active: false };
    for waf in ["on", "off"] {
        assert_eq!(outcomes(waf, none), [(FindingOutcome::Unaffected, "page-rule-nothing")], "{waf}");
    }
}

#[test]
fn unnecessary_exclusions_are_omitted() {
    let rules = [
        ("example.com/a/b/*", "cache_level=basic"),
        ("example.com/a/*", "waf=on"),
        ("example.org/*", "waf=on"),
        ("https://example.com/*", "waf=off"),
    ];
    let pages = migrate(&zone("on", &rules));
    let Some(PlannedStep::Skip(rule)) = pages.steps.first() else { panic!("no skip rule") };
    let expected = r#"http.request.full_uri wildcard "https://example.com/*" and not http.request.full_uri wildcard "https://example.com/a/*""#;
    assert_eq!(rule.expression, expected);
}

/// Builds page rules that match URLs of `/part0/`, `/part1/`, and so on, and URLs for all of them and two more parts.
fn build_many(count: usize, action: &str) -> (Vec<(String, String)>, Vec<String>) {
    let rules = (0..count).map(|part| (format!("*shop.example.com/part{part}/*"), action.to_owned())).collect();
    let urls = (0..count + 2)
        .flat_map(|part| {
            ["https://shop.example.com/part", "http://www.shop.example.com/part"].map(|url| format!("{url}{part}/a"))
        })
        .collect();
    (rules, urls)
}

#[test]
fn many_page_rules_keep_their_effect() {
    let catch_all_rule = |action: &str| ("*shop.example.com/*".to_owned(), action.to_owned());
    let insert = |index: usize, action: &str, (mut rules, urls): (Vec<(String, String)>, Vec<String>)| {
        rules.insert(index, (format!("https://shop.example.com/*{index}*"), action.to_owned()));
        (rules, urls)
    };
    let append_catch_all = |action: &str, (mut rules, urls): (Vec<(String, String)>, Vec<String>)| {
        rules.push(catch_all_rule(action));
        (rules, urls)
    };
    let cases = [
        ("on", append_catch_all("waf=off", build_many(36, "cache_level=basic"))),
        ("on", append_catch_all("waf=off", build_many(125, "waf=on"))),
        ("on", append_catch_all("disable_security", insert(20, "waf=off", build_many(80, "cache_level=basic")))),
        ("on", append_catch_all("-waf=off", build_many(80, "waf=on"))),
        ("off", build_many(40, "waf=on")),
        ("off", append_catch_all("waf=on", build_many(60, "waf=on"))),
        ("off", append_catch_all("waf=on", build_many(60, "cache_level=basic"))),
        ("off", append_catch_all("waf=off", build_many(60, "waf=on"))),
        (
            "off",
            append_catch_all(
                "waf=on",
                insert(30, "cache_level=basic", insert(20, "waf=off", build_many(60, "waf=on"))),
            ),
        ),
        (
            "off",
            append_catch_all(
                "waf=on",
                insert(30, "waf=on", insert(20, "waf=off", build_many(60, "cache_level=basic"))),
            ),
        ),
    ];
    for (waf, (rules, urls)) in cases {
        let words: Vec<(&str, &str)> =
            rules.iter().map(|(pattern, action)| (pattern.as_str(), action.as_str())).collect();
        let config = zone(waf, &words);
        let pages = migrate(&config);
        let steps = compile_steps(&pages);
        for url in urls {
            assert_eq!(runs_after(&steps, &url), runs_before(&config, &url), "{waf} {rules:?} {url}");
        }
        let lost = pages
            .findings
            .iter()
            .find(|found| matches!(found.outcome, FindingOutcome::Lost | FindingOutcome::NeedsSupport));
        assert_eq!(lost, None, "{waf} {rules:?}");
    }
}

#[test]
fn patterns_of_every_length_are_migrated_or_reported_as_lost() {
    let long = |length: usize| format!("example.com/{}*", "a".repeat(length));
    let other = |length: usize| format!("example.com/a{}*", "*a".repeat(length));
    let cases = [
        (long(3000), "waf=on", other(1400), vec!["page-rule-runs", "page-rule-skips"]),
        (long(5000), "waf=on", other(10), vec!["page-rule-runs", "page-rule-too-long"]),
        (long(10), "waf=on", long(5000), vec!["page-rule-runs", "page-rule-never"]),
        (long(10), "cache_level=basic", other(3000), vec!["page-rule-unaffected", "page-rule-too-long"]),
    ];
    for (one, action, two, expected) in cases {
        let pages = migrate(&zone("on", &[(&one, action), (&two, "waf=off")]));
        assert_eq!(codes(&pages), expected);
        let lost = pages.findings.iter().find(|found| found.outcome == FindingOutcome::Lost);
        assert!(lost.is_none_or(|found| found.draft.is_some()), "{lost:?}");
        assert_eq!(lost.is_some(), expected.contains(&"page-rule-too-long"));
    }
}

#[test]
fn too_many_page_rules_need_support() {
    let rules: Vec<(String, &str)> = (0..1200).map(|part| (format!("example.com/{part}"), "waf=off")).collect();
    let rules: Vec<(&str, &str)> = rules.iter().map(|(pattern, action)| (pattern.as_str(), *action)).collect();
    let pages = migrate(&zone("on", &rules));
    assert!(
        pages
            .findings
            .iter()
            .all(|found| found.outcome == FindingOutcome::NeedsSupport && found.code == "too-many-page-rules")
    );
    assert_eq!((pages.findings.len(), pages.steps.len()), (1200, 1));
}

#[test]
fn page_rules_are_settled_once() {
    let (mut rules, _) = build_many(80, "cache_level=basic");
    rules.extend((10..30).map(|part| (format!("*shop.example.com/*{part}"), "waf=off".to_owned())));
    let words: Vec<(&str, &str)> = rules.iter().map(|(pattern, action)| (pattern.as_str(), action.as_str())).collect();
    let pages = migrate(&zone("on", &words));
    let execute_steps = pages.steps.iter().filter(|step| matches!(step, PlannedStep::Execute(_))).count();
    // Three steps for 80 page rules of about 130 bytes, and the last step for all other requests.
    assert_eq!((execute_steps, pages.steps.len()), (4, 4 + 3 + 20));
}
