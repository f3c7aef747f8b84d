//! Folders and files that cannot be written, at the start and later.

use crate::cluster::is_root;
use crate::load::Fate;
use crate::service::{Options, until};
use crate::small_disk::SmallDisk;
use serde_json::json;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// For a process to which permissions of files apply, as they do not to root.
fn options(data: &Path) -> Options {
    let mut options = Options::new(data, None);
    if is_root() {
        options.before = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--"].map(str::to_owned).into();
    }
    options
}

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn what_cannot_be_used_at_the_start_is_named_with_what_helps() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    options(&data).start().stop();
    let (may, another) = ("the user that runs zonewright has to be allowed to write there", "with --data");
    let both = "the file and its folder have to be writable for the user that runs zonewright";
    // What is not allowed, and what is said then, of which file.
    let cases: [(&str, u32, u32, &str, &[&str]); 4] = [
        ("", 0o555, 0o755, "the database", &[both]),
        ("zonewright.db", 0o444, 0o600, "data/zonewright.db", &[may, another]),
        ("zonewright.db", 0o000, 0o600, "data/zonewright.db", &[may, another]),
        ("lock", 0o444, 0o600, "data/lock", &[may, another]),
    ];
    for (name, without, with, place, expected) in cases {
        let path = if name.is_empty() { data.clone() } else { data.join(name) };
        allow(&path, without);
        let said = options(&data).refused();
        allow(&path, with);
        assert!(said.starts_with("zonewright: cannot serve: cannot use ") && said.lines().count() == 1, "{said}");
        assert!(said.contains(place) && expected.iter().all(|part| said.contains(part)), "{name} {without:o}: {said}");
    }
    allow(folder.path(), 0o555);
    let said = options(&folder.path().join("new")).refused();
    allow(folder.path(), 0o755);
    assert!(said.contains("/new: Permission denied") && said.contains(may), "{said}");

    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(options(&file).refused().contains("name a folder that can be written with --data"));

    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("zonewright.db"), "no database\n".repeat(1000)).unwrap();
    let said = options(&other).refused();
    assert!(said.contains("file is not a database; restore a backup into an empty data folder"), "{said}");

    // And nothing of all this did any harm.
    let mut service = options(&data).start();
    service.stop();
    options(&data).is_sound();
}

#[test]
fn a_full_disk_at_the_start_is_named() {
    let Some(disk) = SmallDisk::full() else { return };
    disk.fill(None);
    let said = disk.options("new").refused();
    assert!(said.contains("No space left on device") && said.contains("; make room on its disk"), "{said}");
}

#[test]
fn a_log_that_cannot_be_written_is_no_reason_to_stop() {
    let folder = TempDir::new().unwrap();
    let options = Options::new(&folder.path().join("data"), None).logging("info");
    let mut child = options.spawn(fs::File::options().write(true).open("/dev/full").unwrap());
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut out, &mut line).unwrap();
    let address = line.trim().strip_prefix("listening on http://").unwrap_or_else(|| panic!("{line}"));
    for path in ["/healthz", "/readyz", "/client/v4/zones"] {
        let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        let answer = crate::service::exchange(address, &request);
        assert_eq!(answer.map(|(status, _)| status), Some(if path.ends_with("zones") { 400 } else { 200 }), "{path}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn what_cannot_be_written_any_more_is_told_and_comes_back() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let options = options(&data);
    let service = options.start();
    let api = service.api(&options.token());
    let zone = options.zone("read-only.example", "enterprise");
    let destination = format!("https://localhost:1/?header_x={}", "x");
    let job = json!({"dataset": "http_requests", "enabled": true, "destination_conf": destination});
    let paths = [data.clone(), data.join("zonewright.db"), data.join("spool")];
    let (mut kept, mut number) = (0, 0);
    let mut create = |expected: Option<Fate>| {
        number += 1;
        let rule = json!([{"filter": {"expression": format!("cf.edge.server_port eq {number}")}, "action": "block"}]);
        let answer = api.send("POST", &format!("/zones/{zone}/firewall/rules"), &rule);
        let fate = Fate::of(Some(&answer));
        assert!(expected.is_none_or(|expected| fate == expected), "{:#}", answer.body);
        kept += u64::from(fate == Fate::Kept);
        let list = api.get(&format!("/zones/{zone}/firewall/rules"));
        assert_eq!(list.body["result_info"]["total_count"], json!(kept));
    };
    create(Some(Fate::Kept));
    fs::create_dir_all(data.join("spool")).unwrap();
    paths.iter().for_each(|path| allow(path, if path.is_dir() { 0o555 } else { 0o444 }));
    // Files that are open can be written all the same.
    (0..5).for_each(|_| create(None));
    // A job is one only when its lines are kept.
    let answer = api.send("POST", &format!("/zones/{zone}/logpush/jobs"), &job);
    if Fate::of(Some(&answer)) == Fate::Kept {
        let path = format!("/zones/{zone}/logpush/ingest/http_requests");
        let answer = api.send("POST", &path, &json!({"RayID": "a"}));
        assert_eq!((answer.status, answer.code()), (503, 10503), "{:#}", answer.body);
    }
    assert_eq!(service.look("/readyz").unwrap(), (503, "the data folder cannot be written\n".to_owned()));
    paths.iter().for_each(|path| allow(path, if path.is_dir() { 0o755 } else { 0o600 }));
    until(Duration::from_secs(10), "it is ready", || service.look("/readyz").filter(|(status, _)| *status == 200));
    create(Some(Fate::Kept));
    let answer = api.send("POST", &format!("/zones/{zone}/logpush/ingest/http_requests"), &json!({"RayID": "a"}));
    assert_eq!(answer.status, 200, "{:#}", answer.body);
    options.is_sound();
}
