//! Parses the spellings of comparison operators.

use crate::ast::ComparisonOperator;

/// Returns the operator with this spelling.
pub(super) fn parse_operator(text: &str) -> Option<ComparisonOperator> {
    use ComparisonOperator as Op;
    Some(match text {
        "eq" | "==" => Op::Equal,
        "ne" | "!=" => Op::NotEqual,
        "lt" | "<" => Op::Less,
        "le" | "<=" => Op::LessOrEqual,
        "gt" | ">" => Op::Greater,
        "ge" | ">=" => Op::GreaterOrEqual,
        "contains" => Op::Contains,
        "matches" | "~" => Op::Matches,
        "wildcard" => Op::Wildcard,
        "strict wildcard" => Op::StrictWildcard,
        "in" => Op::In,
        "&" | "bitwise_and" => Op::BitwiseAnd,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::COMPARISON_OPERATORS;

    #[test]
    fn operator_spellings_match_the_schema() {
        for row in COMPARISON_OPERATORS {
            for spelling in row.symbol.into_iter().chain([row.name]) {
                assert_eq!(parse_operator(spelling).map(ComparisonOperator::word), Some(row.name), "{spelling}");
            }
        }
    }
}
