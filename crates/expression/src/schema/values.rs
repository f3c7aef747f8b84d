//! Values that fields are known to have, keys of maps, and flags of functions.
//!
//! None of these tables is a limit: a request may hold any value. They are what editors offer.

use super::countries::COUNTRIES;

/// A value with a few words on it; the words may be empty.
pub type Known = (&'static str, &'static str);

/// The continents, and Tor, as fields of continents name them (documented).
pub const CONTINENTS: &[Known] = &[
    ("AF", "Africa"),
    ("AN", "Antarctica"),
    ("AS", "Asia"),
    ("EU", "Europe"),
    ("NA", "North America"),
    ("OC", "Oceania"),
    ("SA", "South America"),
    ("T1", "the Tor network"),
];

/// What a field of countries holds besides a country (documented).
pub const NO_COUNTRIES: &[Known] = &[("T1", "the Tor network"), ("XX", "not known")];

/// Request methods (RFC 9110, RFC 5789).
pub const METHODS: &[Known] = &[
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

const HTTP_VERSIONS: &[Known] = &[("HTTP/2", ""), ("HTTP/3", "over QUIC"), ("HTTP/1.1", ""), ("HTTP/1.0", "")];
const TLS_VERSIONS: &[Known] =
    &[("TLSv1.3", ""), ("TLSv1.2", ""), ("TLSv1.1", "out of date"), ("TLSv1", "out of date")];
const ATTACK_CLASSES: &[Known] = &[
    ("attack", "score 1 to 20"),
    ("likely_attack", "score 21 to 50"),
    ("likely_clean", "score 51 to 80"),
    ("clean", "score 81 to 99"),
];
const ATTACK_SCORES: &[Known] =
    &[("20", "up to here an attack"), ("50", "up to here a likely attack"), ("80", "up to here likely clean")];
const BOT_SCORES: &[Known] = &[("30", "below it likely a bot"), ("1", "surely a bot")];
const SCAN_RESULTS: &[Known] =
    &[("clean", "nothing found"), ("suspicious", ""), ("infected", "malicious"), ("not scanned", "")];
const BOT_CATEGORIES: &[Known] = &[
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
const EXTENSIONS: &[Known] = &[
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
const MEDIA_TYPES: &[Known] = &[
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
const STATUS_CODES: &[Known] = &[
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
const WEB_PORTS: &[Known] = &[
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
const TCP_PORTS: &[Known] = &[
    ("443", "HTTPS"),
    ("80", "HTTP"),
    ("22", "SSH"),
    ("25", "mail"),
    ("53", "DNS"),
    ("3306", "MySQL"),
    ("3389", "remote desktop"),
    ("5432", "PostgreSQL"),
];
const UDP_PORTS: &[Known] = &[("53", "DNS"), ("123", "NTP"), ("443", "QUIC"), ("1900", "SSDP"), ("11211", "memcached")];

/// The values that a field is known to have, the likeliest first, each row with its words.
pub fn known_values(field: &str) -> &'static [&'static [Known]] {
    match field {
        "http.request.method" => &[METHODS],
        "ip.src.country" | "ip.geoip.country" | "ip.dst.country" => &[COUNTRIES, NO_COUNTRIES],
        "ip.src.continent" | "ip.geoip.continent" => &[CONTINENTS],
        "http.request.version" | "http.version" => &[HTTP_VERSIONS],
        "cf.tls_version" => &[TLS_VERSIONS],
        "cf.waf.score.class" => &[ATTACK_CLASSES],
        "cf.waf.content_scan.obj_results" => &[SCAN_RESULTS],
        "cf.verified_bot_category" => &[BOT_CATEGORIES],
        "http.request.uri.path.extension" | "raw.http.request.uri.path.extension" => &[EXTENSIONS],
        "http.response.content_type.media_type" | "http.request.body.mime" | "cf.waf.content_scan.obj_types" => {
            &[MEDIA_TYPES]
        }
        "cf.waf.score" | "cf.waf.score.rce" | "cf.waf.score.sqli" | "cf.waf.score.xss" => &[ATTACK_SCORES],
        "cf.bot_management.score" => &[BOT_SCORES],
        "http.response.code" => &[STATUS_CODES],
        "cf.edge.server_port" => &[WEB_PORTS],
        "tcp.dstport" | "tcp.srcport" => &[TCP_PORTS],
        "udp.dstport" | "udp.srcport" => &[UDP_PORTS],
        _ => &[],
    }
}

const REQUEST_HEADERS: &[Known] = &[
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
const RESPONSE_HEADERS: &[Known] = &[
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

/// Keys that a map is known to have; header names are in lower case there.
pub fn known_keys(field: &str) -> &'static [Known] {
    match field {
        "http.request.headers" => REQUEST_HEADERS,
        "http.response.headers" | "raw.http.response.headers" => RESPONSE_HEADERS,
        _ => &[],
    }
}

/// The flags of a function's flag argument.
pub fn known_flags(function: &str) -> &'static [Known] {
    match function {
        "encode_base64" => &[("u", "the alphabet of URLs"), ("p", "with padding")],
        "is_timed_hmac_valid_v0" => &[("s", "the token uses the alphabet of URLs")],
        "url_decode" => &[("r", "again and again until nothing changes"), ("u", "`%uXXXX` too")],
        "wildcard_replace" => &[("s", "capitals matter")],
        _ => &[],
    }
}

/// What the managed lists hold.
pub(crate) const MANAGED_LIST_DOCS: [Known; 5] = [
    ("cf.anonymizer", "anonymizing proxies and VPNs, open proxies included"),
    ("cf.botnetcc", "servers that command botnets"),
    ("cf.malware", "sources of malware"),
    ("cf.open_proxies", "open HTTP and SOCKS proxies"),
    ("cf.vpn", "virtual private networks"),
];

/// Fields that rules are most often about, the commonest first.
pub const COMMON_FIELDS: &[&str] = &[
    "http.host",
    "http.request.uri.path",
    "ip.src",
    "http.user_agent",
    "http.request.method",
    "http.request.uri.query",
    "ip.src.country",
    "http.request.uri",
    "http.referer",
    "ssl",
    "ip.src.asnum",
    "http.request.headers",
    "http.cookie",
    "http.request.full_uri",
    "cf.client.bot",
    "http.request.version",
    "http.request.uri.path.extension",
    "http.response.code",
    "ip.src.continent",
    "http.request.headers.names",
    "http.request.uri.args",
    "http.request.cookies",
    "http.request.body.raw",
    "cf.bot_management.score",
    "cf.waf.score",
    "cf.edge.server_port",
    "http.request.timestamp.sec",
    "cf.verified_bot_category",
    "http.x_forwarded_for",
    "cf.tls_version",
    "http.response.headers",
    "tcp.dstport",
    "ip.dst",
];

/// Functions that rules most often call, the commonest first.
pub const COMMON_FUNCTIONS: &[&str] =
    &["starts_with", "ends_with", "lower", "any", "all", "len", "concat", "url_decode", "regex_replace", "upper"];

/// Names that people look for under another one: what they type, what it is.
pub(crate) const OTHER_NAMES: [(&str, &str); 12] = [
    ("http.request.host", "http.host"),
    ("http.request.path", "http.request.uri.path"),
    ("http.request.query", "http.request.uri.query"),
    ("http.request.url", "http.request.full_uri"),
    ("http.request.user_agent", "http.user_agent"),
    ("http.request.referer", "http.referer"),
    ("http.method", "http.request.method"),
    ("http.uri.path", "http.request.uri.path"),
    ("http.url", "http.request.full_uri"),
    ("ip.country", "ip.src.country"),
    ("ip.asn", "ip.src.asnum"),
    ("ip.src.asn", "ip.src.asnum"),
];

#[cfg(test)]
mod tests {
    use super::super::{FIELDS, FUNCTIONS, MANAGED_LISTS, field, function};
    use super::*;
    use crate::schema::Constraint;

    #[test]
    fn what_is_named_exists() {
        for name in COMMON_FIELDS.iter().chain(OTHER_NAMES.iter().map(|(_, name)| name)) {
            assert!(field(name).is_some_and(|field| field.deprecated.is_none()), "{name}");
        }
        assert!(OTHER_NAMES.iter().all(|(wrong, _)| field(wrong).is_none()));
        assert!(COMMON_FUNCTIONS.iter().all(|name| function(name).is_some()));
        assert_eq!(MANAGED_LIST_DOCS.map(|(name, _)| name), MANAGED_LISTS);
        assert_eq!(FIELDS.iter().filter(|field| !known_values(field.name).is_empty()).count(), 28);
        assert_eq!(FIELDS.iter().filter(|field| !known_keys(field.name).is_empty()).count(), 3);
    }

    #[test]
    fn flags_are_those_that_are_checked() {
        for function in FUNCTIONS {
            let checked = function.params.iter().find_map(|param| match param.constraint {
                Some(Constraint::Flags(flags)) => Some(flags),
                _ => None,
            });
            let known: String = known_flags(function.name).iter().map(|(flag, _)| *flag).collect();
            assert_eq!(known, checked.unwrap_or_default().chars().collect::<String>(), "{}", function.name);
        }
    }

    #[test]
    fn countries_are_sorted() {
        assert_eq!(COUNTRIES.len(), 249);
        assert!(COUNTRIES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
