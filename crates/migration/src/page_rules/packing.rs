//! Packs comparisons into expressions that are valid and not too long.
//!
//! Start with [`pack_expressions`].

use crate::limits::MAX_EXPRESSION_BYTES;
use crate::skip::rejection_reason;
use zonewright_expression::schema::Tier;

/// The reason why a page rule cannot become a rule.
pub(super) enum RuleError {
    TooLong,
    Rejected(String),
}

pub(super) const OR_SEPARATOR: &str = " or ";
/// The separator before exclusions. A pattern has no spaces, so an expression has this text only before exclusions.
pub(super) const AND_NOT_SEPARATOR: &str = " and not ";

/// Joins parts into as few expressions as possible, each with the positions of its page rules.
pub(super) fn pack_expressions(
    parts: Vec<(usize, String)>,
    tier: Tier,
) -> Result<Vec<(Vec<usize>, String)>, RuleError> {
    let mut joined: Vec<(Vec<usize>, Vec<String>)> = Vec::new();
    let mut length = 0;
    for (position, part) in parts {
        let part_length = part.len() + OR_SEPARATOR.len() + 2;
        length += part_length;
        match joined.last_mut().filter(|_| length <= MAX_EXPRESSION_BYTES) {
            Some((positions, parts)) => {
                parts.push(part);
                if positions.last() != Some(&position) {
                    positions.push(position);
                }
            }
            None => {
                joined.push((vec![position], vec![part]));
                length = part_length;
            }
        }
    }
    let wrap = |part: &String| if part.contains(AND_NOT_SEPARATOR) { format!("({part})") } else { part.clone() };
    let expression = |parts: &[String]| match parts {
        [part] => part.clone(),
        parts => parts.iter().map(wrap).collect::<Vec<_>>().join(OR_SEPARATOR),
    };
    joined.into_iter().map(|(positions, parts)| Ok((positions, check_expression(expression(&parts), tier)?))).collect()
}

/// Returns the expression if it is valid and not too long.
pub(super) fn check_expression(expression: String, tier: Tier) -> Result<String, RuleError> {
    if expression.len() > MAX_EXPRESSION_BYTES {
        return Err(RuleError::TooLong);
    }
    match rejection_reason(&expression, tier) {
        Some(reason) => Err(RuleError::Rejected(reason)),
        None => Ok(expression),
    }
}

pub(super) fn parenthesize(comparisons: &[String]) -> String {
    match comparisons {
        [comparison] => comparison.clone(),
        several => format!("({})", several.join(OR_SEPARATOR)),
    }
}
