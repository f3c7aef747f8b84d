//! Two processes on one PostgreSQL: the next request to one process sees a change that the other committed.

use crate::postgres::PostgresServer;
use crate::service::{ApiClient, Options, Service, rows, wait_until};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// Requests to the first process before the other one makes a change, so that any cache of the first is filled.
const WARM_UP_REQUESTS: usize = 20;

struct Pair {
    _folder: TempDir,
    options: Options,
    first: Service,
    second: Service,
    token: String,
    zone: String,
    cluster: PostgresServer,
}

impl Pair {
    fn start() -> Option<Pair> {
        let cluster = PostgresServer::start()?;
        let (folder, url) = (TempDir::new().unwrap(), cluster.database("pair"));
        let options = |name| Options::new(&folder.path().join(name), Some(url.clone()));
        let (options, other) = (options("first"), options("second"));
        let (first, second) = (options.start(), other.start());
        let (token, zone) = (options.token(), options.zone("pair.example", "enterprise"));
        Some(Pair { _folder: folder, options, first, second, token, zone, cluster })
    }

    fn path(&self, rest: &str) -> String {
        format!("/zones/{}{rest}", self.zone)
    }

    /// Requests the zone from the first process many times.
    fn warm_up(&self, api: &ApiClient) {
        for _ in 0..WARM_UP_REQUESTS {
            api.get(&self.path("")).result();
        }
    }

    fn execute(&self, statement: &str) {
        // The statement returns no rows.
        assert!(rows(&self.options, statement).is_empty());
    }

    fn admin(&self, arguments: &[&str]) -> Vec<u8> {
        let output = self.options.admin(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    fn plan(&self, api: &ApiClient) -> String {
        let zone = api.get(&self.path("")).result();
        zone["plan"]["legacy_id"].as_str().unwrap().to_owned()
    }
}

fn rule(host: &str) -> Value {
    json!([{"action": "block", "paused": true, "filter": {"expression": format!("http.host eq \"{host}.example\"")}}])
}

#[test]
fn change_by_another_process_is_seen_by_the_next_request() {
    let Some(pair) = Pair::start() else { return };
    let (first, second, list) =
        (pair.first.api(&pair.token), pair.second.api(&pair.token), pair.path("/firewall/rules"));
    let total = || first.get(&list).body["result_info"]["total_count"].as_u64().unwrap();
    for round in 1..=3 {
        pair.warm_up(&first);
        assert_eq!(total(), round - 1);
        second.send("POST", &list, &rule(&format!("round-{round}"))).result();
        assert_eq!(total(), round);
    }
    for plan in ["business", "pro", "enterprise"] {
        pair.warm_up(&first);
        pair.admin(&["zone", "plan", &pair.zone, plan]);
        assert_eq!(pair.plan(&first), plan);
    }
    for _ in 0..3 {
        let created = pair.admin(&["token", "create", "short-lived", "--everything", "--format", "json"]);
        let created: Value = serde_json::from_slice(&created).unwrap();
        let api = pair.first.api(created["token"].as_str().unwrap());
        pair.warm_up(&api);
        pair.admin(&["token", "revoke", created["id"].as_str().unwrap()]);
        assert_ne!(api.get(&pair.path("")).status, 200, "a revoked token still works");
    }
    pair.warm_up(&first);
    pair.admin(&["zone", "delete", &pair.zone, "--yes"]);
    assert_eq!(first.get(&pair.path("")).status, 404);
    pair.options.assert_database_consistent();
}

#[test]
fn reads_reflect_every_previously_acknowledged_change() {
    let Some(pair) = Pair::start() else { return };
    let list = pair.path("/firewall/rules");
    let (created, ended) = (AtomicU64::new(0), AtomicBool::new(false));
    let read = || {
        let api = pair.first.api(&pair.token);
        while !ended.load(Ordering::SeqCst) {
            let min_total = created.load(Ordering::SeqCst);
            let total = api.get(&list).body["result_info"]["total_count"].as_u64().unwrap();
            assert!(total >= min_total, "{total} of {min_total}");
        }
    };
    let write = || {
        let [own, other] = [&pair.first, &pair.second].map(|service| service.api(&pair.token));
        // The process that serves the reads makes a change, then the other process does.
        for (round, api) in [&own, &other].into_iter().cycle().take(12).enumerate() {
            for number in 0..3 {
                api.send("POST", &list, &rule(&format!("host-{round}-{number}"))).result();
                created.fetch_add(1, Ordering::SeqCst);
            }
        }
        ended.store(true, Ordering::SeqCst);
    };
    std::thread::scope(|threads| {
        let readers = [(); 3].map(|()| threads.spawn(read));
        // The readers must end when the writer fails.
        let written = threads.spawn(write).join();
        ended.store(true, Ordering::SeqCst);
        readers.into_iter().for_each(|reader| reader.join().unwrap());
        written.unwrap();
    });
    pair.options.assert_database_consistent();
}

#[test]
fn open_transaction_is_invisible_until_it_commits() {
    let Some(pair) = Pair::start() else { return };
    let first = pair.first.api(&pair.token);
    let mut session = pair.cluster.session("pair");
    let input = session.stdin.as_mut().unwrap();
    writeln!(input, "begin; select id from zones where id = '{}' for update;", pair.zone).unwrap();
    writeln!(input, "update zones set tier = 'pro' where id = '{}'; select pg_notify('x', 'y');", pair.zone).unwrap();
    let waiting = "select cast(count(*) as text) from pg_stat_activity
                   where state = 'idle in transaction' and query like '%pg_notify%' and pid <> pg_backend_pid()";
    wait_until(Duration::from_secs(10), "the session has the lock", || {
        (rows(&pair.options, waiting) == [["1"]]).then_some(())
    });
    for _ in 0..WARM_UP_REQUESTS {
        assert_eq!(pair.plan(&first), "enterprise");
    }
    writeln!(session.stdin.as_mut().unwrap(), "commit;").unwrap();
    drop(session.stdin.take());
    assert!(session.wait().unwrap().success());
    assert_eq!(pair.plan(&first), "pro");
}

#[test]
fn change_by_direct_sql_is_seen_by_the_next_request() {
    let Some(pair) = Pair::start() else { return };
    let first = pair.first.api(&pair.token);
    pair.warm_up(&first);
    pair.execute(&format!("update zones set tier = 'pro' where id = '{}'", pair.zone));
    assert_eq!(pair.plan(&first), "pro");
}

#[test]
fn suspended_process_sees_the_change_when_it_resumes() {
    let Some(pair) = Pair::start() else { return };
    let first = pair.first.api(&pair.token);
    pair.warm_up(&first);
    pair.first.signal("STOP");
    pair.second.api(&pair.token).send("POST", &pair.path("/firewall/rules"), &rule("still")).result();
    pair.first.signal("CONT");
    assert_eq!(first.get(&pair.path("/firewall/rules")).body["result_info"]["total_count"], json!(1));
}

#[test]
fn killed_process_delays_no_writer() {
    let Some(mut pair) = Pair::start() else { return };
    let second = pair.second.api(&pair.token);
    pair.warm_up(&pair.first.api(&pair.token));
    pair.first.kill();
    let since = std::time::Instant::now();
    second.send("POST", &pair.path("/filters"), &json!([{"expression": "not ssl"}])).result();
    assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
}
