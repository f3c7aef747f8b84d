//! Fields of HTTP requests and responses.

use super::builder::*;
use crate::schema::values::{
    EXTENSIONS, HTTP_METHODS, HTTP_VERSIONS, MEDIA_TYPES, REQUEST_HEADER_KEYS, RESPONSE_HEADER_KEYS, STATUS_CODES,
};
use crate::schema::{Keys, Presence, RequestPart as Part, ValueForm as Form};

pub(super) const FULL_URI: Row =
    request("http.request.full_uri", STRING, "full URI: scheme, host, path, and query string")
        .presence(Presence::Always)
        .form(Form::FullUri)
        .parts(&[Part::Scheme, Part::Host, Part::Path, Part::Query])
        .noun("full URI")
        .example("http.request.full_uri wildcard \"https://*.example.com/files/*\"")
        .aliases(&["http.request.url", "http.url"]);
pub(super) const URI: Row = request("http.request.uri", STRING, "path and query string")
    .presence(Presence::Always)
    .form(Form::Uri)
    .parts(&[Part::Path, Part::Query])
    .noun("URI (path and query)");
pub(super) const ARGS: Row = request("http.request.uri.args", STRINGS_BY_NAME, "query arguments by name, not decoded")
    .keys(Keys::Names)
    .part_of("http.request.uri")
    .parts(&[Part::Query])
    .collection("query argument", "query arguments")
    .foreign_names(&[
        "args",
        "params",
        "query",
        "request.args",
        "request.query",
        "request.params",
        "req.query",
        "http.args",
        "http.request.args",
        "http.request.query",
        "http.request.uri.query",
    ]);
pub(super) const ARGS_NAMES: Row =
    request("http.request.uri.args.names", STRINGS, "names of the query arguments, in order")
        .names_of("http.request.uri.args")
        .parts(&[Part::Query])
        .collection("query argument name", "query argument names");
pub(super) const ARGS_VALUES: Row =
    request("http.request.uri.args.values", STRINGS, "values of the query arguments, in order")
        .values_of("http.request.uri.args")
        .parts(&[Part::Query])
        .collection("query argument value", "query argument values");
pub(super) const PATH: Row = request("http.request.uri.path", STRING, "path")
    .presence(Presence::Always)
    .form(Form::Path)
    .part_of("http.request.uri")
    .parts(&[Part::Path])
    .example("starts_with(http.request.uri.path, \"/admin/\")")
    .aliases(&["http.request.path", "http.uri.path"]);
pub(super) const EXTENSION: Row =
    request("http.request.uri.path.extension", STRING, "file extension of the path in lowercase, without the dot")
        .form(Form::Extension)
        .suggestions(&[EXTENSIONS])
        .part_of("http.request.uri.path")
        .parts(&[Part::Path])
        .noun("file extension");
pub(super) const QUERY: Row = request("http.request.uri.query", STRING, "query string without the question mark")
    .presence(Presence::Always)
    .form(Form::Query)
    .part_of("http.request.uri")
    .parts(&[Part::Query])
    .noun("query string")
    .example("http.request.uri.query contains \"debug=\"")
    .aliases(&["http.request.query"]);
pub(super) const VERSION: Row = request("http.request.version", STRING, "HTTP version, such as `HTTP/2`")
    .presence(Presence::Always)
    .form(Form::Version)
    .suggestions(&[HTTP_VERSIONS]);
pub(super) const RESPONSE_HEADERS: Row =
    response("http.response.headers", STRINGS_BY_NAME, "response headers by lowercase name")
        .header_names(RESPONSE_HEADER_KEYS)
        .parts(&[Part::Response])
        .collection("response header", "response headers")
        .foreign_names(&["response.headers", "response.header", "res.headers", "http.response.header"]);
pub(super) const RESPONSE_HEADERS_NAMES: Row =
    response("http.response.headers.names", STRINGS, "response header names in their original case")
        .names_of("http.response.headers")
        .parts(&[Part::Response])
        .collection("response header name", "response header names");
pub(super) const RESPONSE_HEADERS_VALUES: Row =
    response("http.response.headers.values", STRINGS, "response header values, in the order of the names")
        .values_of("http.response.headers")
        .parts(&[Part::Response])
        .collection("response header value", "response header values");

pub(super) const ROWS: &[Row] = &[
    request("http.cookie", STRING, "the entire Cookie header")
        .presence(Presence::Undocumented)
        .form(Form::Cookie)
        .parts(&[Part::Cookie])
        .noun("Cookie header"),
    request("http.host", STRING, "hostname that the client requested")
        .presence(Presence::Always)
        .form(Form::Host)
        .parts(&[Part::Host])
        .noun("host")
        .example("http.host eq \"www.example.com\"")
        .aliases(&["http.request.host"]),
    request("http.referer", STRING, "the Referer header")
        .presence(Presence::Undocumented)
        .form(Form::Referer)
        .parts(&[Part::Referer])
        .noun("Referer header")
        .example("not http.referer contains \"example.com\"")
        .aliases(&["http.request.referer"]),
    request("http.request.accepted_languages", STRINGS, "language tags of the Accept-Language header, best first")
        .only_in(LANGUAGE_PHASES)
        .parts(&[Part::Header])
        .collection("accepted language", "accepted languages"),
    request("http.request.body.form", STRINGS_BY_NAME, "fields of a URL-encoded form body, by name")
        .needs(ENTERPRISE)
        .presence(Presence::Undocumented)
        .keys(Keys::Names)
        .parts(&[Part::Body])
        .collection("form field", "form fields")
        .foreign_names(&["form", "request.form", "http.request.form"]),
    request("http.request.body.form.names", STRINGS, "names of the form fields, in order")
        .needs(ENTERPRISE)
        .presence(Presence::Undocumented)
        .names_of("http.request.body.form")
        .parts(&[Part::Body])
        .collection("form field name", "form field names"),
    request("http.request.body.form.values", STRINGS, "values of the form fields, in order")
        .needs(ENTERPRISE)
        .presence(Presence::Undocumented)
        .values_of("http.request.body.form")
        .parts(&[Part::Body])
        .collection("form field value", "form field values"),
    request("http.request.body.mime", STRING, "MIME type detected from the body")
        .presence(Presence::Undocumented)
        .suggestions(&[MEDIA_TYPES])
        .parts(&[Part::Body])
        .noun("MIME type of the body"),
    request("http.request.body.multipart", STRINGS_BY_NAME, "values of a multipart body, by name")
        .needs(ENTERPRISE)
        .presence(Presence::Undocumented)
        .keys(Keys::Names)
        .parts(&[Part::Body])
        .collection("multipart field", "multipart fields"),
    request(
        "http.request.body.multipart.content_dispositions",
        STRING_ROWS,
        "Content-Disposition headers of each part",
    )
    .needs(ENTERPRISE)
    .presence(Presence::Undocumented)
    .part_of("http.request.body.multipart")
    .parts(&[Part::Body])
    .collection("Content-Disposition header of a part", "Content-Disposition headers of the parts"),
    request(
        "http.request.body.multipart.content_transfer_encodings",
        STRING_ROWS,
        "Content-Transfer-Encoding headers of each part",
    )
    .needs(ENTERPRISE)
    .presence(Presence::Undocumented)
    .part_of("http.request.body.multipart")
    .parts(&[Part::Body])
    .collection("Content-Transfer-Encoding header of a part", "Content-Transfer-Encoding headers of the parts"),
    request("http.request.body.multipart.content_types", STRING_ROWS, "Content-Type headers of each part")
        .needs(ENTERPRISE)
        .presence(Presence::Undocumented)
        .part_of("http.request.body.multipart")
        .parts(&[Part::Body])
        .collection("Content-Type header of a part", "Content-Type headers of the parts"),
    request("http.request.body.multipart.filenames", STRING_ROWS, "file names of each part")
        .needs(ENTERPRISE)
        .presence(Presence::Undocumented)
        .part_of("http.request.body.multipart")
        .parts(&[Part::Body])
        .collection("file name of a part", "file names of the parts"),
    request("http.request.body.multipart.names", STRING_ROWS, "names of each part")
        .needs(ENTERPRISE)
        .presence(Presence::Undocumented)
        .names_of("http.request.body.multipart")
        .parts(&[Part::Body])
        .collection("name of a part", "names of the parts"),
    request("http.request.body.multipart.values", STRINGS, "value of each part")
        .needs(ENTERPRISE)
        .presence(Presence::Undocumented)
        .values_of("http.request.body.multipart")
        .parts(&[Part::Body])
        .collection("multipart value", "multipart values"),
    request("http.request.body.raw", STRING, "raw body, truncated at the plan's limit")
        .needs(ENTERPRISE)
        .presence(Presence::Undocumented)
        .parts(&[Part::Body])
        .noun("body"),
    request("http.request.body.size", INTEGER, "size of the entire body in bytes")
        .needs(ENTERPRISE)
        .presence(Presence::Undocumented)
        .form(COUNT)
        .parts(&[Part::Body])
        .noun("size of the body in bytes"),
    request("http.request.body.truncated", BOOLEAN, "whether the body is truncated, so its fields may be incomplete")
        .needs(ENTERPRISE)
        .presence(Presence::Undocumented)
        .parts(&[Part::Body])
        .statement("the body is truncated, so its fields may be incomplete", "the body is not truncated"),
    request("http.request.cookies", STRINGS_BY_NAME, "cookies by name")
        .needs(PRO)
        .keys(Keys::Names)
        .parts(&[Part::Cookie])
        .collection("cookie", "cookies")
        .foreign_names(&[
            "cookies",
            "cookie",
            "request.cookies",
            "req.cookies",
            "http.cookies",
            "http.cookie",
            "http.request.cookie",
        ]),
    FULL_URI,
    request("http.request.headers", STRINGS_BY_NAME, "headers by lowercase name")
        .header_names(REQUEST_HEADER_KEYS)
        .parts(&[Part::Header, Part::Host, Part::Cookie, Part::Referer, Part::UserAgent, Part::XForwardedFor])
        .collection("header", "headers")
        .example("any(http.request.headers[\"accept\"][*] contains \"text/html\")")
        .foreign_names(&[
            "headers",
            "header",
            "request.headers",
            "request.header",
            "req.headers",
            "http.headers",
            "http.header",
            "http.request.header",
        ]),
    request("http.request.headers.names", STRINGS, "header names in the case that the client sent")
        .names_of("http.request.headers")
        .parts(&[Part::Header, Part::Cookie, Part::Referer, Part::UserAgent, Part::XForwardedFor])
        .collection("header name", "header names")
        .example("any(lower(http.request.headers.names[*])[*] eq \"x-api-key\")"),
    request("http.request.headers.truncated", BOOLEAN, "whether there are too many headers to include them all")
        .part_of("http.request.headers")
        .parts(&[Part::Header, Part::Host, Part::Cookie, Part::Referer, Part::UserAgent, Part::XForwardedFor])
        .statement("some request headers are omitted because there are too many", "no request headers are omitted"),
    request("http.request.headers.values", STRINGS, "header values, in the order of the names")
        .values_of("http.request.headers")
        .parts(&[Part::Header, Part::Host, Part::Cookie, Part::Referer, Part::UserAgent, Part::XForwardedFor])
        .collection("header value", "header values"),
    request("http.request.jwt.claims.aud", STRINGS_BY_NAME, "audience claim of the token, by token configuration")
        .needs(ADD_ON)
        .presence(Presence::Optional)
        .keys(Keys::Configured)
        .keyed_collection("audience claim", "audience claims", " in the token "),
    request("http.request.jwt.claims.aud.names", STRINGS, "token configurations whose token has an audience claim")
        .needs(ADD_ON)
        .presence(Presence::Optional)
        .names_of("http.request.jwt.claims.aud")
        .collection("token configuration with an audience claim", "token configurations with an audience claim"),
    request("http.request.jwt.claims.aud.values", STRINGS, "audience claims of all tokens")
        .needs(ADD_ON)
        .presence(Presence::Optional)
        .values_of("http.request.jwt.claims.aud")
        .keyed_collection("audience claim", "audience claims", " in the token "),
    request("http.request.jwt.claims.exp.sec", INTEGERS_BY_NAME, "expiry claim of the token, by token configuration")
        .needs(ADD_ON)
        .unconfirmed()
        .presence(Presence::Optional)
        .keys(Keys::Configured)
        .keyed_collection("expiry claim", "expiry claims", " in the token "),
    request("http.request.jwt.claims.exp.sec.names", STRINGS, "token configurations whose token has an expiry claim")
        .needs(ADD_ON)
        .unconfirmed()
        .presence(Presence::Optional)
        .names_of("http.request.jwt.claims.exp.sec")
        .collection("token configuration with an expiry claim", "token configurations with an expiry claim"),
    request("http.request.jwt.claims.exp.sec.values", INTEGERS, "expiry claims of all tokens")
        .needs(ADD_ON)
        .unconfirmed()
        .presence(Presence::Optional)
        .values_of("http.request.jwt.claims.exp.sec")
        .keyed_collection("expiry claim", "expiry claims", " in the token "),
    request(
        "http.request.jwt.claims.iat.sec",
        INTEGERS_BY_NAME,
        "issue time claim of the token, by token configuration",
    )
    .needs(ADD_ON)
    .presence(Presence::Optional)
    .keys(Keys::Configured)
    .keyed_collection("issue time claim", "issue time claims", " in the token "),
    request(
        "http.request.jwt.claims.iat.sec.names",
        STRINGS,
        "token configurations whose token has an issue time claim",
    )
    .needs(ADD_ON)
    .presence(Presence::Optional)
    .names_of("http.request.jwt.claims.iat.sec")
    .collection("token configuration with an issue time claim", "token configurations with an issue time claim"),
    request("http.request.jwt.claims.iat.sec.values", INTEGERS, "issue time claims of all tokens")
        .needs(ADD_ON)
        .presence(Presence::Optional)
        .values_of("http.request.jwt.claims.iat.sec")
        .keyed_collection("issue time claim", "issue time claims", " in the token "),
    request("http.request.jwt.claims.iss", STRINGS_BY_NAME, "issuer claim of the token, by token configuration")
        .needs(ADD_ON)
        .presence(Presence::Optional)
        .keys(Keys::Configured)
        .keyed_collection("issuer claim", "issuer claims", " in the token "),
    request("http.request.jwt.claims.iss.names", STRINGS, "token configurations whose token has an issuer claim")
        .needs(ADD_ON)
        .presence(Presence::Optional)
        .names_of("http.request.jwt.claims.iss")
        .collection("token configuration with an issuer claim", "token configurations with an issuer claim"),
    request("http.request.jwt.claims.iss.values", STRINGS, "issuer claims of all tokens")
        .needs(ADD_ON)
        .presence(Presence::Optional)
        .values_of("http.request.jwt.claims.iss")
        .keyed_collection("issuer claim", "issuer claims", " in the token "),
    request("http.request.jwt.claims.jti", STRINGS_BY_NAME, "identifier claim of the token, by token configuration")
        .needs(ADD_ON)
        .presence(Presence::Optional)
        .keys(Keys::Configured)
        .keyed_collection("identifier claim", "identifier claims", " in the token "),
    request("http.request.jwt.claims.jti.names", STRINGS, "token configurations whose token has an identifier claim")
        .needs(ADD_ON)
        .presence(Presence::Optional)
        .names_of("http.request.jwt.claims.jti")
        .collection("token configuration with an identifier claim", "token configurations with an identifier claim"),
    request("http.request.jwt.claims.jti.values", STRINGS, "identifier claims of all tokens")
        .needs(ADD_ON)
        .presence(Presence::Optional)
        .values_of("http.request.jwt.claims.jti")
        .keyed_collection("identifier claim", "identifier claims", " in the token "),
    request(
        "http.request.jwt.claims.nbf.sec",
        INTEGERS_BY_NAME,
        "not-before claim of the token, by token configuration",
    )
    .needs(ADD_ON)
    .presence(Presence::Optional)
    .keys(Keys::Configured)
    .keyed_collection("not-before claim", "not-before claims", " in the token "),
    request(
        "http.request.jwt.claims.nbf.sec.names",
        STRINGS,
        "token configurations whose token has a not-before claim",
    )
    .needs(ADD_ON)
    .presence(Presence::Optional)
    .names_of("http.request.jwt.claims.nbf.sec")
    .collection("token configuration with a not-before claim", "token configurations with a not-before claim"),
    request("http.request.jwt.claims.nbf.sec.values", INTEGERS, "not-before claims of all tokens")
        .needs(ADD_ON)
        .presence(Presence::Optional)
        .values_of("http.request.jwt.claims.nbf.sec")
        .keyed_collection("not-before claim", "not-before claims", " in the token "),
    request("http.request.jwt.claims.sub", STRINGS_BY_NAME, "subject claim of the token, by token configuration")
        .needs(ADD_ON)
        .presence(Presence::Optional)
        .keys(Keys::Configured)
        .keyed_collection("subject claim", "subject claims", " in the token "),
    request("http.request.jwt.claims.sub.names", STRINGS, "token configurations whose token has a subject claim")
        .needs(ADD_ON)
        .presence(Presence::Optional)
        .names_of("http.request.jwt.claims.sub")
        .collection("token configuration with a subject claim", "token configurations with a subject claim"),
    request("http.request.jwt.claims.sub.values", STRINGS, "subject claims of all tokens")
        .needs(ADD_ON)
        .presence(Presence::Optional)
        .values_of("http.request.jwt.claims.sub")
        .keyed_collection("subject claim", "subject claims", " in the token "),
    request("http.request.method", STRING, "method in uppercase, such as `GET`")
        .presence(Presence::Always)
        .form(Form::Method)
        .suggestions(&[HTTP_METHODS])
        .noun("method")
        .aliases(&["http.method"]),
    request("http.request.timestamp.msec", INTEGER, "millisecond of the second of arrival, 0 to 999")
        .presence(Presence::Always)
        .form(MILLISECONDS)
        .parts(&[Part::Time])
        .noun("millisecond of arrival"),
    request("http.request.timestamp.sec", INTEGER, "time of arrival in seconds since 1970")
        .presence(Presence::Always)
        .form(Form::UnixTime)
        .parts(&[Part::Time])
        .noun("time of arrival")
        .example("http.request.timestamp.sec lt 1893456000"),
    URI,
    ARGS,
    ARGS_NAMES,
    ARGS_VALUES,
    PATH,
    request("http.request.uri.path.basename", STRING, "last segment of the path")
        .unconfirmed()
        .part_of("http.request.uri.path")
        .parts(&[Part::Path]),
    EXTENSION,
    QUERY,
    VERSION,
    response("http.response.code", INTEGER, "status code of the response")
        .form(STATUS)
        .suggestions(&[STATUS_CODES])
        .parts(&[Part::Response])
        .noun("status code"),
    response(
        "http.response.content_type.media_type",
        STRING,
        "media type of the response in lowercase, without parameters",
    )
    .suggestions(&[MEDIA_TYPES])
    .parts(&[Part::Response])
    .noun("media type of the response"),
    RESPONSE_HEADERS,
    RESPONSE_HEADERS_NAMES,
    response(
        "http.response.headers.truncated",
        BOOLEAN,
        "whether there are too many response headers to include them all",
    )
    .unconfirmed()
    .part_of("http.response.headers")
    .parts(&[Part::Response])
    .statement("some response headers are omitted because there are too many", "no response headers are omitted"),
    RESPONSE_HEADERS_VALUES,
    request("http.user_agent", STRING, "the User-Agent header")
        .presence(Presence::Undocumented)
        .form(Form::UserAgent)
        .parts(&[Part::UserAgent])
        .noun("user agent")
        .example("lower(http.user_agent) contains \"bot\"")
        .aliases(&["http.request.user_agent"]),
    VERSION.former_name("http.version", "deprecated name of the HTTP version").unconfirmed(),
    request("http.x_forwarded_for", STRING, "the entire X-Forwarded-For header")
        .presence(Presence::Undocumented)
        .parts(&[Part::XForwardedFor])
        .noun("X-Forwarded-For header"),
];
