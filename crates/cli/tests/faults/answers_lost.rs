//! The answer to a commit is lost on its way from PostgreSQL. A proxy between both cuts the connection.

use crate::cluster::Cluster;
use crate::load::rows;
use crate::service::{Answer, Api, Options};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What the proxy does with the next commit of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    Never,
    /// The commit is lost.
    Before,
    /// The commit comes, the answer to it is lost.
    After,
    /// As `After`, and nobody comes through any more.
    AfterAndClosed,
    /// As `After`, and nobody is there any more.
    AfterAndGone,
    /// The entry of the log, which comes shortly before the commit, is lost, and nobody comes through any more.
    BeforeLogAndClosed,
    /// Nobody comes through.
    Closed,
    /// Nobody is there: connections are refused.
    Gone,
}

struct Proxy {
    port: u16,
    cut: Arc<Mutex<Cut>>,
}

impl Proxy {
    fn start(socket: PathBuf) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let cut = Arc::new(Mutex::new(Cut::Never));
        let shared = Arc::clone(&cut);
        listener.set_nonblocking(true).unwrap();
        std::thread::spawn(move || {
            while *shared.lock().unwrap() != Cut::Gone {
                let Ok((client, _)) = listener.accept() else {
                    std::thread::sleep(Duration::from_millis(2));
                    continue;
                };
                client.set_nonblocking(false).unwrap();
                let Ok(server) = UnixStream::connect(&socket) else { continue };
                let (cut, from, to) = (Arc::clone(&shared), client.try_clone().unwrap(), server.try_clone().unwrap());
                std::thread::spawn(move || pass_on(from, to, &cut));
                let cut = Arc::clone(&shared);
                std::thread::spawn(move || pass_back(server, client, &cut));
            }
        });
        Proxy { port, cut }
    }

    fn set(&self, cut: Cut) {
        *self.cut.lock().unwrap() = cut;
    }
}

/// From the service to the database.
fn pass_on(mut from: TcpStream, mut to: UnixStream, cut: &Mutex<Cut>) {
    let (mut bytes, mut statements) = ([0; 65536], 0);
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        let sent = &bytes[..length];
        let now = *cut.lock().unwrap();
        let says = |what: &[u8]| sent.windows(what.len()).any(|word| word == what);
        statements = if says(b"BEGIN\0") { 0 } else { statements + 1 };
        // Claims are renewed now and then, with a statement or two: they are let through.
        let commits = says(b"COMMIT\0") && statements > 4;
        match now {
            Cut::Closed | Cut::Gone => break,
            Cut::BeforeLogAndClosed if says(b"firewall_rule.create") => {
                *cut.lock().unwrap() = Cut::Closed;
                break;
            }
            Cut::Before if commits => {
                *cut.lock().unwrap() = Cut::Never;
                break;
            }
            Cut::After | Cut::AfterAndClosed | Cut::AfterAndGone if commits => {
                let next = match now {
                    Cut::After => Cut::Never,
                    Cut::AfterAndClosed => Cut::Closed,
                    _ => Cut::Gone,
                };
                // Held meanwhile, so that the other thread does not pass the answer back.
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

/// From the database to the service; what comes while a connection is cut stays here.
fn pass_back(mut from: UnixStream, mut to: TcpStream, cut: &Mutex<Cut>) {
    let mut bytes = [0; 65536];
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        let closed = matches!(*cut.lock().unwrap(), Cut::Closed | Cut::Gone);
        if closed || to.write_all(&bytes[..length]).is_err() {
            break;
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

/// A zone on a database behind the proxy.
struct Behind {
    api: Api,
    zone: String,
    /// Past the proxy.
    direct: Options,
}

impl Behind {
    fn create(&self, mark: &str) -> Answer {
        let rule = json!([{"filter": {"expression": format!("http.host eq \"{mark}\"")}, "action": "block"}]);
        self.api.send("POST", &format!("/zones/{}/firewall/rules", self.zone), &rule)
    }

    /// How often a rule with this mark is there, and in the audit log.
    fn count(&self, mark: &str) -> [u64; 2] {
        let [there, logged] = [
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
        [there, logged]
    }
}

#[test]
fn a_lost_answer_to_a_commit_is_looked_for() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = TempDir::new().unwrap();
    let direct = Options::new(&folder.path().join("data"), Some(cluster.database("lost")));
    let proxy = Proxy::start(cluster.socket());
    let through = format!("postgres://zonewright@127.0.0.1:{}/lost?sslmode=disable", proxy.port);
    let options = Options { database: Some(through), ..direct.clone() };
    let service = options.start();
    let zone = direct.zone("lost.example", "enterprise");
    let behind = Behind { api: service.api(&options.token()), zone, direct };
    assert_eq!(behind.create("plain.example").status, 200);

    proxy.set(Cut::After);
    let answer = behind.create("after.example");
    assert_eq!(answer.status, 200, "it was committed: {:#}", answer.body);
    assert_eq!(behind.count("after.example"), [1, 1]);

    proxy.set(Cut::Before);
    let answer = behind.create("before.example");
    assert_eq!((answer.status, answer.code()), (503, 10503), "{:#}", answer.body);
    assert_eq!(behind.count("before.example"), [0, 0]);
    assert_eq!(behind.create("before.example").status, 200, "it may be sent again");
    assert_eq!(behind.count("before.example"), [1, 1]);

    proxy.set(Cut::AfterAndClosed);
    let answer = behind.create("closed.example");
    assert_eq!((answer.status, answer.code()), (500, 10504), "{:#}", answer.body);
    proxy.set(Cut::Never);
    assert_eq!(behind.count("closed.example"), [1, 1]);
    let again = behind.create("closed.example");
    assert_eq!((again.status, again.body["errors"][0]["code"].is_u64()), (400, true), "it is there: {:#}", again.body);
    assert_eq!(behind.count("closed.example"), [1, 1]);

    // Without a commit nothing has happened, also when nobody can be asked.
    proxy.set(Cut::BeforeLogAndClosed);
    let answer = behind.create("early.example");
    assert_eq!((answer.status, answer.code()), (503, 10503), "{:#}", answer.body);
    assert_eq!(*proxy.cut.lock().unwrap(), Cut::Closed, "it came as far as that");
    proxy.set(Cut::Never);
    assert_eq!(behind.count("early.example"), [0, 0]);

    // And while nothing at all comes through, nothing happens.
    proxy.set(Cut::Closed);
    let answer = behind.create("away.example");
    assert_eq!((answer.status, answer.code()), (503, 10503), "{:#}", answer.body);
    proxy.set(Cut::Never);
    assert_eq!(behind.count("away.example"), [0, 0]);

    jobs_are_kept_or_unknown(&behind, &proxy);

    proxy.set(Cut::AfterAndGone);
    let began = Instant::now();
    let answer = behind.create("gone.example");
    let took = began.elapsed();
    assert_eq!((answer.status, answer.code()), (500, 10504), "{:#}", answer.body);
    assert!(took < Duration::from_secs(25), "the answer took {took:?}");
    assert_eq!(behind.count("gone.example"), [1, 1]);
    behind.direct.is_sound();
}

/// What is logged without its secrets, or not at all, is not doubled either.
fn jobs_are_kept_or_unknown(behind: &Behind, proxy: &Proxy) {
    let path = format!("/zones/{}/logpush/jobs", behind.zone);
    let job = json!({"dataset": "http_requests", "destination_conf": "https://logs.example/"});
    for (cut, statuses, jobs) in [(Cut::Before, [500, 503], 0), (Cut::After, [200, 500], 1)] {
        proxy.set(cut);
        let answer = behind.api.send("POST", &path, &job);
        assert!(statuses.contains(&answer.status), "{cut:?}: {:#}", answer.body);
        assert!(answer.status != 500 || answer.code() == 10504, "{cut:?}: {:#}", answer.body);
        proxy.set(Cut::Never);
        let list: Value = behind.api.get(&path).result();
        assert_eq!(list.as_array().unwrap().len(), jobs, "{cut:?}: {list:#}");
    }
}
