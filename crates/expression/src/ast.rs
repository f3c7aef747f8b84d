//! Syntax trees.
//!
//! An [`Expr`] is only syntax: every spelling is kept (`eq` or `==`, quoted or raw), nothing is
//! resolved, nothing is typed. It owns its text and has a span everywhere. Chains of one logical
//! operator are one flat node, so the depth of a tree follows brackets, `not` and calls only, and is
//! bounded by [`MAX_DEPTH`].

use smol_str::SmolStr;
use zonewright_diagnostic::Span;

/// Deepest nesting of brackets, `not` and calls (observed in the open engine).
pub const MAX_DEPTH: usize = 128;

/// A piece of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// Two or more conditions under one logical operator, flat.
    Logical(Logical),
    /// `not x`, `!x`.
    Not(Not),
    /// `(x)`.
    Group(Box<Expr>),
    /// `left operator right`.
    Comparison(Box<Comparison>),
    /// A field or a call, with its indexes.
    Value(Value),
    /// A literal: right of an operator, in a set, as an argument; elsewhere a mistake.
    Literal(Literal),
    /// `{…}`.
    Set(Vec<Literal>),
    /// `$name`.
    List(List),
    /// Text for which a diagnostic was already given; says nothing further.
    Invalid,
}

/// Conditions under one logical operator.
#[derive(Clone, Debug, PartialEq)]
pub struct Logical {
    /// Which.
    pub operator: LogicalOperator,
    /// The conditions, at least two.
    pub operands: Vec<Expr>,
    /// Where each operator stands, one fewer than operands.
    pub operators: Vec<Span>,
}

/// A logical operator; `not` is a node of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogicalOperator {
    /// `or`, `||`: binds loosest.
    Or,
    /// `xor`, `^^`.
    Xor,
    /// `and`, `&&`: binds tightest.
    And,
}

/// A negation.
#[derive(Clone, Debug, PartialEq)]
pub struct Not {
    /// Where `not` or `!` stands.
    pub operator: Span,
    /// What is negated.
    pub operand: Box<Expr>,
}

/// A comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// A value, or something that a diagnostic is about.
    pub left: Expr,
    /// Which operator.
    pub operator: ComparisonOperator,
    /// Where it stands; its text is the spelling.
    pub operator_span: Span,
    /// A literal, set, list, or (dynamic right side) a value.
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
    /// The name.
    pub name: Name,
    /// The arguments, when it is a call. Most values are fields, so it stands apart.
    pub call: Option<Box<Call>>,
    /// Indexes from left to right.
    pub indexes: Vec<Index>,
}

/// A name as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// Its text. Most names are short enough to need no memory of their own.
    pub text: SmolStr,
    /// Where it stands.
    pub span: Span,
}

/// The arguments of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The arguments.
    pub arguments: Vec<Expr>,
    /// From `(` to `)`.
    pub span: Span,
}

/// `[…]` behind a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// What is between the brackets.
    pub kind: IndexKind,
    /// With the brackets.
    pub span: Span,
}

/// What an index is.
#[derive(Clone, Debug, PartialEq)]
pub enum IndexKind {
    /// `[0]`.
    Element(u32),
    /// `["name"]`.
    Key(String),
    /// `[*]`.
    Each,
    /// Something else, for which a diagnostic was given.
    Invalid,
}

/// A literal as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// What it is.
    pub kind: LiteralKind,
    /// Where it stands.
    pub span: Span,
}

/// What a literal is.
#[derive(Clone, Debug, PartialEq)]
pub enum LiteralKind {
    /// `"…"` with its escapes replaced. The bytes need not be UTF-8.
    Quoted(Vec<u8>),
    /// `r"…"`, `r#"…"#`.
    Raw(String),
    /// `"…"` right of `matches`, where backslashes keep themselves: the pattern.
    Regex(String),
    /// An integer, address, network, range or byte literal; which one is decided by what it is
    /// compared with, so it stays text here.
    Word(SmolStr),
    /// A string for which a diagnostic was given.
    Invalid,
}

/// `$name`.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    /// The name without `$`.
    pub name: String,
}
