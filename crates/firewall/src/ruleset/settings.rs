//! What the actions need to know that only set something, as data (documented; ranges: assumption ruleset-ranges).

use super::shape::{Member, Object, Shape, Together};
use Shape::{Expression, Flag, List, Map, One, Text, True, Whole};

/// Longest lists of names.
const MANY: usize = 100;
/// A year in seconds: the longest time to keep something.
const YEAR: i64 = 31_536_000;
/// Types of pages that rules can answer.
const PAGES: &[&str] = &["application/json", "text/html", "text/plain", "text/xml"];

/// `block`, which may answer with a page.
pub(super) static BLOCK: Object =
    Object { noun: "the parameters of `block`", members: &[Member("response", Shape::Object(&RESPONSE))], rules: &[] };
static RESPONSE: Object = Object {
    noun: "a response",
    members: &[
        Member("status_code", Whole(400, 499)),
        Member("content", Text(1, 30_720)),
        Member("content_type", One(PAGES)),
    ],
    rules: &[Together::Required("status_code"), Together::Required("content"), Together::Required("content_type")],
};

/// `score`.
pub(super) static SCORE: Object = Object {
    noun: "the parameters of `score`",
    members: &[Member("increment", Whole(-10_000, 10_000))],
    rules: &[Together::Required("increment")],
};

/// `route`.
pub(super) static ROUTE: Object = Object {
    noun: "the parameters of `route`",
    members: &[
        Member("host_header", Text(1, 255)),
        Member("origin", Shape::Object(&ORIGIN)),
        Member("sni", Shape::Object(&SNI)),
    ],
    rules: &[Together::Any],
};
static ORIGIN: Object = Object {
    noun: "an origin",
    members: &[Member("host", Text(1, 255)), Member("port", Whole(1, 65_535))],
    rules: &[Together::Any],
};
static SNI: Object =
    Object { noun: "`sni`", members: &[Member("value", Text(1, 255))], rules: &[Together::Required("value")] };

/// `serve_error`.
pub(super) static SERVE_ERROR: Object = Object {
    noun: "the parameters of `serve_error`",
    members: &[
        Member("content", Text(1, 10_240)),
        Member("asset_name", Text(1, 255)),
        Member("content_type", One(PAGES)),
        Member("status_code", Whole(400, 999)),
    ],
    rules: &[Together::Exactly(&["content", "asset_name"]), Together::With("content", "content_type")],
};

/// `compress_response`.
pub(super) static COMPRESS_RESPONSE: Object = Object {
    noun: "the parameters of `compress_response`",
    members: &[Member("algorithms", List(&Shape::Object(&ALGORITHM), 1, 6))],
    rules: &[Together::Required("algorithms")],
};
static ALGORITHM: Object = Object {
    noun: "an algorithm",
    members: &[Member("name", One(&["none", "auto", "default", "gzip", "brotli", "zstd"]))],
    rules: &[Together::Required("name")],
};

/// `log_custom_field`.
pub(super) static LOG_CUSTOM_FIELD: Object = Object {
    noun: "the parameters of `log_custom_field`",
    members: &[
        Member("request_fields", List(&Shape::Object(&FIELD), 0, MANY)),
        Member("transformed_request_fields", List(&Shape::Object(&FIELD), 0, MANY)),
        Member("response_fields", List(&Shape::Object(&REPEATED_FIELD), 0, MANY)),
        Member("raw_response_fields", List(&Shape::Object(&REPEATED_FIELD), 0, MANY)),
        Member("cookie_fields", List(&Shape::Object(&FIELD), 0, MANY)),
    ],
    rules: &[Together::Any],
};
static FIELD: Object =
    Object { noun: "a field", members: &[Member("name", Text(1, 256))], rules: &[Together::Required("name")] };
static REPEATED_FIELD: Object = Object {
    noun: "a field",
    members: &[Member("name", Text(1, 256)), Member("preserve_duplicates", Flag)],
    rules: &[Together::Required("name")],
};

/// `set_config`.
pub(super) static SET_CONFIG: Object = Object {
    noun: "the parameters of `set_config`",
    members: &[
        Member("automatic_https_rewrites", Flag),
        Member("autominify", Shape::Object(&MINIFIED)),
        Member("bic", Flag),
        Member("content_converter", Flag),
        Member("disable_apps", True),
        Member("disable_pay_per_crawl", True),
        Member("disable_rum", True),
        Member("disable_zaraz", True),
        Member("email_obfuscation", Flag),
        Member("fonts", Flag),
        Member("hotlink_protection", Flag),
        Member("mirage", Flag),
        Member("opportunistic_encryption", Flag),
        Member("polish", One(&["off", "lossless", "lossy", "webp"])),
        Member("redirects_for_ai_training", Flag),
        Member("request_body_buffering", One(&["none", "standard", "full"])),
        Member("response_body_buffering", One(&["none", "standard"])),
        Member("rocket_loader", Flag),
        Member("security_level", One(&["off", "essentially_off", "low", "medium", "high", "under_attack"])),
        Member("server_side_excludes", Flag),
        Member("ssl", One(&["off", "flexible", "full", "strict", "origin_pull"])),
        Member("sxg", Flag),
    ],
    rules: &[Together::Any],
};
static MINIFIED: Object = Object {
    noun: "`autominify`",
    members: &[Member("css", Flag), Member("html", Flag), Member("js", Flag)],
    rules: &[Together::Any],
};

/// `set_cache_settings` of requests.
pub(super) static SET_CACHE_SETTINGS: Object = Object {
    noun: "the parameters of `set_cache_settings`",
    members: &[
        Member("cache", Flag),
        Member("edge_ttl", Shape::Object(&EDGE_TTL)),
        Member("browser_ttl", Shape::Object(&BROWSER_TTL)),
        Member("cache_key", Shape::Object(&CACHE_KEY)),
        Member("serve_stale", Shape::Object(&SERVE_STALE)),
        Member("cache_reserve", Shape::Object(&CACHE_RESERVE)),
        Member("respect_strong_etags", Flag),
        Member("origin_error_page_passthru", Flag),
        Member("origin_cache_control", Flag),
        Member("origin_range_requests", Shape::Object(&RANGES)),
        Member("additional_cacheable_ports", List(&Whole(1, 65_535), 0, MANY)),
        Member("read_timeout", Whole(1, 6_000)),
        Member("shared_dictionary", Shape::Object(&DICTIONARY)),
        Member("vary", Shape::Object(&VARY)),
    ],
    rules: &[Together::Any],
};
/// `set_cache_settings` of answers.
pub(super) static SET_RESPONSE_CACHE_SETTINGS: Object = Object {
    noun: "the parameters of `set_cache_settings`",
    members: &[
        Member("strip_etags", Flag),
        Member("strip_last_modified", Flag),
        Member("strip_set_cookie", Flag),
        Member("shared_dictionary", Shape::Object(&DICTIONARY)),
    ],
    rules: &[Together::Any],
};
static EDGE_TTL: Object = Object {
    noun: "`edge_ttl`",
    members: &[
        Member("mode", One(&["respect_origin", "override_origin", "bypass_by_default"])),
        Member("default", Whole(0, YEAR)),
        Member("status_code_ttl", List(&Shape::Object(&STATUS_TTL), 0, MANY)),
    ],
    rules: &[Together::Required("mode"), Together::Needs("mode", "override_origin", "default")],
};
static STATUS_TTL: Object = Object {
    noun: "an item of `status_code_ttl`",
    members: &[
        Member("status_code", Whole(100, 999)),
        Member("status_code_range", Shape::Object(&STATUS_RANGE)),
        Member("value", Whole(-1, YEAR)),
    ],
    rules: &[Together::Required("value"), Together::Exactly(&["status_code", "status_code_range"])],
};
static STATUS_RANGE: Object = Object {
    noun: "`status_code_range`",
    members: &[Member("from", Whole(100, 999)), Member("to", Whole(100, 999))],
    rules: &[Together::Any],
};
static BROWSER_TTL: Object = Object {
    noun: "`browser_ttl`",
    members: &[
        Member("mode", One(&["respect_origin", "override_origin", "bypass_by_default", "bypass"])),
        Member("default", Whole(0, YEAR)),
    ],
    rules: &[Together::Required("mode"), Together::Needs("mode", "override_origin", "default")],
};
static CACHE_KEY: Object = Object {
    noun: "`cache_key`",
    members: &[
        Member("cache_by_device_type", Flag),
        Member("cache_deception_armor", Flag),
        Member("ignore_query_strings_order", Flag),
        Member("custom_key", Shape::Object(&CUSTOM_KEY)),
    ],
    rules: &[Together::Any],
};
static CUSTOM_KEY: Object = Object {
    noun: "`custom_key`",
    members: &[
        Member("cookie", Shape::Object(&COOKIES)),
        Member("header", Shape::Object(&HEADERS)),
        Member("host", Shape::Object(&HOST)),
        Member("query_string", Shape::Object(&QUERY_STRING)),
        Member("user", Shape::Object(&USER)),
    ],
    rules: &[Together::Any],
};
const NAMES: Shape = List(&Text(1, 256), 0, MANY);
static COOKIES: Object =
    Object { noun: "`cookie`", members: &[Member("check_presence", NAMES), Member("include", NAMES)], rules: &[] };
static HEADERS: Object = Object {
    noun: "`header`",
    members: &[
        Member("check_presence", NAMES),
        Member("contains", Map(&NAMES, MANY)),
        Member("exclude_origin", Flag),
        Member("include", NAMES),
    ],
    rules: &[],
};
static HOST: Object = Object { noun: "`host`", members: &[Member("resolved", Flag)], rules: &[] };
static QUERY_STRING: Object = Object {
    noun: "`query_string`",
    members: &[Member("exclude", Shape::Object(&QUERY_NAMES)), Member("include", Shape::Object(&QUERY_NAMES))],
    rules: &[Together::Exactly(&["exclude", "include"])],
};
static QUERY_NAMES: Object = Object {
    noun: "names of a query",
    members: &[Member("all", True), Member("list", NAMES)],
    rules: &[Together::Exactly(&["all", "list"])],
};
static USER: Object = Object {
    noun: "`user`",
    members: &[Member("device_type", Flag), Member("geo", Flag), Member("lang", Flag)],
    rules: &[],
};
static SERVE_STALE: Object =
    Object { noun: "`serve_stale`", members: &[Member("disable_stale_while_updating", Flag)], rules: &[] };
static CACHE_RESERVE: Object = Object {
    noun: "`cache_reserve`",
    members: &[Member("eligible", Flag), Member("minimum_file_size", Whole(0, i64::MAX))],
    rules: &[Together::Required("eligible")],
};
static RANGES: Object = Object {
    noun: "`origin_range_requests`",
    members: &[Member("mode", One(&["on", "off", "default"]))],
    rules: &[Together::Required("mode")],
};
static DICTIONARY: Object = Object {
    noun: "`shared_dictionary`",
    members: &[Member("match_pattern", Text(1, 2_048))],
    rules: &[Together::Required("match_pattern")],
};
static VARY: Object = Object {
    noun: "`vary`",
    members: &[Member("default", Shape::Object(&VARIED)), Member("headers", Map(&Shape::Object(&VARIED_HEADER), MANY))],
    rules: &[Together::Required("default")],
};
const TREATED: Shape = One(&["bypass", "passthrough", "normalize"]);
static VARIED: Object =
    Object { noun: "`vary`", members: &[Member("action", TREATED)], rules: &[Together::Required("action")] };
static VARIED_HEADER: Object = Object {
    noun: "a header of `vary`",
    members: &[Member("action", TREATED), Member("languages", NAMES), Member("media_types", NAMES)],
    rules: &[Together::Required("action")],
};

/// `set_cache_tags`.
pub(super) static SET_CACHE_TAGS: Object = Object {
    noun: "the parameters of `set_cache_tags`",
    members: &[
        Member("operation", One(&["add", "remove", "set"])),
        Member("values", List(&Text(1, 1_024), 1, 1_000)),
        Member("expression", Expression),
    ],
    rules: &[Together::Required("operation"), Together::Exactly(&["values", "expression"])],
};

/// `set_cache_control`.
pub(super) static SET_CACHE_CONTROL: Object = Object {
    noun: "the parameters of `set_cache_control`",
    members: &[
        Member("immutable", Shape::Object(&PLAIN)),
        Member("max-age", Shape::Object(&LASTING)),
        Member("must-revalidate", Shape::Object(&PLAIN)),
        Member("must-understand", Shape::Object(&PLAIN)),
        Member("no-cache", Shape::Object(&QUALIFIED)),
        Member("no-store", Shape::Object(&PLAIN)),
        Member("no-transform", Shape::Object(&PLAIN)),
        Member("private", Shape::Object(&QUALIFIED)),
        Member("proxy-revalidate", Shape::Object(&PLAIN)),
        Member("public", Shape::Object(&PLAIN)),
        Member("s-maxage", Shape::Object(&LASTING)),
        Member("stale-if-error", Shape::Object(&LASTING)),
        Member("stale-while-revalidate", Shape::Object(&LASTING)),
    ],
    rules: &[Together::Any],
};
const OPERATION: Member = Member("operation", One(&["set", "remove"]));
const CLOUDFLARE_ONLY: Member = Member("cloudflare_only", Flag);
static PLAIN: Object =
    Object { noun: "a directive", members: &[OPERATION, CLOUDFLARE_ONLY], rules: &[Together::Required("operation")] };
static LASTING: Object = Object {
    noun: "a directive",
    members: &[OPERATION, Member("value", Whole(0, YEAR)), CLOUDFLARE_ONLY],
    rules: &[
        Together::Required("operation"),
        Together::Needs("operation", "set", "value"),
        Together::Excludes("operation", "remove", &["value"]),
    ],
};
static QUALIFIED: Object = Object {
    noun: "a directive",
    members: &[OPERATION, Member("qualifiers", NAMES), CLOUDFLARE_ONLY],
    rules: &[Together::Required("operation"), Together::Excludes("operation", "remove", &["qualifiers"])],
};
