//! The recipes of expressions.

use zonewright_expression::Kind;
use zonewright_expression::schema::Phase;

/// An expression with its purpose.
pub(crate) struct Recipe {
    /// The purpose of the expression, or the requests that it matches.
    pub(crate) title: &'static str,
    /// The values to adapt, the intended use, or a caveat.
    pub(crate) note: &'static str,
    /// The kind of the expression.
    pub(crate) kind: Kind,
    /// The phase of the expression.
    pub(crate) phase: Phase,
    /// The expression.
    pub(crate) text: &'static str,
}

const fn rule(title: &'static str, note: &'static str, text: &'static str) -> Recipe {
    Recipe { title, note, kind: Kind::Expression, phase: Phase::HttpRequestFirewallCustom, text }
}

/// The recipes, in the order of the gallery.
pub(crate) const RECIPES: [Recipe; 12] = [
    rule(
        "Restrict admin pages to the office",
        "Replace the set with your networks, or use a named list.",
        "starts_with(http.request.uri.path, \"/admin/\")\nand not ip.src in {192.0.2.0/24 2001:db8::/32}",
    ),
    rule(
        "Restrict a host to some countries",
        "Countries are ISO codes. `T1` means Tor, and `XX` means unknown.",
        "http.host eq \"shop.example.com\"\nand not ip.src.country in {\"AT\" \"CH\" \"DE\"}",
    ),
    rule(
        "Challenge likely scripts",
        "Many legitimate tools are scripts too: challenge them instead of blocking them.",
        "(lower(http.user_agent) contains \"python-requests\" or lower(http.user_agent) contains \"curl/\")\nand not cf.client.bot",
    ),
    rule(
        "Protect the login form",
        "Matches form submissions only. Use it with a rate limit or a challenge.",
        "http.request.method eq \"POST\" and http.request.uri.path in {\"/login\" \"/wp-login.php\"}",
    ),
    rule(
        "Block scanner paths",
        "Make sure that your site does not use these paths.",
        "http.request.uri.path in {\"/.env\" \"/.git/config\" \"/wp-config.php.bak\"}\nor starts_with(http.request.uri.path, \"/.git/\")",
    ),
    rule(
        "Block image hotlinking",
        "Requests without a referrer pass, because browsers often omit it.",
        "http.request.uri.path.extension in {\"jpg\" \"png\" \"webp\"}\nand not http.referer eq \"\"\nand not starts_with(http.referer, \"https://www.example.com/\")",
    ),
    rule(
        "API requests without a key",
        "The header names in this map are always lowercase.",
        "starts_with(http.request.uri.path, \"/api/\")\nand not has_key(http.request.headers, \"x-api-key\")",
    ),
    rule(
        "Block unexpected HTTP methods",
        "Add PUT, PATCH, and DELETE if the site has an API.",
        "not http.request.method in {\"GET\" \"HEAD\" \"OPTIONS\" \"POST\"}",
    ),
    rule(
        "Traffic from a network",
        "Enter autonomous system numbers without the prefix `AS`.",
        "ip.src.asnum in {64496 64511} and not cf.client.bot",
    ),
    rule(
        "Requests with a preview cookie",
        "Use it in a skip rule, or to route to a test origin.",
        "any(http.request.cookies[\"preview\"][*] eq \"on\")",
    ),
    rule("Requests without TLS", "Use it in a redirect to HTTPS.", "not ssl"),
    Recipe {
        title: "Move a path under a prefix",
        note: "This is a value, not a condition. Use it in a URL rewrite.",
        kind: Kind::Value,
        phase: Phase::HttpRequestTransform,
        text: "concat(\"/archive\", http.request.uri.path)",
    },
];
