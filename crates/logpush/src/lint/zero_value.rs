//! Lints about conditions that also match lines without a value. Such lines have 0 or the empty string.

use super::{Linter, domain};
use crate::{
    Comparison, Feature, Number, Operator,
    algebra::{Atom, Formula, NumberKind, NumberSet, ValueSet},
    code,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// String fields that are empty in many lines.
const OFTEN_EMPTY_FIELDS: [&str; 17] = [
    "ClientRefererHost",
    "ClientRequestReferer",
    "ClientRequestUserAgent",
    "ClientXRequestedWith",
    "JA3Hash",
    "JA4",
    "OriginIP",
    "OriginSSLProtocol",
    "ParentRayID",
    "RulesetID",
    "SecurityAction",
    "SecurityRuleDescription",
    "SecurityRuleID",
    "VerifiedBotCategory",
    "WebAssetsOperationID",
    "WorkerScriptName",
    "WorkerStatus",
];

/// String fields that are never empty.
const ALWAYS_PRESENT_FIELDS: [&str; 12] = [
    "ClientIP",
    "ClientRequestHost",
    "ClientRequestMethod",
    "ClientRequestPath",
    "ClientRequestProtocol",
    "ClientRequestScheme",
    "ClientRequestURI",
    "EdgeColoCode",
    "Outcome",
    "RayID",
    "ScriptName",
    "ZoneName",
];

/// Returns whether the field is never empty.
pub(crate) fn is_always_present(name: &str) -> bool {
    ALWAYS_PRESENT_FIELDS.contains(&name)
}

/// Returns whether the field is empty in many lines.
fn is_often_empty(name: &str) -> bool {
    OFTEN_EMPTY_FIELDS.contains(&name)
}

/// Returns whether the field is 0 in lines without a value.
pub(crate) fn zero_means_missing(name: &str) -> bool {
    domain::is_score(name) || matches!(name, "CacheResponseStatus" | "OriginResponseStatus")
}

impl Linter<'_> {
    /// Reports a condition that matches lines without the value, unless the enclosing conditions exclude these lines.
    pub(super) fn check_zero_value(&mut self, span: Span, comparison: &Comparison, conjuncts: &[Atom]) {
        let Formula::Atom(atom) = Formula::from_comparison(comparison) else { return };
        let name = comparison.field.name;
        let others = conjuncts.iter().filter(|conjunct| conjunct.subject == atom.subject);
        match &atom.values {
            ValueSet::Numbers(numbers) if zero_means_missing(name) && self.dataset.has(Feature::RequestFields) => {
                let is_upper_bound = matches!(comparison.operator, Operator::Less | Operator::LessOrEqual);
                let zero = NumberSet::from_comparison(Operator::Equal, Number::Integer(0), NumberKind::Integer);
                let positive = NumberSet::from_comparison(Operator::Greater, Number::Integer(0), NumberKind::Integer);
                let is_only_zero = numbers.intersection(&positive).is_empty();
                let includes_zero =
                    |atom: &Atom| matches!(&atom.values, ValueSet::Numbers(numbers) if zero.is_subset(numbers));
                if !is_upper_bound || is_only_zero || !includes_zero(&atom) || !others.into_iter().all(includes_zero) {
                    return;
                }
                let noun = if domain::is_score(name) { "score" } else { "status" };
                let message = format!("this also matches lines without a {noun}, where `{name}` is 0");
                let diagnostic = Diagnostic::hint(code::ZERO_VALUE, span, message);
                self.report(diagnostic.with_fix(require_above_zero(span, name)));
            }
            ValueSet::Strings(_) | ValueSet::Substring(_)
                if is_often_empty(name) && comparison.operator.is_negated() =>
            {
                if !atom.values.has_text("") || others.into_iter().any(|other| !other.values.has_text("")) {
                    return;
                }
                let message = format!("this also matches lines where `{name}` is empty");
                let help = format!("to exclude these, also require `{name}` `!eq` \"\"");
                self.report(Diagnostic::hint(code::ZERO_VALUE, span, message).with_help(help));
            }
            _ => {}
        }
    }
}

fn require_above_zero(span: Span, name: &str) -> Fix {
    let text = format!("{{\"key\":\"{name}\",\"operator\":\"gt\",\"value\":0}}");
    let edits = vec![Edit::insert(span.start, "{\"and\":["), Edit::insert(span.end, format!(",{text}]}}"))];
    Fix::unsafe_edits("also require a value above 0", edits)
}
