//! Syntax trees.
//!
//! Start with [`Expr`] and [`ExprKind`]. A tree is only syntax: it preserves every spelling (`eq` or `==`, quoted or
//! raw), and names and types are not resolved. It owns its text, and every node has a span.
//!
//! Invariant: a chain of one logical operator is one flat node. The depth of a tree therefore counts parentheses, `not`
//! and calls only, and is at most [`MAX_NESTING_DEPTH`].

use smol_str::SmolStr;
use zonewright_diagnostic::Span;

/// The maximum nesting depth of parentheses, `not` and calls (observed in the open-source engine).
pub const MAX_NESTING_DEPTH: usize = 128;

/// A node of the syntax tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The kind of the node, with its children.
    pub kind: ExprKind,
    /// The source span of the node.
    pub span: Span,
}

/// The kind of an expression node.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// Two or more conditions joined by one logical operator.
    Logical(Logical),
    /// A negation: `not x`, `!x`.
    Not(Not),
    /// A parenthesized condition: `(x)`.
    Group(Box<Expr>),
    /// A comparison: `left operator right`.
    Comparison(Box<Comparison>),
    /// A field or a call, with its indexes.
    Value(Value),
    /// A literal. It is valid on the right of an operator and as an argument, and an error elsewhere.
    Literal(Literal),
    /// A set: `{…}`.
    Set(Vec<Literal>),
    /// A named list: `$name`.
    List(List),
    /// Text that the parser already reported. It causes no further diagnostics.
    Invalid,
}

/// A chain of conditions under one logical operator.
#[derive(Clone, Debug, PartialEq)]
pub struct Logical {
    /// The operator of the chain.
    pub operator: LogicalOperator,
    /// The conditions; at least two.
    pub operands: Vec<Expr>,
    /// The span of each operator; one fewer than `operands`.
    pub operators: Vec<Span>,
}

/// A binary logical operator. A negation is a node of type [`Not`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogicalOperator {
    /// `or`, `||`: the lowest precedence.
    Or,
    /// `xor`, `^^`.
    Xor,
    /// `and`, `&&`: the highest precedence.
    And,
}

/// A negation.
#[derive(Clone, Debug, PartialEq)]
pub struct Not {
    /// The span of `not` or `!`.
    pub operator: Span,
    /// The negated condition.
    pub operand: Box<Expr>,
}

/// A comparison of a value with a right side.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The left side: a value, or an expression that a diagnostic reports.
    pub left: Expr,
    /// The operator.
    pub operator: ComparisonOperator,
    /// The span of the operator; its text is the spelling.
    pub operator_span: Span,
    /// The right side: a literal, a set, a list or, in a comparison of two values, a value.
    pub right: Expr,
}

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonOperator {
    /// `eq`, `==`.
    Equal,
    /// `ne`, `!=`.
    NotEqual,
    /// `lt`, `<`.
    Less,
    /// `le`, `<=`.
    LessOrEqual,
    /// `gt`, `>`.
    Greater,
    /// `ge`, `>=`.
    GreaterOrEqual,
    /// `contains`.
    Contains,
    /// `matches`, `~`.
    Matches,
    /// `wildcard`.
    Wildcard,
    /// `strict wildcard`.
    StrictWildcard,
    /// `in`.
    In,
    /// `&`, `bitwise_and`.
    BitwiseAnd,
}

/// A field or a call, with its indexes.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The name of the field or function.
    pub name: Name,
    /// The arguments of a call; `None` for a field. Boxed because most values are fields.
    pub call: Option<Box<Call>>,
    /// The indexes, from left to right.
    pub indexes: Vec<Index>,
}

/// A name as it is spelled in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The text of the name. Most names are short enough to be stored inline.
    pub text: SmolStr,
    /// The span of the name.
    pub span: Span,
}

/// The argument list of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The arguments, in source order.
    pub arguments: Vec<Expr>,
    /// The span from `(` to `)`.
    pub span: Span,
}

/// An index after a value: `[…]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// The kind of the index.
    pub kind: IndexKind,
    /// The span, brackets included.
    pub span: Span,
}

/// The kind of an index.
#[derive(Clone, Debug, PartialEq)]
pub enum IndexKind {
    /// The element at a position: `[0]`.
    Element(u32),
    /// The value of a key: `["name"]`.
    Key(String),
    /// Map each: `[*]`.
    Each,
    /// A malformed index that the parser already reported.
    Invalid,
}

/// A literal as it is spelled in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// The kind of the literal, with its content.
    pub kind: LiteralKind,
    /// The span of the literal, quotes included.
    pub span: Span,
}

/// The kind of a literal.
#[derive(Clone, Debug, PartialEq)]
pub enum LiteralKind {
    /// A quoted string `"…"` with its escapes decoded. The bytes need not be valid UTF-8.
    Quoted(Vec<u8>),
    /// A raw string: `r"…"`, `r#"…"#`.
    Raw(String),
    /// A pattern: `"…"` on the right of `matches`, where a backslash belongs to the pattern. Only `\"` outside a
    /// character class is decoded.
    Regex(String),
    /// An integer, IP address, network, range or byte literal. The left side or the parameter determines which one, so
    /// the parser stores the text.
    Unquoted(SmolStr),
    /// A string that the parser already reported.
    Invalid,
}

/// A named list: `$name`.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    /// The name without `$`.
    pub name: String,
}
