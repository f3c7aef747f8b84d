//! Wording of conditions and logical operations.

use super::{
    OutlineKind, OutlineNode,
    explainer::Explainer,
    field_names,
    noun_phrase::{ElementReference, Noun},
    syntax::{may_be_missing, quantifier},
};
use crate::{
    Kind, Type,
    ast::{Call, ComparisonOperator, Expr, ExprKind, Logical, LogicalOperator, Value},
    check::infer_type,
    schema::{self, Quantifier},
};
use zonewright_diagnostic::Span;

/// The wording of `true`.
pub(super) const EVERY_REQUEST: &str = "every request";

impl Explainer<'_> {
    /// Returns whether an expression that is only a value is explained as a value, not as a condition.
    pub(super) fn is_value(&self, value: &Value, kind: Kind) -> bool {
        let is_condition =
            |ty: Type| ty.is_compatible_with(Type::BOOLEAN) || ty.element().is_compatible_with(Type::BOOLEAN);
        !is_true(value) && (kind == Kind::Value || infer_type(value).is_some_and(|ty| !is_condition(ty)))
    }

    /// Explains a value expression.
    pub(super) fn explain_value_expression(&self, value: &Value, span: Span) -> OutlineNode {
        let phrase = self.explain_value(value, span, ElementReference::Whole);
        let text = match &phrase.noun {
            Noun::Collection(collection) => format!("all {}", collection.items),
            Noun::Singular(text) => text.trim_end_matches(',').to_owned(),
        };
        OutlineNode { kind: OutlineKind::Value, text, span, children: Vec::new() }
    }

    /// Explains a condition or its negation.
    pub(super) fn explain_condition(&self, expr: &Expr, negated: bool) -> OutlineNode {
        let text = match &expr.kind {
            ExprKind::Group(inner) => return self.explain_condition(inner, negated),
            ExprKind::Not(not) => {
                return OutlineNode { span: expr.span, ..self.explain_condition(&not.operand, !negated) };
            }
            ExprKind::Logical(logical) => return self.explain_logical(logical, expr.span, negated),
            ExprKind::Value(value) if is_true(value) && !negated => EVERY_REQUEST.to_owned(),
            ExprKind::Value(Value { name, call: Some(call), indexes })
                if indexes.is_empty()
                    && let Some(quantifier) = quantifier(name) =>
            {
                return OutlineNode { span: expr.span, ..self.explain_quantifier(quantifier, call, negated) };
            }
            _ => self.explain_leaf(expr, ElementReference::Whole, negated),
        };
        leaf_node(text, expr.span)
    }

    /// Explains a comparison or a Boolean value.
    fn explain_leaf(&self, expr: &Expr, reference: ElementReference, negated: bool) -> String {
        match &expr.kind {
            ExprKind::Comparison(comparison) => self.explain_comparison(comparison, reference, negated),
            ExprKind::Value(value) => self.phrase_boolean(value, expr, reference, negated),
            _ => truth_text(&self.explain_operand(expr, reference).text(), negated),
        }
    }

    fn phrase_boolean(&self, value: &Value, expr: &Expr, reference: ElementReference, negated: bool) -> String {
        let phrase = match (&value.call, value.indexes.as_slice()) {
            (Some(call), []) if let Some(quantifier) = quantifier(&value.name) => {
                return self.explain_quantifier(quantifier, call, negated).text;
            }
            (Some(call), []) => {
                let phrases = self.explain_arguments(call, reference);
                match self.phrase_boolean_call(&value.name, call, &phrases, reference, negated) {
                    Some(phrase) => return phrase,
                    None => self.explain_result(&value.name, call, &phrases, reference),
                }
            }
            (None, []) => match schema::field(&value.name.text) {
                Some(field) if field.ty == Type::BOOLEAN => {
                    let (yes, no) = field_names::boolean_phrases(field);
                    return if negated { no } else { yes };
                }
                _ => self.explain_operand(expr, reference),
            },
            _ => self.explain_operand(expr, reference),
        };
        let missing = negated && reference == ElementReference::Whole && may_be_missing(expr);
        truth_text(&format!("{}{}", phrase.text(), if missing { " is missing or" } else { "" }), negated)
    }

    fn explain_logical(&self, logical: &Logical, span: Span, negated: bool) -> OutlineNode {
        let kind = junction_kind(logical.operator);
        let mut operands = Vec::new();
        flatten(logical, &mut operands);
        let children: Vec<OutlineNode> =
            operands.iter().map(|operand| self.explain_condition(operand, false)).collect();
        let count = children.len();
        let junction = OutlineNode { kind, text: list_heading(kind, count, false).to_owned(), span, children };
        if !negated {
            return junction;
        }
        OutlineNode {
            kind: OutlineKind::Not,
            text: list_heading(kind, count, true).to_owned(),
            span,
            children: vec![junction],
        }
    }

    /// Explains `any(…)` or `all(…)`.
    pub(super) fn explain_quantifier(&self, quantifier: Quantifier, call: &Call, negated: bool) -> OutlineNode {
        let [argument] = call.arguments.as_slice() else {
            return leaf_node(truth_text(&self.quote_source(call.span), negated), call.span);
        };
        let (argument, inner_negated) = strip_groups_and_not(argument);
        if let ExprKind::Logical(logical) = &argument.kind {
            return self.explain_elementwise(quantifier, logical, call.span, [inner_negated, negated]);
        }
        let not_equal = matches!(&argument.kind,
            ExprKind::Comparison(comparison) if comparison.operator == ComparisonOperator::NotEqual);
        // "No name is …" reads better than "every name is not …".
        let (reference, is_negated) = match (quantifier, negated, inner_negated != not_equal) {
            (Quantifier::Any, false, negative) => (ElementReference::AtLeastOne, negative),
            (Quantifier::Any, true, false) | (Quantifier::All, false, true) => (ElementReference::No, false),
            (Quantifier::Any, true, true) | (Quantifier::All, false, false) => (ElementReference::Every, false),
            (Quantifier::All, true, false) => (ElementReference::NotEvery, false),
            (Quantifier::All, true, true) => (ElementReference::AtLeastOne, false),
        };
        leaf_node(self.explain_leaf(argument, reference, is_negated != not_equal), call.span)
    }

    /// Explains conditions on many values that are joined element by element.
    fn explain_elementwise(
        &self,
        quantifier: Quantifier,
        logical: &Logical,
        span: Span,
        [is_inner_negated, is_outer_negated]: [bool; 2],
    ) -> OutlineNode {
        let kind = junction_kind(logical.operator);
        let (quantified, negated) = match (quantifier, is_outer_negated) {
            (Quantifier::Any, false) => ("there is a position at which", is_inner_negated),
            (Quantifier::Any, true) => ("there is no position at which", is_inner_negated),
            (Quantifier::All, false) => ("at every position,", is_inner_negated),
            (Quantifier::All, true) => ("there is a position at which", !is_inner_negated),
        };
        let children: Vec<OutlineNode> = logical.operands.iter().map(|operand| self.explain_element(operand)).collect();
        let text = format!("{quantified} {}", list_heading(kind, children.len(), negated));
        OutlineNode { kind: OutlineKind::Condition, text, span, children }
    }

    /// Explains a condition on the element at one position.
    fn explain_element(&self, expr: &Expr) -> OutlineNode {
        let (inner, negated) = strip_groups_and_not(expr);
        match &inner.kind {
            ExprKind::Logical(logical) => {
                let children: Vec<OutlineNode> =
                    logical.operands.iter().map(|operand| self.explain_element(operand)).collect();
                let text = list_heading(junction_kind(logical.operator), children.len(), negated).to_owned();
                OutlineNode { kind: OutlineKind::Condition, text, span: expr.span, children }
            }
            _ => leaf_node(self.explain_leaf(inner, ElementReference::AtPosition, negated), expr.span),
        }
    }
}

fn junction_kind(operator: LogicalOperator) -> OutlineKind {
    match operator {
        LogicalOperator::And => OutlineKind::All,
        LogicalOperator::Or => OutlineKind::Any,
        LogicalOperator::Xor => OutlineKind::Xor,
    }
}

fn leaf_node(text: String, span: Span) -> OutlineNode {
    OutlineNode { kind: OutlineKind::Condition, text, span, children: Vec::new() }
}

fn truth_text(text: &str, negated: bool) -> String {
    format!("{text} is {}true", if negated { "not " } else { "" })
}

/// Returns whether the value is the word `true`.
fn is_true(value: &Value) -> bool {
    value.name.text == "true" && value.call.is_none() && value.indexes.is_empty()
}

/// Removes parentheses and negations; returns the inner expression and whether it is negated.
fn strip_groups_and_not(expr: &Expr) -> (&Expr, bool) {
    let (mut expr, mut negated) = (expr, false);
    loop {
        match &expr.kind {
            ExprKind::Group(inner) => expr = inner,
            ExprKind::Not(not) => {
                expr = &not.operand;
                negated = !negated;
            }
            _ => return (expr, negated),
        }
    }
}

/// Collects the operands of a chain, including those of parenthesized chains of the same operator.
fn flatten<'e>(logical: &'e Logical, operands: &mut Vec<&'e Expr>) {
    for operand in &logical.operands {
        let mut inner = operand;
        while let ExprKind::Group(grouped) = &inner.kind {
            inner = grouped;
        }
        match &inner.kind {
            // "Exactly one" is only correct for two operands, so chains of `xor` are not flattened.
            ExprKind::Logical(nested)
                if nested.operator == logical.operator && logical.operator != LogicalOperator::Xor =>
            {
                flatten(nested, operands);
            }
            _ => operands.push(operand),
        }
    }
}

/// Returns the heading of a list of conditions.
fn list_heading(kind: OutlineKind, count: usize, negated: bool) -> &'static str {
    match (kind, count, negated) {
        (OutlineKind::All, 2, false) => "both of these are true",
        (OutlineKind::All, 2, true) => "not both of these are true",
        (OutlineKind::All, _, false) => "all of these are true",
        (OutlineKind::All, _, true) => "not all of these are true",
        (OutlineKind::Any, 2, false) => "either of these is true",
        (OutlineKind::Any, 2, true) => "neither of these is true",
        (OutlineKind::Any, _, false) => "any of these is true",
        (OutlineKind::Any, _, true) => "none of these is true",
        (_, 2, false) => "exactly one of these is true",
        (_, 2, true) => "both of these are true, or neither is",
        (_, _, false) => "an odd number of these are true",
        (_, _, true) => "an even number of these are true, or none",
    }
}
