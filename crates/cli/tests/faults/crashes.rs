//! Crash recovery: `kill -9` under load.

use crate::load::Workload;
use crate::postgres::PostgresServer;
use crate::service::{Options, random, soak_rounds};
use std::thread::sleep;
use std::time::Duration;
use tempfile::TempDir;

/// Kills the service repeatedly under load, and checks the acknowledged writes after each restart.
fn kill_repeatedly(options: Options, default_rounds: usize) {
    let mut workload = Workload::new(options.clone());
    let (rounds, mut starts) = (soak_rounds(default_rounds), 0);
    for round in 0..rounds {
        // Every third round also kills a process before it serves requests.
        if round % 3 == 1 {
            let mut child = options.spawn(tempfile::tempfile().unwrap());
            sleep(Duration::from_millis(random(200)));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let mut service = options.start();
        starts += 1;
        let process = service.child.id().to_string();
        workload.run_during(&service, || {
            sleep(Duration::from_millis(50 + random(700)));
            let killed = std::process::Command::new("kill").args(["-KILL", &process]).status().unwrap();
            assert!(killed.success());
        });
        service.kill();
        options.assert_database_consistent();
        // The next process completes pending migrations and delivers spooled lines.
        let service = options.start();
        starts += 1;
        workload.assert_persisted(&service);
        if round % 10 == 9 {
            workload.assert_delivered(starts);
        }
    }
    let mut service = options.start();
    workload.assert_persisted(&service);
    workload.assert_delivered(starts + 1);
    println!("{rounds} kills; {}", workload.summary());
    service.stop();
    options.assert_database_consistent();
}

#[test]
fn killed_service_keeps_acknowledged_writes() {
    let folder = TempDir::new().unwrap();
    kill_repeatedly(Options::new(&folder.path().join("data"), None), 4);
}

#[test]
fn killed_service_on_postgresql_keeps_acknowledged_writes() {
    let Some(cluster) = PostgresServer::start() else { return };
    let folder = TempDir::new().unwrap();
    kill_repeatedly(Options::new(&folder.path().join("data"), Some(cluster.database("killed"))), 3);
}

/// Kills the first start at random times; the next start completes it.
fn kill_the_first_start(options: impl Fn(usize) -> Options) {
    for round in 0..soak_rounds(3) {
        let options = options(round);
        for _ in 0..2 {
            let mut child = options.spawn(tempfile::tempfile().unwrap());
            sleep(Duration::from_millis(random(400)));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let mut service = options.start();
        let zones = service.api(&options.token()).get("/zones").result();
        assert!(zones.as_array().unwrap().len() > 3, "{zones:#}");
        service.stop();
        options.assert_database_consistent();
    }
}

#[test]
fn next_start_completes_a_killed_first_start() {
    let folder = TempDir::new().unwrap();
    kill_the_first_start(|round| Options::new(&folder.path().join(round.to_string()), None));
}

#[test]
fn next_start_completes_a_killed_first_start_on_postgresql() {
    let Some(cluster) = PostgresServer::start() else { return };
    let folder = TempDir::new().unwrap();
    kill_the_first_start(|round| {
        let name = format!("first{round}");
        Options::new(&folder.path().join(&name), Some(cluster.database(&name)))
    });
}
