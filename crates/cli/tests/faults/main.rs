//! The service as real processes to which something happens: they are killed, the disk is full, the database goes
//! away, an answer is lost. What was acknowledged is there afterwards, and nothing is there by half.
//!
//! `ZONEWRIGHT_SOAK` set: a hundred kills instead of a few.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

mod answers_lost;
mod cluster;
mod disk;
mod fleet;
mod former_versions;
mod kills;
mod load;
mod memory;
mod receiver;
mod restarts;
mod service;
mod small_disk;
mod unwritable;
