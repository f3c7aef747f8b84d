//! The database server stops under load, and comes back.

use crate::load::Workload;
use crate::postgres::PostgresServer;
use crate::service::{Options, soak_rounds, wait_until};
use serde_json::json;
use std::ops::Range;
use std::thread::sleep;
use std::time::Duration;
use tempfile::TempDir;

#[test]
fn service_survives_database_restarts_without_loss() {
    let Some(mut cluster) = PostgresServer::start() else { return };
    let folder = TempDir::new().unwrap();
    let options = Options::new(&folder.path().join("data"), Some(cluster.database("restarted")));
    let mut workload = Workload::new(options.clone());
    let mut service = options.start();
    // A hundred rounds would take an hour.
    let rounds = soak_rounds(2).min(25);
    for _ in 0..rounds {
        let before = workload.failures();
        workload.run_during(&service, || {
            sleep(Duration::from_millis(400));
            cluster.stop();
            let reason = wait_until(Duration::from_secs(5), "not ready", || {
                service.get_unauthenticated("/readyz").filter(|(status, _)| *status == 503)
            });
            assert_eq!(reason.1, "the database does not respond\n");
            assert_eq!(service.get_unauthenticated("/healthz").map(|(status, _)| status), Some(200));
            cluster.run();
            wait_until(Duration::from_secs(20), "ready", || {
                service.get_unauthenticated("/readyz").filter(|(status, _)| *status == 200)
            });
            sleep(Duration::from_millis(400));
        });
        assert!(workload.failures() > before, "no request failed while the database was down");
        assert!(service.child.try_wait().unwrap().is_none(), "the process exited");
        workload.assert_persisted(&service);
        options.assert_database_consistent();
    }
    // No process restarted, so no line was delivered twice.
    workload.assert_delivered(1);
    println!("{rounds} database restarts; {}", workload.summary());
    service.stop();
}

#[test]
fn writes_succeed_after_all_idle_connections_were_lost() {
    let Some(mut cluster) = PostgresServer::start() else { return };
    let folder = TempDir::new().unwrap();
    let options = Options::new(&folder.path().join("data"), Some(cluster.database("idle")));
    let service = options.start();
    let filters = format!("/zones/{}/filters", options.zone("idle.example", "enterprise"));
    let api = service.api(&options.token());
    let create_concurrently = |numbers: Range<usize>| {
        std::thread::scope(|scope| {
            for number in numbers {
                let (api, filters) = (&api, &filters);
                let body = json!([{ "expression": format!("http.request.uri.path eq \"/{number}\"") }]);
                scope.spawn(move || api.send("POST", filters, &body).result());
            }
        });
    };
    create_concurrently(0..8);
    cluster.stop();
    cluster.run();
    create_concurrently(8..16);
}
