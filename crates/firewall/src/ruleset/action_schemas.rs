//! Schemas of the parameters of actions that only set values (documented; ranges: assumption ruleset-ranges).
//!
//! Each action has one static [`Object`].

use super::value_schema::{Constraint, MemberSchema, Object, ValueSchema};
use ValueSchema::{Expression, Flag, Integer, List, Map, One, Text, True};

/// The maximum number of items in a list of names.
const MAX_NAMES: usize = 100;
/// The longest duration in seconds: one year.
const MAX_DURATION_SECONDS: i64 = 31_536_000;
/// The content types of custom responses.
const PAGES: &[&str] = &["application/json", "text/html", "text/plain", "text/xml"];

/// The parameters of `block`, which may send a custom response.
pub(super) static BLOCK: Object = Object {
    noun: "the parameters of `block`",
    members: &[MemberSchema("response", ValueSchema::Object(&RESPONSE))],
    rules: &[],
};
static RESPONSE: Object = Object {
    noun: "a response",
    members: &[
        MemberSchema("status_code", Integer(400, 499)),
        MemberSchema("content", Text(1, 30_720)),
        MemberSchema("content_type", One(PAGES)),
    ],
    rules: &[
        Constraint::Required("status_code"),
        Constraint::Required("content"),
        Constraint::Required("content_type"),
    ],
};

/// The parameters of `score`.
pub(super) static SCORE: Object = Object {
    noun: "the parameters of `score`",
    members: &[MemberSchema("increment", Integer(-10_000, 10_000))],
    rules: &[Constraint::Required("increment")],
};

/// The parameters of `route`.
pub(super) static ROUTE: Object = Object {
    noun: "the parameters of `route`",
    members: &[
        MemberSchema("host_header", Text(1, 255)),
        MemberSchema("origin", ValueSchema::Object(&ORIGIN)),
        MemberSchema("sni", ValueSchema::Object(&SNI)),
    ],
    rules: &[Constraint::Any],
};
static ORIGIN: Object = Object {
    noun: "an origin",
    members: &[MemberSchema("host", Text(1, 255)), MemberSchema("port", Integer(1, 65_535))],
    rules: &[Constraint::Any],
};
static SNI: Object =
    Object { noun: "`sni`", members: &[MemberSchema("value", Text(1, 255))], rules: &[Constraint::Required("value")] };

/// The parameters of `serve_error`.
pub(super) static SERVE_ERROR: Object = Object {
    noun: "the parameters of `serve_error`",
    members: &[
        MemberSchema("content", Text(1, 10_240)),
        MemberSchema("asset_name", Text(1, 255)),
        MemberSchema("content_type", One(PAGES)),
        MemberSchema("status_code", Integer(400, 999)),
    ],
    rules: &[Constraint::Exactly(&["content", "asset_name"]), Constraint::With("content", "content_type")],
};

/// The parameters of `compress_response`.
pub(super) static COMPRESS_RESPONSE: Object = Object {
    noun: "the parameters of `compress_response`",
    members: &[MemberSchema("algorithms", List(&ValueSchema::Object(&ALGORITHM), 1, 6))],
    rules: &[Constraint::Required("algorithms")],
};
static ALGORITHM: Object = Object {
    noun: "an algorithm",
    members: &[MemberSchema("name", One(&["none", "auto", "default", "gzip", "brotli", "zstd"]))],
    rules: &[Constraint::Required("name")],
};

/// The parameters of `log_custom_field`.
pub(super) static LOG_CUSTOM_FIELD: Object = Object {
    noun: "the parameters of `log_custom_field`",
    members: &[
        MemberSchema("request_fields", List(&ValueSchema::Object(&FIELD), 0, MAX_NAMES)),
        MemberSchema("transformed_request_fields", List(&ValueSchema::Object(&FIELD), 0, MAX_NAMES)),
        MemberSchema("response_fields", List(&ValueSchema::Object(&REPEATED_FIELD), 0, MAX_NAMES)),
        MemberSchema("raw_response_fields", List(&ValueSchema::Object(&REPEATED_FIELD), 0, MAX_NAMES)),
        MemberSchema("cookie_fields", List(&ValueSchema::Object(&FIELD), 0, MAX_NAMES)),
    ],
    rules: &[Constraint::Any],
};
static FIELD: Object =
    Object { noun: "a field", members: &[MemberSchema("name", Text(1, 256))], rules: &[Constraint::Required("name")] };
static REPEATED_FIELD: Object = Object {
    noun: "a field",
    members: &[MemberSchema("name", Text(1, 256)), MemberSchema("preserve_duplicates", Flag)],
    rules: &[Constraint::Required("name")],
};

/// The parameters of `set_config`.
pub(super) static SET_CONFIG: Object = Object {
    noun: "the parameters of `set_config`",
    members: &[
        MemberSchema("automatic_https_rewrites", Flag),
        MemberSchema("autominify", ValueSchema::Object(&MINIFIED)),
        MemberSchema("bic", Flag),
        MemberSchema("content_converter", Flag),
        MemberSchema("disable_apps", True),
        MemberSchema("disable_pay_per_crawl", True),
        MemberSchema("disable_rum", True),
        MemberSchema("disable_zaraz", True),
        MemberSchema("email_obfuscation", Flag),
        MemberSchema("fonts", Flag),
        MemberSchema("hotlink_protection", Flag),
        MemberSchema("mirage", Flag),
        MemberSchema("opportunistic_encryption", Flag),
        MemberSchema("polish", One(&["off", "lossless", "lossy", "webp"])),
        MemberSchema("redirects_for_ai_training", Flag),
        MemberSchema("request_body_buffering", One(&["none", "standard", "full"])),
        MemberSchema("response_body_buffering", One(&["none", "standard"])),
        MemberSchema("rocket_loader", Flag),
        MemberSchema("security_level", One(&["off", "essentially_off", "low", "medium", "high", "under_attack"])),
        MemberSchema("server_side_excludes", Flag),
        MemberSchema("ssl", One(&["off", "flexible", "full", "strict", "origin_pull"])),
        MemberSchema("sxg", Flag),
    ],
    rules: &[Constraint::Any],
};
static MINIFIED: Object = Object {
    noun: "`autominify`",
    members: &[MemberSchema("css", Flag), MemberSchema("html", Flag), MemberSchema("js", Flag)],
    rules: &[Constraint::Any],
};

/// The parameters of `set_cache_settings` for requests.
pub(super) static SET_CACHE_SETTINGS: Object = Object {
    noun: "the parameters of `set_cache_settings`",
    members: &[
        MemberSchema("cache", Flag),
        MemberSchema("edge_ttl", ValueSchema::Object(&EDGE_TTL)),
        MemberSchema("browser_ttl", ValueSchema::Object(&BROWSER_TTL)),
        MemberSchema("cache_key", ValueSchema::Object(&CACHE_KEY)),
        MemberSchema("serve_stale", ValueSchema::Object(&SERVE_STALE)),
        MemberSchema("cache_reserve", ValueSchema::Object(&CACHE_RESERVE)),
        MemberSchema("respect_strong_etags", Flag),
        MemberSchema("origin_error_page_passthru", Flag),
        MemberSchema("origin_cache_control", Flag),
        MemberSchema("origin_range_requests", ValueSchema::Object(&RANGES)),
        MemberSchema("additional_cacheable_ports", List(&Integer(1, 65_535), 0, MAX_NAMES)),
        MemberSchema("read_timeout", Integer(1, 6_000)),
        MemberSchema("shared_dictionary", ValueSchema::Object(&DICTIONARY)),
        MemberSchema("vary", ValueSchema::Object(&VARY)),
    ],
    rules: &[Constraint::Any],
};
/// The parameters of `set_cache_settings` for responses.
pub(super) static SET_RESPONSE_CACHE_SETTINGS: Object = Object {
    noun: "the parameters of `set_cache_settings`",
    members: &[
        MemberSchema("strip_etags", Flag),
        MemberSchema("strip_last_modified", Flag),
        MemberSchema("strip_set_cookie", Flag),
        MemberSchema("shared_dictionary", ValueSchema::Object(&DICTIONARY)),
    ],
    rules: &[Constraint::Any],
};
static EDGE_TTL: Object = Object {
    noun: "`edge_ttl`",
    members: &[
        MemberSchema("mode", One(&["respect_origin", "override_origin", "bypass_by_default"])),
        MemberSchema("default", Integer(0, MAX_DURATION_SECONDS)),
        MemberSchema("status_code_ttl", List(&ValueSchema::Object(&STATUS_TTL), 0, MAX_NAMES)),
    ],
    rules: &[Constraint::Required("mode"), Constraint::Needs("mode", "override_origin", "default")],
};
static STATUS_TTL: Object = Object {
    noun: "an item of `status_code_ttl`",
    members: &[
        MemberSchema("status_code", Integer(100, 999)),
        MemberSchema("status_code_range", ValueSchema::Object(&STATUS_RANGE)),
        MemberSchema("value", Integer(-1, MAX_DURATION_SECONDS)),
    ],
    rules: &[Constraint::Required("value"), Constraint::Exactly(&["status_code", "status_code_range"])],
};
static STATUS_RANGE: Object = Object {
    noun: "`status_code_range`",
    members: &[MemberSchema("from", Integer(100, 999)), MemberSchema("to", Integer(100, 999))],
    rules: &[Constraint::Any],
};
static BROWSER_TTL: Object = Object {
    noun: "`browser_ttl`",
    members: &[
        MemberSchema("mode", One(&["respect_origin", "override_origin", "bypass_by_default", "bypass"])),
        MemberSchema("default", Integer(0, MAX_DURATION_SECONDS)),
    ],
    rules: &[Constraint::Required("mode"), Constraint::Needs("mode", "override_origin", "default")],
};
static CACHE_KEY: Object = Object {
    noun: "`cache_key`",
    members: &[
        MemberSchema("cache_by_device_type", Flag),
        MemberSchema("cache_deception_armor", Flag),
        MemberSchema("ignore_query_strings_order", Flag),
        MemberSchema("custom_key", ValueSchema::Object(&CUSTOM_KEY)),
    ],
    rules: &[Constraint::Any],
};
static CUSTOM_KEY: Object = Object {
    noun: "`custom_key`",
    members: &[
        MemberSchema("cookie", ValueSchema::Object(&COOKIES)),
        MemberSchema("header", ValueSchema::Object(&HEADERS)),
        MemberSchema("host", ValueSchema::Object(&HOST)),
        MemberSchema("query_string", ValueSchema::Object(&QUERY_STRING)),
        MemberSchema("user", ValueSchema::Object(&USER)),
    ],
    rules: &[Constraint::Any],
};
const NAMES: ValueSchema = List(&Text(1, 256), 0, MAX_NAMES);
static COOKIES: Object = Object {
    noun: "`cookie`",
    members: &[MemberSchema("check_presence", NAMES), MemberSchema("include", NAMES)],
    rules: &[],
};
static HEADERS: Object = Object {
    noun: "`header`",
    members: &[
        MemberSchema("check_presence", NAMES),
        MemberSchema("contains", Map(&NAMES, MAX_NAMES)),
        MemberSchema("exclude_origin", Flag),
        MemberSchema("include", NAMES),
    ],
    rules: &[],
};
static HOST: Object = Object { noun: "`host`", members: &[MemberSchema("resolved", Flag)], rules: &[] };
static QUERY_STRING: Object = Object {
    noun: "`query_string`",
    members: &[
        MemberSchema("exclude", ValueSchema::Object(&QUERY_NAMES)),
        MemberSchema("include", ValueSchema::Object(&QUERY_NAMES)),
    ],
    rules: &[Constraint::Exactly(&["exclude", "include"])],
};
static QUERY_NAMES: Object = Object {
    noun: "a selection of query parameters",
    members: &[MemberSchema("all", True), MemberSchema("list", NAMES)],
    rules: &[Constraint::Exactly(&["all", "list"])],
};
static USER: Object = Object {
    noun: "`user`",
    members: &[MemberSchema("device_type", Flag), MemberSchema("geo", Flag), MemberSchema("lang", Flag)],
    rules: &[],
};
static SERVE_STALE: Object =
    Object { noun: "`serve_stale`", members: &[MemberSchema("disable_stale_while_updating", Flag)], rules: &[] };
static CACHE_RESERVE: Object = Object {
    noun: "`cache_reserve`",
    members: &[MemberSchema("eligible", Flag), MemberSchema("minimum_file_size", Integer(0, i64::MAX))],
    rules: &[Constraint::Required("eligible")],
};
static RANGES: Object = Object {
    noun: "`origin_range_requests`",
    members: &[MemberSchema("mode", One(&["on", "off", "default"]))],
    rules: &[Constraint::Required("mode")],
};
static DICTIONARY: Object = Object {
    noun: "`shared_dictionary`",
    members: &[MemberSchema("match_pattern", Text(1, 2_048))],
    rules: &[Constraint::Required("match_pattern")],
};
static VARY: Object = Object {
    noun: "`vary`",
    members: &[
        MemberSchema("default", ValueSchema::Object(&VARIED)),
        MemberSchema("headers", Map(&ValueSchema::Object(&VARIED_HEADER), MAX_NAMES)),
    ],
    rules: &[Constraint::Required("default")],
};
const TREATED: ValueSchema = One(&["bypass", "passthrough", "normalize"]);
static VARIED: Object =
    Object { noun: "`vary`", members: &[MemberSchema("action", TREATED)], rules: &[Constraint::Required("action")] };
static VARIED_HEADER: Object = Object {
    noun: "a header of `vary`",
    members: &[MemberSchema("action", TREATED), MemberSchema("languages", NAMES), MemberSchema("media_types", NAMES)],
    rules: &[Constraint::Required("action")],
};

/// The parameters of `set_cache_tags`.
pub(super) static SET_CACHE_TAGS: Object = Object {
    noun: "the parameters of `set_cache_tags`",
    members: &[
        MemberSchema("operation", One(&["add", "remove", "set"])),
        MemberSchema("values", List(&Text(1, 1_024), 1, 1_000)),
        MemberSchema("expression", Expression),
    ],
    rules: &[Constraint::Required("operation"), Constraint::Exactly(&["values", "expression"])],
};

/// The parameters of `set_cache_control`.
pub(super) static SET_CACHE_CONTROL: Object = Object {
    noun: "the parameters of `set_cache_control`",
    members: &[
        MemberSchema("immutable", ValueSchema::Object(&PLAIN)),
        MemberSchema("max-age", ValueSchema::Object(&LASTING)),
        MemberSchema("must-revalidate", ValueSchema::Object(&PLAIN)),
        MemberSchema("must-understand", ValueSchema::Object(&PLAIN)),
        MemberSchema("no-cache", ValueSchema::Object(&QUALIFIED)),
        MemberSchema("no-store", ValueSchema::Object(&PLAIN)),
        MemberSchema("no-transform", ValueSchema::Object(&PLAIN)),
        MemberSchema("private", ValueSchema::Object(&QUALIFIED)),
        MemberSchema("proxy-revalidate", ValueSchema::Object(&PLAIN)),
        MemberSchema("public", ValueSchema::Object(&PLAIN)),
        MemberSchema("s-maxage", ValueSchema::Object(&LASTING)),
        MemberSchema("stale-if-error", ValueSchema::Object(&LASTING)),
        MemberSchema("stale-while-revalidate", ValueSchema::Object(&LASTING)),
    ],
    rules: &[Constraint::Any],
};
const OPERATION: MemberSchema = MemberSchema("operation", One(&["set", "remove"]));
const CLOUDFLARE_ONLY: MemberSchema = MemberSchema("cloudflare_only", Flag);
static PLAIN: Object =
    Object { noun: "a directive", members: &[OPERATION, CLOUDFLARE_ONLY], rules: &[Constraint::Required("operation")] };
static LASTING: Object = Object {
    noun: "a directive",
    members: &[OPERATION, MemberSchema("value", Integer(0, MAX_DURATION_SECONDS)), CLOUDFLARE_ONLY],
    rules: &[
        Constraint::Required("operation"),
        Constraint::Needs("operation", "set", "value"),
        Constraint::Excludes("operation", "remove", &["value"]),
    ],
};
static QUALIFIED: Object = Object {
    noun: "a directive",
    members: &[OPERATION, MemberSchema("qualifiers", NAMES), CLOUDFLARE_ONLY],
    rules: &[Constraint::Required("operation"), Constraint::Excludes("operation", "remove", &["qualifiers"])],
};
