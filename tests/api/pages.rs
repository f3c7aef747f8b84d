//! Pagination of lists.

use crate::app::TestApp;
use axum::http::Method;
use serde_json::{Value, json};

async fn start_with_filters(number: usize) -> TestApp {
    let app = TestApp::start().await;
    let body: Vec<Value> = (0..number).map(|n| json!({"expression": format!("ip.src eq 192.0.2.{n}")})).collect();
    assert_eq!(app.post(&app.zone("/filters"), json!(body)).await.status, 200);
    app
}

#[tokio::test]
async fn pages_contain_every_item_once() {
    let app = start_with_filters(27).await;
    let info = |page: u64, per_page: u64, count: u64, total_pages: u64| json!({"page": page, "per_page": per_page, "count": count, "total_count": 27, "total_pages": total_pages});
    let cases = [
        ("", info(1, 25, 25, 2), Some("ip.src eq 192.0.2.0")),
        ("?page=2", info(2, 25, 2, 2), Some("ip.src eq 192.0.2.25")),
        ("?page=3", info(3, 25, 0, 2), None),
        ("?page=18446744073709551615&per_page=100", info(u64::MAX, 100, 0, 1), None),
        ("?page=3&per_page=10", info(3, 10, 7, 3), Some("ip.src eq 192.0.2.20")),
        ("?per_page=5&page=1&page=6", info(6, 5, 2, 6), Some("ip.src eq 192.0.2.25")),
    ];
    for (query, info, first) in cases {
        let response = app.get(&app.zone(&format!("/filters{query}"))).await;
        assert_eq!((response.status, &response.body["result_info"]), (200, &info), "{query}");
        let items = response.body["result"].as_array().unwrap();
        assert_eq!(items.len() as u64, info["count"].as_u64().unwrap(), "{query}");
        assert_eq!(items.first().and_then(|item| item["expression"].as_str()), first, "{query}");
    }
}

#[tokio::test]
async fn empty_list_has_zero_pages() {
    let app = TestApp::start().await;
    for list in ["/filters", "/firewall/rules"] {
        let info = json!({"page": 1, "per_page": 25, "count": 0, "total_count": 0, "total_pages": 0});
        let body = json!({"result": [], "success": true, "errors": [], "messages": [], "result_info": info});
        app.get(&app.zone(list)).await.assert(200, body);
    }
}

#[tokio::test]
async fn page_parameters_out_of_range_are_rejected() {
    let app = TestApp::start().await;
    for query in [
        "per_page=4",
        "per_page=101",
        "per_page=-1",
        "per_page=ten",
        "page=0",
        "page=-1",
        "page=1.5",
        "page=99999999999999999999",
    ] {
        for list in ["/filters", "/firewall/rules"] {
            app.get(&app.zone(&format!("{list}?{query}"))).await.assert_errors(400, &[(10015, "")]);
        }
    }
    let both = app.get(&app.zone("/filters?page=0&per_page=1")).await;
    both.assert_errors(400, &[(10015, ""), (10015, "")]);
    assert_eq!(both.body["errors"][1]["message"], json!("`per_page` must be an integer from 5 to 100"));
}

#[tokio::test]
async fn pages_of_a_list_with_gaps_contain_every_item_once() {
    let app = TestApp::start().await;
    let filter = |n: usize| json!({"expression": format!("cf.edge.server_port eq {n}")});
    for from in [0, 1000, 2000] {
        let body: Vec<Value> = (from..from + 1000).map(filter).collect();
        assert_eq!(app.post(&app.zone("/filters"), json!(body)).await.status, 200);
    }
    let mut ids = Vec::new();
    for page in 1..=30 {
        let response = app.get(&app.zone(&format!("/filters?per_page=100&page={page}"))).await;
        ids.extend(response.pluck("id"));
    }
    assert_eq!(ids.len(), 3000);
    // A whole block, the ends of others, and single items.
    let is_deleted = |n: usize| (950..2100).contains(&n) || n.is_multiple_of(7) || n >= 2990;
    let (deleted, remaining): (Vec<_>, Vec<_>) = ids.into_iter().enumerate().partition(|(n, _)| is_deleted(*n));
    for chunk in deleted.chunks(1000) {
        let body: Vec<&Value> = chunk.iter().map(|(_, id)| id).collect();
        let response = app.send(app.request(Method::DELETE, &app.zone("/filters"), json!(body).to_string())).await;
        assert_eq!(response.pluck("id").len(), chunk.len());
    }
    let mut remaining: Vec<Value> = remaining.into_iter().map(|(_, id)| id).collect();
    remaining.push(json!(app.create_filter("ssl").await));
    let mut listed = Vec::new();
    let mut page = 1;
    loop {
        let response = app.get(&app.zone(&format!("/filters?per_page=33&page={page}"))).await;
        let items = response.pluck("id");
        let total = remaining.len();
        let info = json!({"page": page, "per_page": 33, "count": items.len(), "total_count": total,
            "total_pages": total.div_ceil(33)});
        assert_eq!(response.body["result_info"], info);
        if items.is_empty() {
            break;
        }
        listed.extend(items);
        page += 1;
    }
    assert_eq!(listed, remaining);
}
