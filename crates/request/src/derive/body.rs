//! The fields of the body.

use super::{Fields, form_pairs, multipart};
use zonewright_expression::Value;

const FORM: [&str; 3] = ["http.request.body.form", "http.request.body.form.names", "http.request.body.form.values"];

/// Writes the fields of a body of this content type.
pub(super) fn write(body: &[u8], content_type: &[u8], fields: &mut Fields) {
    fields.text("http.request.body.raw", body);
    fields.put("http.request.body.size", Value::Integer(i64::try_from(body.len()).unwrap_or(i64::MAX)));
    fields.put("http.request.body.truncated", Value::Boolean(false));
    let media = media_type(content_type);
    let form = if media.eq_ignore_ascii_case(b"application/x-www-form-urlencoded") { body } else { b"" };
    fields.pairs(FORM, &form_pairs(form));
    let boundary =
        if media.eq_ignore_ascii_case(b"multipart/form-data") { multipart::boundary(content_type) } else { None };
    let parts = boundary.map(|boundary| multipart::parts(body, &boundary)).unwrap_or_default();
    multipart::write(&parts, fields);
}

/// `text/html` of `text/html; charset=utf-8`.
pub(super) fn media_type(header: &[u8]) -> &[u8] {
    header.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii()
}
