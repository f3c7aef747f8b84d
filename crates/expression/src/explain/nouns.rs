//! What fields are called in a sentence.
//!
//! Most names come from the fields' documentation; the tables have those that would be clumsy.

use crate::schema::{self, Field};

/// How a field that holds many values is called.
#[derive(Clone)]
pub(super) struct Collection {
    /// One of them, without an article.
    pub(super) item: String,
    /// All of them.
    pub(super) items: String,
    /// What stands between the noun and a key; without it the key stands before the noun.
    pub(super) key: Option<&'static str>,
}

/// The field in a sentence: `the host`.
pub(super) fn noun(field: &Field) -> String {
    if let Some(noun) = find(NOUNS, field.name) {
        return format!("the {noun}");
    }
    if let Some(replacement) = replacement(field) {
        return noun(replacement);
    }
    if let Some((base, ending)) = before_rewrite(field.name) {
        return format!("{}{ending}", noun(base));
    }
    let doc = field.doc.strip_prefix("the ").unwrap_or(field.doc);
    format!("the {}", first_part(doc))
}

/// What a true or false field says, and what it says when it is not true.
pub(super) fn statement(field: &Field) -> (String, String) {
    if let Some((_, yes, no)) = STATEMENTS.iter().find(|(name, _, _)| *name == field.name) {
        return ((*yes).to_owned(), (*no).to_owned());
    }
    if let Some(replacement) = replacement(field) {
        return statement(replacement);
    }
    let yes = first_part(field.doc.strip_prefix("whether ").unwrap_or(field.doc));
    let found = VERBS.iter().filter_map(|(verb, not)| Some((yes.find(verb)?, verb, not))).min();
    let no = match found {
        Some((_, verb, not)) => yes.replacen(verb, not, 1),
        None => format!("it does not hold that {yes}"),
    };
    (yes.to_owned(), no)
}

/// How an array or a map is called.
pub(super) fn collection(field: &Field) -> Collection {
    if let Some((_, item, items, key)) = COLLECTIONS.iter().find(|(name, ..)| *name == field.name) {
        return Collection { item: (*item).to_owned(), items: (*items).to_owned(), key: *key };
    }
    if let Some((base, ending)) = before_rewrite(field.name) {
        let Collection { item, items, key } = collection(base);
        return Collection { item: format!("{item}{ending}"), items: format!("{items}{ending}"), key };
    }
    if let Some(claim) = claim(field.name) {
        return claim;
    }
    let doc = first_part(field.doc);
    Collection { item: format!("one of the {doc}"), items: doc.to_owned(), key: Some(" for ") }
}

/// Claims of tokens: by token configuration, the names of these, and the claims alone.
fn claim(name: &str) -> Option<Collection> {
    let rest = name.strip_prefix("http.request.jwt.claims.")?;
    let (_, title) = CLAIMS.iter().find(|(claim, _)| rest.starts_with(claim))?;
    if rest.ends_with(".names") {
        let article = if title.starts_with(['a', 'e', 'i']) { "an" } else { "a" };
        let with = format!("with {article} {title} claim");
        let (item, items) = (format!("token configuration {with}"), format!("token configurations {with}"));
        return Some(Collection { item, items, key: None });
    }
    let (item, items) = (format!("{title} claim"), format!("{title} claims"));
    Some(Collection { item, items, key: Some(" in the token ") })
}

fn replacement(field: &Field) -> Option<&'static Field> {
    field.deprecated?.replacement.and_then(schema::field)
}

/// The field whose value before any change a `raw.` field has, and what is added to its noun.
fn before_rewrite(name: &str) -> Option<(&'static Field, &'static str)> {
    let base = schema::field(name.strip_prefix("raw.")?)?;
    let ending = if base.name.starts_with("http.response") { " as the origin sent it" } else { " before any rewrite" };
    Some((base, ending))
}

/// A documentation's beginning, up to where it goes into details.
fn first_part(doc: &str) -> &str {
    let ends = [", ", "; ", ": ", " (", " from 1 ", " such as "];
    let end = ends.iter().filter_map(|end| doc.find(end)).min().unwrap_or(doc.len());
    doc.get(..end).unwrap_or(doc)
}

fn find(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == name).map(|(_, noun)| *noun)
}

/// Nouns without their article.
const NOUNS: &[(&str, &str)] = &[
    ("cf.edge.l4.delivery_rate", "estimated speed of the connection in bytes a second"),
    ("cf.edge.server_ip", "server address that the client connects to"),
    ("cf.edge.server_port", "server port that the client connects to"),
    ("cf.hostname.metadata", "metadata of the custom hostname"),
    ("cf.random_seed", "random bytes of the request"),
    ("cf.ray_id", "Ray ID"),
    ("cf.response.1xxx_code", "number of the 1xxx error"),
    ("cf.response.error_type", "error type of the response"),
    ("cf.threat_score", "threat score (out of use, always 0)"),
    ("cf.tls_cipher", "TLS cipher"),
    ("cf.tls_client_auth.cert_issuer_dn", "issuer of the client certificate"),
    ("cf.tls_client_auth.cert_issuer_dn_legacy", "issuer of the client certificate, written with slashes,"),
    ("cf.tls_client_auth.cert_issuer_dn_rfc2253", "issuer of the client certificate (RFC 2253)"),
    ("cf.tls_client_auth.cert_not_after", "end of validity of the client certificate"),
    ("cf.tls_client_auth.cert_not_before", "start of validity of the client certificate"),
    ("cf.tls_client_auth.cert_subject_dn", "subject of the client certificate"),
    ("cf.tls_client_auth.cert_subject_dn_legacy", "subject of the client certificate, written with slashes,"),
    ("cf.tls_client_auth.cert_subject_dn_rfc2253", "subject of the client certificate (RFC 2253)"),
    ("cf.tls_version", "TLS version"),
    ("cf.verified_bot_category", "category of the verified bot"),
    ("cf.waf.score", "WAF attack score"),
    ("cf.waf.score.class", "class of the WAF attack score"),
    ("cf.waf.score.rce", "remote code execution attack score"),
    ("cf.waf.score.sqli", "SQL injection attack score"),
    ("cf.waf.score.xss", "cross-site scripting attack score"),
    ("cf.worker.upstream_zone", "zone of the Worker that sent the request"),
    ("cf.zone.name", "zone name"),
    ("cf.zone.plan", "zone's plan"),
    ("http.cookie", "Cookie header"),
    ("http.host", "host"),
    ("http.referer", "Referer header"),
    ("http.request.body.mime", "MIME type of the body"),
    ("http.request.body.raw", "body"),
    ("http.request.body.size", "size of the body in bytes"),
    ("http.request.full_uri", "full URI"),
    ("http.request.method", "method"),
    ("http.request.timestamp.msec", "millisecond of arrival"),
    ("http.request.timestamp.sec", "time of arrival"),
    ("http.request.uri", "URI (path and query)"),
    ("http.request.uri.path.extension", "file extension"),
    ("http.request.uri.query", "query string"),
    ("http.response.code", "status code"),
    ("http.response.content_type.media_type", "media type of the response"),
    ("http.user_agent", "user agent"),
    ("http.x_forwarded_for", "X-Forwarded-For header"),
    ("icmp", "ICMP message"),
    ("ip", "packet"),
    ("ip.dst", "destination address"),
    ("ip.dst.country", "country of the destination address"),
    ("ip.proto", "transport protocol"),
    ("ip.src", "client's IP address"),
    ("ip.src.asnum", "client's AS number"),
    ("ip.src.city", "client's city"),
    ("ip.src.continent", "client's continent"),
    ("ip.src.country", "client's country"),
    ("ip.src.lat", "client's latitude"),
    ("ip.src.lon", "client's longitude"),
    ("ip.src.metro_code", "client's metro code"),
    ("ip.src.postal_code", "client's postal code"),
    ("ip.src.region", "client's region"),
    ("ip.src.region_code", "client's region code"),
    ("ip.src.subdivision_1_iso_code", "ISO code of the client's region"),
    ("ip.src.subdivision_2_iso_code", "ISO code of the client's second-level region"),
    ("ip.src.timezone.name", "client's time zone"),
    ("ip.ttl", "time to live"),
    ("tcp", "TCP segment"),
    ("tcp.dstport", "TCP destination port"),
    ("tcp.flags", "TCP flags field"),
    ("tcp.srcport", "TCP source port"),
    ("udp", "UDP datagram"),
    ("udp.dstport", "UDP destination port"),
    ("udp.srcport", "UDP source port"),
];

/// What is said of true or false fields whose documentation does not turn into a good negation.
const STATEMENTS: &[(&str, &str, &str)] = &[
    (
        "cf.api_gateway.auth_id_present",
        "the request carries a session identifier of the API",
        "the request carries no session identifier of the API",
    ),
    (
        "cf.api_gateway.fallthrough_detected",
        "the request matches no saved API endpoint",
        "the request matches a saved API endpoint",
    ),
    (
        "cf.bot_management.js_detection.passed",
        "the visitor has passed a JavaScript detection",
        "the visitor has not passed a JavaScript detection",
    ),
    (
        "cf.bot_management.signed_agent",
        "the client proved who it is with a signed request",
        "the client did not prove who it is with a signed request",
    ),
    ("cf.bot_management.static_resource", "the request is for a static file", "the request is not for a static file"),
    ("cf.bot_management.verified_bot", "the client is a verified bot", "the client is not a verified bot"),
    (
        "cf.tls_client_auth.cert_presented",
        "the client presented a certificate",
        "the client did not present a certificate",
    ),
    (
        "cf.tls_client_auth.cert_revoked",
        "the client presented a certificate that has been revoked",
        "the client did not present a certificate that has been revoked",
    ),
    (
        "cf.tls_client_auth.cert_verified",
        "the client presented a valid certificate",
        "the client did not present a valid certificate",
    ),
    (
        "cf.waf.content_scan.has_failed",
        "some uploaded object could not be scanned",
        "no uploaded object failed to be scanned",
    ),
    ("cf.waf.content_scan.has_malicious_obj", "an uploaded object is malicious", "no uploaded object is malicious"),
    ("cf.waf.content_scan.has_obj", "the request uploads an object", "the request uploads no object"),
    ("http.request.body.truncated", "the body is cut, so that its fields may lack something", "the body is not cut"),
    (
        "http.request.headers.truncated",
        "some request headers are left out, as there were too many",
        "no request headers are left out",
    ),
    (
        "http.response.headers.truncated",
        "some response headers are left out, as there were too many",
        "no response headers are left out",
    ),
    ("ssl", "the connection is encrypted", "the connection is not encrypted"),
];

/// Verbs of documentations, and their negations.
const VERBS: &[(&str, &str)] = &[
    (" are ", " are not "),
    (" breaks ", " does not break "),
    (" carries ", " does not carry "),
    (" comes ", " does not come "),
    (" connects ", " does not connect "),
    (" departs ", " does not depart "),
    (" holds ", " does not hold "),
    (" is ", " is not "),
];

/// Arrays and maps: one, all, and what stands before a key.
const COLLECTIONS: &[(&str, &str, &str, Option<&str>)] = &[
    ("cf.bot_management.detection_ids", "bot detection ID", "bot detection IDs", None),
    ("cf.llm.prompt.custom_topic_categories", "score of the prompt", "scores of the prompt", Some(" for the topic ")),
    (
        "cf.llm.prompt.pii_categories",
        "kind of personal data in the prompt",
        "kinds of personal data in the prompt",
        None,
    ),
    ("cf.llm.prompt.unsafe_topic_categories", "unsafe topic of the prompt", "unsafe topics of the prompt", None),
    ("cf.waf.content_scan.obj_results", "scan result of an uploaded object", "scan results of uploaded objects", None),
    ("cf.waf.content_scan.obj_sizes", "uploaded object size in bytes", "uploaded object sizes in bytes", None),
    ("cf.waf.content_scan.obj_types", "uploaded object type", "uploaded object types", None),
    ("http.request.accepted_languages", "accepted language", "accepted languages", None),
    ("http.request.body.form", "form field", "form fields", None),
    ("http.request.body.form.names", "form field name", "form field names", None),
    ("http.request.body.form.values", "form field value", "form field values", None),
    ("http.request.body.multipart", "multipart field", "multipart fields", None),
    (
        "http.request.body.multipart.content_dispositions",
        "Content-Disposition header of a part",
        "Content-Disposition headers of the parts",
        None,
    ),
    (
        "http.request.body.multipart.content_transfer_encodings",
        "Content-Transfer-Encoding header of a part",
        "Content-Transfer-Encoding headers of the parts",
        None,
    ),
    (
        "http.request.body.multipart.content_types",
        "Content-Type header of a part",
        "Content-Type headers of the parts",
        None,
    ),
    ("http.request.body.multipart.filenames", "file name of a part", "file names of the parts", None),
    ("http.request.body.multipart.names", "name of a part", "names of the parts", None),
    ("http.request.body.multipart.values", "multipart value", "multipart values", None),
    ("http.request.cookies", "cookie", "cookies", None),
    ("http.request.headers", "header", "headers", None),
    ("http.request.headers.names", "header name", "header names", None),
    ("http.request.headers.values", "header value", "header values", None),
    ("http.request.uri.args", "query argument", "query arguments", None),
    ("http.request.uri.args.names", "query argument name", "query argument names", None),
    ("http.request.uri.args.values", "query argument value", "query argument values", None),
    ("http.response.headers", "response header", "response headers", None),
    ("http.response.headers.names", "response header name", "response header names", None),
    ("http.response.headers.values", "response header value", "response header values", None),
];

/// Claims of tokens by their names.
const CLAIMS: [(&str, &str); 7] = [
    ("aud", "audience"),
    ("exp.sec", "expiry"),
    ("iat.sec", "issue time"),
    ("iss", "issuer"),
    ("jti", "identifier"),
    ("nbf.sec", "earliest use"),
    ("sub", "subject"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Type, schema::FIELDS};

    #[test]
    fn names_of_the_tables_are_fields() {
        let names = NOUNS.iter().map(|row| row.0).chain(STATEMENTS.iter().map(|row| row.0));
        for name in names.chain(COLLECTIONS.iter().map(|row| row.0)) {
            assert!(schema::field(name).is_some(), "{name}");
        }
    }

    #[test]
    fn every_field_has_a_good_name() {
        for field in FIELDS {
            if field.ty == Type::BOOLEAN {
                let (yes, no) = statement(field);
                assert!(yes != no && !no.starts_with("it does not") && !yes.starts_with("whether"), "{}", field.name);
            } else if field.ty.is_scalar() {
                let noun = noun(field);
                let is_odd = ["former", "`", "the the"].iter().any(|odd| noun.contains(odd));
                assert!(noun.len() < 80 && !is_odd, "{noun}");
            } else {
                assert!(!collection(field).item.starts_with("one of"), "{}", field.name);
            }
        }
    }
}
