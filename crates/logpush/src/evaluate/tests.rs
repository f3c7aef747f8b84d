//! Tests of invalid lines, and of other cases that `tests/spec/logpush` cannot express.

use crate::{Options, Program, check};
use zonewright_expression::{MissingPolicy, Outcome, Truth};

fn program(condition: &str) -> Program {
    let checked = check(&format!("{{\"where\":{condition}}}"), &Options::default());
    checked.program.unwrap_or_else(|| panic!("{condition}: {:?}", checked.diagnostics))
}

fn condition(key: &str, operator: &str, value: &str) -> String {
    format!(r#"{{"key":"{key}","operator":"{operator}","value":{value}}}"#)
}

#[test]
fn malformed_lines_are_rejected() {
    let program = program(&condition("ClientCountry", "eq", "\"de\""));
    let line = |rest: &str| format!("{{\"ClientCountry\":\"de\",{rest}");
    let deep = |levels: usize| line(&format!("\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels)));
    let too_deep = "the line is nested deeper than 127 levels";
    for (line, expected) in [
        (String::new(), "the line is empty"),
        ("  ".to_owned(), "the line is empty"),
        ("[]".to_owned(), "column 1: the line is an array, not an object"),
        ("de".to_owned(), "column 1: the line is not a JSON object"),
        ("{".to_owned(), "column 2: unexpected end of line, expected a member name"),
        ("{,}".to_owned(), "column 2: expected a member name"),
        ("{\"a\"}".to_owned(), "column 5: expected `:`"),
        (line("\"a\":1"), "column 28: unexpected end of line, expected `,` or `}`"),
        (line("\"a\":1,}"), "column 29: expected a member name"),
        (line("\"a\":1}{}"), "column 29: unexpected text after the object"),
        (line("\"a\":}"), "column 27: expected a value"),
        (line("\"a\":01}"), "column 28: expected `,` or `}`"),
        (line("\"a\":-}"), "column 28: expected a digit"),
        (line("\"a\":1.}"), "column 29: expected a digit"),
        (line("\"a\":1e}"), "column 29: expected a digit"),
        (line("\"a\":+1}"), "column 27: expected a value"),
        (line("\"a\":NaN}"), "column 27: expected a value"),
        (line("\"a\":tru}"), "column 27: expected a value"),
        (line("\"a\":[1 2]}"), "column 30: expected `,` or `]`"),
        (line("\"a\":[1,]}"), "column 30: expected a value"),
        (line("\"a\":{\"b\":1]}"), "column 33: expected `,` or `}`"),
        (line("\"a\":{1}}"), "column 28: expected a member name"),
        (line("\"a\":\"b\n\"}"), "column 29: unescaped control character in a string"),
        (line("\"a\":\"b}"), "column 30: unexpected end of line, expected `\"`"),
        (line(r#""a":"\x"}"#), "column 28: invalid escape sequence"),
        (line(r#""a":"\u12g4"}"#), "column 28: `\\u` must be followed by four hexadecimal digits"),
        (line(r#""a":"\ud800"}"#), "column 28: lone surrogate in a `\\u` escape"),
        (line(r#""a":"\ud800\u0041"}"#), "column 28: lone surrogate in a `\\u` escape"),
        (line(r#""a":"\udc00"}"#), "column 28: lone surrogate in a `\\u` escape"),
        (line("\"a\":\"\\"), "column 28: unterminated string"),
        (deep(127), &format!("column 153: {too_deep}")),
        (deep(1_000_000), &format!("column 153: {too_deep}")),
    ] {
        let error = program.evaluate(line.as_bytes(), MissingPolicy::Absent).unwrap_err();
        let excerpt: String = line.chars().take(60).collect();
        assert_eq!(error.to_string(), expected, "{excerpt}");
        assert!(serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&line).is_err(), "{excerpt}");
    }
    for line in [
        line("\"a\":1}"),
        format!(" {}\r\n", line("\"a\" : [ ] , \"b\":{ } }")),
        line(r#""a":"\ud83d\ude00 \b\f\n\r\t\/\"\\","b":[[],{},[{"c":[-0.5e+10,true,false,null]}]]}"#),
        deep(126),
    ] {
        assert_eq!(program.evaluate(line.as_bytes(), MissingPolicy::Absent), Ok(Outcome::True), "{line}");
        assert!(serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&line).is_ok(), "{line}");
    }
    for (line, offset) in [(&b"{\"a\":\"b\xff\"}"[..], 7), (b"{\"a\xc3\":1}", 3), (b"{\"a\":\xff}", 5)] {
        assert_eq!(program.evaluate(line, MissingPolicy::Absent).unwrap_err().offset, offset);
    }
}

#[test]
fn large_lines_are_evaluated() {
    let program = program(&condition("ClientRequestUserAgent", "endsWith", "\"z\""));
    let line = format!(
        r#"{{"a":"{0}","ClientRequestUserAgent":"{0}z","b":[{1}0]}}"#,
        "ab\\u0063".repeat(600_000),
        "0,".repeat(100_000)
    );
    assert_eq!(program.evaluate(line.as_bytes(), MissingPolicy::Absent), Ok(Outcome::True));
}

#[test]
fn trace_has_a_step_for_every_condition() {
    let (host, score) = (condition("ClientRequestHost", "eq", "\"a\""), condition("BotScore", "lt", "30"));
    let (path, tags) = (condition("ClientRequestPath", "eq", "\"/\""), condition("BotTags", "contains", "\"x\""));
    let source = format!(r#"{{"where":{{"and":[{{"or":[{host},{score}]}},{path},{tags}]}}}}"#);
    let program = check(&source, &Options::default()).program.unwrap();
    let line = br#"{"ClientRequestHost":"\u0061","BotScore":1,"ClientRequestPath": "/b","BotTags":null}"#;
    let trace = program.trace(line, MissingPolicy::Absent).unwrap();
    assert_eq!(trace.outcome, Outcome::False);
    let steps: Vec<_> = trace.steps.iter().skip(1).collect();
    let results: Vec<_> = steps.iter().map(|step| (step.truth, step.value.as_deref(), step.missing)).collect();
    assert_eq!(
        results,
        [
            (Truth::True, None, false),
            (Truth::True, Some(r#""\u0061""#), false),
            (Truth::NotReached, Some("1"), false),
            (Truth::False, Some("\"/b\""), false),
            (Truth::NotReached, None, true),
        ]
    );
    assert_eq!(steps[1].span.text(&source), host);
    let unknown = program.evaluate(br#"{"ClientRequestPath":"/"}"#, MissingPolicy::Unknown).unwrap();
    let fields = ["BotScore", "BotTags", "ClientRequestHost"].map(str::to_owned).to_vec();
    assert_eq!(unknown, Outcome::Unknown { fields });
}
