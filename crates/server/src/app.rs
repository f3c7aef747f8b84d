//! The running service: its store and what it owns on disk.

use crate::answers::Answers;
use crate::completion::Completion;
use crate::config::Config;
use crate::database::{Database, Storage};
use crate::delivery::{Delivery, LogPushConfig};
use crate::demo::{self, Demo};
use crate::front::Front;
use crate::lease::Lease;
use crate::metrics::Metrics;
use crate::readiness::Readiness;
use crate::secret::new_id;
use crate::serve::ServeError;
use crate::store::Store;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use zonewright_firewall::is_identifier;

/// How long a migration is pending when nobody says otherwise (assumption migration-delay).
pub const MIGRATION_DELAY: Duration = Duration::from_secs(10);

/// Name of the database file, in the data folder.
pub(crate) const FILE: &str = "zonewright.db";

/// The service on one data folder. Clones share it, and cost next to nothing: each layer of a request makes some.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// What the service is made of.
pub struct Parts {
    pub(crate) store: Store,
    /// What log push may do.
    pub(crate) log_push: Arc<LogPushConfig>,
    /// What delivers.
    pub(crate) delivery: Delivery,
    /// What ends migrations.
    pub(crate) completion: Completion,
    /// The claim on the data folder, for processes that share a database.
    lease: Lease,
    /// What stands before the routes.
    pub(crate) front: Arc<Front>,
    /// Answers to reads.
    pub(crate) answers: Answers,
    /// What is counted.
    pub(crate) metrics: Metrics,
    /// Whether it can do its work.
    pub(crate) readiness: Arc<Readiness>,
    /// Held as long as the service lives, so that no second one works on the same folder.
    _lock: File,
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
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
        let config = Config { data: data.to_owned(), log_push, migration_delay, ..Config::default() };
        App::open_config(&config, base_url).await
    }

    /// As [`App::open`], with a whole configuration. What it says of listening is left to [`serve`](crate::serve()).
    pub async fn open_config(config: &Config, base_url: &str) -> Result<(App, Option<Demo>), ServeError> {
        let Config { data, storage, .. } = config;
        // Without dots and links, since the address of the database has no room for them.
        let data = &make_folder(data).map_err(|error| ServeError::Data(data.to_owned(), error))?;
        let (lock, identity) = lock(data)?;
        let metrics = Metrics::new();
        let store = open_store(data, storage).await?.counted(metrics.clone());
        let term = storage.times.lease;
        let lease = Lease::take(&store, &format!("data folder {identity}"), term).await?;
        let lease = lease.ok_or_else(|| ServeError::InUse(data.to_owned()))?;
        let demo = if config.demo { demo::prepare(&store, data, base_url).await? } else { None };
        let log_push = Arc::new(config.log_push.clone());
        let counts = metrics.log_push.clone();
        let delivery =
            Delivery::open(data, identity, lease.clone(), store.clone(), Arc::clone(&log_push), counts).await?;
        let holder = new_id().map_err(ServeError::Random)?;
        let completion = Completion::start(store.clone(), config.migration_delay, holder, term);
        let front = Arc::new(Front::new(config.front.clone(), metrics.clone()));
        let readiness = Arc::new(Readiness::new(data));
        let answers = Answers::default();
        let parts =
            Parts { store, log_push, delivery, completion, lease, front, answers, metrics, readiness, _lock: lock };
        Ok((App(Arc::new(parts)), demo))
    }

    /// Lets log push deliver what it has gathered, for some seconds at most, and ends all work.
    pub async fn close(&self) {
        self.delivery.stop().await;
        self.lease.give_back().await;
        self.store.close().await;
    }
}

/// Opens the database, that of the data folder is made when it is missing.
async fn open_store(data: &Path, storage: &Storage) -> Result<Store, ServeError> {
    Ok(Store::open(&make_database(data, storage)?, storage).await?)
}

/// The path of the database in the data folder, which is made when it is missing.
pub(crate) fn make_database(data: &Path, storage: &Storage) -> Result<PathBuf, ServeError> {
    let database = data.join(FILE);
    if matches!(storage.database, Database::Embedded) {
        // SQLite would let others read it; the files that it makes beside it get the same mode.
        let made = private().create(true).open(&database);
        made.map_err(|error| ServeError::Data(database.clone(), error))?;
    }
    Ok(database)
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

/// Locks the folder for as long as the file lives, and gives the identity of the folder, which is in that file.
pub(crate) fn lock(data: &Path) -> Result<(File, String), ServeError> {
    let path = data.join("lock");
    let unusable = |error| ServeError::Data(path.clone(), error);
    let mut file = private().read(true).create(true).open(&path).map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(ServeError::InUse(data.to_owned())),
        Err(TryLockError::Error(error)) => return Err(unusable(error)),
    }
    let mut identity = String::new();
    file.read_to_string(&mut identity).map_err(unusable)?;
    if !is_identifier(identity.trim()) {
        identity = new_id().map_err(ServeError::Random)?;
        file.set_len(0).and_then(|()| file.rewind()).and_then(|()| writeln!(file, "{identity}")).map_err(unusable)?;
        file.sync_all().map_err(unusable)?;
    }
    Ok((file, identity.trim().to_owned()))
}
