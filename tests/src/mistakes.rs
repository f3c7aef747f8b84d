//! Common user errors: pairs of valid and invalid conditions, and slips (typing errors) to apply to a valid text.

use crate::generate::Choices;

/// Valid conditions, each with an invalid spelling. Conditions with different meanings may share a spelling, which is
/// then ambiguous.
const PAIRS: &[(&str, &str)] = &[
    (r#"http.host eq "a""#, "http.host eq 'a'"),
    (r#"http.host eq "a""#, "http.host = \"a\""),
    (r#"http.host eq "a""#, "http.host is \"a\""),
    (r#"http.host eq "a""#, "http.host eq a"),
    (r#"http.host eq "a""#, "(http.host)eq \"a\""),
    (r#"http.host eq "a""#, "http.host===\"a\""),
    (r#"http.host ne "a""#, "http.host<>\"a\""),
    (r#"http.host matches "a""#, "http.host=~\"a\""),
    (r#"not http.host matches "a""#, "http.host!~\"a\""),
    (r#"tcp.dstport ge 3"#, "tcp.dstport=>3"),
    (r#"http.host eq "a""#, "http.host eq [\"a\"]"),
    (r#"http.host eq "a\\nb""#, r#"http.host eq "a\nb""#),
    (r#"http.host eq "a\x0ab""#, r#"http.host eq "a\nb""#),
    (r#"http.host eq "C:\\new""#, "http.host eq 'C:\\new'"),
    (r#"http.host eq "C:\x0aew""#, "http.host eq 'C:\\new'"),
    (r#"http.host eq "it's""#, "http.host eq 'it''s'"),
    (r#"http.host matches "a\\.""#, "http.host matches 'a\\\\.'"),
    (r#"http.host matches "a\.""#, "http.host matches 'a\\\\.'"),
    (r#"http.host ne "a""#, "http.host not eq \"a\""),
    (r#"not http.host eq "a""#, "http.host not eq \"a\""),
    (r#"http.host ne "a""#, "http.host is not \"a\""),
    (r#"not http.host eq "a""#, "http.host is not \"a\""),
    (r#"(http.host ne "a" and http.host ne "b")"#, "http.host ne {\"a\" \"b\"}"),
    (r#"not http.host in {"a" "b"}"#, "http.host ne {\"a\" \"b\"}"),
    (r#"not http.host in {"a" "b"}"#, "http.host not in {\"a\" \"b\"}"),
    (r#"http.host in {"a" "b"}"#, "http.host in {\"a\", \"b\"}"),
    (r#"http.host in {"a" "b"}"#, "http.host in [\"a\", \"b\"]"),
    (r#"http.host in {"a" "b"}"#, "http.host eq [\"a\", \"b\"]"),
    (r#"http.host in {"a" "b"}"#, "http.host in {\"a\" and \"b\"}"),
    (r#"http.host in {"a" "b"}"#, "http.host in {\"a\"|\"b\"}"),
    (r#"http.host in {"a" "b"}"#, "http.host in \"a, b\""),
    (r#"http.host in {"a, b"}"#, "http.host in \"a, b\""),
    (r#"http.host in {"a b" "b"}"#, "http.host in {a b, b}"),
    (r#"http.host in {"a" "b" "b"}"#, "http.host in {a b, b}"),
    (r#"(http.host in {"a"})"#, "(http.host in {\"a\")}"),
    (r#"http.host in {"b"}"#, "http.host in \"b\""),
    (r#"http.host contains "b""#, "http.host in \"b\""),
    (r#"http.host in $office"#, "http.host in office"),
    (r#"http.host in {"office"}"#, "http.host in office"),
    (r#"http.host in $office"#, "http.host in {$office}"),
    (r#"http.host in $office"#, "http.host in ($office)"),
    (r#"http.host eq "a b""#, "http.host eq a b"),
    (r#"http.host wildcard "*a""#, "http.host eq *a"),
    (r#"http.host eq "*a""#, "http.host eq *a"),
    (r#"starts_with(http.host, "a")"#, "http.host starts with \"a\""),
    (r#"(http.host eq "a" or http.host eq "b")"#, "http.host eq \"a\" | \"b\""),
    ("cf.edge.server_port eq 80", "cf.edge.server_port eq \"80\""),
    ("cf.edge.server_port eq 10", "cf.edge.server_port eq \"010\""),
    ("cf.edge.server_port eq 010", "cf.edge.server_port eq \"010\""),
    ("cf.edge.server_port eq 10", "cf.edge.server_port eq +010"),
    ("cf.edge.server_port in {80 443}", "cf.edge.server_port in {80, 443}"),
    ("cf.edge.server_port in {80 443}", "cf.edge.server_port eq 80,443"),
    ("cf.edge.server_port eq 1000", "cf.edge.server_port eq 1,000"),
    ("cf.edge.server_port in {1 500}", "cf.edge.server_port in {1,500}"),
    ("cf.edge.server_port in {1500}", "cf.edge.server_port in {1,500}"),
    ("cf.edge.server_port in {80..90}", "cf.edge.server_port in {90..80}"),
    ("cf.edge.server_port in {90..180}", "cf.edge.server_port in {90..80}"),
    ("ip.src eq ::1", "ip.src eq [::1]"),
    ("ip.src in {10.0.0.0/8}", "ip.src eq 10.0.0.0/8"),
    ("ip.src in {192.0.2.0/24}", "ip.src in {192,0.2.0/24}"),
    ("ip.src in {192 0.2.0/24}", "ip.src in {192,0.2.0/24}"),
    ("ip.src in {192.0.2.10 198.51.100.7}", "ip.src in {192.0.2.10,198.51.100.7}"),
    ("ssl", "ssl eq true"),
    ("not ssl", "ssl eq false"),
    (r#"any(http.request.headers.names[*] eq "a")"#, "any(http.request.headers.names[*] \"a\")"),
    (r#"http.request.headers["a"][0] eq "a""#, "http.request.headers[a][0] eq \"a\""),
];

/// Contexts for a condition; `…` is replaced with it.
const CONTEXTS: &[&str] =
    &["…", "(…)", "not (…)", "ssl and …", "… and ssl", "(… or ssl) and ssl", "ssl xor (…)", "not(…)and ssl"];

/// Tokens of valid texts, and their spelling after a slip.
const SLIPS: &[(&str, &str)] = &[
    ("\"", ""),
    ("\"", "'"),
    ("{", ""),
    ("}", ""),
    ("{", "("),
    ("}", ")"),
    ("(", ""),
    (")", ""),
    ("[", ""),
    ("]", ""),
    ("[*]", ""),
    ("$", ""),
    (",", ""),
    (",", " "),
    (" ", "\t"),
    (" ", ""),
    (" ", ", "),
    (".", ""),
    (".", ","),
    ("\\", ""),
    (" and ", " AND "),
    (" and ", " & "),
    (" and ", ", "),
    (" or ", " | "),
    (" or ", " "),
    ("==", "="),
    (" eq ", " = "),
    (" eq ", " is "),
    (" eq ", " in "),
    (" ne ", " <> "),
    (" ne ", " is not "),
    (" in ", " eq "),
    (" in ", " is in "),
    ("not ", "NOT "),
    ("not ", "! "),
    ("lower", "LOWER"),
];

/// A valid condition and an invalid spelling of it.
pub fn pair(choices: &mut Choices<'_>) -> (String, String) {
    let (valid, invalid) = choices.pick(PAIRS);
    let context = choices.pick(CONTEXTS);
    (context.replace('…', valid), context.replace('…', invalid))
}

/// Applies one chosen slip to the source. Returns `None` if the source does not contain its token.
pub fn apply_slip(source: &str, choices: &mut Choices<'_>) -> Option<String> {
    let (token, invalid) = choices.pick(SLIPS);
    let indexes: Vec<usize> = source.match_indices(token).map(|(index, _)| index).collect();
    let index = *indexes.get(choices.wide_index_below(indexes.len()))?;
    let (prefix, rest) = source.split_at_checked(index)?;
    Some(format!("{prefix}{invalid}{}", rest.strip_prefix(token)?))
}
