//! Conditions joined by logical operators.

use super::{Lowering, Pair, Rule, inner, invalid, mistake};
use crate::{
    ast::{Expr, ExprKind, Logical, LogicalOperator, Not},
    code,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// A row of conditions as it is read, before precedence.
#[derive(Default)]
struct Row {
    /// Whether it is an argument of a call, where a comma may have been forgotten.
    is_argument: bool,
    /// Arguments that a forgotten comma ended.
    ended: Vec<Expr>,
    operands: Vec<Expr>,
    /// The operator behind the operand of the same index.
    operators: Vec<(LogicalOperator, Span)>,
}

impl<'i> Lowering<'i> {
    /// The whole text.
    pub(super) fn source_rule(&mut self, pair: Pair<'i>) -> Expr {
        let span = self.span(&pair);
        self.chains(inner(pair), span)
    }

    /// The chains inside a bracket pair or the whole text: one when all is well.
    pub(super) fn chains(&mut self, pairs: impl Iterator<Item = Pair<'i>>, span: Span) -> Expr {
        let mut found: Option<Expr> = None;
        for pair in pairs {
            let at = self.span(&pair);
            match pair.as_rule() {
                // A second chain goes on behind a bracket that was reported.
                Rule::chain => {
                    let row = Row { operands: found.into_iter().collect(), ..Row::default() };
                    found = self.chain(pair, row).pop();
                }
                Rule::closer | Rule::inner_closer => self.report(mistake::unopened_bracket(at, pair.as_str())),
                _ => {}
            }
        }
        found.unwrap_or_else(|| invalid(span))
    }

    /// One argument of a call; more than one where a comma was forgotten. `before` was read as an
    /// argument until a bracket that is too many.
    pub(super) fn argument(&mut self, pair: Pair<'i>, before: Option<Expr>) -> Vec<Expr> {
        let row = Row { is_argument: true, operands: before.into_iter().collect(), ..Row::default() };
        self.chain(pair, row)
    }

    /// Prefixes, conditions and operators in a row.
    fn chain(&mut self, pair: Pair<'i>, mut row: Row) -> Vec<Expr> {
        let mut pairs = inner(pair).peekable();
        while let Some(pair) = pairs.next() {
            let span = self.span(&pair);
            match pair.as_rule() {
                Rule::infix => self.infix(&mut row, &pair, span),
                Rule::prefix => {
                    let mut negations = vec![self.negation(&pair, span)];
                    while let Some(next) = pairs.next_if(|next| next.as_rule() == Rule::prefix) {
                        let span = self.span(&next);
                        negations.push(self.negation(&next, span));
                    }
                    let operand = pairs.next_if(|next| next.as_rule() != Rule::infix);
                    let negated = self.negated(&negations, operand);
                    self.operand(&mut row, negated);
                }
                _ => {
                    let operand = self.primary(pair);
                    self.operand(&mut row, operand);
                }
            }
        }
        if row.operators.len() == row.operands.len() {
            let Some((operator, span)) = row.operators.pop() else { return row.ended };
            self.report(missing_operand(operator, span, "after"));
            // The row is not what was meant, but what stands there is still worth checking.
            row.operators.push((operator, span));
            row.operands.push(invalid(Span::at(span.end)));
        }
        row.ended.push(fold(row.operands, &row.operators, LogicalOperator::Or));
        row.ended
    }

    fn infix(&mut self, row: &mut Row, pair: &Pair<'i>, span: Span) {
        let operator = self.logical_operator(pair, span);
        if row.operators.len() == row.operands.len() {
            let side = if row.operands.is_empty() { "before" } else { "after" };
            let blamed = row.operators.last().map_or((operator, span), |last| *last);
            self.report(missing_operand(blamed.0, blamed.1, side));
            row.operands.push(invalid(Span::at(span.start)));
        }
        row.operators.push((operator, span));
    }

    fn logical_operator(&mut self, pair: &Pair<'i>, span: Span) -> LogicalOperator {
        let text = pair.as_str();
        let (operator, exact) = match text {
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
        if !exact {
            self.report(mistake::logical_operator(span, text, operator));
        } else if text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            self.report_glued(span);
        }
        operator
    }

    fn negation(&mut self, pair: &Pair<'i>, span: Span) -> Span {
        if pair.as_str().eq_ignore_ascii_case("not") {
            if pair.as_str() != "not" {
                self.report(mistake::uppercase(span, pair.as_str(), "not"));
            } else {
                self.report_glued(span);
            }
        }
        span
    }

    /// Says when a word runs into the next one: `ssl andssl`.
    pub(super) fn report_glued(&mut self, span: Span) {
        let next = self.source.get(span.end..).and_then(|rest| rest.chars().next());
        if next.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_' || c == '"') {
            let word = span.text(self.source);
            self.report(
                Diagnostic::warning(code::GLUED_OPERATOR, span, format!("`{word}` runs into what follows it"))
                    .with_help("the language allows it, but it reads as one word")
                    .with_fix(Fix::safe("put a space behind it", vec![Edit::insert(span.end, " ")])),
            );
        }
    }

    /// `not` applies to the next simple condition only; the innermost is the last one written.
    fn negated(&mut self, negations: &[Span], operand: Option<Pair<'i>>) -> Expr {
        let Some((first, rest)) = negations.split_first() else {
            return match operand {
                Some(pair) => self.primary(pair),
                None => invalid(Span::at(self.offset)),
            };
        };
        // The recursion is as deep as `deeper` allows.
        let lowered = self.deeper(*first, |lowering| {
            if rest.is_empty() && operand.is_none() {
                lowering.report(
                    Diagnostic::error(code::MISSING_OPERAND, *first, "expected a condition after `not`")
                        .with_label("nothing to negate"),
                );
                return invalid(*first);
            }
            lowering.negated(rest, operand)
        });
        let Some(inner) = lowered else { return invalid(*first) };
        let span = first.to(inner.span);
        Expr { kind: ExprKind::Not(Not { operator: *first, operand: Box::new(inner) }), span }
    }

    /// Puts a condition into the row; two side by side lack an operator.
    fn operand(&mut self, row: &mut Row, operand: Expr) {
        if row.operands.len() > row.operators.len() {
            if row.is_argument && self.forgotten_comma(row, &operand) {
                row.operands.push(operand);
                return;
            }
            let explained = |expr: &Expr| matches!(innermost(expr).kind, ExprKind::Invalid);
            let known = row.operands.last().is_some_and(explained) || explained(&operand);
            if !known {
                let gap = Span::new(row.operands.last().map_or(0, |last| last.span.end), operand.span.start);
                self.report(missing_logical_operator(gap, operand.span));
            }
            row.operators.push((LogicalOperator::And, Span::at(operand.span.start)));
            if known {
                // What follows a mistake on its heels is part of the mistake.
                row.operands.push(invalid(operand.span));
                return;
            }
        }
        row.operands.push(operand);
    }

    /// Ends the argument when a literal or a plain value stands beside another operand: no logical
    /// operator could join these.
    fn forgotten_comma(&mut self, row: &mut Row, operand: &Expr) -> bool {
        let plain = |expr: &Expr| matches!(expr.kind, ExprKind::Literal(_) | ExprKind::Value(_));
        let Some(last) = row.operands.last() else { return false };
        if !(plain(last) && plain(operand)) {
            return false;
        }
        let at = last.span.end;
        self.report(
            Diagnostic::error(code::MISSING_COMMA, operand.span, "expected a comma before this argument")
                .with_fix(Fix::safe("put a comma between", vec![Edit::insert(at, ",")])),
        );
        row.ended.push(fold(std::mem::take(&mut row.operands), &row.operators, LogicalOperator::Or));
        row.operators.clear();
        true
    }

    fn primary(&mut self, pair: Pair<'i>) -> Expr {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::condition => self.condition(pair),
            Rule::stray_operator => {
                let symbol = inner(pair).next().map_or(span, |symbol| self.span(&symbol));
                self.report(mistake::misplaced_operator(symbol, symbol.text(self.source)));
                invalid(span)
            }
            Rule::set => {
                let set = self.set(pair);
                if !matches!(set.kind, ExprKind::Invalid) {
                    self.report(
                        Diagnostic::error(code::UNEXPECTED_TEXT, span, "a set can only stand after `in`")
                            .with_help("write what is looked for before it: `ip.src in {…}`"),
                    );
                }
                invalid(span)
            }
            _ => {
                self.report(mistake::junk(span, pair.as_str()));
                invalid(span)
            }
        }
    }
}

fn innermost(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Not(not) => innermost(&not.operand),
        _ => expr,
    }
}

fn missing_operand(operator: LogicalOperator, span: Span, side: &str) -> Diagnostic {
    let word = operator.word();
    Diagnostic::error(code::MISSING_OPERAND, span, format!("expected a condition {side} `{word}`"))
        .with_label(format!("nothing {side} it"))
        .with_fix(Fix::unsafe_("remove the operator", vec![Edit::delete(span)]))
}

fn missing_logical_operator(gap: Span, second: Span) -> Diagnostic {
    let joined = |word: &str| {
        let text = if gap.start == gap.end { format!(" {word} ") } else { format!("{word} ") };
        Fix::unsafe_(format!("put `{word}` between"), vec![Edit::insert(gap.end, text)])
    };
    Diagnostic::error(code::MISSING_LOGICAL_OPERATOR, second, "expected a logical operator before this condition")
        .with_help("join the two conditions by `and`, `or` or `xor`")
        .with_fix(joined("and"))
        .with_fix(joined("or"))
}

/// Splits a row at the loosest operator, its pieces at the next one: chains of one operator become
/// one node.
fn fold(operands: Vec<Expr>, operators: &[(LogicalOperator, Span)], level: LogicalOperator) -> Expr {
    let next = match level {
        LogicalOperator::Or => Some(LogicalOperator::Xor),
        LogicalOperator::Xor => Some(LogicalOperator::And),
        LogicalOperator::And => None,
    };
    let mut pieces = Vec::new();
    let mut spans = Vec::new();
    let mut piece = Vec::new();
    let mut piece_start = 0;
    for (index, operand) in operands.into_iter().enumerate() {
        piece.push(operand);
        let splits = operators.get(index).is_none_or(|(operator, _)| *operator == level);
        if splits {
            let inside = operators.get(piece_start..index).unwrap_or_default();
            pieces.push(match next {
                Some(next) if piece.len() > 1 => fold(std::mem::take(&mut piece), inside, next),
                _ => piece.pop().unwrap_or_else(|| invalid(Span::at(0))),
            });
            piece.clear();
            piece_start = index + 1;
            spans.extend(operators.get(index).map(|(_, span)| *span));
        }
    }
    if pieces.len() == 1 {
        return pieces.pop().unwrap_or_else(|| invalid(Span::at(0)));
    }
    let span = match (pieces.first(), pieces.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => Span::at(0),
    };
    Expr { kind: ExprKind::Logical(Logical { operator: level, operands: pieces, operators: spans }), span }
}
