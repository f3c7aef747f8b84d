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
pub(super) const SPECIAL_COUNTRY_CODES: &[KnownValue] = &[("T1", "the Tor network"), ("XX", "not known")];

/// The HTTP methods (RFC 9110, RFC 5789).
pub const HTTP_METHODS: &[KnownValue] = &[
    ("GET", "asks for a resource"),
    ("POST", "sends data to be worked on"),
    ("HEAD", "asks for the headers alone"),
    ("PUT", "puts a resource in place"),
    ("DELETE", "removes a resource"),
    ("PATCH", "changes a part of a resource"),
    ("OPTIONS", "asks what may be asked, also before requests across origins"),
    ("CONNECT", "opens a tunnel"),
    ("TRACE", "asks for an echo of the request"),
    ("PURGE", "not standard: empties a cache"),
];

pub(super) const HTTP_VERSIONS: &[KnownValue] =
    &[("HTTP/2", ""), ("HTTP/3", "over QUIC"), ("HTTP/1.1", ""), ("HTTP/1.0", "")];
pub(super) const TLS_VERSIONS: &[KnownValue] =
    &[("TLSv1.3", ""), ("TLSv1.2", ""), ("TLSv1.1", "out of date"), ("TLSv1", "out of date")];
pub(super) const ATTACK_CLASSES: &[KnownValue] = &[
    ("attack", "score 1 to 20"),
    ("likely_attack", "score 21 to 50"),
    ("likely_clean", "score 51 to 80"),
    ("clean", "score 81 to 99"),
];
pub(super) const ATTACK_SCORES: &[KnownValue] =
    &[("20", "up to here an attack"), ("50", "up to here a likely attack"), ("80", "up to here likely clean")];
pub(super) const BOT_SCORES: &[KnownValue] = &[("30", "below it likely a bot"), ("1", "surely a bot")];
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
    ("png", "picture"),
    ("jpg", "picture"),
    ("svg", "picture"),
    ("webp", "picture"),
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
    ("image/png", "picture"),
    ("image/jpeg", "picture"),
    ("image/svg+xml", "picture"),
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
    ("user-agent", "what the client says it is"),
    ("host", "the host that was asked for"),
    ("referer", "the page that led here"),
    ("content-type", "media type of the body"),
    ("authorization", "credentials"),
    ("cookie", "all cookies"),
    ("accept", "media types the client takes"),
    ("accept-language", "languages the client takes"),
    ("accept-encoding", "compressions the client takes"),
    ("origin", "origin of a request from a page"),
    ("x-requested-with", "set by scripts in pages"),
    ("x-forwarded-for", "addresses that the request came through"),
    ("x-forwarded-proto", "scheme that the client used"),
    ("x-api-key", "often a key of an interface"),
    ("cache-control", "what caches may do"),
    ("content-length", "length of the body"),
    ("if-none-match", "asks only for something newer"),
    ("if-modified-since", "asks only for something newer"),
    ("range", "asks for a part"),
    ("upgrade", "asks for another protocol, such as WebSocket"),
    ("sec-fetch-dest", "what a page wants it for"),
    ("sec-fetch-mode", "how a page asks for it"),
    ("sec-fetch-site", "how far the page is from here"),
    ("sec-ch-ua", "brand of the browser"),
    ("via", "proxies on the way"),
];
pub(super) const RESPONSE_HEADER_KEYS: &[KnownValue] = &[
    ("content-type", "media type of the body"),
    ("cache-control", "what caches may do"),
    ("content-length", "length of the body"),
    ("content-encoding", "compression of the body"),
    ("location", "where a redirect leads"),
    ("set-cookie", "cookies to be kept"),
    ("server", "what the origin says it is"),
    ("etag", "version of the resource"),
    ("last-modified", "time of the last change"),
    ("expires", "when it goes out of date"),
    ("vary", "request headers that it depends on"),
    ("retry-after", "when to come back"),
    ("www-authenticate", "how to log in"),
    ("strict-transport-security", "HTTPS only from now on"),
    ("content-security-policy", "what the page may load"),
    ("access-control-allow-origin", "who may read it across origins"),
    ("x-frame-options", "whether it may stand in a frame"),
    ("x-powered-by", "software of the origin"),
];

/// Flags of `encode_base64`.
pub(super) const BASE64_FLAGS: &[KnownValue] = &[("u", "the alphabet of URLs"), ("p", "with padding")];
/// Flags of `is_timed_hmac_valid_v0`.
pub(super) const TOKEN_FLAGS: &[KnownValue] = &[("s", "the token uses the alphabet of URLs")];
/// Flags of `url_decode`.
pub(super) const DECODE_FLAGS: &[KnownValue] = &[("r", "again and again until nothing changes"), ("u", "`%uXXXX` too")];
/// Flags of `wildcard_replace`.
pub(super) const WILDCARD_FLAGS: &[KnownValue] = &[("s", "capitals matter")];

/// The lists that every zone with the required plan has; all contain addresses (assumption managed-lists).
pub const MANAGED_LISTS: [KnownValue; 5] = [
    ("cf.anonymizer", "anonymizing proxies and VPNs, open proxies included"),
    ("cf.botnetcc", "servers that command botnets"),
    ("cf.malware", "sources of malware"),
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
