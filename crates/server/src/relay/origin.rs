//! Cross-site request protection: rejects requests from pages of other sites. Browsers send the origin of a page and
//! scripts cannot change it. Other clients do not send it, and have no cookie that another site could misuse.

use crate::error::RelayError;
use axum::http::{HeaderMap, HeaderName, header};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Rejects requests from pages of other sites.
pub(super) fn check_same_origin(headers: &HeaderMap) -> Result<(), RelayError> {
    let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if text(&FETCH_SITE).is_some_and(|site| site != "same-origin" && site != "none") {
        return Err(RelayError::CrossOrigin);
    }
    let Some(origin) = text(&header::ORIGIN) else { return Ok(()) };
    let authority = origin.strip_prefix("https://").or(origin.strip_prefix("http://"));
    let host = text(&header::HOST);
    match (authority, host) {
        (Some(authority), Some(host)) if authority.eq_ignore_ascii_case(host) => Ok(()),
        _ => Err(RelayError::CrossOrigin),
    }
}

/// Returns whether the page was loaded over TLS, so that its cookie can be restricted to TLS.
pub(super) fn is_over_tls(headers: &HeaderMap) -> bool {
    headers.get(header::ORIGIN).is_some_and(|origin| origin.as_bytes().starts_with(b"https://"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn is_allowed(origin: Option<&'static str>, site: Option<&'static str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("relay.example:8787"));
        origin.map(|text| headers.insert(header::ORIGIN, HeaderValue::from_bytes(text.as_bytes()).unwrap()));
        site.map(|text| headers.insert(FETCH_SITE, HeaderValue::from_bytes(text.as_bytes()).unwrap()));
        check_same_origin(&headers).is_ok()
    }

    #[test]
    fn requests_from_pages_of_other_origins_are_rejected() {
        for (origin, site) in [
            (None, None),
            (Some("http://relay.example:8787"), None),
            (Some("https://relay.example:8787"), Some("same-origin")),
            (Some("https://RELAY.example:8787"), None),
            (None, Some("none")),
        ] {
            assert!(is_allowed(origin, site), "{origin:?} {site:?}");
        }
        for (origin, site) in [
            (Some("null"), None),
            (Some(""), None),
            (Some("https://evil.example"), None),
            (Some("https://relay.example"), None),
            (Some("https://relay.example:8788"), None),
            (Some("https://relay.example:8787.evil.example"), None),
            (Some("https://relay.example:8787@evil.example"), None),
            (Some("ftp://relay.example:8787"), None),
            (Some("\u{ff}"), None),
            (None, Some("cross-site")),
            (None, Some("same-site")),
            (Some("http://relay.example:8787"), Some("cross-site")),
        ] {
            assert!(!is_allowed(origin, site), "{origin:?} {site:?}");
        }
    }
}
