//! The running service: its store, its data directory and its background tasks.

use crate::config::{Config, MIGRATION_DELAY};
use crate::demo::{self, Demo};
use crate::metrics::Metrics;
use crate::middleware::Middleware;
use crate::migration_completion::MigrationTask;
use crate::readiness::Readiness;
use crate::response_cache::ResponseCache;
use crate::serve_error::ServeError;
use crate::store_jobs::StoreJobs;
use std::fs::File;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use zonewright_delivery::{Delivery, LogPushConfig};
use zonewright_store::{
    Lease, OpenError, Store, create_private_directory, ensure_database_file, lock_data_directory, new_id,
};

/// The service on one data directory. Clones share it and are cheap: every layer and handler of a request gets its own
/// clone.
#[derive(Clone)]
pub struct App(Arc<AppState>);

/// The parts of the service.
pub struct AppState {
    pub(crate) store: Store,
    /// Limits and permissions of log push.
    pub(crate) log_push: Arc<LogPushConfig>,
    /// The delivery of log lines.
    pub(crate) delivery: Delivery,
    /// The background task that completes migrations.
    pub(crate) migration_task: MigrationTask,
    /// The lease on the data directory, for processes that share a database.
    lease: Lease,
    /// The middleware of the service.
    pub(crate) middleware: Arc<Middleware>,
    /// The cache of responses to reads.
    pub(crate) response_cache: ResponseCache,
    /// The metrics.
    pub(crate) metrics: Metrics,
    /// The readiness check.
    pub(crate) readiness: Arc<Readiness>,
    /// The lock file, held as long as the service lives, so that no second service uses the same directory.
    _lock: File,
}

impl Deref for App {
    type Target = AppState;

    fn deref(&self) -> &AppState {
        &self.0
    }
}

impl App {
    /// Opens the data directory, and creates it and its contents when they are missing. Returns the demo credentials
    /// only on the first start, which creates them.
    ///
    /// `base_url` is the URL of the API that is written to `demo-credentials.json`.
    pub async fn open(data: &Path, base_url: &str) -> Result<(App, Option<Demo>), ServeError> {
        App::open_with_log_push(data, base_url, LogPushConfig::default(), MIGRATION_DELAY).await
    }

    /// Opens the data directory like [`App::open`], with a configuration of log push and the delay of a pending
    /// migration.
    pub async fn open_with_log_push(
        data: &Path,
        base_url: &str,
        log_push: LogPushConfig,
        migration_delay: Duration,
    ) -> Result<(App, Option<Demo>), ServeError> {
        let config = Config { data_dir: data.to_owned(), log_push, migration_delay, ..Config::default() };
        App::open_with_config(&config, base_url).await
    }

    /// Opens the data directory like [`App::open`], with a whole configuration. [`serve`](crate::serve()) applies the
    /// settings of the listener.
    pub async fn open_with_config(config: &Config, base_url: &str) -> Result<(App, Option<Demo>), ServeError> {
        let Config { data_dir: data, storage, .. } = config;
        // The path is canonical because the URL of the database cannot contain dots and links.
        let data = &create_private_directory(data).map_err(|error| OpenError::Path(data.to_owned(), error))?;
        let (lock, identity) = lock_data_directory(data)?;
        let metrics = Metrics::for_service();
        let store = Store::open(&ensure_database_file(data, storage)?, storage).await?;
        let store = store.with_observer(metrics.transaction_observer());
        let term = storage.timeouts.lease_term;
        let lease = Lease::acquire(&store, &format!("data folder {identity}"), term).await?;
        let lease = lease.ok_or_else(|| OpenError::InUse(data.to_owned()))?;
        let demo = if config.demo { demo::create_or_update(&store, data, base_url).await? } else { None };
        let log_push =
            Arc::new(LogPushConfig { own_buckets_option: "--logpush-own-bucket", ..config.log_push.clone() });
        let counts = metrics.log_push.clone();
        let jobs = Arc::new(StoreJobs { store: store.clone(), lease: lease.clone() });
        let delivery = Delivery::open(data, identity, jobs, Arc::clone(&log_push), counts).await?;
        let holder = new_id().map_err(OpenError::Random)?;
        let migration_task = MigrationTask::start(store.clone(), config.migration_delay, holder, term);
        let middleware = Arc::new(Middleware::new(config.middleware.clone(), metrics.clone()));
        let readiness = Arc::new(Readiness::new(data));
        let state = AppState {
            store,
            log_push,
            delivery,
            migration_task,
            lease,
            middleware,
            response_cache: ResponseCache::default(),
            metrics,
            readiness,
            _lock: lock,
        };
        Ok((App(Arc::new(state)), demo))
    }

    /// Stops the service: log push delivers its gathered lines for at most a few seconds, then the lease is released
    /// and the store is closed.
    pub async fn close(&self) {
        self.delivery.stop().await;
        self.lease.release().await;
        self.store.close().await;
    }
}
