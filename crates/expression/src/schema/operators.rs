//! The operators, in words.

use crate::ast::{ComparisonOperator, LogicalOperator};

/// An operator as people are told about it.
#[derive(Debug)]
pub struct Operator {
    /// The word for it.
    pub name: &'static str,
    /// The other way to write it, when there is one.
    pub symbol: Option<&'static str>,
    /// What it says, to be read behind a value: `is the same as`.
    pub doc: &'static str,
    /// What else there is to know: sentences of their own, on missing values, patterns and limits.
    pub more: &'static [&'static str],
    /// What else there is to know where texts are compared.
    pub of_text: Option<&'static str>,
    /// What else there is to know where addresses are compared.
    pub of_addresses: Option<&'static str>,
}

const fn operator(
    name: &'static str,
    symbol: Option<&'static str>,
    doc: &'static str,
    more: &'static [&'static str],
) -> Operator {
    Operator { name, symbol, doc, more, of_text: None, of_addresses: None }
}

impl Operator {
    const fn exact(self) -> Operator {
        Operator { of_text: Some(EXACT), ..self }
    }

    const fn ordering(self) -> Operator {
        Operator { of_text: Some(BYTE_ORDER), of_addresses: Some(ADDRESS_ORDER), ..self }
    }
}

const EXACT: &str = "Capitals matter: put `lower(…)` around the left side to take no notice of them.";
const BYTE_ORDER: &str = "Strings are ordered byte by byte, so capitals come before small letters.";
const ADDRESS_ORDER: &str = "An order of addresses is not in the public documentation.";
const MISSING: &str = "A value that is missing makes it false.";

/// The comparison operators.
pub static OPERATORS: &[Operator] = &[
    operator("eq", Some("=="), "is the same as", &[MISSING]).exact(),
    operator(
        "ne",
        Some("!="),
        "is not the same as",
        &["A value that is missing makes this false too: `not … eq …` also takes in what is missing."],
    )
    .exact(),
    operator("lt", Some("<"), "is less than", &[MISSING]).ordering(),
    operator("le", Some("<="), "is at most", &[MISSING]).ordering(),
    operator("gt", Some(">"), "is greater than", &[MISSING]).ordering(),
    operator("ge", Some(">="), "is at least", &[MISSING]).ordering(),
    operator(
        "contains",
        None,
        "has this text somewhere in it",
        &[MISSING, "For a text at one end there are `starts_with(…)` and `ends_with(…)`."],
    )
    .exact(),
    operator(
        "matches",
        Some("~"),
        "has a match of this regular expression",
        &[
            "The match may be anywhere in the text: `^` and `$` tie it to the ends.",
            "Capitals matter, unless the pattern begins with `(?i)`.",
            "It needs Business.",
        ],
    ),
    operator(
        "wildcard",
        None,
        "is, in any letter case, like this pattern with `*`",
        &[
            "`*` stands for any text, the empty one too; the pattern covers the whole value.",
            "Capitals do not matter. `\\*` is a star, `\\\\` a backslash.",
        ],
    ),
    operator(
        "strict wildcard",
        None,
        "is like this pattern with `*`",
        &[
            "`*` stands for any text, the empty one too; the pattern covers the whole value.",
            "Capitals matter. `\\*` is a star, `\\\\` a backslash.",
        ],
    ),
    operator(
        "in",
        None,
        "is one of several values",
        &[
            "The values stand in braces with blanks between them, or in a list: `{80 443}`, `$name`.",
            "Numbers and addresses may be ranges (`1..10`), addresses networks too (`10.0.0.0/8`).",
            "There is no `not in`: the `not` stands before the left side.",
        ],
    )
    .exact(),
    operator(
        "bitwise_and",
        Some("&"),
        "has at least one of these bits set",
        &["It is not in the public documentation."],
    ),
];

/// The logical operators and `not`, from the tightest to the loosest.
pub static LOGICAL: &[Operator] = &[
    operator(
        "not",
        Some("!"),
        "the condition behind it does not hold",
        &["It binds tighter than `and`: `not a and b` is `(not a) and b`."],
    ),
    operator("and", Some("&&"), "both conditions hold", &["It binds tighter than `xor` and `or`."]),
    operator("xor", Some("^^"), "exactly one of two conditions holds", &["It binds tighter than `or`."]),
    operator("or", Some("||"), "at least one of the conditions holds", &["It binds loosest of all."]),
];

impl ComparisonOperator {
    /// The operator in words.
    pub fn described(self) -> Option<&'static Operator> {
        OPERATORS.iter().find(|operator| operator.name == self.word())
    }
}

impl LogicalOperator {
    /// The operator in words.
    pub fn described(self) -> Option<&'static Operator> {
        LOGICAL.iter().find(|operator| operator.name == self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_is_described() {
        use ComparisonOperator::*;
        let all = [
            Equal,
            NotEqual,
            Less,
            LessOrEqual,
            Greater,
            GreaterOrEqual,
            Contains,
            Matches,
            Wildcard,
            StrictWildcard,
            In,
            BitwiseAnd,
        ];
        assert!(all.iter().all(|operator| operator.described().is_some()));
        assert_eq!(all.len(), OPERATORS.len());
        let logical = [LogicalOperator::And, LogicalOperator::Or, LogicalOperator::Xor];
        assert!(logical.iter().all(|operator| operator.described().is_some()));
        for operator in OPERATORS.iter().chain(LOGICAL) {
            assert!(
                !operator.doc.ends_with('.') && operator.more.iter().all(|line| line.ends_with('.')),
                "{}",
                operator.name
            );
        }
    }
}
