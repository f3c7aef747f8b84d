//! Values that editors suggest: for fields, keys of maps, flags of functions and managed lists.
//!
//! Requests may have other values. Only flags and managed lists are complete.

/// A value with a short description, which may be empty.
pub type KnownValue = (&'static str, &'static str);

/// The continents, and Tor, with the codes that fields use (documented).
pub const CONTINENT_CODES: &[KnownValue] = &[
    ("AF", "Africa"),
    ("AN", "Antarctica"),
    ("AS", "Asia"),
    ("EU", "Europe"),
    ("NA", "North America"),
    ("OC", "Oceania"),
    ("SA", "South America"),
    ("T1", "the Tor network"),
];

/// The values of a country field that are not countries (documented).
pub(super) const SPECIAL_COUNTRY_CODES: &[KnownValue] = &[("T1", "the Tor network"), ("XX", "unknown")];

/// The HTTP methods (RFC 9110, RFC 5789).
pub const HTTP_METHODS: &[KnownValue] = &[
    ("GET", "retrieves a resource"),
    ("POST", "submits data for processing"),
    ("HEAD", "retrieves the headers only"),
    ("PUT", "creates or replaces a resource"),
    ("DELETE", "deletes a resource"),
    ("PATCH", "changes part of a resource"),
    ("OPTIONS", "lists the supported methods; also used for CORS preflight"),
    ("CONNECT", "opens a tunnel"),
    ("TRACE", "echoes the request"),
    ("PURGE", "purges a cache; non-standard"),
];

pub(super) const HTTP_VERSIONS: &[KnownValue] =
    &[("HTTP/2", ""), ("HTTP/3", "over QUIC"), ("HTTP/1.1", ""), ("HTTP/1.0", "")];
pub(super) const TLS_VERSIONS: &[KnownValue] =
    &[("TLSv1.3", ""), ("TLSv1.2", ""), ("TLSv1.1", "outdated"), ("TLSv1", "outdated")];
pub(super) const ATTACK_CLASSES: &[KnownValue] = &[
    ("attack", "score 1 to 20"),
    ("likely_attack", "score 21 to 50"),
    ("likely_clean", "score 51 to 80"),
    ("clean", "score 81 to 99"),
];
pub(super) const ATTACK_SCORES: &[KnownValue] =
    &[("20", "at most this: attack"), ("50", "at most this: likely attack"), ("80", "at most this: likely clean")];
pub(super) const BOT_SCORES: &[KnownValue] = &[("30", "below this: likely automated"), ("1", "certainly automated")];
pub(super) const SCAN_RESULTS: &[KnownValue] =
    &[("clean", "nothing found"), ("suspicious", ""), ("infected", "malicious"), ("not scanned", "")];
pub(super) const BOT_CATEGORIES: &[KnownValue] = &[
    ("Search Engine Crawler", ""),
    ("Search Engine Optimization", ""),
    ("Monitoring & Analytics", ""),
    ("Advertising & Marketing", ""),
    ("Page Preview", ""),
    ("Academic Research", ""),
    ("Security", ""),
    ("Accessibility", ""),
    ("Webhooks", ""),
    ("Feed Fetcher", ""),
    ("AI Crawler", ""),
    ("AI Assistant", ""),
    ("AI Search", ""),
    ("Aggregator", ""),
    ("Archiver", ""),
    ("Other", ""),
];
pub(super) const EXTENSIONS: &[KnownValue] = &[
    ("css", "style sheet"),
    ("js", "script"),
    ("json", "data"),
    ("html", "page"),
    ("php", "PHP script"),
    ("png", "image"),
    ("jpg", "image"),
    ("svg", "image"),
    ("webp", "image"),
    ("ico", "icon"),
    ("woff2", "font"),
    ("pdf", "document"),
    ("xml", "data"),
    ("zip", "archive"),
];
pub(super) const MEDIA_TYPES: &[KnownValue] = &[
    ("text/html", "page"),
    ("application/json", "data"),
    ("text/css", "style sheet"),
    ("text/javascript", "script"),
    ("text/plain", "text"),
    ("application/xml", "data"),
    ("application/pdf", "document"),
    ("application/zip", "archive"),
    ("image/png", "image"),
    ("image/jpeg", "image"),
    ("image/svg+xml", "image"),
];
pub(super) const STATUS_CODES: &[KnownValue] = &[
    ("200", "OK"),
    ("201", "Created"),
    ("204", "No Content"),
    ("301", "Moved Permanently"),
    ("302", "Found"),
    ("304", "Not Modified"),
    ("307", "Temporary Redirect"),
    ("308", "Permanent Redirect"),
    ("400", "Bad Request"),
    ("401", "Unauthorized"),
    ("403", "Forbidden"),
    ("404", "Not Found"),
    ("405", "Method Not Allowed"),
    ("410", "Gone"),
    ("429", "Too Many Requests"),
    ("500", "Internal Server Error"),
    ("502", "Bad Gateway"),
    ("503", "Service Unavailable"),
    ("504", "Gateway Timeout"),
];
pub(super) const WEB_PORTS: &[KnownValue] = &[
    ("443", "HTTPS"),
    ("80", "HTTP"),
    ("8443", "HTTPS"),
    ("8080", "HTTP"),
    ("2053", "HTTPS"),
    ("2083", "HTTPS"),
    ("2087", "HTTPS"),
    ("2096", "HTTPS"),
    ("2052", "HTTP"),
    ("2082", "HTTP"),
    ("2086", "HTTP"),
    ("2095", "HTTP"),
    ("8880", "HTTP"),
];
pub(super) const TCP_PORTS: &[KnownValue] = &[
    ("443", "HTTPS"),
    ("80", "HTTP"),
    ("22", "SSH"),
    ("25", "mail"),
    ("53", "DNS"),
    ("3306", "MySQL"),
    ("3389", "remote desktop"),
    ("5432", "PostgreSQL"),
];
pub(super) const UDP_PORTS: &[KnownValue] =
    &[("53", "DNS"), ("123", "NTP"), ("443", "QUIC"), ("1900", "SSDP"), ("11211", "memcached")];

pub(super) const REQUEST_HEADER_KEYS: &[KnownValue] = &[
    ("user-agent", "name and version of the client software"),
    ("host", "requested host"),
    ("referer", "URL of the referring page"),
    ("content-type", "media type of the body"),
    ("authorization", "credentials"),
    ("cookie", "all cookies"),
    ("accept", "media types that the client accepts"),
    ("accept-language", "languages that the client accepts"),
    ("accept-encoding", "compression formats that the client accepts"),
    ("origin", "origin of the page that sent the request"),
    ("x-requested-with", "often set by JavaScript libraries"),
    ("x-forwarded-for", "client and proxy addresses"),
    ("x-forwarded-proto", "scheme that the client used"),
    ("x-api-key", "often an API key"),
    ("cache-control", "caching directives"),
    ("content-length", "length of the body"),
    ("if-none-match", "conditional request"),
    ("if-modified-since", "conditional request"),
    ("range", "byte range of the resource"),
    ("upgrade", "requests another protocol, such as WebSocket"),
    ("sec-fetch-dest", "how the page will use the response"),
    ("sec-fetch-mode", "mode of the request"),
    ("sec-fetch-site", "relation of the page's site to this site"),
    ("sec-ch-ua", "browser brand and version"),
    ("via", "intermediate proxies"),
];
pub(super) const RESPONSE_HEADER_KEYS: &[KnownValue] = &[
    ("content-type", "media type of the body"),
    ("cache-control", "caching directives"),
    ("content-length", "length of the body"),
    ("content-encoding", "compression of the body"),
    ("location", "target of a redirect"),
    ("set-cookie", "cookie for the client to store"),
    ("server", "server software"),
    ("etag", "version of the resource"),
    ("last-modified", "time of the last change"),
    ("expires", "expiration time"),
    ("vary", "request headers that the response depends on"),
    ("retry-after", "when to retry"),
    ("www-authenticate", "authentication scheme"),
    ("strict-transport-security", "requires HTTPS for later requests"),
    ("content-security-policy", "resources that the page can load"),
    ("access-control-allow-origin", "origins that can read the response"),
    ("x-frame-options", "whether the page can be framed"),
    ("x-powered-by", "application software"),
];

/// Flags of `encode_base64`.
pub(super) const BASE64_FLAGS: &[KnownValue] = &[("u", "URL-safe alphabet"), ("p", "with padding")];
/// Flags of `is_timed_hmac_valid_v0`.
pub(super) const TOKEN_FLAGS: &[KnownValue] = &[("s", "the token uses the URL-safe alphabet")];
/// Flags of `url_decode`.
pub(super) const DECODE_FLAGS: &[KnownValue] =
    &[("r", "decode repeatedly until nothing changes"), ("u", "also decode `%uXXXX`")];
/// Flags of `wildcard_replace`.
pub(super) const WILDCARD_FLAGS: &[KnownValue] = &[("s", "case-sensitive")];

/// The lists that every zone with the required plan has; all contain addresses (assumption managed-lists).
pub const MANAGED_LISTS: [KnownValue; 5] = [
    ("cf.anonymizer", "anonymizing proxies and VPNs, including open proxies"),
    ("cf.botnetcc", "botnet command-and-control servers"),
    ("cf.malware", "malware sources"),
    ("cf.open_proxies", "open HTTP and SOCKS proxies"),
    ("cf.vpn", "virtual private networks"),
];

#[cfg(test)]
mod tests {
    use super::super::COUNTRIES;

    #[test]
    fn countries_are_sorted() {
        assert_eq!(COUNTRIES.len(), 249);
        assert!(COUNTRIES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
