//! Runs the binary; shared by all tests of subcommands.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The binary, not started yet, without `NO_COLOR` and the variables of Zonewright in its environment.
pub(crate) fn zonewright(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zonewright"));
    command.args(arguments).env_remove("NO_COLOR");
    for (name, _) in std::env::vars_os() {
        if name.as_encoded_bytes().starts_with(b"ZONEWRIGHT_") {
            command.env_remove(name);
        }
    }
    command
}

/// Runs the binary with this standard input until it exits.
pub(crate) fn run(arguments: &[&str], input: impl Into<Vec<u8>>) -> Output {
    let mut child =
        zonewright(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.into();
    // Writes in a thread, because a process that writes while it reads would block on its full output.
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Standard output as text.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Standard error as text.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Hostile texts; each must yield a diagnostic of `check`.
pub(crate) fn hostile_inputs() -> Vec<(&'static str, String)> {
    vec![
        ("empty", String::new()),
        ("blank", " \t ".to_owned()),
        ("one megabyte", format!("http.host eq \"{}\"", "a".repeat(1 << 20))),
        ("many mistakes", "http.hots or ".repeat(4_000)),
        ("NUL", "http.host eq \0\"a\"\0".to_owned()),
        ("brackets", format!("{}ssl{}", "(".repeat(10_000), ")".repeat(10_000))),
        ("open brackets", "(".repeat(10_000)),
        ("not", format!("{}ssl", "not ".repeat(10_000))),
        ("an open string", "http.host eq \"abc".to_owned()),
        ("a huge regex", "http.host matches \"((a{1000}){1000}){1000}\"".to_owned()),
    ]
}
