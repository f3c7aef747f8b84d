//! Three processes on one PostgreSQL, one of which is killed: what it had claimed is taken over.

use crate::cluster::Cluster;
use crate::load::rows;
use crate::receiver::Receiver;
use crate::service::{Api, Options, Service, until};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const NAMES: [&str; 3] = ["a", "b", "c"];
/// How long a claim is good, and how often others look.
const LEASE: Duration = Duration::from_secs(15);
const LOOK: Duration = Duration::from_secs(5);

struct Fleet {
    folder: TempDir,
    options: Vec<Options>,
    services: Vec<Service>,
    token: String,
    zone: String,
    cluster: Cluster,
}

impl Fleet {
    fn start() -> Option<Fleet> {
        let cluster = Cluster::start()?;
        let (folder, url) = (TempDir::new().unwrap(), cluster.database("fleet"));
        let named =
            |name: &&str| Options::new(&folder.path().join(name), Some(format!("{url}&application_name={name}")));
        let options: Vec<Options> = NAMES.iter().map(named).collect();
        let services = options.iter().map(Options::start).collect();
        let (token, zone) = (options[0].token(), options[0].zone("fleet.example", "pro"));
        Some(Fleet { folder, options, services, token, zone, cluster })
    }

    fn api(&self, which: usize) -> Api {
        self.services[which].api(&self.token)
    }

    fn path(&self, rest: &str) -> String {
        format!("/zones/{}/{rest}", self.zone)
    }

    fn number(&self, statement: &str) -> u64 {
        rows(&self.options[0], statement)[0][0].parse().unwrap()
    }
}

#[test]
fn rules_that_all_of_them_make_are_whole_and_equal_ones_are_made_once() {
    const ROUNDS: usize = 10;
    let Some(fleet) = Fleet::start() else { return };
    let zone = fleet.options[0].zone("creates.example", "enterprise");
    let path = format!("/zones/{zone}/firewall/rules");
    let create = |api: &Api, host: &str| {
        let filter = json!({"expression": format!("http.host eq \"{host}.example\"")});
        let answer = api.send("POST", &path, &json!([{"action": "block", "paused": true, "filter": filter}]));
        (answer.status, answer.code())
    };
    let work = |caller: usize| {
        let (api, mut first) = (fleet.api(caller % 3), Vec::new());
        for round in 0..ROUNDS {
            assert_eq!(create(&api, &format!("own-{caller}-{round}")), (200, 0));
            match create(&api, &format!("same-{round}")) {
                (200, 0) => first.push(round),
                told => assert_eq!(told, (400, 10202)),
            }
        }
        first
    };
    let work = &work;
    let mut first: Vec<usize> = std::thread::scope(|threads| {
        let callers = [0, 1, 2, 3, 4, 5].map(|caller| threads.spawn(move || work(caller)));
        callers.into_iter().flat_map(|caller| caller.join().unwrap()).collect()
    });
    first.sort_unstable();
    assert_eq!(first, (0..ROUNDS).collect::<Vec<_>>(), "each was made once");
    for which in 0..3 {
        let list = fleet.api(which).get(&path);
        assert_eq!(list.body["result_info"]["total_count"], json!(7 * ROUNDS));
    }
    fleet.options[0].is_sound();
}

#[test]
fn a_migration_whose_process_is_killed_is_completed_once_by_another() {
    let Some(mut fleet) = Fleet::start() else { return };
    let config = fleet.api(0).get(&fleet.path("waf_migration/config?phase_two=1")).result();
    let path = "rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=pending&phase_two=1";
    fleet.api(1).send("PUT", &fleet.path(path), &config).result();
    // Whoever completes it waits for the lock of the zone, which is held here.
    let mut holder = fleet.cluster.session("fleet");
    let input = holder.stdin.as_mut().unwrap();
    writeln!(input, "begin; select id from zones where id = '{}' for update;", fleet.zone).unwrap();
    let waiting = "select application_name from pg_stat_activity
                   where wait_event_type = 'Lock' and application_name in ('a', 'b', 'c')";
    let name = until(Duration::from_secs(15), "one of them begins to complete it", || {
        rows(&fleet.options[0], waiting).first().map(|row| row[0].clone())
    });
    let killed = NAMES.iter().position(|one| *one == name).unwrap();
    fleet.services[killed].kill();
    let since = Instant::now();
    holder.kill().unwrap();
    holder.wait().unwrap();
    let other = fleet.api((killed + 1) % 3);
    until(LEASE + 2 * LOOK, "another one completes it", || {
        let status = other.get(&fleet.path("waf_migration/status")).result();
        (status["migration_state"] == json!("complete")).then_some(())
    });
    println!("completed by another process after {:.1} s", since.elapsed().as_secs_f64());
    let ends = r#"select cast(count(*) as text) from audit_log where after_change = '{"migration_state":"complete"}'"#;
    assert_eq!(fleet.number(ends), 1);
    let packages = other.get(&fleet.path("firewall/waf/packages"));
    assert_eq!(packages.status, 410);
    fleet.options[0].is_sound();
}

/// A start as on another machine; nothing where the system does not let us pretend, which is said.
fn elsewhere(options: &Options, folder: &TempDir) -> Option<Options> {
    let identity = folder.path().join("boot_id");
    std::fs::write(&identity, "00000000-0000-4000-8000-000000000000\n").unwrap();
    let mount = format!("mount --bind {} /proc/sys/kernel/random/boot_id && exec \"$0\" \"$@\"", identity.display());
    let before = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", &mount].map(str::to_owned);
    let tried = Command::new(&before[0]).args(&before[1..]).arg("true").stderr(Stdio::null()).status().unwrap();
    if !tried.success() {
        eprintln!("nothing can be mounted here, so only a start on the same machine was tried");
        return None;
    }
    Some(Options { before: before.into(), ..options.clone() })
}

#[test]
fn lines_of_a_killed_process_are_delivered_when_its_folder_is_taken_over() {
    let Some(mut fleet) = Fleet::start() else { return };
    let receiver = Receiver::start();
    let job = json!({"dataset": "http_requests", "enabled": true, "destination_conf": receiver.destination(),
                     "output_options": {"field_names": ["RayID"]}});
    fleet.api(0).send("POST", &fleet.path("logpush/jobs"), &job).result();
    let mut sent = Vec::new();
    let mut send = |fleet: &Fleet, which: usize| {
        let line = format!("{}/{}", NAMES[which], sent.len());
        let body = json!({"RayID": line});
        let answer = fleet.api(which).send("POST", &fleet.path("logpush/ingest/http_requests"), &body);
        assert_eq!((answer.status, &answer.body["messages"]), (200, &json!([])), "{:#}", answer.body);
        sent.push(line);
    };
    for number in 0..60 {
        send(&fleet, number % 3);
    }
    // With lines that nobody has delivered yet.
    send(&fleet, 2);
    fleet.services[2].kill();
    for number in 0..20 {
        send(&fleet, number % 2);
    }
    let since = Instant::now();
    // Nobody else has its folder: on the same machine it is had at once, elsewhere when the claim has ended.
    let again = elsewhere(&fleet.options[2], &fleet.folder);
    let moved = again.is_some();
    fleet.services[2] = again.unwrap_or_else(|| fleet.options[2].clone()).start();
    let took = since.elapsed();
    println!("the folder was taken over after {:.1} s, elsewhere: {moved}", took.as_secs_f64());
    assert!(took < LEASE + LOOK, "{took:?}");
    assert!(!moved || took > Duration::from_secs(5), "it did not wait for the end of the claim: {took:?}");
    for number in 0..30 {
        send(&fleet, number % 3);
    }
    until(Duration::from_secs(20), "every line is delivered", || {
        let taken = receiver.taken();
        sent.iter().all(|line| taken.contains(line)).then_some(())
    });
    // Nothing more comes.
    std::thread::sleep(Duration::from_secs(2));
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    receiver.taken().into_iter().for_each(|line| *times.entry(line).or_default() += 1);
    for (line, times) in &times {
        let most = if line.starts_with("c/") { 2 } else { 1 };
        assert!(*times <= most, "{line} was delivered {times} times");
    }
    assert_eq!(times.len(), sent.len());
    for name in NAMES {
        let mut seen = Vec::new();
        let of = |line: &String| line.starts_with(name).then(|| line.clone());
        receiver.taken().iter().filter_map(of).for_each(|line| {
            if !seen.contains(&line) {
                seen.push(line);
            }
        });
        let in_order: Vec<String> = sent.iter().filter_map(of).collect();
        assert_eq!(seen, in_order, "lines of {name} came out of order");
    }
    let refused = fleet.options[2].refused();
    assert!(refused.contains("another service is using the data folder"), "{refused}");
    fleet.options[0].is_sound();
}

#[test]
fn a_second_process_on_the_folder_of_sqlite_is_refused_and_does_no_harm() {
    let folder = TempDir::new().unwrap();
    let options = Options::new(&folder.path().join("data"), None);
    let mut service = options.start();
    for _ in 0..3 {
        let said = options.refused();
        assert!(said.contains("another service is using the data folder"), "{said}");
    }
    assert_eq!(service.look("/readyz").map(|(status, _)| status), Some(200));
    service.kill();
    let service = options.start();
    assert_eq!(service.look("/readyz").map(|(status, _)| status), Some(200));
}
