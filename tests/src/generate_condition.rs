//! Conditions generated from sequences of choices: every operator, many spellings of patterns and sets, few fields,
//! and values that are close to each other.

use crate::generate::Choices;

const TEXTS: [&str; 16] = [
    "\"\"",
    "\"a\"",
    "\"A\"",
    "\"ab\"",
    "\"aB\"",
    "\"abab\"",
    "\"aaaaaaab\"",
    "\"baaaaaaabaaaaaaaaaaa\"",
    "\"ABABABAABAB\"",
    "\"abababaabab\"",
    "\"b/a.\"",
    "\"É\"",
    "\"\\xff\\x00\"",
    "\"www.example.com\"",
    "r\"a\\b\"",
    "61:62",
];
/// The texts without the byte notation, which starts like an integer and is invalid as an argument.
const TEXT_ARGUMENTS: &[&str] = TEXTS.split_at(15).0;
const REGEXES: [&str; 26] = [
    "",
    "a",
    "^a",
    "a$",
    "^ab$",
    "^(a|b)+$",
    "(?i)AB",
    "(?i)^www\\.",
    "(?i:a)B",
    "a(?i:b)$",
    "(?i:A)(?i:b)",
    "(?i-u)É",
    "a.b",
    "(?s)a.b",
    "\\.",
    "[^a-c]",
    "\\d{2,3}",
    "\\bab\\b",
    "(?m)^a",
    "^$",
    "a|bc|A",
    "^/[a-z]+/.*\\.html$",
    "\\xff",
    "(ab)*c?",
    "^.{3}$",
    "\\x00|é",
];
const WILDCARDS: [&str; 17] = [
    "",
    "*",
    "a*",
    "*a",
    "*a*",
    "a*b",
    "A*B",
    "*.EXAMPLE.*",
    "*a*b*",
    "\\\\",
    "\\*",
    "*\\\\*",
    "?*",
    "a*a",
    "ab*ba",
    "*a*a",
    "www.*.com",
];
const INTEGERS: [&str; 9] = ["0", "1", "-1", "80", "81", "0x50", "255", "9223372036854775807", "-9223372036854775808"];
const RANGES: [&str; 9] = ["0", "1", "80..90", "81..82", "85..100", "-5..5", "91", "0x10..0xff", "443"];
const ADDRESSES: [&str; 6] = ["10.1.2.3", "10.255.255.255", "192.0.2.1", "::", "2001:db8::1", "::ffff:10.1.2.3"];
const NETWORKS: [&str; 9] = [
    "10.0.0.0/8",
    "10.1.2.0/24",
    "10.1.2.3",
    "192.0.2.1..192.0.2.9",
    "0.0.0.0/0",
    "::/0",
    "2001:db8::/32",
    "::ffff:10.0.0.0/104",
    "::1..::f",
];
const SCALAR_VALUES: [&str; 10] = [
    "http.host",
    "http.host",
    "lower(http.host)",
    "upper(http.host)",
    "lower(upper(http.user_agent))",
    "http.request.headers[\"a\"][0]",
    "lower(http.request.headers[\"a\"][1])",
    "url_decode(http.user_agent)",
    "concat(http.host, http.cookie)",
    "coalesce(http.cookie, http.host)",
];
const ARRAY_VALUES: [&str; 9] = [
    "http.request.headers.names[*]",
    "http.request.headers.values[*]",
    "lower(http.request.headers.names[*])[*]",
    "upper(http.request.headers.values[*])[*]",
    "http.request.headers[\"a\"][*]",
    "http.request.headers[*][0]",
    "http.request.headers[*][*]",
    "split(http.host, \"a\", 3)[*]",
    "lower(split(http.host, \".\", 3)[*])[*]",
];
const NUMBERS: [&str; 6] = [
    "tcp.dstport",
    "len(http.host)",
    "len(http.request.headers[\"a\"])",
    "coalesce(len(http.cookie), 0)",
    "hash_in_range(0, 100, http.host, ip.src)",
    "lookup_json_integer(http.request.body.raw, \"e\")",
];
const ADDRESS_VALUES: [&str; 4] = ["ip.src", "ip.src", "cidr(ip.src, 24, 64)", "cidr6(ip.src, 100)"];
const ORDER_OPERATORS: [&str; 12] = ["eq", "==", "ne", "!=", "lt", "<", "le", "<=", "gt", ">", "ge", ">="];

/// A condition.
pub fn condition(choices: &mut Choices, depth: usize) -> String {
    match choices.index_below(if depth == 0 { 5 } else { 8 }) {
        0 => "ssl".to_owned(),
        1 => comparison(choices),
        2 => format!("not {}", comparison(choices)),
        3 => quantified(choices, depth),
        4 => {
            let (call, text) = (choices.pick(&["starts_with", "ends_with"]), choices.pick(TEXT_ARGUMENTS));
            format!("{call}({}, {text})", choices.pick(&SCALAR_VALUES))
        }
        _ => {
            let part = |choices: &mut Choices| match choices.index_below(3) {
                0 => format!("({})", condition(choices, depth - 1)),
                1 => format!("not ({})", condition(choices, depth - 1)),
                _ => comparison(choices),
            };
            let parts: Vec<_> = (0..2 + choices.index_below(3)).map(|_| part(choices)).collect();
            parts.join(choices.pick(&[" and ", " or ", " xor "]))
        }
    }
}

/// A search in `http.host`, and a long text to search that repeats the same few bytes.
pub fn search(choices: &mut Choices) -> (String, Vec<u8>) {
    let run = |choices: &mut Choices, max_length: usize| -> Vec<u8> {
        let unit: [&[u8]; 7] = [b"a", b"ab", b"B", b"aA", b"aab", b".", b"e"];
        (0..choices.index_below(max_length))
            .flat_map(|_| choices.pick(&unit).repeat(1 + choices.index_below(12)))
            .collect()
    };
    let needle = run(choices, 4);
    let mut text = run(choices, 12);
    if choices.index_below(3) > 0 {
        text.extend(if choices.index_below(2) == 0 { needle.to_ascii_uppercase() } else { needle.clone() });
        text.extend(run(choices, 6));
    }
    let needle = String::from_utf8_lossy(&needle).into_owned();
    let left = choices.pick(&["http.host", "lower(http.host)", "upper(http.host)"]);
    let needle = match left {
        "lower(http.host)" => needle.to_ascii_lowercase(),
        "upper(http.host)" => needle.to_ascii_uppercase(),
        _ => needle,
    };
    let regex = needle.replace('.', "\\.");
    let source = match choices.index_below(6) {
        // Two adjacent stars are invalid in a pattern.
        0 | 1 => format!("{left} contains \"{needle}\""),
        2 | 3 if needle.is_empty() => format!("{left} wildcard \"*a\""),
        2 => format!("{left} wildcard \"*{needle}*a\""),
        3 => format!("{left} strict wildcard \"*{needle}*{needle}*\""),
        4 => format!("{left} matches r\"(?i){regex}\""),
        _ => format!("{left} matches r\"{regex}[ab]+{regex}\""),
    };
    (source, text)
}

fn comparison(choices: &mut Choices) -> String {
    match choices.index_below(6) {
        0 => format!("{} {}", choices.pick(&NUMBERS), integer_comparison(choices)),
        1 => format!("{} {}", choices.pick(&ADDRESS_VALUES), address_comparison(choices)),
        _ => format!("{} {}", choices.pick(&SCALAR_VALUES), text_comparison(choices)),
    }
}

fn quantified(choices: &mut Choices, depth: usize) -> String {
    let quantifier = choices.pick(&["any", "all"]);
    let each = |choices: &mut Choices| format!("{} {}", choices.pick(&ARRAY_VALUES), text_comparison(choices));
    match choices.index_below(if depth == 0 { 3 } else { 5 }) {
        0 => format!("{quantifier}(not {})", each(choices)),
        1 => format!(
            "{quantifier}({}({}, {}))",
            choices.pick(&["starts_with", "ends_with"]),
            choices.pick(&ARRAY_VALUES),
            choices.pick(TEXT_ARGUMENTS)
        ),
        2 => format!("{quantifier}({})", each(choices)),
        3 => format!(
            "len(({} {} {})) {} 2",
            each(choices),
            choices.pick(&["and", "or"]),
            each(choices),
            choices.pick(&ORDER_OPERATORS)
        ),
        _ => {
            let operator = choices.pick(&["and", "or", "xor"]);
            format!("{quantifier}(({} {operator} not {} {operator} ({})))", each(choices), each(choices), each(choices))
        }
    }
}

fn text_comparison(choices: &mut Choices) -> String {
    match choices.index_below(9) {
        0 => format!("{} {}", choices.pick(&ORDER_OPERATORS), choices.pick(&SCALAR_VALUES)),
        1 => format!("contains {}", choices.pick(&TEXTS)),
        2 => format!("matches r\"{}\"", choices.pick(&REGEXES)),
        3 => format!("matches r\"{}\"", choices.pick(&REGEXES)),
        4 => format!("wildcard r\"{}\"", choices.pick(&WILDCARDS)),
        5 => format!("strict wildcard r\"{}\"", choices.pick(&WILDCARDS)),
        6 => set(choices, &TEXTS, "hosts"),
        _ => format!("{} {}", choices.pick(&ORDER_OPERATORS), choices.pick(&TEXTS)),
    }
}

fn integer_comparison(choices: &mut Choices) -> String {
    match choices.index_below(4) {
        0 => set(choices, &RANGES, "numbers"),
        1 => format!("& {}", choices.pick(&INTEGERS)),
        2 => format!("{} {}", choices.pick(&ORDER_OPERATORS), choices.pick(&NUMBERS)),
        _ => format!("{} {}", choices.pick(&ORDER_OPERATORS), choices.pick(&INTEGERS)),
    }
}

fn address_comparison(choices: &mut Choices) -> String {
    match choices.index_below(3) {
        0 => set(choices, &NETWORKS, "addresses"),
        1 => format!("{} {}", choices.pick(&ORDER_OPERATORS), choices.pick(&ADDRESS_VALUES)),
        _ => format!("{} {}", choices.pick(&ORDER_OPERATORS), choices.pick(&ADDRESSES)),
    }
}

fn set(choices: &mut Choices, items: &[&'static str], list: &str) -> String {
    if choices.index_below(4) == 0 {
        return format!("in ${list}");
    }
    let items: Vec<_> = (0..choices.index_below(6)).map(|_| choices.pick(items)).collect();
    format!("in {{{}}}", items.join(" "))
}
