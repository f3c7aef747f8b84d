//! The names and literals of an expression.

use zonewright_expression::ast::{Expr, ExprKind, IndexKind, Literal, LiteralKind, Value};
use zonewright_expression::schema::{self, Field};

/// A name or literal of an expression.
enum Symbol<'a> {
    /// A name that is not called, such as that of a field.
    Name(&'a str),
    /// A string literal or map key.
    Text(String),
    /// A named list.
    List(&'a str),
}

/// Returns every string literal and map key, in source order.
pub(crate) fn string_literals(expr: &Expr) -> Vec<String> {
    let mut found = Vec::new();
    walk(expr, &mut |piece| {
        if let Symbol::Text(text) = piece {
            found.push(text);
        }
    });
    found
}

/// Returns every field once, in source order.
pub(crate) fn referenced_fields(expr: &Expr) -> Vec<&'static Field> {
    let mut found: Vec<&'static Field> = Vec::new();
    walk(expr, &mut |piece| {
        let Symbol::Name(name) = piece else { return };
        if let Some(field) = schema::field(name).filter(|field| found.iter().all(|other| other.name != field.name)) {
            found.push(field);
        }
    });
    found
}

/// Returns every named list once, in source order.
pub(crate) fn referenced_lists(expr: &Expr) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    walk(expr, &mut |piece| {
        if let Symbol::List(name) = piece
            && !found.iter().any(|other| other == name)
        {
            found.push(name.to_owned());
        }
    });
    found
}

// The parser bounds the depth of a tree, so the recursion is bounded.
fn walk<'a>(expr: &'a Expr, take: &mut impl FnMut(Symbol<'a>)) {
    match &expr.kind {
        ExprKind::Logical(logical) => logical.operands.iter().for_each(|operand| walk(operand, take)),
        ExprKind::Not(not) => walk(&not.operand, take),
        ExprKind::Group(inside) => walk(inside, take),
        ExprKind::Comparison(comparison) => {
            walk(&comparison.left, take);
            walk(&comparison.right, take);
        }
        ExprKind::Value(value) => walk_value(value, take),
        ExprKind::Literal(literal) => walk_literal(literal, take),
        ExprKind::Set(items) => items.iter().for_each(|item| walk_literal(item, take)),
        ExprKind::List(list) => take(Symbol::List(&list.name)),
        ExprKind::Invalid => {}
    }
}

fn walk_value<'a>(value: &'a Value, take: &mut impl FnMut(Symbol<'a>)) {
    match &value.call {
        Some(call) => call.arguments.iter().for_each(|argument| walk(argument, take)),
        None => take(Symbol::Name(&value.name.text)),
    }
    for index in &value.indexes {
        if let IndexKind::Key(key) = &index.kind {
            take(Symbol::Text(key.clone()));
        }
    }
}

fn walk_literal<'a>(literal: &Literal, take: &mut impl FnMut(Symbol<'a>)) {
    match &literal.kind {
        LiteralKind::Quoted(bytes) => take(Symbol::Text(String::from_utf8_lossy(bytes).into_owned())),
        LiteralKind::Raw(text) | LiteralKind::Regex(text) => take(Symbol::Text(text.clone())),
        LiteralKind::Unquoted(_) | LiteralKind::Invalid => {}
    }
}
