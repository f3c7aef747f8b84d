//! The recipes of expressions.

use zonewright_expression::Kind;
use zonewright_expression::schema::Phase;

/// An expression with its purpose.
pub(crate) struct Recipe {
    /// The effect of the expression.
    pub(crate) title: &'static str,
    /// The values to adapt, and caveats.
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
        "Admin pages only from the office",
        "Put your own networks into the set, or use a named list.",
        "starts_with(http.request.uri.path, \"/admin/\")\nand not ip.src in {192.0.2.0/24 2001:db8::/32}",
    ),
    rule(
        "Only some countries",
        "Countries are ISO codes. `T1` is Tor, `XX` is not known.",
        "http.host eq \"shop.example.com\"\nand not ip.src.country in {\"AT\" \"CH\" \"DE\"}",
    ),
    rule(
        "Challenge what looks like a script",
        "Many honest tools are scripts too: challenge, and do not block.",
        "(lower(http.user_agent) contains \"python-requests\" or lower(http.user_agent) contains \"curl/\")\nand not cf.client.bot",
    ),
    rule(
        "Guard the login form",
        "For a rate limit or a challenge: only what sends the form counts.",
        "http.request.method eq \"POST\" and http.request.uri.path in {\"/login\" \"/wp-login.php\"}",
    ),
    rule(
        "Paths that only scanners ask for",
        "Nothing of yours should be under them.",
        "http.request.uri.path in {\"/.env\" \"/.git/config\" \"/wp-config.php.bak\"}\nor starts_with(http.request.uri.path, \"/.git/\")",
    ),
    rule(
        "Images that other sites embed",
        "An empty referrer is let through: browsers leave it out often.",
        "http.request.uri.path.extension in {\"jpg\" \"png\" \"webp\"}\nand not http.referer eq \"\"\nand not starts_with(http.referer, \"https://www.example.com/\")",
    ),
    rule(
        "An API without its key",
        "The keys of this map are always in lower case.",
        "starts_with(http.request.uri.path, \"/api/\")\nand not has_key(http.request.headers, \"x-api-key\")",
    ),
    rule(
        "Only the methods that a site uses",
        "Add PUT, PATCH and DELETE where an API lives.",
        "not http.request.method in {\"GET\" \"HEAD\" \"OPTIONS\" \"POST\"}",
    ),
    rule(
        "Traffic of one network",
        "Numbers of autonomous systems, without `AS`.",
        "ip.src.asnum in {64496 64511} and not cf.client.bot",
    ),
    rule(
        "A cookie that only testers have",
        "For a skip rule or a route to a test origin.",
        "any(http.request.cookies[\"preview\"][*] eq \"on\")",
    ),
    rule("Requests that did not use TLS", "For a redirect to https.", "not ssl"),
    Recipe {
        title: "Move a path below another",
        note: "A value, not a condition: for a rewrite of the URL.",
        kind: Kind::Value,
        phase: Phase::HttpRequestTransform,
        text: "concat(\"/archive\", http.request.uri.path)",
    },
];
