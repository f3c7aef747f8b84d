//! Defines the schemas of the parameters of `rewrite` and `redirect`, which depend on the phase (documented).
//!
//! Start with [`rewrite_schema`] and [`redirect_schema`].

use super::value_schema::{Constraint, MemberSchema, ObjectSchema, ValueSchema};
use ValueSchema::{Expression, Flag, Map, OneOf, OneOfNumbers, Text};
use zonewright_expression::schema::Phase;

/// Returns the schema of `rewrite` in a phase.
pub(super) fn rewrite_schema(phase: Phase) -> &'static ObjectSchema {
    match phase {
        Phase::HttpRequestTransform => &URI,
        Phase::HttpResponseHeadersTransform => &RESPONSE_HEADERS,
        _ => &REQUEST_HEADERS,
    }
}

/// Returns the schema of `redirect` in a phase.
pub(super) fn redirect_schema(phase: Phase) -> &'static ObjectSchema {
    if phase == Phase::HttpRequestRedirect { &FROM_LIST } else { &FROM_VALUE }
}

static URI: ObjectSchema = ObjectSchema {
    noun: "the parameters of `rewrite`",
    members: &[MemberSchema("uri", ValueSchema::Object(&URI_PARTS))],
    constraints: &[Constraint::Required("uri")],
};
static URI_PARTS: ObjectSchema = ObjectSchema {
    noun: "`uri`",
    members: &[MemberSchema("path", ValueSchema::Object(&PATH)), MemberSchema("query", ValueSchema::Object(&QUERY))],
    constraints: &[Constraint::AtLeastOne],
};
static PATH: ObjectSchema = ObjectSchema {
    noun: "a path",
    members: &[MemberSchema("value", Text(1, 4_096)), MemberSchema("expression", Expression)],
    constraints: &[Constraint::ExactlyOne(&["value", "expression"])],
};
// An empty query removes the query.
static QUERY: ObjectSchema = ObjectSchema {
    noun: "a query",
    members: &[MemberSchema("value", Text(0, 4_096)), MemberSchema("expression", Expression)],
    constraints: &[Constraint::ExactlyOne(&["value", "expression"])],
};

static REQUEST_HEADERS: ObjectSchema = ObjectSchema {
    noun: "the parameters of `rewrite`",
    members: &[MemberSchema("headers", Map(&ValueSchema::Object(&REQUEST_HEADER), 100))],
    constraints: &[Constraint::Required("headers")],
};
static RESPONSE_HEADERS: ObjectSchema = ObjectSchema {
    noun: "the parameters of `rewrite`",
    members: &[MemberSchema("headers", Map(&ValueSchema::Object(&RESPONSE_HEADER), 100))],
    constraints: &[Constraint::Required("headers")],
};
// Request headers can be set or removed, but not added, because an added header could exist twice.
static REQUEST_HEADER: ObjectSchema = ObjectSchema {
    noun: "a header",
    members: &[MemberSchema("operation", OneOf(&["set", "remove"])), VALUE, MemberSchema("expression", Expression)],
    constraints: HEADER_CONSTRAINTS,
};
static RESPONSE_HEADER: ObjectSchema = ObjectSchema {
    noun: "a header",
    members: &[
        MemberSchema("operation", OneOf(&["set", "add", "remove"])),
        VALUE,
        MemberSchema("expression", Expression),
    ],
    constraints: HEADER_CONSTRAINTS,
};
const VALUE: MemberSchema = MemberSchema("value", Text(0, 4_096));
const HEADER_CONSTRAINTS: &[Constraint] = &[
    Constraint::Required("operation"),
    Constraint::ForbiddenIf("operation", "remove", &["value", "expression"]),
    Constraint::ExactlyOneUnless("operation", "remove", &["value", "expression"]),
];

static FROM_VALUE: ObjectSchema = ObjectSchema {
    noun: "the parameters of `redirect`",
    members: &[MemberSchema("from_value", ValueSchema::Object(&TARGET))],
    constraints: &[Constraint::Required("from_value")],
};
static TARGET: ObjectSchema = ObjectSchema {
    noun: "`from_value`",
    members: &[
        MemberSchema("target_url", ValueSchema::Object(&URL)),
        MemberSchema("status_code", OneOfNumbers(&[301, 302, 303, 307, 308])),
        MemberSchema("preserve_query_string", Flag),
    ],
    constraints: &[Constraint::Required("target_url")],
};
static URL: ObjectSchema = ObjectSchema {
    noun: "a URL",
    members: &[MemberSchema("value", Text(1, 32_768)), MemberSchema("expression", Expression)],
    constraints: &[Constraint::ExactlyOne(&["value", "expression"])],
};
static FROM_LIST: ObjectSchema = ObjectSchema {
    noun: "the parameters of `redirect`",
    members: &[MemberSchema("from_list", ValueSchema::Object(&LIST))],
    constraints: &[Constraint::Required("from_list")],
};
static LIST: ObjectSchema = ObjectSchema {
    noun: "`from_list`",
    members: &[MemberSchema("name", Text(1, 50)), MemberSchema("key", Expression)],
    constraints: &[Constraint::Required("name"), Constraint::Required("key")],
};
