//! A workload of concurrent clients, the outcome of each request, and checks that the service agrees with them.

use crate::receiver::Receiver;
use crate::service::{ApiClient, ApiResponse, Options, Service, random, rows, wait_until};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{ScopedJoinHandle, scope, sleep};
use std::time::Duration;

const ENTRY_POINT: &str = "rulesets/phases/http_request_firewall_custom/entrypoint";
const MANAGED_ENTRY_POINT: &str = "rulesets/phases/http_request_firewall_managed/entrypoint";
/// Rules of one combined create, and lines of one body.
const RULES_PER_CREATE: u64 = 2;
const LINES_PER_BODY: u64 = 5;

/// The outcome of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteOutcome {
    /// The service acknowledged it.
    Acknowledged,
    /// The service responded that nothing was changed.
    Refused,
    /// No response, or one that reports an unknown outcome.
    Unknown,
}

impl WriteOutcome {
    pub(crate) fn from_response(response: Option<&ApiResponse>) -> WriteOutcome {
        match response {
            None => WriteOutcome::Unknown,
            Some(response) if response.status == 200 => WriteOutcome::Acknowledged,
            Some(response) if response.status == 503 => WriteOutcome::Refused,
            Some(response) if response.code() == 10504 => WriteOutcome::Unknown,
            Some(response) => panic!("{} {:#}", response.status, response.body),
        }
    }

    /// Whether the outcome allows that the write is stored, or, without `is_stored`, that it is not.
    fn is_consistent_with(self, is_stored: bool) -> bool {
        self == WriteOutcome::Unknown || (self == WriteOutcome::Acknowledged) == is_stored
    }
}

/// Writes, each with the mark that identifies it, and their outcomes.
type WriteLog = Vec<(String, WriteOutcome)>;

fn count_outcome(writes: &[(String, WriteOutcome)], outcome: WriteOutcome) -> usize {
    writes.iter().filter(|(_, actual)| *actual == outcome).count()
}

/// A zone with concurrent clients, and a log of the outcomes of their writes.
pub(crate) struct Workload {
    pub(crate) options: Options,
    pub(crate) receiver: Receiver,
    token: String,
    zone: String,
    /// The zones in which rules are created: a new one each time, because a zone has a limit of rules.
    rule_zones: Vec<String>,
    job: u64,
    /// Numbers for marks.
    next_mark: AtomicU64,
    rules: WriteLog,
    /// Writes of one object, in the order in which they were sent.
    rulesets: WriteLog,
    job_names: WriteLog,
    lines: WriteLog,
    /// Zones that were asked to migrate.
    migrations: WriteLog,
}

impl Workload {
    /// Creates a zone with an enabled job in an empty database.
    pub(crate) fn new(options: Options) -> Workload {
        let receiver = Receiver::start();
        let service = options.start();
        let (token, zone) = (options.token(), options.zone("load.example", "enterprise"));
        let job = json!({"dataset": "http_requests", "enabled": true, "name": "0",
            "output_options": {"field_names": ["RayID"]}, "destination_conf": receiver.destination()});
        let created = service.api(&token).send("POST", &format!("/zones/{zone}/logpush/jobs"), &job).result();
        let job = created["id"].as_u64().unwrap();
        drop(service);
        let job_names = vec![("0".to_owned(), WriteOutcome::Acknowledged)];
        let (rule_zones, rules, rulesets, lines, migrations) = Default::default();
        Workload {
            options,
            receiver,
            token,
            zone,
            rule_zones,
            job,
            next_mark: AtomicU64::new(1),
            rules,
            rulesets,
            job_names,
            lines,
            migrations,
        }
    }

    fn path(&self, rest: &str) -> String {
        format!("/zones/{}/{rest}", self.zone)
    }

    fn rules_path(&self) -> String {
        format!("/zones/{}/firewall/rules", self.rule_zones.last().unwrap())
    }

    pub(crate) fn api(&self, service: &Service) -> ApiClient {
        service.api(&self.token)
    }

    /// A unique mark.
    fn mark(&self) -> String {
        self.next_mark.fetch_add(1, Ordering::Relaxed).to_string()
    }

    /// Runs all clients while something happens to the service, and records the outcomes.
    pub(crate) fn run_during<T>(&mut self, service: &Service, event: impl FnOnce() -> T) -> T {
        let plan = ["pro", "business", "enterprise"][random(3) as usize];
        let migrating = self.options.zone(&format!("{}.example", self.mark()), plan);
        self.rule_zones.push(self.options.zone(&format!("{}.example", self.mark()), "enterprise"));
        let config = format!("/zones/{migrating}/waf_migration/config?phase_two=1");
        let config = self.api(service).get(&config).result();
        let (workload, api, is_over) = (&*self, self.api(service), AtomicBool::new(false));
        let is_over = &is_over;
        let (event, [rules, rulesets, job_names, lines, migrations]) = scope(|threads| {
            let repeat = |work: fn(&Workload, &ApiClient, &str) -> Option<ApiResponse>| {
                let api = api.clone();
                threads.spawn(move || workload.repeat(is_over, |mark| work(workload, &api, mark)))
            };
            let rules =
                [repeat(Workload::create_rules), repeat(Workload::create_rules), repeat(Workload::create_rules)];
            let (rulesets, job_names) = ([repeat(Workload::change_ruleset)], [repeat(Workload::change_job)]);
            let lines = [repeat(Workload::send_lines), repeat(Workload::send_lines)];
            repeat(|workload, api, _| api.call("GET", &format!("{}?per_page=50", workload.rules_path()), ""));
            let api = &api;
            let migrations = [threads.spawn(move || {
                sleep(Duration::from_millis(random(400)));
                let path = format!("/zones/{migrating}/{MANAGED_ENTRY_POINT}?waf_migration=pending&phase_two=1");
                let response = api.call("PUT", &path, &config.to_string());
                vec![(migrating, WriteOutcome::from_response(response.as_ref()))]
            })];
            let event = event();
            is_over.store(true, Ordering::Relaxed);
            (event, [join_all(rules), join_all(rulesets), join_all(job_names), join_all(lines), join_all(migrations)])
        });
        self.rules.extend(rules);
        self.rulesets.extend(rulesets);
        self.job_names.extend(job_names);
        self.lines.extend(lines);
        self.migrations.extend(migrations);
        event
    }

    fn repeat(&self, is_over: &AtomicBool, work: impl Fn(&str) -> Option<ApiResponse>) -> WriteLog {
        let mut writes = Vec::new();
        while !is_over.load(Ordering::Relaxed) {
            let mark = self.mark();
            let response = work(&mark);
            writes.push((mark, WriteOutcome::from_response(response.as_ref())));
            if response.is_none() {
                sleep(Duration::from_millis(5));
            }
        }
        writes
    }

    /// Creates rules with distinct filters.
    fn create_rules(&self, api: &ApiClient, mark: &str) -> Option<ApiResponse> {
        let rule = |index| {
            let expression = format!("http.request.uri.path eq \"/{mark}/{index}\"");
            json!({"filter": {"expression": expression}, "action": "block", "paused": true, "description": mark})
        };
        let rules: Vec<Value> = (0..RULES_PER_CREATE).map(rule).collect();
        api.call("POST", &self.rules_path(), &json!(rules).to_string())
    }

    /// Replaces the rules of the entry point; the mark determines their number.
    fn change_ruleset(&self, api: &ApiClient, mark: &str) -> Option<ApiResponse> {
        let rule = |index| {
            json!({"action": "block", "description": mark,
            "expression": format!("http.request.uri.path eq \"/{mark}/{index}\"")})
        };
        let rules: Vec<Value> = (0..rule_count(mark)).map(rule).collect();
        let body = json!({"description": mark, "rules": rules});
        api.call("PUT", &self.path(ENTRY_POINT), &body.to_string())
    }

    /// Renames the job, and sometimes changes its batches, so that its worker restarts.
    fn change_job(&self, api: &ApiClient, mark: &str) -> Option<ApiResponse> {
        sleep(Duration::from_millis(random(30)));
        let records = 1000 + random(3) * 1000;
        let body = json!({"name": mark, "max_upload_records": records});
        api.call("PUT", &self.path(&format!("logpush/jobs/{}", self.job)), &body.to_string())
    }

    fn send_lines(&self, api: &ApiClient, mark: &str) -> Option<ApiResponse> {
        let line = |index| json!({"RayID": format!("{mark}/{index}")}).to_string();
        let lines: Vec<String> = (0..LINES_PER_BODY).map(line).collect();
        let response = api.call("POST", &self.path("logpush/ingest/http_requests"), &lines.join("\n"))?;
        // The job must still be there.
        assert!(response.status != 200 || response.body["messages"] == json!([]), "{:#}", response.body);
        Some(response)
    }

    /// Asserts that everything but deliveries agrees with the recorded outcomes.
    pub(crate) fn assert_persisted(&self, service: &Service) {
        self.assert_rules_persisted();
        self.assert_ruleset_persisted();
        self.assert_job_persisted(&self.api(service));
        for (zone, outcome) in &self.migrations {
            self.assert_migration_complete(&self.api(service), zone, *outcome);
        }
    }

    fn assert_rules_persisted(&self) {
        let zones = format!("('{}')", self.rule_zones.join("', '"));
        let query_zones = |columns: &str| self.rows(&format!("select {columns} and zone_id in {zones} group by 1"));
        let stored: BTreeMap<String, String> =
            query_zones("description, cast(count(*) as text) from firewall_rules where 1 = 1")
                .into_iter()
                .map(|row| (row[0].clone(), row[1].clone()))
                .collect();
        for (mark, outcome) in &self.rules {
            let count = stored.get(mark).map_or("0", String::as_str);
            let complete = RULES_PER_CREATE.to_string();
            assert!(count == "0" || count == complete, "{mark}: {count} rules of {RULES_PER_CREATE}");
            assert!(outcome.is_consistent_with(count == complete), "{mark}: {outcome:?}, {count} rules");
        }
        let marks: BTreeSet<&String> = self.rules.iter().map(|(mark, _)| mark).collect();
        assert!(stored.keys().all(|mark| marks.contains(mark)), "{stored:?}");
        let unused_filters = query_zones(
            "id, expression from filters where not exists (select 1 from firewall_rules r where r.filter_id = filters.id)",
        );
        assert_eq!(unused_filters, Vec::<Vec<String>>::new(), "filters without their rules");
        let logged = self.query_count(&format!(
            "select count(*) from audit_log where action = 'firewall_rule.create' and scope in {zones}"
        ));
        assert_eq!(logged, stored.len() as u64 * RULES_PER_CREATE, "entries of the audit log");
    }

    fn assert_ruleset_persisted(&self) {
        let current = self.rows(&format!(
            "select id, cast(version as text), description, rules from rulesets
             where zone_id = '{}' and phase = 'http_request_firewall_custom'",
            self.zone
        ));
        let Some(current) = current.first() else {
            assert!(
                self.rulesets.iter().all(|(_, outcome)| outcome.is_consistent_with(false)),
                "an acknowledged ruleset is lost"
            );
            return;
        };
        assert_last_write_wins(&self.rulesets, &current[2]);
        let versions = self.rows(&format!(
            "select cast(version as text), description, rules from ruleset_versions where ruleset_id = '{}'
             order by ruleset_versions.version",
            current[0]
        ));
        assert_eq!(versions.last().map(Vec::as_slice), Some(&current[1..]), "the current version");
        let last: u64 = current[1].parse().unwrap();
        for (row, number) in versions.iter().rev().zip((1..=last).rev()) {
            assert_eq!(row[0], number.to_string(), "a version is missing");
            let rules: Vec<Value> = serde_json::from_str(&row[2]).unwrap();
            let described = rules.iter().filter(|rule| rule["description"] == json!(row[1])).count();
            assert_eq!(
                (described as u64, rules.len() as u64),
                (rule_count(&row[1]), rule_count(&row[1])),
                "{}",
                row[2]
            );
        }
        assert_eq!(versions.len() as u64, last.min(50));
        let acknowledged = count_outcome(&self.rulesets, WriteOutcome::Acknowledged) as u64;
        let rejected = count_outcome(&self.rulesets, WriteOutcome::Refused) as u64;
        assert!(
            last >= acknowledged && last <= self.rulesets.len() as u64 - rejected,
            "version {last}, {acknowledged} acknowledged"
        );
    }

    fn assert_job_persisted(&self, api: &ApiClient) {
        let job = api.get(&self.path(&format!("logpush/jobs/{}", self.job))).result();
        assert_last_write_wins(&self.job_names, job["name"].as_str().unwrap());
    }

    /// Asserts that the migration has not started, or that its rules exist and it completes.
    fn assert_migration_complete(&self, api: &ApiClient, zone: &str, outcome: WriteOutcome) {
        let state = || {
            let status = api.get(&format!("/zones/{zone}/waf_migration/status")).result();
            status["migration_state"].as_str().unwrap().to_owned()
        };
        let entry_point = api.get(&format!("/zones/{zone}/{MANAGED_ENTRY_POINT}"));
        if state() == "start" {
            assert!(outcome.is_consistent_with(false), "{zone}: an acknowledged migration is lost");
            assert_eq!(entry_point.status, 404, "{zone}: rules without a migration");
            return;
        }
        assert!(outcome.is_consistent_with(true), "{zone}: a rejected migration has started");
        assert!(!entry_point.result()["rules"].as_array().unwrap().is_empty(), "{zone}: a migration without rules");
        wait_until(Duration::from_secs(30), "migration complete", || (state() == "complete").then_some(()));
        let complete = r#"{"migration_state":"complete"}"#;
        let query = format!("select count(*) from audit_log where scope = '{zone}' and after_change = '{complete}'");
        assert_eq!(self.query_count(&query), 1, "{zone}: completed exactly once");
    }

    /// Asserts that the receiver gets every acknowledged line, in order within its body. Each of the `starts` may have
    /// sent some lines again.
    pub(crate) fn assert_delivered(&self, starts: usize) {
        let missing = || {
            let received: BTreeSet<String> = self.receiver.received_ids().into_iter().collect();
            let bodies = self.lines.iter().filter(|(_, outcome)| *outcome == WriteOutcome::Acknowledged);
            let lines = bodies.flat_map(|(mark, _)| (0..LINES_PER_BODY).map(move |index| format!("{mark}/{index}")));
            lines.filter(|line| !received.contains(line)).collect::<Vec<_>>()
        };
        wait_until(Duration::from_secs(60), "all lines delivered", || missing().is_empty().then_some(()));
        let received = self.receiver.received_ids();
        let rejected: BTreeSet<&String> =
            self.lines.iter().filter(|(_, outcome)| *outcome == WriteOutcome::Refused).map(|(mark, _)| mark).collect();
        let mut first_deliveries = BTreeSet::new();
        let mut indexes = BTreeMap::new();
        for line in &received {
            let (mark, index) = line.split_once('/').unwrap();
            assert!(!rejected.contains(&mark.to_owned()), "{line} was refused");
            if first_deliveries.insert(line) {
                // The lines of one body arrive in order.
                let next: &mut u64 = indexes.entry(mark).or_default();
                assert_eq!(index, next.to_string(), "{line} came out of order");
                *next += 1;
            }
        }
        assert!(indexes.values().all(|count| *count == LINES_PER_BODY), "a body was delivered partially");
        let redeliveries = self.count_redeliveries(&received);
        assert!(redeliveries <= starts, "{redeliveries} times lines were sent again, in {starts} starts");
    }

    /// Counts how often the receiver got earlier lines again.
    fn count_redeliveries(&self, received: &[String]) -> usize {
        let mut first_positions: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut last, mut redeliveries) = (None, 0);
        for line in received {
            let new = first_positions.len();
            let position = *first_positions.entry(line).or_insert(new);
            // Redelivered lines come in their original order; a line out of order starts another redelivery.
            redeliveries += usize::from(position != new && last != position.checked_sub(1));
            last = Some(position);
        }
        redeliveries
    }

    /// The number of acknowledged and other writes of each kind.
    pub(crate) fn summary(&self) -> String {
        let count = |writes: &WriteLog| {
            let outcomes = [WriteOutcome::Acknowledged, WriteOutcome::Refused, WriteOutcome::Unknown];
            outcomes.map(|outcome| count_outcome(writes, outcome).to_string()).join("/")
        };
        format!(
            "acknowledged/refused/unknown: {} combined creates, {} rulesets, {} jobs, {} bodies of lines, {} migrations",
            count(&self.rules),
            count(&self.rulesets),
            count(&self.job_names),
            count(&self.lines),
            count(&self.migrations)
        )
    }

    /// The number of failed requests.
    pub(crate) fn failures(&self) -> usize {
        let all = [&self.rules, &self.rulesets, &self.job_names, &self.lines, &self.migrations];
        all.into_iter().flatten().filter(|(_, outcome)| *outcome != WriteOutcome::Acknowledged).count()
    }

    fn query_count(&self, statement: &str) -> u64 {
        let rows = self.rows(&statement.replacen("count(*)", "cast(count(*) as text)", 1));
        rows[0][0].parse().unwrap()
    }

    fn rows(&self, statement: &str) -> Vec<Vec<String>> {
        rows(&self.options, statement)
    }
}

fn rule_count(mark: &str) -> u64 {
    mark.parse::<u64>().unwrap() % 3 + 1
}

/// Asserts that the current state is the last acknowledged write, or was sent later, and was not rejected.
fn assert_last_write_wins(writes: &WriteLog, mark: &str) {
    let index = writes.iter().position(|(sent, _)| sent == mark);
    let index = index.unwrap_or_else(|| panic!("{mark} was never sent"));
    assert_ne!(writes[index].1, WriteOutcome::Refused, "{mark} was refused");
    let later = writes[index + 1..].iter().find(|(_, outcome)| *outcome == WriteOutcome::Acknowledged);
    assert_eq!(later, None, "{mark} is current, although a later write was acknowledged");
}

fn join_all<const N: usize>(threads: [ScopedJoinHandle<'_, WriteLog>; N]) -> WriteLog {
    threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
}
