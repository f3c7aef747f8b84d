//! Two processes on one PostgreSQL, of which one remembers who is calling: nobody ever sees it by an old answer.

use crate::cluster::Cluster;
use crate::load::rows;
use crate::service::{Api, Options, Service, until};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long is waited for the end of a lease.
const WAIT: Duration = Duration::from_secs(1);

struct Pair {
    _folder: TempDir,
    options: Options,
    first: Service,
    second: Service,
    token: String,
    zone: String,
    cluster: Cluster,
}

impl Pair {
    fn start() -> Option<Pair> {
        let cluster = Cluster::start()?;
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

    /// How many callers the first process has known from memory.
    fn remembered(&self) -> u64 {
        let (_, text) = self.first.look("/metrics").unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("zonewright_callers_remembered_total "));
        line.unwrap().parse().unwrap()
    }

    /// Calls the first process until it knows this caller from memory.
    fn warm(&self, api: &Api) {
        let before = self.remembered();
        until(Duration::from_secs(10), "it remembers", || {
            api.get(&self.path("")).result();
            (self.remembered() > before).then_some(())
        });
    }

    fn statement(&self, statement: &str) {
        // A statement without rows.
        assert!(rows(&self.options, statement).is_empty());
    }

    /// As if minutes had passed since another process changed something.
    fn let_remember_again(&self) {
        self.statement("update memory_lease set rest_until = 0");
    }

    /// Who has the lease.
    fn holder(&self) -> String {
        rows(&self.options, "select holder from memory_lease")[0][0].clone()
    }

    fn admin(&self, arguments: &[&str]) -> Vec<u8> {
        let output = self.options.admin(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    fn plan(&self, api: &Api) -> String {
        let zone = api.get(&self.path("")).result();
        zone["plan"]["legacy_id"].as_str().unwrap().to_owned()
    }
}

fn rule(host: &str) -> Value {
    json!([{"action": "block", "paused": true, "filter": {"expression": format!("http.host eq \"{host}.example\"")}}])
}

#[test]
fn what_another_process_changes_is_seen_at_once() {
    let Some(pair) = Pair::start() else { return };
    let (first, second, list) =
        (pair.first.api(&pair.token), pair.second.api(&pair.token), pair.path("/firewall/rules"));
    let total = || first.get(&list).body["result_info"]["total_count"].as_u64().unwrap();
    for round in 1..=3 {
        pair.warm(&first);
        assert_eq!(total(), round - 1);
        let since = Instant::now();
        second.send("POST", &list, &rule(&format!("round-{round}"))).result();
        assert!(since.elapsed() > WAIT / 2, "it did not wait: {:?}", since.elapsed());
        assert_eq!(total(), round);
        assert_eq!(pair.holder(), "", "others wait no more");
        pair.let_remember_again();
    }
    for plan in ["business", "pro", "enterprise"] {
        pair.warm(&first);
        pair.admin(&["zone", "plan", &pair.zone, plan]);
        assert_eq!(pair.plan(&first), plan);
        pair.let_remember_again();
    }
    for _ in 0..3 {
        let made = pair.admin(&["token", "create", "short-lived", "--everything", "--format", "json"]);
        let made: Value = serde_json::from_slice(&made).unwrap();
        let api = pair.first.api(made["token"].as_str().unwrap());
        pair.let_remember_again();
        pair.warm(&api);
        pair.admin(&["token", "revoke", made["id"].as_str().unwrap()]);
        assert_ne!(api.get(&pair.path("")).status, 200, "a token that was revoked is good for something");
        pair.let_remember_again();
    }
    pair.warm(&first);
    pair.admin(&["zone", "delete", &pair.zone, "--yes"]);
    assert_eq!(first.get(&pair.path("")).status, 404);
    pair.options.is_sound();
}

#[test]
fn no_answer_is_older_than_what_was_acknowledged_before_it_was_asked_for() {
    let Some(pair) = Pair::start() else { return };
    let list = pair.path("/firewall/rules");
    let (made, ended) = (AtomicU64::new(0), AtomicBool::new(false));
    let read = || {
        let api = pair.first.api(&pair.token);
        while !ended.load(Ordering::SeqCst) {
            let least = made.load(Ordering::SeqCst);
            let total = api.get(&list).body["result_info"]["total_count"].as_u64().unwrap();
            assert!(total >= least, "{total} of {least}");
        }
    };
    let write = || {
        let [own, other] = [&pair.first, &pair.second].map(|service| service.api(&pair.token));
        // The process changes something itself, then another one does, each time when it remembers.
        for (round, api) in [&own; 10].into_iter().chain([&other]).enumerate() {
            let before = pair.remembered();
            until(Duration::from_secs(20), "it remembers", || (pair.remembered() > before).then_some(()));
            for number in 0..3 {
                api.send("POST", &list, &rule(&format!("host-{round}-{number}"))).result();
                made.fetch_add(1, Ordering::SeqCst);
            }
        }
        ended.store(true, Ordering::SeqCst);
    };
    std::thread::scope(|threads| {
        let readers = [(); 3].map(|()| threads.spawn(read));
        // A reader that fails would be waited for by nobody.
        let written = threads.spawn(write).join();
        ended.store(true, Ordering::SeqCst);
        readers.into_iter().for_each(|reader| reader.join().unwrap());
        written.unwrap();
    });
    pair.options.is_sound();
}

#[test]
fn what_somebody_is_changing_is_not_remembered() {
    let Some(pair) = Pair::start() else { return };
    let first = pair.first.api(&pair.token);
    // Began before the first process had a lease, and so waits for nothing.
    let mut session = pair.cluster.session("pair");
    let input = session.stdin.as_mut().unwrap();
    writeln!(input, "begin; select id from zones where id = '{}' for update;", pair.zone).unwrap();
    writeln!(input, "update zones set tier = 'pro' where id = '{}'; select pg_notify('x', 'y');", pair.zone).unwrap();
    let waiting = "select cast(count(*) as text) from pg_stat_activity
                   where state = 'idle in transaction' and query like '%pg_notify%' and pid <> pg_backend_pid()";
    until(Duration::from_secs(10), "the session has the lock", || {
        (rows(&pair.options, waiting) == [["1"]]).then_some(())
    });
    let before = pair.remembered();
    for _ in 0..100 {
        assert_eq!(pair.plan(&first), "enterprise");
    }
    assert_eq!(pair.remembered(), before);
    writeln!(session.stdin.as_mut().unwrap(), "commit;").unwrap();
    drop(session.stdin.take());
    assert!(session.wait().unwrap().success());
    assert_eq!(pair.plan(&first), "pro");
    pair.warm(&first);
}

#[test]
fn a_lease_that_was_taken_away_is_over_in_time() {
    let Some(pair) = Pair::start() else { return };
    let first = pair.first.api(&pair.token);
    pair.warm(&first);
    pair.statement("update memory_lease set holder = '-first'");
    let since = Instant::now();
    while since.elapsed() < WAIT {
        assert_eq!(pair.plan(&first), "enterprise");
    }
    pair.statement(&format!("update zones set tier = 'pro' where id = '{}'", pair.zone));
    assert_eq!(pair.plan(&first), "pro");
    // Who took it away has ended: the next that changes something puts it in order.
    pair.admin(&["zone", "plan", &pair.zone, "business"]);
    pair.let_remember_again();
    pair.warm(&first);
    // What was not used for longer than a lease is not good any more.
    std::thread::sleep(WAIT);
    pair.statement(&format!("update zones set tier = 'free' where id = '{}'", pair.zone));
    assert_eq!(pair.plan(&first), "free");
}

#[test]
fn nobody_ends_the_waiting_of_another() {
    let Some(pair) = Pair::start() else { return };
    pair.warm(&pair.first.api(&pair.token));
    let is_waiting = |pair: &Pair| {
        pair.second.api(&pair.token).send("POST", &pair.path("/filters"), &json!([{"expression": "ssl"}])).result();
    };
    std::thread::scope(|threads| {
        let waiting = threads.spawn(|| is_waiting(&pair));
        until(WAIT, "the lease is taken away", || pair.holder().starts_with('-').then_some(()));
        // As if it had come to its end, and another one had been taken away since.
        pair.statement("update memory_lease set holder = '-later'");
        waiting.join().unwrap();
    });
    assert_eq!(pair.holder(), "-later");
    let since = Instant::now();
    pair.admin(&["zone", "plan", &pair.zone, "pro"]);
    assert!(since.elapsed() > WAIT, "it waits as well");
    assert_eq!(pair.holder(), "");
}

#[test]
fn what_is_changed_by_hand_is_seen_after_a_while() {
    let Some(pair) = Pair::start() else { return };
    let first = pair.first.api(&pair.token);
    pair.warm(&first);
    pair.statement(&format!("update zones set tier = 'pro' where id = '{}'", pair.zone));
    until(Duration::from_secs(12), "the change is seen", || (pair.plan(&first) == "pro").then_some(()));
}

#[test]
fn a_process_that_stood_still_has_no_lease_any_more() {
    let Some(pair) = Pair::start() else { return };
    let first = pair.first.api(&pair.token);
    pair.warm(&first);
    pair.first.signal("STOP");
    pair.second.api(&pair.token).send("POST", &pair.path("/firewall/rules"), &rule("still")).result();
    pair.first.signal("CONT");
    assert_eq!(first.get(&pair.path("/firewall/rules")).body["result_info"]["total_count"], json!(1));
}

#[test]
fn a_process_that_ends_gives_its_lease_back_and_one_that_is_killed_is_waited_for() {
    let Some(mut pair) = Pair::start() else { return };
    let second = pair.second.api(&pair.token);
    pair.warm(&pair.first.api(&pair.token));
    assert_ne!(pair.holder(), "");
    pair.first.stop();
    assert_eq!(pair.holder(), "");
    pair.first = pair.options.start();
    pair.warm(&pair.first.api(&pair.token));
    pair.first.kill();
    let since = Instant::now();
    second.send("POST", &pair.path("/filters"), &json!([{"expression": "not ssl"}])).result();
    assert!(since.elapsed() > WAIT, "{:?}", since.elapsed());
    assert_eq!(pair.holder(), "");
}
