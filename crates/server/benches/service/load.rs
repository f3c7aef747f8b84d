//! Requests per second and latencies over 1, 16 and 64 connections.

use crate::client::Client;
use crate::raw::RawDatabase;
use crate::service::{Service, Target};
use futures_util::future::join_all;
use std::time::{Duration, Instant};

/// Number of measurements of each workload. The workloads alternate.
const ROUNDS: usize = 5;
const ROUND_DURATION: Duration = Duration::from_millis(1500);

/// The latency of each request of a workload, and the total time.
#[derive(Default)]
pub(crate) struct Timings {
    total_time: Duration,
    latencies: Vec<Duration>,
}

impl Timings {
    fn per_second(&self) -> f64 {
        self.latencies.len() as f64 / self.total_time.as_secs_f64()
    }

    fn add(&mut self, other: Timings) {
        self.total_time += other.total_time;
        self.latencies.extend(other.latencies);
    }

    /// Formats the rate, the median and the 99th percentile as one cell of the table.
    fn summary_cell(&mut self) -> String {
        self.latencies.sort();
        let percentile =
            |rank: usize| self.latencies.get(self.latencies.len() * rank / 100).copied().unwrap_or_default();
        let [p50, p99] = [percentile(50), percentile(99)].map(|time| time.as_secs_f64() * 1000.0);
        format!("{:>7.0}/s {p50:>6.2} {p99:>6.2} ms", self.per_second())
    }
}

/// Repeats `work` concurrently on each of several connections for [`ROUND_DURATION`].
pub(crate) async fn repeat<C>(connections: &mut [C], work: impl AsyncFn(&mut C)) -> Timings {
    let round_start = Instant::now();
    let latencies = join_all(connections.iter_mut().map(async |connection| {
        let mut latencies = Vec::new();
        while round_start.elapsed() < ROUND_DURATION {
            let work_start = Instant::now();
            work(connection).await;
            latencies.push(work_start.elapsed());
        }
        latencies
    }));
    let latencies = latencies.await.concat();
    Timings { total_time: round_start.elapsed(), latencies }
}

pub(crate) async fn run(target: &Target) {
    let service = Service::start(target).await;
    let mut raw = RawDatabase::open(target).await;
    let rules_url = |zone: usize| format!("/client/v4/zones/{}/firewall/rules", service.zones[zone]);
    let created = std::cell::Cell::new(0_u64);
    let mut setup_client = Client::connect(&service.address, &service.token).await;
    // Zone 0 gets enough rules for the page that the reads request.
    for _ in 0..60 {
        created.set(created.get() + 1);
        setup_client.call("POST", &rules_url(0), &rule_body(created.get())).await;
    }
    let page_url = format!("{}?page=2&per_page=25", rules_url(0));
    setup_client.call("GET", &page_url, "").await;
    let page_json = String::from_utf8(setup_client.body.clone()).unwrap();
    setup_client.call("POST", "/memory", &page_json).await;
    let response: serde_json::Value = serde_json::from_str(&page_json).unwrap();
    let rule_url = format!("{}/{}", rules_url(0), response["result"][0]["id"].as_str().unwrap());
    println!("each page has {} bytes; rates with p50 and p99", page_json.len());

    for connections in [1, 16, 64] {
        let mut clients = Vec::new();
        for _ in 0..connections {
            clients.push(Client::connect(&service.address, &service.token).await);
        }
        let [mut creates, mut raw_creates, mut raw_rows, mut lists, mut gets, mut memory] =
            std::array::from_fn(|_| Timings::default());
        for _ in 0..ROUNDS {
            let create = async |client: &mut Client| {
                created.set(created.get() + 1);
                // Zone 0 is for reads.
                let zone = 1 + created.get() as usize % (service.zones.len() - 1);
                client.call("POST", &rules_url(zone), &rule_body(created.get())).await;
            };
            creates.add(repeat(&mut clients, create).await);
            raw_creates.add(raw.creates(connections).await);
            raw_rows.add(raw.single_rows(connections).await);
            lists.add(repeat(&mut clients, async |client: &mut Client| client.call("GET", &page_url, "").await).await);
            memory.add(repeat(&mut clients, async |client: &mut Client| client.call("GET", "/memory", "").await).await);
            gets.add(repeat(&mut clients, async |client: &mut Client| client.call("GET", &rule_url, "").await).await);
        }
        println!("{connections} connections");
        let ratio = |workload: &Timings, baseline: &Timings| workload.per_second() / baseline.per_second();
        let (creates_ratio, rows_ratio) = (ratio(&creates, &raw_creates), ratio(&creates, &raw_rows));
        println!("  creates {}", creates.summary_cell());
        println!("    raw, the same rows {}: ratio {creates_ratio:.2}", raw_creates.summary_cell());
        println!("    raw, one row       {}: ratio {rows_ratio:.2}", raw_rows.summary_cell());
        let (lists_ratio, gets_ratio) = (ratio(&lists, &memory), ratio(&gets, &memory));
        println!("  lists   {}", lists.summary_cell());
        println!("  gets    {}", gets.summary_cell());
        println!("    page, no database  {}: ratios {lists_ratio:.2} and {gets_ratio:.2}", memory.summary_cell());
    }
}

/// Returns the body that creates one rule with its filter.
fn rule_body(number: u64) -> String {
    format!(
        r#"[{{"filter":{{"expression":"{}","description":"an address"}},"action":"block","paused":true,"description":"rule {number}"}}]"#,
        expression(number).replace('"', r#"\""#)
    )
}

/// Returns an expression that differs for each number.
pub(crate) fn expression(number: u64) -> String {
    format!(
        r#"(http.request.uri.path contains "/wp-login.php" and ip.src eq 10.{}.{}.{}) or cf.threat_score gt 14"#,
        number >> 16,
        number >> 8 & 255,
        number & 255
    )
}
