//! Full disks.

use crate::limited_disk::SmallDisk;
use crate::postgres::PostgresServer;
use crate::receiver::Receiver;
use crate::service::{ApiClient, ApiResponse, Options, wait_until};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;
use tempfile::TempDir;

/// A zone on a small disk, and its acknowledged writes.
struct AcknowledgedWrites {
    zone: String,
    rules: Vec<String>,
    lines: Vec<String>,
}

impl AcknowledgedWrites {
    fn path(&self, rest: &str) -> String {
        format!("/zones/{}/{rest}", self.zone)
    }

    /// Creates a rule with a distinct filter.
    fn create_rule(&mut self, api: &ApiClient) -> ApiResponse {
        // Long, so that the disk fills quickly.
        let names: String = (0..40).map(|number| format!(" or http.host eq \"{number}.example\"")).collect();
        let expression = format!("cf.edge.server_port eq {}{names}", self.rules.len());
        let rule = json!([{"filter": {"expression": expression}, "action": "block", "paused": true}]);
        let response = api.send("POST", &self.path("firewall/rules"), &rule);
        if response.status == 200 {
            self.rules.push(response.body["result"][0]["id"].as_str().unwrap().to_owned());
        }
        response
    }

    fn send_line(&mut self, api: &ApiClient) -> ApiResponse {
        let ray = self.lines.len().to_string();
        let line = json!({"RayID": ray, "ClientRequestUserAgent": "x".repeat(5000)});
        let response = api.send("POST", &self.path("logpush/ingest/http_requests"), &line);
        if response.status == 200 {
            assert_eq!(response.body["messages"], json!([]), "{:#}", response.body);
            self.lines.push(ray);
        }
        response
    }

    fn assert_persisted(&self, api: &ApiClient) {
        for id in &self.rules {
            let rule = api.get(&self.path(&format!("firewall/rules/{id}"))).result();
            assert!(rule["filter"]["expression"].is_string(), "{rule:#}");
        }
        let list = api.get(&self.path("firewall/rules"));
        assert_eq!(list.body["result_info"]["total_count"], json!(self.rules.len()), "the number of rules");
    }

    fn assert_delivered(&self, receiver: &Receiver) {
        wait_until(Duration::from_secs(30), "all lines delivered", || {
            let received: BTreeSet<String> = receiver.received_ids().into_iter().collect();
            self.lines.iter().all(|line| received.contains(line)).then_some(())
        });
    }
}

/// Repeats a call until it fails because the disk is full, and returns the error message.
fn first_error(description: &str, mut call: impl FnMut() -> ApiResponse) -> Value {
    for _ in 0..2000 {
        let response = call();
        if response.status != 200 {
            assert_eq!((response.status, response.code()), (503, 10503), "{description}: {:#}", response.body);
            return response.body["errors"][0]["message"].clone();
        }
    }
    panic!("{description}: the disk is never full");
}

fn assert_full_disk_is_reported_without_loss(disk: &SmallDisk) {
    let (options, receiver) = (disk.options("data"), Receiver::start());
    let mut service = options.start();
    let demo: Value =
        serde_json::from_slice(&std::fs::read(disk.visible_path("data/demo-credentials.json")).unwrap()).unwrap();
    let token = demo["token"].as_str().unwrap().to_owned();
    let zone = options.zone("full.example", "enterprise");
    let mut acknowledged = AcknowledgedWrites { zone, rules: Vec::new(), lines: Vec::new() };
    let mut api = service.api(&token);
    let job = json!({"dataset": "http_requests", "enabled": true, "destination_conf": receiver.destination(),
                     "output_options": {"field_names": ["RayID"]}});
    api.send("POST", &acknowledged.path("logpush/jobs"), &job).result();
    for _ in 0..3 {
        assert_eq!((acknowledged.create_rule(&api).status, acknowledged.send_line(&api).status), (200, 200));
    }
    // Twice: leftovers of the first time must not affect the second.
    for round in 0..2 {
        disk.fill(Some(&service));
        let message = first_error("rules", || acknowledged.create_rule(&api));
        assert_eq!(message, json!("the database is not writable; nothing was changed, retry later"));
        let message = first_error("lines", || acknowledged.send_line(&api));
        assert_eq!(message, json!("the service cannot write to its disk; send the lines again later"));
        first_error("rules, again", || acknowledged.create_rule(&api));
        // Reads continue, and so does the delivery of acknowledged lines.
        acknowledged.assert_persisted(&api);
        acknowledged.assert_delivered(&receiver);
        if matches!(disk, SmallDisk::Tmpfs { .. }) {
            wait_until(Duration::from_secs(10), "space freed by delivered lines", || {
                let metrics = service.get_unauthenticated("/metrics").unwrap().1;
                metrics.lines().any(|line| line == "zonewright_log_push_spool_bytes 0").then_some(())
            });
        }
        assert_eq!(service.get_unauthenticated("/healthz").map(|(status, _)| status), Some(200));
        let ready = wait_until(Duration::from_secs(5), "not ready", || {
            service.get_unauthenticated("/readyz").filter(|(status, _)| *status == 503)
        });
        assert_eq!(ready.1, "the data directory is not writable\n");
        if round == 1 && matches!(disk, SmallDisk::Tmpfs { .. }) {
            // The service starts on a full disk too.
            service.kill();
            service = options.start();
            api = service.api(&token);
            acknowledged.assert_persisted(&api);
            first_error("rules after a start", || acknowledged.create_rule(&api));
        }
        disk.free_space(&service);
        wait_until(Duration::from_secs(5), "ready", || {
            service.get_unauthenticated("/readyz").filter(|(status, _)| *status == 200)
        });
        for _ in 0..3 {
            let responses = (acknowledged.create_rule(&api), acknowledged.send_line(&api));
            assert_eq!((responses.0.status, responses.1.status), (200, 200), "{responses:?}");
        }
        acknowledged.assert_persisted(&api);
        acknowledged.assert_delivered(&receiver);
        options.assert_database_consistent();
    }
    service.kill();
    options.assert_database_consistent();
}

#[test]
fn full_disk_loses_no_acknowledged_write() {
    if let Some(disk) = SmallDisk::tmpfs() {
        assert_full_disk_is_reported_without_loss(&disk);
    }
}

#[test]
fn file_size_limit_loses_no_acknowledged_write() {
    assert_full_disk_is_reported_without_loss(&SmallDisk::file_size_limited());
}

#[test]
fn full_postgresql_disk_loses_no_acknowledged_write() {
    let Some(cluster) = PostgresServer::start_on_small_disk() else { return };
    let folder = TempDir::new().unwrap();
    let options = Options::new(&folder.path().join("data"), Some(cluster.database("full")));
    let mut service = options.start();
    let (api, zone) = (service.api(&options.token()), options.zone("full.example", "enterprise"));
    let mut acknowledged = AcknowledgedWrites { zone, rules: Vec::new(), lines: Vec::new() };
    for _ in 0..2 {
        assert_eq!(acknowledged.create_rule(&api).status, 200);
        cluster.fill();
        let message = first_error("rules", || acknowledged.create_rule(&api));
        assert_eq!(message, json!("the database is not writable; nothing was changed, retry later"));
        first_error("rules, again", || acknowledged.create_rule(&api));
        acknowledged.assert_persisted(&api);
        assert_eq!(service.get_unauthenticated("/healthz").map(|(status, _)| status), Some(200));
        cluster.free_space();
        for _ in 0..3 {
            assert_eq!(acknowledged.create_rule(&api).status, 200);
        }
        acknowledged.assert_persisted(&api);
        options.assert_database_consistent();
    }
    service.stop();
}
