//! Defines schemas of JSON values as data, and validates values against them. Most actions need nothing else for their
//! parameters.
//!
//! Start with [`ObjectSchema`] and [`read_object`].

use super::RulesetContext;
use super::validation::{MAX_ERRORS, check_expression, invalid_value, rule_error, stop_at_error_limit};
use serde_json::{Map, Value};
use zonewright_api::{
    ObjectReader, ValidationError, check_no_nul, describe_value, escape_pointer_segment, join_alternatives,
    parse_integer, prefix_pointers,
};
use zonewright_expression::Kind;

/// The schema of a value.
pub(super) enum ValueSchema {
    /// A Boolean.
    Flag,
    /// The value `true` only.
    True,
    /// A string with a minimum and a maximum length in characters.
    Text(usize, usize),
    /// An integer in an inclusive range.
    Integer(i64, i64),
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// One of these integers.
    OneOfNumbers(&'static [i64]),
    /// An array with a minimum and a maximum number of items.
    List(&'static ValueSchema, usize, usize),
    /// An object with arbitrary member names, and a maximum number of members.
    Map(&'static ValueSchema, usize),
    /// An object with known members.
    Object(&'static ObjectSchema),
    /// A value expression.
    Expression,
    /// A counting expression, which may read the response.
    CountingExpression,
}

/// The schema of an object with known members.
pub(super) struct ObjectSchema {
    /// The name of the object in messages.
    pub(super) noun: &'static str,
    /// The members.
    pub(super) members: &'static [MemberSchema],
    /// The constraints between members.
    pub(super) constraints: &'static [Constraint],
}

/// The name and the schema of a member.
pub(super) struct MemberSchema(pub(super) &'static str, pub(super) ValueSchema);

/// A constraint between members of an object.
pub(super) enum Constraint {
    /// The member is required.
    Required(&'static str),
    /// At least one member is required.
    AtLeastOne,
    /// Exactly one of these members is required.
    ExactlyOne(&'static [&'static str]),
    /// Exactly one of these members is required, unless the first member has this value.
    ExactlyOneUnless(&'static str, &'static str, &'static [&'static str]),
    /// If the first member has this value, the second member is required.
    RequiredIf(&'static str, &'static str, &'static str),
    /// If the first member has this value, none of these members is allowed.
    ForbiddenIf(&'static str, &'static str, &'static [&'static str]),
    /// If the first member exists, the second member is required.
    RequiredWith(&'static str, &'static str),
}

/// Reads an object and drops null members. The time is linear in the size of the value.
pub(super) fn read_object(
    value: &Value,
    object: &ObjectSchema,
    context: &RulesetContext<'_>,
) -> Result<Map<String, Value>, Vec<ValidationError>> {
    let known: Vec<&str> = object.members.iter().map(|MemberSchema(name, _)| *name).collect();
    let mut members = ObjectReader::new(value, object.noun, &known, &[])?;
    let mut values = Map::new();
    for MemberSchema(name, schema) in object.members {
        let Some(value) = members.get(name) else { continue };
        let pointer = format!("/{name}");
        if stop_at_error_limit(&mut members.errors, &pointer) {
            break;
        }
        values.extend(
            read_value(value, schema, &pointer, name, context, &mut members.errors)
                .map(|value| ((*name).to_owned(), value)),
        );
    }
    for constraint in object.constraints {
        check_constraint(&mut members, constraint, object, &known);
    }
    if members.errors.is_empty() { Ok(values) } else { Err(members.errors) }
}

fn check_constraint(members: &mut ObjectReader, constraint: &Constraint, object: &ObjectSchema, known: &[&str]) {
    let has_value =
        |members: &ObjectReader, name: &str, value: &str| members.get(name).and_then(Value::as_str) == Some(value);
    match constraint {
        Constraint::Required(name) => {
            members.required(name);
        }
        Constraint::AtLeastOne if members.errors.is_empty() && known.iter().all(|name| members.get(name).is_none()) => {
            let message = format!("{} must have at least one of {}", object.noun, join_alternatives(known));
            members.errors.push(ValidationError::invalid_shape("", message));
        }
        Constraint::ExactlyOne(names) => check_exactly_one(members, names, object),
        Constraint::ExactlyOneUnless(name, value, names) if !has_value(members, name, value) => {
            check_exactly_one(members, names, object)
        }
        Constraint::RequiredIf(name, value, needed)
            if has_value(members, name, value) && members.get(needed).is_none() =>
        {
            let message = format!("`{needed}` is missing; it is required if `{name}` is `{value}`");
            members.errors.push(ValidationError::invalid_shape(format!("/{needed}"), message));
        }
        Constraint::ForbiddenIf(name, value, others) if has_value(members, name, value) => {
            for other in *others {
                if members.get(other).is_some() {
                    let message = format!("`{other}` is not allowed if `{name}` is `{value}`");
                    members.errors.push(rule_error(format!("/{other}"), message));
                }
            }
        }
        Constraint::RequiredWith(name, needed) if members.get(name).is_some() && members.get(needed).is_none() => {
            let message = format!("`{needed}` is missing; `{name}` requires it");
            members.errors.push(ValidationError::invalid_shape(format!("/{needed}"), message));
        }
        _ => {}
    }
}

fn check_exactly_one(members: &mut ObjectReader, names: &[&str], object: &ObjectSchema) {
    let present: Vec<&str> = names.iter().copied().filter(|name| members.get(name).is_some()).collect();
    match present.as_slice() {
        [_] => {}
        [] => {
            let message = format!("{} must have one of {}", object.noun, join_alternatives(names));
            members.errors.push(ValidationError::invalid_shape("", message));
        }
        [first, other, ..] => {
            members
                .errors
                .push(rule_error(format!("/{other}"), format!("`{other}` cannot be combined with `{first}`")));
        }
    }
}

/// Reads a value of any schema. If the value is invalid, adds errors and returns `None`.
fn read_value(
    value: &Value,
    schema: &ValueSchema,
    pointer: &str,
    name: &str,
    context: &RulesetContext<'_>,
    errors: &mut Vec<ValidationError>,
) -> Option<Value> {
    let mut reject = |expected: &str| {
        let message = format!("`{name}` must be {expected}, not {}", describe_value(value));
        errors.push(ValidationError::invalid_shape(pointer, message));
        None
    };
    match (schema, value) {
        (ValueSchema::Flag, Value::Bool(_)) | (ValueSchema::True, Value::Bool(true)) => Some(value.clone()),
        (ValueSchema::Flag, _) => reject("true or false"),
        (ValueSchema::True, _) => reject("true"),
        (ValueSchema::Integer(min, max), Value::Number(number)) => {
            let integer = parse_integer(value).filter(|number| (*min..=*max).contains(number));
            if integer.is_none() {
                let reason = format!("it must be an integer from {min} to {max}");
                errors.push(invalid_value(pointer, name, &number.to_string(), reason));
            }
            integer.map(Value::from)
        }
        (ValueSchema::OneOfNumbers(numbers), Value::Number(number)) => {
            let integer = parse_integer(value).filter(|number| numbers.contains(number));
            if integer.is_none() {
                let names: Vec<String> = numbers.iter().map(i64::to_string).collect();
                let reason = format!("it must be one of {}", names.join(", "));
                errors.push(invalid_value(pointer, name, &number.to_string(), reason));
            }
            integer.map(Value::from)
        }
        (ValueSchema::Integer(..) | ValueSchema::OneOfNumbers(_), _) => reject("an integer"),
        (
            ValueSchema::Text(..) | ValueSchema::OneOf(_) | ValueSchema::Expression | ValueSchema::CountingExpression,
            Value::String(text),
        ) => {
            let text_errors = check_string(text, schema, pointer, name, context);
            let is_valid = text_errors.is_empty();
            errors.extend(text_errors);
            is_valid.then(|| value.clone())
        }
        (
            ValueSchema::Text(..) | ValueSchema::OneOf(_) | ValueSchema::Expression | ValueSchema::CountingExpression,
            _,
        ) => reject("a string"),
        (ValueSchema::List(schema, min, max), Value::Array(items)) => {
            read_array(items, schema, (*min, *max), pointer, name, context, errors)
        }
        (ValueSchema::List(..), _) => reject("an array"),
        (ValueSchema::Map(schema, max), Value::Object(items)) => {
            read_map(items, schema, *max, pointer, name, context, errors)
        }
        (ValueSchema::Map(..), _) => reject("an object"),
        (ValueSchema::Object(schema), _) => match read_object(value, schema, context) {
            Ok(values) => Some(Value::Object(values)),
            Err(found) => {
                errors.extend(prefix_pointers(pointer, found));
                None
            }
        },
    }
}

fn check_string(
    text: &str,
    schema: &ValueSchema,
    pointer: &str,
    name: &str,
    context: &RulesetContext<'_>,
) -> Vec<ValidationError> {
    let reason = match schema {
        ValueSchema::Expression => return check_expression(pointer, name, text, Kind::Value, context),
        ValueSchema::CountingExpression => return check_expression(pointer, name, text, Kind::Counting, context),
        ValueSchema::OneOf(names) if names.contains(&text) => return Vec::new(),
        ValueSchema::OneOf(names) => format!("it must be one of {}", join_alternatives(names)),
        ValueSchema::Text(min, max) => {
            let length = text.chars().count();
            let nul_error =
                check_no_nul(name, text).map(|error| ValidationError { pointer: pointer.to_owned(), ..error });
            if (*min..=*max).contains(&length) {
                return nul_error.into_iter().collect();
            }
            let bound = if length < *min { format!("at least {min}") } else { format!("at most {max}") };
            format!("it has {length} characters; {bound} are allowed")
        }
        _ => return Vec::new(),
    };
    vec![invalid_value(pointer, name, text, reason)]
}

fn read_array(
    items: &[Value],
    schema: &ValueSchema,
    (min, max): (usize, usize),
    pointer: &str,
    name: &str,
    context: &RulesetContext<'_>,
    errors: &mut Vec<ValidationError>,
) -> Option<Value> {
    if items.len() < min || items.len() > max {
        let message = format!("`{name}` has {} items; {min} to {max} are allowed", items.len());
        errors.push(rule_error(pointer, message));
        return None;
    }
    let mut values = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let pointer = format!("{pointer}/{index}");
        if errors.len() < MAX_ERRORS || !stop_at_error_limit(errors, &pointer) {
            values.extend(read_value(item, schema, &pointer, name, context, errors));
        } else {
            break;
        }
    }
    (values.len() == items.len()).then_some(Value::Array(values))
}

fn read_map(
    items: &Map<String, Value>,
    schema: &ValueSchema,
    max: usize,
    pointer: &str,
    name: &str,
    context: &RulesetContext<'_>,
    errors: &mut Vec<ValidationError>,
) -> Option<Value> {
    let present: Vec<(&String, &Value)> = items.iter().filter(|(_, value)| !value.is_null()).collect();
    if present.is_empty() || present.len() > max {
        let message = format!("`{name}` has {} members; 1 to {max} are allowed", present.len());
        errors.push(rule_error(pointer, message));
        return None;
    }
    let mut values = Map::new();
    for (key, value) in &present {
        let pointer = format!("{pointer}/{}", escape_pointer_segment(key));
        if stop_at_error_limit(errors, &pointer) {
            break;
        }
        let length = key.chars().count();
        if !(1..=256).contains(&length) || key.chars().any(char::is_control) {
            errors.push(rule_error(pointer, format!("a name in `{name}` must be 1 to 256 visible characters")));
            continue;
        }
        values.extend(read_value(value, schema, &pointer, name, context, errors).map(|value| ((*key).clone(), value)));
    }
    (values.len() == present.len()).then_some(Value::Object(values))
}
