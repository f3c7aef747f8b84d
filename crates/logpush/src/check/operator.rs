//! Checks the names of operators.

use super::Checker;
use crate::{
    Operator,
    ast::Text,
    code,
    datasets::{Field, FieldType},
    parse::{errors::short, string::quoted},
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, similar};

/// The names of operators in other languages and in older documentation, in lowercase and without spaces and `_`.
const OTHER_NAMES: &[(&str, Operator)] = &[
    ("=", Operator::Equal),
    ("==", Operator::Equal),
    ("===", Operator::Equal),
    ("equals", Operator::Equal),
    ("equal", Operator::Equal),
    ("equalto", Operator::Equal),
    ("is", Operator::Equal),
    ("!=", Operator::NotEqual),
    ("!==", Operator::NotEqual),
    ("<>", Operator::NotEqual),
    ("ne", Operator::NotEqual),
    ("neq", Operator::NotEqual),
    ("isnot", Operator::NotEqual),
    ("<", Operator::Less),
    ("less", Operator::Less),
    ("lessthan", Operator::Less),
    ("<=", Operator::LessOrEqual),
    ("=<", Operator::LessOrEqual),
    ("le", Operator::LessOrEqual),
    ("lte", Operator::LessOrEqual),
    ("lessthanorequal", Operator::LessOrEqual),
    ("lessthanorequalto", Operator::LessOrEqual),
    (">", Operator::Greater),
    ("greater", Operator::Greater),
    ("greaterthan", Operator::Greater),
    (">=", Operator::GreaterOrEqual),
    ("=>", Operator::GreaterOrEqual),
    ("ge", Operator::GreaterOrEqual),
    ("gte", Operator::GreaterOrEqual),
    ("greaterthanorequal", Operator::GreaterOrEqual),
    ("greaterthanorequalto", Operator::GreaterOrEqual),
    ("startwith", Operator::StartsWith),
    ("beginswith", Operator::StartsWith),
    ("prefix", Operator::StartsWith),
    ("hasprefix", Operator::StartsWith),
    ("endwith", Operator::EndsWith),
    ("suffix", Operator::EndsWith),
    ("hassuffix", Operator::EndsWith),
    ("contain", Operator::Contains),
    ("includes", Operator::Contains),
    ("include", Operator::Contains),
    ("has", Operator::Contains),
    ("oneof", Operator::In),
    ("anyof", Operator::In),
    ("isin", Operator::In),
    ("nin", Operator::NotIn),
];
/// The names of tests that filters do not support.
const PATTERNS: [&str; 10] =
    ["matches", "match", "regex", "regexp", "~", "=~", "like", "ilike", "wildcard", "strictwildcard"];
const PRESENCE: [&str; 6] = ["exists", "isset", "empty", "isempty", "isnull", "present"];

impl Checker<'_> {
    /// Returns the operator of the name if the field supports it. A misspelled name counts if only one operator can be
    /// meant (assumption operator-names).
    pub(super) fn operator(&mut self, name: &Text, field: Option<&'static Field>) -> Option<Operator> {
        let Some(operator) = Operator::named(&name.text) else {
            let meant = meant(&name.text);
            let problem = self.unknown_operator(name, meant);
            self.report(problem);
            return meant.filter(|meant| field.is_some_and(|field| meant.takes(field.ty)));
        };
        let field = field?;
        if operator.takes(field.ty) {
            return Some(operator);
        }
        self.report(not_for(operator, name, field));
        None
    }

    fn unknown_operator(&mut self, name: &Text, meant: Option<Operator>) -> Diagnostic {
        let shown = short(&name.text);
        let diagnostic =
            Diagnostic::error(code::UNKNOWN_OPERATOR, name.span, format!("no operator is named `{shown}`"));
        let replace = |operator: &str| vec![Edit::replace(name.span, quoted(operator))];
        if let Some(meant) = meant.map(Operator::name) {
            return diagnostic.with_fix(Fix::safe(format!("use `{meant}`"), replace(meant)));
        }
        let folded = folded(&name.text);
        let bare = without_not(&folded).unwrap_or(&folded);
        if PATTERNS.contains(&bare) {
            return diagnostic.with_help(
                "filters have no patterns; `contains`, `startsWith`, `endsWith` and `in` compare with plain texts",
            );
        }
        if PRESENCE.contains(&bare) || folded == "notnull" || folded == "isnotnull" {
            return diagnostic.with_help("every line has every field; one that says nothing is `\"\"`, `0` or `false`");
        }
        if self.lookups == 0 {
            return diagnostic;
        }
        self.lookups -= 1;
        let found = similar(&name.text, Operator::ALL.map(Operator::name));
        if found.is_empty() {
            let names = Operator::ALL.map(|operator| format!("`{}`", operator.name()));
            return diagnostic.with_help(format!("the operators are {}", names.join(", ")));
        }
        found.into_iter().fold(diagnostic, |diagnostic, operator| {
            diagnostic.with_fix(Fix::unsafe_(format!("use `{operator}`"), replace(operator)))
        })
    }
}

fn folded(name: &str) -> String {
    // No name of an operator is nearly as long.
    let name = name.get(..64.min(name.len())).unwrap_or_default();
    name.chars().filter(|c| !c.is_whitespace() && !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase()).collect()
}

fn without_not(folded: &str) -> Option<&str> {
    ["doesnot", "not", "!"].iter().find_map(|not| folded.strip_prefix(not))
}

/// Returns the only operator that a misspelled name can mean.
fn meant(name: &str) -> Option<Operator> {
    let folded = folded(name);
    let known = |name: &str| {
        let own = Operator::ALL.into_iter().find(|operator| operator.name().eq_ignore_ascii_case(name));
        own.or_else(|| OTHER_NAMES.iter().find(|(other, _)| *other == name).map(|(_, operator)| *operator))
    };
    known(&folded).or_else(|| known(without_not(&folded)?).map(Operator::negation))
}

fn not_for(operator: Operator, name: &Text, field: &Field) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        code::OPERATOR_TYPE,
        name.span,
        format!("`{}` does not fit `{}`, which is {}", operator.name(), field.name, field.ty.name()),
    );
    let fitting: Vec<_> = Operator::ALL
        .into_iter()
        .filter(|operator| operator.takes(field.ty))
        .map(|operator| format!("`{}`", operator.name()))
        .collect();
    let diagnostic = diagnostic.with_help(format!("{} takes {}", field.ty.name(), fitting.join(", ")));
    let instead = match operator.positive() {
        Operator::Equal if matches!(field.ty, FieldType::Strings | FieldType::Ints) => Operator::Contains,
        Operator::Contains if field.ty != FieldType::Bool => Operator::Equal,
        _ => return diagnostic,
    };
    let instead = if operator.is_negated() { instead.negation() } else { instead }.name();
    diagnostic.with_fix(Fix::unsafe_(format!("use `{instead}`"), vec![Edit::replace(name.span, quoted(instead))]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_names() {
        let cases = [
            ("neq", Some("!eq")),
            ("!=", Some("!eq")),
            ("==", Some("eq")),
            ("EQ", Some("eq")),
            ("not in", Some("!in")),
            ("notIn", Some("!in")),
            ("In", Some("in")),
            ("!lt", Some("geq")),
            ("!gte", Some("lt")),
            ("starts_with", Some("startsWith")),
            ("startswith", Some("startsWith")),
            ("not contains", Some("!contains")),
            ("does not contain", Some("!contains")),
            ("not equals", Some("!eq")),
            ("!equals", Some("!eq")),
            ("greater than or equal", Some("geq")),
            ("! eq", Some("!eq")),
            ("matches", None),
            ("not", None),
            ("", None),
        ];
        for (name, expected) in cases {
            assert_eq!(meant(name).map(Operator::name), expected, "{name}");
        }
        for (name, _) in OTHER_NAMES {
            assert!(Operator::named(name).is_none() && folded(name) == *name, "{name}");
        }
    }
}
