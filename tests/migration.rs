//! Runs the migrations in the case files of `spec/migration/`. Its README describes the format.
//!
//! `UPDATE=1 cargo test -p zonewright-tests --test migration` writes the results of the engine into the files; read
//! the diff before you keep it.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

use serde_json::{Value, json};
use std::iter::Peekable;
use zonewright_api::ruleset::{
    ActionParameters, EntryPoint, ExposedCredentialCheck, Logging, RateLimit, RulesetAction, RulesetRule,
};
use zonewright_migration::{MigrationPhase, check_eligibility};
use zonewright_tests::case_files::{SuiteReport, run};
use zonewright_tests::markdown::{Block, MarkdownElement};
use zonewright_tests::migration::{ANSWER_BLOCKS, Case, config, format_errors};
use zonewright_tests::migration_invariants::plan_and_check_invariants;

/// A lower number of cases means that files are missing.
const MIN_CASES: usize = 120;

#[test]
fn migration_case_files_match() {
    run("spec/migration", MIN_CASES, |cases, elements| CaseRunner { cases, base: json!({}) }.run_file(elements));
}

struct CaseRunner<'a> {
    cases: &'a mut SuiteReport,
    /// The default members of every zone.
    base: Value,
}

impl CaseRunner<'_> {
    /// Runs the cases of a file and returns its elements with the actual results.
    fn run_file(&mut self, elements: Vec<MarkdownElement>) -> Vec<MarkdownElement> {
        let mut output = Vec::new();
        let mut heading = String::new();
        let mut elements = elements.into_iter().peekable();
        while let Some(element) = elements.next() {
            match element {
                MarkdownElement::Block(block) => {
                    self.cases.set_location(block.line, &heading);
                    match block.kind.as_str() {
                        "base" => self.base = serde_json::from_str(&block.text).unwrap(),
                        "zone" => {
                            output.extend(self.run_zone(block, &mut elements));
                            continue;
                        }
                        other => self.cases.fail(&format!("`{other}` is not a block of this directory")),
                    }
                    output.push(MarkdownElement::Block(block));
                }
                MarkdownElement::Heading(level, text) => {
                    heading.clone_from(&text);
                    output.push(MarkdownElement::Heading(level, text));
                }
                MarkdownElement::Line(_) => output.push(element),
            }
        }
        output
    }

    /// Runs a zone with the answer blocks below it.
    fn run_zone(
        &mut self,
        block: Block,
        elements: &mut Peekable<impl Iterator<Item = MarkdownElement>>,
    ) -> Vec<MarkdownElement> {
        self.cases.count();
        let source = block.text.clone();
        let base = if block.options == "whole" { &json!({}) } else { &self.base };
        let read = config(base, &source);
        let mut output = vec![MarkdownElement::Block(block)];
        while let Some(MarkdownElement::Block(answer)) = elements.next_if(is_answer) {
            let actual = match &read {
                Ok(_) if answer.kind == "problems" => None,
                Ok(config) => Some(self.compute_answer(&answer, &Case { config, options: &answer.options })),
                Err(errors) => (answer.kind == "problems").then(|| format_errors(errors)),
            };
            self.cases.compare(&answer.kind, &source, Some(&answer.text), actual.as_deref());
            output.extend(actual.map(|text| MarkdownElement::Block(Block { text, ..answer })));
        }
        if output.len() == 1 {
            self.cases.fail("the zone has no answer block");
        }
        if let Some(problem) = read.ok().and_then(|config| plan_and_check_invariants(&config).err()) {
            self.cases.fail(&problem);
        }
        output
    }

    fn compute_answer(&mut self, answer: &Block, case: &Case<'_>) -> String {
        let answer_fn = ANSWER_BLOCKS.iter().find(|(kind, _)| *kind == answer.kind).map(|(_, answer_fn)| answer_fn);
        answer_fn.map_or_else(|| Err("unknown answer block".to_owned()), |answer_fn| answer_fn(case)).unwrap_or_else(
            |problem| {
                self.cases.fail(&problem);
                problem
            },
        )
    }
}

fn is_answer(element: &MarkdownElement) -> bool {
    let MarkdownElement::Block(block) = element else { return false };
    block.kind == "problems" || ANSWER_BLOCKS.iter().any(|(kind, _)| *kind == block.kind)
}

/// Superlinear work takes hours here; linear work takes seconds.
#[test]
fn large_configuration_is_planned_in_linear_time() {
    let many = |item: &dyn Fn(usize) -> Value| (0..10_000).map(item).collect::<Vec<_>>();
    let filter = json!({"id": "", "expression": "ip.src eq 192.0.2.1 or http.host contains \"a\""});
    let id = |index: usize| format!("{index:032x}");
    let page_rule = |index: usize, pattern: &str| {
        let target = json!({"target": "url", "constraint": {"operator": "matches", "value": pattern}});
        let action =
            if index.is_multiple_of(2) { json!({"id": "waf", "value": "off"}) } else { json!({"id": "always_online"}) };
        json!({"id": id(index), "targets": [target], "actions": [action], "priority": index, "status": "active"})
    };
    let with_distinct_host = |index: usize| page_rule(index, &format!("host{index}.example.com/*"));
    let mut with_waf_on = many(&with_distinct_host);
    for rule in &mut with_waf_on {
        rule["actions"] = json!([{"id": "waf", "value": "on"}]);
    }
    let bypass = |id: String| json!({"id": id, "action": "bypass", "products": ["waf"], "filter": filter});
    let lists: [(&str, Vec<Value>); 12] = [
        ("packages", many(&|index| json!({"id": id(index), "name": "USER", "detection_mode": "traditional"}))),
        ("packages", many(&|index| json!({"id": id(index), "name": "OWASP", "detection_mode": "anomaly"}))),
        ("groups", many(&|index| json!({"id": id(index % 7), "name": "Cloudflare Specials", "mode": "off"}))),
        ("rules", many(&|index| json!({"id": (100_000 + index % 5_000).to_string(), "mode": "off"}))),
        ("overrides", many(&|index| json!({"id": id(index), "urls": vec!["example.com/*"; 10]}))),
        ("firewall_rules", many(&|index| bypass(id(index)))),
        ("firewall_rules", many(&|index| bypass(id(index % 7)))),
        ("firewall_rules", many(&|index| json!({"id": id(index), "action": "block", "filter": filter}))),
        ("page_rules", many(&|index| page_rule(index, "*example.com/*"))),
        ("page_rules", many(&with_distinct_host)),
        ("page_rules", with_waf_on),
        ("page_rules", many(&|index| page_rule(index % 7, "example.com/*"))),
    ];
    for (name, items) in lists {
        let mut zone = json!({"plan": "pro", "settings": {"waf": "off"}});
        zone[name] = json!(items);
        let config = zonewright_migration::read_config(&zone).unwrap();
        let start = std::time::Instant::now();
        let plan = zonewright_migration::plan(&config);
        let blockers = check_eligibility(&config, MigrationPhase::One);
        let elapsed = start.elapsed();
        println!("{name}: {elapsed:?}, {} findings, {} blockers", plan.findings.len(), blockers.len());
        assert!(elapsed.as_secs() < 60, "{name}: {elapsed:?}");
    }
}

/// The type declarations of the npm package.
const TYPE_DECLARATIONS: &str = include_str!("../crates/wasm/js/migration.d.ts");

/// The members of an interface in the type declarations.
fn interface_members(interface: &str) -> Vec<&str> {
    let (_, body) = TYPE_DECLARATIONS.split_once(&format!("  interface {interface} {{\n")).unwrap();
    let (body, _) = body.split_once("\n  }").unwrap();
    let members = body.lines().filter_map(|line| line.trim().split_once(": "));
    members.map(|(name, _)| name.trim_end_matches('?')).filter(|name| !name.starts_with(['*', '/'])).collect()
}

#[test]
fn npm_types_declare_every_rule_member() {
    // Every member is listed, so that a new member breaks the build until it is added here.
    let rule = RulesetRule {
        id: String::new(),
        version: String::new(),
        action: RulesetAction::Block,
        expression: String::new(),
        description: String::new(),
        reference: String::new(),
        enabled: true,
        action_parameters: Some(ActionParameters::default()),
        ratelimit: Some(RateLimit {
            characteristics: Vec::new(),
            period: 60,
            requests_per_period: Some(1),
            score_per_period: Some(1),
            score_response_header_name: Some(String::new()),
            mitigation_timeout: Some(1),
            counting_expression: Some(String::new()),
            requests_to_origin: Some(true),
        }),
        logging: Some(Logging { enabled: true }),
        exposed_credential_check: Some(ExposedCredentialCheck {
            username_expression: String::new(),
            password_expression: String::new(),
        }),
        last_updated: Some(String::new()),
    };
    let rule_json = json!(rule);
    let ruleset = json!(EntryPoint { name: String::new(), description: Some(String::new()), rules: vec![rule] });
    for (interface, value) in [
        ("Ruleset", &ruleset),
        ("Rule", &rule_json),
        ("RateLimit", &rule_json["ratelimit"]),
        ("Logging", &rule_json["logging"]),
        ("ExposedCredentialCheck", &rule_json["exposed_credential_check"]),
    ] {
        let mut found: Vec<&String> = value.as_object().unwrap().keys().collect();
        let mut expected = interface_members(interface);
        found.sort();
        expected.sort();
        assert_eq!(expected, found, "{interface}");
    }
    let (_, actions) = TYPE_DECLARATIONS.split_once("  type RulesetAction =\n    | ").unwrap();
    let (actions, _) = actions.split_once(';').unwrap();
    let names: Vec<String> = RulesetAction::ALL.iter().map(|action| format!("\"{}\"", action.name())).collect();
    assert_eq!(actions.split("\n    | ").collect::<Vec<_>>(), names);
    assert!(TYPE_DECLARATIONS.contains("    action: RulesetAction;\n"));
}
