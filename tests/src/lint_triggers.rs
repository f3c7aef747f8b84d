//! Valid expressions that trigger lints: repeated comparisons with few values.

use crate::generate::Choices;

/// Conditions over few values, so that equal ones occur together.
const ATOMS: &[&str] = &[
    "ssl",
    "cf.client.bot",
    "http.host eq \"a\"",
    "http.host ne \"a\"",
    "http.host == \"b\"",
    "http.host ne \"B\"",
    "http.host in {\"a\" \"b\" \"a\"}",
    "http.host in {\"c\"}",
    "http.host in {}",
    "http.host contains \"ab\"",
    "http.host contains \"a\"",
    "http.host contains \"\"",
    "starts_with(http.host, \"ab\")",
    "ends_with(http.host, \"b\")",
    "ends_with(http.host, \"b.com\")",
    "http.host eq \"*.b.com\"",
    "len(http.request.headers[\"x\"]) eq 0",
    "len(http.request.headers[\"x\"]) ne 0",
    "http.host matches \"^a\"",
    "http.host matches \"^(a|b)$\"",
    "http.host matches \"(?i)a\\.b\"",
    "http.host matches \"a.*\"",
    "http.host matches \"b$\"",
    "http.host matches r\"^é\"",
    "http.host matches \"^(ab|cd).example\\.com\"",
    "http.host wildcard \"*a*\"",
    "http.host matches \"^a\\\\.b\"",
    "http.host eq \"${var.a}\"",
    "lower(http.host) eq \"A\"",
    "http.request.method ne \"GET\"",
    "http.request.method ne \"HEAD\"",
    "http.request.headers[\"x\"][0] eq \"a\"",
    "http.request.headers[\"x\"][0] eq 61:62",
    "http.request.headers[\"x\"][0] ne \"a\"",
    "http.request.headers[\"X\"][0] in {\"a\" \"b\"}",
    "http.request.uri.args[\"a\"][0] matches \"^$\"",
    "http.request.uri.query eq \"?a=b\"",
    "http.request.full_uri contains \"https://a/\"",
    "http.user_agent contains \"Bingbot\"",
    "cf.edge.server_port eq 80",
    "cf.edge.server_port ne 80",
    "cf.edge.server_port in {80 80..90 85..100 443}",
    "cf.edge.server_port lt 10",
    "cf.edge.server_port ge 10",
    "ip.src eq 192.0.2.1",
    "ip.src in {192.0.2.0/24 192.0.2.1 2001:db8::/32 ::1}",
    "ip.src ne 2001:db8::1",
    "any(http.request.headers.names[*] eq \"a\")",
    "any(http.request.headers.names[*] ne \"a\")",
    "any((http.request.headers.names[*] eq \"a\" or http.request.headers.names[*] eq \"b\"))",
    "any((not not http.request.headers.names[*] ne \"a\"))",
    "all((not not http.request.headers.names[*] eq \"a\"))",
    "all(not (not http.request.uri.args[\"a\"][*] contains \"b\"))",
    "any(http.request.headers.names[*] matches \"^a\")",
    "all(http.request.uri.args[\"a\"][*] contains \"b\")",
];

/// A valid condition that triggers many lints.
pub fn condition(choices: &mut Choices<'_>, depth: usize) -> String {
    if depth == 0 {
        return choices.pick(ATOMS).to_owned();
    }
    match choices.index_below(8) {
        0 | 1 => choices.pick(ATOMS).to_owned(),
        2 => format!("({})", condition(choices, depth - 1)),
        3 => format!("{}{}", choices.pick(&["not ", "!", "! ", "not"]), negated_operand(choices, depth - 1)),
        _ => {
            let operands: Vec<String> = (0..2 + choices.index_below(4)).map(|_| operand(choices, depth - 1)).collect();
            operands.join(choices.pick(&[" and ", "and", " or ", "||", "or", " xor ", "\n  or "]))
        }
    }
}

/// An operand of `not`.
fn negated_operand(choices: &mut Choices<'_>, depth: usize) -> String {
    match choices.index_below(3) {
        0 => format!("({})", condition(choices, depth)),
        1 => format!("(not {})", negated_operand(choices, depth.saturating_sub(1))),
        _ => format!(" {}", choices.pick(ATOMS)),
    }
}

/// An operand, including mixed operators without parentheses where the spaces around them allow it.
fn operand(choices: &mut Choices<'_>, depth: usize) -> String {
    match choices.index_below(5) {
        0 => format!("({})", condition(choices, depth)),
        1 => format!(" {} and {} ", choices.pick(ATOMS), choices.pick(ATOMS)),
        2 => format!("not not {} ", choices.pick(ATOMS)),
        _ => format!(" {} ", choices.pick(ATOMS)),
    }
}
