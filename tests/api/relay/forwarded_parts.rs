//! Only intended parts of requests reach the upstream, and only intended parts of responses reach the client.

use super::harness::{ID, RecordingUpstream, TOKEN, TestRelay, request, success};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

#[tokio::test]
async fn only_allowlisted_headers_are_forwarded() {
    let upstream = RecordingUpstream::with_handler(|_| {
        let headers = [
            ("set-cookie", "a=b"),
            ("server", "nginx"),
            ("x-powered-by", "x"),
            ("access-control-allow-origin", "*"),
            ("location", "https://evil.example"),
            ("strict-transport-security", "max-age=1"),
            ("content-security-policy", "default-src *"),
            ("www-authenticate", "Basic"),
            ("content-type", "text/html"),
            ("cache-control", "public, max-age=1000"),
            ("etag", "\"tag\""),
            ("retry-after", "7"),
            ("cf-ray", "8f-FRA"),
            ("ratelimit", "\"default\";r=50;t=30"),
            ("ratelimit-policy", "\"default\";q=1200;w=300"),
        ];
        let mut response = success(json!([])).into_response();
        for (name, value) in headers {
            response.headers_mut().insert(name, value.parse().unwrap());
        }
        response
    })
    .await;
    let relay = TestRelay::with_client_credentials(&upstream.address);
    let headers = [
        ("authorization", TOKEN),
        ("x-auth-email", "a@b.example"),
        ("x-auth-key", "key"),
        ("cookie", "a=b"),
        ("x-forwarded-for", "192.0.2.1"),
        ("x-forwarded-host", "evil.example"),
        ("forwarded", "for=192.0.2.1"),
        ("x-real-ip", "192.0.2.1"),
        ("proxy-authorization", "Basic x"),
        ("connection", "keep-alive, x-secret"),
        ("x-secret", "1"),
        ("keep-alive", "timeout=5"),
        ("te", "trailers"),
        ("upgrade", "h2c"),
        ("expect", "100-continue"),
        ("referer", "https://a.example"),
        ("accept-encoding", "gzip, br"),
        ("accept-language", "en"),
        ("if-match", "\"x\""),
        ("range", "bytes=0-1"),
        ("x-http-method-override", "DELETE"),
        ("x-auth-user-service-key", "v1.0"),
        ("user-agent", "browser"),
    ];
    let response = relay.send(request("GET", "/z/filters", &headers, "")).await;
    let received = upstream.drain_requests().remove(0);
    let mut names: Vec<(&str, &str)> =
        received.headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
    names.sort_unstable();
    let agent = concat!("zonewright/", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        names,
        [
            ("accept", "application/json"),
            ("accept-encoding", "identity"),
            ("authorization", TOKEN),
            ("host", upstream.address.trim_start_matches("http://")),
            ("user-agent", agent),
            ("x-auth-email", "a@b.example"),
            ("x-auth-key", "key"),
        ]
    );
    // The server adds these to every response.
    let own = ["cross-origin-opener-policy", "cross-origin-resource-policy", "permissions-policy", "x-frame-options"];
    let mut names: Vec<(&str, &str)> =
        response.headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
    names.retain(|(name, _)| !own.contains(name));
    names.sort_unstable();
    assert_eq!(
        names,
        [
            ("cache-control", "no-store"),
            ("cf-ray", "8f-FRA"),
            ("content-length", "54"),
            ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
            ("content-type", "application/json; charset=UTF-8"),
            ("etag", "\"tag\""),
            ("ratelimit", "\"default\";r=50;t=30"),
            ("ratelimit-policy", "\"default\";q=1200;w=300"),
            ("referrer-policy", "no-referrer"),
            ("retry-after", "7"),
            ("x-content-type-options", "nosniff"),
        ]
    );
}

#[tokio::test]
async fn queries_are_normalized_and_bodies_stay_unchanged() {
    let upstream = RecordingUpstream::start().await;
    let relay = TestRelay::with_client_credentials(&upstream.address);
    relay.call("GET", "/z/filters?page=1&expression=a%26b%3dc%20%23&empty=&id=1&id=2&x=%2e%2e/..", "body").await;
    let received = upstream.drain_requests().remove(0);
    let query = "?page=1&expression=a%26b%3Dc+%23&empty=&id=1&id=2&x=..%2F..";
    assert_eq!(
        (received.path_and_query, received.body),
        (format!("/client/v4/zones/{ID}/filters{query}"), String::new())
    );

    let body = "[ {\"expression\":\"ssl\", \"paused\" : false} ]\n";
    relay
        .send(request(
            "POST",
            "/z/filters",
            &[("authorization", TOKEN), ("content-type", "text/plain"), ("if-match", "\"x\"")],
            body,
        ))
        .await;
    let received: Vec<_> = upstream.drain_requests().into_iter().filter(|received| received.method == "POST").collect();
    assert_eq!(received[0].body, body);
    assert_eq!(received[0].headers["content-type"], "application/json");
    assert_eq!(received[0].headers["if-match"], "\"x\"");
    assert_eq!(received.len(), 1);

    // A deletion may have a body or none.
    relay.call("DELETE", &format!("/z/firewall/rules/{ID}"), "").await;
    relay.call("DELETE", &format!("/z/firewall/rules/{ID}"), r#"{"delete_filter_if_unused": true}"#).await;
    let bodies: Vec<String> = upstream.drain_requests().into_iter().map(|received| received.body).collect();
    assert_eq!(bodies, ["", r#"{"delete_filter_if_unused": true}"#]);
}

#[tokio::test]
async fn errors_and_empty_responses_are_forwarded() {
    let failure = |status: u16| {
        move || -> Response {
            let body =
                json!({"result": null, "success": false, "errors": [{"code": 1, "message": "x"}], "messages": null});
            (axum::http::StatusCode::from_u16(status).unwrap(), body.to_string()).into_response()
        }
    };
    for status in [400, 401, 403, 404, 409, 410, 412, 429, 500, 503] {
        let fail = failure(status);
        let upstream = RecordingUpstream::with_handler(move |_| fail()).await;
        let response = TestRelay::with_client_credentials(&upstream.address).call("GET", "/zones", "").await;
        assert_eq!((response.status, &response.body["messages"]), (status, &Value::Null));
    }
    let upstream = RecordingUpstream::with_handler(|_| axum::http::StatusCode::NO_CONTENT.into_response()).await;
    let response =
        TestRelay::with_client_credentials(&upstream.address).call("DELETE", &format!("/z/rulesets/{ID}"), "").await;
    assert_eq!((response.status, response.body), (204, json!("")));
}

#[tokio::test]
async fn request_without_credentials_is_not_forwarded() {
    let upstream = RecordingUpstream::start().await;
    let relay = TestRelay::with_client_credentials(&upstream.address);
    for headers in
        [&[][..], &[("x-auth-email", "a@b.example")], &[("x-auth-key", "key")], &[("cookie", "zonewright-relay=x")]]
    {
        relay.send(request("GET", "/zones", headers, "")).await.assert_errors(400, &[(9106, "")]);
    }
    assert!(upstream.drain_requests().is_empty());
}

#[tokio::test]
async fn cross_site_writes_are_rejected() {
    let upstream = RecordingUpstream::start().await;
    let relay = TestRelay::with_client_credentials(&upstream.address);
    let body = json!([{"expression": "ssl"}]).to_string();
    for (name, value) in [("origin", "https://evil.example"), ("origin", "null"), ("sec-fetch-site", "cross-site")] {
        let request = request("POST", "/z/filters", &[("authorization", TOKEN), (name, value)], body.clone());
        relay.send(request).await.assert_errors(403, &[(10403, "")]);
    }
    assert!(upstream.drain_requests().is_empty());
    let own = [("authorization", TOKEN), ("origin", "http://127.0.0.1:1"), ("sec-fetch-site", "same-origin")];
    assert_eq!(relay.send(request("POST", "/z/filters", &own, body)).await.status, 200);
    // A foreign host, as in DNS rebinding.
    let mut foreign = request("GET", "/zones", &[("authorization", TOKEN)], "");
    foreign.headers_mut().insert("host", "evil.example".parse().unwrap());
    upstream.drain_requests();
    relay.send(foreign).await.assert_errors(421, &[(10421, "")]);
    assert!(upstream.drain_requests().is_empty());
}

#[tokio::test]
async fn oversized_bodies_are_rejected() {
    let upstream = RecordingUpstream::start().await;
    let relay = TestRelay::with_client_credentials(&upstream.address);
    relay.call("POST", "/z/filters", vec![b' '; (4 << 20) + 1]).await.assert_errors(413, &[(10413, "")]);
    assert!(upstream.drain_requests().is_empty());
}

#[tokio::test]
async fn head_returns_the_headers_of_get() {
    let upstream = RecordingUpstream::start().await;
    let relay = TestRelay::with_client_credentials(&upstream.address);
    let body = relay.call("GET", "/zones", "").await.body.to_string();
    let response = relay.call("HEAD", "/zones", "").await;
    assert_eq!((response.status, &response.body), (200, &json!("")));
    assert_eq!(response.headers["content-type"], "application/json; charset=UTF-8");
    assert!(response.headers["content-length"].to_str().unwrap().parse::<usize>().unwrap() >= body.len());
    assert_eq!(upstream.drain_calls(), ["GET /client/v4/zones", "GET /client/v4/zones"]);
}

#[tokio::test]
async fn patch_without_a_priority_is_forwarded() {
    let upstream = RecordingUpstream::start().await;
    let relay = TestRelay::with_client_credentials(&upstream.address);
    let response = relay.call("PATCH", &format!("/z/firewall/rules/{ID}"), "").await;
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(upstream.drain_calls(), [format!("PATCH /client/v4/zones/{ID}/firewall/rules/{ID}")]);
}

#[tokio::test]
async fn bodies_over_the_memory_budget_are_not_forwarded() {
    let upstream = RecordingUpstream::start().await;
    let relay = TestRelay::with_stored_credentials(&upstream.address);
    let open =
        |body: String| request("POST", "/relay/session", &[("content-type", "Application/JSON; charset=utf-8")], body);
    let long = json!({"passphrase": "a".repeat(9_000)}).to_string();
    relay.send(open(long)).await.assert_errors(413, &[(10413, "")]);
    let relay = TestRelay::with_client_credentials(&upstream.address);
    let bomb = format!("[{}]", vec!["{\"a\":0}"; 500_000].join(","));
    for (method, path) in [("POST", "/z/filters"), ("POST", "/z/rulesets"), ("POST", "/z/logpush/ownership")] {
        relay.call(method, path, bomb.clone()).await.assert_errors(413, &[(10413, "")]);
    }
    assert!(upstream.drain_requests().is_empty());
}
