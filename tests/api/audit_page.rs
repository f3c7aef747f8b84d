//! `/accounts/{account_id}/audit_logs`

use crate::app::{TestApp, TestResponse};
use crate::audit::entries;
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use zonewright_store::{Admin, NewToken, Permission};

async fn get(app: &TestApp, query: &str) -> TestResponse {
    app.get(&app.account(&format!("/audit_logs{query}"))).await
}

#[track_caller]
fn ids(response: &TestResponse) -> Vec<String> {
    assert_eq!(response.status, 200, "{response:?}");
    response.pluck("id").iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

/// Creates filters in two zones alternately, so that their entries interleave; and users of the account.
async fn app_with_entries(number: usize) -> TestApp {
    let app = TestApp::start().await;
    for index in 0..number {
        let name = ["blocked.example", "pro.example"][index % 2];
        let new = json!([{ "expression": format!("ip.src eq 192.0.2.{index}"), "description": "n" }]);
        assert_eq!(app.post(&app.zone_named(name, "/filters"), new).await.status, 200);
    }
    app
}

#[tokio::test]
async fn entry_has_the_documented_shape() {
    let app = TestApp::start().await;
    app.create_filter("ssl").await;
    let response = get(&app, "").await;
    let entry = response.body["result"][0].clone();
    let zone = app.demo.zones.iter().find(|zone| zone.name == "blocked.example").unwrap();
    let value = &entry["newValueJson"];
    assert_eq!(serde_json::from_str::<Value>(entry["newValue"].as_str().unwrap()).unwrap(), *value);
    let hash = entry["metadata"]["hash"].as_str().unwrap();
    assert!(hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hash}");
    let expected = json!({
        "id": format!("{}-1", zone.id),
        "action": {"result": true, "type": "filter.create"},
        "actor": {"id": entry["actor"]["id"], "type": "user"},
        "interface": "API",
        "metadata": {
            "request_id": entry["metadata"]["request_id"], "zone_id": zone.id, "zone_name": "blocked.example",
            "log": zone.id, "entry": 1, "hash": hash
        },
        "newValue": entry["newValue"],
        "newValueJson": {"id": value["id"], "expression": "ssl", "paused": false},
        "owner": {"id": app.demo.account_id},
        "resource": {"id": value["id"], "type": "filter"},
        "when": entry["when"]
    });
    assert_eq!(entry, expected);
    assert_eq!(
        response.body["result_info"],
        json!({"page": 1, "per_page": 100, "count": 1, "total_count": 1, "total_pages": 1})
    );
}

#[tokio::test]
async fn pages_contain_every_entry_once_in_both_directions() {
    let app = app_with_entries(23).await;
    let newest = ids(&get(&app, "").await);
    assert_eq!(newest.len(), 23);
    let mut oldest = ids(&get(&app, "?direction=asc").await);
    oldest.reverse();
    assert_eq!(newest, oldest);
    for direction in ["desc", "asc"] {
        let all_ids = ids(&get(&app, &format!("?direction={direction}")).await);
        let mut found = Vec::new();
        for page in 1..=5 {
            let response = get(&app, &format!("?direction={direction}&per_page=5&page={page}")).await;
            assert_eq!(response.body["result_info"]["total_pages"], 5);
            found.extend(ids(&response));
        }
        assert_eq!(found, all_ids, "{direction}");
    }
    assert_eq!(ids(&get(&app, "?per_page=5&page=6").await), Vec::<String>::new());
    assert_eq!(ids(&get(&app, "?page=18446744073709551615").await), Vec::<String>::new());
}

#[tokio::test]
async fn deep_pages_match_sequential_pages() {
    let app = TestApp::start().await;
    // 2,400 entries in two zones, written by batches and one by one.
    for index in 0..12 {
        let name = ["enterprise.example", "blocked.example"][index % 2];
        let batch: Vec<Value> =
            (0..200).map(|host| json!({ "expression": format!("ip.src eq 10.1.{index}.{host}") })).collect();
        assert_eq!(app.post(&app.zone_named(name, "/filters"), json!(batch)).await.status, 200);
    }
    for direction in ["desc", "asc"] {
        let mut found = Vec::new();
        for page in 1.. {
            let response = get(&app, &format!("?direction={direction}&per_page=300&page={page}")).await;
            assert_eq!(response.body["result_info"]["total_count"], 2400);
            let ids = ids(&response);
            if ids.is_empty() {
                break;
            }
            found.extend(ids);
        }
        let mut distinct = found.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!((found.len(), distinct.len()), (2400, 2400), "{direction}");
        let deep_page = get(&app, &format!("?direction={direction}&per_page=7&page=300")).await;
        assert_eq!(ids(&deep_page), found[2093..2100], "{direction}");
        let whens: Vec<String> = deep_page.pluck("when").iter().map(|when| when.as_str().unwrap().to_owned()).collect();
        assert!(if direction == "asc" { whens.is_sorted() } else { whens.iter().rev().is_sorted() }, "{whens:?}");
    }
}

#[tokio::test]
async fn audit_log_filters_by_time_zone_actor_and_action() {
    let app = app_with_entries(10).await;
    let admin = Admin::open(app.data_dir.path(), &app.storage()).await.unwrap();
    admin.set_user(&app.demo.account_id, "me@a.example").await.unwrap();
    admin.close().await;
    let request = Request::delete(app.zone("/filters?id=0123456789abcdef0123456789abcdef")).header("host", "localhost");
    let request = request.header("x-auth-email", &app.demo.email).header("x-auth-key", &app.demo.key);
    assert_eq!(app.send(request.body(Body::empty()).unwrap()).await.status, 200);
    let filter = app.get(&app.zone("/filters")).await.id();
    let path = app.zone(&format!("/filters/{filter}"));
    let request = Request::delete(path).header("host", "localhost").header("x-auth-email", &app.demo.email);
    assert_eq!(app.send(request.header("x-auth-key", &app.demo.key).body(Body::empty()).unwrap()).await.status, 200);

    let all = entries(&app).await;
    assert_eq!(all.len(), 12);
    let when = |index: usize| all[index]["when"].as_str().unwrap();
    let id = all[3]["id"].as_str().unwrap();
    let by_mail = format!("?actor.email={}", app.demo.email.to_uppercase().replace('@', "%40"));
    let cases = [
        (format!("?since={}", when(4)), 8),
        (format!("?before={}", when(4)), 4),
        (format!("?since={}&before={}", when(2), when(4)), 2),
        (format!("?since={}&before={}&zone.name=pro.example", when(2), when(4)), 1),
        (format!("?since={}&action.type=filter.create", when(4)), 6),
        ("?since=2020-01-01&before=2999-01-01".to_owned(), 12),
        ("?before=2020-01-01".to_owned(), 0),
        ("?before=9999-12-31".to_owned(), 12),
        ("?since=9999-12-31T23:59:59Z".to_owned(), 0),
        ("?since=2999-01-01T00:00:00%2B02:00".to_owned(), 0),
        ("?since=2999-01-01&before=2020-01-01".to_owned(), 0),
        ("?zone.name=pro.example".to_owned(), 5),
        ("?zone.name=none.example".to_owned(), 0),
        ("?action.type=filter.create".to_owned(), 10),
        ("?action.type=filter.delete".to_owned(), 1),
        ("?action.type=user.set_key".to_owned(), 1),
        ("?action.type=filter.%25".to_owned(), 0),
        ("?hide_user_logs=true".to_owned(), 11),
        ("?hide_user_logs=false".to_owned(), 12),
        (by_mail, 1),
        ("?actor.email=nobody@a.example".to_owned(), 0),
        (format!("?id={id}"), 1),
        (format!("?id={id}&page=2"), 1),
        ("?id=nonsense".to_owned(), 0),
        ("?id=nonsense-1".to_owned(), 0),
        ("?id=-1".to_owned(), 0),
        (format!("?id={}-99", app.demo.account_id), 0),
    ];
    for (query, expected) in cases {
        let response = get(&app, &query).await;
        assert_eq!(response.status, 200, "{query}: {response:?}");
        let found = response.body["result"].as_array().unwrap();
        let total = &response.body["result_info"]["total_count"];
        assert_eq!(*total, json!(expected), "{query}");
        assert!(found.len() == expected || query.contains("page=2"), "{query}: {found:#?}");
    }
    assert_eq!(get(&app, &format!("?id={id}")).await.body["result"][0], all[3]);
    let entry = get(&app, "?action.type=user.set_key").await.body["result"][0].clone();
    assert_eq!(entry["actor"], json!({"id": "admin", "type": "admin"}));
    assert_eq!((&entry["interface"], &entry["newValueJson"]), (&json!("CLI"), &json!({"email": "me@a.example"})));
    let deleted = get(&app, "?action.type=filter.delete").await.body["result"][0].clone();
    assert_eq!(deleted["actor"]["email"], app.demo.email);
}

#[tokio::test]
async fn oversized_values_are_omitted_from_pages_and_returned_by_id() {
    let app = TestApp::start().await;
    app.create_filter("ssl").await;
    let list = (0..300).map(|net| format!("10.{}.{}.0/24", net / 250, net % 250)).collect::<Vec<_>>().join(" ");
    let path = app.zone("/rulesets/phases/http_request_firewall_custom/entrypoint");
    for number in 0..12 {
        let rule =
            |rule: u32| json!({"action": "block", "expression": format!("ip.src in {{10.9.{number}.{rule} {list}}}")});
        let rules: Vec<Value> = (0..200).map(rule).collect();
        let response = app.put(&path, json!({ "rules": rules })).await;
        assert_eq!(response.status, 200, "{response:?}");
    }
    let response = get(&app, "?per_page=1000").await;
    let all = response.body["result"].as_array().unwrap();
    assert_eq!((all.len(), &response.body["result_info"]["total_count"]), (13, &json!(13)));
    let size = response.body.to_string().len();
    assert!(size < 20 << 20, "{size}");
    let (complete, omitted): (Vec<_>, Vec<_>) = all.iter().partition(|entry| entry["metadata"]["omitted"].is_null());
    assert!(complete.len() > 4 && omitted.len() > 2, "{} {}", complete.len(), omitted.len());
    assert!(complete.iter().all(|entry| entry["newValue"].is_string() && entry["newValueJson"].is_object()));
    assert_eq!(all[12]["newValueJson"]["expression"], "ssl", "small values stay, at any position");
    for entry in omitted {
        let message = entry["metadata"]["omitted"].as_str().unwrap();
        assert!(message.ends_with("bytes; fetch this entry alone, by its `id`"), "{message}");
        assert!(entry.get("newValue").is_none() && entry.get("oldValueJson").is_none(), "{message}");
        let alone = get(&app, &format!("?id={}", entry["id"].as_str().unwrap())).await.body["result"][0].clone();
        assert!(alone["newValueJson"]["rules"].is_array() && alone["metadata"].get("omitted").is_none());
    }
    let listed = zonewright_store::read_log(
        app.data_dir.path(),
        &app.storage(),
        zonewright_store::LogQuery { limit: 20, ..Default::default() },
    )
    .await
    .unwrap();
    assert!(listed.iter().all(|entry| entry.new_value.is_some()), "the command line shows every value");
}

#[tokio::test]
async fn invalid_parameters_are_rejected() {
    let app = TestApp::start().await;
    for query in [
        "?since=yesterday",
        "?before=2026-13-01",
        "?since=2026-01-01T00:00:00",
        "?direction=up",
        "?per_page=0",
        "?per_page=1001",
        "?page=0",
        "?hide_user_logs=1",
        "?export=true",
        "?actor.ip=192.0.2.1",
        "?action.type=%00",
    ] {
        get(&app, query).await.assert_errors(400, &[(10015, "")]);
    }
    assert_eq!(get(&app, "?export=false&since=&x=y").await.status, 200);
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        let request = app.request(method.parse().unwrap(), &app.account("/audit_logs"), "");
        assert_eq!(app.send(request).await.status, 405, "{method}");
    }
}

#[tokio::test]
async fn audit_log_requires_account_read_permission() {
    let app = app_with_entries(2).await;
    let admin = Admin::open(app.data_dir.path(), &app.storage()).await.unwrap();
    let account = &app.demo.account_id;
    let zone = std::slice::from_ref(&app.demo.zone_id);
    let others: Vec<Permission> =
        Permission::ALL.into_iter().filter(|permission| *permission != Permission::AccountSettingsRead).collect();
    let reads = [Permission::AccountSettingsRead];
    let new = |permissions, zones| NewToken { name: "t", account_id: account, permissions, zones, expires: None };
    assert!(admin.create_token(&new(&reads, zone)).await.is_err(), "the permission is not available for a zone");
    for (permissions, zones, status) in [(&reads[..], &[][..], 200), (&others, &[], 403)] {
        let new = new(permissions, zones);
        let (_, token) = admin.create_token(&new).await.unwrap();
        let request = Request::get(app.account("/audit_logs")).header("host", "localhost");
        let request = request.header("authorization", format!("Bearer {token}")).body(Body::empty()).unwrap();
        let response = app.send(request).await;
        assert_eq!(response.status, status, "{permissions:?} {zones:?} {response:?}");
        if status == 403 {
            response.assert_errors(403, &[(9109, "")]);
        }
    }
    let other = admin.create_account("Other").await.unwrap().id;
    let key = admin.set_user(&other, "me@other.example").await.unwrap();
    admin.close().await;
    let request = |account: &str| {
        let request = Request::get(format!("/client/v4/accounts/{account}/audit_logs")).header("host", "localhost");
        let request = request.header("x-auth-email", "me@other.example").header("x-auth-key", &key);
        request.body(Body::empty()).unwrap()
    };
    app.send(request(account)).await.assert_errors(404, &[(7003, "")]);
    let own = app.send(request(&other)).await;
    assert_eq!(own.pluck("owner"), [json!({ "id": other })]);
    // Its own log is visible, also by ID, and no other.
    let foreign = format!("{}-1", app.demo.zone_id);
    let uri = format!("/client/v4/accounts/{other}/audit_logs?id={foreign}");
    let request = Request::get(uri).header("host", "localhost").header("x-auth-email", "me@other.example");
    let found = app.send(request.header("x-auth-key", &key).body(Body::empty()).unwrap()).await;
    assert_eq!(found.body["result"], json!([]));
}
