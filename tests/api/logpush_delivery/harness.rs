//! A running service with its destinations.

use crate::app::TestResponse;
use crate::database::TestDatabase;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request};
use flate2::read::MultiGzDecoder;
use serde_json::{Value, json};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;
use tower::ServiceExt;
use zonewright_delivery::{DeliveryLimits, LogPushConfig};
use zonewright_server::{App, Config};
use zonewright_store::{Admin, StoreConfig, Timeouts};

/// A service with a short delivery interval, on a separate directory.
pub(super) struct DeliveryHarness {
    folder: TempDir,
    config: LogPushConfig,
    database: TestDatabase,
    app: App,
    router: Router,
    token: String,
    zone: String,
    account: String,
}

/// A log line with this ID and country, with its line feed.
pub(super) fn line(ray: &str, country: &str) -> String {
    format!("{}\n", json!({"RayID": ray, "ClientCountry": country, "EdgeResponseStatus": 200}))
}

/// Lines with the IDs `0`, `1`…
pub(super) fn lines(count: usize) -> String {
    (0..count).map(|n| line(&n.to_string(), "us")).collect()
}

fn test_config(data: &Path, storage: &StoreConfig, log_push: &LogPushConfig) -> Config {
    let (data, storage, log_push) = (data.to_owned(), storage.clone(), log_push.clone());
    Config { data_dir: data, storage, log_push, ..Config::default() }
}

impl DeliveryHarness {
    /// Allows file destinations, plain HTTP, and this machine, unless `configure` disables them.
    pub(super) async fn start(configure: impl FnOnce(&mut LogPushConfig)) -> DeliveryHarness {
        let folder = TempDir::new().unwrap();
        let file_root = folder.path().join("files");
        std::fs::create_dir(&file_root).unwrap();
        let limits = DeliveryLimits {
            batch_interval: Duration::from_millis(100),
            connect_timeout: Duration::from_millis(500),
            upload_timeout: Duration::from_secs(1),
            initial_backoff: Duration::from_millis(50),
            max_backoff: Duration::from_millis(200),
            ..DeliveryLimits::default()
        };
        let mut config = LogPushConfig {
            file_root: Some(file_root),
            allow_http: true,
            allow_private: true,
            limits,
            ..LogPushConfig::default()
        };
        configure(&mut config);
        let database = TestDatabase::new().await;
        let (data_dir, storage) = (folder.path().join("data"), database.storage(Timeouts::default()));
        let opened = App::open_with_config(&test_config(&data_dir, &storage, &config), "").await;
        let (app, demo) = opened.unwrap();
        let demo = demo.unwrap();
        let (token, zone, account) = (demo.token, demo.zone_id, demo.account_id);
        DeliveryHarness { router: app.router(), folder, config, database, app, token, zone, account }
    }

    /// Shuts the service down gracefully, and starts it again.
    pub(super) async fn restart(self) -> DeliveryHarness {
        self.restart_with(false, |_| {}).await
    }

    /// Starts the service again with another configuration. Unless `hard` is set, it shuts the service down first.
    pub(super) async fn restart_with(self, hard: bool, configure: impl FnOnce(&mut LogPushConfig)) -> DeliveryHarness {
        let DeliveryHarness { folder, mut config, database, app, router, token, zone, account } = self;
        if !hard {
            app.close().await;
        }
        configure(&mut config);
        drop((router, app));
        let (data_dir, storage) = (folder.path().join("data"), database.storage(Timeouts::default()));
        let (app, _) = App::open_with_config(&test_config(&data_dir, &storage, &config), "").await.unwrap();
        DeliveryHarness { router: app.router(), folder, config, database, app, token, zone, account }
    }

    /// The directory that `file://` destinations are in.
    pub(super) fn file_root(&self) -> PathBuf {
        self.folder.path().join("files")
    }

    /// The data directory of the service.
    pub(super) fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub(super) fn account(&self) -> &str {
        &self.account
    }

    pub(super) async fn send(&self, request: Request<Body>) -> TestResponse {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        TestResponse { status, headers, body: serde_json::from_str(&text).unwrap_or(Value::String(text)) }
    }

    /// A request to a path of the zone.
    pub(super) fn request(&self, method: Method, rest: &str) -> axum::http::request::Builder {
        let uri = format!("/client/v4/zones/{}/logpush{rest}", self.zone);
        let builder = Request::builder().method(method).uri(uri).header("host", "127.0.0.1:1");
        builder.header("authorization", format!("Bearer {}", self.token))
    }

    async fn call(&self, method: Method, rest: &str, body: Value) -> Value {
        let response = self.send(self.request(method, rest).body(body.to_string().into()).unwrap()).await;
        assert_eq!(response.status, 200, "{response:#?}");
        response.body["result"].clone()
    }

    /// Creates an enabled job of `http_requests`, with `RayID` only unless `settings` overrides it.
    pub(super) async fn create_job(&self, settings: Value) -> u64 {
        let mut job =
            json!({"dataset": "http_requests", "enabled": true, "output_options": {"field_names": ["RayID"]}});
        for (name, value) in settings.as_object().unwrap() {
            job[name] = value.clone();
        }
        if job["output_options"]["field_names"].is_null() {
            job["output_options"]["field_names"] = json!(["RayID"]);
        }
        self.call(Method::POST, "/jobs", job).await["id"].as_u64().unwrap()
    }

    pub(super) async fn update(&self, job: u64, settings: Value) {
        self.call(Method::PUT, &format!("/jobs/{job}"), settings).await;
    }

    pub(super) async fn delete(&self, job: u64) {
        self.call(Method::DELETE, &format!("/jobs/{job}"), json!(null)).await;
    }

    /// Deletes the zone through the administration command.
    pub(super) async fn delete_zone(&self) {
        let admin = Admin::open(&self.data_dir(), &self.database.storage(Timeouts::default())).await.unwrap();
        let zone = admin.zone(&self.zone).await.unwrap();
        admin.delete_zone(&zone).await.unwrap();
        admin.close().await;
    }

    pub(super) async fn get_job(&self, job: u64) -> Value {
        self.call(Method::GET, &format!("/jobs/{job}"), json!(null)).await
    }

    /// Entries with this action in the audit log.
    pub(super) async fn audit_log(&self, action: &str) -> TestResponse {
        let uri = format!("/client/v4/accounts/{}/audit_logs?action.type={action}", self.account);
        let request = Request::get(uri).header("host", "127.0.0.1:1");
        let request = request.header("authorization", format!("Bearer {}", self.token));
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// Waits until the job satisfies a condition.
    pub(super) async fn wait_for_job(&self, job: u64, is_done: impl Fn(&Value) -> bool) -> Value {
        let mut last = Value::Null;
        for _ in 0..400 {
            last = self.get_job(job).await;
            if is_done(&last) {
                return last;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("{last:#}");
    }

    /// Sends lines that are all accepted.
    pub(super) async fn ingest(&self, lines: &str) -> TestResponse {
        let request = self.request(Method::POST, "/ingest/http_requests").body(lines.to_owned().into()).unwrap();
        let response = self.send(request).await;
        assert_eq!((response.status, &response.body["result"]["rejected"]), (200, &json!(0)), "{response:#?}");
        response
    }

    /// Waits until `find` returns a value.
    pub(super) async fn wait_until<T>(&self, find: impl Fn(&DeliveryHarness) -> Option<T>) -> T {
        for _ in 0..400 {
            if let Some(value) = find(self) {
                return value;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("timed out: {:#?}", self.read_objects());
    }

    /// Waits until the file root has at least `count` objects.
    pub(super) async fn wait_for_objects(&self, count: usize) -> Vec<(String, String)> {
        self.wait_until(|harness| Some(harness.read_objects()).filter(|objects| objects.len() >= count)).await
    }

    /// Name and text of every object, sorted by name.
    pub(super) fn read_objects(&self) -> Vec<(String, String)> {
        let root = self.file_root();
        let mut objects = Vec::new();
        for path in list_files(&root).into_iter().filter(|path| path.extension().is_some_and(|end| end == "gz")) {
            let mut text = String::new();
            MultiGzDecoder::new(std::fs::File::open(&path).unwrap()).read_to_string(&mut text).unwrap();
            objects.push((path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned(), text));
        }
        objects.sort();
        objects
    }

    /// The ray IDs of all lines in a directory of the file root, sorted.
    pub(super) fn ray_ids(&self, folder: &str) -> Vec<String> {
        let objects = self.read_objects().into_iter().filter(|(name, _)| name.starts_with(&format!("{folder}/")));
        let mut ray_ids: Vec<String> = objects.flat_map(|(_, text)| ray_ids_in(&text)).collect();
        ray_ids.sort();
        ray_ids
    }

    /// The files of the spool.
    pub(super) fn spool_files(&self) -> Vec<PathBuf> {
        list_files(&self.data_dir().join("spool"))
    }
}

/// The ray IDs in a batch.
pub(super) fn ray_ids_in(text: &str) -> Vec<String> {
    let ray = |line: &str| serde_json::from_str::<Value>(line).unwrap()["RayID"].as_str().unwrap().to_owned();
    text.lines().map(ray).collect()
}

/// All files below a directory.
fn list_files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(list_files(&path)) } else { files.push(path) }
    }
    files
}
