//! Lowers chains of conditions joined by logical operators, and applies precedence.

use super::{ChildPairs, Lowering, Pair, Rule, child_pairs, comparison_run, errors, invalid_expr, number};
use crate::{
    ast::{ComparisonOperator, Expr, ExprKind, IndexKind, Logical, LogicalOperator, Not},
    code,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// A chain of conditions in source order, before precedence is applied.
#[derive(Default)]
pub(super) struct OperandChain {
    /// Whether the chain is an argument of a call, where a comma may be missing.
    is_argument: bool,
    /// The arguments that end at a missing comma, before the current argument.
    completed_arguments: Vec<Expr>,
    operands: Vec<Expr>,
    /// The operator after the operand of the same index.
    operators: Vec<(LogicalOperator, Span)>,
}

impl OperandChain {
    /// Creates the chain of an argument of a call.
    pub(super) fn for_argument() -> Self {
        OperandChain { is_argument: true, ..OperandChain::default() }
    }

    /// Returns the last operand, if no operator follows it.
    pub(super) fn last_unjoined_mut(&mut self) -> Option<&mut Expr> {
        let is_joined = self.operators.len() >= self.operands.len();
        self.operands.last_mut().filter(|_| !is_joined)
    }
}

impl<'i> Lowering<'i> {
    /// Lowers the whole source.
    pub(super) fn lower_source(&mut self, pair: Pair<'i>) -> Expr {
        let span = self.span(&pair);
        self.lower_enclosed(child_pairs(pair), span).0
    }

    /// Lowers the condition inside parentheses or the whole source. Also returns whether the parentheses are closed.
    pub(super) fn lower_enclosed(&mut self, mut pairs: ChildPairs<'i>, span: Span) -> (Expr, bool) {
        // A single chain, because it continues after an unmatched closing delimiter.
        let mut chain = OperandChain::default();
        let mut closed = true;
        while let Some(next) = pairs.peek() {
            let at = self.span(next);
            match next.as_rule() {
                Rule::unclosed => closed = false,
                Rule::too_deep => self.report_too_deep(Span::new(span.start, span.start + 1)),
                Rule::closer | Rule::inner_closer
                    if next.as_str() == "," && number::digits_around(self.source, at).is_some() =>
                {
                    let equal = chain.operands.last().and_then(find_equal_operator);
                    self.report_number_with_commas(equal, &mut pairs);
                    continue;
                }
                Rule::closer | Rule::inner_closer => self.report(errors::unopened_bracket_error(at, next.as_str())),
                Rule::EOI => {}
                _ => {
                    self.read_chain(&mut chain, &mut pairs);
                    continue;
                }
            }
            pairs.next();
        }
        (self.fold_chain(chain).pop().unwrap_or_else(|| invalid_expr(span)), closed)
    }

    /// Lowers prefixes, conditions and operators into a chain, up to its end.
    pub(super) fn read_chain(&mut self, chain: &mut OperandChain, pairs: &mut ChildPairs<'i>) {
        while let Some(next) = pairs.peek().filter(|next| !ends_chain(next.as_rule())) {
            let span = self.span(next);
            if next.as_rule() == Rule::infix {
                let operator = self.lower_logical_operator(next.as_str(), span);
                pairs.next();
                self.push_operator(chain, operator, span);
                continue;
            }
            if next.as_rule() == Rule::plain {
                let text = next.as_str();
                pairs.next();
                self.push_plain_comparisons(chain, text, span.start);
                continue;
            }
            let mut negations = Vec::new();
            while let Some(prefix) = pairs.next_if(|next| next.as_rule() == Rule::prefix) {
                let span = self.span(&prefix);
                self.check_prefix(prefix.as_str(), span);
                negations.push(span);
            }
            let operand = self.lower_negated(&negations, pairs);
            self.push_operand(chain, operand);
        }
    }

    /// Appends a run of plain comparisons, which may be the whole chain.
    fn push_plain_comparisons(&mut self, chain: &mut OperandChain, text: &str, start: usize) {
        let comparisons = comparison_run::count_comparisons(text);
        chain.operands.reserve(comparisons);
        chain.operators.reserve(comparisons);
        for plain in comparison_run::split_comparisons(text, start) {
            if let Some((operator, span)) = plain.infix {
                self.push_operator(chain, operator, span);
            }
            self.push_operand(chain, plain.comparison);
        }
    }

    /// Folds a chain into trees: none for an empty chain, and several only if an argument lacks commas.
    pub(super) fn fold_chain(&mut self, mut chain: OperandChain) -> Vec<Expr> {
        if chain.operators.len() == chain.operands.len() {
            let Some((operator, span)) = chain.operators.pop() else { return chain.completed_arguments };
            self.report(missing_operand_error(operator, span, "after", self.source));
            // The chain is incomplete, but its operands are still checked.
            chain.operators.push((operator, span));
            chain.operands.push(invalid_expr(Span::empty(span.end)));
        }
        chain.completed_arguments.push(fold_by_precedence(chain.operands, &chain.operators, LogicalOperator::Or));
        chain.completed_arguments
    }

    fn push_operator(&mut self, chain: &mut OperandChain, operator: LogicalOperator, span: Span) {
        if chain.operators.len() == chain.operands.len() {
            let side = if chain.operands.is_empty() { "before" } else { "after" };
            let (reported, reported_span) = chain.operators.last().copied().unwrap_or((operator, span));
            self.report(missing_operand_error(reported, reported_span, side, self.source));
            chain.operands.push(invalid_expr(Span::empty(span.start)));
        }
        chain.operators.push((operator, span));
    }

    fn lower_logical_operator(&mut self, text: &str, span: Span) -> LogicalOperator {
        let (operator, is_exact) = match text {
            "and" | "&&" => (LogicalOperator::And, true),
            "or" | "||" => (LogicalOperator::Or, true),
            "xor" | "^^" => (LogicalOperator::Xor, true),
            "&" => (LogicalOperator::And, false),
            "|" => (LogicalOperator::Or, false),
            "^" => (LogicalOperator::Xor, false),
            word if word.eq_ignore_ascii_case("and") => (LogicalOperator::And, false),
            word if word.eq_ignore_ascii_case("or") => (LogicalOperator::Or, false),
            _ => (LogicalOperator::Xor, false),
        };
        if !is_exact {
            let after = self.source.get(span.end..).unwrap_or_default().trim_start_matches(' ');
            // Two values joined by `|` are not conditions.
            let is_clear = !after.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | '\'' | '{'))
                && !self.is_followed_by_symbol(span);
            self.report(errors::logical_operator_error(span, text, operator, is_clear));
        } else {
            self.report_unspaced(text, span);
        }
        operator
    }

    fn check_prefix(&mut self, text: &str, span: Span) {
        if text == "not" {
            self.report_unspaced(text, span);
        } else if text != "!" {
            self.report(errors::uppercase_operator_error(span, text, "not"));
        }
    }

    /// Warns about a word operator that touches the word before or after it: `ssl andssl`, `eq 80or ssl`.
    pub(super) fn report_unspaced(&mut self, word: &str, span: Span) {
        if !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return;
        }
        let is_adjacent = |at: Option<usize>| {
            at.and_then(|at| self.source.as_bytes().get(at))
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':'))
        };
        let before = is_adjacent(span.start.checked_sub(1));
        let after = is_adjacent(Some(span.end));
        let (message, title) = match (before, after) {
            (false, false) => return,
            (false, true) => ("is not separated from the text after it", "add a space after it"),
            (true, false) => ("is not separated from the text before it", "add a space before it"),
            (true, true) => ("is not separated from the text around it", "add spaces around it"),
        };
        let ends = [(before, span.start), (after, span.end)];
        let edits = ends.iter().filter(|(is_adjacent, _)| *is_adjacent).map(|(_, at)| Edit::insert(*at, " ")).collect();
        self.report(
            Diagnostic::warning(code::UNSPACED_OPERATOR, span, format!("`{word}` {message}"))
                .with_help("this is allowed, but it reads as one word")
                .with_fix(Fix::safe_edits(title, edits)),
        );
    }

    /// Returns a word that replaces a symbol, with spaces where the symbol touches its operands.
    pub(super) fn pad_keyword(&self, symbol: Span, word: &str) -> String {
        let is_adjacent = |c: char| !c.is_whitespace();
        let before = self.source.get(..symbol.start).is_some_and(|before| before.ends_with(is_adjacent));
        let after = self.source.get(symbol.end..).is_some_and(|after| after.starts_with(is_adjacent));
        let space = |is_needed: bool| if is_needed { " " } else { "" };
        format!("{}{word}{}", space(before), space(after))
    }

    /// Returns whether another symbol follows, so that both may be meant as one operator: `!~*`, `=!`.
    pub(super) fn is_followed_by_symbol(&self, symbol: Span) -> bool {
        let is_symbol = |c: char| matches!(c, '!' | '~' | '*' | '=' | '<' | '>' | '^' | '&' | '|' | '%' | '+');
        self.source.get(symbol.end..).is_some_and(|after| after.starts_with(is_symbol))
    }

    /// Lowers a condition with its negations. `not` applies to the next simple condition only, and the last `not` is
    /// innermost.
    fn lower_negated(&mut self, negations: &[Span], pairs: &mut ChildPairs<'i>) -> Expr {
        let Some((first, rest)) = negations.split_first() else { return self.lower_condition(pairs) };
        let is_at_end = pairs.peek().is_none_or(|next| next.as_rule() == Rule::infix || ends_chain(next.as_rule()));
        // `with_nesting` bounds the depth of this recursion.
        let lowered = self.with_nesting(*first, |lowering| {
            if rest.is_empty() && is_at_end {
                lowering.report(
                    Diagnostic::error(code::MISSING_OPERAND, *first, "expected a condition after `not`")
                        .with_label("nothing to negate"),
                );
                return invalid_expr(*first);
            }
            lowering.lower_negated(rest, pairs)
        });
        let Some(inner) = lowered else {
            if !is_at_end {
                self.lower_condition(pairs);
            }
            return invalid_expr(*first);
        };
        let span = first.to(inner.span);
        Expr { kind: ExprKind::Not(Not { operator: *first, operand: Box::new(inner) }), span }
    }

    /// Appends a condition to the chain. Two adjacent conditions lack an operator.
    fn push_operand(&mut self, chain: &mut OperandChain, operand: Expr) {
        let Some(operand) = self.merge_method(chain, operand) else { return };
        if chain.operands.len() > chain.operators.len()
            && chain.is_argument
            && self.split_at_missing_comma(chain, &operand)
        {
            chain.operands.push(operand);
            return;
        }
        let Some(operand) = self.insert_missing_comparison(chain, operand) else { return };
        let operand = self.reject_bare_set(operand);
        if chain.operands.len() > chain.operators.len() {
            let is_reported = |expr: &Expr| matches!(strip_negations(expr).kind, ExprKind::Invalid);
            let follows_error = chain.operands.last().is_some_and(is_reported) || is_reported(&operand);
            if !follows_error {
                let gap = Span::new(chain.operands.last().map_or(0, |last| last.span.end), operand.span.start);
                self.report(missing_logical_operator_error(gap, operand.span));
            }
            chain.operators.push((LogicalOperator::And, Span::empty(operand.span.start)));
            // The checker would report that a literal is not a condition, which is the same error.
            if follows_error || matches!(operand.kind, ExprKind::Literal(_)) {
                // Text that directly follows an error belongs to it.
                chain.operands.push(invalid_expr(operand.span));
                return;
            }
        }
        chain.operands.push(operand);
    }

    /// If a literal or value directly follows another, reports a missing comma and ends the argument. Returns whether
    /// it did.
    fn split_at_missing_comma(&mut self, chain: &mut OperandChain, operand: &Expr) -> bool {
        let is_valid_value = |expr: &Expr| match &expr.kind {
            ExprKind::Literal(_) => true,
            ExprKind::Value(value) => value.indexes.iter().all(|index| index.kind != IndexKind::Invalid),
            _ => false,
        };
        let Some(last) = chain.operands.last() else { return false };
        if !(is_valid_value(last) && is_valid_value(operand)) {
            return false;
        }
        let at = last.span.end;
        self.report(
            Diagnostic::error(code::MISSING_COMMA, operand.span, "expected a comma before this argument")
                .with_fix(Fix::safe_edits("insert a comma", vec![Edit::insert(at, ",")])),
        );
        chain.completed_arguments.push(fold_by_precedence(
            std::mem::take(&mut chain.operands),
            &chain.operators,
            LogicalOperator::Or,
        ));
        chain.operators.clear();
        true
    }

    /// Lowers syntax that is not a condition where a condition should begin, and reports it unless it is a set or list.
    pub(super) fn lower_non_condition(&mut self, pair: Pair<'i>) -> Expr {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::misplaced_operator => {
                let symbol = child_pairs(pair).next().map_or(span, |symbol| self.span(&symbol));
                self.report(errors::misplaced_operator_error(symbol, symbol.text(self.source)));
            }
            // `push_operand` decides whether an operator is missing before it.
            Rule::set => return self.lower_set(pair),
            Rule::list if pair.as_str() != "$" => return self.lower_list(&pair),
            _ => self.report(errors::unexpected_text_error(span, pair.as_str())),
        }
        invalid_expr(span)
    }
}

/// Returns whether a rule ends the chain and belongs to the enclosing syntax.
fn ends_chain(rule: Rule) -> bool {
    matches!(rule, Rule::closer | Rule::inner_closer | Rule::unclosed | Rule::too_deep | Rule::EOI)
}

/// Returns the span of the operator of a condition, if the operator is `eq`.
fn find_equal_operator(expr: &Expr) -> Option<Span> {
    match &strip_negations(expr).kind {
        ExprKind::Comparison(comparison) if comparison.operator == ComparisonOperator::Equal => {
            Some(comparison.operator_span)
        }
        _ => None,
    }
}

fn strip_negations(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Not(not) => strip_negations(&not.operand),
        _ => expr,
    }
}

fn missing_operand_error(operator: LogicalOperator, span: Span, side: &str, source: &str) -> Diagnostic {
    let word = operator.word();
    Diagnostic::error(code::MISSING_OPERAND, span, format!("expected a condition {side} `{word}`"))
        .with_label(format!("nothing {side} it"))
        .with_fix(Fix::unsafe_edits(
            "remove the operator",
            vec![Edit::delete(errors::extend_over_leading_spaces(span, source))],
        ))
}

fn missing_logical_operator_error(gap: Span, second: Span) -> Diagnostic {
    let insert_fix = |word: &str| {
        let text = if gap.start == gap.end { format!(" {word} ") } else { format!("{word} ") };
        Fix::unsafe_edits(format!("insert `{word}`"), vec![Edit::insert(gap.end, text)])
    };
    Diagnostic::error(code::MISSING_LOGICAL_OPERATOR, second, "expected a logical operator before this condition")
        .with_help("combine the two conditions with `and`, `or` or `xor`")
        .with_fix(insert_fix("and"))
        .with_fix(insert_fix("or"))
}

/// Splits a chain at the operators of one level of precedence, and its fragments at the next level. Each chain of one
/// operator becomes one node.
fn fold_by_precedence(operands: Vec<Expr>, operators: &[(LogicalOperator, Span)], level: LogicalOperator) -> Expr {
    let Some((first, _)) = operators.first() else {
        return operands.into_iter().next().unwrap_or_else(|| invalid_expr(Span::empty(0)));
    };
    if operators.iter().all(|(operator, _)| operator == first) {
        return build_logical(*first, operands, operators.iter().map(|(_, span)| *span).collect());
    }
    let next = match level {
        LogicalOperator::Or => Some(LogicalOperator::Xor),
        LogicalOperator::Xor => Some(LogicalOperator::And),
        LogicalOperator::And => None,
    };
    let mut fragments = Vec::new();
    let mut spans = Vec::new();
    let mut fragment = Vec::new();
    let mut fragment_start = 0;
    for (index, operand) in operands.into_iter().enumerate() {
        fragment.push(operand);
        let is_split = operators.get(index).is_none_or(|(operator, _)| *operator == level);
        if is_split {
            let run = operators.get(fragment_start..index).unwrap_or_default();
            fragments.push(match next {
                Some(next) if fragment.len() > 1 => fold_by_precedence(std::mem::take(&mut fragment), run, next),
                _ => fragment.pop().unwrap_or_else(|| invalid_expr(Span::empty(0))),
            });
            fragment.clear();
            fragment_start = index + 1;
            spans.extend(operators.get(index).map(|(_, span)| *span));
        }
    }
    match fragments.len() {
        1 => fragments.pop().unwrap_or_else(|| invalid_expr(Span::empty(0))),
        _ => build_logical(level, fragments, spans),
    }
}

fn build_logical(operator: LogicalOperator, operands: Vec<Expr>, operators: Vec<Span>) -> Expr {
    let span = match (operands.first(), operands.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => Span::empty(0),
    };
    Expr { kind: ExprKind::Logical(Logical { operator, operands, operators }), span }
}
