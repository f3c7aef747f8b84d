//! Filters that are made to be slow, deep or large.

/// Most bytes that are read at all.
const MOST_BYTES: usize = 1 << 20;

/// A filter with its name, and codes that have to be found in it.
pub type Hostile = (&'static str, String, &'static [&'static str]);

/// All of them.
pub fn hostile_filters() -> Vec<Hostile> {
    let condition = r#"{"key":"ClientIP","operator":"eq","value":"a"}"#;
    let many = |piece: &str, length: usize| piece.repeat(length / piece.len());
    let nested = |levels: usize| {
        format!("{}{condition}{}", r#"{"where":"#.to_owned() + &"{\"and\":[".repeat(levels), "]}".repeat(levels) + "}")
    };
    vec![
        ("10 MB", many(condition, 10 << 20), &["source-too-large"]),
        ("the deepest", nested(63), &[]),
        ("10,000 levels", nested(10_000), &["nesting-too-deep"]),
        ("10,000 {", "{".repeat(10_000), &["nesting-too-deep"]),
        ("1 MiB of [", "[".repeat(MOST_BYTES), &["nesting-too-deep"]),
        ("1 MiB of ]", "]".repeat(MOST_BYTES), &["not-json"]),
        ("1 MiB of quotes", "\"".repeat(MOST_BYTES), &["not-json"]),
        ("1 MiB of quotes and backslashes", many("\\\"", MOST_BYTES), &["not-json"]),
        ("1 MiB of broken lines", many("\"\\\"\n", MOST_BYTES), &["unterminated-string"]),
        ("1 MiB of open strings", many("\"\n", MOST_BYTES), &["unterminated-string"]),
        ("1 MiB of escaped line breaks", many("\"\\\n\\", MOST_BYTES), &["unterminated-string"]),
        ("1 MiB of the same in single quotes", many("'\\\n\\", MOST_BYTES), &["unterminated-string"]),
        (
            "names without values before blanks",
            format!("{{\"where\":{{\"or\":[{}{}", many("{\"a\":},", MOST_BYTES / 2), " ".repeat(MOST_BYTES / 2 - 40)),
            &["missing-value"],
        ),
        (
            "problems of outer brackets behind a thousand inner ones",
            format!("{{\"were\":1,\"where\":{{\"keyy\":1,\"and\":[{}]}}}}", many("{\"keyy\":1,},", MOST_BYTES / 4)),
            &["unknown-member"],
        ),
        ("1 MiB of adjacent words", format!("[{}", many("{\"a\"b},", MOST_BYTES - 1)), &["unterminated-string"]),
        ("1 MiB of unknown members", format!("{{\"where\":{{{}", many("\"keyy\":1,", MOST_BYTES - 20)), &[]),
        (
            "1 MiB of conditions",
            format!("{{\"where\":{{\"or\":[{}]}}}}", many(&format!("{condition},"), MOST_BYTES - 99)),
            &[],
        ),
        ("1 MiB of where", many("{\"where\":", MOST_BYTES), &["nesting-too-deep"]),
        (
            "1 MiB of a name over lists",
            format!("{{\"{}\":{}", "a".repeat(MOST_BYTES / 2), "[".repeat(MOST_BYTES / 2 - 9)),
            &[],
        ),
        ("1 MiB of NUL", "\0".repeat(MOST_BYTES), &[]),
        ("1 MiB of comments", format!("{{{}", many("/**/", MOST_BYTES - 1)), &[]),
        ("1 MiB of commas", format!("{{{}", ",".repeat(MOST_BYTES - 1)), &[]),
        ("1 MiB of colons", format!("{{\"a\"{}", ":".repeat(MOST_BYTES - 9)), &[]),
        ("a string of 1 MiB of escapes", format!("\"{{{}", many("\\ud800", MOST_BYTES - 9)), &[]),
        (
            "a number of 1 MiB",
            format!(r#"{{"where":{{"key":"BotScore","operator":"eq","value":{}}}}}"#, "9".repeat(MOST_BYTES - 99)),
            &[],
        ),
        (
            "unknown keys",
            format!(
                "{{\"where\":{{\"or\":[{condition}{}]}}}}",
                many(r#",{"key":"RequestHeaders.a","operator":"eqq","value":1}"#, MOST_BYTES - 99)
            ),
            &[],
        ),
    ]
}
