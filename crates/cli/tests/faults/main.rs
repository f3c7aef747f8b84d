//! The service as real processes under faults: kills, full disks, database restarts, lost replies. Acknowledged
//! writes survive, and no write is applied partially.
//!
//! With `ZONEWRIGHT_SOAK` set, most tests run a hundred rounds instead of a few.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

mod crashes;
mod database_restarts;
mod full_disk;
mod lease_takeover;
mod limited_disk;
mod load;
mod lost_replies;
mod permissions;
mod postgres;
mod receiver;
mod service;
mod upgrades;
mod visibility;
