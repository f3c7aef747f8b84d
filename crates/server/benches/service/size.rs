//! A zone of 100,000 rules: what a page and a look-up take, and what memory is used while all pages are read.

use crate::client::Client;
use crate::service::{Service, Target};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const RULES: usize = 100_000;
/// Rules of one request.
const BATCH: usize = 1000;
const PAGE: usize = 100;
/// How often a request is repeated to take its time.
const TIMES: u32 = 200;

pub(crate) async fn run(target: &Target) {
    let service = Service::start(target).await;
    let rules = format!("/client/v4/zones/{}/firewall/rules", service.zones[0]);
    let mut client = Client::connect(&service.address, &service.token).await;
    let filter = json!([{"filter": {"expression": "ip.src eq 192.0.2.1"}, "action": "log", "paused": true}]);
    client.call("POST", &rules, &filter.to_string()).await;
    let filter = answer(&client)[0]["filter"]["id"].clone();

    let mut total = 1;
    for size in [RULES / 100, RULES] {
        while total < size {
            let number = BATCH.min(size - total);
            let rule = |number: usize| json!({"filter": {"id": filter}, "action": "log", "paused": true, "description": format!("rule {number}")});
            let batch: Vec<Value> = (total..total + number).map(rule).collect();
            client.call("POST", &rules, &json!(batch).to_string()).await;
            total += number;
        }
        let last = format!("{rules}?per_page={PAGE}&page={}", size / PAGE);
        let page = time(&mut client, &last).await;
        let middle = answer(&client)[PAGE / 2]["id"].as_str().unwrap().to_owned();
        let look_up = time(&mut client, &format!("{rules}/{middle}")).await;
        let search = time(&mut client, &format!("{rules}?id={middle}")).await;
        println!(
            "{size} rules: the last page {page:.2?}, one rule {look_up:.2?}, a search for it {search:.2?}; {} MiB",
            service.memory() / 1024
        );
    }
    let before = service.memory();
    let mut most = before;
    let mut listed = 0;
    for page in 1.. {
        client.call("GET", &format!("{rules}?per_page={PAGE}&page={page}"), "").await;
        let items = answer(&client).as_array().unwrap().len();
        listed += items;
        most = most.max(service.memory());
        if items == 0 {
            break;
        }
    }
    assert_eq!(listed, RULES);
    println!("reading all pages: {} MiB before, {} MiB at most", before / 1024, most / 1024);
}

/// The mean time of a request.
async fn time(client: &mut Client, path: &str) -> Duration {
    let begin = Instant::now();
    for _ in 0..TIMES {
        client.call("GET", path, "").await;
    }
    begin.elapsed() / TIMES
}

fn answer(client: &Client) -> Value {
    serde_json::from_slice::<Value>(&client.body).unwrap()["result"].take()
}
