//! PostgreSQL commits and its reply is lost: a proxy between the service and the database cuts the connection.

use crate::postgres::PostgresServer;
use crate::service::{ApiClient, ApiResponse, Options, rows};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The fault that the proxy injects at the next commit of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Never,
    /// The commit does not reach the database.
    Before,
    /// The commit reaches the database, but its reply is lost.
    After,
    /// As `After`, and connections hang from then on.
    AfterAndClosed,
    /// As `After`, and connections are refused from then on.
    AfterAndGone,
    /// The statement for the audit log, which precedes the commit, is lost, and connections hang from then on.
    BeforeLogAndClosed,
    /// Connections hang.
    Closed,
    /// Connections are refused.
    Gone,
}

struct Proxy {
    port: u16,
    cut: Arc<Mutex<Fault>>,
}

impl Proxy {
    fn start(socket: PathBuf) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let cut = Arc::new(Mutex::new(Fault::Never));
        let shared = Arc::clone(&cut);
        listener.set_nonblocking(true).unwrap();
        std::thread::spawn(move || {
            while *shared.lock().unwrap() != Fault::Gone {
                let Ok((client, _)) = listener.accept() else {
                    std::thread::sleep(Duration::from_millis(2));
                    continue;
                };
                client.set_nonblocking(false).unwrap();
                let Ok(server) = UnixStream::connect(&socket) else { continue };
                let (cut, from, to) = (Arc::clone(&shared), client.try_clone().unwrap(), server.try_clone().unwrap());
                std::thread::spawn(move || forward_to_database(from, to, &cut));
                let cut = Arc::clone(&shared);
                std::thread::spawn(move || forward_to_service(server, client, &cut));
            }
        });
        Proxy { port, cut }
    }

    fn set(&self, cut: Fault) {
        *self.cut.lock().unwrap() = cut;
    }
}

/// Forwards from the service to the database.
fn forward_to_database(mut from: TcpStream, mut to: UnixStream, cut: &Mutex<Fault>) {
    let (mut bytes, mut statements) = ([0; 65536], 0);
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        let sent = &bytes[..length];
        let now = *cut.lock().unwrap();
        let was_sent = |needle: &[u8]| sent.windows(needle.len()).any(|window| window == needle);
        statements = if was_sent(b"BEGIN\0") { 0 } else { statements + 1 };
        // Lease renewals are a statement or two at intervals; the proxy forwards them.
        let commits = was_sent(b"COMMIT\0") && statements > 4;
        match now {
            Fault::Closed | Fault::Gone => break,
            Fault::BeforeLogAndClosed if was_sent(b"firewall_rule.create") => {
                *cut.lock().unwrap() = Fault::Closed;
                break;
            }
            Fault::Before if commits => {
                *cut.lock().unwrap() = Fault::Never;
                break;
            }
            Fault::After | Fault::AfterAndClosed | Fault::AfterAndGone if commits => {
                let next = match now {
                    Fault::After => Fault::Never,
                    Fault::AfterAndClosed => Fault::Closed,
                    _ => Fault::Gone,
                };
                // Locked meanwhile, so that the other thread does not forward the reply.
                let mut change = cut.lock().unwrap();
                to.write_all(sent).unwrap();
                std::thread::sleep(Duration::from_millis(200));
                let _ = from.shutdown(Shutdown::Both);
                *change = next;
                break;
            }
            _ if to.write_all(sent).is_err() => break,
            _ => {}
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

/// Forwards from the database to the service; replies on a cut connection are dropped.
fn forward_to_service(mut from: UnixStream, mut to: TcpStream, cut: &Mutex<Fault>) {
    let mut bytes = [0; 65536];
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        let closed = matches!(*cut.lock().unwrap(), Fault::Closed | Fault::Gone);
        if closed || to.write_all(&bytes[..length]).is_err() {
            break;
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

/// A zone in a database that the service reaches through the proxy.
struct ProxiedZone {
    api: ApiClient,
    zone: String,
    /// Connects to the database without the proxy.
    direct: Options,
}

impl ProxiedZone {
    fn create(&self, mark: &str) -> ApiResponse {
        let rule = json!([{"filter": {"expression": format!("http.host eq \"{mark}\"")}, "action": "block"}]);
        self.api.send("POST", &format!("/zones/{}/firewall/rules", self.zone), &rule)
    }

    /// The number of rules with this mark, and of their entries in the audit log.
    fn count(&self, mark: &str) -> [u64; 2] {
        let [stored, logged] = [
            format!(
                "select cast(count(*) as text) from firewall_rules r join filters f on f.id = r.filter_id
                 where f.expression = 'http.host eq \"{mark}\"'"
            ),
            format!(
                "select cast(count(*) as text) from audit_log
                 where action = 'firewall_rule.create' and after_change like '%{mark}%'"
            ),
        ]
        .map(|statement| rows(&self.direct, &statement)[0][0].parse().unwrap());
        [stored, logged]
    }
}

#[test]
fn lost_commit_reply_is_resolved_from_the_audit_log() {
    let Some(cluster) = PostgresServer::start() else { return };
    let folder = TempDir::new().unwrap();
    let direct = Options::new(&folder.path().join("data"), Some(cluster.database("lost")));
    let proxy = Proxy::start(cluster.socket());
    let through = format!("postgres://zonewright@127.0.0.1:{}/lost?sslmode=disable", proxy.port);
    let options = Options { database: Some(through), ..direct.clone() };
    let service = options.start();
    let zone = direct.zone("lost.example", "enterprise");
    let behind = ProxiedZone { api: service.api(&options.token()), zone, direct };
    assert_eq!(behind.create("plain.example").status, 200);

    proxy.set(Fault::After);
    let response = behind.create("after.example");
    assert_eq!(response.status, 200, "it was committed: {:#}", response.body);
    assert_eq!(behind.count("after.example"), [1, 1]);

    proxy.set(Fault::Before);
    let response = behind.create("before.example");
    assert_eq!((response.status, response.code()), (503, 10503), "{:#}", response.body);
    assert_eq!(behind.count("before.example"), [0, 0]);
    assert_eq!(behind.create("before.example").status, 200, "the request can be repeated");
    assert_eq!(behind.count("before.example"), [1, 1]);

    proxy.set(Fault::AfterAndClosed);
    let response = behind.create("closed.example");
    assert_eq!((response.status, response.code()), (500, 10504), "{:#}", response.body);
    proxy.set(Fault::Never);
    assert_eq!(behind.count("closed.example"), [1, 1]);
    let repeated = behind.create("closed.example");
    assert_eq!(
        (repeated.status, repeated.body["errors"][0]["code"].is_u64()),
        (400, true),
        "the rule exists: {:#}",
        repeated.body
    );
    assert_eq!(behind.count("closed.example"), [1, 1]);

    // Without a commit nothing has changed, even when the database cannot confirm it.
    proxy.set(Fault::BeforeLogAndClosed);
    let response = behind.create("early.example");
    assert_eq!((response.status, response.code()), (503, 10503), "{:#}", response.body);
    assert_eq!(*proxy.cut.lock().unwrap(), Fault::Closed, "the fault was injected");
    proxy.set(Fault::Never);
    assert_eq!(behind.count("early.example"), [0, 0]);

    // While every connection hangs, nothing changes.
    proxy.set(Fault::Closed);
    let response = behind.create("away.example");
    assert_eq!((response.status, response.code()), (503, 10503), "{:#}", response.body);
    proxy.set(Fault::Never);
    assert_eq!(behind.count("away.example"), [0, 0]);

    assert_jobs_persisted_or_in_doubt(&behind, &proxy);

    proxy.set(Fault::AfterAndGone);
    let began = Instant::now();
    let response = behind.create("gone.example");
    let took = began.elapsed();
    assert_eq!((response.status, response.code()), (500, 10504), "{:#}", response.body);
    assert!(took < Duration::from_secs(25), "the response took {took:?}");
    assert_eq!(behind.count("gone.example"), [1, 1]);
    behind.direct.assert_database_consistent();
}

/// Changes that are logged without secrets, or not at all, are not applied twice either.
fn assert_jobs_persisted_or_in_doubt(behind: &ProxiedZone, proxy: &Proxy) {
    let path = format!("/zones/{}/logpush/jobs", behind.zone);
    let job = json!({"dataset": "http_requests", "destination_conf": "https://logs.example/"});
    for (cut, statuses, jobs) in [(Fault::Before, [500, 503], 0), (Fault::After, [200, 500], 1)] {
        proxy.set(cut);
        let response = behind.api.send("POST", &path, &job);
        assert!(statuses.contains(&response.status), "{cut:?}: {:#}", response.body);
        assert!(response.status != 500 || response.code() == 10504, "{cut:?}: {:#}", response.body);
        proxy.set(Fault::Never);
        let list: Value = behind.api.get(&path).result();
        assert_eq!(list.as_array().unwrap().len(), jobs, "{cut:?}: {list:#}");
    }
}
