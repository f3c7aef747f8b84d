//! The service as real processes under faults: kills, full disks, database restarts, lost replies. Acknowledged
//! writes survive, and no write is applied partially.
//!
//! With `ZONEWRIGHT_SOAK` set, the tests run a hundred rounds instead of a few.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

mod answers_lost;
mod cluster;
mod disk;
mod fleet;
mod former_versions;
mod kills;
mod load;
mod receiver;
mod restarts;
mod service;
mod small_disk;
mod unwritable;
mod visibility;
