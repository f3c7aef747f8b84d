//! The service as a process: start, restart, sockets, hosts and files.

use crate::app::TestApp;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use zonewright_server::{App, Config, LogConfig, ServeError, serve};
use zonewright_store::OpenError;

#[tokio::test]
async fn restart_preserves_objects_and_credentials() {
    let app = TestApp::start().await;
    let body = json!([{"filter": {"expression": "ssl"}, "action": "block"}]);
    let created = app.post(&app.zone("/firewall/rules"), body).await;
    let app = app.restart().await;
    assert_eq!(app.get(&app.zone("/firewall/rules")).await.body["result"], created.body["result"]);
    assert_eq!(app.total("/filters").await, 1);
    assert_eq!(credentials(app.data_dir.path())["base_url"], json!("http://127.0.0.1:2/client/v4"));
}

fn credentials(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("demo-credentials.json")).unwrap()).unwrap()
}

#[tokio::test]
async fn credentials_file_is_complete() {
    let app = TestApp::start().await;
    let file = credentials(app.data_dir.path());
    for member in ["base_url", "email", "key", "token", "account_id", "zone_id"] {
        assert!(file[member].is_string(), "{member}");
    }
    assert_eq!(file["zone_id"], file["zones"][0]["id"]);
    assert_eq!(file["zones"][0]["plan"], json!("enterprise"));
}

#[cfg(unix)]
#[tokio::test]
async fn files_are_private_in_a_public_directory() {
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
async fn missing_credentials_file_does_not_prevent_the_start() {
    let app = TestApp::start().await;
    std::fs::remove_file(app.data_dir.path().join("demo-credentials.json")).unwrap();
    let app = app.restart().await;
    assert_eq!(app.total("/filters").await, 0);
}

#[tokio::test]
async fn second_service_on_the_same_directory_is_rejected() {
    let app = TestApp::start().await;
    let second = App::open(app.data_dir.path(), "").await;
    assert!(matches!(second, Err(ServeError::Open(OpenError::InUse(_)))));
}

#[tokio::test]
async fn canceled_request_rolls_back_and_does_not_block_the_next() {
    let app = TestApp::start().await;
    let path = app.zone("/filters");
    let expression = |number: u64| json!({ "expression": format!("cf.edge.server_port eq {number}") });
    let many: Vec<_> = (0..300).map(expression).collect();
    for wait in 0..30 {
        let canceled = app.post(&path, json!(many));
        if let Ok(response) = tokio::time::timeout(Duration::from_millis(5 * wait), canceled).await {
            assert_eq!(response.status, 200, "{response:?}");
            break;
        }
        let next = app.post(&path, json!([expression(1000 + wait)])).await;
        assert_eq!(next.status, 200, "{next:?}");
        let total = app.total("/filters").await;
        // The commit was already in progress.
        if total > 300 {
            break;
        }
        assert_eq!(total, wait + 1);
    }
}

#[tokio::test]
async fn data_directory_may_have_any_name() {
    let folder = TempDir::new().unwrap();
    let odd = folder.path().join("a b?c#d%e'é/nested");
    let (app, _) = App::open(&odd, "").await.unwrap();
    app.close().await;
    assert!(odd.join("zonewright.db").exists());
}

#[tokio::test]
async fn service_listens_on_a_free_port() {
    let folder = TempDir::new().unwrap();
    let config = Config {
        listen: "127.0.0.1:0".parse().unwrap(),
        data_dir: folder.path().to_owned(),
        log: LogConfig { filter: "warn".parse().unwrap(), ..LogConfig::default() },
        ..Config::default()
    };
    let service = tokio::spawn(serve(config));
    let address = address(folder.path()).await;
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    let response = exchange(&address, &request).await;
    assert!(response.starts_with("HTTP/1.1 200 OK\r\n") && response.ends_with("\r\n\r\nok\n"), "{response}");

    let file = credentials(folder.path());
    let (zone, token) = (file["zone_id"].as_str().unwrap(), file["token"].as_str().unwrap());
    let request = format!(
        "GET /client/v4/zones/{zone}/filters HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n"
    );
    let response = exchange(&address, &request).await;
    assert!(response.contains("\"success\":true"), "{response}");
    let foreign = exchange(&address, "GET /healthz HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n").await;
    assert!(foreign.starts_with("HTTP/1.1 421 ") && foreign.contains("10421"), "{foreign}");

    // A truncated body, and a client that disconnects.
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

/// The address that the service writes to its file once it listens.
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
    let mut response = String::new();
    tokio::time::timeout(Duration::from_secs(10), stream.read_to_string(&mut response)).await.unwrap().unwrap();
    response
}
