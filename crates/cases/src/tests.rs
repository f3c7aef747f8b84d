//! Tests of test files and their reports.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

use crate::{CaseResult, ExpressionOrigin, Report, ResultCounts, run_tests, to_junit_xml};
use zonewright_diagnostic::Span;

fn report(source: &str) -> Report {
    run_tests(source, &mut |name| match name {
        "rule.txt" => Ok("http.host eq \"a.example\"\n".to_owned()),
        _ => Err("no such file".to_owned()),
    })
}

/// Formats each case on one line: the test, the name and the result.
fn lines(source: &str) -> Vec<String> {
    let report = report(source);
    let file_errors = report.diagnostics.iter().map(|error| format!("file: {}", error.message));
    let cases = report.tests.iter().flat_map(|test| {
        test.cases.iter().map(|case| {
            let result = match &case.result {
                CaseResult::Passed => "passed".to_owned(),
                CaseResult::Failed { expected, found, .. } => format!("expected {expected}, found {found}"),
                CaseResult::Error(error) => format!("error: {}", error.message),
            };
            format!("{}, {}: {result}", test.name, case.name)
        })
    });
    file_errors.chain(cases).collect()
}

#[test]
fn documentation_example_passes() {
    let source = include_str!("lib.rs");
    let example: Vec<&str> = source.lines().filter_map(|line| line.strip_prefix("//!")).collect();
    let example = example.join("\n");
    let toml = example.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let toml: Vec<&str> = toml.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let report = report(&toml.join("\n"));
    assert_eq!(report.counts(), ResultCounts { passed: 3, ..ResultCounts::default() }, "{report:#?}");
}

#[test]
fn cases_pass_fail_or_are_unknown() {
    let source = r#"
[[test]]
name = "t"
expression = 'ssl and ip.src.country in {"CH" "AT"}'
[[test.match]]
fields = { ssl = true, "ip.src.country" = "CH" }
[[test.miss]]
name = "from elsewhere"
request = "GET / HTTP/1.1"
fields = { "ip.src.country" = "FR" }
[[test.match]]
request = "http://a.example"
[[test.match]]
request = "https://a.example"
[[test.miss]]
fields = { ssl = true, "ip.src.country" = "AT" }
[[test.miss]]
missing = "absent"
fields = { ssl = true }
"#;
    assert_eq!(
        lines(source),
        [
            "t, match 1: passed",
            "t, from elsewhere: passed",
            "t, match 2: expected a match, found no match",
            "t, match 3: expected a match, found an unknown result: it depends on `ip.src.country`, which the case does not set",
            "t, miss 2: expected no match, found a match",
            "t, miss 3: passed",
        ]
    );
}

#[test]
fn inner_keys_override_outer_keys() {
    let source = r#"
missing = "absent"
request = "https://file.example/"
fields = { "ip.src" = "192.0.2.1" }
lists = { office = ["192.0.2.0/24"] }
[[test]]
expression = 'http.host eq "file.example" and ip.src in $office'
[[test.match]]
[[test.miss]]
request = "https://case.example/"
[[test.miss]]
fields = { "ip.src" = "198.51.100.1" }
[[test.miss]]
absent = ["ip.src"]
[[test.miss]]
lists = { office = [] }
[[test]]
name = "of the test"
request = "https://test.example/"
file = "rule.txt"
[[test.miss]]
[[test.match]]
fields = { "http.host" = "a.example" }
"#;
    assert!(report(source).counts().all_passed(), "{:#?}", lines(source));
    assert_eq!(report(source).tests[1].origin, ExpressionOrigin::File("rule.txt".to_owned()));
}

#[test]
fn returns_cases_compare_values() {
    let source = r#"
[[test]]
name = "v"
expression = 'lower(http.host)'
[[test.returns]]
fields = { "http.host" = "A" }
value = "a"
[[test.returns]]
fields = { "http.host" = "B" }
value = "a"
[[test.returns]]
absent = ["http.host"]
no_value = true
[[test.returns]]
fields = { "http.host" = { base64 = "/w==" } }
value = { base64 = "/w==" }
"#;
    assert_eq!(
        lines(source),
        [
            "v, returns 1: passed",
            "v, returns 2: expected \"a\", found \"b\"",
            "v, returns 3: passed",
            "v, returns 4: passed"
        ]
    );
}

#[test]
fn failures_list_the_deciding_conditions() {
    let cases = [
        (
            "ssl and (http.host eq \"b\" or http.host eq \"c\")",
            vec![
                "`http.host eq \"b\"` is false (the value is \"a\")",
                "`http.host eq \"c\"` is false (the value is \"a\")",
            ],
        ),
        (
            "ssl and http.host eq \"b\" and ip.src eq 192.0.2.1",
            vec!["`http.host eq \"b\"` is false (the value is \"a\")"],
        ),
        ("not (ssl or http.host eq \"b\")", vec!["`ssl` is true (the value is true)"]),
        (
            "not (ssl xor http.host eq \"b\")",
            vec!["`ssl` is true", "`http.host eq \"b\"` is false (the value is \"a\")"],
        ),
        (
            "ssl ^^ http.host eq \"a\" ^^ http.host eq \"b\"",
            vec![
                "`ssl` is true",
                "`http.host eq \"a\"` is true (the value is \"a\")",
                "`http.host eq \"b\"` is false (the value is \"a\")",
            ],
        ),
        ("http.referer eq \"b\"", vec!["`http.referer eq \"b\"` is false because one of its values is missing"]),
    ];
    for (expression, expected) in cases {
        let source = format!(
            "[[test]]\nexpression = '''{expression}'''\n[[test.match]]\nabsent = [\"http.referer\"]\n\
             fields = {{ ssl = true, \"http.host\" = \"a\" }}"
        );
        let report = report(&source);
        let CaseResult::Failed { reasons, .. } = &report.tests[0].cases[0].result else { panic!("{report:#?}") };
        let descriptions: Vec<String> = reasons.iter().map(crate::DecidingCondition::describe).collect();
        let without_value = |text: &String| text.replace(" (the value is true)", "");
        assert_eq!(
            descriptions.iter().map(without_value).collect::<Vec<_>>(),
            expected.iter().map(|text| without_value(&(*text).to_owned())).collect::<Vec<_>>(),
            "{expression}"
        );
    }
}

#[test]
fn file_errors_have_spans() {
    let cases = [
        ("", "the file has no tests", ""),
        ("[[test]\n", "invalid TOML: ", ""),
        ("[[test]]\nexpresion = 'ssl'\n[[test.match]]", "unknown key `expresion`", "expresion"),
        ("[[test]]\nexpression = 'ssl'", "the test `test 1` has no cases", "[[test]]"),
        ("[[test]]\nexpression = 5\n[[test.match]]", "`expression`: expected a string, found an integer", "5"),
        ("[[test]]\n[[test.match]]", "the test has no expression", "[[test]]"),
        ("[[test]]\nfile = 'b.txt'\n[[test.match]]", "`b.txt`: no such file", "'b.txt'"),
        (
            "[[test]]\nfile = 'a'\nexpression = 'b'\n[[test.match]]",
            "a test cannot have both `expression` and `file`",
            "'a'",
        ),
        ("phase = 'x'\n[[test]]\nexpression = 'ssl'\n[[test.match]]", "unknown phase `x`", "'x'"),
        (
            "missing = 'abset'\n[[test]]\nexpression = 'ssl'\n[[test.match]]",
            "unknown value of `missing`: `abset`",
            "'abset'",
        ),
        ("test = 5", "`test`: expected tables under `[[test]]`, found an integer", "5"),
        (
            "fields = []\n[[test]]\nexpression = 'ssl'\n[[test.match]]",
            "`fields`: expected a table, found an array",
            "[]",
        ),
        ("[[test]]\nexpression = 'ssl'\n[[test.returns]]", "the case has no expected value", "[[test.returns]]"),
        (
            "[[test]]\nexpression = 'ssl'\n[[test.returns]]\nvalue = 1\n[[test.match]]",
            "a test cannot have `returns` together with `match` or `miss`",
            "",
        ),
        (
            "[[test]]\nexpression = 'ssl'\n[[test.match]]\nfields = { ssl = 1979-05-27 }",
            "dates are not supported",
            "1979-05-27",
        ),
    ];
    for (source, message, underlined) in cases {
        let report = report(source);
        let error = report.diagnostics.iter().find(|error| error.message.starts_with(message));
        let Some(error) = error else { panic!("{source}: {:?}", report.diagnostics) };
        if !underlined.is_empty() {
            assert_eq!(error.span.text(source), underlined, "{source}");
        }
        assert!(!report.counts().all_passed(), "{source}");
    }
}

#[test]
fn errors_of_cases_and_expressions_have_spans() {
    let source = "[[test]]\nexpression = '''\nssl and http.hots eq \"a\"'''\n[[test.match]]\n[[test]]\nexpression = 'ssl'\n\
                  [[test.match]]\nrequest = '''\nGET / HTTP/1.1\nHost a'''\n[[test.match]]\nfields = { ssl = 'a' }\n\
                  [[test.match]]\nfields = { ssl = true }\nlists = { a = [-1] }\n[[test.miss]]\nfields = { ssl = false }";
    let report = report(source);
    let test = &report.tests[0];
    let ExpressionOrigin::Inline(offset) = test.origin else { panic!("{test:?}") };
    let span = test.diagnostics[0].span;
    assert_eq!(Span::new(span.start + offset, span.end + offset).text(source), "http.hots");
    let messages: Vec<(String, &str)> = report
        .tests
        .iter()
        .flat_map(|test| &test.cases)
        .filter_map(|case| match &case.result {
            CaseResult::Error(error) => Some((error.message.clone(), error.span.text(source))),
            _ => None,
        })
        .collect();
    assert_eq!(messages[0].0, "the expression has errors");
    assert_eq!(messages[1], ("expected `name: value`, found `Host a`".to_owned(), "Host a"));
    assert_eq!(messages[2].0, "`ssl`: expected true or false, found the string `a`");
    assert_eq!(
        report.diagnostics[0].message,
        "item 1 of the list `$a`: expected an IP address, a hostname or an AS number, found the number `-1`"
    );
    assert_eq!(report.diagnostics[0].span.text(source), "{ a = [-1] }");
    assert_eq!(report.counts(), ResultCounts { passed: 2, failed: 0, errors: 3, file_errors: 1 });
    let lines: Vec<usize> = report.tests[1].cases.iter().map(|case| case.line).collect();
    assert_eq!(lines, [7, 11, 13, 16]);
}

#[test]
fn junit_xml_escapes_names() {
    let source = "[[test]]\nname = \"<a & \\\"b\\\"\\u0000\\n>\"\nexpression = 'http.host eq \"x\"'\n[[test.match]]\n\
                  fields = { \"http.host\" = \"]]>\\u0007\" }\n[[test.miss]]\nname = 'fine'\nfields = { \"http.host\" = 'y' }";
    let report = report(source);
    let xml = to_junit_xml([("a&b.toml", &report)]);
    let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <testsuites name=\"zonewright\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\">\n  \
        <testsuite name=\"a&amp;b.toml\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\">\n    \
        <testcase classname=\"&lt;a &amp; &quot;b&quot;\u{fffd}&#10;&gt;\" name=\"match 1\" file=\"a&amp;b.toml\" line=\"4\">\n      \
        <failure message=\"expected a match, found no match\">`http.host eq &quot;x&quot;` is false (the value is \
        &quot;]]&gt;\\u0007&quot;)</failure>\n    </testcase>\n    \
        <testcase classname=\"&lt;a &amp; &quot;b&quot;\u{fffd}&#10;&gt;\" name=\"fine\" file=\"a&amp;b.toml\" line=\"6\"/>\n  \
        </testsuite>\n</testsuites>\n";
    assert_eq!(xml, expected);
}

#[test]
fn file_errors_are_not_counted_as_cases() {
    let source = "[[tset]]\n[[test]]\nexpression = 'ssl'\n[[test.match]]\nfields = { ssl = true }\n\
                  [[test.miss]]\nrequest = 'https://a.example/b/../c'\n";
    let report = report(source);
    assert_eq!(report.counts(), ResultCounts { passed: 1, failed: 1, errors: 0, file_errors: 1 });
    let xml = to_junit_xml([("a.toml", &report)]);
    for part in [
        "tests=\"3\" failures=\"1\" errors=\"1\"",
        "<testcase classname=\"a.toml\" name=\"a.toml\">\n      \
         <error type=\"test-file\" message=\"unknown key `tset`\">did you mean `test`?</error>",
        "&#10;fields have the normalized path `/c` instead of `/b/../c`",
    ] {
        assert!(xml.contains(part), "{part}: {xml}");
    }
    let counts = self::report("[[test]\n").counts();
    assert_eq!((counts.total(), counts.file_errors), (0, 1));
}

#[test]
fn truncated_or_mutated_files_never_panic() {
    let source = "lists = { a = [1] }\n[[test]]\nexpression = 'ssl or ip.src in $a'\n[[test.match]]\nrequest = \"\"\"\nGET / HTTP/1.1\n\"\"\"\n\
                  fields = { ssl = true, é = 1 }\n[[test.returns]]\nvalue = 5\n";
    for offset in (0..source.len()).filter(|offset| source.is_char_boundary(*offset)) {
        report(&source[..offset]);
        for text in ["\0", "[", "é", "'", "=", "\n"] {
            report(&format!("{}{text}{}", &source[..offset], &source[offset..]));
        }
    }
    assert!(!report(&"a".repeat(crate::MAX_FILE_BYTES + 1)).counts().all_passed());
    assert!(!report(&format!("a = {}", "[".repeat(100_000))).counts().all_passed());
}

#[test]
fn counting_expression_sees_the_response() {
    let test = |kind: &str, cases: &str| {
        format!(
            "phase = \"http_ratelimit\"\n[[test]]\nname = \"t\"\n{kind}\nexpression = 'http.response.code eq 401'\n{cases}\nfields = {{ \"http.response.code\" = 401 }}"
        )
    };
    assert_eq!(lines(&test("kind = \"counting\"", "[[test.match]]")), ["t, match 1: passed"]);
    let rejected = lines(&test("", "[[test.match]]"));
    assert_eq!(rejected, ["t, match 1: error: the expression has errors"]);
    let invalid = [
        ("kind = \"counted\"", "[[test.match]]", "counted"),
        ("kind = \"value\"", "[[test.match]]", "a test of the kind `value` needs `returns`"),
        ("kind = \"counting\"", "[[test.returns]]\nvalue = 1", "a test with `returns` must have the kind `value`"),
    ];
    for (kind, cases, expected) in invalid {
        let lines = lines(&test(kind, cases));
        assert!(lines.first().is_some_and(|line| line.contains(expected)), "{lines:?}");
    }
}

#[test]
fn errors_beyond_the_limit_are_counted() {
    let keys: String = (0..1_500).map(|number| format!("a{number} = 1\n")).collect();
    let files: String = (0..1_500).map(|_| "[[test]]\nfile = \"none.txt\"\n[[test.match]]\n").collect();
    let errors = "a b\n".repeat(100);
    let cases = [
        (format!("{keys}[[test]]\nexpression = 'ssl'\n[[test.match]]\n"), 1_001, "500 more problems are not listed"),
        (files, 1_001, "500 more problems are not listed"),
        (errors, 21, "more problems are not listed"),
    ];
    for (source, length, expected) in cases {
        let diagnostics = report(&source).diagnostics;
        let last = diagnostics.last().map_or("", |last| last.message.as_str());
        assert_eq!((diagnostics.len(), last.ends_with(expected)), (length, true), "{last}");
    }
}
