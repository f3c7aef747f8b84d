//! Fields of a request before any rewrite, and of a response as the origin sent it.

use super::builder::Row;
use super::http;
use crate::schema::ValueForm as Form;

pub(super) const ROWS: &[Row] = &[
    http::FULL_URI
        .raw("raw.http.request.full_uri", "full URI (scheme, host, path, and query string) before any rewrite")
        .noun("full URI before any rewrite"),
    http::URI
        .raw("raw.http.request.uri", "path and query string, before any rewrite")
        .noun("URI (path and query) before any rewrite"),
    http::ARGS
        .raw("raw.http.request.uri.args", "query arguments by name, before any rewrite")
        .part_of("raw.http.request.uri")
        .collection("query argument before any rewrite", "query arguments before any rewrite"),
    http::ARGS_NAMES
        .raw("raw.http.request.uri.args.names", "names of the query arguments, before any rewrite")
        .names_of("raw.http.request.uri.args")
        .collection("query argument name before any rewrite", "query argument names before any rewrite"),
    http::ARGS_VALUES
        .raw("raw.http.request.uri.args.values", "values of the query arguments, before any rewrite")
        .values_of("raw.http.request.uri.args")
        .collection("query argument value before any rewrite", "query argument values before any rewrite"),
    http::PATH
        .raw("raw.http.request.uri.path", "path, before any rewrite")
        .part_of("raw.http.request.uri")
        .noun("path before any rewrite"),
    http::EXTENSION
        .raw("raw.http.request.uri.path.extension", "file extension of the path, before any rewrite")
        .form(Form::RawExtension)
        .part_of("raw.http.request.uri.path")
        .noun("file extension before any rewrite"),
    http::QUERY
        .raw("raw.http.request.uri.query", "query string, before any rewrite")
        .part_of("raw.http.request.uri")
        .noun("query string before any rewrite"),
    http::RESPONSE_HEADERS
        .raw("raw.http.response.headers", "response headers by lowercase name, as the origin sent them")
        .collection("response header as the origin sent it", "response headers as the origin sent them"),
    http::RESPONSE_HEADERS_NAMES
        .raw("raw.http.response.headers.names", "response header names, as the origin sent them")
        .names_of("raw.http.response.headers")
        .collection("response header name as the origin sent it", "response header names as the origin sent them"),
    http::RESPONSE_HEADERS_VALUES
        .raw("raw.http.response.headers.values", "response header values, as the origin sent them")
        .values_of("raw.http.response.headers")
        .collection("response header value as the origin sent it", "response header values as the origin sent them"),
];
