//! The database server stops under load, and comes back.

use crate::load::Workload;
use crate::postgres::PostgresServer;
use crate::service::{Options, soak_rounds, wait_until};
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
    // A hundred rounds take an hour.
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
