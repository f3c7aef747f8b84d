//! Middleware: allowed hosts, headers of every response, and addresses that other machines can reach.

use crate::app::TestApp;
use axum::body::Body;
use axum::http::Request;
use std::time::Duration;
use tempfile::TempDir;
use zonewright_server::{App, Config, LogConfig, serve};
use zonewright_store::{Admin, NewToken, StoreConfig};

#[tokio::test]
async fn every_response_has_security_headers() {
    let app = TestApp::start().await;
    for path in ["/healthz", "/", "/nonsense", "/client/v4/zones", "/client/v4/nonsense"] {
        let response = app.get(path).await;
        let header = |name: &str| response.headers.get(name).map(|value| value.to_str().unwrap());
        assert_eq!(header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(header("x-frame-options"), Some("DENY"), "{path}");
        assert_eq!(header("referrer-policy"), Some("no-referrer"), "{path}");
        assert_eq!(header("cross-origin-opener-policy"), Some("same-origin"), "{path}");
        assert_eq!(header("cross-origin-resource-policy"), Some("same-origin"), "{path}");
        assert!(header("permissions-policy").unwrap().contains("camera=()"), "{path}");
        assert_eq!(header("strict-transport-security"), None, "{path}: only behind TLS");
        let private = path.starts_with("/client/").then_some("no-store");
        assert_eq!(header("cache-control").filter(|value| *value == "no-store"), private, "{path}");
        let policy = header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    }
    let root = app.get("/").await;
    assert_eq!(root.headers["content-type"], "text/html; charset=utf-8");
    for path in ["/client/v4/zones", "/client/v4/nonsense", &app.zone("/filters"), &app.zone("/filters")] {
        assert_eq!(app.get(path).await.headers["content-type"], "application/json; charset=UTF-8", "{path}");
    }
}

#[tokio::test]
async fn hsts_is_sent_behind_a_trusted_tls_proxy() {
    let request = || Request::get("/").header("x-forwarded-proto", "https").body(Body::empty()).unwrap();
    let app =
        TestApp::start_with_config(|config| config.middleware.trusted_proxies = vec!["127.0.0.1".parse().unwrap()])
            .await;
    let response = app.send(request()).await;
    assert_eq!(response.headers["strict-transport-security"], "max-age=31536000");
    let app = TestApp::start().await;
    assert!(!app.send(request()).await.headers.contains_key("strict-transport-security"));
}

#[tokio::test]
async fn only_accepted_hosts_are_served() {
    let with_host = |host: &str| Request::get("/healthz").header("host", host).body(Body::empty()).unwrap();
    let app = TestApp::start().await;
    for host in ["localhost", "127.0.0.1:8787", "[::1]:8787"] {
        assert_eq!(app.send(with_host(host)).await.status, 200, "{host}");
    }
    for host in ["evil.example", "localhost.evil.example:8787", "rules.example.com"] {
        app.send(with_host(host)).await.assert_errors(421, &[(10421, "")]);
    }
    let app =
        TestApp::start_with_config(|config| config.middleware.hosts = vec!["rules.example.com".parse().unwrap()]).await;
    for host in ["localhost", "rules.example.com", "RULES.example.com:443"] {
        assert_eq!(app.send(with_host(host)).await.status, 200, "{host}");
    }
    app.send(with_host("example.com")).await.assert_errors(421, &[(10421, "")]);
}

#[tokio::test]
async fn repeated_or_conflicting_hosts_are_rejected() {
    let app = TestApp::start().await;
    let request = |target: &str, hosts: &[&str]| {
        let request = Request::get(target);
        hosts.iter().fold(request, |request, host| request.header("host", *host)).body(Body::empty()).unwrap()
    };
    assert_eq!(app.send(request("/healthz", &["localhost.:80"])).await.status, 200);
    for hosts in [["localhost", "127.0.0.1"], ["localhost", "localhost"], ["localhost", "evil.example"]] {
        app.send(request("/client/v4/zones", &hosts)).await.assert_errors(400, &[(10421, "")]);
    }
    for (target, status) in [
        ("http://localhost:1/healthz", 200),
        ("http://user@localhost/healthz", 200),
        ("http://evil.example/healthz", 421),
        ("http://localhost@evil.example/healthz", 421),
    ] {
        assert_eq!(app.send(request(target, &["localhost"])).await.status, status, "{target}");
    }
    app.send(request("http://localhost/healthz", &["evil.example"])).await.assert_errors(421, &[(10421, "")]);
}

/// Tries to serve on a public address; `None` when the service starts.
async fn try_serve_on_public_address(folder: &TempDir, demo: bool) -> Option<String> {
    let config = Config {
        listen: "0.0.0.0:0".parse().unwrap(),
        data_dir: folder.path().to_owned(),
        demo,
        log: LogConfig { filter: "warn".parse().unwrap(), ..LogConfig::default() },
        ..Config::default()
    };
    let serving = tokio::time::timeout(Duration::from_secs(2), serve(config)).await;
    serving.ok().map(|result| result.unwrap_err().to_string())
}

#[tokio::test]
async fn public_address_requires_non_demo_credentials() {
    let folder = TempDir::new().unwrap();
    let error = try_serve_on_public_address(&folder, true).await.unwrap();
    assert!(error.contains("can be reached from other machines") && error.contains("--no-demo"), "{error}");
    assert!(!folder.path().join("demo-credentials.json").exists(), "no demo account is created");
    let error = try_serve_on_public_address(&folder, false).await.unwrap();
    assert!(error.contains("there are no credentials yet"), "{error}");

    let ended = TempDir::new().unwrap();
    let admin = Admin::open(ended.path(), &StoreConfig::default()).await.unwrap();
    let account = admin.create_account("Mine").await.unwrap().id;
    let end = (jiff::Timestamp::now() + jiff::SignedDuration::from_secs(2)).to_string();
    let new = NewToken { name: "a", account_id: &account, permissions: &[], zones: &[], expires: Some(&end) };
    admin.create_token(&new).await.unwrap();
    admin.close().await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let error = try_serve_on_public_address(&ended, false).await.unwrap();
    assert!(error.contains("there are no credentials yet"), "{error}");

    let (app, demo) = App::open(folder.path(), "").await.unwrap();
    assert!(demo.is_some());
    app.close().await;
    drop(app);
    for demo in [true, false] {
        let error = try_serve_on_public_address(&folder, demo).await.unwrap();
        assert!(error.contains("the demo account is only for this machine"), "{error}");
    }
}
