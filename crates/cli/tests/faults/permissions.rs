//! Directories and files without write permission, at startup and later.

use crate::limited_disk::SmallDisk;
use crate::load::WriteOutcome;
use crate::postgres::is_root;
use crate::service::{Options, wait_until};
use serde_json::json;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// Options of a process that file permissions apply to, unlike root.
fn options(data: &Path) -> Options {
    let mut options = Options::new(data, None);
    if is_root() {
        options.launcher = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--"].map(str::to_owned).into();
    }
    options
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn unusable_paths_fail_startup_with_a_remedy() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    options(&data).start().stop();
    let (permit_help, choose_help) = ("give the user that runs zonewright write permission", "with --data");
    let writable_help = "the file and its directory must be writable by the user that runs zonewright";
    // The path, its modes without and with permission, the name in the message, and the help.
    let cases: [(&str, u32, u32, &str, &[&str]); 4] = [
        ("", 0o555, 0o755, "the database", &[writable_help]),
        ("zonewright.db", 0o444, 0o600, "data/zonewright.db", &[permit_help, choose_help]),
        ("zonewright.db", 0o000, 0o600, "data/zonewright.db", &[permit_help, choose_help]),
        ("lock", 0o444, 0o600, "data/lock", &[permit_help, choose_help]),
    ];
    for (name, denied_mode, allowed_mode, shown_name, expected) in cases {
        let path = if name.is_empty() { data.clone() } else { data.join(name) };
        set_mode(&path, denied_mode);
        let output = options(&data).startup_error();
        set_mode(&path, allowed_mode);
        assert!(output.starts_with("zonewright: cannot serve: cannot use ") && output.lines().count() == 1, "{output}");
        assert!(
            output.contains(shown_name) && expected.iter().all(|part| output.contains(part)),
            "{name} {denied_mode:o}: {output}"
        );
    }
    set_mode(folder.path(), 0o555);
    let output = options(&folder.path().join("new")).startup_error();
    set_mode(folder.path(), 0o755);
    assert!(output.contains("/new: Permission denied") && output.contains(permit_help), "{output}");

    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(options(&file).startup_error().contains("choose a writable directory with --data"));

    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("zonewright.db"), "no database\n".repeat(1000)).unwrap();
    let output = options(&other).startup_error();
    assert!(output.contains("file is not a database; restore a backup into an empty data directory"), "{output}");

    // None of these attempts has damaged the data.
    let mut service = options(&data).start();
    service.stop();
    options(&data).assert_database_consistent();
}

#[test]
fn full_disk_at_startup_is_reported() {
    let Some(disk) = SmallDisk::tmpfs() else { return };
    disk.fill(None);
    let output = disk.options("new").startup_error();
    assert!(output.contains("No space left on device") && output.contains("; free some space on its disk"), "{output}");
}

#[test]
fn unwritable_log_does_not_stop_the_service() {
    let folder = TempDir::new().unwrap();
    let options = Options::new(&folder.path().join("data"), None).logging("info");
    let mut child = options.spawn(fs::File::options().write(true).open("/dev/full").unwrap());
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut out, &mut line).unwrap();
    let address = line.trim().strip_prefix("listening on http://").unwrap_or_else(|| panic!("{line}"));
    for path in ["/healthz", "/readyz", "/client/v4/zones"] {
        let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        let response = crate::service::exchange(address, &request);
        assert_eq!(response.map(|(status, _)| status), Some(if path.ends_with("zones") { 400 } else { 200 }), "{path}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn lost_write_permission_is_reported_and_recovers() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let options = options(&data);
    let service = options.start();
    let api = service.api(&options.token());
    let zone = options.zone("read-only.example", "enterprise");
    let destination = format!("https://localhost:1/?header_x={}", "x");
    let job = json!({"dataset": "http_requests", "enabled": true, "destination_conf": destination});
    let paths = [data.clone(), data.join("zonewright.db"), data.join("spool")];
    let (mut acknowledged_count, mut number) = (0, 0);
    let mut create = |expected: Option<WriteOutcome>| {
        number += 1;
        let rule = json!([{"filter": {"expression": format!("cf.edge.server_port eq {number}")}, "action": "block"}]);
        let response = api.send("POST", &format!("/zones/{zone}/firewall/rules"), &rule);
        let outcome = WriteOutcome::from_response(Some(&response));
        assert!(expected.is_none_or(|expected| outcome == expected), "{:#}", response.body);
        acknowledged_count += u64::from(outcome == WriteOutcome::Acknowledged);
        let list = api.get(&format!("/zones/{zone}/firewall/rules"));
        assert_eq!(list.body["result_info"]["total_count"], json!(acknowledged_count));
    };
    create(Some(WriteOutcome::Acknowledged));
    fs::create_dir_all(data.join("spool")).unwrap();
    paths.iter().for_each(|path| set_mode(path, if path.is_dir() { 0o555 } else { 0o444 }));
    // Files that are already open stay writable.
    (0..5).for_each(|_| create(None));
    // A job is created only when its spool can be written.
    let response = api.send("POST", &format!("/zones/{zone}/logpush/jobs"), &job);
    if WriteOutcome::from_response(Some(&response)) == WriteOutcome::Acknowledged {
        let path = format!("/zones/{zone}/logpush/ingest/http_requests");
        let response = api.send("POST", &path, &json!({"RayID": "a"}));
        assert_eq!((response.status, response.code()), (503, 10503), "{:#}", response.body);
    }
    assert_eq!(
        service.get_unauthenticated("/readyz").unwrap(),
        (503, "the data directory is not writable\n".to_owned())
    );
    paths.iter().for_each(|path| set_mode(path, if path.is_dir() { 0o755 } else { 0o600 }));
    wait_until(Duration::from_secs(10), "ready", || {
        service.get_unauthenticated("/readyz").filter(|(status, _)| *status == 200)
    });
    create(Some(WriteOutcome::Acknowledged));
    let response = api.send("POST", &format!("/zones/{zone}/logpush/ingest/http_requests"), &json!({"RayID": "a"}));
    assert_eq!(response.status, 200, "{:#}", response.body);
    options.assert_database_consistent();
}
