//! Where the credentials stay on the server: nobody gets in without the passphrase, and no other site with it.

use super::harness::{Front, ID, KEPT, PASSPHRASE, Recorder, request};
use crate::app::Answer;
use serde_json::{Value, json};
use std::time::Duration;

const BODY: &str = r#"[{"expression": "ssl"}]"#;
const JSON: (&str, &str) = ("content-type", "application/json");

async fn log_in(front: &Front, passphrase: &str, more: &[(&str, &str)]) -> Answer {
    let headers: Vec<_> = [JSON].iter().chain(more).copied().collect();
    front.send(request("POST", "/relay/session", &headers, json!({ "passphrase": passphrase }).to_string())).await
}

/// The cookie that a browser sends back, and the secret for writes.
fn taken(answer: &Answer) -> (String, String) {
    let cookie = answer.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    (cookie, answer.body["result"]["csrf_token"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn only_who_is_logged_in_gets_through_and_uses_what_is_kept() {
    let upstream = Recorder::start().await;
    let front = Front::keeping(&upstream.address);
    let own = [("authorization", "Bearer of-the-caller"), ("x-auth-email", "a@b.example"), ("x-auth-key", "k")];
    front.send(request("GET", "/zones", &own, "")).await.assert_errors(401, &[(10401, "")]);
    front.send(request("POST", "/z/filters", &own, BODY)).await.assert_errors(401, &[(10401, "")]);
    let forged = [("cookie", "zonewright-relay=0123456789abcdef"), ("x-csrf-token", "")];
    front.send(request("GET", "/zones", &forged, "")).await.assert_errors(401, &[(10401, "")]);
    front.send(request("POST", "/z/filters", &forged, BODY)).await.assert_errors(401, &[(10401, "")]);
    assert!(upstream.take().is_empty());

    let answer = log_in(&front, PASSPHRASE, &[]).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let (cookie, csrf) = taken(&answer);
    let cookie = cookie.as_str();
    let headers = [("cookie", cookie), own[0], own[1], own[2]];
    assert_eq!(front.send(request("GET", "/zones", &headers, "")).await.status, 200);
    let got = upstream.take().remove(0);
    assert_eq!(got.headers["authorization"], format!("Bearer {KEPT}"));
    for name in ["cookie", "x-auth-email", "x-auth-key", "x-csrf-token"] {
        assert!(!got.headers.contains_key(name), "{name}");
    }

    for (name, value) in [("x-other", ""), ("x-csrf-token", ""), ("x-csrf-token", "0"), ("x-csrf-token", cookie)] {
        let wrong = [("cookie", cookie), (name, value)];
        for (method, path, body) in [
            ("POST", "/z/filters".to_owned(), BODY),
            ("DELETE", format!("/z/filters/{ID}"), ""),
            ("PUT", "/z/logpush/jobs/1".to_owned(), "{}"),
            ("PATCH", "/z/settings/waf".to_owned(), r#"{"value":"on"}"#),
        ] {
            front.send(request(method, &path, &wrong, body)).await.assert_errors(403, &[(10403, "")]);
        }
    }
    for foreign in [("origin", "https://evil.example"), ("sec-fetch-site", "same-site")] {
        let headers = [("cookie", cookie), ("x-csrf-token", csrf.as_str()), foreign];
        front.send(request("POST", "/z/filters", &headers, BODY)).await.assert_errors(403, &[(10403, "")]);
    }
    assert!(upstream.take().is_empty());
    let right = [("cookie", cookie), ("x-csrf-token", csrf.as_str()), ("origin", "http://127.0.0.1:1")];
    assert_eq!(front.send(request("POST", "/z/filters", &right, BODY)).await.status, 200);
    assert_eq!(upstream.calls(), [format!("GET /client/v4/zones/{ID}"), format!("POST /client/v4/zones/{ID}/filters")]);
}

#[tokio::test]
async fn the_cookie_is_for_this_server_and_not_for_scripts() {
    let front = Front::keeping("http://127.0.0.1:1");
    let cookie = |answer: Answer| answer.headers["set-cookie"].to_str().unwrap().to_owned();
    let plain = cookie(log_in(&front, PASSPHRASE, &[("origin", "http://127.0.0.1:1")]).await);
    let (value, attributes) = plain.split_once("; ").unwrap();
    assert_eq!(value.len(), "zonewright-relay=".len() + 64, "{value}");
    assert_eq!(attributes, "Path=/; Max-Age=43200; HttpOnly; SameSite=Strict");
    let secure = cookie(log_in(&front, PASSPHRASE, &[("origin", "https://127.0.0.1:1")]).await);
    assert!(secure.ends_with("HttpOnly; SameSite=Strict; Secure"), "{secure}");
    assert_ne!(plain, secure);
}

#[tokio::test]
async fn what_the_app_learns_of_its_session() {
    let front = Front::keeping("http://127.0.0.1:1");
    let show = async |cookie: &str| front.send(request("GET", "/relay/session", &[("cookie", cookie)], "")).await;
    let out = json!({"keeps_credentials": true, "signed_in": false});
    let answer = show("").await;
    answer.assert_result(out.clone());
    assert_eq!(answer.headers["cache-control"], "no-store");
    show("zonewright-relay=x; other=y").await.assert_result(out.clone());

    let (cookie, csrf) = taken(&log_in(&front, PASSPHRASE, &[]).await);
    let answer = show(&format!("other=y; {cookie}")).await;
    let session = &answer.body["result"];
    assert_eq!((&session["signed_in"], &session["csrf_token"]), (&json!(true), &json!(csrf)));
    assert!((1_790..=1_800).contains(&session["seconds_left"].as_u64().unwrap()), "{session}");
    assert!(!answer.headers.contains_key("set-cookie") && !answer.body.to_string().contains(&cookie[17..]));

    // A second login of the same browser ends the first session.
    let (other, other_csrf) = taken(&log_in(&front, PASSPHRASE, &[("cookie", &cookie)]).await);
    assert_ne!((&other, &other_csrf), (&cookie, &csrf));
    show(&cookie).await.assert_result(out.clone());

    let close = async |headers: &[(&str, &str)]| front.send(request("DELETE", "/relay/session", headers, "")).await;
    close(&[("cookie", &other)]).await.assert_errors(403, &[(10403, "")]);
    close(&[("cookie", &other), ("x-csrf-token", &other_csrf), ("origin", "https://evil.example")])
        .await
        .assert_errors(403, &[(10403, "")]);
    let answer = close(&[("cookie", &other), ("x-csrf-token", &other_csrf)]).await;
    answer.assert_result(out.clone());
    assert!(answer.headers["set-cookie"].to_str().unwrap().starts_with("zonewright-relay=; Path=/; Max-Age=0;"));
    show(&other).await.assert_result(out.clone());
    close(&[("cookie", &other)]).await.assert_result(out);
}

#[tokio::test]
async fn sessions_end_when_nobody_uses_them() {
    let upstream = Recorder::start().await;
    let front = Front::with(&upstream.address, (Some(KEPT), Some(PASSPHRASE)), |pace| {
        pace.idle = Duration::from_millis(300);
        pace.session = Duration::from_millis(700);
    });
    let (cookie, _) = taken(&log_in(&front, PASSPHRASE, &[]).await);
    let used = async || front.send(request("GET", "/zones", &[("cookie", &cookie)], "")).await.status;
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_millis(150)).await;
        assert_eq!(used().await, 200);
    }
    tokio::time::sleep(Duration::from_millis(350)).await;
    assert_eq!(used().await, 401);
}

#[tokio::test]
async fn wrong_passphrases_are_refused_and_counted() {
    let front = Front::keeping("http://127.0.0.1:1");
    let post = async |headers: &[(&str, &str)], body: &str| {
        front.send(request("POST", "/relay/session", headers, body.to_owned())).await
    };
    let right = json!({ "passphrase": PASSPHRASE }).to_string();
    // What a form or a page of another site can send is not even looked at.
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
    for wrong in ["", "x", "hush of the people ", "HUSH OF THE PEOPLE", "a", "b", "c", "d", "e", "f"] {
        let answer = log_in(&front, wrong, &[]).await;
        answer.assert_errors(403, &[(10403, "")]);
        assert!(!answer.headers.contains_key("set-cookie"));
    }
    let answer = log_in(&front, PASSPHRASE, &[]).await;
    answer.assert_errors(429, &[(10430, "")]);
    let wait: u64 = answer.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((55..=60).contains(&wait), "{wait}");
}

#[tokio::test]
async fn where_callers_bring_their_credentials_nobody_logs_in() {
    let front = Front::passing("http://127.0.0.1:1");
    let show = front.send(request("GET", "/relay/session", &[], "")).await;
    show.assert_result(json!({"keeps_credentials": false, "signed_in": false}));
    log_in(&front, PASSPHRASE, &[]).await.assert_errors(404, &[(7003, ""), (7000, "")]);
    front.send(request("DELETE", "/relay/session", &[], "")).await.assert_errors(404, &[(7003, ""), (7000, "")]);
    let put = front.send(request("PUT", "/relay/session", &[], "")).await;
    assert_eq!((put.status, &put.body["success"]), (405, &Value::Bool(false)));
}
