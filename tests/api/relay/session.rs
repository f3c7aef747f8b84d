//! Stored-credentials mode: access requires the passphrase, and other sites cannot use a session.

use super::harness::{ID, PASSPHRASE, RecordingUpstream, STORED_CREDENTIALS, TestRelay, request};
use crate::app::TestResponse;
use serde_json::{Value, json};
use std::time::Duration;

const BODY: &str = r#"[{"expression": "ssl"}]"#;
const JSON: (&str, &str) = ("content-type", "application/json");

async fn log_in(relay: &TestRelay, passphrase: &str, more: &[(&str, &str)]) -> TestResponse {
    let headers: Vec<_> = [JSON].iter().chain(more).copied().collect();
    relay.send(request("POST", "/relay/session", &headers, json!({ "passphrase": passphrase }).to_string())).await
}

/// The session cookie and the CSRF token of a log-in.
fn session_cookie_and_csrf_token(response: &TestResponse) -> (String, String) {
    let cookie = response.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    (cookie, response.body["result"]["csrf_token"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn session_is_required_and_uses_the_stored_credentials() {
    let upstream = RecordingUpstream::start().await;
    let relay = TestRelay::with_stored_credentials(&upstream.address);
    let own = [("authorization", "Bearer of-the-caller"), ("x-auth-email", "a@b.example"), ("x-auth-key", "k")];
    relay.send(request("GET", "/zones", &own, "")).await.assert_errors(401, &[(10401, "")]);
    relay.send(request("POST", "/z/filters", &own, BODY)).await.assert_errors(401, &[(10401, "")]);
    let forged = [("cookie", "zonewright-relay=0123456789abcdef"), ("x-csrf-token", "")];
    relay.send(request("GET", "/zones", &forged, "")).await.assert_errors(401, &[(10401, "")]);
    relay.send(request("POST", "/z/filters", &forged, BODY)).await.assert_errors(401, &[(10401, "")]);
    assert!(upstream.drain_requests().is_empty());

    let response = log_in(&relay, PASSPHRASE, &[]).await;
    assert_eq!(response.status, 200, "{response:?}");
    let (cookie, csrf) = session_cookie_and_csrf_token(&response);
    let cookie = cookie.as_str();
    let headers = [("cookie", cookie), own[0], own[1], own[2]];
    assert_eq!(relay.send(request("GET", "/zones", &headers, "")).await.status, 200);
    let received = upstream.drain_requests().remove(0);
    assert_eq!(received.headers["authorization"], format!("Bearer {STORED_CREDENTIALS}"));
    for name in ["cookie", "x-auth-email", "x-auth-key", "x-csrf-token"] {
        assert!(!received.headers.contains_key(name), "{name}");
    }

    for (name, value) in [("x-other", ""), ("x-csrf-token", ""), ("x-csrf-token", "0"), ("x-csrf-token", cookie)] {
        let invalid = [("cookie", cookie), (name, value)];
        for (method, path, body) in [
            ("POST", "/z/filters".to_owned(), BODY),
            ("DELETE", format!("/z/filters/{ID}"), ""),
            ("PUT", "/z/logpush/jobs/1".to_owned(), "{}"),
            ("PATCH", "/z/settings/waf".to_owned(), r#"{"value":"on"}"#),
        ] {
            relay.send(request(method, &path, &invalid, body)).await.assert_errors(403, &[(10403, "")]);
        }
    }
    for foreign in [("origin", "https://evil.example"), ("sec-fetch-site", "same-site")] {
        let headers = [("cookie", cookie), ("x-csrf-token", csrf.as_str()), foreign];
        relay.send(request("POST", "/z/filters", &headers, BODY)).await.assert_errors(403, &[(10403, "")]);
    }
    assert!(upstream.drain_requests().is_empty());
    let right = [("cookie", cookie), ("x-csrf-token", csrf.as_str()), ("origin", "http://127.0.0.1:1")];
    assert_eq!(relay.send(request("POST", "/z/filters", &right, BODY)).await.status, 200);
    assert_eq!(
        upstream.drain_calls(),
        [format!("GET /client/v4/zones/{ID}"), format!("POST /client/v4/zones/{ID}/filters")]
    );
}

#[tokio::test]
async fn session_cookie_is_http_only_and_same_site() {
    let relay = TestRelay::with_stored_credentials("http://127.0.0.1:1");
    let cookie = |response: TestResponse| response.headers["set-cookie"].to_str().unwrap().to_owned();
    let plain = cookie(log_in(&relay, PASSPHRASE, &[("origin", "http://127.0.0.1:1")]).await);
    let (value, attributes) = plain.split_once("; ").unwrap();
    assert_eq!(value.len(), "zonewright-relay=".len() + 64, "{value}");
    assert_eq!(attributes, "Path=/; Max-Age=43200; HttpOnly; SameSite=Strict");
    let secure = cookie(log_in(&relay, PASSPHRASE, &[("origin", "https://127.0.0.1:1")]).await);
    assert!(secure.ends_with("HttpOnly; SameSite=Strict; Secure"), "{secure}");
    assert_ne!(plain, secure);
}

#[tokio::test]
async fn session_status_reflects_login_and_logout() {
    let relay = TestRelay::with_stored_credentials("http://127.0.0.1:1");
    let show = async |cookie: &str| relay.send(request("GET", "/relay/session", &[("cookie", cookie)], "")).await;
    let out = json!({"keeps_credentials": true, "signed_in": false});
    let response = show("").await;
    response.assert_result(out.clone());
    assert_eq!(response.headers["cache-control"], "no-store");
    show("zonewright-relay=x; other=y").await.assert_result(out.clone());

    let (cookie, csrf) = session_cookie_and_csrf_token(&log_in(&relay, PASSPHRASE, &[]).await);
    let response = show(&format!("other=y; {cookie}")).await;
    let session = &response.body["result"];
    assert_eq!((&session["signed_in"], &session["csrf_token"]), (&json!(true), &json!(csrf)));
    assert!((1_790..=1_800).contains(&session["seconds_left"].as_u64().unwrap()), "{session}");
    assert!(!response.headers.contains_key("set-cookie") && !response.body.to_string().contains(&cookie[17..]));

    // A second log-in of the same browser ends the first session.
    let (other, other_csrf) = session_cookie_and_csrf_token(&log_in(&relay, PASSPHRASE, &[("cookie", &cookie)]).await);
    assert_ne!((&other, &other_csrf), (&cookie, &csrf));
    show(&cookie).await.assert_result(out.clone());

    let close = async |headers: &[(&str, &str)]| relay.send(request("DELETE", "/relay/session", headers, "")).await;
    close(&[("cookie", &other)]).await.assert_errors(403, &[(10403, "")]);
    close(&[("cookie", &other), ("x-csrf-token", &other_csrf), ("origin", "https://evil.example")])
        .await
        .assert_errors(403, &[(10403, "")]);
    let response = close(&[("cookie", &other), ("x-csrf-token", &other_csrf)]).await;
    response.assert_result(out.clone());
    assert!(response.headers["set-cookie"].to_str().unwrap().starts_with("zonewright-relay=; Path=/; Max-Age=0;"));
    show(&other).await.assert_result(out.clone());
    close(&[("cookie", &other)]).await.assert_result(out);
}

#[tokio::test]
async fn idle_session_expires() {
    let upstream = RecordingUpstream::start().await;
    let relay = TestRelay::with_limits(&upstream.address, (Some(STORED_CREDENTIALS), Some(PASSPHRASE)), |limits| {
        limits.session_idle_timeout = Duration::from_millis(300);
        limits.session_lifetime = Duration::from_millis(700);
    });
    let (cookie, _) = session_cookie_and_csrf_token(&log_in(&relay, PASSPHRASE, &[]).await);
    let status = async || relay.send(request("GET", "/zones", &[("cookie", &cookie)], "")).await.status;
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_millis(150)).await;
        assert_eq!(status().await, 200);
    }
    tokio::time::sleep(Duration::from_millis(350)).await;
    assert_eq!(status().await, 401);
}

#[tokio::test]
async fn wrong_passphrases_are_rejected_and_rate_limited() {
    let relay = TestRelay::with_stored_credentials("http://127.0.0.1:1");
    let post = async |headers: &[(&str, &str)], body: &str| {
        relay.send(request("POST", "/relay/session", headers, body.to_owned())).await
    };
    let right = json!({ "passphrase": PASSPHRASE }).to_string();
    // Requests that a form or page of another site can send are rejected before the passphrase is checked.
    for headers in [
        &[][..],
        &[("content-type", "text/plain")],
        &[("content-type", "application/x-www-form-urlencoded")],
        &[JSON, ("origin", "https://evil.example")],
        &[JSON, ("sec-fetch-site", "cross-site")],
    ] {
        post(headers, &right).await.assert_errors(403, &[(10403, "")]);
    }
    for (body, code, pointer) in [
        ("", 10019, ""),
        ("{}", 10014, "/passphrase"),
        ("{\"passphrase\": 1}", 10014, "/passphrase"),
        ("{\"passphrase\": \"a\", \"passphrase\": \"b\"}", 10014, "/passphrase"),
    ] {
        post(&[JSON], body).await.assert_errors(400, &[(code, pointer)]);
    }
    for guess in ["", "x", "hush of the people ", "HUSH OF THE PEOPLE", "a", "b", "c", "d", "e", "f"] {
        let response = log_in(&relay, guess, &[]).await;
        response.assert_errors(403, &[(10403, "")]);
        assert!(!response.headers.contains_key("set-cookie"));
    }
    let response = log_in(&relay, PASSPHRASE, &[]).await;
    response.assert_errors(429, &[(10430, "")]);
    let wait: u64 = response.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((55..=60).contains(&wait), "{wait}");
}

#[tokio::test]
async fn pass_through_mode_has_no_log_in() {
    let relay = TestRelay::with_client_credentials("http://127.0.0.1:1");
    let show = relay.send(request("GET", "/relay/session", &[], "")).await;
    show.assert_result(json!({"keeps_credentials": false, "signed_in": false}));
    log_in(&relay, PASSPHRASE, &[]).await.assert_errors(404, &[(7003, ""), (7000, "")]);
    relay.send(request("DELETE", "/relay/session", &[], "")).await.assert_errors(404, &[(7003, ""), (7000, "")]);
    let put = relay.send(request("PUT", "/relay/session", &[], "")).await;
    assert_eq!((put.status, &put.body["success"]), (405, &Value::Bool(false)));
}
