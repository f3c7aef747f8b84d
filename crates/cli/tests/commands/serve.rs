//! `zonewright serve`: the command line of the server.

use crate::support::{run, stderr, stdout, zonewright};
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

/// Kills the server on drop.
struct Guard(Child);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn first_output_line_is_the_address() {
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

/// The first output line of a service, which is killed afterwards.
fn first_output_line(arguments: &[&str]) -> String {
    let mut command = zonewright(arguments);
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = Guard(command.spawn().unwrap());
    let mut line = String::new();
    BufReader::new(child.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    line
}

#[test]
fn public_address_requires_non_demo_credentials() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let public = ["serve", "--listen", "0.0.0.0:0", "--data", data, "--no-demo"];
    let assert_rejected = |expected: &str| {
        let output = run(&public, "");
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    };
    let admin = |arguments: &[&str]| {
        let output = run(&[&["admin", "--data", data], arguments].concat(), "");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    assert_rejected("there are no credentials yet");
    assert!(first_output_line(&["serve", "--listen", "127.0.0.1:0", "--data", data]).starts_with("listening on "));
    assert_rejected("the demo account is only for this machine");
    // The token of the demo account outlives its user, and still counts as a demo credential.
    admin(&["user", "create", "me@example.com"]);
    admin(&["user", "revoke", "demo@zonewright.example"]);
    assert_rejected("the demo account is only for this machine");
    let tokens: serde_json::Value = serde_json::from_str(&admin(&["token", "list", "--format", "json"])).unwrap();
    admin(&["token", "revoke", tokens[0]["id"].as_str().unwrap()]);
    assert!(first_output_line(&public).starts_with("listening on http://0.0.0.0:"));
    // Without any credentials the service would be unusable, so the public address is refused again.
    admin(&["user", "revoke", "me@example.com"]);
    assert_rejected("there are no credentials yet");
}

#[test]
fn invalid_listen_or_data_exits_with_2() {
    let cases = [("127.0.0.1", "invalid"), ("nowhere:80", "invalid"), ("127.0.0.1:99999", "invalid")];
    for (listen, expected) in cases {
        let output = run(&["serve", "--listen", listen], "");
        assert_eq!(output.status.code(), Some(2), "{listen}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    let output = run(&["serve", "--listen", "127.0.0.1:0", "--data", file.path().to_str().unwrap()], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("zonewright: cannot serve: "), "{}", stderr(&output));
}

#[test]
fn relay_needs_no_data_directory_and_leaks_no_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (token, passphrase) = (file("token", "hush-token\n"), file("passphrase", "hush, a long one\n"));
    let (two, short) = (file("two", "a\nb\n"), file("short", "hush"));
    let https = "https://api.example.com/client/v4";
    let invalid: [(&[&str], &str); 8] = [
        (&["--relay-upstream", "http://api.example.com/client/v4"], "--relay-allow-http"),
        (&["--relay-upstream", "https://hush@api.example.com/client/v4"], "must not contain a user name"),
        (&["--relay-upstream", "https://api.example.com"], "must end with /client/v4"),
        (&["--relay-allow-http"], "--relay-upstream"),
        (&["--relay-upstream", https, "--relay-credentials-file", &token], "needs both"),
        (
            &["--relay-upstream", https, "--relay-credentials-file", &two, "--relay-passphrase-file", &passphrase],
            "a single line",
        ),
        (
            &["--relay-upstream", https, "--relay-credentials-file", &token, "--relay-passphrase-file", &short],
            "at least 12",
        ),
        (&["--relay-upstream", https, "--relay-credentials-file", "/nowhere"], "cannot read /nowhere"),
    ];
    for (arguments, expected) in invalid {
        let output = run(&[&["serve", "--listen", "127.0.0.1:0"], arguments].concat(), "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let message = stderr(&output);
        assert!(message.contains(expected) && !message.contains("hush"), "{message}");
    }

    let data = folder.path().join("data");
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--data", data.to_str().unwrap(), "--relay-upstream", https];
    let mut child = Guard(
        zonewright(&arguments)
            .env("ZONEWRIGHT_RELAY_CREDENTIALS", "hush-token")
            .env("ZONEWRIGHT_RELAY_PASSPHRASE", "hush, a long one")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap(),
    );
    let mut lines = BufReader::new(child.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.next().unwrap().starts_with("listening on http://127.0.0.1:"));
    assert_eq!(lines.next().unwrap(), format!("relaying to {https}"));
    assert!(!data.exists());
}
