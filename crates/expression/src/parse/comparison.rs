//! Lowers single conditions: groups, values and comparisons.

use super::{
    ChildPairs, Lowering, Pair, Rule, child_pairs, comparison_run, errors, invalid_expr, operator::parse_operator,
};
use crate::{
    ast::{Comparison, ComparisonOperator, Expr, ExprKind, List, Literal, LiteralKind},
    code, edit,
};
use std::mem::{replace, take};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span, find_similar};

/// The probable meaning of an operator that the language does not have.
struct IntendedOperator {
    operator: ComparisonOperator,
    negated: bool,
}

impl<'i> Lowering<'i> {
    /// Lowers the next condition of a chain. The chain must not be at its end.
    pub(super) fn lower_condition(&mut self, pairs: &mut ChildPairs<'i>) -> Expr {
        let left = match pairs.peek().map(|next| next.as_rule()) {
            Some(Rule::misplaced_operator | Rule::set | Rule::list | Rule::unexpected_text) => {
                return pairs
                    .next()
                    .map_or_else(|| invalid_expr(Span::empty(0)), |pair| self.lower_non_condition(pair));
            }
            _ => self.lower_operand(pairs),
        };
        if let Some(pair) = pairs.next_if(|next| next.as_rule() == Rule::text_comparison) {
            let left = self.check_left_operand(left);
            let start = self.span(&pair).start;
            return comparison_run::parse_operator_and_string(left, pair.as_str(), start)
                .unwrap_or_else(|| invalid_expr(self.span(&pair)));
        }
        let Some(operator) = pairs.next_if(|next| is_operator(next.as_rule())) else {
            return self.check_bare_operand(left);
        };
        let left = self.check_left_operand(left);
        self.lower_comparison(left, &operator, pairs)
    }

    /// Lowers a value, group, string, set or list on either side of an operator.
    fn lower_operand(&mut self, pairs: &mut ChildPairs<'i>) -> Expr {
        let Some(pair) = pairs.next() else { return invalid_expr(Span::empty(0)) };
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::name | Rule::word | Rule::right_word => self.lower_value(&pair, pairs),
            Rule::touched_literal => {
                let word = LiteralKind::Unquoted(self.strip_trivia(pair.as_str(), span));
                Expr { kind: ExprKind::Literal(Literal { kind: word, span }), span }
            }
            Rule::group => {
                let span = self.opened_span(&pair);
                self.with_nesting(span, |lowering| lowering.lower_group(pair)).unwrap_or_else(|| invalid_expr(span))
            }
            Rule::set | Rule::bracketed_set => self.lower_set(pair),
            Rule::placeholder => {
                self.report(errors::placeholder_error(span, pair.as_str()));
                invalid_expr(span)
            }
            Rule::list => self.lower_list(&pair),
            _ => match self.lower_string(&pair) {
                Some(literal) if literal.kind != LiteralKind::Invalid => {
                    Expr { kind: ExprKind::Literal(literal), span }
                }
                _ => invalid_expr(span),
            },
        }
    }

    pub(super) fn lower_list(&self, pair: &Pair<'i>) -> Expr {
        let span = self.span(pair);
        let name = self.strip_trivia(pair.as_str(), span).trim_start_matches('$').to_owned();
        Expr { kind: ExprKind::List(List { name }), span }
    }

    fn lower_group(&mut self, pair: Pair<'i>) -> Expr {
        let span = self.opened_span(&pair);
        let mut pairs = child_pairs(pair);
        let is_empty = pairs.peek().is_none();
        let (inner, closed) = self.lower_enclosed(pairs, span);
        if !closed {
            self.report_unclosed(span, "(", ")");
        } else if is_empty {
            self.report(Diagnostic::error(code::EMPTY_GROUP, span, "expected a condition in the parentheses"));
        }
        Expr { kind: ExprKind::Group(Box::new(inner)), span }
    }

    /// Checks a condition without an operator. A keyword in its place is an error, not a name.
    fn check_bare_operand(&mut self, expr: Expr) -> Expr {
        let value = match &expr.kind {
            ExprKind::Value(value) => value,
            ExprKind::Literal(Literal { kind: LiteralKind::Unquoted(word), span }) if is_symbol(word) => {
                self.report(errors::unexpected_text_error(*span, word));
                return invalid_expr(expr.span);
            }
            _ => return expr,
        };
        let word = value.name.text.as_str();
        let lowercase = word.to_ascii_lowercase();
        if matches!(lowercase.as_str(), "and" | "or" | "xor") {
            self.report(
                Diagnostic::error(
                    code::MISSING_OPERAND,
                    value.name.span,
                    format!("expected a condition before `{word}`"),
                )
                .with_label("nothing before it")
                .with_fix(Fix::unsafe_edits("remove the operator", vec![Edit::delete(value.name.span)])),
            );
            return invalid_expr(expr.span);
        }
        if value.call.is_none() && parse_operator(&lowercase).is_some() {
            self.report(errors::misplaced_operator_error(value.name.span, word));
            return invalid_expr(expr.span);
        }
        expr
    }

    /// Checks the left side of a comparison. Reports parentheses around a value, and returns the value because its
    /// meaning is clear.
    fn check_left_operand(&mut self, left: Expr) -> Expr {
        let span = left.span;
        if let ExprKind::Literal(Literal { kind: LiteralKind::Unquoted(word), .. }) = &left.kind
            && is_symbol(word)
        {
            self.report(errors::unexpected_text_error(span, word));
            return invalid_expr(span);
        }
        let ExprKind::Group(inner) = left.kind else { return left };
        if !matches!(inner.kind, ExprKind::Value(_)) {
            return Expr { kind: ExprKind::Group(inner), span };
        }
        let edits = edit::remove_delimiters(self.source, span, inner.span).to_vec();
        self.report(
            Diagnostic::error(code::PARENTHESIZED_VALUE, span, "a compared value cannot be in parentheses")
                .with_fix(Fix::safe_edits("remove the parentheses", edits)),
        );
        *inner
    }

    fn lower_comparison(&mut self, left: Expr, operator_pair: &Pair<'i>, pairs: &mut ChildPairs<'i>) -> Expr {
        let operator_span = self.span(operator_pair);
        let text = operator_pair.as_str();
        let right_span = pairs.peek().filter(|next| is_right_side(next.as_rule())).map(|next| self.span(next));
        let intended = match operator_pair.as_rule() {
            Rule::operator | Rule::in_operator => parse_operator(text),
            Rule::unspaced_operator => {
                self.report_unspaced(text, operator_span);
                parse_operator(text)
            }
            Rule::regex_operator if matches!(text, "matches" | "~") => Some(ComparisonOperator::Matches),
            _ => self.report_unknown_operator(&left, operator_span, right_span),
        };
        if right_span.is_none() {
            if intended.is_some() {
                self.report(missing_value_error(operator_span, text));
            }
            return invalid_expr(left.span.to(operator_span));
        }
        let pattern = match pairs.peek() {
            Some(next) if intended == Some(ComparisonOperator::Matches) => self.lower_mistaken_pattern(next),
            _ => None,
        };
        let right = match pattern {
            Some(pattern) => {
                pairs.next();
                pattern
            }
            None if intended != Some(ComparisonOperator::In) => self.lower_single_value(pairs),
            None => {
                let right = self.lower_operand(pairs);
                self.separate_items(&left, right)
            }
        };
        let span = left.span.to(right.span);
        let Some(operator) = intended else { return invalid_expr(span) };
        Expr { kind: ExprKind::Comparison(Box::new(Comparison { left, operator, operator_span, right })), span }
    }

    /// Lowers the right side of an operator that requires one value. Reports brackets around one literal, as in
    /// `[::1]`, and returns the literal because the meaning is clear.
    fn lower_single_value(&mut self, pairs: &mut ChildPairs<'i>) -> Expr {
        let Some(pair) = pairs.next_if(|next| next.as_rule() == Rule::bracketed_set) else {
            return self.lower_operand(pairs);
        };
        let earlier_diagnostics = take(&mut self.diagnostics);
        let set = self.lower_set(pair);
        let set_diagnostics = replace(&mut self.diagnostics, earlier_diagnostics);
        match set.kind {
            ExprKind::Set(mut items) if items.len() == 1 => {
                let Some(item) = items.pop() else { return invalid_expr(set.span) };
                let edits = edit::remove_delimiters(self.source, set.span, item.span).to_vec();
                self.report(
                    Diagnostic::error(
                        code::PARENTHESIZED_VALUE,
                        set.span,
                        "a single value takes no parentheses or brackets",
                    )
                    .with_fix(Fix::safe_edits("remove them", edits)),
                );
                Expr { span: item.span, kind: ExprKind::Literal(item) }
            }
            kind => {
                self.diagnostics.append(set_diagnostics);
                Expr { kind, span: set.span }
            }
        }
    }

    /// Lowers a pattern in foreign quotes or without quotes; returns `None` for other syntax. The backslashes of the
    /// pattern keep their meaning when the quotes are fixed.
    fn lower_mistaken_pattern(&mut self, pair: &Pair<'i>) -> Option<Expr> {
        let span = self.span(pair);
        let literal = match pair.as_rule() {
            Rule::single_quoted | Rule::smart_quoted | Rule::backtick_quoted => self.lower_foreign_pattern(pair),
            Rule::bare_pattern => self.lower_bare_pattern(pair),
            _ => return None,
        };
        Some(Expr { kind: ExprKind::Literal(literal), span })
    }

    /// Reports an operator that the language does not have. Returns the operator that is probably meant, if any,
    /// without its negation: `Matches` for `!~`.
    fn report_unknown_operator(&mut self, left: &Expr, span: Span, right: Option<Span>) -> Option<ComparisonOperator> {
        let text = span.text(self.source);
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let word = words.join(" ").to_ascii_lowercase();
        if let Some(function) = find_affix_function(&word) {
            self.report(affix_error(text, span, function, left.span, right, self.source));
            return None;
        }
        let Some(IntendedOperator { operator: intended, negated }) = guess_operator(&word) else {
            self.report(unknown_operator_error(span, text, &word));
            return None;
        };
        let spelling = intended.word();
        let replacement = self.pad_keyword(span, spelling);
        let is_clear = !self.is_followed_by_symbol(span);
        let diagnostic = if negated {
            let title = format!("use `not … {spelling}`");
            let edits = vec![Edit::insert(left.span.start, "not "), Edit::replace(span, replacement)];
            Diagnostic::error(code::NOT_BEFORE_OPERATOR, span, format!("there is no operator `{text}`"))
                .with_help(format!("negate the whole comparison: `not … {spelling} …`"))
                .with_fix(if is_clear { Fix::safe_edits(title, edits) } else { Fix::unsafe_edits(title, edits) })
        } else if text == "=" {
            let edits = vec![Edit::replace(span, "==")];
            Diagnostic::error(code::SINGLE_EQUALS, span, "`=` is not a comparison operator")
                .with_help("use `==` or `eq`")
                .with_fix(if is_clear {
                    Fix::safe_edits("use `==`", edits)
                } else {
                    Fix::unsafe_edits("use `==`", edits)
                })
        } else if words.len() == 2 && text.starts_with("strict") {
            Diagnostic::error(code::OPERATOR_SPACING, span, "`strict wildcard` must contain exactly one space")
                .with_fix(Fix::safe_edits("use one space", vec![Edit::replace(span, spelling)]))
        } else if text != word && parse_operator(&word) == Some(intended) {
            errors::uppercase_operator_error(span, text, spelling)
        } else {
            let title = format!("use `{spelling}`");
            let edits = vec![Edit::replace(span, replacement)];
            // In some languages `~=` means "is not equal". `is not` and `not eq` may mean `ne` or `not … eq`, which
            // differ for a missing value.
            let is_guess = text == "~=" || words.len() > 1 && intended == ComparisonOperator::NotEqual;
            let fix =
                if is_guess || !is_clear { Fix::unsafe_edits(title, edits) } else { Fix::safe_edits(title, edits) };
            let diagnostic =
                Diagnostic::error(code::UNKNOWN_OPERATOR, span, format!("unknown operator `{text}`")).with_fix(fix);
            if is_guess && intended == ComparisonOperator::NotEqual {
                let edits =
                    vec![Edit::insert(left.span.start, "not "), Edit::replace(span, self.pad_keyword(span, "eq"))];
                diagnostic
                    .with_help("for a missing value, `ne` is false and `not … eq` is true")
                    .with_fix(Fix::unsafe_edits("use `not … eq`", edits))
            } else {
                diagnostic
            }
        };
        self.report(diagnostic);
        Some(intended)
    }
}

/// Returns whether a word consists only of symbols, so that it is neither a name nor a literal. `::` is an IP address.
fn is_symbol(word: &str) -> bool {
    !word.contains(char::is_alphanumeric) && word != "::"
}

fn is_operator(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::operator | Rule::in_operator | Rule::regex_operator | Rule::other_operator | Rule::unspaced_operator
    )
}

/// Returns whether a rule is a right side rather than the beginning of the next condition. Where both are possible, the
/// grammar has chosen the right side.
fn is_right_side(rule: Rule) -> bool {
    let is_end = matches!(rule, Rule::closer | Rule::inner_closer | Rule::unclosed | Rule::EOI);
    let begins_condition = matches!(
        rule,
        Rule::plain | Rule::name | Rule::group | Rule::misplaced_operator | Rule::unexpected_text | Rule::word
    );
    !(is_end || begins_condition || matches!(rule, Rule::infix | Rule::prefix))
}

/// Returns the probable meaning of an unknown operator. `word` is its spelling in lowercase and with single spaces.
fn guess_operator(word: &str) -> Option<IntendedOperator> {
    use ComparisonOperator as Op;
    let affirmative = |operator| Some(IntendedOperator { operator, negated: false });
    let negated = |operator| Some(IntendedOperator { operator, negated: true });
    match word {
        "=" | "===" | "equals" | "equal" | "is" => affirmative(Op::Equal),
        "!==" | "<>" | "neq" | "is not" => affirmative(Op::NotEqual),
        "=<" | "lte" | "leq" => affirmative(Op::LessOrEqual),
        "=>" | "gte" | "geq" => affirmative(Op::GreaterOrEqual),
        "=~" | "~=" | "regex" => affirmative(Op::Matches),
        "!~" => negated(Op::Matches),
        "includes" | "include" | "has" => affirmative(Op::Contains),
        "is in" | "is in list" => affirmative(Op::In),
        "is not in" | "is not in list" => negated(Op::In),
        _ => {
            let bare =
                word.strip_prefix("does not ").or_else(|| word.strip_prefix("not ")).or_else(|| word.strip_prefix('!'));
            match bare.map(str::trim_start) {
                Some("eq" | "equal") => affirmative(Op::NotEqual),
                Some("contain" | "include") => negated(Op::Contains),
                Some("match") => negated(Op::Matches),
                Some(bare) => parse_operator(bare).and_then(negated),
                None => parse_operator(word).and_then(affirmative),
            }
        }
    }
}

/// Returns the function that is the equivalent of an operator such as `starts with` or `endswith`.
fn find_affix_function(word: &str) -> Option<&'static str> {
    if !word.ends_with("with") {
        return None;
    }
    match word.get(..3)? {
        "sta" | "beg" => Some("starts_with"),
        "end" => Some("ends_with"),
        _ => None,
    }
}

fn affix_error(text: &str, span: Span, function: &str, left: Span, right: Option<Span>, source: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        code::UNKNOWN_OPERATOR,
        span,
        format!("unknown operator `{text}`; there is a function `{function}`"),
    );
    match right {
        Some(right) => {
            let call = format!("{function}({}, {})", left.text(source), right.text(source));
            let title = format!("use `{function}(…)`");
            let edits = vec![Edit::replace(left.to(right), call)];
            // The function accepts a single string.
            diagnostic.with_fix(match right.text(source).starts_with(['{', '$', '[']) {
                true => Fix::unsafe_edits(title, edits),
                false => Fix::safe_edits(title, edits),
            })
        }
        None => diagnostic.with_help(format!("use `{function}(field, \"…\")`")),
    }
}

fn unknown_operator_error(span: Span, text: &str, word: &str) -> Diagnostic {
    const WORDS: [&str; 12] =
        ["eq", "ne", "lt", "le", "gt", "ge", "contains", "matches", "wildcard", "strict wildcard", "in", "bitwise_and"];
    let mut diagnostic = Diagnostic::error(code::UNKNOWN_OPERATOR, span, format!("unknown operator `{text}`"))
        .with_help("the operators are eq, ne, lt, le, gt, ge, contains, matches, wildcard, strict wildcard and in");
    for name in find_similar(word, WORDS) {
        diagnostic = diagnostic.with_fix(Fix::unsafe_edits(format!("use `{name}`"), vec![Edit::replace(span, name)]));
    }
    diagnostic
}

fn missing_value_error(span: Span, text: &str) -> Diagnostic {
    let expected = if text == "in" { "a set `{…}` or a list `$name`" } else { "a value" };
    Diagnostic::error(code::MISSING_VALUE, span, format!("expected {expected} after `{text}`"))
        .with_label("nothing to compare with")
}
