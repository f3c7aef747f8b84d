//! Updates of an entry point: dry runs, conditional and concurrent updates, and updates before a restart.

use crate::app::TestApp;
use crate::migration_client::{ENTRY_POINT, NEVER_COMPLETES, PENDING, VALIDATION, zone};
use axum::http::Method;
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn dry_run_persists_nothing() {
    let app = TestApp::start_migrating(Duration::ZERO).await;
    let zone = zone(&app, "enterprise.example");
    let config = zone.config().await;
    for query in ["?dry_run=true", "?waf_migration=pending&phase_two=1&dry_run=true"] {
        zone.put(query, &config).await.assert_result(json!(null));
        zone.get(ENTRY_POINT).await.assert_errors(404, &[(10003, "")]);
        assert_eq!(zone.status().await, ["start", "enabled", "disabled"], "{query}");
    }
    zone.put("?waf_migration=pending&dry_run=yes", &config).await.assert_errors(400, &[(10015, "")]);
}

#[tokio::test]
async fn stale_etag_is_412() {
    let app = TestApp::start_migrating(NEVER_COMPLETES).await;
    let zone = zone(&app, "enterprise.example");
    let config = zone.get("/waf_migration/config?phase_two=1").await;
    let (tag, body) = (config.headers["etag"].to_str().unwrap().to_owned(), config.body["result"].clone());
    let path = app.zone_named("enterprise.example", "/settings/waf");
    app.patch(&path, json!({"value": "off"})).await;
    for tag in [tag.as_str(), "\"x\"", "W/\"x\"", "*", ""] {
        for query in [PENDING, VALIDATION, ""] {
            zone.put_if_match(tag, query, &body).await.assert_errors(412, &[(10412, "")]);
        }
    }
    assert_eq!(zone.status().await[0], "start");
    app.patch(&path, json!({"value": "on"})).await;
    assert_eq!(zone.put_if_match(&format!("\"x\", {tag}"), VALIDATION, &body).await.status, 200);
    let current_etag = zone.get(ENTRY_POINT).await.headers["etag"].to_str().unwrap().to_owned();
    assert_eq!(zone.put_if_match("*", VALIDATION, &body).await.status, 200);
    zone.put_if_match(&current_etag, VALIDATION, &body).await.assert_errors(412, &[(10412, "")]);
    assert_eq!(zone.put_if_match(zone.etag().await.trim_matches('"'), PENDING, &body).await.status, 200);
}

#[tokio::test]
async fn etag_covers_settings_state_and_entry_point() {
    let app = TestApp::start_migrating(Duration::from_secs(2)).await;
    let zone = zone(&app, "enterprise.example");
    let config = zone.config().await;
    let assert_rejected = async |tag: &str, changed: &str| {
        for query in [VALIDATION, PENDING, "", "?dry_run=true"] {
            let late = zone.put_if_match(tag, query, &config).await;
            late.assert_errors(412, &[(10412, "")]);
            assert!(late.message().contains(changed), "{}", late.message());
        }
    };
    // Two clients have read the same state; the second update is rejected, whatever the first one changed.
    let start = zone.etag().await;
    assert_eq!(zone.put_if_match(&start, VALIDATION, &config).await.status, 200);
    assert_rejected(&start, "migration state, entry point").await;
    let first = zone.etag().await;
    assert_eq!(zone.put_if_match(&first, VALIDATION, &config).await.status, 200);
    assert_rejected(&first, "(entry point)").await;
    let second = zone.etag().await;
    let current_etag = zone.get(ENTRY_POINT).await.headers["etag"].to_str().unwrap().to_owned();
    assert!(
        second.ends_with(&format!("-validation-{}", current_etag.trim_start_matches('"'))),
        "{second} {current_etag}"
    );
    let fingerprint = second.trim_matches('"').split('-').next().unwrap();
    assert_rejected(fingerprint, "does not match the current state; read it again").await;
    assert_rejected(&format!("\"{fingerprint}\""), "does not match the current state; read it again").await;
    assert_eq!(zone.put_if_match(&second, PENDING, &config).await.status, 200);
    let pending = zone.etag().await;
    zone.until_complete().await;
    for tag in [&start, &first, &second] {
        assert_rejected(tag, "migration state, entry point").await;
    }
    assert_rejected(&pending, "(migration state)").await;
    assert_eq!(zone.put_if_match(&zone.etag().await, "", &config).await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_concurrent_conditional_updates_succeeds() {
    let app = TestApp::start_migrating(NEVER_COMPLETES).await;
    let zone = zone(&app, "enterprise.example");
    let mut config = zone.config().await;
    let path = |query: &str| app.zone_named("enterprise.example", &format!("{ENTRY_POINT}{query}"));
    for (round, (query, state)) in
        [(VALIDATION, "validation"), (VALIDATION, "validation"), (PENDING, "pending"), ("", "pending")]
            .into_iter()
            .enumerate()
    {
        let tag = zone.etag().await;
        let mut tasks = Vec::new();
        for number in 0..8 {
            config["name"] = json!(format!("writer {number}"));
            let mut request = app.request(Method::PUT, &path(query), config.to_string());
            request.headers_mut().insert("if-match", tag.parse().unwrap());
            let router = app.router.clone();
            tasks.push(tokio::spawn(async move {
                tower::ServiceExt::oneshot(router, request).await.unwrap().status().as_u16()
            }));
        }
        let mut winners = Vec::new();
        for (number, task) in tasks.into_iter().enumerate() {
            let status = task.await.unwrap();
            assert!([200, 412].contains(&status), "{status}");
            winners.extend((status == 200).then(|| format!("writer {number}")));
        }
        let entry_point = zone.get(ENTRY_POINT).await.body["result"].clone();
        assert_eq!(winners, [entry_point["name"].as_str().unwrap()]);
        assert_eq!(entry_point["version"], (round + 1).to_string());
        assert_eq!(zone.status().await, [state, "enabled", "enabled"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_updates_advance_the_migration_once() {
    let app = TestApp::start_migrating(NEVER_COMPLETES).await;
    for (name, queries) in [("pro.example", [PENDING, PENDING]), ("enterprise.example", [PENDING, VALIDATION])] {
        let zone = zone(&app, name);
        let mut config = zone.config().await;
        let mut tasks = Vec::new();
        for number in 0..12 {
            config["name"] = json!(format!("writer {number}"));
            let path = app.zone_named(name, &format!("{ENTRY_POINT}{}", queries[number % 2]));
            let request = app.request(Method::PUT, &path, config.to_string());
            let router = app.router.clone();
            tasks.push(tokio::spawn(async move {
                let response = tower::ServiceExt::oneshot(router, request).await.unwrap();
                let status = response.status().as_u16();
                // Official clients retry automatically, and the retry would succeed.
                let is_final = response.headers().get("x-should-retry").is_some_and(|value| value == "false");
                assert_eq!(status == 409, is_final, "{status}");
                let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
                let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
                assert!(status != 409 || body["errors"][0]["code"] == 10409, "{body}");
                (number, status)
            }));
        }
        let mut accepted = Vec::new();
        for task in tasks {
            let (number, status) = task.await.unwrap();
            // A concurrent update is 409; a validation update that arrives too late is 400.
            assert!([200, 400, 409].contains(&status), "{status}");
            assert!(status != 400 || queries[number % 2] == VALIDATION, "{number}");
            accepted.extend((status == 200).then_some(number));
        }
        let entry_point = zone.get(ENTRY_POINT).await.body["result"].clone();
        let names: Vec<_> = accepted.iter().map(|number| format!("writer {number}")).collect();
        assert!(names.iter().any(|name| *name == entry_point["name"].as_str().unwrap()), "{entry_point}");
        assert_eq!(entry_point["version"], accepted.len().to_string(), "every accepted update was saved completely");
        let state = zone.status().await;
        let pending = accepted.iter().any(|number| queries[number % 2] == PENDING);
        assert_eq!(state, [if pending { "pending" } else { "validation" }, "enabled", "enabled"].map(str::to_owned));
    }
}

#[tokio::test]
async fn pending_migration_is_completed_after_a_restart() {
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
async fn every_planned_configuration_is_accepted_unchanged() {
    let app = TestApp::start_migrating(NEVER_COMPLETES).await;
    for name in ["enterprise.example", "business.example", "pro.example"] {
        let zone = zone(&app, name);
        let config = zone.config().await;
        let saved = zone.put(PENDING, &config).await;
        assert_eq!(saved.status, 200, "{saved:?}");
        let (mut saved_rules, mut sent_rules) = (saved.body["result"]["rules"].clone(), config["rules"].clone());
        for rule in saved_rules.as_array_mut().unwrap().iter_mut().chain(sent_rules.as_array_mut().unwrap()) {
            let rule = rule.as_object_mut().unwrap();
            rule.retain(|name, _| !["id", "version", "ref", "last_updated"].contains(&name.as_str()));
            rule["action_parameters"].as_object_mut().unwrap().remove("version");
        }
        assert_eq!(saved_rules, sent_rules, "{name}");
    }
}
