//! Whether the service can do its work.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use tokio::time::timeout;
use zonewright_store::{Store, private_file};

/// How long an answer is good: anybody may ask, and asking the disk costs.
const FRESH: Duration = Duration::from_secs(1);
/// How long the database and the disk may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// What is known of it.
pub(crate) struct Readiness {
    data: PathBuf,
    stopping: AtomicBool,
    last: Mutex<Option<(Instant, Result<(), &'static str>)>>,
}

impl Readiness {
    /// Of a service on this data folder.
    pub(crate) fn new(data: &Path) -> Readiness {
        Readiness { data: data.to_owned(), stopping: AtomicBool::new(false), last: Mutex::default() }
    }

    /// From now on it is not ready any more.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    pub(crate) async fn check(&self, store: &Store) -> Result<(), &'static str> {
        if self.stopping.load(Ordering::Relaxed) {
            return Err("the service is stopping");
        }
        // Held while it is looked, so that many who ask at once look once.
        let mut last = self.last.lock().await;
        if let Some((time, result)) = *last
            && time.elapsed() < FRESH
        {
            return result;
        }
        let result = self.look(store).await;
        *last = Some((Instant::now(), result));
        result
    }

    async fn look(&self, store: &Store) -> Result<(), &'static str> {
        if !matches!(timeout(PATIENCE, store.ping()).await, Ok(Ok(()))) {
            return Err("the database does not answer");
        }
        let data = self.data.clone();
        let written = timeout(PATIENCE, tokio::task::spawn_blocking(move || write(&data))).await;
        if !matches!(written, Ok(Ok(Ok(())))) {
            return Err("the data folder cannot be written");
        }
        Ok(())
    }
}

/// Writes a small file where lines wait, and removes it.
fn write(data: &Path) -> io::Result<()> {
    let spool = data.join("spool");
    let probe = if spool.is_dir() { spool.join("probe") } else { data.join("probe") };
    let mut file = private_file().create(true).truncate(true).open(&probe)?;
    let written = file.write_all(&[0; 4096]).and_then(|()| file.sync_data());
    std::fs::remove_file(&probe)?;
    written
}
