//! Derives the fields of the body.

use super::{Fields, multipart, parse_form_pairs};
use zonewright_expression::Value;

const FORM_FIELDS: [&str; 3] =
    ["http.request.body.form", "http.request.body.form.names", "http.request.body.form.values"];

/// Pushes the fields of a body of this content type.
pub(super) fn write_body_fields(body: &[u8], content_type: &[u8], fields: &mut Fields) {
    fields.push_text("http.request.body.raw", body);
    fields.push("http.request.body.size", Value::Integer(i64::try_from(body.len()).unwrap_or(i64::MAX)));
    fields.push("http.request.body.truncated", Value::Boolean(false));
    let media_type = media_type(content_type);
    let form = if media_type.eq_ignore_ascii_case(b"application/x-www-form-urlencoded") { body } else { b"" };
    fields.push_map(FORM_FIELDS, &parse_form_pairs(form));
    let boundary = if media_type.eq_ignore_ascii_case(b"multipart/form-data") {
        multipart::find_boundary(content_type)
    } else {
        None
    };
    let parts = boundary.map(|boundary| multipart::parse_multipart(body, &boundary)).unwrap_or_default();
    multipart::write_multipart_fields(&parts, fields);
}

/// Returns the media type of a content type: `text/html` of `text/html; charset=utf-8`.
pub(super) fn media_type(header: &[u8]) -> &[u8] {
    header.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii()
}
