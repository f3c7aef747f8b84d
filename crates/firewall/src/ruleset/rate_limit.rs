//! Validates the member `ratelimit` of rules (documented; ranges: assumption ruleset-ranges).
//!
//! Start with [`read`].

use super::RulesetContext;
use super::validation::{check_expression, invalid_value};
use super::value_schema::{Constraint, MemberSchema, ObjectSchema, ValueSchema, read_object};
use ValueSchema::{CountingExpression, Flag, Integer, List, Text};
use serde_json::Value;
use zonewright_api::ruleset::RateLimit;
use zonewright_api::{ValidationError, join_names};
use zonewright_diagnostic::Diagnostic;
use zonewright_expression::{Kind, Options, check};

/// The longest period in seconds: one day.
const DAY_SECONDS: i64 = 86_400;

static RATE_LIMIT_SCHEMA: ObjectSchema = ObjectSchema {
    noun: "`ratelimit`",
    members: &[
        MemberSchema("characteristics", List(&Text(1, 4_096), 1, 20)),
        MemberSchema("period", Integer(10, DAY_SECONDS)),
        MemberSchema("requests_per_period", Integer(1, 1_000_000_000)),
        MemberSchema("score_per_period", Integer(1, 1_000_000_000)),
        MemberSchema("score_response_header_name", Text(1, 256)),
        MemberSchema("mitigation_timeout", Integer(0, DAY_SECONDS)),
        MemberSchema("counting_expression", CountingExpression),
        MemberSchema("requests_to_origin", Flag),
    ],
    constraints: &[
        Constraint::Required("characteristics"),
        Constraint::Required("period"),
        Constraint::ExactlyOne(&["requests_per_period", "score_per_period"]),
        Constraint::RequiredWith("score_per_period", "score_response_header_name"),
        Constraint::RequiredWith("score_response_header_name", "score_per_period"),
    ],
};

/// The characteristics that are not fields.
const SPECIAL_CHARACTERISTICS: [&str; 2] = ["cf.colo.id", "cf.unique_visitor_id"];

/// Reads the member `ratelimit` of a rule.
pub(super) fn read(value: &Value, context: &RulesetContext<'_>) -> Result<RateLimit, Vec<ValidationError>> {
    // An empty counting expression counts as missing.
    let mut value = value.clone();
    if let Some(members) = value.as_object_mut()
        && members.get("counting_expression").and_then(Value::as_str) == Some("")
    {
        members.remove("counting_expression");
    }
    let limit_members = read_object(&value, &RATE_LIMIT_SCHEMA, context)?;
    let limit: RateLimit = serde_json::from_value(Value::Object(limit_members))
        .map_err(|error| vec![ValidationError::invalid_shape("", error.to_string())])?;
    let mut errors = Vec::new();
    for (index, name) in limit.characteristics.iter().enumerate() {
        let pointer = format!("/characteristics/{index}");
        if limit.characteristics.iter().take(index).any(|earlier| earlier == name) {
            errors.push(invalid_value(pointer, "characteristics", name, "it is already in the list"));
        } else if !SPECIAL_CHARACTERISTICS.contains(&name.as_str()) && !is_value_or_array(name, context) {
            // Reports the errors of the name itself and not of `name[0]`, because clients rarely mean an array.
            let name_errors = check_expression(&pointer, "characteristics", name, Kind::Value, context);
            let hint = format!("; in addition to fields, you can use {}", join_names(&SPECIAL_CHARACTERISTICS));
            errors.extend(name_errors.into_iter().take(1).map(|mut error| {
                error.message.push_str(&hint);
                error
            }));
        }
    }
    if errors.is_empty() { Ok(limit) } else { Err(errors) }
}

/// Returns whether the name is a value expression, or an array of values, such as the values of one header.
fn is_value_or_array(name: &str, context: &RulesetContext<'_>) -> bool {
    let options =
        Options { kind: Kind::Value, phase: Some(context.phase), plan: Some(context.tier), ..Options::default() };
    let is_valid = |text: &str| !check(text, &options).diagnostics.iter().any(Diagnostic::is_error);
    is_valid(name) || is_valid(&format!("{name}[0]"))
}
