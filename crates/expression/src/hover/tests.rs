use super::*;
use crate::Kind;

/// Returns title, detail and text at the `|` of a source, on one line.
fn hover_text(marked: &str) -> Option<String> {
    let offset = marked.find('|').unwrap();
    let source = marked.replacen('|', "", 1);
    let found = hover(&source, offset, &Options::default())?;
    assert!(source.get(found.span.start..found.span.end).is_some(), "{marked}");
    Some(format!("{} — {} — {}", found.title, found.detail, found.text.join(" / ")))
}

#[test]
fn hover_describes_the_token_at_the_cursor() {
    let cases = [
        ("http.ho|st eq", "http.host — String — hostname that the client requested / available in all HTTP phases"),
        ("|ssl", "ssl — Boolean — whether the client's connection is encrypted / available in all HTTP phases"),
        ("ssl|", "ssl — Boolean — whether the client's connection is encrypted / available in all HTTP phases"),
        (
            "ip.src in {10.0.0.0/|8}",
            "10.0.0.0/8 — IPv4 network — `10.0.0.0` to `10.255.255.255` / 16,777,216 addresses / private: not routable on the internet",
        ),
        (
            "ip.src in {::/|0",
            "::/0 — IPv6 network — `::` to `ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff` / 2^128 addresses",
        ),
        ("ip.src in {1.1.1.1..1.1.1.4|}", "1.1.1.1..1.1.1.4 — range of IPv4 addresses — 4 addresses"),
        ("ip.src eq 192.0.2.1|", "192.0.2.1 — IPv4 address — reserved for documentation"),
        ("cf.edge.server_port eq 0|x1F", "0x1F — Integer — hexadecimal, `31` in decimal"),
        ("cf.edge.server_port eq 010|", "010 — Integer — octal because of the leading 0, `8` in decimal"),
        ("cf.edge.server_port in {80..|443}", "80..443 — range of numbers — 364 numbers, bounds included"),
        ("http.response.code eq 404|", "404 — Integer — Not Found"),
        ("http.host eq 61:62|:63", "61:62:63 — Bytes — 3 bytes in hexadecimal / as text: `abc`"),
        ("http.host eq \"a\\x41\\|\"b\"", "\"a\\x41\\\"b\" — String — decodes to `aA\"b` / 4 bytes"),
        ("http.host eq \"é|\"", "\"é\" — String — 1 character in 2 bytes"),
        ("http.host eq \"\\xff|\"", "\"\\xff\" — String — decodes to the bytes `ff` / 1 byte"),
        ("ip.src.country eq \"D|E\"", "\"DE\" — String — Germany / 2 bytes"),
        (
            "url_decode(http.host, \"r|u\")",
            "\"ru\" — flags — `r`: decode repeatedly until nothing changes / `u`: also decode `%uXXXX`",
        ),
        (
            "ip.src in $cf.v|pn",
            "$cf.vpn — list of IP addresses — virtual private networks / managed list, available in every zone; requires Enterprise",
        ),
        (
            "a.b |and ssl",
            "and — operator, also written && — both conditions are true / It binds tighter than `xor` and `or`.",
        ),
        (
            "|!ssl",
            "! — operator, also written not — the following condition is false / It binds tighter than `and`: `not a and b` is `(not a) and b`.",
        ),
    ];
    let failures: Vec<_> =
        cases.iter().filter(|(marked, expected)| hover_text(marked).as_deref() != Some(*expected)).collect();
    assert!(
        failures.is_empty(),
        "{:#?}",
        failures.iter().map(|(marked, _)| (marked, hover_text(marked))).collect::<Vec<_>>()
    );
}

#[test]
fn hover_begins_with_the_summary() {
    let cases = [
        ("http.host co|ntains \"a\"", "contains — operator — contains this text / False if the value is missing"),
        ("http.host =|= \"a\"", "== — operator, also written eq — is equal to"),
        ("http.host matches \"[\"a|]\"", "\"[\"a]\" — regular expression — matches anywhere"),
        ("http.host strict wil|dcard \"a*\"", "strict wildcard — operator — matches this wildcard pattern"),
        ("http.host wildcard \"a|*\"", "\"a*\" — wildcard pattern — `*` matches any text"),
        ("starts_wi|th(", "starts_with(source, substring) — → Boolean — whether a string starts with another"),
        ("http.request.headers[\"ho|st\"]", "\"host\" — Array<String> — requested host / missing if"),
        ("http.request.headers[\"host\"][0|]", "0 — String — element 0"),
        ("http.request.headers.names[0x1|F]", "0x1F — String — element 31"),
        ("http.request.headers.names[*|]", "* — String — every element"),
        (
            "ip.geoip.count|ry",
            "ip.geoip.country — String — deprecated name of the client's country / deprecated: `ip.src.country`",
        ),
    ];
    let fits = |marked: &str, expected: &str| hover_text(marked).is_some_and(|found| found.starts_with(expected));
    let failures: Vec<_> = cases.iter().filter(|(marked, expected)| !fits(marked, expected)).collect();
    assert!(
        failures.is_empty(),
        "{:#?}",
        failures.iter().map(|(marked, _)| (marked, hover_text(marked))).collect::<Vec<_>>()
    );
}

#[test]
fn short_address_in_a_set_is_expanded() {
    assert_eq!(hover_text("ip.src in {1.2.3|}").as_deref(), Some("1.2.3 — IPv4 address — short for 1.2.3.0"));
}

#[test]
fn positions_without_documentation_have_no_hover() {
    for marked in [
        "|",
        "ssl  |  and ssl",
        "(|)",
        "http.hots|",
        "ip.src in {1.2.3.|}",
        "http.host eq fo|o",
        "🦀|",
        "a[-1|]",
        "a[08|]",
    ] {
        assert_eq!(hover_text(marked), None, "{marked}");
    }
}

#[test]
fn phase_and_plan_change_the_hover() {
    let options = Options {
        phase: schema::Phase::from_name("http_request_firewall_custom"),
        plan: Some(schema::Tier::Free),
        lists: Some([("office".to_owned(), ListKind::Asn)].into()),
        ..Options::default()
    };
    let text = |source: &str, offset: usize| hover(source, offset, &options).map(|found| found.text.join(" / "));
    assert!(text("http.response.code", 2).unwrap().contains("not available in http_request_firewall_custom"));
    assert!(text("http.request.body.raw", 2).unwrap().contains("requires Enterprise, which the zone does not have"));
    assert_eq!(text("ip.src.asnum in $office", 19).as_deref(), Some("account list"));
    assert_eq!(text("ip.src.asnum in $home", 19), None);
    let rate_limit = |kind| {
        let options = Options { kind, phase: schema::Phase::from_name("http_ratelimit"), ..Options::default() };
        hover("http.response.code", 2, &options).unwrap().text.join(" / ")
    };
    assert!(rate_limit(Kind::Expression).contains("only available in counting expressions of http_ratelimit"));
    assert!(rate_limit(Kind::Counting).contains("available in response phases"));
}
