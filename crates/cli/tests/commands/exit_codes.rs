//! Exit code 2 of every subcommand for unreadable input: a missing file, text that is not UTF-8, invalid JSON, input of
//! another shape, and a standard input that fails. Malformed lines of a stream do not change its exit code.

use crate::support::zonewright;
use std::fs::File;
use std::path::Path;

/// Subcommands that read a text file, not necessarily JSON; `FILE` is its name.
const TEXT_COMMANDS: [&str; 15] = [
    "check FILE",
    "format FILE",
    "explain FILE",
    "equivalent FILE FILE",
    "never-fires FILE",
    "test FILE",
    "trace FILE --request FILE",
    "logpush check FILE",
    "logpush format FILE",
    "logpush explain FILE",
    "logpush try FILE lines.ndjson",
    "logpush convert FILE",
    "evaluate ssl --request FILE",
    "evaluate ssl --list names=FILE",
    "evaluate --file FILE",
];
/// Subcommands whose file must be JSON.
const JSON_COMMANDS: [&str; 8] = [
    "trace FILE",
    "migrate check FILE",
    "migrate plan FILE",
    "migrate report FILE",
    "migrate convert FILE",
    "logpush sql FILE --dialect spark --location ./logs",
    "logpush evaluate filter.json --line FILE",
    "migrate check FILE --format json",
];
/// Subcommands with input of an unexpected shape.
const UNEXPECTED_SHAPES: [(&str, &str); 22] = [
    ("trace FILE", "{\"rules_of_zone\": []}"),
    ("trace FILE", "[7]"),
    ("migrate check FILE", "[]"),
    ("migrate check FILE", r#"{"plan": "pro", "rules": {"0": 1}}"#),
    ("migrate plan FILE", "7"),
    ("migrate plan FILE --format json", r#"{"plan": "pro", "groups": [7]}"#),
    ("migrate report FILE", r#""text""#),
    ("migrate convert FILE", "{}"),
    ("migrate convert FILE", r#"[{"id": "a"}]"#),
    ("logpush sql FILE --dialect spark --location ./logs", "[]"),
    ("logpush sql FILE --dialect spark --location ./logs", "null"),
    ("logpush evaluate filter.json --line FILE", "[]"),
    ("logpush evaluate filter.json --line FILE", r#"{"ClientCountry": {}}"#),
    ("evaluate ssl --request FILE", "[]"),
    ("evaluate ssl --request FILE", r#"{"ssl": []}"#),
    ("evaluate ssl --list names=FILE", "[{}]"),
    ("evaluate ssl --list names=FILE", "[1,"),
    ("never-fires FILE", "{}"),
    ("never-fires FILE", "[7]"),
    ("never-fires FILE", r#"{"result": 7}"#),
    ("test FILE", "case = 7"),
    ("test FILE", "[[case]]\nexpect = {}"),
];
/// Subcommands that read standard input.
const STDIN_COMMANDS: [&str; 16] = [
    "check",
    "check --ndjson",
    "format",
    "explain",
    "never-fires",
    "evaluate --ndjson",
    "evaluate --file -",
    "evaluate ssl --request -",
    "logpush check",
    "logpush check --ndjson",
    "logpush evaluate --ndjson",
    "logpush evaluate filter.json",
    "logpush try filter.json",
    "logpush convert -",
    "migrate check -",
    "trace -",
];

fn run(folder: &Path, line: &str, file: &str) -> (Option<i32>, String) {
    let arguments: Vec<String> = line.split(' ').map(|argument| argument.replace("FILE", file)).collect();
    let output =
        zonewright(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).current_dir(folder).output().unwrap();
    let message = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&message).into_owned())
}

fn create_folder_with_filter() -> tempfile::TempDir {
    let folder = tempfile::TempDir::new().unwrap();
    let filter = r#"{"where":{"key":"ClientCountry","operator":"eq","value":"ca"}}"#;
    std::fs::write(folder.path().join("filter.json"), filter).unwrap();
    folder
}

#[test]
fn unreadable_input_exits_with_2() {
    let folder = create_folder_with_filter();
    let write = |name: &str, text: &[u8]| std::fs::write(folder.path().join(name), text).unwrap();
    write("binary", b"\xff\xfe");
    write("nonsense", b"nonsense {");
    write("lines.ndjson", b"{}\n");
    for line in TEXT_COMMANDS.iter().chain(&JSON_COMMANDS) {
        for file in ["missing", "binary"] {
            let (code, message) = run(folder.path(), line, file);
            assert_eq!(code, Some(2), "{line} with {file}: {message}");
            assert!(message.contains(file), "{line} names {file}: {message}");
        }
    }
    for line in JSON_COMMANDS {
        let (code, message) = run(folder.path(), line, "nonsense");
        assert_eq!(code, Some(2), "{line}: {message}");
    }
}

#[test]
fn input_of_unexpected_shape_exits_with_2() {
    let folder = create_folder_with_filter();
    for (line, text) in UNEXPECTED_SHAPES {
        std::fs::write(folder.path().join("shape"), text).unwrap();
        let (code, message) = run(folder.path(), line, "shape");
        assert_eq!(code, Some(2), "{line} with {text}: {message}");
        assert!(!message.is_empty(), "{line} with {text}");
    }
}

#[cfg(unix)]
#[test]
fn failing_standard_input_exits_with_2() {
    let folder = create_folder_with_filter();
    for line in STDIN_COMMANDS {
        let arguments: Vec<&str> = line.split(' ').collect();
        // Reading a directory fails.
        let stdin = File::open(folder.path()).unwrap();
        let output = zonewright(&arguments).current_dir(folder.path()).stdin(stdin).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {output:?}");
        assert!(!output.stderr.is_empty(), "{line} says why");
    }
}

#[test]
fn malformed_stream_lines_report_an_error_each() {
    let folder = create_folder_with_filter();
    std::fs::write(folder.path().join("stream"), b"\xff\n{\n[]\n{\"id\": 1, \"source\": 7}\n").unwrap();
    for line in STDIN_COMMANDS.iter().filter(|line| line.ends_with("--ndjson")) {
        let arguments: Vec<&str> = line.split(' ').collect();
        let stdin = File::open(folder.path().join("stream")).unwrap();
        let output = zonewright(&arguments).stdin(stdin).output().unwrap();
        let responses = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(
            (output.status.code(), responses.matches("\"error\":").count()),
            (Some(0), 4),
            "{line}: {responses}"
        );
    }
}
