//! The operators with their descriptions.

use crate::ast::{ComparisonOperator, LogicalOperator};

/// The description of an operator.
#[derive(Debug)]
pub struct Operator {
    /// The operator as a word.
    pub name: &'static str,
    /// The operator as a symbol, if it has one.
    pub symbol: Option<&'static str>,
    /// For a comparison operator, a phrase that follows a value: `is equal to`. For a logical operator, a statement
    /// about its conditions.
    pub doc: &'static str,
    /// Additional sentences, on missing values, patterns and limits.
    pub notes: &'static [&'static str],
    /// An additional sentence for comparisons of texts.
    pub text_note: Option<&'static str>,
    /// An additional sentence for comparisons of addresses.
    pub address_note: Option<&'static str>,
}

const fn operator(
    name: &'static str,
    symbol: Option<&'static str>,
    doc: &'static str,
    notes: &'static [&'static str],
) -> Operator {
    Operator { name, symbol, doc, notes, text_note: None, address_note: None }
}

impl Operator {
    const fn with_case_note(self) -> Operator {
        Operator { text_note: Some(CASE_NOTE), ..self }
    }

    const fn with_order_notes(self) -> Operator {
        Operator { text_note: Some(STRING_ORDER_NOTE), address_note: Some(IP_ORDER_NOTE), ..self }
    }
}

const CASE_NOTE: &str = "Case-sensitive. To ignore case, use `lower(…)` on the left side.";
const STRING_ORDER_NOTE: &str = "Strings are ordered byte by byte, so uppercase letters come before lowercase letters.";
const IP_ORDER_NOTE: &str = "The order of IP addresses is undocumented.";
const MISSING_NOTE: &str = "False if the value is missing.";

static EQUAL: Operator =
    operator(ComparisonOperator::Equal.word(), Some("=="), "is equal to", &[MISSING_NOTE]).with_case_note();
static NOT_EQUAL: Operator = operator(
    ComparisonOperator::NotEqual.word(),
    Some("!="),
    "is not equal to",
    &["False if the value is missing; `not … eq …` also matches missing values."],
)
.with_case_note();
static LESS: Operator =
    operator(ComparisonOperator::Less.word(), Some("<"), "is less than", &[MISSING_NOTE]).with_order_notes();
static LESS_OR_EQUAL: Operator =
    operator(ComparisonOperator::LessOrEqual.word(), Some("<="), "is at most", &[MISSING_NOTE]).with_order_notes();
static GREATER: Operator =
    operator(ComparisonOperator::Greater.word(), Some(">"), "is greater than", &[MISSING_NOTE]).with_order_notes();
static GREATER_OR_EQUAL: Operator =
    operator(ComparisonOperator::GreaterOrEqual.word(), Some(">="), "is at least", &[MISSING_NOTE]).with_order_notes();
static CONTAINS: Operator = operator(
    ComparisonOperator::Contains.word(),
    None,
    "contains this text",
    &[MISSING_NOTE, "To match at the start or the end, use `starts_with(…)` or `ends_with(…)`."],
)
.with_case_note();
static MATCHES: Operator = operator(
    ComparisonOperator::Matches.word(),
    Some("~"),
    "matches this regular expression",
    &[
        "Matches anywhere in the text; `^` and `$` anchor the match.",
        "Case-sensitive unless the pattern starts with `(?i)`.",
        "Requires the Business plan.",
    ],
);
static WILDCARD: Operator = operator(
    ComparisonOperator::Wildcard.word(),
    None,
    "matches this wildcard pattern, ignoring case",
    &[
        "`*` matches any text, including none; the pattern must match the whole value.",
        "Case-insensitive. `\\*` is a literal star, `\\\\` a literal backslash.",
    ],
);
static STRICT_WILDCARD: Operator = operator(
    ComparisonOperator::StrictWildcard.word(),
    None,
    "matches this wildcard pattern",
    &[
        "`*` matches any text, including none; the pattern must match the whole value.",
        "Case-sensitive. `\\*` is a literal star, `\\\\` a literal backslash.",
    ],
);
static IN: Operator = operator(
    ComparisonOperator::In.word(),
    None,
    "is one of several values",
    &[
        "Write the values in braces, separated by spaces, or use a list: `{80 443}`, `$name`.",
        "Numbers and addresses can be ranges (`1..10`), and addresses can be networks (`10.0.0.0/8`).",
        "There is no `not in`: put `not` before the left side.",
    ],
)
.with_case_note();
static BITWISE_AND: Operator = operator(
    ComparisonOperator::BitwiseAnd.word(),
    Some("&"),
    "has at least one of these bits set",
    &["Undocumented."],
);

/// The comparison operators.
pub static COMPARISON_OPERATORS: [&Operator; 12] = [
    &EQUAL,
    &NOT_EQUAL,
    &LESS,
    &LESS_OR_EQUAL,
    &GREATER,
    &GREATER_OR_EQUAL,
    &CONTAINS,
    &MATCHES,
    &WILDCARD,
    &STRICT_WILDCARD,
    &IN,
    &BITWISE_AND,
];

/// `not`.
pub static NOT: Operator = operator(
    "not",
    Some("!"),
    "the following condition is false",
    &["It binds tighter than `and`: `not a and b` is `(not a) and b`."],
);
static AND: Operator = operator(
    LogicalOperator::And.word(),
    Some("&&"),
    "both conditions are true",
    &["It binds tighter than `xor` and `or`."],
);
static XOR: Operator = operator(
    LogicalOperator::Xor.word(),
    Some("^^"),
    "exactly one of the two conditions is true",
    &["It binds tighter than `or`."],
);
static OR: Operator = operator(
    LogicalOperator::Or.word(),
    Some("||"),
    "at least one of the conditions is true",
    &["It has the lowest precedence."],
);

/// The logical operators and `not`, in descending order of precedence.
pub static LOGICAL_OPERATORS: [&Operator; 4] = [&NOT, &AND, &XOR, &OR];

impl ComparisonOperator {
    /// Returns the description of the operator.
    pub fn description(self) -> &'static Operator {
        match self {
            ComparisonOperator::Equal => &EQUAL,
            ComparisonOperator::NotEqual => &NOT_EQUAL,
            ComparisonOperator::Less => &LESS,
            ComparisonOperator::LessOrEqual => &LESS_OR_EQUAL,
            ComparisonOperator::Greater => &GREATER,
            ComparisonOperator::GreaterOrEqual => &GREATER_OR_EQUAL,
            ComparisonOperator::Contains => &CONTAINS,
            ComparisonOperator::Matches => &MATCHES,
            ComparisonOperator::Wildcard => &WILDCARD,
            ComparisonOperator::StrictWildcard => &STRICT_WILDCARD,
            ComparisonOperator::In => &IN,
            ComparisonOperator::BitwiseAnd => &BITWISE_AND,
        }
    }

    /// Returns the operator as a word.
    pub const fn word(self) -> &'static str {
        match self {
            ComparisonOperator::Equal => "eq",
            ComparisonOperator::NotEqual => "ne",
            ComparisonOperator::Less => "lt",
            ComparisonOperator::LessOrEqual => "le",
            ComparisonOperator::Greater => "gt",
            ComparisonOperator::GreaterOrEqual => "ge",
            ComparisonOperator::Contains => "contains",
            ComparisonOperator::Matches => "matches",
            ComparisonOperator::Wildcard => "wildcard",
            ComparisonOperator::StrictWildcard => "strict wildcard",
            ComparisonOperator::In => "in",
            ComparisonOperator::BitwiseAnd => "bitwise_and",
        }
    }
}

impl LogicalOperator {
    /// Returns the description of the operator.
    pub fn description(self) -> &'static Operator {
        match self {
            LogicalOperator::Or => &OR,
            LogicalOperator::Xor => &XOR,
            LogicalOperator::And => &AND,
        }
    }

    /// Returns the operator as a word.
    pub const fn word(self) -> &'static str {
        match self {
            LogicalOperator::Or => "or",
            LogicalOperator::Xor => "xor",
            LogicalOperator::And => "and",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_fragments_and_notes_are_sentences() {
        for operator in COMPARISON_OPERATORS.into_iter().chain(LOGICAL_OPERATORS) {
            let are_sentences = operator.notes.iter().all(|line| line.ends_with('.'));
            assert!(!operator.doc.ends_with('.') && are_sentences, "{}", operator.name);
        }
    }
}
