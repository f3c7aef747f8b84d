//! Schemas of the parameters of `rewrite` and `redirect`, which depend on the phase (documented).
//!
//! Start with [`rewrite`] and [`redirect`].

use super::value_schema::{Constraint, MemberSchema, Object, ValueSchema};
use ValueSchema::{Expression, Flag, Map, One, OneNumber, Text};
use zonewright_expression::schema::Phase;

/// Returns the schema of `rewrite` in a phase.
pub(super) fn rewrite(phase: Phase) -> &'static Object {
    match phase {
        Phase::HttpRequestTransform => &URI,
        Phase::HttpResponseHeadersTransform => &ANSWER,
        _ => &REQUEST,
    }
}

/// Returns the schema of `redirect` in a phase.
pub(super) fn redirect(phase: Phase) -> &'static Object {
    if phase == Phase::HttpRequestRedirect { &FROM_LIST } else { &FROM_VALUE }
}

static URI: Object = Object {
    noun: "the parameters of `rewrite`",
    members: &[MemberSchema("uri", ValueSchema::Object(&URI_PARTS))],
    rules: &[Constraint::Required("uri")],
};
static URI_PARTS: Object = Object {
    noun: "`uri`",
    members: &[MemberSchema("path", ValueSchema::Object(&PART)), MemberSchema("query", ValueSchema::Object(&QUERY))],
    rules: &[Constraint::Any],
};
static PART: Object = Object {
    noun: "a path",
    members: &[MemberSchema("value", Text(1, 4_096)), MemberSchema("expression", Expression)],
    rules: &[Constraint::Exactly(&["value", "expression"])],
};
// An empty query removes the query.
static QUERY: Object = Object {
    noun: "a query",
    members: &[MemberSchema("value", Text(0, 4_096)), MemberSchema("expression", Expression)],
    rules: &[Constraint::Exactly(&["value", "expression"])],
};

static REQUEST: Object = Object {
    noun: "the parameters of `rewrite`",
    members: &[MemberSchema("headers", Map(&ValueSchema::Object(&REQUEST_HEADER), 100))],
    rules: &[Constraint::Required("headers")],
};
static ANSWER: Object = Object {
    noun: "the parameters of `rewrite`",
    members: &[MemberSchema("headers", Map(&ValueSchema::Object(&ANSWER_HEADER), 100))],
    rules: &[Constraint::Required("headers")],
};
// A request header can be set or removed. An added one could exist twice.
static REQUEST_HEADER: Object = Object {
    noun: "a header",
    members: &[MemberSchema("operation", One(&["set", "remove"])), VALUE, MemberSchema("expression", Expression)],
    rules: HEADER_RULES,
};
static ANSWER_HEADER: Object = Object {
    noun: "a header",
    members: &[
        MemberSchema("operation", One(&["set", "add", "remove"])),
        VALUE,
        MemberSchema("expression", Expression),
    ],
    rules: HEADER_RULES,
};
const VALUE: MemberSchema = MemberSchema("value", Text(0, 4_096));
const HEADER_RULES: &[Constraint] = &[
    Constraint::Required("operation"),
    Constraint::Excludes("operation", "remove", &["value", "expression"]),
    Constraint::ExactlyUnless("operation", "remove", &["value", "expression"]),
];

static FROM_VALUE: Object = Object {
    noun: "the parameters of `redirect`",
    members: &[MemberSchema("from_value", ValueSchema::Object(&TARGET))],
    rules: &[Constraint::Required("from_value")],
};
static TARGET: Object = Object {
    noun: "`from_value`",
    members: &[
        MemberSchema("target_url", ValueSchema::Object(&URL)),
        MemberSchema("status_code", OneNumber(&[301, 302, 303, 307, 308])),
        MemberSchema("preserve_query_string", Flag),
    ],
    rules: &[Constraint::Required("target_url")],
};
static URL: Object = Object {
    noun: "a URL",
    members: &[MemberSchema("value", Text(1, 32_768)), MemberSchema("expression", Expression)],
    rules: &[Constraint::Exactly(&["value", "expression"])],
};
static FROM_LIST: Object = Object {
    noun: "the parameters of `redirect`",
    members: &[MemberSchema("from_list", ValueSchema::Object(&LIST))],
    rules: &[Constraint::Required("from_list")],
};
static LIST: Object = Object {
    noun: "`from_list`",
    members: &[MemberSchema("name", Text(1, 50)), MemberSchema("key", Expression)],
    rules: &[Constraint::Required("name"), Constraint::Required("key")],
};
