//! The database server ends under load, and comes back.

use crate::cluster::Cluster;
use crate::load::Ground;
use crate::service::{Options, rounds, until};
use std::thread::sleep;
use std::time::Duration;
use tempfile::TempDir;

#[test]
fn a_database_that_goes_and_comes_back_loses_nothing_and_the_service_stays() {
    let Some(mut cluster) = Cluster::start() else { return };
    let folder = TempDir::new().unwrap();
    let options = Options::new(&folder.path().join("data"), Some(cluster.database("restarted")));
    let mut ground = Ground::new(options.clone());
    let mut service = options.start();
    // A hundred take an hour.
    let times = rounds(2).min(25);
    for _ in 0..times {
        let before = ground.failures();
        ground.work(&service, || {
            sleep(Duration::from_millis(400));
            cluster.stop();
            let reason = until(Duration::from_secs(5), "it says that it is not ready", || {
                service.look("/readyz").filter(|(status, _)| *status == 503)
            });
            assert_eq!(reason.1, "the database does not answer\n");
            assert_eq!(service.look("/healthz").map(|(status, _)| status), Some(200));
            cluster.run();
            until(Duration::from_secs(20), "it is ready", || {
                service.look("/readyz").filter(|(status, _)| *status == 200)
            });
            sleep(Duration::from_millis(400));
        });
        assert!(ground.failures() > before, "nobody was told of the end of the database");
        assert!(service.child.try_wait().unwrap().is_none(), "the process goes on");
        ground.is_kept(&service);
        options.is_sound();
    }
    // No start, so nothing twice.
    ground.is_delivered(1);
    println!("{times} ends of the database; {}", ground.told());
    service.stop();
}
