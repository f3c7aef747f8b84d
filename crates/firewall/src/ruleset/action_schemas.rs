//! Defines the schemas of the parameters of actions that only set values (documented; ranges: assumption
//! ruleset-ranges).
//!
//! Each action has one static [`ObjectSchema`].

use super::value_schema::{Constraint, MemberSchema, ObjectSchema, ValueSchema};
use ValueSchema::{Expression, Flag, Integer, List, Map, OneOf, Text, True};

/// The maximum number of items in a list, or of members in a map, if no other limit is documented.
const MAX_ITEMS: usize = 100;
/// The longest duration in seconds: one year.
const MAX_DURATION_SECONDS: i64 = 31_536_000;
/// The content types of custom responses.
const CONTENT_TYPES: &[&str] = &["application/json", "text/html", "text/plain", "text/xml"];

/// The parameters of `block`, which may send a custom response.
pub(super) static BLOCK: ObjectSchema = ObjectSchema {
    noun: "the parameters of `block`",
    members: &[MemberSchema("response", ValueSchema::Object(&RESPONSE))],
    constraints: &[],
};
static RESPONSE: ObjectSchema = ObjectSchema {
    noun: "a response",
    members: &[
        MemberSchema("status_code", Integer(400, 499)),
        MemberSchema("content", Text(1, 30_720)),
        MemberSchema("content_type", OneOf(CONTENT_TYPES)),
    ],
    constraints: &[
        Constraint::Required("status_code"),
        Constraint::Required("content"),
        Constraint::Required("content_type"),
    ],
};

/// The parameters of `score`.
pub(super) static SCORE: ObjectSchema = ObjectSchema {
    noun: "the parameters of `score`",
    members: &[MemberSchema("increment", Integer(-10_000, 10_000))],
    constraints: &[Constraint::Required("increment")],
};

/// The parameters of `route`.
pub(super) static ROUTE: ObjectSchema = ObjectSchema {
    noun: "the parameters of `route`",
    members: &[
        MemberSchema("host_header", Text(1, 255)),
        MemberSchema("origin", ValueSchema::Object(&ORIGIN)),
        MemberSchema("sni", ValueSchema::Object(&SNI)),
    ],
    constraints: &[Constraint::AtLeastOne],
};
static ORIGIN: ObjectSchema = ObjectSchema {
    noun: "an origin",
    members: &[MemberSchema("host", Text(1, 255)), MemberSchema("port", Integer(1, 65_535))],
    constraints: &[Constraint::AtLeastOne],
};
static SNI: ObjectSchema = ObjectSchema {
    noun: "`sni`",
    members: &[MemberSchema("value", Text(1, 255))],
    constraints: &[Constraint::Required("value")],
};

/// The parameters of `serve_error`.
pub(super) static SERVE_ERROR: ObjectSchema = ObjectSchema {
    noun: "the parameters of `serve_error`",
    members: &[
        MemberSchema("content", Text(1, 10_240)),
        MemberSchema("asset_name", Text(1, 255)),
        MemberSchema("content_type", OneOf(CONTENT_TYPES)),
        MemberSchema("status_code", Integer(400, 999)),
    ],
    constraints: &[
        Constraint::ExactlyOne(&["content", "asset_name"]),
        Constraint::RequiredWith("content", "content_type"),
    ],
};

/// The parameters of `compress_response`.
pub(super) static COMPRESS_RESPONSE: ObjectSchema = ObjectSchema {
    noun: "the parameters of `compress_response`",
    members: &[MemberSchema("algorithms", List(&ValueSchema::Object(&ALGORITHM), 1, 6))],
    constraints: &[Constraint::Required("algorithms")],
};
static ALGORITHM: ObjectSchema = ObjectSchema {
    noun: "an algorithm",
    members: &[MemberSchema("name", OneOf(&["none", "auto", "default", "gzip", "brotli", "zstd"]))],
    constraints: &[Constraint::Required("name")],
};

/// The parameters of `log_custom_field`.
pub(super) static LOG_CUSTOM_FIELD: ObjectSchema = ObjectSchema {
    noun: "the parameters of `log_custom_field`",
    members: &[
        MemberSchema("request_fields", List(&ValueSchema::Object(&FIELD), 0, MAX_ITEMS)),
        MemberSchema("transformed_request_fields", List(&ValueSchema::Object(&FIELD), 0, MAX_ITEMS)),
        MemberSchema("response_fields", List(&ValueSchema::Object(&RESPONSE_FIELD), 0, MAX_ITEMS)),
        MemberSchema("raw_response_fields", List(&ValueSchema::Object(&RESPONSE_FIELD), 0, MAX_ITEMS)),
        MemberSchema("cookie_fields", List(&ValueSchema::Object(&FIELD), 0, MAX_ITEMS)),
    ],
    constraints: &[Constraint::AtLeastOne],
};
static FIELD: ObjectSchema = ObjectSchema {
    noun: "a field",
    members: &[MemberSchema("name", Text(1, 256))],
    constraints: &[Constraint::Required("name")],
};
static RESPONSE_FIELD: ObjectSchema = ObjectSchema {
    noun: "a field",
    members: &[MemberSchema("name", Text(1, 256)), MemberSchema("preserve_duplicates", Flag)],
    constraints: &[Constraint::Required("name")],
};

/// The parameters of `set_config`.
pub(super) static SET_CONFIG: ObjectSchema = ObjectSchema {
    noun: "the parameters of `set_config`",
    members: &[
        MemberSchema("automatic_https_rewrites", Flag),
        MemberSchema("autominify", ValueSchema::Object(&AUTOMINIFY)),
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
        MemberSchema("polish", OneOf(&["off", "lossless", "lossy", "webp"])),
        MemberSchema("redirects_for_ai_training", Flag),
        MemberSchema("request_body_buffering", OneOf(&["none", "standard", "full"])),
        MemberSchema("response_body_buffering", OneOf(&["none", "standard"])),
        MemberSchema("rocket_loader", Flag),
        MemberSchema("security_level", OneOf(&["off", "essentially_off", "low", "medium", "high", "under_attack"])),
        MemberSchema("server_side_excludes", Flag),
        MemberSchema("ssl", OneOf(&["off", "flexible", "full", "strict", "origin_pull"])),
        MemberSchema("sxg", Flag),
    ],
    constraints: &[Constraint::AtLeastOne],
};
static AUTOMINIFY: ObjectSchema = ObjectSchema {
    noun: "`autominify`",
    members: &[MemberSchema("css", Flag), MemberSchema("html", Flag), MemberSchema("js", Flag)],
    constraints: &[Constraint::AtLeastOne],
};

/// The parameters of `set_cache_settings` for requests.
pub(super) static SET_CACHE_SETTINGS: ObjectSchema = ObjectSchema {
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
        MemberSchema("origin_range_requests", ValueSchema::Object(&RANGE_REQUESTS)),
        MemberSchema("additional_cacheable_ports", List(&Integer(1, 65_535), 0, MAX_ITEMS)),
        MemberSchema("read_timeout", Integer(1, 6_000)),
        MemberSchema("shared_dictionary", ValueSchema::Object(&SHARED_DICTIONARY)),
        MemberSchema("vary", ValueSchema::Object(&VARY)),
    ],
    constraints: &[Constraint::AtLeastOne],
};
/// The parameters of `set_cache_settings` for responses.
pub(super) static SET_RESPONSE_CACHE_SETTINGS: ObjectSchema = ObjectSchema {
    noun: "the parameters of `set_cache_settings`",
    members: &[
        MemberSchema("strip_etags", Flag),
        MemberSchema("strip_last_modified", Flag),
        MemberSchema("strip_set_cookie", Flag),
        MemberSchema("shared_dictionary", ValueSchema::Object(&SHARED_DICTIONARY)),
    ],
    constraints: &[Constraint::AtLeastOne],
};
static EDGE_TTL: ObjectSchema = ObjectSchema {
    noun: "`edge_ttl`",
    members: &[
        MemberSchema("mode", OneOf(&["respect_origin", "override_origin", "bypass_by_default"])),
        MemberSchema("default", Integer(0, MAX_DURATION_SECONDS)),
        MemberSchema("status_code_ttl", List(&ValueSchema::Object(&STATUS_TTL), 0, MAX_ITEMS)),
    ],
    constraints: &[Constraint::Required("mode"), Constraint::RequiredIf("mode", "override_origin", "default")],
};
static STATUS_TTL: ObjectSchema = ObjectSchema {
    noun: "an item of `status_code_ttl`",
    members: &[
        MemberSchema("status_code", Integer(100, 999)),
        MemberSchema("status_code_range", ValueSchema::Object(&STATUS_RANGE)),
        MemberSchema("value", Integer(-1, MAX_DURATION_SECONDS)),
    ],
    constraints: &[Constraint::Required("value"), Constraint::ExactlyOne(&["status_code", "status_code_range"])],
};
static STATUS_RANGE: ObjectSchema = ObjectSchema {
    noun: "`status_code_range`",
    members: &[MemberSchema("from", Integer(100, 999)), MemberSchema("to", Integer(100, 999))],
    constraints: &[Constraint::AtLeastOne],
};
static BROWSER_TTL: ObjectSchema = ObjectSchema {
    noun: "`browser_ttl`",
    members: &[
        MemberSchema("mode", OneOf(&["respect_origin", "override_origin", "bypass_by_default", "bypass"])),
        MemberSchema("default", Integer(0, MAX_DURATION_SECONDS)),
    ],
    constraints: &[Constraint::Required("mode"), Constraint::RequiredIf("mode", "override_origin", "default")],
};
static CACHE_KEY: ObjectSchema = ObjectSchema {
    noun: "`cache_key`",
    members: &[
        MemberSchema("cache_by_device_type", Flag),
        MemberSchema("cache_deception_armor", Flag),
        MemberSchema("ignore_query_strings_order", Flag),
        MemberSchema("custom_key", ValueSchema::Object(&CUSTOM_KEY)),
    ],
    constraints: &[Constraint::AtLeastOne],
};
static CUSTOM_KEY: ObjectSchema = ObjectSchema {
    noun: "`custom_key`",
    members: &[
        MemberSchema("cookie", ValueSchema::Object(&COOKIES)),
        MemberSchema("header", ValueSchema::Object(&HEADERS)),
        MemberSchema("host", ValueSchema::Object(&HOST)),
        MemberSchema("query_string", ValueSchema::Object(&QUERY_STRING)),
        MemberSchema("user", ValueSchema::Object(&USER)),
    ],
    constraints: &[Constraint::AtLeastOne],
};
const NAMES: ValueSchema = List(&Text(1, 256), 0, MAX_ITEMS);
static COOKIES: ObjectSchema = ObjectSchema {
    noun: "`cookie`",
    members: &[MemberSchema("check_presence", NAMES), MemberSchema("include", NAMES)],
    constraints: &[],
};
static HEADERS: ObjectSchema = ObjectSchema {
    noun: "`header`",
    members: &[
        MemberSchema("check_presence", NAMES),
        MemberSchema("contains", Map(&NAMES, MAX_ITEMS)),
        MemberSchema("exclude_origin", Flag),
        MemberSchema("include", NAMES),
    ],
    constraints: &[],
};
static HOST: ObjectSchema =
    ObjectSchema { noun: "`host`", members: &[MemberSchema("resolved", Flag)], constraints: &[] };
static QUERY_STRING: ObjectSchema = ObjectSchema {
    noun: "`query_string`",
    members: &[
        MemberSchema("exclude", ValueSchema::Object(&QUERY_NAMES)),
        MemberSchema("include", ValueSchema::Object(&QUERY_NAMES)),
    ],
    constraints: &[Constraint::ExactlyOne(&["exclude", "include"])],
};
static QUERY_NAMES: ObjectSchema = ObjectSchema {
    noun: "a selection of query parameters",
    members: &[MemberSchema("all", True), MemberSchema("list", NAMES)],
    constraints: &[Constraint::ExactlyOne(&["all", "list"])],
};
static USER: ObjectSchema = ObjectSchema {
    noun: "`user`",
    members: &[MemberSchema("device_type", Flag), MemberSchema("geo", Flag), MemberSchema("lang", Flag)],
    constraints: &[],
};
static SERVE_STALE: ObjectSchema = ObjectSchema {
    noun: "`serve_stale`",
    members: &[MemberSchema("disable_stale_while_updating", Flag)],
    constraints: &[],
};
static CACHE_RESERVE: ObjectSchema = ObjectSchema {
    noun: "`cache_reserve`",
    members: &[MemberSchema("eligible", Flag), MemberSchema("minimum_file_size", Integer(0, i64::MAX))],
    constraints: &[Constraint::Required("eligible")],
};
static RANGE_REQUESTS: ObjectSchema = ObjectSchema {
    noun: "`origin_range_requests`",
    members: &[MemberSchema("mode", OneOf(&["on", "off", "default"]))],
    constraints: &[Constraint::Required("mode")],
};
static SHARED_DICTIONARY: ObjectSchema = ObjectSchema {
    noun: "`shared_dictionary`",
    members: &[MemberSchema("match_pattern", Text(1, 2_048))],
    constraints: &[Constraint::Required("match_pattern")],
};
static VARY: ObjectSchema = ObjectSchema {
    noun: "`vary`",
    members: &[
        MemberSchema("default", ValueSchema::Object(&VARY_DEFAULT)),
        MemberSchema("headers", Map(&ValueSchema::Object(&VARY_HEADER), MAX_ITEMS)),
    ],
    constraints: &[Constraint::Required("default")],
};
const VARY_ACTION: ValueSchema = OneOf(&["bypass", "passthrough", "normalize"]);
static VARY_DEFAULT: ObjectSchema = ObjectSchema {
    noun: "the default of `vary`",
    members: &[MemberSchema("action", VARY_ACTION)],
    constraints: &[Constraint::Required("action")],
};
static VARY_HEADER: ObjectSchema = ObjectSchema {
    noun: "a header of `vary`",
    members: &[
        MemberSchema("action", VARY_ACTION),
        MemberSchema("languages", NAMES),
        MemberSchema("media_types", NAMES),
    ],
    constraints: &[Constraint::Required("action")],
};

/// The parameters of `set_cache_tags`.
pub(super) static SET_CACHE_TAGS: ObjectSchema = ObjectSchema {
    noun: "the parameters of `set_cache_tags`",
    members: &[
        MemberSchema("operation", OneOf(&["add", "remove", "set"])),
        MemberSchema("values", List(&Text(1, 1_024), 1, 1_000)),
        MemberSchema("expression", Expression),
    ],
    constraints: &[Constraint::Required("operation"), Constraint::ExactlyOne(&["values", "expression"])],
};

/// The parameters of `set_cache_control`.
pub(super) static SET_CACHE_CONTROL: ObjectSchema = ObjectSchema {
    noun: "the parameters of `set_cache_control`",
    members: &[
        MemberSchema("immutable", ValueSchema::Object(&PLAIN_DIRECTIVE)),
        MemberSchema("max-age", ValueSchema::Object(&DURATION_DIRECTIVE)),
        MemberSchema("must-revalidate", ValueSchema::Object(&PLAIN_DIRECTIVE)),
        MemberSchema("must-understand", ValueSchema::Object(&PLAIN_DIRECTIVE)),
        MemberSchema("no-cache", ValueSchema::Object(&QUALIFIED_DIRECTIVE)),
        MemberSchema("no-store", ValueSchema::Object(&PLAIN_DIRECTIVE)),
        MemberSchema("no-transform", ValueSchema::Object(&PLAIN_DIRECTIVE)),
        MemberSchema("private", ValueSchema::Object(&QUALIFIED_DIRECTIVE)),
        MemberSchema("proxy-revalidate", ValueSchema::Object(&PLAIN_DIRECTIVE)),
        MemberSchema("public", ValueSchema::Object(&PLAIN_DIRECTIVE)),
        MemberSchema("s-maxage", ValueSchema::Object(&DURATION_DIRECTIVE)),
        MemberSchema("stale-if-error", ValueSchema::Object(&DURATION_DIRECTIVE)),
        MemberSchema("stale-while-revalidate", ValueSchema::Object(&DURATION_DIRECTIVE)),
    ],
    constraints: &[Constraint::AtLeastOne],
};
const OPERATION: MemberSchema = MemberSchema("operation", OneOf(&["set", "remove"]));
const CLOUDFLARE_ONLY: MemberSchema = MemberSchema("cloudflare_only", Flag);
static PLAIN_DIRECTIVE: ObjectSchema = ObjectSchema {
    noun: "a directive",
    members: &[OPERATION, CLOUDFLARE_ONLY],
    constraints: &[Constraint::Required("operation")],
};
static DURATION_DIRECTIVE: ObjectSchema = ObjectSchema {
    noun: "a directive",
    members: &[OPERATION, MemberSchema("value", Integer(0, MAX_DURATION_SECONDS)), CLOUDFLARE_ONLY],
    constraints: &[
        Constraint::Required("operation"),
        Constraint::RequiredIf("operation", "set", "value"),
        Constraint::ForbiddenIf("operation", "remove", &["value"]),
    ],
};
static QUALIFIED_DIRECTIVE: ObjectSchema = ObjectSchema {
    noun: "a directive",
    members: &[OPERATION, MemberSchema("qualifiers", NAMES), CLOUDFLARE_ONLY],
    constraints: &[Constraint::Required("operation"), Constraint::ForbiddenIf("operation", "remove", &["qualifiers"])],
};
