//! Describes the parts of a filter for completions and hovers.

use crate::{
    FieldType, Operator,
    explain::field_names::field_phrase,
    member_name::{ConditionMember, GroupName, MemberName},
};

/// Returns the purpose of a member of a filter.
pub(crate) fn describe_member(name: MemberName) -> &'static str {
    match name {
        MemberName::Group(GroupName::Where) => "the condition that a line must match to be sent",
        MemberName::Group(GroupName::And) => "all of these conditions must match",
        MemberName::Group(GroupName::Or) => "at least one of these conditions must match",
        MemberName::Condition(ConditionMember::Key) => "the field to compare, from the job's dataset",
        MemberName::Condition(ConditionMember::Operator) => "the comparison operator",
        MemberName::Condition(ConditionMember::Value) => "the value to compare with; a list for `in` and `!in`",
    }
}

/// Returns the description of an operator for fields of this type.
pub(crate) fn describe_operator(operator: Operator, ty: Option<FieldType>) -> &'static str {
    let is_list = matches!(ty, Some(FieldType::Strings | FieldType::Ints));
    match operator {
        Operator::Equal => "equals the value (strings are case-sensitive)",
        Operator::NotEqual => "does not equal the value (strings are case-sensitive)",
        Operator::Less => "is less than the number",
        Operator::LessOrEqual => "is at most the number",
        Operator::Greater => "is greater than the number",
        Operator::GreaterOrEqual => "is at least the number",
        Operator::StartsWith => "starts with the string",
        Operator::NotStartsWith => "does not start with the string",
        Operator::EndsWith => "ends with the string",
        Operator::NotEndsWith => "does not end with the string",
        Operator::Contains if is_list => "contains the value as an element",
        Operator::NotContains if is_list => "does not contain the value as an element",
        Operator::Contains => "contains the string",
        Operator::NotContains => "does not contain the string",
        Operator::In => "is in the list",
        Operator::NotIn => "is not in the list",
    }
}

/// Returns the name of a field as words: `client request host`.
pub(crate) fn field_title(name: &str) -> String {
    let noun = field_phrase(name);
    noun.strip_prefix("the ").unwrap_or(&noun).to_owned()
}
