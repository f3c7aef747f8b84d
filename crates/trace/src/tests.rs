mod documents;

use super::{Effect, PartValue, ZoneTrace, read_zone, trace};
use serde_json::{Value, json};
use zonewright_expression::{MissingPolicy, Record, Ternary};
use zonewright_request::{json::set_field_from_text, read_input};

fn trace_request(zone: &Value, curl: &str, fields: &[(&str, &str)]) -> ZoneTrace {
    let mut record = Record::default();
    for (name, value) in fields {
        set_field_from_text(name, value, &mut record).unwrap();
    }
    read_input(curl.as_bytes(), &mut record).unwrap();
    trace(&read_zone(zone).unwrap(), record)
}

fn ruleset(phase: &str, rules: &Value) -> Value {
    json!({"kind": "zone", "phase": phase, "name": phase, "rules": rules})
}

fn rule(action: &str, expression: &str, parameters: &Value) -> Value {
    json!({"action": action, "expression": expression, "action_parameters": parameters, "description": action})
}

/// Returns the pointer, the reachability and the result of every rule.
fn results(trace: &ZoneTrace) -> Vec<(String, Ternary, Ternary)> {
    let rules = trace.phases.iter().flat_map(|phase| &phase.rules);
    rules
        .flat_map(|rule| std::iter::once(rule).chain(&rule.executed))
        .map(|rule| (rule.pointer.clone(), rule.reached, rule.fires()))
        .collect()
}

const URL: &str = "curl https://example.com/old/a?x=1";

#[test]
fn rewrite_changes_request_for_later_phases() {
    let zone = json!([
        ruleset(
            "http_request_firewall_custom",
            &json!([
                rule("log", "http.request.uri.path eq \"/old/a\"", &json!({})),
                rule(
                    "block",
                    "http.request.uri.path eq \"/new/a\" and raw.http.request.uri.path eq \"/old/a\"",
                    &json!({})
                ),
            ])
        ),
        ruleset(
            "http_request_transform",
            &json!([rule(
                "rewrite",
                "ssl",
                &json!({"uri": {"path": {"expression": "regex_replace(http.request.uri.path, \"^/old\", \"/new\")"}}})
            ),])
        ),
    ]);
    let trace = trace_request(&zone, URL, &[]);
    assert_eq!(trace.phases[0].title, "URL rewrites", "phases are in the order of execution");
    let [Effect::Rewrite { before, after, .. }] = trace.phases[0].rules[0].effects.as_slice() else {
        panic!("no change")
    };
    assert_eq!((before, after), (&PartValue::Set("/old/a".to_owned()), &PartValue::Set("/new/a".to_owned())));
    let outcomes: Vec<Ternary> = results(&trace).into_iter().map(|(_, _, fires)| fires).collect();
    assert_eq!(outcomes, [Ternary::True, Ternary::False, Ternary::True]);
    assert_eq!(trace.reaches_origin, Ternary::False);
    assert_eq!(trace.terminating_rules[0].pointer, "/0/rules/1");
}

#[test]
fn block_ends_request() {
    let zone = json!([ruleset(
        "http_request_firewall_custom",
        &json!([rule("block", "true", &json!({})), rule("log", "true", &json!({})),])
    )]);
    let trace = trace_request(&zone, URL, &[]);
    assert_eq!(trace.phases[0].rules[1].reached, Ternary::False);
    assert_eq!(trace.reaches_origin, Ternary::False);
}

#[test]
fn unknown_block_makes_later_rules_unknown() {
    let zone = json!([ruleset(
        "http_request_firewall_custom",
        &json!([
            rule("block", "cf.bot_management.score lt 30", &json!({})),
            rule("managed_challenge", "http.host eq \"example.com\"", &json!({})),
        ])
    )]);
    let trace_without_score = trace_request(&zone, URL, &[]);
    let [first, second] = trace_without_score.terminating_rules.as_slice() else { panic!("two terminating_rules") };
    assert_eq!(
        (first.terminates, first.depends_on.as_slice()),
        (Ternary::Unknown, &["cf.bot_management.score".to_owned()][..])
    );
    assert_eq!(second.terminates, Ternary::Unknown, "the first rule may block the request");
    assert_eq!(trace_without_score.reaches_origin, Ternary::False, "one of the rules ends the request");
    let trace_with_score = trace_request(&zone, URL, &[("cf.bot_management.score", "90")]);
    assert_eq!(trace_with_score.terminating_rules.len(), 1);
    assert_eq!(trace_with_score.reaches_origin, Ternary::False);
}

#[test]
fn unknown_rewrite_makes_path_unknown() {
    let zone = json!([
        ruleset(
            "http_request_transform",
            &json!(
                [rule("rewrite", "cf.bot_management.score lt 30", &json!({"uri": {"path": {"value": "/robots"}}})),]
            )
        ),
        ruleset(
            "http_request_firewall_custom",
            &json!([
                rule("block", "http.request.uri.path eq \"/robots\"", &json!({})),
                rule("block", "raw.http.request.uri.path eq \"/robots\"", &json!({})),
            ])
        ),
    ]);
    let fires: Vec<Ternary> = results(&trace_request(&zone, URL, &[])).into_iter().map(|(_, _, fires)| fires).collect();
    assert_eq!(fires, [Ternary::Unknown, Ternary::Unknown, Ternary::False]);
}

#[test]
fn skip_rule_skips_rulesets_and_phases() {
    let zone = json!([
        ruleset(
            "http_request_firewall_custom",
            &json!([
                rule(
                    "skip",
                    "http.host eq \"example.com\"",
                    &json!({"ruleset": "current", "phases": ["http_ratelimit"]})
                ),
                rule("block", "true", &json!({})),
            ])
        ),
        ruleset(
            "http_ratelimit",
            &json!([
                {"action": "block", "expression": "true", "ratelimit": {"characteristics": ["ip.src"], "period": 10, "requests_per_period": 5}},
            ])
        ),
        ruleset(
            "http_request_firewall_managed",
            &json!([
                rule("skip", "true", &json!({"rulesets": ["m1"]})),
                rule("execute", "true", &json!({"id": "m1"})),
                rule("execute", "true", &json!({"id": "m2"})),
            ])
        ),
    ]);
    let skipped = trace_request(&zone, URL, &[]);
    assert_eq!(skipped.phases[0].rules[1].reached, Ternary::False);
    assert_eq!(skipped.phases[1].rules[0].reached, Ternary::False);
    let terminating_rules: Vec<&str> = skipped.terminating_rules.iter().map(|rule| rule.pointer.as_str()).collect();
    assert_eq!(terminating_rules, ["/2/rules/2"], "only the ruleset that is not skipped may end the request");
    assert_eq!(skipped.reaches_origin, Ternary::Unknown);
}

#[test]
fn skip_rule_after_unknown_block_still_skips() {
    let zone = json!([ruleset(
        "http_request_firewall_custom",
        &json!([
            rule("block", "cf.bot_management.score lt 30", &json!({})),
            rule("skip", "true", &json!({"ruleset": "current"})),
            rule("block", "true", &json!({})),
        ])
    )]);
    let trace = trace_request(&zone, URL, &[]);
    assert_eq!(trace.phases[0].rules[2].reached, Ternary::False);
    assert_eq!(trace.terminating_rules.len(), 1);
}

#[test]
fn rate_limit_is_unknown() {
    let zone = json!([ruleset(
        "http_ratelimit",
        &json!([
            {"action": "block", "expression": "true", "ratelimit": {"characteristics": ["ip.src"], "period": 10, "requests_per_period": 5}},
        ])
    )]);
    let trace = trace_request(&zone, URL, &[]);
    assert_eq!(trace.terminating_rules[0].terminates, Ternary::Unknown);
    assert_eq!(trace.terminating_rules[0].depends_on, ["the request rate (limit: 5 in 10 seconds)"]);
}

#[test]
fn redirect_ends_request_with_its_target() {
    let parameters = json!({"from_value": {"status_code": 301, "preserve_query_string": true,
        "target_url": {"expression": "concat(\"https://www.example.com\", http.request.uri.path)"}}});
    let zone = json!([ruleset("http_request_dynamic_redirect", &json!([rule("redirect", "true", &parameters)]))]);
    let trace = trace_request(&zone, URL, &[]);
    let expected = "redirects to `https://www.example.com/old/a?x=1` (301)";
    assert_eq!(trace.terminating_rules[0].description, expected);
}

#[test]
fn execute_rule_runs_custom_ruleset() {
    let zone = json!([
        {"kind": "root", "phase": "http_request_firewall_custom", "rules": [
            rule("execute", "http.host eq \"example.com\"", &json!({"id": "c1"})),
        ]},
        {"kind": "custom", "id": "c1", "name": "Shared", "phase": "http_request_firewall_custom", "rules": [
            rule("skip", "true", &json!({"ruleset": "current"})),
            rule("block", "true", &json!({})),
        ]},
        ruleset("http_request_firewall_custom", &json!([rule("block", "ssl", &json!({}))])),
    ]);
    let trace = trace_request(&zone, URL, &[]);
    assert_eq!(trace.phases.len(), 2, "a custom ruleset runs only where it is executed");
    assert_eq!(trace.phases[0].rules[0].executed[1].reached, Ternary::False);
    assert_eq!(trace.terminating_rules[0].pointer, "/2/rules/0", "the skip rule affects only its own ruleset");
}

#[test]
fn firewall_rules_run_before_custom_rules_in_their_order() {
    let firewall_rule = |id: &str, action: &str, priority: u32, paused: bool| {
        json!({"id": id, "action": action, "priority": priority, "paused": paused,
            "filter": {"id": "f", "expression": "ssl", "paused": false}})
    };
    let zone = json!({
        "plan": "pro",
        "firewall_rules": {"result": [firewall_rule("b", "block", 3, false), firewall_rule("a", "allow", 2, false), firewall_rule("c", "block", 1, true)]},
        "rulesets": [ruleset("http_request_firewall_custom", &json!([rule("log", "ssl", &json!({}))]))],
    });
    let trace = trace_request(&zone, URL, &[]);
    let names: Vec<&str> = trace.phases[0].rules.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["c", "a", "b"]);
    assert!(!trace.phases[0].rules[0].is_enabled);
    assert_eq!(trace.phases[0].rules[2].reached, Ternary::False, "`allow` skips the remaining firewall rules");
    assert_eq!(trace.phases[1].rules[0].fires(), Ternary::True);
    assert_eq!(trace.reaches_origin, Ternary::True);
}

#[test]
fn invalid_condition_is_unknown_with_its_error() {
    let zone =
        json!([ruleset("http_request_firewall_custom", &json!([rule("block", "http.hots eq \"a\"", &json!({}))]))]);
    let trace = trace_request(&zone, URL, &[]);
    assert_eq!(trace.phases[0].rules[0].error.as_deref(), Some("unknown field `http.hots`"));
    assert_eq!(trace.reaches_origin, Ternary::Unknown);
}

#[test]
fn rules_of_one_phase_see_the_request_at_its_start() {
    let rewrite = |condition: &str, uri: Value| rule("rewrite", condition, &json!({"uri": uri}));
    let zone = json!([
        ruleset(
            "http_request_transform",
            &json!([
                rewrite("true", json!({"path": {"value": "/b"}})),
                rewrite("http.request.uri.path eq \"/old/a\"", json!({"query": {"value": "y=2"}})),
            ])
        ),
        ruleset("http_request_firewall_custom", &json!([rule("block", "http.request.uri eq \"/b?y=2\"", &json!({}))])),
    ]);
    let trace = trace_request(&zone, URL, &[]);
    assert_eq!(trace.phases[0].rules[1].fires(), Ternary::True);
    assert_eq!(trace.reaches_origin, Ternary::False);
}

#[test]
fn unknown_field_names_the_value_behind_the_rewrite() {
    let zone = json!([
        ruleset(
            "http_request_transform",
            &json!([rule("rewrite", "ip.src.country eq \"DE\"", &json!({"uri": {"path": {"value": "/de"}}}))])
        ),
        ruleset(
            "http_request_firewall_custom",
            &json!([rule("block", "http.request.uri.path eq \"/de\"", &json!({}))])
        ),
    ]);
    let trace = trace_request(&zone, URL, &[]);
    assert_eq!(trace.terminating_rules[0].depends_on, ["ip.src.country"]);
}

#[test]
fn unreached_values_of_earlier_rules_are_named() {
    let zone = json!([ruleset(
        "http_request_firewall_custom",
        &json!([rule("block", "cf.bot_management.score lt 30", &json!({})), rule("block", "true", &json!({}))])
    )]);
    let trace = trace_request(&zone, URL, &[]);
    assert_eq!(trace.terminating_rules[1].depends_on, ["cf.bot_management.score"]);
}

#[test]
fn unknown_rewrite_is_not_absent_if_missing_fields_are() {
    let zone = json!([
        ruleset(
            "http_request_transform",
            &json!([rule("rewrite", "no.such", &json!({"uri": {"path": {"value": "/b"}}}))])
        ),
        ruleset(
            "http_request_firewall_custom",
            &json!([rule("block", "not http.request.uri.path eq \"/x\"", &json!({}))])
        ),
    ]);
    let mut record = Record::new(MissingPolicy::Absent);
    read_input(URL.as_bytes(), &mut record).unwrap();
    let trace = trace(&read_zone(&zone).unwrap(), record);
    assert_eq!(trace.reaches_origin, Ternary::Unknown);
}

#[test]
fn custom_ruleset_outside_of_the_document_may_skip_later_rules() {
    let zone = json!([
        {"kind": "root", "phase": "http_request_firewall_custom", "rules": [rule("execute", "true", &json!({"id": "c9"}))]},
        ruleset("http_request_firewall_custom", &json!([rule("block", "true", &json!({}))])),
    ]);
    let trace = trace_request(&zone, URL, &[]);
    assert_eq!(trace.reaches_origin, Ternary::Unknown);
    assert_eq!(trace.terminating_rules[1].depends_on, ["the rules of ruleset `c9`"]);
}

#[test]
fn skipped_rule_of_a_custom_ruleset_does_not_fire() {
    let zone = json!([
        {"kind": "root", "phase": "http_request_firewall_custom", "rules": [
            rule("skip", "true", &json!({"rules": {"c1": ["r1"]}})),
            rule("execute", "true", &json!({"id": "c1"})),
        ]},
        {"kind": "custom", "id": "c1", "phase": "http_request_firewall_custom", "rules": [
            {"id": "r1", "action": "block", "expression": "true"},
        ]},
    ]);
    assert_eq!(trace_request(&zone, URL, &[]).reaches_origin, Ternary::True);
}

#[test]
fn custom_ruleset_that_no_rule_executes_is_noted() {
    let zone = json!([
        {"kind": "custom", "id": "c1", "name": "Shared", "phase": "http_request_firewall_custom", "rules": []},
    ]);
    let trace = trace_request(&zone, URL, &[]);
    assert_eq!(trace.notes, ["the custom ruleset `Shared` at /0 was not executed"]);
}

#[test]
fn invalid_parameters_are_errors_of_the_rule() {
    let rewrite = |parameters: Value| rule("rewrite", "true", &parameters);
    let zone = json!([
        ruleset(
            "http_request_transform",
            &json!([
                rewrite(json!({"uri": {"path": {"expression": "concat(\"/x\""}}})),
                rewrite(json!({"url": {}})),
                rewrite(json!({"headers": {"x-a": {"operation": "add", "value": "1"}}})),
            ])
        ),
        ruleset("http_request_firewall_managed", &json!([rule("execute", "true", &json!({}))])),
    ]);
    let trace = trace_request(&zone, URL, &[]);
    let rules = trace.phases.iter().flat_map(|phase| &phase.rules);
    assert!(rules.clone().all(|rule| rule.error.is_some()), "{:?}", rules.map(|rule| &rule.error).collect::<Vec<_>>());
}

#[test]
fn leaked_credentials_are_an_unknown_condition() {
    let mut check = rule("block", "true", &json!({}));
    check["exposed_credential_check"] = json!({"username_expression": "http.host", "password_expression": "http.host"});
    let trace = trace_request(&json!([ruleset("http_request_firewall_custom", &json!([check]))]), URL, &[]);
    assert_eq!(trace.phases[0].rules[0].fires(), Ternary::Unknown);
}

#[test]
fn response_phases_may_run_after_a_block() {
    let zone = json!([
        ruleset("http_request_firewall_custom", &json!([rule("block", "true", &json!({}))])),
        ruleset("http_custom_errors", &json!([rule("serve_error", "true", &json!({}))])),
    ]);
    let trace = trace_request(&zone, URL, &[]);
    assert_eq!(trace.reaches_origin, Ternary::False);
    assert_eq!(trace.phases[1].rules[0].reached, Ternary::Unknown);
}

#[test]
fn work_is_bounded_for_a_large_ruleset_that_many_rules_execute() {
    let execute = rule("execute", "true", &json!({"id": "c1"}));
    let zone = json!([
        {"kind": "root", "phase": "http_request_firewall_custom", "rules": vec![execute.clone(); 500]},
        {"kind": "custom", "id": "c1", "phase": "http_request_firewall_custom", "rules": vec![rule("log", "ssl", &json!({})); 500]},
    ]);
    let trace = trace_request(&zone, URL, &[]);
    assert_eq!(trace.notes, ["only the first 20000 rules were evaluated"]);
    assert_eq!(trace.reaches_origin, Ternary::Unknown, "the other rules may end the request");
    let looping = json!([{"kind": "custom", "id": "c1", "phase": "http_request_firewall_custom", "rules": [execute]},
        {"kind": "root", "phase": "http_request_firewall_custom", "rules": [rule("execute", "true", &json!({"id": "c1"}))]}]);
    assert_eq!(trace_request(&looping, URL, &[]).phases[0].rules[0].executed.len(), 1);
}
