//! Two processes on one PostgreSQL, one with a cache of authenticated clients: no response uses stale cache entries.

use crate::cluster::PostgresServer;
use crate::load::rows;
use crate::service::{ApiClient, Options, Service, wait_until};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a writer waits for the holder of a revoked lease.
const LEASE_REVOCATION_DELAY: Duration = Duration::from_secs(1);

struct CachedPair {
    _folder: TempDir,
    options: Options,
    first: Service,
    second: Service,
    token: String,
    zone: String,
    cluster: PostgresServer,
}

impl CachedPair {
    fn start() -> Option<CachedPair> {
        let cluster = PostgresServer::start()?;
        let (folder, url) = (TempDir::new().unwrap(), cluster.database("pair"));
        let options = |name| Options::new(&folder.path().join(name), Some(url.clone()));
        let (options, other) = (options("first"), options("second"));
        let (first, second) = (options.start(), other.start());
        let (token, zone) = (options.token(), options.zone("pair.example", "enterprise"));
        Some(CachedPair { _folder: folder, options, first, second, token, zone, cluster })
    }

    fn path(&self, rest: &str) -> String {
        format!("/zones/{}{rest}", self.zone)
    }

    /// The number of auth cache hits of the first process.
    fn cache_hits(&self) -> u64 {
        let (_, text) = self.first.get_unauthenticated("/metrics").unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("zonewright_callers_remembered_total "));
        line.unwrap().parse().unwrap()
    }

    /// Calls the first process until it has cached this client.
    fn warm_cache(&self, api: &ApiClient) {
        let before = self.cache_hits();
        wait_until(Duration::from_secs(10), "it remembers", || {
            api.get(&self.path("")).result();
            (self.cache_hits() > before).then_some(())
        });
    }

    fn statement(&self, statement: &str) {
        // A statement without rows.
        assert!(rows(&self.options, statement).is_empty());
    }

    /// Lets the first process acquire the lease again, as if minutes had passed since the last change by another
    /// process.
    fn expire_cache_backoff(&self) {
        self.statement("update memory_lease set rest_until = 0");
    }

    /// The process that holds the lease.
    fn lease_holder(&self) -> String {
        rows(&self.options, "select holder from memory_lease")[0][0].clone()
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
fn change_by_another_process_is_visible_immediately() {
    let Some(pair) = CachedPair::start() else { return };
    let (first, second, list) =
        (pair.first.api(&pair.token), pair.second.api(&pair.token), pair.path("/firewall/rules"));
    let total = || first.get(&list).body["result_info"]["total_count"].as_u64().unwrap();
    for round in 1..=3 {
        pair.warm_cache(&first);
        assert_eq!(total(), round - 1);
        let since = Instant::now();
        second.send("POST", &list, &rule(&format!("round-{round}"))).result();
        assert!(since.elapsed() > LEASE_REVOCATION_DELAY / 2, "the writer did not wait: {:?}", since.elapsed());
        assert_eq!(total(), round);
        assert_eq!(pair.lease_holder(), "", "the lease is released");
        pair.expire_cache_backoff();
    }
    for plan in ["business", "pro", "enterprise"] {
        pair.warm_cache(&first);
        pair.admin(&["zone", "plan", &pair.zone, plan]);
        assert_eq!(pair.plan(&first), plan);
        pair.expire_cache_backoff();
    }
    for _ in 0..3 {
        let made = pair.admin(&["token", "create", "short-lived", "--everything", "--format", "json"]);
        let made: Value = serde_json::from_slice(&made).unwrap();
        let api = pair.first.api(made["token"].as_str().unwrap());
        pair.expire_cache_backoff();
        pair.warm_cache(&api);
        pair.admin(&["token", "revoke", made["id"].as_str().unwrap()]);
        assert_ne!(api.get(&pair.path("")).status, 200, "a revoked token still authenticates");
        pair.expire_cache_backoff();
    }
    pair.warm_cache(&first);
    pair.admin(&["zone", "delete", &pair.zone, "--yes"]);
    assert_eq!(first.get(&pair.path("")).status, 404);
    pair.options.assert_database_consistent();
}

#[test]
fn reads_reflect_every_previously_acknowledged_change() {
    let Some(pair) = CachedPair::start() else { return };
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
        // The process makes a change itself, then another process does, each time with a filled cache.
        for (round, api) in [&own; 10].into_iter().chain([&other]).enumerate() {
            let before = pair.cache_hits();
            wait_until(Duration::from_secs(20), "it remembers", || (pair.cache_hits() > before).then_some(()));
            for number in 0..3 {
                api.send("POST", &list, &rule(&format!("host-{round}-{number}"))).result();
                made.fetch_add(1, Ordering::SeqCst);
            }
        }
        ended.store(true, Ordering::SeqCst);
    };
    std::thread::scope(|threads| {
        let readers = [(); 3].map(|()| threads.spawn(read));
        // The loop must end when a reader fails.
        let written = threads.spawn(write).join();
        ended.store(true, Ordering::SeqCst);
        readers.into_iter().for_each(|reader| reader.join().unwrap());
        written.unwrap();
    });
    pair.options.assert_database_consistent();
}

#[test]
fn rows_locked_by_a_writer_are_not_cached() {
    let Some(pair) = CachedPair::start() else { return };
    let first = pair.first.api(&pair.token);
    // This transaction started before the first process had a lease, so it does not wait.
    let mut session = pair.cluster.session("pair");
    let input = session.stdin.as_mut().unwrap();
    writeln!(input, "begin; select id from zones where id = '{}' for update;", pair.zone).unwrap();
    writeln!(input, "update zones set tier = 'pro' where id = '{}'; select pg_notify('x', 'y');", pair.zone).unwrap();
    let waiting = "select cast(count(*) as text) from pg_stat_activity
                   where state = 'idle in transaction' and query like '%pg_notify%' and pid <> pg_backend_pid()";
    wait_until(Duration::from_secs(10), "the session has the lock", || {
        (rows(&pair.options, waiting) == [["1"]]).then_some(())
    });
    let before = pair.cache_hits();
    for _ in 0..100 {
        assert_eq!(pair.plan(&first), "enterprise");
    }
    assert_eq!(pair.cache_hits(), before);
    writeln!(session.stdin.as_mut().unwrap(), "commit;").unwrap();
    drop(session.stdin.take());
    assert!(session.wait().unwrap().success());
    assert_eq!(pair.plan(&first), "pro");
    pair.warm_cache(&first);
}

#[test]
fn revoked_lease_expires_within_its_term() {
    let Some(pair) = CachedPair::start() else { return };
    let first = pair.first.api(&pair.token);
    pair.warm_cache(&first);
    pair.statement("update memory_lease set holder = '-first'");
    let since = Instant::now();
    while since.elapsed() < LEASE_REVOCATION_DELAY {
        assert_eq!(pair.plan(&first), "enterprise");
    }
    pair.statement(&format!("update zones set tier = 'pro' where id = '{}'", pair.zone));
    assert_eq!(pair.plan(&first), "pro");
    // The process that revoked the lease has ended; the next writer clears the lease.
    pair.admin(&["zone", "plan", &pair.zone, "business"]);
    pair.expire_cache_backoff();
    pair.warm_cache(&first);
    // A cache that was not used for longer than a lease is invalid.
    std::thread::sleep(LEASE_REVOCATION_DELAY);
    pair.statement(&format!("update zones set tier = 'free' where id = '{}'", pair.zone));
    assert_eq!(pair.plan(&first), "free");
}

#[test]
fn lease_revocation_wait_ignores_later_revocations() {
    let Some(pair) = CachedPair::start() else { return };
    pair.warm_cache(&pair.first.api(&pair.token));
    let is_waiting = |pair: &CachedPair| {
        pair.second.api(&pair.token).send("POST", &pair.path("/filters"), &json!([{"expression": "ssl"}])).result();
    };
    std::thread::scope(|threads| {
        let waiting = threads.spawn(|| is_waiting(&pair));
        wait_until(LEASE_REVOCATION_DELAY, "the lease is revoked", || {
            pair.lease_holder().starts_with('-').then_some(())
        });
        // As if the lease had been released and another one had been revoked since.
        pair.statement("update memory_lease set holder = '-later'");
        waiting.join().unwrap();
    });
    assert_eq!(pair.lease_holder(), "-later");
    let since = Instant::now();
    pair.admin(&["zone", "plan", &pair.zone, "pro"]);
    assert!(since.elapsed() > LEASE_REVOCATION_DELAY, "the writer waits as well");
    assert_eq!(pair.lease_holder(), "");
}

#[test]
fn manual_database_change_is_visible_after_a_while() {
    let Some(pair) = CachedPair::start() else { return };
    let first = pair.first.api(&pair.token);
    pair.warm_cache(&first);
    pair.statement(&format!("update zones set tier = 'pro' where id = '{}'", pair.zone));
    wait_until(Duration::from_secs(12), "the change is seen", || (pair.plan(&first) == "pro").then_some(()));
}

#[test]
fn suspended_process_loses_its_lease() {
    let Some(pair) = CachedPair::start() else { return };
    let first = pair.first.api(&pair.token);
    pair.warm_cache(&first);
    pair.first.signal("STOP");
    pair.second.api(&pair.token).send("POST", &pair.path("/firewall/rules"), &rule("still")).result();
    pair.first.signal("CONT");
    assert_eq!(first.get(&pair.path("/firewall/rules")).body["result_info"]["total_count"], json!(1));
}

#[test]
fn shutdown_releases_the_lease_and_kill_leaves_it_until_expiry() {
    let Some(mut pair) = CachedPair::start() else { return };
    let second = pair.second.api(&pair.token);
    pair.warm_cache(&pair.first.api(&pair.token));
    assert_ne!(pair.lease_holder(), "");
    pair.first.stop();
    assert_eq!(pair.lease_holder(), "");
    pair.first = pair.options.start();
    pair.warm_cache(&pair.first.api(&pair.token));
    pair.first.kill();
    let since = Instant::now();
    second.send("POST", &pair.path("/filters"), &json!([{"expression": "not ssl"}])).result();
    assert!(since.elapsed() > LEASE_REVOCATION_DELAY, "{:?}", since.elapsed());
    assert_eq!(pair.lease_holder(), "");
}
