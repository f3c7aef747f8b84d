use super::{Effect, ZoneTrace, read_zone, trace};
use serde_json::{Value, json};
use zonewright_expression::{Record, Ternary};
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
        .map(|rule| (rule.pointer.clone(), rule.reached, rule.acts()))
        .collect()
}

const URL: &str = "curl https://example.com/old/a?x=1";

#[test]
fn a_rewrite_changes_the_request_for_later_phases() {
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
    let [Effect::Changes { before, after, .. }] = trace.phases[0].rules[0].effects.as_slice() else {
        panic!("no change")
    };
    assert_eq!((before.as_deref(), after.as_deref()), (Some("/old/a"), Some("/new/a")));
    let outcomes: Vec<Ternary> = results(&trace).into_iter().map(|(_, _, acts)| acts).collect();
    assert_eq!(outcomes, [Ternary::True, Ternary::False, Ternary::True]);
    assert_eq!(trace.reaches_origin, Ternary::False);
    assert_eq!(trace.endings[0].pointer, "/0/rules/1");
}

#[test]
fn a_block_ends_the_request() {
    let zone = json!([ruleset(
        "http_request_firewall_custom",
        &json!([rule("block", "true", &json!({})), rule("log", "true", &json!({})),])
    )]);
    let trace = trace_request(&zone, URL, &[]);
    assert_eq!(trace.phases[0].rules[1].reached, Ternary::False);
    assert_eq!(trace.reaches_origin, Ternary::False);
}

#[test]
fn a_rule_with_an_unknown_result_makes_later_rules_uncertain() {
    let zone = json!([ruleset(
        "http_request_firewall_custom",
        &json!([
            rule("block", "cf.bot_management.score lt 30", &json!({})),
            rule("managed_challenge", "http.host eq \"example.com\"", &json!({})),
        ])
    )]);
    let trace_without_score = trace_request(&zone, URL, &[]);
    let [first, second] = trace_without_score.endings.as_slice() else { panic!("two endings") };
    assert_eq!(
        (first.certainty, first.needs.as_slice()),
        (Ternary::Unknown, &["cf.bot_management.score".to_owned()][..])
    );
    assert_eq!(second.certainty, Ternary::Unknown, "the first rule may block the request");
    assert_eq!(trace_without_score.reaches_origin, Ternary::False, "one of the rules ends the request");
    let trace_with_score = trace_request(&zone, URL, &[("cf.bot_management.score", "90")]);
    assert_eq!(trace_with_score.endings.len(), 1);
    assert_eq!(trace_with_score.reaches_origin, Ternary::False);
}

#[test]
fn an_unknown_rewrite_makes_the_path_unknown() {
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
    let acts: Vec<Ternary> = results(&trace_request(&zone, URL, &[])).into_iter().map(|(_, _, acts)| acts).collect();
    assert_eq!(acts, [Ternary::Unknown, Ternary::Unknown, Ternary::False]);
}

#[test]
fn a_skip_rule_skips_rulesets_and_phases() {
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
    let endings: Vec<&str> = skipped.endings.iter().map(|ending| ending.pointer.as_str()).collect();
    assert_eq!(endings, ["/2/rules/2"], "only the ruleset that is not skipped may end the request");
    assert_eq!(skipped.reaches_origin, Ternary::Unknown);
}

#[test]
fn a_skip_rule_after_an_uncertain_block_skips_surely() {
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
    assert_eq!(trace.endings.len(), 1);
}

#[test]
fn a_rate_limit_depends_on_earlier_requests() {
    let zone = json!([ruleset(
        "http_ratelimit",
        &json!([
            {"action": "block", "expression": "true", "ratelimit": {"characteristics": ["ip.src"], "period": 10, "requests_per_period": 5}},
        ])
    )]);
    let trace = trace_request(&zone, URL, &[]);
    assert_eq!(trace.endings[0].certainty, Ternary::Unknown);
    assert_eq!(trace.endings[0].needs, ["whether more than 5 requests arrived in 10 seconds"]);
}

#[test]
fn a_redirect_ends_the_request_with_its_target() {
    let parameters = json!({"from_value": {"status_code": 301, "preserve_query_string": true,
        "target_url": {"expression": "concat(\"https://www.example.com\", http.request.uri.path)"}}});
    let zone = json!([ruleset("http_request_dynamic_redirect", &json!([rule("redirect", "true", &parameters)]))]);
    let trace = trace_request(&zone, URL, &[]);
    let expected = "the visitor is redirected to `https://www.example.com/old/a?x=1` with status 301";
    assert_eq!(trace.endings[0].response, expected);
}

#[test]
fn a_custom_ruleset_is_executed_with_its_rules() {
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
    assert_eq!(trace.endings[0].pointer, "/2/rules/0", "the skip rule affects only its own ruleset");
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
    assert_eq!(trace.phases[1].rules[0].acts(), Ternary::True);
    assert_eq!(trace.reaches_origin, Ternary::True);
}

#[test]
fn invalid_conditions_are_unknown_with_their_error() {
    let zone =
        json!([ruleset("http_request_firewall_custom", &json!([rule("block", "http.hots eq \"a\"", &json!({}))]))]);
    let trace = trace_request(&zone, URL, &[]);
    assert_eq!(trace.phases[0].rules[0].error.as_deref(), Some("unknown field `http.hots`"));
    assert_eq!(trace.reaches_origin, Ternary::Unknown);
}

#[test]
fn unreadable_documents_have_errors_with_pointers() {
    let cases = [
        (json!(5), vec![""]),
        (json!({"rulesets": {}}), vec!["/rulesets"]),
        (json!({"rules_of_zone": []}), vec!["/rules_of_zone"]),
        (
            json!([{"phase": "http_request"}, {"result": {"phase": "http_ratelimit", "kind": "zone", "rules": [{"action": "allow"}]}}]),
            vec!["/0/phase", "/1/result/rules/0"],
        ),
        (json!({"plan": "pro", "firewall_rules": [{}], "lists": []}), vec!["/firewall_rules/0", "/lists"]),
    ];
    for (document, expected) in cases {
        let Err(errors) = read_zone(&document) else { panic!("{document} was read") };
        assert_eq!(errors.iter().map(|error| error.pointer.as_str()).collect::<Vec<_>>(), expected, "{document}");
    }
}
