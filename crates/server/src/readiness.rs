//! The readiness check: the database responds, the data directory is writable, and the service is not shutting down.
//!
//! Start with [`Readiness::check`].

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
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
    state: Mutex<CheckState>,
}

#[derive(Default)]
struct CheckState {
    /// The last result and its time.
    last: Option<(Instant, Result<(), &'static str>)>,
    /// The check of the disk that has begun last. It outlives its timeout, and then the next check awaits it again. So
    /// at most one thread writes the file, even if the disk hangs.
    disk_check: Option<JoinHandle<io::Result<()>>>,
}

impl Readiness {
    /// Returns the check of a service on this data directory.
    pub(crate) fn new(data: &Path) -> Readiness {
        Readiness { data: data.to_owned(), stopping: AtomicBool::new(false), state: Mutex::default() }
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
        let mut state = self.state.lock().await;
        if let Some((time, result)) = state.last
            && time.elapsed() < CACHE_TTL
        {
            return result;
        }
        let result = self.run_checks(store, &mut state.disk_check).await;
        state.last = Some((Instant::now(), result));
        result
    }

    async fn run_checks(
        &self,
        store: &Store,
        disk_check: &mut Option<JoinHandle<io::Result<()>>>,
    ) -> Result<(), &'static str> {
        if !matches!(timeout(CHECK_TIMEOUT, store.ping()).await, Ok(Ok(()))) {
            return Err("the database does not respond");
        }
        let data = self.data.clone();
        match await_disk_check(disk_check, move || check_disk(&data)).await {
            true => Ok(()),
            false => Err("the data directory is not writable"),
        }
    }
}

/// Returns whether the disk can be written. Begins a check unless one still runs.
async fn await_disk_check(
    running: &mut Option<JoinHandle<io::Result<()>>>,
    check: impl FnOnce() -> io::Result<()> + Send + 'static,
) -> bool {
    // The result of a check that ended in the meantime may be old.
    running.take_if(|running| running.is_finished());
    let disk_check = running.get_or_insert_with(|| tokio::task::spawn_blocking(check));
    let Ok(written) = timeout(CHECK_TIMEOUT, disk_check).await else { return false };
    *running = None;
    matches!(written, Ok(Ok(())))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[tokio::test]
    async fn slow_disk_check_is_awaited_again() {
        let (release, released) = mpsc::channel::<()>();
        let mut running = None;
        assert!(!await_disk_check(&mut running, move || released.recv().map_err(io::Error::other)).await);
        let failing = || Err(io::Error::other("a second check began while the first one ran"));
        let (written, sent) = tokio::join!(await_disk_check(&mut running, failing), async move { release.send(()) });
        assert!(written && sent.is_ok());
        assert!(running.is_none());
        assert!(await_disk_check(&mut running, || Ok(())).await);
    }

    #[tokio::test]
    async fn finished_disk_check_is_repeated() {
        let mut running = Some(tokio::task::spawn_blocking(|| Err(io::Error::other("an old result"))));
        while running.as_ref().is_some_and(|running| !running.is_finished()) {
            tokio::task::yield_now().await;
        }
        assert!(await_disk_check(&mut running, || Ok(())).await);
    }
}
