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
    let mut texts = Vec::new();
    walk(expr, &mut |symbol| {
        if let Symbol::Text(text) = symbol {
            texts.push(text);
        }
    });
    texts
}

/// Returns every field once, in source order.
pub(crate) fn referenced_fields(expr: &Expr) -> Vec<&'static Field> {
    let mut fields: Vec<&'static Field> = Vec::new();
    walk(expr, &mut |symbol| {
        let Symbol::Name(name) = symbol else { return };
        if let Some(field) = schema::field(name).filter(|field| fields.iter().all(|other| other.name != field.name)) {
            fields.push(field);
        }
    });
    fields
}

/// Returns every named list once, in source order.
pub(crate) fn referenced_lists(expr: &Expr) -> Vec<String> {
    let mut lists: Vec<String> = Vec::new();
    walk(expr, &mut |symbol| {
        if let Symbol::List(name) = symbol
            && !lists.iter().any(|other| other == name)
        {
            lists.push(name.to_owned());
        }
    });
    lists
}

// The parser bounds the depth of a tree, so the recursion is bounded.
fn walk<'a>(expr: &'a Expr, visit: &mut impl FnMut(Symbol<'a>)) {
    match &expr.kind {
        ExprKind::Logical(logical) => logical.operands.iter().for_each(|operand| walk(operand, visit)),
        ExprKind::Not(not) => walk(&not.operand, visit),
        ExprKind::Group(inside) => walk(inside, visit),
        ExprKind::Comparison(comparison) => {
            walk(&comparison.left, visit);
            walk(&comparison.right, visit);
        }
        ExprKind::Value(value) => walk_value(value, visit),
        ExprKind::Literal(literal) => walk_literal(literal, visit),
        ExprKind::Set(items) => items.iter().for_each(|item| walk_literal(item, visit)),
        ExprKind::List(list) => visit(Symbol::List(&list.name)),
        ExprKind::Invalid => {}
    }
}

fn walk_value<'a>(value: &'a Value, visit: &mut impl FnMut(Symbol<'a>)) {
    match &value.call {
        Some(call) => call.arguments.iter().for_each(|argument| walk(argument, visit)),
        None => visit(Symbol::Name(&value.name.text)),
    }
    for index in &value.indexes {
        if let IndexKind::Key(key) = &index.kind {
            visit(Symbol::Text(key.clone()));
        }
    }
}

fn walk_literal<'a>(literal: &Literal, visit: &mut impl FnMut(Symbol<'a>)) {
    match &literal.kind {
        LiteralKind::Quoted(bytes) => visit(Symbol::Text(String::from_utf8_lossy(bytes).into_owned())),
        LiteralKind::Raw(text) | LiteralKind::Regex(text) => visit(Symbol::Text(text.clone())),
        LiteralKind::Unquoted(_) | LiteralKind::Invalid => {}
    }
}
