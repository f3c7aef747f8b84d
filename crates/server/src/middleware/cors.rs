//! CORS: pages of the listed origins may read responses, and pages of other origins never can. Cookies are not allowed,
//! so a page has to send the credentials itself.

use axum::http::{HeaderName, HeaderValue, Method, Uri, header};
use std::str::FromStr;
use std::time::Duration;
use tower_http::cors::{AllowOrigin, CorsLayer};

/// Time for which a browser may cache a preflight response.
const PREFLIGHT_MAX_AGE: Duration = Duration::from_secs(3600);

/// Request headers that a page may send: those of documented clients. The `x-stainless` headers are those of the
/// official SDKs.
const ALLOWED_HEADERS: [&str; 20] = [
    "authorization",
    "content-type",
    "x-auth-email",
    "x-auth-key",
    "x-auth-user-service-key",
    "x-stainless-arch",
    "x-stainless-async",
    "x-stainless-helper-method",
    "x-stainless-lang",
    "x-stainless-os",
    "x-stainless-package-version",
    "x-stainless-read-timeout",
    "x-stainless-retry-count",
    "x-stainless-runtime",
    "x-stainless-runtime-version",
    "x-stainless-timeout",
    "if-match",
    "if-none-match",
    "content-encoding",
    "user-agent",
];

/// Response headers that a page may read.
const EXPOSED_HEADERS: [&str; 5] = ["etag", "cf-ray", "retry-after", "ratelimit", "ratelimit-policy"];

/// An origin as browsers write it: `https://app.example.com`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(HeaderValue);

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "*" || text.eq_ignore_ascii_case("null") {
            return Err(format!("`{text}` would allow every website; list the origins that you trust"));
        }
        let format_error =
            || "expected an origin in lowercase: scheme, host, and port, such as `https://app.example.com`".to_owned();
        let (scheme, rest) = text.split_once("://").ok_or_else(format_error)?;
        let is_origin = ["http", "https"].contains(&scheme)
            && !text.bytes().any(|byte| byte.is_ascii_uppercase())
            && !rest.contains(['/', '?', '#', '@', '*'])
            && text.parse::<Uri>().is_ok_and(|uri| uri.host().is_some_and(|host| !host.is_empty()));
        // Browsers omit the default port of the scheme, so such an origin would never match.
        let default_port = if scheme == "https" { ":443" } else { ":80" };
        if !is_origin || rest.ends_with(default_port) {
            return Err(format_error());
        }
        HeaderValue::from_str(text).map(Origin).map_err(|_| format_error())
    }
}

/// Returns the layer that responds to preflight requests and sets the CORS headers.
pub(crate) fn layer(origins: &[Origin]) -> CorsLayer {
    let methods = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins.iter().map(|origin| origin.0.clone())))
        .allow_methods(methods)
        .allow_headers(ALLOWED_HEADERS.map(HeaderName::from_static))
        .expose_headers(EXPOSED_HEADERS.map(HeaderName::from_static))
        .max_age(PREFLIGHT_MAX_AGE)
        .vary([header::ORIGIN, header::ACCESS_CONTROL_REQUEST_METHOD, header::ACCESS_CONTROL_REQUEST_HEADERS])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_origins_as_browsers_write_them_are_accepted() {
        for right in ["https://app.example.com", "http://localhost:8080", "http://[::1]:1", "https://192.0.2.1"] {
            assert!(right.parse::<Origin>().is_ok(), "{right}");
        }
        let wrong = [
            "*",
            "null",
            "",
            "app.example.com",
            "https://",
            "https://a/",
            "https://a/b",
            "https://A",
            "ftp://a",
            "https://*.example.com",
            "https://u@a",
            "https://a:443",
            "http://a:80",
            "https://a b",
        ];
        for wrong in wrong {
            assert!(wrong.parse::<Origin>().is_err(), "{wrong}");
        }
    }
}
