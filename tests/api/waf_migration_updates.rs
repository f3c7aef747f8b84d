//! Updates of an entry point that are only tried, held against a fingerprint, sent at the same time, or
//! followed by a restart.

use crate::app::TestApp;
use crate::migrating::{ENTRY_POINT, NOBODY_WAITS, PENDING, VALIDATION, zone};
use axum::http::Method;
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn of_a_dry_run_nothing_stays() {
    let app = TestApp::start_migrating(Duration::ZERO).await;
    let zone = zone(&app, "enterprise.example");
    let config = zone.config().await;
    for query in ["?dry_run=true", "?waf_migration=pending&phase_two=1&dry_run=true"] {
        assert_eq!(zone.put(query, &config).await.body["result"]["version"], "1", "{query}");
        zone.get(ENTRY_POINT).await.assert_errors(404, &[(10003, "")]);
        assert_eq!(zone.status().await, ["start", "enabled", "disabled"], "{query}");
    }
    zone.put("?waf_migration=pending&dry_run=yes", &config).await.assert_errors(400, &[(10015, "")]);
}

#[tokio::test]
async fn a_stale_fingerprint_is_refused() {
    let app = TestApp::start_migrating(NOBODY_WAITS).await;
    let zone = zone(&app, "enterprise.example");
    let config = zone.get("/waf_migration/config?phase_two=1").await;
    let (tag, body) = (config.headers["etag"].to_str().unwrap().to_owned(), config.body["result"].clone());
    let path = app.named("enterprise.example", "/settings/waf");
    app.patch(&path, json!({"value": "off"})).await;
    for tag in [tag.as_str(), "\"x\"", "W/\"x\"", "*", ""] {
        for query in [PENDING, VALIDATION, ""] {
            zone.put_if(tag, query, &body).await.assert_errors(412, &[(10412, "")]);
        }
    }
    assert_eq!(zone.status().await[0], "start");
    app.patch(&path, json!({"value": "on"})).await;
    assert_eq!(zone.put_if(&format!("\"x\", {tag}"), VALIDATION, &body).await.status, 200);
    let present = zone.get(ENTRY_POINT).await.headers["etag"].to_str().unwrap().to_owned();
    assert_eq!(zone.put_if("*", VALIDATION, &body).await.status, 200);
    zone.put_if(&present, VALIDATION, &body).await.assert_errors(412, &[(10412, "")]);
    assert_eq!(zone.put_if(tag.trim_matches('"'), PENDING, &body).await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_updates_at_once_one_moves_the_migration_and_all_leave_one_valid_state() {
    let app = TestApp::start_migrating(NOBODY_WAITS).await;
    for (name, queries) in [("pro.example", [PENDING, PENDING]), ("enterprise.example", [PENDING, VALIDATION])] {
        let zone = zone(&app, name);
        let mut config = zone.config().await;
        let mut tasks = Vec::new();
        for number in 0..12 {
            config["name"] = json!(format!("writer {number}"));
            let path = app.named(name, &format!("{ENTRY_POINT}{}", queries[number % 2]));
            let request = app.request(Method::PUT, &path, config.to_string());
            let router = app.router.clone();
            tasks.push(tokio::spawn(async move {
                let answer = tower::ServiceExt::oneshot(router, request).await.unwrap();
                (number, answer.status().as_u16())
            }));
        }
        let mut taken = Vec::new();
        for task in tasks {
            let (number, status) = task.await.unwrap();
            // 409 for one that was overtaken, 400 for one that came too late to validate.
            assert!([200, 400, 409].contains(&status), "{status}");
            assert!(status != 400 || queries[number % 2] == VALIDATION, "{number}");
            taken.extend((status == 200).then_some(number));
        }
        let entry_point = zone.get(ENTRY_POINT).await.body["result"].clone();
        let names: Vec<_> = taken.iter().map(|number| format!("writer {number}")).collect();
        assert!(names.iter().any(|name| *name == entry_point["name"].as_str().unwrap()), "{entry_point}");
        assert_eq!(entry_point["version"], taken.len().to_string(), "each that was taken was saved whole");
        let state = zone.status().await;
        let pending = taken.iter().any(|number| queries[number % 2] == PENDING);
        assert_eq!(state, [if pending { "pending" } else { "validation" }, "enabled", "enabled"].map(str::to_owned));
    }
}

#[tokio::test]
async fn what_is_pending_is_completed_after_a_restart() {
    let app = TestApp::start_migrating(Duration::from_secs(2)).await;
    let before = zone(&app, "pro.example").config().await;
    let saved = zone(&app, "pro.example").put(PENDING, &before).await.body["result"].clone();
    let app = app.restart().await;
    let zone = zone(&app, "pro.example");
    assert_eq!(zone.status().await[0], "pending");
    assert_eq!(zone.get(ENTRY_POINT).await.body["result"], saved);
    zone.until_complete().await;
    assert_eq!(zone.status().await, ["complete", "disabled", "enabled"]);
}

#[tokio::test]
async fn every_planned_configuration_is_taken_as_it_is() {
    let app = TestApp::start_migrating(NOBODY_WAITS).await;
    for name in ["enterprise.example", "business.example", "pro.example"] {
        let zone = zone(&app, name);
        let config = zone.config().await;
        let saved = zone.put(PENDING, &config).await;
        assert_eq!(saved.status, 200, "{saved:?}");
        let (mut got, mut sent) = (saved.body["result"]["rules"].clone(), config["rules"].clone());
        for rule in got.as_array_mut().unwrap().iter_mut().chain(sent.as_array_mut().unwrap()) {
            let rule = rule.as_object_mut().unwrap();
            rule.retain(|name, _| !["id", "version", "ref", "last_updated"].contains(&name.as_str()));
            rule["action_parameters"].as_object_mut().unwrap().remove("version");
        }
        assert_eq!(got, sent, "{name}");
    }
}
