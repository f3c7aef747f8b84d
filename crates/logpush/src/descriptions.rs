//! Describes the parts of a filter for completions and hovers.

use crate::{FieldType, Operator, explain::words::field_phrase};

/// Returns the purpose of a member of a filter.
pub(crate) fn describe_member(name: &str) -> Option<&'static str> {
    Some(match name {
        "where" => "the condition that a line has to meet to be sent",
        "and" => "all of these conditions hold",
        "or" => "at least one of these conditions holds",
        "key" => "the field that is compared, of the job's dataset",
        "operator" => "how it is compared",
        "value" => "what it is compared with; a list for `in` and `!in`",
        _ => return None,
    })
}

/// Returns the description of an operator for fields of this type.
pub(crate) fn describe_operator(operator: Operator, ty: Option<FieldType>) -> &'static str {
    let is_list = matches!(ty, Some(FieldType::Strings | FieldType::Ints));
    match operator {
        Operator::Equal => "is the same; capitals matter",
        Operator::NotEqual => "is not the same; capitals matter",
        Operator::Less => "is less than the number",
        Operator::LessOrEqual => "is at most the number",
        Operator::Greater => "is more than the number",
        Operator::GreaterOrEqual => "is at least the number",
        Operator::StartsWith => "begins with the text",
        Operator::NotStartsWith => "does not begin with the text",
        Operator::EndsWith => "ends with the text",
        Operator::NotEndsWith => "does not end with the text",
        Operator::Contains if is_list => "has the value among its elements",
        Operator::NotContains if is_list => "does not have the value among its elements",
        Operator::Contains => "has the text somewhere in it",
        Operator::NotContains => "does not have the text anywhere in it",
        Operator::In => "is one of the list",
        Operator::NotIn => "is none of the list",
    }
}

/// Returns the name of a field as words: `client request host`.
pub(crate) fn field_title(name: &str) -> String {
    let noun = field_phrase(name);
    noun.strip_prefix("the ").unwrap_or(&noun).to_owned()
}
