//! Syntax trees of filters.
//!
//! A [`Filter`] is only syntax: keys, operators and values are as they were written, nothing is looked
//! up, nothing is typed. It owns its text and has a span everywhere; when the filter came as an escaped
//! string, the spans are those of the text around it.

use zonewright_diagnostic::Span;

/// Deepest nesting of objects and lists.
pub const MAX_DEPTH: usize = 128;

/// A filter.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// What stands under `where`.
    pub condition: Node,
    /// The whole object.
    pub span: Span,
}

/// How a filter came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// `{"where":…}`: as a job holds it, once its string is read.
    #[default]
    Object,
    /// `"{\"where\":…}"`: as it stands in the JSON of a job.
    Escaped,
}

/// A node of the tree under `where`.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Where it is.
    pub span: Span,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// `{"and":[…]}`.
    And(Vec<Node>),
    /// `{"or":[…]}`.
    Or(Vec<Node>),
    /// `{"key":…,"operator":…,"value":…}`.
    Condition(Box<Condition>),
    /// Text for which a diagnostic was already given; says nothing further.
    Invalid,
}

/// A condition. A part that is missing was reported.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The name of a field.
    pub key: Option<Text>,
    /// The name of an operator.
    pub operator: Option<Text>,
    /// What the field is compared with.
    pub value: Option<Json>,
}

/// A JSON string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Its characters, escapes read.
    pub text: String,
    /// With its quotes.
    pub span: Span,
}

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub struct Json {
    /// What it is.
    pub kind: JsonKind,
    /// Where it is.
    pub span: Span,
}

/// What a JSON value is.
#[derive(Clone, Debug, PartialEq)]
pub enum JsonKind {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A number as it was written.
    Number(String),
    /// A string, escapes read.
    String(String),
    /// `[…]`.
    Array(Vec<Json>),
    /// `{…}`.
    Object(Vec<Member>),
    /// Text for which a diagnostic was already given.
    Invalid,
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its name.
    pub name: Text,
    /// Its value.
    pub value: Json,
}
