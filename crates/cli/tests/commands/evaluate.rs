//! `zonewright evaluate` on one request and on a stream of records.

use crate::support::{hostile_inputs, run, stderr, stdout};
use serde_json::{Value, json};
use std::fs;

const CURL: &str = "curl 'https://www.example.com/api/v2/users?id=7' -H 'X-Team: red' -A 'me/1.0' | jq .";

#[test]
fn evaluate_prints_the_result_of_one_request() {
    let cases: [(&[&str], &str, &str); 10] = [
        (&["ssl", "--field", "ssl=true"], "", "match\n"),
        (&["ssl", "--field", "ssl=false"], "", "no match\n"),
        (&["ssl and ip.src eq 192.0.2.1"], "", "unknown: it depends on `ip.src`, `ssl`\n"),
        (&["ssl", "--missing", "absent"], "", "no match\n"),
        (&["http.host eq \"www.example.com\" and ssl", "-r", "-"], CURL, "match\n"),
        (&["http.request.headers[\"x-team\"][0] eq \"red\"", "-r", "-"], CURL, "match\n"),
        (&["ssl", "-r", "-", "--field", "ssl=false"], CURL, "no match\n"),
        (&["-f", "-", "--field", "ip.geoip.country=CH"], "ip.src.country eq \"CH\"\n", "match\n"),
        (&["--kind", "value", "lower(http.host)", "--field", "http.host=É.Example"], "", "value: \"É.example\"\n"),
        (&["--kind", "value", "http.referer", "--field", "http.referer"], "", "no value\n"),
    ];
    for (arguments, input, expected) in cases {
        let output = run(&[&["evaluate"], arguments].concat(), input);
        assert_eq!(stdout(&output), expected, "{arguments:?}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn trace_shows_each_condition() {
    let expression = "ssl and (http.host eq \"a\" or http.host eq \"b\") and ip.src eq 192.0.2.1";
    let fields = ["--field", "ssl=true", "--field", "http.host=c"];
    let output = run(&[&["evaluate", expression, "--trace"], &fields[..]].concat(), "");
    let text = stdout(&output);
    assert!(text.starts_with("no match\n  false       ssl and (http.host eq \"a\""), "{text}");
    assert!(text.contains("http.host eq \"a\"  (\"c\")\n"), "{text}");
    assert!(text.contains("  not-reached   ip.src eq 192.0.2.1\n"), "{text}");

    let output = run(&[&["evaluate", expression, "--trace", "--format", "json"], &fields[..]].concat(), "");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["outcome"], &result["result"]), (&json!("no-match"), &json!(false)));
    let step = result["trace"].as_array().unwrap().iter().find(|step| step["text"] == "http.host eq \"b\"").unwrap();
    assert_eq!((&step["truth"], &step["value"], &step["column"]), (&json!("false"), &json!("c"), &json!(30)));
}

#[test]
fn json_output_has_outcome_and_result_of_every_kind() {
    let evaluate = |arguments: &[&str], code: i32| -> Value {
        let output = run(&[&["evaluate", "--format", "json"], arguments].concat(), CURL);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let unknown = evaluate(&["ssl and ip.src eq 192.0.2.1", "-r", "-"], 0);
    assert_eq!((&unknown["outcome"], &unknown["result"]), (&json!("unknown"), &json!("unknown")));
    assert_eq!(unknown["fields"], json!(["ip.src"]));
    assert_eq!(unknown["notes"], json!(["the text after the command was ignored: `| jq .`"]));
    let invalid = evaluate(&["http.hots eq \"a\""], 1);
    assert_eq!((&invalid["outcome"], &invalid["result"]), (&json!("error"), &Value::Null));
    assert_eq!(invalid["diagnostics"][0]["code"], "unknown-field");
    let value = evaluate(&["--kind", "value", "split(http.host, \".\", 3)", "-r", "-"], 0);
    assert_eq!((&value["outcome"], &value["result"]), (&json!("value"), &json!(["www", "example", "com"])));
}

#[test]
fn lists_and_har_entries_are_read_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("office.txt"), "# the office\n192.0.2.0/24\n\n198.51.100.7 # and one more\n").unwrap();
    fs::write(path("asns.json"), "[64496, \"AS64497\"]").unwrap();
    let entry = |host: &str| json!({"request": {"method": "GET", "url": format!("https://{host}/")}});
    fs::write(path("a.har"), json!({"log": {"entries": [entry("a.example"), entry("b.example")]}}).to_string())
        .unwrap();
    let (office, asns, har) =
        (format!("office={}", path("office.txt")), format!("$asns={}", path("asns.json")), path("a.har"));
    let cases: [(&[&str], &str); 4] = [
        (&["ip.src in $office", "--list", &office, "--field", "ip.src=198.51.100.7"], "match\n"),
        (&["ip.src.asnum in $asns", "--list", &asns, "--field", "ip.src.asnum=1"], "no match\n"),
        (&["http.host eq \"a.example\"", "--request", &har], "match\n"),
        (&["http.host eq \"a.example\"", "--request", &har, "--entry", "1"], "no match\n"),
    ];
    for (arguments, expected) in cases {
        let output = run(&[&["evaluate"], arguments].concat(), "");
        assert_eq!(stdout(&output), expected, "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn evaluate_reports_invalid_arguments_and_files() {
    let cases: [(&[&str], &str, &str); 13] = [
        (&[], "", "required"),
        (&["ssl", "-f", "x"], "", "cannot be used with"),
        (&["-f", "-", "-r", "-"], "", "cannot both be read from standard input"),
        (&["ssl", "-r", "nowhere"], "", "nowhere: no such file"),
        (&["ssl", "-r", "-"], "hello", "<stdin>: expected JSON fields"),
        (&["ssl", "-r", "-"], "GET / HTTP/1.1\nHost a", "<stdin>: line 2: expected `name: value`, found `Host a`"),
        (&["ssl", "--field", "http.hots=a"], "", "--field: unknown field `http.hots` (did you mean `http.host`?)"),
        (&["ssl", "--field", "ssl=maybe"], "", "--field: `ssl`: expected true or false, found `maybe`"),
        (&["ssl", "--list", "a"], "", "--list: expected NAME=FILE, found `a`"),
        (&["ssl", "--list", "a=nowhere"], "", "nowhere: no such file"),
        (&["ssl", "--list", "$$a=nowhere"], "", "--list: invalid list name `$$a`"),
        (&["ssl", "--missing", "x"], "", "[possible values: unknown, absent]"),
        (&["ssl", "--ndjson"], "", "cannot be used with"),
    ];
    for (arguments, input, expected) in cases {
        let output = run(&[&["evaluate"], arguments].concat(), input);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
    }
    let output = run(&["evaluate", "http.hots eq \"a\""], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("<expression>:1:1"), "{}", stdout(&output));
}

/// Results of a stream, after checking that the exit code is 0.
fn evaluate_lines(arguments: &[&str], input: impl Into<Vec<u8>>) -> Vec<Value> {
    let output = run(&[&["evaluate", "--ndjson"], arguments].concat(), input);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn stream_results_are_in_input_order() {
    let cases = [
        (json!({"id": 1, "source": "ssl", "record": {"ssl": true}}), json!(true)),
        (json!({"source": "ssl", "record": {"ssl": false}}), json!(false)),
        (json!({"id": null, "source": "ssl", "record": {}}), json!("unknown")),
        (json!({"source": "ssl", "record": {}, "missing": "absent"}), json!(false)),
        (
            json!({"source": "ssl", "record": {"ssl": null}, "missing": "unknown", "lists": null, "kind": null}),
            json!(false),
        ),
        (json!({"source": "lower(http.host)", "kind": "value", "record": {"http.host": "A"}}), json!("a")),
        (
            json!({"source": "http.host", "kind": "value", "record": {"http.host": {"base64": "/w=="}}}),
            json!({"base64": "/w=="}),
        ),
        (json!({"source": "http.referer", "kind": "value", "record": {"http.referer": null}}), Value::Null),
        (json!({"source": "len(http.host)", "kind": "value", "record": {"http.host": "é"}}), json!(2)),
        (
            json!({"source": "ip.src in $a", "record": {"ip.src": "2001:db8::1"}, "lists": {"a": ["2001:db8::/32"]}}),
            json!(true),
        ),
        (json!({"source": "ip.src in $a", "record": {"ip.src": "2001:db8::1"}}), json!("unknown")),
    ];
    let input: Vec<String> = cases.iter().map(|(question, _)| question.to_string()).collect();
    let results = evaluate_lines(&[], input.join("\n"));
    for ((question, expected), result) in cases.iter().zip(&results) {
        let id = question.get("id").cloned().unwrap_or_default();
        assert_eq!(*result, json!({"id": id, "result": expected}), "{question}");
    }
    assert_eq!(results.len(), cases.len());
    assert_eq!(evaluate_lines(&["--missing", "absent"], input[2].clone())[0]["result"], false);
    let output = run(&["evaluate", "--ndjson"], "{\"id\": 1.50, \"source\": \"ssl\", \"record\": {\"ssl\": true}}\n");
    assert_eq!(stdout(&output), "{\"id\":1.50,\"result\":true}\n");
}

#[test]
fn malformed_line_reports_an_error_and_the_stream_continues() {
    let cases: [(&[u8], &str); 14] = [
        (b"nonsense", "line 2, column 2: invalid JSON: expected ident"),
        (b"", "line 2: expected a JSON object, found an empty line"),
        (b"{\"source\":\"ssl\"}", "line 2: `record` is missing"),
        (b"{\"record\":{}}", "line 2: `source` is missing"),
        (b"{\"source\":\"ssl\",\"record\":null}", "line 2: `record` must be an object of fields, not null"),
        (b"{\"source\":\"ssl\",\"record\":[]}", "line 2, column 26: `record` must be an object"),
        (b"{\"source\":\"ssl\",\"record\":{},\"lists\":5}", "line 2, column 37: `lists` must be an object"),
        (
            b"{\"source\":\"ssl\",\"record\":{\"ssl\":1}}",
            "line 2: `ssl`: expected true or false, found the number `1` (for example true)",
        ),
        (
            b"{\"source\":\"ssl\",\"record\":{\"http.hots\":true}}",
            "line 2: unknown field `http.hots` (did you mean `http.host`?)",
        ),
        (
            b"{\"source\":\"ssl\",\"record\":{},\"lists\":{\"a\":[\"192.0.2.1\",\"b.example\"]}}",
            "line 2: item 2 of the list `$a`: `b.example` in a list of IP addresses",
        ),
        (
            b"{\"source\":\"ssl\",\"record\":{},\"missing\":\"x\"}",
            "line 2: unknown `missing` value `x`, expected one of unknown, absent",
        ),
        (
            b"{\"source\":\"ssl\",\"record\":{},\"trace\":1}",
            "line 2: unknown member `trace`, expected one of id, source, kind, phase, plan, record, missing, lists",
        ),
        (
            b"{\"source\":\"ssl and sll and sls\",\"record\":{}}",
            "`source`, line 1, column 9: unknown field `sll`, and 1 more error",
        ),
        (b"{\"source\":\"ssl\",\"record\":{\"http.host\":\"\xff\"}}", "line 2, column 40: invalid UTF-8"),
    ];
    for (line, expected) in cases {
        let good = b"{\"source\":\"ssl\",\"record\":{\"ssl\":true}}";
        let results = evaluate_lines(&[], [good, line, good].join(&b'\n'));
        let name = String::from_utf8_lossy(line);
        assert_eq!(results.len(), 3, "{name}");
        assert_eq!(results[1], json!({"id": null, "result": null, "error": expected}), "{name}");
        assert_eq!((&results[0]["result"], &results[2]["result"]), (&json!(true), &json!(true)), "{name}");
    }
}

#[test]
fn hostile_stream_input_yields_a_result() {
    let inputs = hostile_inputs();
    let line = |(name, source): &(_, _)| json!({"id": name, "source": source, "record": {}}).to_string();
    let lines: Vec<String> = inputs.iter().map(line).collect();
    for (input, result) in inputs.iter().zip(evaluate_lines(&[], lines.join("\n"))) {
        assert!(result["error"].is_string(), "{}: {result}", input.0);
    }
    for (name, source) in inputs {
        let output = run(&["evaluate", "ssl", "--request", "-"], source.clone());
        assert!(output.status.code().is_some(), "{name}");
        let output = run(&["evaluate", "-f", "-"], source);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", stderr(&output));
    }
}

#[test]
fn entry_of_other_input_than_har_and_invalid_seed_are_rejected() {
    let output = run(&["evaluate", "ssl", "--entry", "4", "--request", "-"], "GET / HTTP/1.1\nHost: a.example\n\n");
    assert_eq!(
        (stderr(&output).as_str(), output.status.code()),
        ("zonewright: <stdin>: --entry needs a HAR file\n", Some(2))
    );
    let output = run(&["evaluate", "ssl", "--seed", "x"], "");
    assert!(stderr(&output).contains("invalid value 'x' for '--seed <NUMBER>': expected an integer"), "{output:?}");
}
