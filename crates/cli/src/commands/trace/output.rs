//! The output of a trace, as text and as JSON.

use crate::json::to_pretty_json;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Write;
use zonewright_diagnostic::pluralize;
use zonewright_expression::Ternary;
use zonewright_trace::{Effect, Ending, RuleTrace, ZoneTrace};

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
    let details = match (rule.is_enabled, rule.reached) {
        (false, _) => Some("disabled".to_owned()),
        (true, Ternary::False) => Some("not reached".to_owned()),
        (true, Ternary::True) => None,
        (true, Ternary::Unknown) => Some("may not be reached".to_owned()),
    };
    let is_evaluated = rule.is_enabled && rule.reached != Ternary::False;
    let needs = (is_evaluated && !rule.needs.is_empty()).then(|| format!("depends on {}", rule.needs.join(", ")));
    let error = rule.error.as_ref().map(|error| format!("error: {error}"));
    for detail in details.into_iter().chain(error).chain(needs) {
        let _ = writeln!(text, "{indent}    {detail}");
    }
    for effect in &rule.effects {
        let _ = writeln!(text, "{indent}    {}", describe_effect(effect));
    }
    for executed in &rule.executed {
        write_rule(text, executed, &format!("{indent}    "));
    }
}

/// Returns the mark of a rule: `+` if it acts, `-` if it does not, and `?` if it may.
fn mark(rule: &RuleTrace) -> char {
    match rule.acts() {
        Ternary::True => '+',
        Ternary::False => '-',
        Ternary::Unknown => '?',
    }
}

fn describe_effect(effect: &Effect) -> String {
    match effect {
        Effect::Ends { response, certainty: Ternary::True } => format!("ends the request: {response}"),
        Effect::Ends { response, .. } => format!("may end the request: {response}"),
        Effect::Changes { field, before, after, is_unknown } => {
            let quote =
                |value: &Option<String>| value.as_ref().map_or_else(|| "none".to_owned(), |text| format!("\"{text}\""));
            let after = if *is_unknown { "unknown".to_owned() } else { quote(after) };
            format!("{field}: {} -> {after}", quote(before))
        }
        Effect::Does(statement) => statement.clone(),
    }
}

fn write_result(text: &mut String, trace: &ZoneTrace) {
    let describe = |ending: &Ending| {
        let name = if ending.name.is_empty() { &ending.pointer } else { &ending.name };
        format!("{}, by {}", ending.response, one_line(name))
    };
    let (certain, possible): (Vec<&Ending>, Vec<&Ending>) =
        trace.endings.iter().partition(|ending| ending.certainty == Ternary::True);
    let last = certain.first().map(|ending| describe(ending));
    match (&last, trace.reaches_origin) {
        (Some(last), _) if possible.is_empty() => {
            let _ = writeln!(text, "result: {last}");
        }
        (Some(last), _) => {
            let _ = writeln!(text, "result: {last}, unless an earlier rule ends the request");
        }
        (None, Ternary::True) => text.push_str("result: the request reaches the origin\n"),
        (None, Ternary::False) => {
            text.push_str("result: the request does not reach the origin; one of these rules ends it\n")
        }
        (None, Ternary::Unknown) => {
            let rules = pluralize(possible.len(), "rule");
            let _ = writeln!(text, "result: unknown; {rules} may end the request");
        }
    }
    for ending in possible {
        let needs =
            if ending.needs.is_empty() { String::new() } else { format!(" (depends on {})", ending.needs.join(", ")) };
        let _ = writeln!(text, "  possible: {}{needs}", describe(ending));
    }
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
    needs: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    effects: Vec<Value>,
    rules: Vec<RuleOutput<'a>>,
}

/// Returns the trace as JSON.
pub(super) fn to_json(trace: &ZoneTrace, notes: &[String]) -> String {
    let endings = trace.endings.iter().map(|ending| {
        json!({"pointer": ending.pointer, "name": ending.name, "response": ending.response,
            "certain": ending.certainty == Ternary::True, "needs": ending.needs})
    });
    let phases = trace.phases.iter().map(|phase| {
        json!({"phase": phase.phase.name(), "title": phase.title, "pointer": phase.pointer, "name": phase.name,
            "rules": phase.rules.iter().map(rule_output).collect::<Vec<_>>()})
    });
    to_pretty_json(&json!({
        "reaches_origin": truth(trace.reaches_origin),
        "endings": endings.collect::<Vec<_>>(),
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
        needs: &rule.needs,
        error: rule.error.as_deref(),
        effects: rule.effects.iter().map(effect_output).collect(),
        rules: rule.executed.iter().map(rule_output).collect(),
    }
}

fn effect_output(effect: &Effect) -> Value {
    match effect {
        Effect::Ends { response, certainty } => {
            json!({"kind": "ends", "text": response, "certain": *certainty == Ternary::True})
        }
        Effect::Changes { field, before, after, is_unknown } => {
            let after = if *is_unknown { json!({"unknown": true}) } else { json!(after) };
            json!({"kind": "changes", "field": field, "before": before, "after": after})
        }
        Effect::Does(statement) => json!({"kind": "does", "text": statement}),
    }
}

fn truth(value: Ternary) -> Value {
    match value {
        Ternary::True => json!(true),
        Ternary::False => json!(false),
        Ternary::Unknown => json!("unknown"),
    }
}
