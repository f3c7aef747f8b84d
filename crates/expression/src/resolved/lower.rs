//! Lowers a syntax tree to the resolved tree.
//!
//! Lowering never fails: invalid parts become `Invalid` variants.

use super::{
    Argument, Call, Comparison, Condition, ConditionKind, Index, Literal, Operand, OperandSource, ResolvedExpression,
    RightOperand, SetItem,
};
use crate::{
    Kind, Scalar, Type,
    ast::{self, ComparisonOperator as Op, Expr, ExprKind, IndexKind, LiteralKind},
    number::{self, AddressItem},
    schema::{self, AcceptedType, Function, Param, ReturnType},
};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use zonewright_diagnostic::Span;

/// Lowers an expression of this kind.
pub(crate) fn lower(expr: &Expr, kind: Kind) -> ResolvedExpression {
    match &expr.kind {
        ExprKind::Value(value) if kind == Kind::Value => ResolvedExpression::Value(lower_operand(value, expr.span)),
        _ if is_true_literal(expr) => {
            ResolvedExpression::Condition(Condition { kind: ConditionKind::True, span: expr.span })
        }
        _ => ResolvedExpression::Condition(lower_condition(expr)),
    }
}

fn is_true_literal(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Value(ast::Value { name, call: None, .. }) if name.text == "true")
}

fn lower_condition(expr: &Expr) -> Condition {
    let kind = match &expr.kind {
        ExprKind::Logical(logical) => {
            ConditionKind::Logical(logical.operator, logical.operands.iter().map(lower_condition).collect())
        }
        ExprKind::Not(not) => ConditionKind::Not(Box::new(lower_condition(&not.operand))),
        ExprKind::Group(inner) => ConditionKind::Group(Box::new(lower_condition(inner))),
        ExprKind::Value(value) => ConditionKind::Value(lower_operand(value, expr.span)),
        ExprKind::Comparison(comparison) => match lower_comparison(comparison) {
            Some(comparison) => ConditionKind::Comparison(Box::new(comparison)),
            None => ConditionKind::Invalid,
        },
        ExprKind::Literal(_) | ExprKind::Set(_) | ExprKind::List(_) | ExprKind::Invalid => ConditionKind::Invalid,
    };
    Condition { kind, span: expr.span }
}

fn lower_comparison(comparison: &ast::Comparison) -> Option<Comparison> {
    let ExprKind::Value(value) = &comparison.left.kind else { return None };
    let left = lower_operand(value, comparison.left.span);
    let right = lower_right(comparison, left.ty).unwrap_or(RightOperand::Invalid);
    Some(Comparison {
        left,
        operator: comparison.operator,
        operator_span: comparison.operator_span,
        right,
        right_span: comparison.right.span,
    })
}

fn lower_right(comparison: &ast::Comparison, left: Type) -> Option<RightOperand> {
    Some(match (&comparison.right.kind, comparison.operator) {
        (ExprKind::Literal(ast_literal), Op::Matches) => {
            RightOperand::Regex(String::from_utf8_lossy(&literal_bytes(ast_literal)?).into_owned())
        }
        (ExprKind::Literal(ast_literal), Op::Wildcard | Op::StrictWildcard) => {
            RightOperand::Wildcard(literal_bytes(ast_literal)?)
        }
        (ExprKind::Literal(ast_literal), _) => RightOperand::Literal(lower_literal(ast_literal, left.scalar)?),
        (ExprKind::Set(items), _) => lower_set(items, left.scalar)?,
        (ExprKind::List(list), _) => RightOperand::List(list.name.clone()),
        (ExprKind::Value(value), _) => match parse_name_as_bytes(value) {
            Some(bytes) => RightOperand::Literal(Literal::Text(bytes)),
            None => RightOperand::Value(lower_operand(value, comparison.right.span)),
        },
        _ => return None,
    })
}

/// Returns the bytes of a name that is a byte literal, such as `ab.cd`.
fn parse_name_as_bytes(value: &ast::Value) -> Option<Vec<u8>> {
    let is_bare = value.call.is_none() && value.indexes.is_empty();
    number::parse_bytes(&value.name.text).filter(|_| is_bare && schema::field(&value.name.text).is_none())
}

fn lower_set(items: &[ast::Literal], scalar: Scalar) -> Option<RightOperand> {
    fn lower_items<T>(items: &[ast::Literal], read: impl Fn(&ast::Literal) -> Option<T>) -> Option<Vec<SetItem<T>>> {
        items.iter().map(|item| Some(SetItem { value: read(item)?, span: item.span })).collect()
    }
    Some(match scalar {
        Scalar::String | Scalar::Bytes => RightOperand::Texts(lower_items(items, literal_bytes)?),
        Scalar::Integer => {
            RightOperand::Integers(lower_items(items, |item| parse_integer_range(&literal_word(item)?))?)
        }
        Scalar::Ip => RightOperand::Addresses(lower_items(items, |item| parse_address_range(&literal_word(item)?))?),
        Scalar::Boolean => return None,
    })
}

/// Returns the bounds of an integer or a range of integers.
fn parse_integer_range(word: &str) -> Option<(i64, i64)> {
    let (first, last) = word.split_once("..").unwrap_or((word, word));
    Some((number::parse_integer(first).ok()?, number::parse_integer(last).ok()?))
}

/// Returns the first and last address of a set item, or `None` if it is malformed.
fn parse_address_range(word: &str) -> Option<(IpAddr, IpAddr)> {
    Some(match number::parse_address_item(word).ok()? {
        AddressItem::Single(address) => (address, address),
        AddressItem::Range(first, last) => (first, last),
        AddressItem::Network(start, prefix) => (start, last_address(start, prefix)),
    })
}

fn last_address(start: IpAddr, prefix: u8) -> IpAddr {
    match start {
        IpAddr::V4(v4) => {
            let host = u32::MAX.checked_shr(u32::from(prefix)).unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from_bits(v4.to_bits() | host))
        }
        IpAddr::V6(v6) => {
            let host = u128::MAX.checked_shr(u32::from(prefix)).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() | host))
        }
    }
}

fn lower_literal(ast_literal: &ast::Literal, scalar: Scalar) -> Option<Literal> {
    Some(match scalar {
        Scalar::String | Scalar::Bytes => Literal::Text(literal_bytes(ast_literal)?),
        Scalar::Integer => Literal::Integer(number::parse_integer(&literal_word(ast_literal)?).ok()?),
        Scalar::Ip => Literal::Ip(literal_word(ast_literal)?.parse().ok()?),
        Scalar::Boolean => return None,
    })
}

fn literal_bytes(ast_literal: &ast::Literal) -> Option<Vec<u8>> {
    match &ast_literal.kind {
        LiteralKind::Quoted(bytes) => Some(bytes.clone()),
        LiteralKind::Raw(text) | LiteralKind::Regex(text) => Some(text.clone().into_bytes()),
        LiteralKind::Unquoted(word) => number::parse_bytes(word),
        LiteralKind::Invalid => None,
    }
}

fn literal_word(ast_literal: &ast::Literal) -> Option<smol_str::SmolStr> {
    match &ast_literal.kind {
        LiteralKind::Unquoted(word) => Some(word.clone()),
        _ => None,
    }
}

fn lower_operand(value: &ast::Value, span: Span) -> Operand {
    let (source, mut ty) = match &value.call {
        Some(call) => lower_call(&value.name.text, call),
        None => match schema::field(&value.name.text) {
            Some(field) => (OperandSource::Field(field), field.ty),
            None => (OperandSource::Invalid, Type::STRING),
        },
    };
    let mut each = false;
    let mut indexes = Vec::with_capacity(value.indexes.len());
    for index in &value.indexes {
        ty = ty.element();
        indexes.push(match &index.kind {
            IndexKind::Element(position) => Index::Element(*position),
            IndexKind::Key(key) => Index::Key(key.clone()),
            IndexKind::Each | IndexKind::Invalid => {
                each = true;
                Index::Each
            }
        });
    }
    Operand { source, indexes, ty, each, span }
}

fn lower_call(name: &str, call: &ast::Call) -> (OperandSource, Type) {
    let Some(function) = schema::function(name) else { return (OperandSource::Invalid, Type::STRING) };
    let mut first = None;
    let mut arguments = Vec::with_capacity(call.arguments.len());
    for (position, expr) in call.arguments.iter().enumerate() {
        let (argument, ty) = lower_argument(function, position, expr, first);
        first = first.or(Some(ty));
        arguments.push(argument);
    }
    let each = function.maps_each && matches!(arguments.first(), Some(Argument::Value(value)) if value.each);
    let returns = match function.returns {
        ReturnType::Type(ty) => ty,
        ReturnType::SameAsFirst => first.unwrap_or(Type::STRING),
    };
    let ty = if each { returns.array() } else { returns };
    (OperandSource::Call(Box::new(Call { function, arguments, each })), ty)
}

fn lower_argument(function: &Function, position: usize, expr: &Expr, first: Option<Type>) -> (Argument, Type) {
    match &expr.kind {
        ExprKind::Literal(ast_literal) => {
            let param = function.params.get(position).or(function.params.last());
            let literal = lower_literal_argument(param, ast_literal, first);
            let ty = match literal {
                Literal::Text(_) => Type::STRING,
                Literal::Integer(_) => Type::INTEGER,
                Literal::Ip(_) => Type::IP,
            };
            (Argument::Literal(literal, expr.span), ty)
        }
        ExprKind::Value(value) => {
            let operand = lower_operand(value, expr.span);
            let ty = operand.ty;
            (Argument::Value(operand), ty)
        }
        _ => {
            let condition = lower_condition(expr);
            let ty = condition.ty();
            (Argument::Condition(condition), ty)
        }
    }
}

/// Returns a literal argument in the type that the checker assigned to it.
fn lower_literal_argument(param: Option<&Param>, ast_literal: &ast::Literal, first: Option<Type>) -> Literal {
    let LiteralKind::Unquoted(word) = &ast_literal.kind else {
        return Literal::Text(literal_bytes(ast_literal).unwrap_or_default());
    };
    let is_number = word.starts_with(|c: char| c.is_ascii_digit() || c == '-') && !word.contains(['.', ':']);
    let integer = number::parse_integer(word).ok();
    if let Some(integer) = integer.filter(|_| is_number && param.is_some_and(|param| accepts_integer(param, first))) {
        return Literal::Integer(integer);
    }
    if let Ok(address) = word.parse() {
        return Literal::Ip(address);
    }
    match integer {
        Some(integer) => Literal::Integer(integer),
        None => Literal::Text(number::parse_bytes(word).unwrap_or_default()),
    }
}

fn accepts_integer(param: &Param, first: Option<Type>) -> bool {
    param.accepts.iter().any(|accept| match accept {
        AcceptedType::Type(ty) => ty.is_compatible_with(Type::INTEGER),
        AcceptedType::Anything => true,
        AcceptedType::SameAsFirst => first.is_none_or(|first| first.is_compatible_with(Type::INTEGER)),
        AcceptedType::ElementOfFirst => first.is_none_or(|first| first.element().is_compatible_with(Type::INTEGER)),
        AcceptedType::AnyArray | AcceptedType::AnyMap | AcceptedType::CollectionOfScalars => false,
    })
}
