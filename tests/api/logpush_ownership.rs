//! `/{zones|accounts}/{id}/logpush/ownership`: the proof that the owner controls a destination.

use crate::app::TestApp;
use serde_json::{Value, json};
use std::path::PathBuf;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const FOLDER: &str = "file:///team/{DATE}";
const S3: &str = "s3://bucket/logs?region=us-west-2";

async fn start_with_file_root() -> (TestApp, PathBuf) {
    let app = TestApp::start_with_log_push(|config, folder| config.file_root = Some(folder.join("pushed"))).await;
    let root = app.data_dir.path().join("pushed");
    std::fs::create_dir(&root).unwrap();
    (app, root)
}

/// Requests a challenge and reads it from the destination.
async fn challenge(app: &TestApp, root: &std::path::Path, path: &str, address: &str) -> String {
    let response = app.post(path, json!({ "destination_conf": address })).await;
    let result = &response.body["result"];
    assert_eq!(
        (response.status, &result["valid"], &result["message"]),
        (200, &json!(true), &json!("")),
        "{response:?}"
    );
    std::fs::read_to_string(root.join(result["filename"].as_str().unwrap())).unwrap()
}

#[tokio::test]
async fn challenge_is_written_to_the_destination() {
    let (app, root) = start_with_file_root().await;
    let response = app.post(&app.zone("/logpush/ownership"), json!({ "destination_conf": FOLDER })).await;
    let name = response.body["result"]["filename"].as_str().unwrap_or_else(|| panic!("{response:?}")).to_owned();
    let parts: Vec<&str> = name.split('/').collect();
    let [team, date, file] = parts.as_slice() else { panic!("{name}") };
    assert!(*team == "team" && date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit()), "{name}");
    assert!(file.starts_with("ownership-challenge-") && file.ends_with(".txt"), "{name}");
    let token = std::fs::read_to_string(root.join(&name)).unwrap();
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"/+._-".contains(&byte);
    assert!(token.len() <= 4096 && token.bytes().all(allowed), "{token}");
}

#[tokio::test]
async fn challenge_is_bound_to_owner_and_destination() {
    let (app, root) = start_with_file_root().await;
    let token = challenge(&app, &root, &app.zone("/logpush/ownership"), FOLDER).await;
    let (zone, account) = (app.zone("/logpush/ownership/validate"), app.account("/logpush/ownership/validate"));
    let other_zone = app.zone_on_plan("pro", "/logpush/ownership/validate");
    let cases = [
        (&zone, FOLDER, token.clone(), true),
        (&zone, FOLDER, format!("{token}\n"), true),
        (&account, FOLDER, token.clone(), false),
        (&other_zone, FOLDER, token.clone(), false),
        (&zone, "file:///team", token.clone(), false),
        (&zone, "nonsense", token.clone(), false),
        (&zone, FOLDER, "x".to_owned(), false),
        (&zone, FOLDER, String::new(), false),
        (&zone, FOLDER, token.replacen("ey", "eY", 1), false),
    ];
    for (path, address, token, valid) in cases {
        let body = json!({"destination_conf": address, "ownership_challenge": token});
        app.post(path, body).await.assert_result(json!({ "valid": valid }));
    }
}

#[tokio::test]
async fn invalid_challenge_is_rejected() {
    let (app, root) = start_with_file_root().await;
    for (jobs, ownership) in [
        (app.zone("/logpush/jobs"), app.zone("/logpush/ownership")),
        (app.account("/logpush/jobs"), app.account("/logpush/ownership")),
    ] {
        let token = challenge(&app, &root, &ownership, FOLDER).await;
        let job = |address: &str, token: &str| json!({"dataset": "firewall_events", "destination_conf": address, "ownership_challenge": token});
        let response = app.post(&jobs, job(FOLDER, &token)).await;
        assert_eq!((response.status, response.body["result"].get("ownership_challenge")), (200, None), "{response:?}");
        let rejection = app.post(&jobs, job("file:///other", &token)).await;
        rejection.assert_errors(400, &[(1002, "/ownership_challenge")]);
        assert_eq!(rejection.message(), "incorrect ownership challenge: it is for another destination");
        let path = format!("{jobs}/{}", response.body["result"]["id"]);
        app.put(&path, json!({"ownership_challenge": "x"})).await.assert_errors(400, &[(1002, "/ownership_challenge")]);
        assert_eq!(app.put(&path, json!({"ownership_challenge": token})).await.status, 200);
    }
}

#[tokio::test]
async fn challenge_stays_valid_after_a_restart() {
    let (app, root) = start_with_file_root().await;
    let token = challenge(&app, &root, &app.zone("/logpush/ownership"), FOLDER).await;
    let app = app.restart().await;
    let body = json!({"destination_conf": FOLDER, "ownership_challenge": token});
    let path = app.zone("/logpush/ownership/validate");
    app.post(&path, body.clone()).await.assert_result(json!({"valid": true}));
    let (other, _) = start_with_file_root().await;
    other.post(&other.zone("/logpush/ownership/validate"), body).await.assert_result(json!({"valid": false}));
}

#[tokio::test]
async fn challenge_for_an_invalid_destination_returns_a_message() {
    let app = TestApp::start().await;
    for path in [app.zone("/logpush/ownership"), app.account("/logpush/ownership")] {
        for address in ["", "nonsense", "s3://bucket", "file:///logs"] {
            let response = app.post(&path, json!({ "destination_conf": address })).await;
            let result = &response.body["result"];
            assert_eq!((response.status, &result["valid"], &result["filename"]), (200, &json!(false), &json!("")));
            assert!(result["message"].as_str().unwrap().starts_with("destination is invalid"), "{result}");
        }
    }
}

#[tokio::test]
async fn challenge_is_required_only_when_configured() {
    let app = TestApp::start().await;
    let body: Value = json!({ "destination_conf": S3 });
    assert_eq!(app.post(&app.zone("/logpush/jobs"), body.clone()).await.status, 200);
    let app = TestApp::start_with_log_push(|config, _| config.require_challenge = true).await;
    let response = app.post(&app.zone("/logpush/jobs"), body).await;
    response.assert_errors(400, &[(1002, "/ownership_challenge")]);
    assert!(response.message().starts_with("incorrect ownership challenge: it is missing"), "{}", response.message());
    // Destinations without a documented challenge need none.
    let keys = format!("{S3}&access-key-id=a&secret-access-key=b");
    for address in [keys.as_str(), "https://logs.example.com/in"] {
        let response = app.post(&app.zone("/logpush/jobs"), json!({ "destination_conf": address })).await;
        assert_eq!(response.status, 200, "{response:?}");
    }
    let path = app.zone("/logpush/jobs/1");
    assert_eq!(app.put(&path, json!({"name": "same-destination"})).await.status, 200);
    // Another bucket, and the same one without the keys that made a challenge unnecessary.
    for address in ["gs://bucket", S3] {
        let moved = app.put(&path, json!({ "destination_conf": address })).await;
        moved.assert_errors(400, &[(1002, "/ownership_challenge")]);
    }
}

#[tokio::test]
async fn bucket_with_service_credentials_requires_a_challenge() {
    let app =
        TestApp::start_with_log_push(|config, _| config.own_buckets = vec!["s3://our-logs".parse().unwrap()]).await;
    let jobs = app.zone("/logpush/jobs");
    let job = |address: &str| json!({ "destination_conf": address });
    for address in ["s3://our-logs?region=eu-1", "s3://our-logs/any/folder?region=eu-1"] {
        app.post(&jobs, job(address)).await.assert_errors(400, &[(1002, "/ownership_challenge")]);
    }
    // Other buckets are never written with these credentials; requests that need them fail.
    for address in ["s3://another?region=eu-1", "gs://another", "gs://our-logs"] {
        let response = app.post(&jobs, job(address)).await;
        assert_eq!(response.status, 200, "{response:?}");
        let response = app.post(&app.zone("/logpush/ownership"), job(address)).await;
        assert_eq!(response.body["result"]["valid"], json!(false));
        assert!(response.body["result"]["message"].as_str().unwrap().contains("--logpush-own-bucket"), "{response:?}");
        let left = app.get(&jobs).await;
        for job in left.body["result"].as_array().unwrap() {
            app.delete(&format!("{jobs}/{}", job["id"])).await;
        }
    }
}

#[tokio::test]
async fn destination_is_tested_only_when_configured() {
    let app = TestApp::start_with_log_push(|config, folder| {
        config.file_root = Some(folder.join("pushed"));
        config.test_destination = true;
    })
    .await;
    let root = app.data_dir.path().join("pushed");
    std::fs::create_dir(&root).unwrap();
    let (jobs, validate) = (app.zone("/logpush/jobs"), app.zone("/logpush/validate/destination"));
    let job = |enabled: bool, address: &str| json!({"enabled": enabled, "destination_conf": address});
    assert_eq!(app.post(&jobs, job(true, "file:///good")).await.status, 200);
    assert!(root.join("good/test.txt.gz").exists());
    app.post(&validate, json!({"destination_conf": "file:///good"}))
        .await
        .assert_result(json!({"valid": true, "message": ""}));

    std::fs::write(root.join("blocked"), "").unwrap();
    let expected = "error validating destination: error writing object: error uploading: ";
    let rejection = app.post(&jobs, job(true, "file:///blocked/logs")).await;
    rejection.assert_errors(400, &[(1002, "/destination_conf")]);
    assert!(rejection.message().starts_with(expected), "{}", rejection.message());
    let response = app.post(&validate, json!({"destination_conf": "file:///blocked/logs"})).await;
    assert_eq!(response.body["result"]["valid"], json!(false));
    assert!(response.body["result"]["message"].as_str().unwrap().starts_with(expected), "{response:?}");
    let response = app.post(&app.zone("/logpush/ownership"), json!({"destination_conf": "file:///blocked/logs"})).await;
    assert_eq!(response.body["result"]["valid"], json!(false));

    // The destination of a disabled job is not tested; enabling the job tests it.
    let disabled_job = app.post(&jobs, job(false, "file:///blocked/logs")).await;
    let path = format!("{jobs}/{}", disabled_job.body["result"]["id"]);
    app.put(&path, json!({"enabled": true})).await.assert_errors(400, &[(1002, "/destination_conf")]);
    std::fs::remove_file(root.join("blocked")).unwrap();
    assert_eq!(app.put(&path, json!({"enabled": true})).await.status, 200);

    let (app, _) = start_with_file_root().await;
    let root = app.data_dir.path().join("pushed");
    assert_eq!(app.post(&app.zone("/logpush/jobs"), job(true, "file:///good")).await.status, 200);
    assert!(!root.join("good/test.txt.gz").exists());
}

/// A destination that accepts one upload and returns its bytes; with `silent`, it never responds.
async fn receiver(silent: bool) -> (String, tokio::task::JoinHandle<String>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/in?header_X-Key=hunter2", listener.local_addr().unwrap());
    let task = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
        loop {
            let text = String::from_utf8_lossy(&request).into_owned();
            let lower = text.to_ascii_lowercase();
            if let Some((head, body)) = lower.split_once("\r\n\r\n") {
                let length = head.split_once("content-length: ").unwrap().1.lines().next().unwrap().parse().unwrap();
                if body.len() >= length {
                    if silent {
                        std::future::pending::<()>().await;
                    }
                    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await.unwrap();
                    return text;
                }
            }
            let read = stream.read(&mut buffer).await.unwrap();
            assert!(read > 0, "the upload ended early");
            request.extend_from_slice(&buffer[..read]);
        }
    });
    (address, task)
}

#[tokio::test]
async fn challenge_is_posted_to_allowed_http_destinations() {
    let app = TestApp::start_with_log_push(|config, _| (config.allow_http, config.allow_private) = (true, true)).await;
    let (address, upload) = receiver(false).await;
    let response = app.post(&app.zone("/logpush/ownership"), json!({ "destination_conf": address })).await;
    assert_eq!(response.body["result"]["valid"], json!(true), "{response:?}");
    let request = upload.await.unwrap();
    let (head, token) = request.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("POST /in HTTP/1.1") && head.to_ascii_lowercase().contains("x-key: hunter2"), "{head}");
    let body = json!({"destination_conf": address, "ownership_challenge": token});
    app.post(&app.zone("/logpush/ownership/validate"), body).await.assert_result(json!({"valid": true}));
}

#[tokio::test]
async fn private_or_unresponsive_destination_is_reported() {
    let (address, _upload) = receiver(true).await;
    let strict = TestApp::start_with_log_push(|config, _| config.allow_http = true).await;
    let slow = TestApp::start_with_log_push(|config, _| {
        (config.allow_http, config.allow_private) = (true, true);
        config.limits.upload_timeout = std::time::Duration::from_millis(200);
    })
    .await;
    for (app, reason) in [(strict, "private"), (slow, "timed out")] {
        let response = app.post(&app.zone("/logpush/ownership"), json!({ "destination_conf": address })).await;
        let (valid, message) =
            (&response.body["result"]["valid"], response.body["result"]["message"].as_str().unwrap());
        assert_eq!((response.status, valid), (200, &json!(false)));
        assert!(message.contains(reason) && !message.contains("hunter2"), "{message}");
    }
}
