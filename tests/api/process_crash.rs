//! Three real processes on one PostgreSQL, one of which is killed. Skipped without the binary (`ZONEWRIGHT_BIN`) and
//! a server for tests.

use crate::database::{TestDatabase, server};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

struct Process {
    child: Child,
    address: String,
    /// Kept open, because the process writes more than its address.
    _stdout: BufReader<ChildStdout>,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start_process(binary: &str, data: &Path, url: &str) -> Process {
    let mut child = Command::new(binary)
        .args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--migration-delay",
            "1",
            "--logpush-interval",
            "1",
            "--database",
            url,
        ])
        .arg("--logpush-files")
        .arg(data.parent().unwrap().join("files"))
        .arg("--data")
        .arg(data)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("listening on http://").unwrap_or_else(|| panic!("{line}")).to_owned();
    Process { child, address, _stdout: stdout }
}

/// Status and body; `None` when the process does not respond.
fn call(address: &str, token: &str, method: &str, path: &str, body: &str) -> Option<(u16, Value)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let head = format!(
        "{method} /client/v4{path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    let mut response = String::new();
    stream.read_to_string(&mut response).ok()?;
    let (head, body) = response.split_once("\r\n\r\n")?;
    let body = if head.contains("chunked") { body.lines().nth(1)? } else { body };
    Some((head.split(' ').nth(1)?.parse().ok()?, serde_json::from_str(body).ok()?))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_process_loses_no_acknowledged_write() {
    let (Some(server), Ok(binary)) = (server(), std::env::var("ZONEWRIGHT_BIN")) else { return };
    let database = TestDatabase::postgres(&server).await;
    let (folder, url) = (TempDir::new().unwrap(), database.url().unwrap());
    std::fs::create_dir(folder.path().join("files")).unwrap();
    let data = |name: &str| folder.path().join(name);
    let mut processes: Vec<Process> =
        ["a", "b", "c"].iter().map(|name| start_process(&binary, &data(name), &url)).collect();
    let demo: Value = serde_json::from_slice(&std::fs::read(data("a").join("demo-credentials.json")).unwrap()).unwrap();
    let (token, zone) = (demo["token"].as_str().unwrap().to_owned(), demo["zone_id"].as_str().unwrap().to_owned());
    let job = json!({"dataset": "http_requests", "enabled": true, "output_options": {"field_names": ["RayID"]},
                     "destination_conf": format!("file://{}", data("files/out").display())});
    let (status, response) =
        call(&processes[1].address, &token, "POST", &format!("/zones/{zone}/logpush/jobs"), &job.to_string()).unwrap();
    assert_eq!(status, 200, "{response:#}");

    let spawn_load = |process_index: usize, address: String| {
        let (token, zone) = (token.clone(), zone.clone());
        std::thread::spawn(move || {
            let (mut rules, mut ray_ids) = (Vec::new(), Vec::new());
            for number in 0..40 {
                let text = format!("cf.edge.server_port eq {}", process_index * 1000 + number);
                let rule = json!([{"filter": {"expression": text}, "action": "block"}]).to_string();
                match call(&address, &token, "POST", &format!("/zones/{zone}/firewall/rules"), &rule) {
                    Some((200, response)) => rules.push(response["result"][0]["id"].as_str().unwrap().to_owned()),
                    Some((status, response)) => panic!("{status} {response:#}"),
                    None => break,
                }
                let ray = format!("{process_index}-{number}");
                let line = json!({"RayID": ray}).to_string();
                let path = format!("/zones/{zone}/logpush/ingest/http_requests");
                if let Some((200, _)) = call(&address, &token, "POST", &path, &line) {
                    ray_ids.push(ray);
                }
            }
            (rules, ray_ids)
        })
    };
    let threads: Vec<_> = (0..3).map(|index| spawn_load(index, processes[index].address.clone())).collect();
    tokio::time::sleep(Duration::from_millis(600)).await;
    processes[2].child.kill().unwrap();
    processes[2].child.wait().unwrap();
    let (mut rules, mut ray_ids) = (Vec::new(), Vec::new());
    for thread in threads {
        let (thread_rules, thread_ray_ids) = thread.join().unwrap();
        rules.extend(thread_rules);
        ray_ids.extend(thread_ray_ids);
    }
    // A process on the same machine acquires the directory of the killed one immediately.
    processes[2] = start_process(&binary, &data("c"), &url);
    assert!(rules.len() >= 80 && ray_ids.len() >= 80, "{} rules, {} lines", rules.len(), ray_ids.len());
    for id in rules {
        let path = format!("/zones/{zone}/firewall/rules/{id}");
        assert_eq!(call(&processes[2].address, &token, "GET", &path, "").map(|(status, _)| status), Some(200));
    }
    let mut missing = ray_ids;
    for _ in 0..200 {
        let delivered = crate::shared_database::delivered(&data("files"));
        missing.retain(|ray| !delivered.contains(&format!("\"{ray}\"")));
        if missing.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(missing.is_empty(), "{missing:?}");
    let check = Command::new(&binary).args(["admin", "check", "--database", &url]).output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
}
