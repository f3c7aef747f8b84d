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
        (String::new(), "the line is empty at byte 0"),
        ("  ".to_owned(), "the line is empty at byte 2"),
        ("[]".to_owned(), "the line is an array, not an object at byte 0"),
        ("de".to_owned(), "the line is not a JSON object at byte 0"),
        ("{".to_owned(), "unexpected end of line, expected a member name at byte 1"),
        ("{,}".to_owned(), "expected a member name at byte 1"),
        ("{\"a\"}".to_owned(), "expected `:` at byte 4"),
        (line("\"a\":1"), "unexpected end of line, expected `,` or `}` at byte 27"),
        (line("\"a\":1,}"), "expected a member name at byte 28"),
        (line("\"a\":1}{}"), "unexpected text after the object at byte 28"),
        (line("\"a\":}"), "expected a value at byte 26"),
        (line("\"a\":01}"), "expected `,` or `}` at byte 27"),
        (line("\"a\":-}"), "expected a digit at byte 27"),
        (line("\"a\":1.}"), "expected a digit at byte 28"),
        (line("\"a\":1e}"), "expected a digit at byte 28"),
        (line("\"a\":+1}"), "expected a value at byte 26"),
        (line("\"a\":NaN}"), "expected a value at byte 26"),
        (line("\"a\":tru}"), "expected a value at byte 26"),
        (line("\"a\":[1 2]}"), "expected `,` or `]` at byte 29"),
        (line("\"a\":[1,]}"), "expected a value at byte 29"),
        (line("\"a\":{\"b\":1]}"), "expected `,` or `}` at byte 32"),
        (line("\"a\":{1}}"), "expected a member name at byte 27"),
        (line("\"a\":\"b\n\"}"), "unescaped control character in a string at byte 28"),
        (line("\"a\":\"b}"), "unexpected end of line, expected `\"` at byte 29"),
        (line(r#""a":"\x"}"#), "invalid escape sequence at byte 27"),
        (line(r#""a":"\u12g4"}"#), "`\\u` must be followed by four hexadecimal digits at byte 27"),
        (line(r#""a":"\ud800"}"#), "lone surrogate in a `\\u` escape at byte 27"),
        (line(r#""a":"\ud800\u0041"}"#), "lone surrogate in a `\\u` escape at byte 27"),
        (line(r#""a":"\udc00"}"#), "lone surrogate in a `\\u` escape at byte 27"),
        (line("\"a\":\"\\"), "unterminated string at byte 27"),
        (deep(127), &format!("{too_deep} at byte 152")),
        (deep(1_000_000), &format!("{too_deep} at byte 152")),
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
