//! `zonewright test`: files of test cases.

use crate::support::{run, stderr, stdout};
use std::fs;

const PASSING_CASES: &str = "\
[[test]]
name = \"encrypted\"
expression = 'ssl'
[[test.match]]
request = \"https://a.example\"
[[test.miss]]
request = \"http://a.example\"
";

const FAILING_CASES: &str = "\
[[test]]
name = \"office\"
expression = 'ssl and ip.src in {192.0.2.0/24}'
[[test.match]]
name = \"from home\"
fields = { ssl = true, \"ip.src\" = \"203.0.113.7\" }
[[test.miss]]
fields = { ssl = true }
[[test]]
name = \"typo\"
expression = 'http.hots eq \"a\"'
[[test.match]]
";

#[test]
fn test_command_counts_and_renders_passes_and_failures() {
    let output = run(&["test", "-"], PASSING_CASES);
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("2 cases: 2 passed\n", Some(0)));

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("good.toml"), PASSING_CASES).unwrap();
    fs::write(path("bad.toml"), FAILING_CASES).unwrap();
    let output = run(&["test", &path("good.toml"), &path("bad.toml"), "--junit", &path("report.xml")], "");
    let rendered_text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    for part in [
        "error[test-failed]: office, from home: expected a match, found no match\n",
        "bad.toml:4:1\n",
        "note: `ip.src in {192.0.2.0/24}` is false (the value is \"203.0.113.7\") (3:23)\n",
        "expected no match, found an unknown result: it depends on `ip.src`, which the case does not set\n",
        "error[unknown-field]: unknown field `http.hots`\n",
        "bad.toml:11:15\n",
        "5 cases in 2 files: 2 passed, 2 failed, 1 could not be run\n",
    ] {
        assert!(rendered_text.contains(part), "{part}\n{rendered_text}");
    }
    let xml = fs::read_to_string(path("report.xml")).unwrap();
    assert!(
        xml.contains("<testsuites name=\"zonewright\" tests=\"5\" failures=\"2\" errors=\"1\" skipped=\"0\">"),
        "{xml}"
    );
    assert!(xml.contains("line=\"12\">\n      <error message=\"the expression has errors\">unknown field"), "{xml}");
}

#[test]
fn test_command_reads_expressions_from_separate_files() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("rules")).unwrap();
    fs::write(folder.path().join("rules/a.txt"), "ssl\n").unwrap();
    let tests = folder.path().join("tests.toml");
    let file = |name: &str| format!("[[test]]\nfile = \"{name}\"\n[[test.match]]\nfields = {{ ssl = true }}\n");
    fs::write(&tests, file("rules/a.txt")).unwrap();
    let output = run(&["test", tests.to_str().unwrap()], "");
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("1 case: 1 passed\n", Some(0)));
    fs::write(&tests, file("rules/b.txt")).unwrap();
    let output = run(&["test", tests.to_str().unwrap()], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).contains("error[test-file]: `rules/b.txt`: no such file"), "{}", stdout(&output));
}

#[test]
fn test_command_reports_unreadable_and_malformed_files() {
    let output = run(&["test"], "");
    assert_eq!(output.status.code(), Some(2));
    let output = run(&["test", "nowhere.toml", "-"], PASSING_CASES);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr(&output), "zonewright: nowhere.toml: no such file\n");
    assert_eq!(stdout(&output), "2 cases: 2 passed\n");
    let output = run(&["test", "-"], b"\xff".to_vec());
    assert_eq!(output.status.code(), Some(2));
    let output = run(&["test", "-"], "[[tset]]");
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).ends_with("\n0 cases; 1 error in the file\n"), "{}", stdout(&output));
    let output = run(&["test", "-"], format!("{PASSING_CASES}[[tset]]\n[[test]\n"));
    assert!(stdout(&output).ends_with("\n0 cases; 1 error in the file\n"), "{}", stdout(&output));
    let output = run(&["test", "-"], format!("{PASSING_CASES}[[tset]]\n"));
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).ends_with("\n2 cases: 2 passed; 1 error in the file\n"), "{}", stdout(&output));
    let output = run(&["test", "-"], "[[tset]]");
    assert!(stdout(&output).contains("did you mean `test`?"), "{}", stdout(&output));
    let output = run(&["test", "-", "--junit", "/nowhere/at/all.xml"], PASSING_CASES);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn example_in_help_passes() {
    let help = stdout(&run(&["test", "--help"], ""));
    let start = help.find("  missing = \"absent\"").unwrap();
    let example: Vec<&str> = help[start..]
        .lines()
        .take_while(|line| line.is_empty() || line.starts_with("  "))
        .map(str::trim_start)
        .collect();
    let output = run(&["test", "-"], example.join("\n"));
    assert_eq!(stdout(&output), "2 cases: 2 passed\n", "{}", example.join("\n"));
}
