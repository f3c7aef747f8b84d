//! A disk that is full, and folders and files that cannot be written.

use crate::cluster::Cluster;
use crate::receiver::Receiver;
use crate::service::{Answer, Api, Options, until};
use crate::small_disk::SmallDisk;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;
use tempfile::TempDir;

/// A zone on a small disk, and what was acknowledged there.
struct Kept {
    zone: String,
    rules: Vec<String>,
    lines: Vec<String>,
}

impl Kept {
    fn path(&self, rest: &str) -> String {
        format!("/zones/{}/{rest}", self.zone)
    }

    /// Creates a rule with a filter of its own.
    fn create(&mut self, api: &Api) -> Answer {
        // Long, so that the disk is soon full.
        let names: String = (0..40).map(|one| format!(" or http.host eq \"{one}.example\"")).collect();
        let expression = format!("cf.edge.server_port eq {}{names}", self.rules.len());
        let rule = json!([{"filter": {"expression": expression}, "action": "block", "paused": true}]);
        let answer = api.send("POST", &self.path("firewall/rules"), &rule);
        if answer.status == 200 {
            self.rules.push(answer.body["result"][0]["id"].as_str().unwrap().to_owned());
        }
        answer
    }

    fn send(&mut self, api: &Api) -> Answer {
        let ray = self.lines.len().to_string();
        let line = json!({"RayID": ray, "ClientRequestUserAgent": "x".repeat(5000)});
        let answer = api.send("POST", &self.path("logpush/ingest/http_requests"), &line);
        if answer.status == 200 {
            assert_eq!(answer.body["messages"], json!([]), "{:#}", answer.body);
            self.lines.push(ray);
        }
        answer
    }

    fn is_there(&self, api: &Api) {
        for id in &self.rules {
            let rule = api.get(&self.path(&format!("firewall/rules/{id}"))).result();
            assert!(rule["filter"]["expression"].is_string(), "{rule:#}");
        }
        let list = api.get(&self.path("firewall/rules"));
        assert_eq!(list.body["result_info"]["total_count"], json!(self.rules.len()), "and nothing else");
    }

    fn is_delivered(&self, receiver: &Receiver) {
        until(Duration::from_secs(30), "every line is delivered", || {
            let taken: BTreeSet<String> = receiver.taken().into_iter().collect();
            self.lines.iter().all(|line| taken.contains(line)).then_some(())
        });
    }
}

/// The first answer that refuses, which says that it is the disk's fault.
fn refused(what: &str, mut call: impl FnMut() -> Answer) -> Value {
    for _ in 0..2000 {
        let answer = call();
        if answer.status != 200 {
            assert_eq!((answer.status, answer.code()), (503, 10503), "{what}: {:#}", answer.body);
            return answer.body["errors"][0]["message"].clone();
        }
    }
    panic!("{what}: the disk is never full");
}

fn a_full_disk_is_told_and_nothing_is_lost(disk: &SmallDisk) {
    let (options, receiver) = (disk.options("data"), Receiver::start());
    let mut service = options.start();
    let demo: Value = serde_json::from_slice(&std::fs::read(disk.seen("data/demo-credentials.json")).unwrap()).unwrap();
    let token = demo["token"].as_str().unwrap().to_owned();
    let zone = options.zone("full.example", "enterprise");
    let mut kept = Kept { zone, rules: Vec::new(), lines: Vec::new() };
    let mut api = service.api(&token);
    let job = json!({"dataset": "http_requests", "enabled": true, "destination_conf": receiver.destination(),
                     "output_options": {"field_names": ["RayID"]}});
    api.send("POST", &kept.path("logpush/jobs"), &job).result();
    for _ in 0..3 {
        assert_eq!((kept.create(&api).status, kept.send(&api).status), (200, 200));
    }
    // Twice: what the first time left must not stand in the way of the second.
    for round in 0..2 {
        disk.fill(Some(&service));
        let message = refused("rules", || kept.create(&api));
        assert_eq!(message, json!("the database cannot be written; nothing was changed, send it again later"));
        let message = refused("lines", || kept.send(&api));
        assert_eq!(message, json!("the disk of the service cannot be written; send the lines again later"));
        refused("rules, again", || kept.create(&api));
        // Reading goes on, and so does what was acknowledged.
        kept.is_there(&api);
        kept.is_delivered(&receiver);
        if matches!(disk, SmallDisk::Full { .. }) {
            until(Duration::from_secs(10), "lines that were delivered make room", || {
                let metrics = service.look("/metrics").unwrap().1;
                metrics.lines().any(|line| line == "zonewright_log_push_spool_bytes 0").then_some(())
            });
        }
        assert_eq!(service.look("/healthz").map(|(status, _)| status), Some(200));
        let ready = until(Duration::from_secs(5), "it is not ready", || {
            service.look("/readyz").filter(|(status, _)| *status == 503)
        });
        assert_eq!(ready.1, "the data folder cannot be written\n");
        if round == 1 && matches!(disk, SmallDisk::Full { .. }) {
            // Full, it can be started all the same.
            service.kill();
            service = options.start();
            api = service.api(&token);
            kept.is_there(&api);
            refused("rules after a start", || kept.create(&api));
        }
        disk.make_room(&service);
        until(Duration::from_secs(5), "it is ready", || service.look("/readyz").filter(|(status, _)| *status == 200));
        for _ in 0..3 {
            let answers = (kept.create(&api), kept.send(&api));
            assert_eq!((answers.0.status, answers.1.status), (200, 200), "{answers:?}");
        }
        kept.is_there(&api);
        kept.is_delivered(&receiver);
        options.is_sound();
    }
    service.kill();
    options.is_sound();
}

#[test]
fn a_full_disk_loses_nothing() {
    if let Some(disk) = SmallDisk::full() {
        a_full_disk_is_told_and_nothing_is_lost(&disk);
    }
}

#[test]
fn files_that_may_not_grow_lose_nothing() {
    a_full_disk_is_told_and_nothing_is_lost(&SmallDisk::limited());
}

#[test]
fn a_full_disk_of_postgresql_loses_nothing() {
    let Some(cluster) = Cluster::start_on_small_disk() else { return };
    let folder = TempDir::new().unwrap();
    let options = Options::new(&folder.path().join("data"), Some(cluster.database("full")));
    let mut service = options.start();
    let (api, zone) = (service.api(&options.token()), options.zone("full.example", "enterprise"));
    let mut kept = Kept { zone, rules: Vec::new(), lines: Vec::new() };
    for _ in 0..2 {
        assert_eq!(kept.create(&api).status, 200);
        cluster.fill();
        let message = refused("rules", || kept.create(&api));
        assert_eq!(message, json!("the database cannot be written; nothing was changed, send it again later"));
        refused("rules, again", || kept.create(&api));
        kept.is_there(&api);
        assert_eq!(service.look("/healthz").map(|(status, _)| status), Some(200));
        cluster.make_room();
        for _ in 0..3 {
            assert_eq!(kept.create(&api).status, 200);
        }
        kept.is_there(&api);
        options.is_sound();
    }
    service.stop();
}
