//! `/{zones|accounts}/{id}/logpush/validate`: validation of destinations and of the older output options.

use crate::app::TestApp;
use serde_json::{Value, json};

const VALID_DESTINATIONS: [&str; 6] = [
    "s3://bucket/logs/{DATE}?region=us-west-2",
    "r2://bucket/{DATE}?account-id=0123456789abcdef0123456789abcdef&access-key-id=a&secret-access-key=b",
    "gs://bucket/logs",
    "https://logs.example.com/in?header_Authorization=Basic%20x",
    "datadog://http-intake.logs.datadoghq.com/api/v2/logs?header_DD-API-KEY=x&ddsource=cloudflare",
    "sumo://endpoint.collection.sumologic.com/receiver/v1/http/code",
];
const INVALID_DESTINATIONS: [&str; 6] =
    ["", "nonsense", "s3://bucket/logs", "loki://example.com", "file:///logs", "http://example.com/"];

fn job_paths(app: &TestApp, rest: &str) -> [String; 2] {
    [app.zone(rest), app.account(rest)]
}

#[tokio::test]
async fn destination_is_validated_as_for_a_job() {
    let app = TestApp::start().await;
    for path in job_paths(&app, "/logpush/validate/destination") {
        for address in VALID_DESTINATIONS {
            let response = app.post(&path, json!({ "destination_conf": address })).await;
            let expected = json!({"valid": true, "message": ""});
            assert_eq!((response.status, &response.body["result"]), (200, &expected), "{address}");
        }
        for address in INVALID_DESTINATIONS {
            let response = app.post(&path, json!({ "destination_conf": address })).await;
            let (valid, message) = (&response.body["result"]["valid"], response.body["result"]["message"].as_str());
            assert_eq!((response.status, valid), (200, &json!(false)), "{address}");
            assert!(!message.unwrap().is_empty(), "{address}");
        }
    }
}

#[tokio::test]
async fn validation_of_an_undelivered_destination_returns_a_message() {
    let app = TestApp::start().await;
    let cases = [
        ("s3://logs?region=us-west-2", true),
        ("gs://logs/{DATE}", true),
        ("kinesis://logs?region=us-west-2&sts-assume-role-arn=arn:aws:iam::123456789012:role/logs", true),
        ("s3://logs?region=us-west-2&access-key-id=a&secret-access-key=b", false),
        ("https://logs.example/in", false),
    ];
    for (address, undelivered) in cases {
        let response =
            app.post(&app.zone("/logpush/validate/destination"), json!({ "destination_conf": address })).await;
        assert_eq!(response.body["result"]["valid"], json!(true), "{response:?}");
        let messages = response.body["messages"].as_array().unwrap();
        assert_eq!(messages.len(), usize::from(undelivered), "{address}: {messages:?}");
        assert!(messages.iter().all(|note| note["code"] == 10501 && note["source"]["pointer"] == "/destination_conf"));
    }
}

#[tokio::test]
async fn destination_exists_when_a_job_of_the_owner_uses_it_with_any_secrets() {
    let app = TestApp::start().await;
    let job = json!({"destination_conf": "s3://bucket/logs?region=us-west-2&access-key-id=a&secret-access-key=b"});
    assert_eq!(app.post(&app.zone("/logpush/jobs"), job).await.status, 200);
    let cases = [
        ("s3://bucket/logs?region=us-west-2&access-key-id=a&secret-access-key=b", true),
        ("s3://bucket/logs?region=us-west-2&access-key-id=c&secret-access-key=d", true),
        ("s3://bucket/logs/{DATE}?region=us-west-2", false),
        ("s3://bucket/logs?region=us-west-2&access-key-id=a&secret-access-key=b&endpoint=s3.example.com", false),
        ("gs://bucket/logs", false),
        ("nonsense", false),
    ];
    for (address, exists) in cases {
        for (path, is_owner) in job_paths(&app, "/logpush/validate/destination/exists").iter().zip([true, false]) {
            let response = app.post(path, json!({ "destination_conf": address })).await;
            response.assert_result(json!({"exists": exists && is_owner}));
        }
    }
}

#[tokio::test]
async fn older_output_options_are_validated_as_for_a_job() {
    let app = TestApp::start().await;
    let cases = [
        (json!({"logpull_options": "fields=RayID,ClientIP&timestamps=rfc3339"}), true),
        (json!({"logpull_options": "fields=RayID&timestamps=rfc3339&CVE-2021-44228=true&sample=0.1"}), true),
        (json!({"logpull_options": "fields=RuleID", "dataset": "firewall_events"}), true),
        (json!({"logpull_options": "fields=NoSuchField"}), false),
        (json!({"logpull_options": "fields=RuleID", "dataset": "http_requests"}), false),
        (json!({"logpull_options": "fields=RayID&timestamps=yesterday"}), false),
        (json!({"logpull_options": "fields=RayID", "dataset": "nonsense"}), false),
    ];
    for (body, valid) in cases {
        let response = app.post(&app.zone("/logpush/validate/origin"), body.clone()).await;
        let result = &response.body["result"];
        assert_eq!((response.status, &result["valid"]), (200, &json!(valid)), "{body} {response:?}");
        assert_eq!(result["message"].as_str().unwrap().is_empty(), valid, "{body}");
    }
}

#[tokio::test]
async fn account_dataset_must_be_named() {
    let app = TestApp::start().await;
    let path = app.account("/logpush/validate/origin");
    let response = app.post(&path, json!({"logpull_options": "fields=ActionType", "dataset": "audit_logs"})).await;
    response.assert_result(json!({"valid": true, "message": ""}));
}

#[tokio::test]
async fn malformed_validation_request_is_rejected() {
    let app = TestApp::start().await;
    let endpoints = [
        ("/logpush/ownership", "destination_conf"),
        ("/logpush/validate/destination", "destination_conf"),
        ("/logpush/validate/destination/exists", "destination_conf"),
        ("/logpush/validate/origin", "logpull_options"),
    ];
    for (rest, member) in endpoints {
        let pointer = format!("/{member}");
        for path in job_paths(&app, rest) {
            let bodies: [(Value, &str); 5] = [
                (json!({}), &pointer),
                (json!({ member: null }), &pointer),
                (json!({ member: 1 }), &pointer),
                (json!([]), ""),
                (json!({ member: "gs://b", "extra": 1 }), "/extra"),
            ];
            for (body, pointer) in bodies {
                app.post(&path, body).await.assert_errors(400, &[(1002, pointer)]);
            }
            app.post_bytes(&path, "{").await.assert_errors(400, &[(10019, "")]);
            app.get(&path).await.assert_errors(405, &[(10405, "")]);
        }
    }
    let response = app.post(&app.zone("/logpush/ownership/validate"), json!({})).await;
    response.assert_errors(400, &[(1002, "/destination_conf"), (1002, "/ownership_challenge")]);
}
