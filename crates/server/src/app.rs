//! The running service: its store and what it owns on disk.

use crate::completion::Completion;
use crate::delivery::{Delivery, LogPushConfig};
use crate::demo::{self, Demo};
use crate::serve::ServeError;
use crate::store::Store;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long a migration is pending when nobody says otherwise (assumption migration-delay).
pub const MIGRATION_DELAY: Duration = Duration::from_secs(10);

/// The service on one data folder. Clones share it.
#[derive(Clone)]
pub struct App {
    pub(crate) store: Store,
    /// What log push may do.
    pub(crate) log_push: Arc<LogPushConfig>,
    /// What delivers.
    pub(crate) delivery: Delivery,
    /// What ends migrations.
    pub(crate) completion: Arc<Completion>,
    /// Held as long as the service lives, so that no second one works on the same folder.
    _lock: Arc<File>,
}

impl App {
    /// Opens the data folder, making it and its contents when they are missing. The demo credentials
    /// in it are made at the first start and given back then, never again.
    ///
    /// `base_url` is the address of the interface that goes into `demo-credentials.json`.
    pub async fn open(data: &Path, base_url: &str) -> Result<(App, Option<Demo>), ServeError> {
        App::open_with(data, base_url, LogPushConfig::default(), MIGRATION_DELAY).await
    }

    /// As [`App::open`], with what log push may do and how long a pending migration takes.
    pub async fn open_with(
        data: &Path,
        base_url: &str,
        log_push: LogPushConfig,
        migration_delay: Duration,
    ) -> Result<(App, Option<Demo>), ServeError> {
        // Without dots and links, since the address of the database has no room for them.
        let data = &make_folder(data).map_err(|error| ServeError::Data(data.to_owned(), error))?;
        let lock = lock(data)?;
        let store = open_store(data).await?;
        let demo = demo::prepare(&store, data, base_url).await?;
        let log_push = Arc::new(log_push);
        let delivery = Delivery::open(data, store.clone(), Arc::clone(&log_push)).await?;
        let completion = Arc::new(Completion::start(store.clone(), migration_delay));
        Ok((App { store, log_push, delivery, completion, _lock: Arc::new(lock) }, demo))
    }

    /// Lets log push deliver what it has gathered, for some seconds at most, and ends all work.
    pub async fn close(&self) {
        self.delivery.stop().await;
        self.store.close().await;
    }
}

/// Opens the database of a data folder, making it when it is missing.
pub(crate) async fn open_store(data: &Path) -> Result<Store, ServeError> {
    let database = data.join("zonewright.db");
    // SQLite would let others read it; the files that it makes beside it get the same mode.
    let made = private().create(true).open(&database);
    made.map_err(|error| ServeError::Data(database.clone(), error))?;
    Ok(Store::open(&database).await?)
}

/// Makes the folder for this user alone, one that exists is left as it is, and gives its full path.
pub(crate) fn make_folder(data: &Path) -> std::io::Result<PathBuf> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(data)?;
    data.canonicalize()
}

/// Options to write a file that, when it is made, is for this user alone.
pub(crate) fn private() -> OpenOptions {
    let mut options = File::options();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn lock(data: &Path) -> Result<File, ServeError> {
    let path = data.join("lock");
    let file = private().create(true).open(&path).map_err(|error| ServeError::Data(path.clone(), error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ServeError::InUse(data.to_owned())),
        Err(TryLockError::Error(error)) => Err(ServeError::Data(path, error)),
    }
}
