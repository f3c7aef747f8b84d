//! Three processes on one PostgreSQL, one of which is killed: another takes over its leases.

use crate::postgres::PostgresServer;
use crate::receiver::Receiver;
use crate::service::{ApiClient, Options, Service, rows, wait_until};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const NAMES: [&str; 3] = ["a", "b", "c"];
/// The duration of a lease, and the interval at which other processes poll it.
const LEASE_DURATION: Duration = Duration::from_secs(15);
const LEASE_POLL_INTERVAL: Duration = Duration::from_secs(5);

struct ProcessGroup {
    folder: TempDir,
    options: Vec<Options>,
    services: Vec<Service>,
    token: String,
    zone: String,
    cluster: PostgresServer,
}

impl ProcessGroup {
    fn start() -> Option<ProcessGroup> {
        let cluster = PostgresServer::start()?;
        let (folder, url) = (TempDir::new().unwrap(), cluster.database("fleet"));
        let named =
            |name: &&str| Options::new(&folder.path().join(name), Some(format!("{url}&application_name={name}")));
        let options: Vec<Options> = NAMES.iter().map(named).collect();
        let services = options.iter().map(Options::start).collect();
        let (token, zone) = (options[0].token(), options[0].zone("fleet.example", "pro"));
        Some(ProcessGroup { folder, options, services, token, zone, cluster })
    }

    fn api(&self, process: usize) -> ApiClient {
        self.services[process].api(&self.token)
    }

    fn path(&self, rest: &str) -> String {
        format!("/zones/{}/{rest}", self.zone)
    }

    fn query_count(&self, statement: &str) -> u64 {
        rows(&self.options[0], statement)[0][0].parse().unwrap()
    }
}

#[test]
fn concurrent_creates_across_processes_are_atomic_and_deduplicated() {
    const ROUNDS: usize = 10;
    let Some(fleet) = ProcessGroup::start() else { return };
    let zone = fleet.options[0].zone("creates.example", "enterprise");
    let path = format!("/zones/{zone}/firewall/rules");
    let create = |api: &ApiClient, host: &str| {
        let filter = json!({"expression": format!("http.host eq \"{host}.example\"")});
        let response = api.send("POST", &path, &json!([{"action": "block", "paused": true, "filter": filter}]));
        (response.status, response.code())
    };
    let run_client = |client: usize| {
        let (api, mut created_rounds) = (fleet.api(client % 3), Vec::new());
        for round in 0..ROUNDS {
            assert_eq!(create(&api, &format!("own-{client}-{round}")), (200, 0));
            match create(&api, &format!("same-{round}")) {
                (200, 0) => created_rounds.push(round),
                other => assert_eq!(other, (400, 10202)),
            }
        }
        created_rounds
    };
    let run_client = &run_client;
    let mut created_rounds: Vec<usize> = std::thread::scope(|threads| {
        let clients = [0, 1, 2, 3, 4, 5].map(|client| threads.spawn(move || run_client(client)));
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    created_rounds.sort_unstable();
    assert_eq!(created_rounds, (0..ROUNDS).collect::<Vec<_>>(), "each rule was created once");
    for process in 0..3 {
        let list = fleet.api(process).get(&path);
        assert_eq!(list.body["result_info"]["total_count"], json!(7 * ROUNDS));
    }
    fleet.options[0].assert_database_consistent();
}

#[test]
fn migration_of_a_killed_process_is_completed_once_by_another() {
    let Some(mut fleet) = ProcessGroup::start() else { return };
    let config = fleet.api(0).get(&fleet.path("waf_migration/config?phase_two=1")).result();
    let path = "rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=pending&phase_two=1";
    fleet.api(1).send("PUT", &fleet.path(path), &config).result();
    // The process that completes the migration waits for the lock of the zone, which this session holds.
    let mut holder = fleet.cluster.session("fleet");
    let input = holder.stdin.as_mut().unwrap();
    writeln!(input, "begin; select id from zones where id = '{}' for update;", fleet.zone).unwrap();
    let waiting = "select application_name from pg_stat_activity
                   where wait_event_type = 'Lock' and application_name in ('a', 'b', 'c')";
    let name = wait_until(Duration::from_secs(15), "a process starts to complete the migration", || {
        rows(&fleet.options[0], waiting).first().map(|row| row[0].clone())
    });
    let killed = NAMES.iter().position(|candidate| *candidate == name).unwrap();
    fleet.services[killed].kill();
    let since = Instant::now();
    holder.kill().unwrap();
    holder.wait().unwrap();
    let other = fleet.api((killed + 1) % 3);
    wait_until(LEASE_DURATION + 2 * LEASE_POLL_INTERVAL, "another process completes the migration", || {
        let status = other.get(&fleet.path("waf_migration/status")).result();
        (status["migration_state"] == json!("complete")).then_some(())
    });
    println!("completed by another process after {:.1} s", since.elapsed().as_secs_f64());
    let completions =
        r#"select cast(count(*) as text) from audit_log where after_change = '{"migration_state":"complete"}'"#;
    assert_eq!(fleet.query_count(completions), 1);
    let packages = other.get(&fleet.path("firewall/waf/packages"));
    assert_eq!(packages.status, 410);
    fleet.options[0].assert_database_consistent();
}

/// Options that start the service as if on another machine; `None` with a message where the system does not allow the
/// mount.
fn options_on_another_machine(options: &Options, folder: &TempDir) -> Option<Options> {
    let identity = folder.path().join("boot_id");
    std::fs::write(&identity, "00000000-0000-4000-8000-000000000000\n").unwrap();
    let mount = format!("mount --bind {} /proc/sys/kernel/random/boot_id && exec \"$0\" \"$@\"", identity.display());
    let launcher = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", &mount].map(str::to_owned);
    let status = Command::new(&launcher[0]).args(&launcher[1..]).arg("true").stderr(Stdio::null()).status().unwrap();
    if !status.success() {
        eprintln!("nothing can be mounted here, so only a start on the same machine was tested");
        return None;
    }
    Some(Options { launcher: launcher.into(), ..options.clone() })
}

#[test]
fn lines_of_a_killed_process_are_delivered_after_takeover_of_its_directory() {
    let Some(mut fleet) = ProcessGroup::start() else { return };
    let receiver = Receiver::start();
    let job = json!({"dataset": "http_requests", "enabled": true, "destination_conf": receiver.destination(),
                     "output_options": {"field_names": ["RayID"]}});
    fleet.api(0).send("POST", &fleet.path("logpush/jobs"), &job).result();
    let mut sent = Vec::new();
    let mut send = |fleet: &ProcessGroup, process: usize| {
        let line = format!("{}/{}", NAMES[process], sent.len());
        let body = json!({"RayID": line});
        let response = fleet.api(process).send("POST", &fleet.path("logpush/ingest/http_requests"), &body);
        assert_eq!((response.status, &response.body["messages"]), (200, &json!([])), "{:#}", response.body);
        sent.push(line);
    };
    for number in 0..60 {
        send(&fleet, number % 3);
    }
    // The process is killed while this line is still in its spool.
    send(&fleet, 2);
    fleet.services[2].kill();
    for number in 0..20 {
        send(&fleet, number % 2);
    }
    let since = Instant::now();
    // The same machine acquires the directory immediately; another machine waits until the lease has expired.
    let moved_options = options_on_another_machine(&fleet.options[2], &fleet.folder);
    let moved = moved_options.is_some();
    fleet.services[2] = moved_options.unwrap_or_else(|| fleet.options[2].clone()).start();
    let elapsed = since.elapsed();
    println!("the directory was taken over after {:.1} s, on another machine: {moved}", elapsed.as_secs_f64());
    assert!(elapsed < LEASE_DURATION + LEASE_POLL_INTERVAL, "{elapsed:?}");
    assert!(!moved || elapsed > Duration::from_secs(5), "it did not wait until the lease expired: {elapsed:?}");
    for number in 0..30 {
        send(&fleet, number % 3);
    }
    wait_until(Duration::from_secs(20), "all lines delivered", || {
        let received = receiver.received_ids();
        sent.iter().all(|line| received.contains(line)).then_some(())
    });
    // No further lines arrive.
    std::thread::sleep(Duration::from_secs(2));
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    receiver.received_ids().into_iter().for_each(|line| *times.entry(line).or_default() += 1);
    for (line, times) in &times {
        let max_copies = if line.starts_with("c/") { 2 } else { 1 };
        assert!(*times <= max_copies, "{line} was delivered {times} times");
    }
    assert_eq!(times.len(), sent.len());
    for name in NAMES {
        let mut first_deliveries = Vec::new();
        let sent_by_process = |line: &String| line.starts_with(name).then(|| line.clone());
        receiver.received_ids().iter().filter_map(sent_by_process).for_each(|line| {
            if !first_deliveries.contains(&line) {
                first_deliveries.push(line);
            }
        });
        let in_order: Vec<String> = sent.iter().filter_map(sent_by_process).collect();
        assert_eq!(first_deliveries, in_order, "lines of {name} came out of order");
    }
    let startup_error = fleet.options[2].startup_error();
    assert!(startup_error.contains("another service is using the data directory"), "{startup_error}");
    fleet.options[0].assert_database_consistent();
}

#[test]
fn second_process_on_a_sqlite_directory_is_refused() {
    let folder = TempDir::new().unwrap();
    let options = Options::new(&folder.path().join("data"), None);
    let mut service = options.start();
    for _ in 0..3 {
        let output = options.startup_error();
        assert!(output.contains("another service is using the data directory"), "{output}");
    }
    assert_eq!(service.get_unauthenticated("/readyz").map(|(status, _)| status), Some(200));
    service.kill();
    let service = options.start();
    assert_eq!(service.get_unauthenticated("/readyz").map(|(status, _)| status), Some(200));
}
