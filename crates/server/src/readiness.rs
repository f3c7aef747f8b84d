//! The readiness check: the database responds, the data directory is writable, and the service is not shutting down.
//!
//! Start with [`Readiness::check`].

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use tokio::time::timeout;
use zonewright_store::{Store, private_file_options};

/// Time for which a result is cached, because any client may request it and a check writes to the disk.
const CACHE_TTL: Duration = Duration::from_secs(1);
/// Timeout of the check of the database, and of the check of the disk.
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);

/// The readiness check with its last result.
pub(crate) struct Readiness {
    data: PathBuf,
    stopping: AtomicBool,
    last: Mutex<Option<(Instant, Result<(), &'static str>)>>,
}

impl Readiness {
    /// Returns the check of a service on this data directory.
    pub(crate) fn new(data: &Path) -> Readiness {
        Readiness { data: data.to_owned(), stopping: AtomicBool::new(false), last: Mutex::default() }
    }

    /// Makes the service not ready from now on.
    pub(crate) fn set_stopping(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Checks the service, or returns the last result if it is recent. The error is the reason why it is not ready.
    pub(crate) async fn check(&self, store: &Store) -> Result<(), &'static str> {
        if self.stopping.load(Ordering::Relaxed) {
            return Err("the service is shutting down");
        }
        // The lock is held during the check, so that concurrent requests cause one check. After a cancellation, the
        // next request checks again.
        let mut last = self.last.lock().await;
        if let Some((time, result)) = *last
            && time.elapsed() < CACHE_TTL
        {
            return result;
        }
        let result = self.run_checks(store).await;
        *last = Some((Instant::now(), result));
        result
    }

    async fn run_checks(&self, store: &Store) -> Result<(), &'static str> {
        if !matches!(timeout(CHECK_TIMEOUT, store.ping()).await, Ok(Ok(()))) {
            return Err("the database does not respond");
        }
        let data = self.data.clone();
        let written = timeout(CHECK_TIMEOUT, tokio::task::spawn_blocking(move || check_disk(&data))).await;
        if !matches!(written, Ok(Ok(Ok(())))) {
            return Err("the data directory is not writable");
        }
        Ok(())
    }
}

/// Writes a small file to the spool directory, or to the data directory if there is no spool, and removes it.
fn check_disk(data: &Path) -> io::Result<()> {
    let spool = data.join("spool");
    let path = if spool.is_dir() { spool.join("probe") } else { data.join("probe") };
    let mut file = private_file_options().create(true).truncate(true).open(&path)?;
    let written = file.write_all(&[0; 4096]).and_then(|()| file.sync_data());
    std::fs::remove_file(&path)?;
    written
}
