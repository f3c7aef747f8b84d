//! The syntax tree of a filter.
//!
//! Start with [`Filter`] and [`Node`]. The tree is only syntax: keys, operators and values are as written, and names
//! and types are not resolved. The tree owns its text, and every node has a span. The spans of an escaped filter refer
//! to the source, not to the unescaped text.

use zonewright_diagnostic::Span;

/// The maximum nesting depth of objects and lists.
pub const MAX_DEPTH: usize = 128;

/// A parsed filter.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// The node under `where`.
    pub condition: Node,
    /// The span of the whole object.
    pub span: Span,
}

/// The encoding of a filter in its source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// `{"where":…}`: the value of the job's `filter` string.
    #[default]
    Object,
    /// `"{\"where\":…}"`: the filter as a JSON string literal, copied from the JSON of a job.
    Escaped,
}

/// A node of the tree under `where`.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The kind, with its children.
    pub kind: NodeKind,
    /// The span in the source.
    pub span: Span,
}

/// The kinds of nodes.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// `{"and":[…]}`.
    And(Vec<Node>),
    /// `{"or":[…]}`.
    Or(Vec<Node>),
    /// `{"key":…,"operator":…,"value":…}`.
    Condition(Box<Condition>),
    /// Invalid text that a diagnostic already covers.
    Invalid,
}

/// A condition. A diagnostic covers every part that is missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The name of the field.
    pub key: Option<StringLiteral>,
    /// The name of the operator.
    pub operator: Option<StringLiteral>,
    /// The value that the field is compared with.
    pub value: Option<Json>,
}

/// A JSON string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StringLiteral {
    /// The content with its escapes decoded.
    pub text: String,
    /// The span, including the quotes.
    pub span: Span,
}

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub struct Json {
    /// The kind, with its content.
    pub kind: JsonKind,
    /// The span in the source.
    pub span: Span,
}

/// The kinds of JSON values.
#[derive(Clone, Debug, PartialEq)]
pub enum JsonKind {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A number, verbatim.
    Number(String),
    /// A string with its escapes decoded.
    String(String),
    /// `[…]`.
    Array(Vec<Json>),
    /// `{…}`.
    Object(Vec<Member>),
    /// Invalid text that a diagnostic already covers.
    Invalid,
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The name of the member.
    pub name: StringLiteral,
    /// The value of the member.
    pub value: Json,
}
