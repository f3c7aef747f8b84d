//! What callers do at the same time, what became of it, and whether the service is as they were told.

use crate::receiver::Receiver;
use crate::service::{Answer, Api, Options, Service, random, until};
use serde_json::{Value, json};
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Row};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{ScopedJoinHandle, scope, sleep};
use std::time::Duration;

const ENTRY_POINT: &str = "rulesets/phases/http_request_firewall_custom/entrypoint";
const MIGRATED: &str = "rulesets/phases/http_request_firewall_managed/entrypoint";
/// Rules of one combined create, and lines of one body.
const RULES: u64 = 2;
const LINES: u64 = 5;

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It was acknowledged.
    Kept,
    /// It was answered that nothing was changed.
    Refused,
    /// There was no answer, or one that says that nobody knows.
    Unknown,
}

impl Fate {
    pub(crate) fn of(answer: Option<&Answer>) -> Fate {
        match answer {
            None => Fate::Unknown,
            Some(answer) if answer.status == 200 => Fate::Kept,
            Some(answer) if answer.status == 503 => Fate::Refused,
            Some(answer) if answer.code() == 10504 => Fate::Unknown,
            Some(answer) => panic!("{} {:#}", answer.status, answer.body),
        }
    }

    /// Whether it may be there when it is, or may be missing when it is not.
    fn allows(self, there: bool) -> bool {
        self == Fate::Unknown || (self == Fate::Kept) == there
    }
}

/// What was done with a text as its mark.
type Deeds = Vec<(String, Fate)>;

/// A zone on which callers work, and the book of what they were told.
pub(crate) struct Ground {
    pub(crate) options: Options,
    pub(crate) receiver: Receiver,
    token: String,
    zone: String,
    /// Where rules are made: another zone each time, as one has room for so many only.
    rule_zones: Vec<String>,
    job: u64,
    /// Numbers for marks.
    next: AtomicU64,
    rules: Deeds,
    /// Of one object, in the order in which they were sent.
    rulesets: Deeds,
    names: Deeds,
    lines: Deeds,
    /// Zones that were to migrate.
    migrations: Deeds,
}

impl Ground {
    /// A zone with a job that delivers, on a database with nothing in it.
    pub(crate) fn new(options: Options) -> Ground {
        let receiver = Receiver::start();
        let service = options.start();
        let (token, zone) = (options.token(), options.zone("load.example", "enterprise"));
        let job = json!({"dataset": "http_requests", "enabled": true, "name": "0",
            "output_options": {"field_names": ["RayID"]}, "destination_conf": receiver.destination()});
        let made = service.api(&token).send("POST", &format!("/zones/{zone}/logpush/jobs"), &job).result();
        let job = made["id"].as_u64().unwrap();
        drop(service);
        let names = vec![("0".to_owned(), Fate::Kept)];
        let (rule_zones, rules, rulesets, lines, migrations) = Default::default();
        Ground {
            options,
            receiver,
            token,
            zone,
            rule_zones,
            job,
            next: AtomicU64::new(1),
            rules,
            rulesets,
            names,
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

    pub(crate) fn api(&self, service: &Service) -> Api {
        service.api(&self.token)
    }

    /// A mark that nothing else has.
    fn mark(&self) -> String {
        self.next.fetch_add(1, Ordering::Relaxed).to_string()
    }

    /// Lets all callers work while something happens to the service, and writes down what they were told.
    pub(crate) fn work<T>(&mut self, service: &Service, event: impl FnOnce() -> T) -> T {
        let plan = ["pro", "business", "enterprise"][random(3) as usize];
        let migrating = self.options.zone(&format!("{}.example", self.mark()), plan);
        self.rule_zones.push(self.options.zone(&format!("{}.example", self.mark()), "enterprise"));
        let config = format!("/zones/{migrating}/waf_migration/config?phase_two=1");
        let config = self.api(service).get(&config).result();
        let (ground, api, over) = (&*self, self.api(service), AtomicBool::new(false));
        let over = &over;
        let (event, [rules, rulesets, names, lines, migrations]) = scope(|threads| {
            let repeat = |work: fn(&Ground, &Api, &str) -> Option<Answer>| {
                let api = api.clone();
                threads.spawn(move || ground.repeat(over, |mark| work(ground, &api, mark)))
            };
            let rules = [repeat(Ground::create_rules), repeat(Ground::create_rules), repeat(Ground::create_rules)];
            let (rulesets, names) = ([repeat(Ground::change_ruleset)], [repeat(Ground::change_job)]);
            let lines = [repeat(Ground::send_lines), repeat(Ground::send_lines)];
            repeat(|ground, api, _| api.call("GET", &format!("{}?per_page=50", ground.rules_path()), ""));
            let api = &api;
            let migrations = [threads.spawn(move || {
                sleep(Duration::from_millis(random(400)));
                let path = format!("/zones/{migrating}/{MIGRATED}?waf_migration=pending&phase_two=1");
                let answer = api.call("PUT", &path, &config.to_string());
                vec![(migrating, Fate::of(answer.as_ref()))]
            })];
            let event = event();
            over.store(true, Ordering::Relaxed);
            (event, [joined(rules), joined(rulesets), joined(names), joined(lines), joined(migrations)])
        });
        self.rules.extend(rules);
        self.rulesets.extend(rulesets);
        self.names.extend(names);
        self.lines.extend(lines);
        self.migrations.extend(migrations);
        event
    }

    fn repeat(&self, over: &AtomicBool, work: impl Fn(&str) -> Option<Answer>) -> Deeds {
        let mut deeds = Vec::new();
        while !over.load(Ordering::Relaxed) {
            let mark = self.mark();
            let answer = work(&mark);
            deeds.push((mark, Fate::of(answer.as_ref())));
            if answer.is_none() {
                sleep(Duration::from_millis(5));
            }
        }
        deeds
    }

    /// Rules with filters of their own.
    fn create_rules(&self, api: &Api, mark: &str) -> Option<Answer> {
        let rule = |place| {
            let expression = format!("http.request.uri.path eq \"/{mark}/{place}\"");
            json!({"filter": {"expression": expression}, "action": "block", "paused": true, "description": mark})
        };
        let rules: Vec<Value> = (0..RULES).map(rule).collect();
        api.call("POST", &self.rules_path(), &json!(rules).to_string())
    }

    /// The entry point with other rules: as many as its mark says.
    fn change_ruleset(&self, api: &Api, mark: &str) -> Option<Answer> {
        let rule = |place| {
            json!({"action": "block", "description": mark,
            "expression": format!("http.request.uri.path eq \"/{mark}/{place}\"")})
        };
        let rules: Vec<Value> = (0..rules_of(mark)).map(rule).collect();
        let body = json!({"description": mark, "rules": rules});
        api.call("PUT", &self.path(ENTRY_POINT), &body.to_string())
    }

    /// The job with another name, and now and then with other batches, so that it begins anew.
    fn change_job(&self, api: &Api, mark: &str) -> Option<Answer> {
        sleep(Duration::from_millis(random(30)));
        let records = 1000 + random(3) * 1000;
        let body = json!({"name": mark, "max_upload_records": records});
        api.call("PUT", &self.path(&format!("logpush/jobs/{}", self.job)), &body.to_string())
    }

    fn send_lines(&self, api: &Api, mark: &str) -> Option<Answer> {
        let line = |place| json!({"RayID": format!("{mark}/{place}")}).to_string();
        let lines: Vec<String> = (0..LINES).map(line).collect();
        let answer = api.call("POST", &self.path("logpush/ingest/http_requests"), &lines.join("\n"))?;
        // Nobody may have forgotten the job.
        assert!(answer.status != 200 || answer.body["messages"] == json!([]), "{:#}", answer.body);
        Some(answer)
    }

    /// Everything but deliveries is as the callers were told.
    pub(crate) fn is_kept(&self, service: &Service) {
        self.rules_are_kept();
        self.ruleset_is_kept();
        self.job_is_kept(&self.api(service));
        for (zone, fate) in &self.migrations {
            self.migration_is_whole(&self.api(service), zone, *fate);
        }
    }

    fn rules_are_kept(&self) {
        let zones = format!("('{}')", self.rule_zones.join("', '"));
        let of_zones = |what: &str| self.rows(&format!("select {what} and zone_id in {zones} group by 1"));
        let there: BTreeMap<String, String> =
            of_zones("description, cast(count(*) as text) from firewall_rules where 1 = 1")
                .into_iter()
                .map(|row| (row[0].clone(), row[1].clone()))
                .collect();
        for (mark, fate) in &self.rules {
            let count = there.get(mark).map_or("0", String::as_str);
            let whole = RULES.to_string();
            assert!(count == "0" || count == whole, "{mark}: {count} rules of {RULES}");
            assert!(fate.allows(count == whole), "{mark}: {fate:?}, {count} rules");
        }
        let marks: BTreeSet<&String> = self.rules.iter().map(|(mark, _)| mark).collect();
        assert!(there.keys().all(|mark| marks.contains(mark)), "{there:?}");
        let alone = of_zones(
            "id, expression from filters where not exists (select 1 from firewall_rules r where r.filter_id = filters.id)",
        );
        assert_eq!(alone, Vec::<Vec<String>>::new(), "filters without their rules");
        let logged = self.number(&format!(
            "select count(*) from audit_log where action = 'firewall_rule.create' and scope in {zones}"
        ));
        assert_eq!(logged, there.len() as u64 * RULES, "entries of the audit log");
    }

    fn ruleset_is_kept(&self) {
        let now = self.rows(&format!(
            "select id, cast(version as text), description, rules from rulesets
             where zone_id = '{}' and phase = 'http_request_firewall_custom'",
            self.zone
        ));
        let Some(now) = now.first() else {
            assert!(self.rulesets.iter().all(|(_, fate)| fate.allows(false)), "the ruleset is lost");
            return;
        };
        is_last(&self.rulesets, &now[2]);
        let versions = self.rows(&format!(
            "select cast(version as text), description, rules from ruleset_versions where ruleset_id = '{}'
             order by ruleset_versions.version",
            now[0]
        ));
        assert_eq!(versions.last().map(Vec::as_slice), Some(&now[1..]), "the present version");
        let last: u64 = now[1].parse().unwrap();
        for (row, number) in versions.iter().rev().zip((1..=last).rev()) {
            assert_eq!(row[0], number.to_string(), "a version is missing");
            let rules: Vec<Value> = serde_json::from_str(&row[2]).unwrap();
            let right = rules.iter().filter(|rule| rule["description"] == json!(row[1])).count();
            assert_eq!((right as u64, rules.len() as u64), (rules_of(&row[1]), rules_of(&row[1])), "{}", row[2]);
        }
        assert_eq!(versions.len() as u64, last.min(50));
        let kept = self.rulesets.iter().filter(|(_, fate)| *fate == Fate::Kept).count() as u64;
        let refused = self.rulesets.iter().filter(|(_, fate)| *fate == Fate::Refused).count() as u64;
        assert!(last >= kept && last <= self.rulesets.len() as u64 - refused, "version {last}, {kept} acknowledged");
    }

    fn job_is_kept(&self, api: &Api) {
        let job = api.get(&self.path(&format!("logpush/jobs/{}", self.job))).result();
        is_last(&self.names, job["name"].as_str().unwrap());
    }

    /// It has not begun, or its rules are there and it goes on.
    fn migration_is_whole(&self, api: &Api, zone: &str, fate: Fate) {
        let state = || {
            let status = api.get(&format!("/zones/{zone}/waf_migration/status")).result();
            status["migration_state"].as_str().unwrap().to_owned()
        };
        let entry_point = api.get(&format!("/zones/{zone}/{MIGRATED}"));
        if state() == "start" {
            assert!(fate.allows(false), "{zone}: an acknowledged migration is lost");
            assert_eq!(entry_point.status, 404, "{zone}: rules without a migration");
            return;
        }
        assert!(fate.allows(true), "{zone}: a migration that was refused");
        assert!(!entry_point.result()["rules"].as_array().unwrap().is_empty(), "{zone}: a migration without rules");
        until(Duration::from_secs(30), "the end of a migration", || (state() == "complete").then_some(()));
        let complete = r#"{"migration_state":"complete"}"#;
        let ends = format!("select count(*) from audit_log where scope = '{zone}' and after_change = '{complete}'");
        assert_eq!(self.number(&ends), 1, "{zone}: it is complete once");
    }

    /// Every line that was acknowledged comes to the receiver, in its order; `starts` is how often the service began
    /// again, which may have sent some twice.
    pub(crate) fn is_delivered(&self, starts: usize) {
        let missing = || {
            let taken: BTreeSet<String> = self.receiver.taken().into_iter().collect();
            let kept = self.lines.iter().filter(|(_, fate)| *fate == Fate::Kept);
            let lines = kept.flat_map(|(mark, _)| (0..LINES).map(move |place| format!("{mark}/{place}")));
            lines.filter(|line| !taken.contains(line)).collect::<Vec<_>>()
        };
        until(Duration::from_secs(60), "every line is delivered", || missing().is_empty().then_some(()));
        let taken = self.receiver.taken();
        let refused: BTreeSet<&String> =
            self.lines.iter().filter(|(_, fate)| *fate == Fate::Refused).map(|(mark, _)| mark).collect();
        let mut seen = BTreeSet::new();
        let mut places = BTreeMap::new();
        for line in &taken {
            let (mark, place) = line.split_once('/').unwrap();
            assert!(!refused.contains(&mark.to_owned()), "{line} was refused");
            if seen.insert(line) {
                // Of each body one line after the other.
                let next: &mut u64 = places.entry(mark).or_default();
                assert_eq!(place, next.to_string(), "{line} came out of order");
                *next += 1;
            }
        }
        assert!(places.values().all(|count| *count == LINES), "a body was delivered by half");
        let backwards = self.steps_back(&taken);
        assert!(backwards <= starts, "{backwards} times lines were sent again, in {starts} starts");
    }

    /// How often lines that came before begin again.
    fn steps_back(&self, taken: &[String]) -> usize {
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut last, mut steps) = (None, 0);
        for line in taken {
            let new = places.len();
            let place = *places.entry(line).or_insert(new);
            // Repeated lines come in their former order; whenever that breaks, a repetition begins.
            steps += usize::from(place != new && last != place.checked_sub(1));
            last = Some(place);
        }
        steps
    }

    /// How much of each kind was acknowledged and how much not.
    pub(crate) fn told(&self) -> String {
        let count = |deeds: &Deeds| {
            let of = |fate| deeds.iter().filter(|(_, one)| *one == fate).count();
            format!("{}/{}/{}", of(Fate::Kept), of(Fate::Refused), of(Fate::Unknown))
        };
        format!(
            "acknowledged/refused/unknown: {} combined creates, {} rulesets, {} jobs, {} bodies of lines, {} migrations",
            count(&self.rules),
            count(&self.rulesets),
            count(&self.names),
            count(&self.lines),
            count(&self.migrations)
        )
    }

    /// How many requests were answered with an error.
    pub(crate) fn failures(&self) -> usize {
        let all = [&self.rules, &self.rulesets, &self.names, &self.lines, &self.migrations];
        all.into_iter().flatten().filter(|(_, fate)| *fate != Fate::Kept).count()
    }

    fn number(&self, statement: &str) -> u64 {
        let rows = self.rows(&statement.replacen("count(*)", "cast(count(*) as text)", 1));
        rows[0][0].parse().unwrap()
    }

    fn rows(&self, statement: &str) -> Vec<Vec<String>> {
        rows(&self.options, statement)
    }
}

/// What the database answers; all columns are texts.
pub(crate) fn rows(options: &Options, statement: &str) -> Vec<Vec<String>> {
    sqlx::any::install_default_drivers();
    let file = || format!("sqlite://{}/zonewright.db", options.data.display());
    let url = options.database.clone().unwrap_or_else(file);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut connection = AnyConnection::connect(&url).await.unwrap();
        let rows = sqlx::query(AssertSqlSafe(statement.to_owned())).fetch_all(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        rows.iter().map(|row| (0..row.len()).map(|place| row.get::<String, _>(place)).collect()).collect()
    })
}

fn rules_of(mark: &str) -> u64 {
    mark.parse::<u64>().unwrap() % 3 + 1
}

/// What is there now was sent after all that was acknowledged, or is the last of these, and was not refused.
fn is_last(deeds: &Deeds, mark: &str) {
    let place = deeds.iter().position(|(one, _)| one == mark);
    let place = place.unwrap_or_else(|| panic!("{mark} was never sent"));
    assert_ne!(deeds[place].1, Fate::Refused, "{mark} was refused");
    let later = deeds[place + 1..].iter().find(|(_, fate)| *fate == Fate::Kept);
    assert_eq!(later, None, "{mark} is there, and what was acknowledged later is not");
}

fn joined<const N: usize>(threads: [ScopedJoinHandle<'_, Deeds>; N]) -> Deeds {
    threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
}
