//! Checks the names of operators.

use super::Checker;
use crate::{
    Operator,
    ast::StringLiteral,
    code,
    datasets::{Field, FieldType},
    parse::{errors::excerpt, string::quoted},
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, find_similar};

/// The names of operators in other languages and in older documentation, in lowercase and without whitespace, `_` and
/// `-`.
const OPERATOR_ALIASES: &[(&str, Operator)] = &[
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
/// The names of pattern tests in other languages. Filters do not support them.
const PATTERN_OPERATORS: [&str; 10] =
    ["matches", "match", "regex", "regexp", "~", "=~", "like", "ilike", "wildcard", "strictwildcard"];
/// The names of presence tests in other languages. Filters do not support them.
const PRESENCE_OPERATORS: [&str; 6] = ["exists", "isset", "empty", "isempty", "isnull", "present"];

impl Checker<'_> {
    /// Returns the operator that a name means, if the field supports it. An unknown name is reported, but it resolves
    /// to an operator if it can mean only one (assumption operator-names).
    pub(super) fn check_operator(&mut self, name: &StringLiteral, field: Option<&'static Field>) -> Option<Operator> {
        let Some(operator) = Operator::from_name(&name.text) else {
            let intended = resolve_alias(&name.text);
            let problem = self.diagnose_unknown_operator(name, intended);
            self.report(problem);
            return intended.filter(|intended| field.is_some_and(|field| intended.supports(field.ty)));
        };
        let field = field?;
        if operator.supports(field.ty) {
            return Some(operator);
        }
        self.report(operator_type_error(operator, name, field));
        None
    }

    fn diagnose_unknown_operator(&mut self, name: &StringLiteral, intended: Option<Operator>) -> Diagnostic {
        let name_excerpt = excerpt(&name.text);
        let diagnostic =
            Diagnostic::error(code::UNKNOWN_OPERATOR, name.span, format!("unknown operator `{name_excerpt}`"));
        let replace = |operator: &str| vec![Edit::replace(name.span, quoted(operator))];
        if let Some(intended) = intended.map(Operator::name) {
            return diagnostic.with_fix(Fix::safe_edits(format!("use `{intended}`"), replace(intended)));
        }
        let folded = normalize_name(&name.text);
        let bare = strip_negation(&folded).unwrap_or(&folded);
        if PATTERN_OPERATORS.contains(&bare) {
            return diagnostic.with_help(
                "filters do not support patterns; use `contains`, `startsWith`, `endsWith` or `in` with plain strings",
            );
        }
        if PRESENCE_OPERATORS.contains(&bare) || folded == "notnull" || folded == "isnotnull" {
            return diagnostic
                .with_help("every line has every field; compare with the empty value `\"\"`, `0` or `false` instead");
        }
        if self.remaining_lookups == 0 {
            return diagnostic;
        }
        self.remaining_lookups -= 1;
        let found = find_similar(&name.text, Operator::ALL.map(Operator::name));
        if found.is_empty() {
            let names = Operator::ALL.map(|operator| format!("`{}`", operator.name()));
            return diagnostic.with_help(format!("use one of {}", names.join(", ")));
        }
        found.into_iter().fold(diagnostic, |diagnostic, operator| {
            diagnostic.with_fix(Fix::unsafe_edits(format!("use `{operator}`"), replace(operator)))
        })
    }
}

/// The number of bytes of a name that are compared with operators, whose names are much shorter.
const MAX_COMPARED_NAME_BYTES: usize = 64;

fn normalize_name(name: &str) -> String {
    let name = name.get(..MAX_COMPARED_NAME_BYTES.min(name.len())).unwrap_or_default();
    name.chars().filter(|c| !c.is_whitespace() && !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase()).collect()
}

fn strip_negation(folded: &str) -> Option<&str> {
    ["doesnot", "not", "!"].iter().find_map(|not| folded.strip_prefix(not))
}

/// Returns the only operator that a misspelled name can mean.
fn resolve_alias(name: &str) -> Option<Operator> {
    let folded = normalize_name(name);
    let find = |name: &str| {
        let by_name = Operator::ALL.into_iter().find(|operator| operator.name().eq_ignore_ascii_case(name));
        by_name.or_else(|| OPERATOR_ALIASES.iter().find(|(other, _)| *other == name).map(|(_, operator)| *operator))
    };
    find(&folded).or_else(|| find(strip_negation(&folded)?).map(Operator::negation))
}

fn operator_type_error(operator: Operator, name: &StringLiteral, field: &Field) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        code::OPERATOR_TYPE,
        name.span,
        format!("`{}` cannot be used with `{}`, whose type is `{}`", operator.name(), field.name, field.ty.name()),
    );
    let supported: Vec<_> = Operator::ALL
        .into_iter()
        .filter(|operator| operator.supports(field.ty))
        .map(|operator| format!("`{}`", operator.name()))
        .collect();
    let diagnostic =
        diagnostic.with_help(format!("the operators for `{}` are {}", field.ty.name(), supported.join(", ")));
    let instead = match operator.without_negation() {
        Operator::Equal if matches!(field.ty, FieldType::Strings | FieldType::Ints) => Operator::Contains,
        Operator::Contains if field.ty != FieldType::Bool => Operator::Equal,
        _ => return diagnostic,
    };
    let instead = if operator.is_negated() { instead.negation() } else { instead }.name();
    diagnostic.with_fix(Fix::unsafe_edits(format!("use `{instead}`"), vec![Edit::replace(name.span, quoted(instead))]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operator_aliases_are_resolved() {
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
            assert_eq!(resolve_alias(name).map(Operator::name), expected, "{name}");
        }
        for (name, _) in OPERATOR_ALIASES {
            assert!(Operator::from_name(name).is_none() && normalize_name(name) == *name, "{name}");
        }
    }
}
