//! What `rewrite` and `redirect` need to know, as data; it depends on the phase (documented).

use super::shape::{Member, Object, Shape, Together};
use Shape::{Expression, Flag, Map, One, OneNumber, Text};
use zonewright_expression::schema::Phase;

/// `rewrite` in a phase.
pub(super) fn rewrite(phase: Phase) -> &'static Object {
    match phase {
        Phase::HttpRequestTransform => &URI,
        Phase::HttpResponseHeadersTransform => &ANSWER,
        _ => &REQUEST,
    }
}

/// `redirect` in a phase.
pub(super) fn redirect(phase: Phase) -> &'static Object {
    if phase == Phase::HttpRequestRedirect { &FROM_LIST } else { &FROM_VALUE }
}

static URI: Object = Object {
    noun: "the parameters of `rewrite`",
    members: &[Member("uri", Shape::Object(&URI_PARTS))],
    rules: &[Together::Required("uri")],
};
static URI_PARTS: Object = Object {
    noun: "`uri`",
    members: &[Member("path", Shape::Object(&PART)), Member("query", Shape::Object(&QUERY))],
    rules: &[Together::Any],
};
static PART: Object = Object {
    noun: "a path",
    members: &[Member("value", Text(1, 4_096)), Member("expression", Expression)],
    rules: &[Together::Exactly(&["value", "expression"])],
};
// An empty query takes the query away.
static QUERY: Object = Object {
    noun: "a query",
    members: &[Member("value", Text(0, 4_096)), Member("expression", Expression)],
    rules: &[Together::Exactly(&["value", "expression"])],
};

static REQUEST: Object = Object {
    noun: "the parameters of `rewrite`",
    members: &[Member("headers", Map(&Shape::Object(&REQUEST_HEADER), 100))],
    rules: &[Together::Required("headers")],
};
static ANSWER: Object = Object {
    noun: "the parameters of `rewrite`",
    members: &[Member("headers", Map(&Shape::Object(&ANSWER_HEADER), 100))],
    rules: &[Together::Required("headers")],
};
// Headers of requests are set or removed; what is added would stand there twice.
static REQUEST_HEADER: Object = Object {
    noun: "a header",
    members: &[Member("operation", One(&["set", "remove"])), VALUE, Member("expression", Expression)],
    rules: HEADER_RULES,
};
static ANSWER_HEADER: Object = Object {
    noun: "a header",
    members: &[Member("operation", One(&["set", "add", "remove"])), VALUE, Member("expression", Expression)],
    rules: HEADER_RULES,
};
const VALUE: Member = Member("value", Text(0, 4_096));
const HEADER_RULES: &[Together] = &[
    Together::Required("operation"),
    Together::Excludes("operation", "remove", &["value", "expression"]),
    Together::ExactlyUnless("operation", "remove", &["value", "expression"]),
];

static FROM_VALUE: Object = Object {
    noun: "the parameters of `redirect`",
    members: &[Member("from_value", Shape::Object(&TARGET))],
    rules: &[Together::Required("from_value")],
};
static TARGET: Object = Object {
    noun: "`from_value`",
    members: &[
        Member("target_url", Shape::Object(&URL)),
        Member("status_code", OneNumber(&[301, 302, 303, 307, 308])),
        Member("preserve_query_string", Flag),
    ],
    rules: &[Together::Required("target_url")],
};
static URL: Object = Object {
    noun: "a URL",
    members: &[Member("value", Text(1, 32_768)), Member("expression", Expression)],
    rules: &[Together::Exactly(&["value", "expression"])],
};
static FROM_LIST: Object = Object {
    noun: "the parameters of `redirect`",
    members: &[Member("from_list", Shape::Object(&LIST))],
    rules: &[Together::Required("from_list")],
};
static LIST: Object = Object {
    noun: "`from_list`",
    members: &[Member("name", Text(1, 50)), Member("key", Expression)],
    rules: &[Together::Required("name"), Together::Required("key")],
};
