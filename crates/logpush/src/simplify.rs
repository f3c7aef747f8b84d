//! Simplifies filters to fewer conditions.
//!
//! [`simplify`] works on the resolved tree, not on the text. It flattens chains of one operator, merges conditions on
//! one field, drops implied conditions, and factors out shared ones. The result is never longer than the source with
//! its values in canonical form. Every field has only values of its type (assumption whole-numbers).
//!
//! Each step is greedy and is never undone, so the result is short but not always minimal. Conditions are compared in
//! pairs, so a redundancy across three alternatives remains, such as the last part of `a & b | !a & c | b & c`. A
//! [`StepBudget`] bounds the work; beyond it, conditions stay unchanged.

mod chain;
mod intersect;
mod to_syntax;

use crate::{
    Dataset, FormatStyle, Options, Program, Test,
    algebra::{Formula, StepBudget},
    ast::{Filter, MAX_DEPTH, Node},
    code, print,
};
pub(crate) use intersect::intersect;
use to_syntax::{Size, SyntaxBuilder};
use zonewright_diagnostic::{Diagnostic, Edit, Fix};

/// The longest runs of consecutive integers that become a list, tried in turn. A list saves conditions and may cost
/// bytes.
const LISTED_INTEGER_LIMITS: [u32; 3] = [1000, 10, 4];
/// The maximum number of rounds after the first. A round may enable further simplifications, but no known filter needs
/// more.
const MAX_EXTRA_ROUNDS: usize = 4;

/// Returns an equivalent condition with few operators and bytes. It never has more of either than the original,
/// measured with its values in canonical form. Fewer operators take precedence over fewer bytes. Every span in the
/// result is that of the whole condition.
pub fn simplify(program: &Program) -> Node {
    simplify_node(&program.filter().condition, program.test(), program.dataset())
}

/// Adds a fix to the diagnostics about the size of a filter, if the simplified filter is within the limits.
pub(crate) fn add_simplify_fixes(problems: &mut [Diagnostic], filter: &Filter, test: &Test, options: &Options) {
    let is_about_size = |problem: &Diagnostic| matches!(problem.code, code::TOO_MANY_OPERATORS | code::FILTER_TOO_LONG);
    if !problems.iter().any(is_about_size) {
        return;
    }
    let node = simplify_node(&filter.condition, test, options.dataset);
    let (operators, text) = (Size::measure(&node).operators, print(&node, FormatStyle::Compact));
    if operators > options.max_operators || text.len() > options.max_bytes {
        return;
    }
    for problem in problems.iter_mut().filter(|problem| is_about_size(problem) && problem.fixes.is_empty()) {
        let title = format!("simplify: {operators} operators, {} bytes", text.len());
        problem.fixes.push(Fix::safe_edits(title, vec![Edit::replace(filter.span, text.clone())]));
    }
}

fn simplify_node(root: &Node, test: &Test, dataset: &'static Dataset) -> Node {
    let builder = SyntaxBuilder { dataset, test, span: root.span };
    let canonical = builder.build_canonical_filter(root);
    let original = Size::measure(&canonical);
    let formula = simplify_formula(Formula::from_test(test));
    let candidates = LISTED_INTEGER_LIMITS.map(|max_integers| builder.build_formula(&formula, max_integers));
    let fits = |node: &Node| {
        let size = Size::measure(node);
        size.depth <= MAX_DEPTH && size.operators <= original.operators && size.bytes <= original.bytes
    };
    let best = candidates.into_iter().filter(fits).min_by_key(|node| {
        let size = Size::measure(node);
        (size.operators, size.bytes)
    });
    best.unwrap_or(canonical)
}

/// Simplifies a formula.
pub(crate) fn simplify_formula(formula: Formula) -> Formula {
    let budget = StepBudget::new();
    let mut formula = chain::simplify(formula, &budget);
    for _ in 0..MAX_EXTRA_ROUNDS {
        let next = chain::simplify(formula.clone(), &budget);
        if next == formula {
            break;
        }
        formula = next;
    }
    formula
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    /// Builds a filter from a text such as `h=a & (p^/x | m!=GET)`: a letter for each key, and a sign for each
    /// operator.
    fn filter(text: &str) -> String {
        fn disjunction(rest: &mut &str) -> String {
            chain(rest, '|', "or", |rest| chain(rest, '&', "and", operand))
        }
        fn chain(rest: &mut &str, sign: char, word: &str, inside: fn(&mut &str) -> String) -> String {
            let mut parts = vec![inside(rest)];
            while let Some(tail) = rest.trim_start().strip_prefix(sign) {
                *rest = tail;
                parts.push(inside(rest));
            }
            if parts.len() == 1 { parts.remove(0) } else { format!("{{\"{word}\":[{}]}}", parts.join(",")) }
        }
        fn operand(rest: &mut &str) -> String {
            *rest = rest.trim_start();
            if let Some(inside) = rest.strip_prefix('(') {
                *rest = inside;
                let text = disjunction(rest);
                *rest = rest.trim_start().strip_prefix(')').unwrap();
                return text;
            }
            let end = rest.find([' ', ')']).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            *rest = after;
            let key = match word.split_at(1).0 {
                "h" => "ClientRequestHost",
                "p" => "ClientRequestPath",
                "m" => "ClientRequestMethod",
                "s" => "EdgeResponseStatus",
                "f" => "CacheReserveUsed",
                "r" => "EdgeResponseCompressionRatio",
                _ => "SecurityActions",
            };
            let signs = [
                ("!=", "!eq"),
                ("=", "eq"),
                ("<=", "leq"),
                ("<", "lt"),
                (">=", "geq"),
                (">", "gt"),
                ("!^", "!startsWith"),
                ("^", "startsWith"),
                ("!$", "!endsWith"),
                ("$", "endsWith"),
                ("!~", "!contains"),
                ("~", "contains"),
                ("!:", "!in"),
                (":", "in"),
            ];
            let condition = word.split_at(1).1;
            let (sign, operator) = signs.iter().find(|(sign, _)| condition.starts_with(sign)).unwrap();
            let value = condition.strip_prefix(sign).unwrap();
            let to_json = |value: &str| {
                if value.parse::<f64>().is_ok() || key == "CacheReserveUsed" {
                    value.to_owned()
                } else {
                    format!("\"{value}\"")
                }
            };
            let value = match *sign {
                ":" | "!:" => format!("[{}]", value.split(',').map(to_json).collect::<Vec<_>>().join(",")),
                _ => to_json(value),
            };
            format!("{{\"key\":\"{key}\",\"operator\":\"{operator}\",\"value\":{value}}}")
        }
        format!("{{\"where\":{}}}", disjunction(&mut &*text))
    }

    #[test]
    fn filters_are_simplified() {
        let cases = [
            ("h=a | h=b | h=c", "h:a,b,c"),
            ("h=a | m=GET | h=b", "h:a,b | m=GET"),
            ("h!=a & h!=b", "h!:a,b"),
            ("h:a,b & h!=a", "h=b"),
            ("h:a,b & h:c", "h!~"),
            ("h=a | h!=a", "h~"),
            ("h=a | h!:a,b", "h!=b"),
            ("s>=400 & s<500 & s!=404", "s>=400 & s<500 & s!=404"),
            ("s>5 & s<3 | m=GET", "m=GET"),
            ("s>=500 | s>=400", "s>=400"),
            ("s>=500 & s<=503", "s:500,501,502,503"),
            ("s<500 | s>=500", "p~"),
            ("m=GET & (h=a | m=PUT)", "m=GET & h=a"),
            ("m=GET | m!=GET & h=a", "m=GET | h=a"),
            ("m=GET & p^/a | m=GET & p^/b", "m=GET & (p^/a | p^/b)"),
            ("h=a & p=/x | h=b & p=/x", "p=/x & h:a,b"),
            ("p^/a | p^/a/b", "p^/a"),
            ("p^/a & p^/a/b", "p^/a/b"),
            ("p^/a & p=/b", "p!~"),
            ("p!^/a & p!=/ab & p!=/b", "p!^/a & p!=/b"),
            ("f=true | f=false", "p~"),
            ("f!=true", "f=false"),
            ("a~x & a!~x", "p!~"),
            ("a~x | a~y", "a~x | a~y"),
            ("m=GET & (m=GET | p^/a) & h=b", "m=GET & h=b"),
            ("((h=a))", "h=a"),
            ("r>1.5 & r<=1.5 | h=a", "h=a"),
            ("r>=1.5 & r<=1.5", "r=1.5"),
            ("(m=GET | h=a) & (m=GET | h=b)", "m=GET"),
            ("(m=GET | h=a) & (m=PUT | h=a) & p^/a", "h=a & p^/a"),
        ];
        for (text, expected) in cases {
            let options = Options::default();
            let source = filter(text);
            let checked = check(&source, &options);
            let program = checked.program.unwrap_or_else(|| panic!("{source}: {:?}", checked.diagnostics));
            let simplified = print(&simplify(&program), FormatStyle::Compact);
            // The constant uses a string field of the filter, or the shortest one of the dataset.
            let expected = filter(expected).replace(
                "\"ClientRequestPath\",\"operator\":\"contains\",\"value\":\"\"",
                match text.contains('p') {
                    true => "\"ClientRequestPath\",\"operator\":\"contains\",\"value\":\"\"",
                    false => "\"JA4\",\"operator\":\"contains\",\"value\":\"\"",
                },
            );
            let expected = if text.starts_with('a') { expected.replace("ClientRequestPath", "JA4") } else { expected };
            assert_eq!(simplified, expected, "{text}");
            assert!(check(&simplified, &options).program.is_some(), "{simplified}");
        }
    }
}
