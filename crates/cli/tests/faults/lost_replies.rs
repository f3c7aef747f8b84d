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
    None,
    /// The commit does not reach the database.
    LoseCommit,
    /// The commit reaches the database, but the service does not get the reply.
    LoseReply,
    /// Like `LoseReply`, and every connection is cut from then on.
    LoseReplyThenCut,
    /// Like `LoseReply`, and connections are refused from then on.
    LoseReplyThenRefuse,
    /// The statement for the audit log, which precedes the commit, is lost, and every connection is cut from then on.
    LoseLogThenCut,
    /// Every connection is accepted, and then cut.
    Cut,
    /// Connections are refused.
    Refuse,
}

struct Proxy {
    port: u16,
    fault: Arc<Mutex<Fault>>,
}

impl Proxy {
    fn start(socket: PathBuf) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let fault = Arc::new(Mutex::new(Fault::None));
        let shared = Arc::clone(&fault);
        listener.set_nonblocking(true).unwrap();
        std::thread::spawn(move || {
            while *shared.lock().unwrap() != Fault::Refuse {
                let Ok((client, _)) = listener.accept() else {
                    std::thread::sleep(Duration::from_millis(2));
                    continue;
                };
                client.set_nonblocking(false).unwrap();
                let Ok(server) = UnixStream::connect(&socket) else { continue };
                let (fault, from, to) = (Arc::clone(&shared), client.try_clone().unwrap(), server.try_clone().unwrap());
                std::thread::spawn(move || forward_to_database(from, to, &fault));
                let fault = Arc::clone(&shared);
                std::thread::spawn(move || forward_to_service(server, client, &fault));
            }
        });
        Proxy { port, fault }
    }

    fn set(&self, fault: Fault) {
        *self.fault.lock().unwrap() = fault;
    }
}

/// Forwards from the service to the database.
fn forward_to_database(mut from: TcpStream, mut to: UnixStream, fault: &Mutex<Fault>) {
    let (mut bytes, mut statements) = ([0; 65536], 0);
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        let sent = &bytes[..length];
        let current = *fault.lock().unwrap();
        let was_sent = |needle: &[u8]| sent.windows(needle.len()).any(|window| window == needle);
        statements = if was_sent(b"BEGIN\0") { 0 } else { statements + 1 };
        // A lease renewal has only a few statements, so that the proxy forwards its commit.
        let commits = was_sent(b"COMMIT\0") && statements > 4;
        match current {
            Fault::Cut | Fault::Refuse => break,
            Fault::LoseLogThenCut if was_sent(b"firewall_rule.create") => {
                *fault.lock().unwrap() = Fault::Cut;
                break;
            }
            Fault::LoseCommit if commits => {
                *fault.lock().unwrap() = Fault::None;
                break;
            }
            Fault::LoseReply | Fault::LoseReplyThenCut | Fault::LoseReplyThenRefuse if commits => {
                let next = match current {
                    Fault::LoseReply => Fault::None,
                    Fault::LoseReplyThenCut => Fault::Cut,
                    _ => Fault::Refuse,
                };
                // Locked meanwhile, so that the other thread does not forward the reply.
                let mut change = fault.lock().unwrap();
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
fn forward_to_service(mut from: UnixStream, mut to: TcpStream, fault: &Mutex<Fault>) {
    let mut bytes = [0; 65536];
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        let closed = matches!(*fault.lock().unwrap(), Fault::Cut | Fault::Refuse);
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
    let proxy_url = format!("postgres://zonewright@127.0.0.1:{}/lost?sslmode=disable", proxy.port);
    let options = Options { database: Some(proxy_url), ..direct.clone() };
    let service = options.start();
    let zone = direct.zone("lost.example", "enterprise");
    let proxied = ProxiedZone { api: service.api(&options.token()), zone, direct };
    assert_eq!(proxied.create("plain.example").status, 200);

    proxy.set(Fault::LoseReply);
    let response = proxied.create("after.example");
    assert_eq!(response.status, 200, "it was committed: {:#}", response.body);
    assert_eq!(proxied.count("after.example"), [1, 1]);

    proxy.set(Fault::LoseCommit);
    let response = proxied.create("before.example");
    assert_eq!((response.status, response.code()), (503, 10503), "{:#}", response.body);
    assert_eq!(proxied.count("before.example"), [0, 0]);
    assert_eq!(proxied.create("before.example").status, 200, "the request can be repeated");
    assert_eq!(proxied.count("before.example"), [1, 1]);

    proxy.set(Fault::LoseReplyThenCut);
    let response = proxied.create("closed.example");
    assert_eq!((response.status, response.code()), (500, 10504), "{:#}", response.body);
    proxy.set(Fault::None);
    assert_eq!(proxied.count("closed.example"), [1, 1]);
    let repeated = proxied.create("closed.example");
    assert_eq!(
        (repeated.status, repeated.body["errors"][0]["code"].is_u64()),
        (400, true),
        "the rule exists: {:#}",
        repeated.body
    );
    assert_eq!(proxied.count("closed.example"), [1, 1]);

    // Without a commit nothing has changed, even if the database cannot confirm that.
    proxy.set(Fault::LoseLogThenCut);
    let response = proxied.create("early.example");
    assert_eq!((response.status, response.code()), (503, 10503), "{:#}", response.body);
    assert_eq!(*proxy.fault.lock().unwrap(), Fault::Cut, "the fault was injected");
    proxy.set(Fault::None);
    assert_eq!(proxied.count("early.example"), [0, 0]);

    // While every connection is cut, nothing changes.
    proxy.set(Fault::Cut);
    let response = proxied.create("away.example");
    assert_eq!((response.status, response.code()), (503, 10503), "{:#}", response.body);
    proxy.set(Fault::None);
    assert_eq!(proxied.count("away.example"), [0, 0]);

    assert_jobs_persisted_or_in_doubt(&proxied, &proxy);

    proxy.set(Fault::LoseReplyThenRefuse);
    let began = Instant::now();
    let response = proxied.create("gone.example");
    let elapsed = began.elapsed();
    assert_eq!((response.status, response.code()), (500, 10504), "{:#}", response.body);
    assert!(elapsed < Duration::from_secs(25), "the response took {elapsed:?}");
    assert_eq!(proxied.count("gone.example"), [1, 1]);
    proxied.direct.assert_database_consistent();
}

/// Asserts that a job whose commit is lost is not stored, that a job whose reply is lost is stored once, and that no
/// response contradicts this.
fn assert_jobs_persisted_or_in_doubt(proxied: &ProxiedZone, proxy: &Proxy) {
    let path = format!("/zones/{}/logpush/jobs", proxied.zone);
    let job = json!({"dataset": "http_requests", "destination_conf": "https://logs.example/"});
    for (fault, statuses, jobs) in [(Fault::LoseCommit, [500, 503], 0), (Fault::LoseReply, [200, 500], 1)] {
        proxy.set(fault);
        let response = proxied.api.send("POST", &path, &job);
        assert!(statuses.contains(&response.status), "{fault:?}: {:#}", response.body);
        assert!(response.status != 500 || response.code() == 10504, "{fault:?}: {:#}", response.body);
        proxy.set(Fault::None);
        let list: Value = proxied.api.get(&path).result();
        assert_eq!(list.as_array().unwrap().len(), jobs, "{fault:?}: {list:#}");
    }
}
