//! `zonewright serve` in operation: options from three sources, logs, monitoring, and shutdown.

#![cfg(unix)]

use crate::support::{run, stderr, stdout, zonewright};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A running service; it is killed on drop.
struct Service {
    child: Child,
    address: String,
    /// The address of the metrics listener, if there is one.
    metrics_address: Option<String>,
    log: std::thread::JoinHandle<String>,
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Service {
    fn start(data: &Path, options: &[&str]) -> Service {
        Service::start_in(data, options, &[])
    }

    fn start_in(data: &Path, options: &[&str], environment: &[(&str, &str)]) -> Service {
        let mut command = zonewright(&["serve", "--data", data.to_str().unwrap()]);
        command.args(options).envs(environment.iter().copied());
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let log = std::thread::spawn(move || {
            let mut log = String::new();
            let _ = stderr.read_to_string(&mut log);
            log
        });
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut line = || lines.next().unwrap_or_else(|| panic!("the service ended")).unwrap();
        let address = line().strip_prefix("listening on http://").unwrap().to_owned();
        let metrics_address = options.contains(&"--metrics-listen").then(line);
        let metrics_address = metrics_address
            .map(|line| line.strip_prefix("metrics on http://").unwrap().trim_end_matches("/metrics").to_owned());
        // The remaining output must be read, so that the pipe does not fill.
        std::thread::spawn(move || lines.count());
        Service { child, address, metrics_address, log }
    }

    fn get(&self, path: &str) -> String {
        get(&self.address, path)
    }

    fn terminate(&self) {
        let status = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Waits for a successful exit, and returns the log.
    fn wait_for_exit(mut self) -> String {
        assert!(self.child.wait().unwrap().success());
        let log = std::mem::replace(&mut self.log, std::thread::spawn(String::new));
        log.join().unwrap()
    }

    /// The resident memory of the process in KiB.
    fn resident_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    }
}

/// The whole response to a request on a new connection.
fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let request =
        format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer sec-ret\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}

#[test]
fn help_lists_every_option_and_its_other_sources() {
    let help = stdout(&run(&["serve", "--help"], ""));
    let options = [
        "config",
        "listen",
        "data",
        "no-demo",
        "migration-delay",
        "database",
        "database-password-file",
        "host",
        "allow-origin",
        "trusted-proxy",
        "rate-limit",
        "rate-limit-period",
        "max-connections",
        "header-timeout",
        "metrics-listen",
        "log-format",
        "log",
        "shutdown-delay",
        "logpush-files",
        "logpush-allow-http",
        "logpush-allow-private",
        "logpush-challenge",
        "logpush-test-destination",
        "logpush-own-bucket",
        "logpush-spool-bytes",
        "logpush-interval",
        "relay-upstream",
        "relay-allow-http",
        "relay-credentials-file",
        "relay-passphrase-file",
    ];
    for option in options {
        assert!(help.contains(&format!("--{option}")), "{option}");
    }
    assert!(help.contains("ZONEWRIGHT_MAX_CONNECTIONS") && help.contains("max-connections = 5"), "{help}");
}

#[test]
fn invalid_values_report_source_and_allowed_values() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("z.toml");
    let listens = "listen = \"nowhere\"\nlogpush-intervall = 5\nlogpush-interval = 500\nallow-origin = [\"*\"]\n";
    std::fs::write(&file, listens).unwrap();
    let mut command = zonewright(&["serve", "--config", file.to_str().unwrap()]);
    command.env("ZONEWRIGHT_LOG_FORMAT", "xml").env("ZONEWRIGHT_TRUSTED_PROXY", "10.0.0.0/8, here");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr_text = stderr(&output).replace(file.to_str().unwrap(), "FILE");
    let expected = [
        "FILE, line 2: unknown option `logpush-intervall`; did you mean `logpush-interval`?",
        "FILE, line 1: listen: invalid value 'nowhere' for '--listen <ADDR:PORT>': expected an address and a port",
        "FILE, line 3: logpush-interval: invalid value '500' for '--logpush-interval <SECONDS>': expected an integer from 1 to 300",
        "FILE, line 4: allow-origin: invalid value '*' for '--allow-origin <ORIGIN>': `*` would allow every website",
        "ZONEWRIGHT_LOG_FORMAT in the environment: invalid value 'xml' for '--log-format <FORMAT>' [possible values: text, json]",
        "ZONEWRIGHT_TRUSTED_PROXY in the environment: invalid value 'here'",
    ];
    for expected in expected {
        assert!(
            stderr_text.lines().any(|line| line.starts_with(&format!("zonewright: {expected}"))),
            "{expected}\n{stderr_text}"
        );
    }
    assert_eq!(stderr_text.lines().count(), expected.len(), "{stderr_text}");

    let missing = run(&["serve", "--config", "/nonsense.toml"], "");
    assert!(stderr(&missing).starts_with("zonewright: cannot read /nonsense.toml: "), "{}", stderr(&missing));
    let flag = run(&["serve", "--rate-limit", "many"], "");
    assert!(stderr(&flag).contains("invalid value 'many' for '--rate-limit <REQUESTS>'"), "{}", stderr(&flag));
}

#[test]
fn option_precedence_is_flag_environment_file() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("z.toml");
    std::fs::write(&file, "listen = \"127.0.0.9:1\"\nhost = [\"file.example\"]\nno-demo = true\n").unwrap();
    let environment = [
        ("ZONEWRIGHT_CONFIG", file.to_str().unwrap()),
        ("ZONEWRIGHT_LISTEN", "127.0.0.2:0"),
        ("ZONEWRIGHT_HOST", "environment.example"),
    ];
    let data = folder.path().join("data");
    let service = Service::start_in(&data, &["--host", "flag.example"], &environment);
    assert!(service.address.starts_with("127.0.0.2:"), "{}", service.address);
    assert!(!data.join("demo-credentials.json").exists());
    let status = |host: &str| {
        let mut stream = TcpStream::connect(&service.address).unwrap();
        write!(stream, "GET /healthz HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response.get(9..12).unwrap().to_owned()
    };
    let statuses = ["flag.example", "environment.example", "file.example", "localhost"].map(status);
    assert_eq!(statuses, ["200", "421", "421", "200"]);
}

#[test]
fn sample_configuration_is_valid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = TempDir::new().unwrap();
    let file = root.join("deploy/zonewright.toml");
    let options = ["--config", file.to_str().unwrap(), "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"];
    let service = Service::start(folder.path(), &options);
    assert!(service.get("/readyz").ends_with("ok\n"));
    // The variables in the other samples exist.
    let help = stdout(&run(&["serve", "--help"], ""));
    for sample in ["deploy/Dockerfile", "deploy/zonewright.service"] {
        let text = std::fs::read_to_string(root.join(sample)).unwrap();
        for variable in text.split(|letter: char| !letter.is_ascii_uppercase() && letter != '_') {
            if let Some(name) = variable.strip_prefix("ZONEWRIGHT_") {
                let option = format!("--{}", name.to_lowercase().replace('_', "-"));
                assert!(help.contains(&option), "{sample}: {variable}");
            }
        }
    }
}

#[test]
fn each_request_is_logged_on_one_line_without_secrets() {
    let folder = TempDir::new().unwrap();
    let service = Service::start(folder.path(), &["--listen", "127.0.0.1:0", "--log-format", "json"]);
    let zone = "0123456789abcdef0123456789abcdef";
    service.get(&format!("/client/v4/zones/{zone}/filters?description=sec-ret"));
    service.get("/sec-ret");
    service.terminate();
    let log = service.wait_for_exit();
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let requests: Vec<_> = lines.iter().filter(|line| line["message"] == "request").collect();
    assert_eq!(requests.len(), 2, "{log}");
    assert_eq!(requests[0]["route"], "/client/v4/zones/{zone_id}/filters");
    assert_eq!((&requests[0]["method"], &requests[0]["status"]), (&"GET".into(), &400.into()));
    assert!(requests[0]["duration_ms"].is_number());
    assert_eq!(requests[0]["request_id"].as_str().unwrap().len(), 16);
    assert_eq!((&requests[1]["route"], &requests[1]["status"]), (&"unmatched".into(), &404.into()));
    assert!(!log.contains("sec-ret") && !log.contains(zone), "{log}");
}

#[test]
fn rate_limit_option_limits_requests() {
    let path = "/client/v4/zones";
    let folder = TempDir::new().unwrap();
    let service = Service::start(folder.path(), &["--listen", "127.0.0.1:0"]);
    let response = service.get(path);
    assert!(!response.to_lowercase().contains("\r\nratelimit"), "loopback addresses are not rate limited: {response}");
    drop(service);
    let limited = ["--listen", "127.0.0.1:0", "--rate-limit", "2", "--rate-limit-period", "3600"];
    let folder = TempDir::new().unwrap();
    let service = Service::start(folder.path(), &limited);
    for _ in 0..2 {
        assert!(service.get(path).to_lowercase().contains("\r\nratelimit: "));
    }
    let response = service.get(path).to_lowercase();
    assert!(response.starts_with("http/1.1 429 ") && response.contains("\r\nretry-after: "), "{response}");
}

#[test]
fn metrics_are_served_on_a_separate_address() {
    let folder = TempDir::new().unwrap();
    let service = Service::start(folder.path(), &["--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"]);
    let metrics_address = service.metrics_address.clone().unwrap();
    assert!(get(&metrics_address, "/metrics").contains("zonewright_http_connections "));
    assert!(get(&metrics_address, "/readyz").ends_with("ok\n"));
    assert!(get(&metrics_address, "/client/v4/zones").starts_with("HTTP/1.1 404 "));
    assert!(service.get("/metrics").starts_with("HTTP/1.1 404 "));
    let folder = TempDir::new().unwrap();
    let service = Service::start(folder.path(), &["--listen", "127.0.0.1:0"]);
    assert!(service.get("/metrics").starts_with("HTTP/1.1 200 "));
}

#[test]
fn shutdown_drains_in_order() {
    let folder = TempDir::new().unwrap();
    let options = ["--listen", "127.0.0.1:0", "--shutdown-delay", "2"];
    let service = Service::start(folder.path(), &options);
    assert!(service.get("/readyz").starts_with("HTTP/1.1 200 "));
    // An idle connection does not delay the shutdown.
    let _silent = TcpStream::connect(&service.address).unwrap();
    // A request in progress is completed.
    let credentials = std::fs::read_to_string(folder.path().join("demo-credentials.json")).unwrap();
    let credentials: serde_json::Value = serde_json::from_str(&credentials).unwrap();
    let mut pending = TcpStream::connect(&service.address).unwrap();
    let (zone, token) = (credentials["zone_id"].as_str().unwrap(), credentials["token"].as_str().unwrap());
    let body = "[{\"expression\": \"cf.edge.server_port eq 1234\"}]";
    write!(
        pending,
        "POST /client/v4/zones/{zone}/filters HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\ncontent-length: {}\r\n\r\n[",
        body.len()
    )
    .unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let start = Instant::now();
    service.terminate();
    std::thread::sleep(Duration::from_millis(500));
    let ready = service.get("/readyz");
    assert!(ready.starts_with("HTTP/1.1 503 ") && ready.ends_with("the service is shutting down\n"), "{ready}");
    assert!(service.get("/healthz").starts_with("HTTP/1.1 200 "));
    std::thread::sleep(Duration::from_millis(2000));
    assert!(TcpStream::connect(&service.address).is_err(), "new connections are refused");
    pending.write_all(&body.as_bytes()[1..]).unwrap();
    let mut response = String::new();
    pending.read_to_string(&mut response).unwrap();
    assert!(response.starts_with("HTTP/1.1 200 OK\r\n") && response.contains("\"success\":true"), "{response}");
    let log = service.wait_for_exit();
    assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
    let position = |text: &str| log.find(text).unwrap_or_else(|| panic!("{text}: {log}"));
    assert!(
        position("shutting down") < position("/filters") && position("/filters") < position("shutdown complete"),
        "{log}"
    );
}

#[test]
fn many_idle_connections_use_little_memory_and_time_out() {
    let soak = std::env::var_os("ZONEWRIGHT_SOAK").is_some();
    let (connection_count, timeout) = if soak { (5000, "15") } else { (500, "5") };
    let folder = TempDir::new().unwrap();
    let service = Service::start(folder.path(), &["--listen", "127.0.0.1:0", "--header-timeout", timeout]);
    for _ in 0..20 {
        service.get("/healthz");
    }
    let mut peaks = Vec::new();
    let before = service.resident_kib();
    for _ in 0..3 {
        let mut idle: Vec<TcpStream> =
            (0..connection_count).map(|_| TcpStream::connect(&service.address).unwrap()).collect();
        for (number, stream) in idle.iter_mut().enumerate() {
            // Half of them have started a request.
            if number % 2 == 0 {
                stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: local").unwrap();
            }
        }
        let start = Instant::now();
        let metrics = service.get("/metrics");
        let open = metrics.lines().find_map(|line| line.strip_prefix("zonewright_http_connections ")).unwrap();
        assert!(open.parse::<u64>().unwrap() > connection_count, "{open} connections at the same time");
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        peaks.push(service.resident_kib());
        for stream in &mut idle {
            stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
            let mut response = Vec::new();
            // Closed or reset; only a timeout is an error.
            if let Err(error) = stream.read_to_end(&mut response) {
                assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
            }
        }
    }
    println!(
        "{connection_count} idle connections: {before} KiB before, {peaks:?} KiB with them, {} after",
        service.resident_kib()
    );
    // The memory may also fall: the allocator may return memory of the startup only now.
    let (first, last) = (peaks[0].saturating_sub(before), peaks[2].saturating_sub(before));
    assert!(first < connection_count * 24, "{before} {peaks:?}: more than 24 KiB for each");
    // The allocator grows in steps of 2 MiB, one for each active thread.
    assert!(last < first + first / 4 + 8192, "{before} {peaks:?}: memory grows from wave to wave");
}
