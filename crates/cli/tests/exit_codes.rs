//! Exit code 2 of every subcommand for input that cannot be read: a missing file, text that is not UTF-8, and text that
//! is not JSON where JSON is expected.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

mod support;

use std::path::Path;
use support::zonewright;

/// Subcommands that read a file with text of the language, as JSON or not; `FILE` is its name.
const TEXT: [&str; 11] = [
    "check FILE",
    "format FILE",
    "explain FILE",
    "equivalent FILE FILE",
    "never-fires FILE",
    "test FILE",
    "logpush check FILE",
    "logpush format FILE",
    "logpush explain FILE",
    "logpush try FILE lines.ndjson",
    "evaluate ssl --request FILE",
];
/// Subcommands whose file must be JSON.
const JSON: [&str; 7] = [
    "migrate check FILE",
    "migrate plan FILE",
    "migrate report FILE",
    "migrate convert FILE",
    "logpush sql FILE --dialect spark --location ./logs",
    "logpush evaluate filter.json --line FILE",
    "migrate check FILE --format json",
];

fn run(folder: &Path, line: &str, file: &str) -> (Option<i32>, String) {
    let words = line.split(' ').map(|word| if word == "FILE" { file } else { word }).collect::<Vec<&str>>();
    let output = zonewright(&words).current_dir(folder).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn every_subcommand_exits_with_2_when_its_input_cannot_be_read() {
    let folder = tempfile::TempDir::new().unwrap();
    let write = |name: &str, text: &[u8]| std::fs::write(folder.path().join(name), text).unwrap();
    write("binary", b"\xff\xfe");
    write("nonsense", b"nonsense {");
    write("filter.json", br#"{"where":{"key":"ClientCountry","operator":"eq","value":"ca"}}"#);
    write("lines.ndjson", b"{}\n");
    for line in TEXT.iter().chain(&JSON) {
        for file in ["missing", "binary"] {
            let (code, said) = run(folder.path(), line, file);
            assert_eq!(code, Some(2), "{line} with {file}: {said}");
            assert!(said.contains(file), "{line} names {file}: {said}");
        }
    }
    for line in JSON {
        let (code, said) = run(folder.path(), line, "nonsense");
        assert_eq!(code, Some(2), "{line}: {said}");
    }
}
