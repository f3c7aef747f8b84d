//! The output of a trace, as text and as JSON.

use crate::json::to_pretty_json;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::fmt::Write;
use zonewright_diagnostic::pluralize;
use zonewright_expression::Ternary;
use zonewright_trace::{Effect, PartValue, RuleTrace, TerminatingRule, ZoneTrace};

/// Returns the trace as text: one block for each phase, then the result.
pub(super) fn to_text(trace: &ZoneTrace) -> String {
    let mut text = String::new();
    for phase in &trace.phases {
        let name = if phase.name.is_empty() { String::new() } else { format!(": {}", phase.name) };
        let _ = writeln!(text, "{}{name}", phase.title);
        if phase.rules.is_empty() {
            text.push_str("  no rules\n");
        }
        for rule in &phase.rules {
            write_rule(&mut text, rule, "  ");
        }
        text.push('\n');
    }
    if trace.phases.is_empty() {
        text.push_str("the zone has no rules for HTTP requests\n\n");
    }
    write_result(&mut text, trace);
    text
}

fn write_rule(text: &mut String, rule: &RuleTrace, indent: &str) {
    let name = if rule.name.is_empty() { &rule.expression } else { &rule.name };
    let _ = writeln!(text, "{indent}{} {}: {}", mark(rule), rule.action, one_line(name));
    let is_evaluated = rule.is_enabled && rule.reached != Ternary::False;
    if is_evaluated && !rule.name.is_empty() {
        let _ = writeln!(text, "{indent}    if {}", one_line(&rule.expression));
    }
    let details = match (rule.is_enabled, rule.reached) {
        (false, _) => Some("disabled".to_owned()),
        (true, Ternary::False) if rule.is_skipped == Ternary::True => Some("skipped".to_owned()),
        (true, Ternary::False) => Some("not reached".to_owned()),
        (true, Ternary::True) => None,
        (true, Ternary::Unknown) => {
            Some("reached only if no earlier rule ends the request or skips this rule".to_owned())
        }
    };
    let depends_on =
        (is_evaluated && !rule.depends_on.is_empty()).then(|| format!("depends on {}", rule.depends_on.join(", ")));
    let error = rule.error.as_ref().map(|error| format!("error: {error}"));
    for detail in details.into_iter().chain(error).chain(depends_on) {
        let _ = writeln!(text, "{indent}    {detail}");
    }
    for effect in &rule.effects {
        let _ = writeln!(text, "{indent}    {}", describe_effect(effect));
    }
    for executed in &rule.executed {
        write_rule(text, executed, &format!("{indent}    "));
    }
}

/// Returns the mark of a rule: `+` if it fires, `-` if it does not, and `?` if it might.
fn mark(rule: &RuleTrace) -> char {
    match rule.fires() {
        Ternary::True => '+',
        Ternary::False => '-',
        Ternary::Unknown => '?',
    }
}

fn describe_effect(effect: &Effect) -> String {
    match effect {
        Effect::Termination { description, .. } => description.clone(),
        Effect::Rewrite { field, before, after } => format!("{field}: {} -> {}", quote(before), quote(after)),
        Effect::Other(description) => description.clone(),
    }
}

fn quote(value: &PartValue) -> String {
    match value {
        PartValue::Set(text) => format!("\"{text}\""),
        PartValue::Absent => "(not set)".to_owned(),
        PartValue::Unknown => "(unknown)".to_owned(),
    }
}

fn write_result(text: &mut String, trace: &ZoneTrace) {
    let describe = |rule: &TerminatingRule| match one_line(&rule.name) {
        name if name.is_empty() => format!("the rule at {} {}", rule.pointer, rule.description),
        name => format!("rule `{name}` ({}) {}", rule.pointer, rule.description),
    };
    let (certain, possible): (Vec<&TerminatingRule>, Vec<&TerminatingRule>) =
        trace.terminating_rules.iter().partition(|rule| rule.terminates == Ternary::True);
    match (certain.first(), trace.reaches_origin) {
        (Some(rule), _) => {
            let _ = writeln!(text, "result: {}", describe(rule));
        }
        (None, Ternary::True) => text.push_str("result: the request reaches the origin\n"),
        (None, Ternary::False) => text.push_str("result: one of these rules ends the request\n"),
        (None, Ternary::Unknown) => {
            let _ = writeln!(text, "result: unknown; {} might end the request", pluralize(possible.len(), "rule"));
        }
    }
    for rule in possible {
        let _ = writeln!(text, "  {}{}", describe(rule), dependencies(&rule.depends_on));
    }
}

/// Returns the values on which an unknown result depends, in parentheses.
fn dependencies(depends_on: &[String]) -> String {
    if depends_on.is_empty() { String::new() } else { format!(" (depends on {})", depends_on.join(", ")) }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[derive(Serialize)]
struct RuleOutput<'a> {
    pointer: &'a str,
    name: &'a str,
    action: &'a str,
    expression: &'a str,
    enabled: bool,
    reached: Value,
    matches: Value,
    depends_on: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    effects: Vec<Value>,
    rules: Vec<RuleOutput<'a>>,
}

/// Returns the trace as JSON.
pub(super) fn to_json(trace: &ZoneTrace, notes: &[String]) -> String {
    let terminating_rules = trace.terminating_rules.iter().map(|rule| {
        json!({"pointer": rule.pointer, "name": rule.name, "description": rule.description,
            "terminates": truth(rule.terminates), "depends_on": rule.depends_on})
    });
    let phases = trace.phases.iter().map(|phase| {
        json!({"phase": phase.phase.name(), "title": phase.title, "pointer": phase.pointer, "name": phase.name,
            "rules": phase.rules.iter().map(rule_output).collect::<Vec<_>>()})
    });
    to_pretty_json(&json!({
        "reaches_origin": truth(trace.reaches_origin),
        "terminating_rules": terminating_rules.collect::<Vec<_>>(),
        "phases": phases.collect::<Vec<_>>(),
        "notes": notes,
    }))
}

fn rule_output(rule: &RuleTrace) -> RuleOutput<'_> {
    RuleOutput {
        pointer: &rule.pointer,
        name: &rule.name,
        action: rule.action,
        expression: &rule.expression,
        enabled: rule.is_enabled,
        reached: truth(rule.reached),
        matches: truth(rule.matches),
        depends_on: &rule.depends_on,
        error: rule.error.as_deref(),
        effects: rule.effects.iter().map(effect_output).collect(),
        rules: rule.executed.iter().map(rule_output).collect(),
    }
}

fn effect_output(effect: &Effect) -> Value {
    match effect {
        Effect::Termination { description, terminates } => {
            json!({"kind": "terminate", "description": description, "terminates": truth(*terminates)})
        }
        Effect::Rewrite { field, before, after } => {
            let mut members =
                Map::from_iter([("kind".to_owned(), json!("rewrite")), ("field".to_owned(), json!(field))]);
            for (name, value) in [("before", before), ("after", after)] {
                match value {
                    PartValue::Set(text) => members.insert(name.to_owned(), json!(text)),
                    PartValue::Absent => members.insert(name.to_owned(), Value::Null),
                    PartValue::Unknown => None,
                };
            }
            Value::Object(members)
        }
        Effect::Other(description) => json!({"kind": "other", "description": description}),
    }
}

fn truth(value: Ternary) -> Value {
    match value {
        Ternary::True => json!(true),
        Ternary::False => json!(false),
        Ternary::Unknown => json!("unknown"),
    }
}
