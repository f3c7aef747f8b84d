use super::*;
use crate::{Kind, ListItem, MissingPolicy, Options, Program, check};
use std::collections::BTreeMap;

/// Compiles a source as a filter, or as a value expression if it is not a filter.
fn program(source: &str) -> Program {
    let compile_as = |kind| check(source, &Options { kind, max_length: usize::MAX, ..Options::default() }).program;
    compile_as(Kind::Expression).or_else(|| compile_as(Kind::Value)).unwrap_or_else(|| panic!("{source}"))
}

fn text(text: &str) -> Value {
    Value::Text(text.as_bytes().to_vec())
}

fn texts(values: &[&str]) -> Value {
    Value::Array(values.iter().map(|value| text(value)).collect())
}

fn record(missing: MissingPolicy) -> Record {
    let mut record = Record::new(missing);
    let headers = [("accept", &["a", "b"][..]), ("x-empty", &[]), ("host", &["Example.com"])];
    let headers: BTreeMap<_, _> =
        headers.into_iter().map(|(name, values)| (name.as_bytes().to_vec(), texts(values))).collect();
    for (name, value) in [
        ("http.host", text("www.Example.com")),
        ("http.request.uri.path", text("/api/v1/users")),
        ("http.request.headers", Value::Map(headers)),
        ("http.request.headers.names", texts(&["Accept", "X-Empty", "Host"])),
        ("ip.src", Value::Ip("192.0.2.7".parse().unwrap())),
        ("ssl", Value::Boolean(true)),
        ("tcp.dstport", Value::Integer(443)),
    ] {
        record.set(name, value).unwrap();
    }
    record.set_absent("http.cookie").unwrap();
    record.set_list("hosts", vec![ListItem::Hostname(b"*.example.com".to_vec())]);
    record
}

fn show(outcome: &Outcome) -> String {
    match outcome {
        Outcome::True => "true".into(),
        Outcome::False => "false".into(),
        Outcome::Unknown { fields } => format!("? {}", fields.join(" ")),
        Outcome::Value(value) => format!("{value:?}"),
        Outcome::Absent => "absent".into(),
    }
}

#[test]
fn expressions_evaluate_to_expected_outcomes() {
    for (source, expected) in [
        ("true", "true"),
        ("ssl", "true"),
        ("not ssl", "false"),
        ("http.host eq \"www.Example.com\"", "true"),
        ("lower(http.host) eq \"www.example.com\"", "true"),
        ("lower(http.host) eq \"www.Example.com\"", "false"),
        ("lower(http.host) ne \"www.Example.com\"", "true"),
        ("upper(http.host) contains \"EXAMPLE\"", "true"),
        ("lower(http.host) in {\"WWW.EXAMPLE.COM\"}", "false"),
        ("lower(http.host) in {\"www.example.com\" \"b\"}", "true"),
        ("lower(http.host) strict wildcard \"*.example.*\"", "true"),
        ("http.host strict wildcard \"*.example.*\"", "false"),
        ("http.host wildcard \"*.example.*\"", "true"),
        ("lower(http.host) matches \"E\"", "false"),
        ("lower(http.host) gt \"www\"", "true"),
        ("http.request.uri.path matches \"^/api/v[0-9]+/\"", "true"),
        ("http.request.uri.path matches \"(?i)USERS$\"", "true"),
        ("http.request.uri.path matches r\"^/.*/$\"", "false"),
        ("http.cookie ne \"a\"", "false"),
        ("not http.cookie ne \"a\"", "true"),
        ("len(http.cookie) ge 0", "false"),
        ("http.request.headers[\"accept\"][1] eq \"b\"", "true"),
        ("http.request.headers[\"accept\"][2] ne \"b\"", "false"),
        ("any(http.request.headers[*][*] eq \"b\")", "true"),
        ("all(http.request.headers[*][0] ne \"z\")", "true"),
        ("all(http.request.headers[\"none\"][*] eq \"z\")", "true"),
        ("any(http.request.headers[\"none\"][*] eq \"z\")", "false"),
        ("any(lower(http.request.headers.names[*])[*] eq \"host\")", "true"),
        ("any(starts_with(http.request.headers.names[*], \"X-\"))", "true"),
        ("all(starts_with(http.request.headers[\"none\"][*], \"X-\"))", "false"),
        (
            "any((http.request.headers.names[*] eq \"Host\" and not http.request.headers.names[*] contains \"H\"))",
            "false",
        ),
        ("len((http.request.headers.names[*] eq \"Host\")) eq 3", "true"),
        ("coalesce((ssl), ssl)", "true"),
        ("tcp.dstport in {80 440..450}", "true"),
        ("tcp.dstport & 2", "true"),
        ("tcp.dstport & 4", "false"),
        ("ip.src in {192.0.2.0/24 ::/0}", "true"),
        ("ip.src eq ::1", "false"),
        ("ip.src ne ::1", "true"),
        ("ip.src lt ::1", "false"),
        ("http.host in $hosts", "true"),
        ("ip.src in $other", "? $other"),
        ("is_jwt_valid(\"a\")", "? is_jwt_valid"),
        ("http.user_agent contains \"a\"", "? http.user_agent"),
        ("http.user_agent contains \"a\" and http.referer eq \"b\" and ssl", "? http.referer http.user_agent"),
        ("http.user_agent contains \"a\" and not ssl", "false"),
        ("(http.user_agent contains \"a\" and not ssl) or http.referer eq \"b\"", "? http.referer"),
        ("http.user_agent contains \"a\" xor ssl", "? http.user_agent"),
        ("any(http.request.headers.names[*] eq http.user_agent)", "? http.user_agent"),
        ("http.host eq coalesce(http.cookie, http.host)", "true"),
        ("coalesce(http.cookie, http.user_agent) eq \"\"", "? http.user_agent"),
        (
            "concat(http.cookie, http.request.uri.path, \"x\")",
            "Text([47, 97, 112, 105, 47, 118, 49, 47, 117, 115, 101, 114, 115, 120])",
        ),
        ("concat(http.cookie, http.cookie)", "absent"),
        ("http.cookie", "absent"),
        ("http.user_agent", "? http.user_agent"),
        ("len(http.request.headers.names)", "Integer(3)"),
    ] {
        let program = program(source);
        let record = record(MissingPolicy::Unknown);
        assert_eq!(show(&program.evaluate(&record)), expected, "{source}");
        assert_eq!(program.trace(&record).outcome, program.evaluate(&record), "{source}");
    }
}

#[test]
fn unset_field_with_absent_policy_is_missing() {
    for (source, expected) in [
        ("http.user_agent contains \"a\"", "false"),
        ("not http.user_agent contains \"a\"", "true"),
        ("ip.src in $other", "false"),
        ("http.user_agent", "absent"),
    ] {
        assert_eq!(show(&program(source).evaluate(&record(MissingPolicy::Absent))), expected, "{source}");
    }
}

#[test]
fn trace_marks_skipped_conditions_as_not_reached() {
    let source = "(http.cookie eq \"a\" or not ssl) and tcp.dstport eq 80 or ssl or http.referer eq \"\"";
    let steps: Vec<_> = program(source)
        .trace(&record(MissingPolicy::Unknown))
        .steps
        .into_iter()
        .map(|step| format!("{} {:?} {:?}", step.span.text(source), step.truth, step.value))
        .collect();
    assert_eq!(
        steps,
        [
            format!("{source} True None"),
            "(http.cookie eq \"a\" or not ssl) and tcp.dstport eq 80 False None".into(),
            "(http.cookie eq \"a\" or not ssl) False None".into(),
            "http.cookie eq \"a\" or not ssl False None".into(),
            "http.cookie eq \"a\" Absent None".into(),
            "not ssl False None".into(),
            "ssl True None".into(),
            "tcp.dstport eq 80 NotReached None".into(),
            "ssl True None".into(),
            "http.referer eq \"\" NotReached None".into(),
        ]
    );
}

#[test]
fn computed_value_above_size_limit_is_missing() {
    let large = "a".repeat(1 << 20);
    let mut record = Record::new(MissingPolicy::Unknown);
    record.set("http.host", text(&large)).unwrap();
    record.set("http.request.headers.names", texts(&["a"; 100])).unwrap();
    let concat = |times: usize| format!("len(concat({})) gt 0", vec!["http.host"; times].join(", "));
    for (source, expected) in [
        (concat(16), "true"),
        (concat(17), "false"),
        ("len(concat(http.request.headers.names[*], http.host)) eq 100".into(), "false"),
        ("len(concat(http.request.headers.names[*], \"a\")) eq 100".into(), "true"),
    ] {
        assert_eq!(show(&program(&source).evaluate(&record)), expected, "{source}");
    }
}
