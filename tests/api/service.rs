//! The service as a process sees it: start, restart, sockets, hosts, files.

use crate::app::TestApp;
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use zonewright_server::{App, Config, LogPushConfig, MIGRATION_DELAY, ServeError, serve};

#[tokio::test]
async fn everything_is_still_there_after_a_restart() {
    let app = TestApp::start().await;
    let body = json!([{"filter": {"expression": "ssl"}, "action": "block"}]);
    let created = app.post(&app.zone("/firewall/rules"), body).await;
    let app = app.restart().await;
    assert_eq!(app.get(&app.zone("/firewall/rules")).await.body["result"], created.body["result"]);
    assert_eq!(app.total("/filters").await, 1);
    assert_eq!(credentials(app.folder.path())["base_url"], json!("http://127.0.0.1:2/client/v4"));
}

fn credentials(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("demo-credentials.json")).unwrap()).unwrap()
}

#[tokio::test]
async fn the_credentials_file_is_complete() {
    let app = TestApp::start().await;
    let file = credentials(app.folder.path());
    for member in ["base_url", "email", "key", "token", "account_id", "zone_id"] {
        assert!(file[member].is_string(), "{member}");
    }
    assert_eq!(file["zone_id"], file["zones"][0]["id"]);
    assert_eq!(file["zones"][0]["plan"], json!("enterprise"));
}

#[cfg(unix)]
#[tokio::test]
async fn every_file_is_private_in_a_folder_that_is_not() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let (_app, _) = App::open(folder.path(), "").await.unwrap();
    let mut names = Vec::new();
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let file = file.unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
        names.push(file.file_name().into_string().unwrap());
    }
    names.sort();
    let expected = ["demo-credentials.json", "lock", "zonewright.db", "zonewright.db-shm", "zonewright.db-wal"];
    assert_eq!(names, expected);
}

#[tokio::test]
async fn a_lost_credentials_file_does_not_keep_the_service_from_starting() {
    let app = TestApp::start().await;
    std::fs::remove_file(app.folder.path().join("demo-credentials.json")).unwrap();
    let app = app.restart().await;
    assert_eq!(app.total("/filters").await, 0);
}

#[tokio::test]
async fn a_second_service_on_the_same_folder_is_refused() {
    let app = TestApp::start().await;
    let second = App::open(app.folder.path(), "").await;
    assert!(matches!(second, Err(ServeError::InUse(_))));
}

#[tokio::test]
async fn a_request_that_is_given_up_neither_stays_nor_disturbs_the_next() {
    let app = TestApp::start().await;
    let path = app.zone("/filters");
    let expression = |number: u64| json!({ "expression": format!("cf.edge.server_port eq {number}") });
    let many: Vec<_> = (0..300).map(expression).collect();
    for wait in 0..30 {
        let given_up = app.post(&path, json!(many));
        if let Ok(answer) = tokio::time::timeout(Duration::from_millis(5 * wait), given_up).await {
            assert_eq!(answer.status, 200, "{answer:?}");
            break;
        }
        let next = app.post(&path, json!([expression(1000 + wait)])).await;
        assert_eq!(next.status, 200, "{next:?}");
        let total = app.total("/filters").await;
        // The commit was on its way already.
        if total > 300 {
            break;
        }
        assert_eq!(total, wait + 1);
    }
}

#[tokio::test]
async fn folders_may_have_any_name() {
    let folder = TempDir::new().unwrap();
    let odd = folder.path().join("a b?c#d%e'é/nested");
    let (app, _) = App::open(&odd, "").await.unwrap();
    app.close().await;
    assert!(odd.join("zonewright.db").exists());
}

#[tokio::test]
async fn other_machines_cannot_be_served() {
    let folder = TempDir::new().unwrap();
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:80"] {
        let config = Config {
            listen: address.parse().unwrap(),
            data: folder.path().to_owned(),
            log_push: LogPushConfig::default(),
            migration_delay: MIGRATION_DELAY,
            relay: None,
        };
        let error = serve(config).await.unwrap_err();
        assert!(error.to_string().contains("can be reached from other machines"), "{error}");
    }
}

#[tokio::test]
async fn a_real_socket_on_any_free_port() {
    let folder = TempDir::new().unwrap();
    let config = Config {
        listen: "127.0.0.1:0".parse().unwrap(),
        data: folder.path().to_owned(),
        log_push: LogPushConfig::default(),
        migration_delay: MIGRATION_DELAY,
        relay: None,
    };
    let service = tokio::spawn(serve(config));
    let address = address(folder.path()).await;
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    let answer = exchange(&address, &request).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\r\n\r\nok\n"), "{answer}");

    let file = credentials(folder.path());
    let (zone, token) = (file["zone_id"].as_str().unwrap(), file["token"].as_str().unwrap());
    let request = format!(
        "GET /client/v4/zones/{zone}/filters HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n"
    );
    let answer = exchange(&address, &request).await;
    assert!(answer.contains("\"success\":true"), "{answer}");
    let foreign = exchange(&address, "GET /healthz HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n").await;
    assert!(foreign.starts_with("HTTP/1.1 421 ") && foreign.contains("10421"), "{foreign}");

    // A body that ends too early, and a client that leaves.
    let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
    let request = format!(
        "POST /client/v4/zones/{zone}/filters HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\ncontent-length: 99\r\n\r\n["
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    drop(stream);
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    assert!(exchange(&address, &request).await.starts_with("HTTP/1.1 200 OK\r\n"));
    service.abort();
}

/// The address that the service wrote down once it listened.
async fn address(folder: &Path) -> String {
    for _ in 0..200 {
        if folder.join("demo-credentials.json").exists() {
            let url = credentials(folder)["base_url"].as_str().unwrap().to_owned();
            return url.trim_start_matches("http://").trim_end_matches("/client/v4").to_owned();
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("the service did not start in five seconds");
}

async fn exchange(address: &str, request: &str) -> String {
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    tokio::time::timeout(Duration::from_secs(10), stream.read_to_string(&mut answer)).await.unwrap().unwrap();
    answer
}

#[tokio::test]
async fn every_answer_says_how_it_may_be_used() {
    let app = TestApp::start().await;
    for path in ["/healthz", "/", "/nonsense", "/client/v4/zones"] {
        let answer = app.get(path).await;
        assert_eq!(answer.headers["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(answer.headers["referrer-policy"], "no-referrer", "{path}");
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    }
    let root = app.get("/").await;
    assert_eq!(root.headers["content-type"], "text/html; charset=utf-8");
    assert_eq!(app.get("/client/v4/zones").await.headers["content-type"], "application/json");
}

#[tokio::test]
async fn foreign_hosts_are_refused() {
    let app = TestApp::start().await;
    let with_host = |host: &str| Request::get("/healthz").header("host", host).body(Body::empty()).unwrap();
    for host in ["localhost", "127.0.0.1:8787", "[::1]:8787"] {
        assert_eq!(app.send(with_host(host)).await.status, 200, "{host}");
    }
    for host in ["evil.example", "localhost.evil.example:8787"] {
        app.send(with_host(host)).await.assert_errors(421, &[(10421, "")]);
    }
}
