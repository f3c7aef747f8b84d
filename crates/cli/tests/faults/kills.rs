//! `kill -9` under load.

use crate::cluster::Cluster;
use crate::load::Ground;
use crate::service::{Options, random, rounds};
use std::thread::sleep;
use std::time::Duration;
use tempfile::TempDir;

/// Kills the service again and again while callers work, and looks each time whether it is as they were told.
fn kill_again_and_again(options: Options, few: usize) {
    let mut ground = Ground::new(options.clone());
    let (rounds, mut starts) = (rounds(few), 0);
    for round in 0..rounds {
        // Now and then before it serves.
        if round % 3 == 1 {
            let mut child = options.spawn(tempfile::tempfile().unwrap());
            sleep(Duration::from_millis(random(200)));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let mut service = options.start();
        starts += 1;
        let process = service.child.id().to_string();
        ground.work(&service, || {
            sleep(Duration::from_millis(50 + random(700)));
            let killed = std::process::Command::new("kill").args(["-KILL", &process]).status().unwrap();
            assert!(killed.success());
        });
        service.kill();
        options.is_sound();
        // What was asked for is completed, and what waits delivered, by the next one.
        let service = options.start();
        starts += 1;
        ground.is_kept(&service);
        if round % 10 == 9 {
            ground.is_delivered(starts);
        }
    }
    let mut service = options.start();
    ground.is_kept(&service);
    ground.is_delivered(starts + 1);
    println!("{rounds} kills; {}", ground.told());
    service.stop();
    options.is_sound();
}

#[test]
fn a_killed_service_keeps_what_it_acknowledged() {
    let folder = TempDir::new().unwrap();
    kill_again_and_again(Options::new(&folder.path().join("data"), None), 4);
}

#[test]
fn a_killed_service_keeps_what_it_acknowledged_on_postgresql() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = TempDir::new().unwrap();
    kill_again_and_again(Options::new(&folder.path().join("data"), Some(cluster.database("killed"))), 3);
}

/// Kills the first start at all of its stages; the next one makes what is missing.
fn kill_the_first_start(options: impl Fn(usize) -> Options) {
    for round in 0..rounds(3) {
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
        options.is_sound();
    }
}

#[test]
fn a_first_start_that_is_killed_is_made_up_for() {
    let folder = TempDir::new().unwrap();
    kill_the_first_start(|round| Options::new(&folder.path().join(round.to_string()), None));
}

#[test]
fn a_first_start_that_is_killed_is_made_up_for_on_postgresql() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = TempDir::new().unwrap();
    kill_the_first_start(|round| {
        let name = format!("first{round}");
        Options::new(&folder.path().join(&name), Some(cluster.database(&name)))
    });
}
