//! Filters that try to be slow, deep or large.

/// The size limit of a text, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// Name and text of a filter, and diagnostic codes that it must produce.
pub type HostileCase = (&'static str, String, &'static [&'static str]);

/// Every hostile filter.
pub fn hostile_filters() -> Vec<HostileCase> {
    let condition = r#"{"key":"ClientIP","operator":"eq","value":"a"}"#;
    let repeat_to = |text: &str, length: usize| text.repeat(length / text.len());
    let nested = |levels: usize| {
        format!("{}{condition}{}", r#"{"where":"#.to_owned() + &"{\"and\":[".repeat(levels), "]}".repeat(levels) + "}")
    };
    vec![
        ("10 MB", repeat_to(condition, 10 << 20), &["source-too-large"]),
        ("the maximum depth", nested(63), &[]),
        ("10,000 levels", nested(10_000), &["nesting-too-deep"]),
        ("10,000 {", "{".repeat(10_000), &["nesting-too-deep"]),
        ("1 MiB of [", "[".repeat(MAX_BYTES), &["nesting-too-deep"]),
        ("1 MiB of ]", "]".repeat(MAX_BYTES), &["not-json"]),
        ("1 MiB of quotes", "\"".repeat(MAX_BYTES), &["not-json"]),
        ("1 MiB of quotes and backslashes", repeat_to("\\\"", MAX_BYTES), &["not-json"]),
        ("1 MiB of broken lines", repeat_to("\"\\\"\n", MAX_BYTES), &["unterminated-string"]),
        ("1 MiB of open strings", repeat_to("\"\n", MAX_BYTES), &["unterminated-string"]),
        ("1 MiB of escaped line breaks", repeat_to("\"\\\n\\", MAX_BYTES), &["unterminated-string"]),
        ("1 MiB of the same in single quotes", repeat_to("'\\\n\\", MAX_BYTES), &["unterminated-string"]),
        (
            "names without values before whitespace",
            format!(
                "{{\"where\":{{\"or\":[{}{}",
                repeat_to("{\"a\":},", MAX_BYTES / 2),
                " ".repeat(MAX_BYTES / 2 - 40)
            ),
            &["missing-value"],
        ),
        (
            "errors of outer brackets after a thousand inner ones",
            format!("{{\"were\":1,\"where\":{{\"keyy\":1,\"and\":[{}]}}}}", repeat_to("{\"keyy\":1,},", MAX_BYTES / 4)),
            &["unknown-member"],
        ),
        ("1 MiB of adjacent words", format!("[{}", repeat_to("{\"a\"b},", MAX_BYTES - 1)), &["unterminated-string"]),
        ("1 MiB of unknown members", format!("{{\"where\":{{{}", repeat_to("\"keyy\":1,", MAX_BYTES - 20)), &[]),
        (
            "1 MiB of conditions",
            format!("{{\"where\":{{\"or\":[{}]}}}}", repeat_to(&format!("{condition},"), MAX_BYTES - 99)),
            &[],
        ),
        ("1 MiB of where", repeat_to("{\"where\":", MAX_BYTES), &["nesting-too-deep"]),
        (
            "1 MiB of a name over lists",
            format!("{{\"{}\":{}", "a".repeat(MAX_BYTES / 2), "[".repeat(MAX_BYTES / 2 - 9)),
            &[],
        ),
        ("1 MiB of NUL", "\0".repeat(MAX_BYTES), &[]),
        ("1 MiB of comments", format!("{{{}", repeat_to("/**/", MAX_BYTES - 1)), &[]),
        ("1 MiB of commas", format!("{{{}", ",".repeat(MAX_BYTES - 1)), &[]),
        ("1 MiB of colons", format!("{{\"a\"{}", ":".repeat(MAX_BYTES - 9)), &[]),
        ("a string of 1 MiB of escapes", format!("\"{{{}", repeat_to("\\ud800", MAX_BYTES - 9)), &[]),
        (
            "a number of 1 MiB",
            format!(r#"{{"where":{{"key":"BotScore","operator":"eq","value":{}}}}}"#, "9".repeat(MAX_BYTES - 99)),
            &[],
        ),
        (
            "unknown keys",
            format!(
                "{{\"where\":{{\"or\":[{condition}{}]}}}}",
                repeat_to(r#",{"key":"RequestHeaders.a","operator":"eqq","value":1}"#, MAX_BYTES - 99)
            ),
            &[],
        ),
    ]
}
