//! Invalid bodies: each is rejected with a code and a pointer, and nothing is persisted.

use crate::app::TestApp;
use axum::body::Body;
use axum::http::Request;
use serde_json::json;

const PATHS: [&str; 2] = ["/filters", "/firewall/rules"];

async fn assert_nothing_persisted(app: &TestApp) {
    assert_eq!((app.total("/filters").await, app.total("/firewall/rules").await), (0, 0));
}

#[tokio::test]
async fn malformed_json_is_rejected() {
    let app = TestApp::start().await;
    let deep = "[".repeat(10_000);
    let bodies: [&[u8]; 9] = [
        b"",
        b" ",
        b"{",
        b"[{\"expression\": \"ssl\"}",
        b"\xff\xfe",
        b"[{\"expression\": \"\xc3\x28\"}]",
        b"[{\"expression\": \"a\0b\"}]",
        b"expression=ssl",
        deep.as_bytes(),
    ];
    for body in bodies {
        for path in PATHS {
            let response = app.post_bytes(&app.zone(path), body.to_vec()).await;
            response.assert_errors(400, &[(10019, "")]);
            assert!(response.message().starts_with("the body is not valid JSON: "), "{}", response.message());
        }
    }
    assert_nothing_persisted(&app).await;
}

#[tokio::test]
async fn wrong_json_type_is_rejected() {
    let app = TestApp::start().await;
    for body in [json!(null), json!(true), json!(1), json!("ssl"), json!([])] {
        for path in PATHS {
            app.post(&app.zone(path), body.clone()).await.assert_errors(400, &[(10014, "")]);
        }
    }
    for body in [json!([null]), json!([[]]), json!(["ssl"])] {
        for path in PATHS {
            app.post(&app.zone(path), body.clone()).await.assert_errors(400, &[(10014, "/0")]);
        }
    }
    assert_nothing_persisted(&app).await;
}

#[tokio::test]
async fn oversized_expressions_are_rejected() {
    let app = TestApp::start().await;
    let expressions = [
        String::new(),
        "a".repeat(1024 * 1024),
        "ip.src eq 192.0.2.1 and ".repeat(45_000),
        "(".repeat(10_000),
        format!("{}ssl{}", "(".repeat(10_000), ")".repeat(10_000)),
        format!("{}ssl", "not ".repeat(10_000)),
        "http.host eq \"unterminated".to_owned(),
        "http.host matches \"(((a{100}){100}){100}){100}\"".to_owned(),
    ];
    for expression in &expressions {
        let filter = json!({ "expression": expression });
        let response = app.post(&app.zone("/filters"), json!([filter])).await;
        response.assert_errors(400, &[(10016, "/0/expression")]);
        assert!(response.message().len() < 20_000, "{} bytes of message", response.message().len());
        let response = app.post(&app.zone("/firewall/rules"), json!([{"filter": filter, "action": "block"}])).await;
        response.assert_errors(400, &[(10016, "/0/filter/expression")]);
    }
    assert_nothing_persisted(&app).await;
}

#[tokio::test]
async fn nul_characters_are_rejected() {
    let app = TestApp::start().await;
    let filter = json!({"expression": "http.host eq \"a\0b\"", "description": "\0"});
    let response = app.post(&app.zone("/filters"), json!([filter])).await;
    response.assert_errors(400, &[(10015, "/0/expression"), (10015, "/0/description")]);
    assert_eq!(response.message(), "`expression` contains a NUL character, which cannot be stored");
    assert_nothing_persisted(&app).await;
}

#[tokio::test]
async fn repeated_members_are_rejected() {
    let app = TestApp::start().await;
    let response = app.post_bytes(&app.zone("/filters"), r#"{"expression": "ssl", "expression": "true"}"#).await;
    response.assert_errors(400, &[(10014, "/expression")]);
    assert_eq!(response.message(), "duplicate member");
    let rule = r#"[{"action": "block", "filter": {"expression": "ssl", "paused": true, "paused": false}}]"#;
    app.post_bytes(&app.zone("/firewall/rules"), rule).await.assert_errors(400, &[(10014, "/0/filter/paused")]);
    assert_nothing_persisted(&app).await;
}

#[tokio::test]
async fn oversized_bodies_are_rejected() {
    let app = TestApp::start().await;
    let at_limit = format!("[{{\"expression\": \"{}\"}}]", "a".repeat(4 * 1024 * 1024 - 20));
    assert_eq!(app.post_bytes(&app.zone("/filters"), at_limit).await.status, 400);
    let response = app.post_bytes(&app.zone("/filters"), " ".repeat(4 * 1024 * 1024 + 1)).await;
    response.assert_errors(413, &[(10413, "")]);
    assert_eq!(response.message(), "the body is too large: at most 4194304 bytes are allowed");
    assert_nothing_persisted(&app).await;
}

#[tokio::test]
async fn validation_stops_after_a_hundred_errors() {
    let app = TestApp::start().await;
    let response = app.post(&app.zone("/filters"), json!(vec![json!({"a": 1}); 1000])).await;
    let errors = response.body["errors"].as_array().unwrap();
    assert_eq!((response.status, errors.len()), (400, 101));
    assert_eq!(errors[100]["source"]["pointer"], json!("/50"));
    app.post(&app.zone("/filters"), json!(vec![0; 1001])).await.assert_errors(400, &[(10014, "")]);
    let members: serde_json::Map<_, _> = (0..99_000).map(|n| (format!("m{n}"), json!(0))).collect();
    let response = app.post(&app.zone("/filters"), json!([members])).await;
    assert_eq!((response.status, response.body["errors"].as_array().map(Vec::len)), (400, Some(102)));
    assert_nothing_persisted(&app).await;
}

#[tokio::test]
async fn mistyped_and_unknown_members_are_rejected() {
    let app = TestApp::start().await;
    let filter = json!({"expression": "ssl"});
    let cases = [
        (json!({"filter": filter, "action": ["block"]}), (10014, "/0/action")),
        (json!({"filter": "ssl", "action": "block"}), (10014, "/0/filter")),
        (json!({"filter": filter, "action": "Block"}), (10015, "/0/action")),
        (json!({"filter": filter, "action": "block", "priority": "1"}), (10014, "/0/priority")),
        (json!({"filter": filter, "action": "block", "priority": 2_147_483_648_u32}), (10015, "/0/priority")),
        (json!({"filter": filter, "action": "block", "paused": 0}), (10014, "/0/paused")),
        (json!({"filter": filter, "action": "block", "description": {}}), (10014, "/0/description")),
        (json!({"filter": filter, "action": "block", "ref": "r".repeat(51)}), (10015, "/0/ref")),
        (json!({"filter": filter, "action": "block", "enabled": true}), (10014, "/0/enabled")),
        (json!({"filter": {"id": "x"}, "action": "block"}), (10015, "/0/filter/id")),
    ];
    for (rule, expected) in cases {
        app.post(&app.zone("/firewall/rules"), json!([rule])).await.assert_errors(400, &[expected]);
    }
    assert_nothing_persisted(&app).await;
}

#[tokio::test]
async fn unknown_methods_and_paths_are_rejected() {
    let app = TestApp::start().await;
    for path in [
        "/client/v4",
        "/client/v4/",
        "/client/v4/zone",
        "/client/v5/zones",
        "/nonsense",
        "/%ff",
        "/client/v4/zones/a/b/c/d",
    ] {
        app.get(path).await.assert_errors(404, &[(7003, ""), (7000, "")]);
    }
    let post = Request::post("/").header("host", "localhost").body(Body::empty()).unwrap();
    app.send(post).await.assert_errors(404, &[(7003, ""), (7000, "")]);
    let path = app.zone("/filters");
    let patched = app.send(app.request(axum::http::Method::PATCH, &path, "")).await;
    patched.assert_errors(405, &[(10405, "")]);
    assert_eq!(patched.headers["allow"], "GET,HEAD,POST,PUT,DELETE");
}

#[tokio::test]
async fn body_over_the_value_limit_is_413() {
    let app = TestApp::start().await;
    let objects = |count: usize| format!("[{}]", vec!["{\"a\":0}"; count].join(","));
    for path in PATHS {
        let response = app.post_bytes(&app.zone(path), objects(500_000)).await;
        response.assert_errors(413, &[(10413, "")]);
        assert!(response.message().ends_with("at most 100000 JSON values are allowed"), "{}", response.message());
        // A body at the limit is read, and rejected because of its items.
        app.post_bytes(&app.zone(path), objects(49_999)).await.assert_errors(400, &[(10014, "")]);
    }
    assert_nothing_persisted(&app).await;
}
