//! A zone of 1,000 and then 100,000 rules: the time of a page, a lookup and a search. Then the memory of the process
//! while all pages are read.

use crate::client::Client;
use crate::service::{Service, Target};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const RULES: usize = 100_000;
/// Number of rules in one request.
const RULES_PER_REQUEST: usize = 1000;
const PAGE_SIZE: usize = 100;
/// Number of requests of each kind that are timed. All of them differ, because the service would respond to a repeated
/// request from its response cache.
const SAMPLES: usize = 50;

pub(crate) async fn run(target: &Target) {
    let service = Service::start(target).await;
    let rules = format!("/client/v4/zones/{}/firewall/rules", service.zones[0]);
    let mut client = Client::connect(&service.address, &service.token).await;
    let filter = json!([{"filter": {"expression": "ip.src eq 192.0.2.1"}, "action": "log", "paused": true}]);
    client.call("POST", &rules, &filter.to_string()).await;
    let filter = result_of_last_response(&client)[0]["filter"]["id"].clone();

    let mut total = 1;
    for size in [RULES / 100, RULES] {
        while total < size {
            let count = RULES_PER_REQUEST.min(size - total);
            let rule = |number: usize| json!({"filter": {"id": filter}, "action": "log", "paused": true, "description": format!("rule {number}")});
            let batch: Vec<Value> = (total..total + count).map(rule).collect();
            client.call("POST", &rules, &json!(batch).to_string()).await;
            total += count;
        }
        let pages = (PAGE_SIZE + 1 - SAMPLES..=PAGE_SIZE)
            .map(|items| format!("{rules}?per_page={items}&page={}", size / items));
        let page = mean_latency(&mut client, pages).await;
        let rules_of_page = result_of_last_response(&client);
        let ids: Vec<&str> =
            rules_of_page.as_array().unwrap().iter().take(SAMPLES).map(|rule| rule["id"].as_str().unwrap()).collect();
        let lookup = mean_latency(&mut client, ids.iter().map(|id| format!("{rules}/{id}"))).await;
        let search = mean_latency(&mut client, ids.iter().map(|id| format!("{rules}?id={id}"))).await;
        println!(
            "{size} rules: a page at the end {page:.2?}, one rule {lookup:.2?}, a search for it {search:.2?}; {} MiB",
            service.resident_memory_kib() / 1024
        );
    }
    let initial_kib = service.resident_memory_kib();
    let mut peak_kib = initial_kib;
    let mut listed = 0;
    for page in 1.. {
        client.call("GET", &format!("{rules}?per_page={PAGE_SIZE}&page={page}"), "").await;
        let items = result_of_last_response(&client).as_array().unwrap().len();
        listed += items;
        peak_kib = peak_kib.max(service.resident_memory_kib());
        if items == 0 {
            break;
        }
    }
    assert_eq!(listed, RULES);
    println!("reading all pages: {} MiB before, {} MiB at most", initial_kib / 1024, peak_kib / 1024);
}

/// Returns the mean time of the requests.
async fn mean_latency(client: &mut Client, paths: impl Iterator<Item = String>) -> Duration {
    let begin = Instant::now();
    let mut count = 0;
    for path in paths {
        client.call("GET", &path, "").await;
        count += 1;
    }
    begin.elapsed() / count
}

fn result_of_last_response(client: &Client) -> Value {
    serde_json::from_slice::<Value>(&client.body).unwrap()["result"].take()
}
