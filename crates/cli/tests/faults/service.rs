//! A process of the service, and an HTTP client for it.

use serde_json::Value;
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Row};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The binary under test; `ZONEWRIGHT_BIN` names another one, such as that of a release.
pub(crate) fn binary() -> String {
    std::env::var("ZONEWRIGHT_BIN").unwrap_or_else(|_| env!("CARGO_BIN_EXE_zonewright").to_owned())
}

/// A command line of the service, shared by all of its starts.
#[derive(Clone)]
pub(crate) struct Options {
    /// The command that starts the binary, such as `nsenter`.
    pub(crate) launcher: Vec<String>,
    pub(crate) data: PathBuf,
    /// The `--database` option, unless it is SQLite.
    pub(crate) database: Option<String>,
    pub(crate) serve_options: Vec<String>,
}

impl Options {
    /// Options with deliveries to this machine a second after ingestion, and migrations that take a second.
    pub(crate) fn new(data: &Path, database: Option<String>) -> Options {
        let serve_options = [
            "--migration-delay",
            "1",
            "--logpush-interval",
            "1",
            "--logpush-allow-http",
            "--logpush-allow-private",
            "--log",
            "warn",
        ];
        Options {
            launcher: Vec::new(),
            data: data.to_owned(),
            database,
            serve_options: serve_options.map(str::to_owned).into(),
        }
    }

    /// The same with another log level.
    pub(crate) fn logging(mut self, level: &str) -> Options {
        self.serve_options
            .iter_mut()
            .filter(|argument| *argument == "warn")
            .for_each(|argument| level.clone_into(argument));
        self
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut args = self.launcher.clone();
        args.push(binary());
        args.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        args.extend(["--data".to_owned(), self.data.display().to_string()]);
        if let Some(url) = &self.database {
            args.extend(["--database".to_owned(), url.clone()]);
        }
        let mut command = Command::new(&args[0]);
        command.args(&args[1..]).stdin(Stdio::null());
        command
    }

    /// Starts the process without waiting for it.
    pub(crate) fn spawn(&self, log: File) -> Child {
        let mut command = self.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.args(&self.serve_options).stdout(Stdio::piped()).stderr(log).spawn().unwrap()
    }

    pub(crate) fn start(&self) -> Service {
        let log = tempfile::NamedTempFile::new().unwrap();
        let mut child = self.spawn(log.reopen().unwrap());
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://").map(str::to_owned);
        let address = address.unwrap_or_else(|| panic!("{line}{}", std::fs::read_to_string(log.path()).unwrap()));
        Service { child, address, log, _out: out }
    }

    /// The error message of a start that fails.
    pub(crate) fn startup_error(&self) -> String {
        let log = tempfile::NamedTempFile::new().unwrap();
        let mut child = self.spawn(log.reopen().unwrap());
        let end = Instant::now() + Duration::from_secs(60);
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if Instant::now() > end => {
                    child.kill().unwrap();
                    panic!("the service started");
                }
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        assert_eq!(status.code(), Some(2));
        std::fs::read_to_string(log.path()).unwrap()
    }

    /// Runs `zonewright admin …` on the same database.
    pub(crate) fn admin(&self, arguments: &[&str]) -> Output {
        let arguments: Vec<&str> = ["admin"].iter().chain(arguments).copied().collect();
        self.command(&arguments).output().unwrap()
    }

    /// Asserts that `zonewright admin check` finds no inconsistency.
    pub(crate) fn assert_database_consistent(&self) {
        let output = self.admin(&["check"]);
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        assert!(output.status.success(), "{text}");
    }

    /// Creates a zone and returns its ID.
    pub(crate) fn zone(&self, name: &str, plan: &str) -> String {
        let output = self.admin(&["zone", "create", name, "--plan", plan, "--format", "json"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let created: Value = serde_json::from_slice(&output.stdout).unwrap();
        created["zone"].as_str().unwrap().to_owned()
    }

    /// The token of the demo account.
    pub(crate) fn token(&self) -> String {
        let demo = std::fs::read(self.data.join("demo-credentials.json")).unwrap();
        serde_json::from_slice::<Value>(&demo).unwrap()["token"].as_str().unwrap().to_owned()
    }
}

/// A running process; it is killed on drop.
pub(crate) struct Service {
    pub(crate) child: Child,
    pub(crate) address: String,
    log: tempfile::NamedTempFile,
    /// Kept open, because the process writes more than its address.
    _out: BufReader<ChildStdout>,
}

impl Drop for Service {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Service {
    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Shuts the process down gracefully.
    pub(crate) fn stop(&mut self) {
        self.signal("TERM");
        assert!(self.child.wait().unwrap().success(), "{}", self.log());
    }

    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// The log of the process.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.log.path()).unwrap()
    }

    pub(crate) fn api(&self, token: &str) -> ApiClient {
        ApiClient { address: self.address.clone(), token: token.to_owned() }
    }

    /// Status and body of a path outside of `/client/v4`.
    pub(crate) fn get_unauthenticated(&self, path: &str) -> Option<(u16, String)> {
        let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        exchange(&self.address, &request)
    }
}

/// An HTTP client with a token.
#[derive(Clone)]
pub(crate) struct ApiClient {
    address: String,
    token: String,
}

#[derive(Debug)]
pub(crate) struct ApiResponse {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl ApiResponse {
    pub(crate) fn result(self) -> Value {
        assert_eq!(self.status, 200, "{:#}", self.body);
        self.body["result"].clone()
    }

    /// The code of the first error.
    pub(crate) fn code(&self) -> u64 {
        self.body["errors"][0]["code"].as_u64().unwrap_or_default()
    }
}

impl ApiClient {
    /// Sends a request; `None` without a complete response.
    pub(crate) fn call(&self, method: &str, path: &str, body: &str) -> Option<ApiResponse> {
        let ApiClient { address, token } = self;
        let request = format!(
            "{method} /client/v4{path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\
             connection: close\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let (status, body) = exchange(address, &request)?;
        Some(ApiResponse { status, body: serde_json::from_str(&body).ok()? })
    }

    pub(crate) fn send(&self, method: &str, path: &str, body: &Value) -> ApiResponse {
        self.call(method, path, &body.to_string()).expect("a response")
    }

    pub(crate) fn get(&self, path: &str) -> ApiResponse {
        self.call("GET", path, "").expect("a response")
    }
}

pub(crate) fn exchange(address: &str, request: &str) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    stream.write_all(request.as_bytes()).ok()?;
    let mut response = String::new();
    stream.read_to_string(&mut response).ok()?;
    let (head, body) = response.split_once("\r\n\r\n")?;
    let body = if head.contains("transfer-encoding: chunked") { decode_chunked(body)? } else { body.to_owned() };
    Some((head.split(' ').nth(1)?.parse().ok()?, body))
}

/// Decodes a chunked body; `None` when its end is missing.
fn decode_chunked(mut text: &str) -> Option<String> {
    let mut response = String::new();
    loop {
        let (length, rest) = text.split_once("\r\n")?;
        let length = usize::from_str_radix(length, 16).ok()?;
        if length == 0 {
            return Some(response);
        }
        response.push_str(rest.get(..length)?);
        text = rest.get(length + 2..)?;
    }
}

/// The number of rounds of a test: a hundred in soak tests.
pub(crate) fn soak_rounds(default_rounds: usize) -> usize {
    if std::env::var_os("ZONEWRIGHT_SOAK").is_some() { 100 } else { default_rounds }
}

/// A random number below `end`.
pub(crate) fn random(end: u64) -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish() % end
}

/// Waits until `poll` returns a value.
pub(crate) fn wait_until<T>(timeout: Duration, condition: &str, mut poll: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + timeout;
    loop {
        if let Some(found) = poll() {
            return found;
        }
        assert!(Instant::now() < end, "timed out: {condition}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The rows of a query; all columns are texts.
pub(crate) fn rows(options: &Options, statement: &str) -> Vec<Vec<String>> {
    sqlx::any::install_default_drivers();
    let file = || format!("sqlite://{}/zonewright.db", options.data.display());
    let url = options.database.clone().unwrap_or_else(file);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut connection = AnyConnection::connect(&url).await.unwrap();
        let rows = sqlx::query(AssertSqlSafe(statement.to_owned())).fetch_all(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        rows.iter().map(|row| (0..row.len()).map(|column| row.get::<String, _>(column)).collect()).collect()
    })
}
