//! `zonewright serve`: what the command line adds to the server.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

mod support;

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use support::{complaint, run, zonewright};

/// Ends the server when the test ends, however it ends.
struct Guard(Child);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_first_line_is_the_address() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut child = Guard(
        zonewright(&["serve", "--listen", "127.0.0.1:0", "--data", data.to_str().unwrap()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap(),
    );
    let mut line = String::new();
    BufReader::new(child.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let port = line.trim_end().strip_prefix("listening on http://127.0.0.1:").unwrap_or_else(|| panic!("{line}"));
    assert_ne!(port.parse::<u16>().unwrap(), 0);
    assert!(data.join("demo-credentials.json").exists());
}

#[test]
fn what_cannot_be_served_is_said() {
    let cases = [("127.0.0.1", "invalid"), ("nowhere:80", "invalid"), ("127.0.0.1:99999", "invalid")];
    for (listen, expected) in cases {
        let output = run(&["serve", "--listen", listen], "");
        assert_eq!(output.status.code(), Some(2), "{listen}");
        assert!(complaint(&output).contains(expected), "{}", complaint(&output));
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    let output = run(&["serve", "--listen", "127.0.0.1:0", "--data", file.path().to_str().unwrap()], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).starts_with("zonewright: cannot serve: "), "{}", complaint(&output));
}
