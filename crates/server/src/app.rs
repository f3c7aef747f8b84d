//! The running service: its store and what it owns on disk.

use crate::answers::Answers;
use crate::completion::Completion;
use crate::config::{Config, MIGRATION_DELAY};
use crate::demo::{self, Demo};
use crate::metrics::Metrics;
use crate::middleware::Middleware;
use crate::readiness::Readiness;
use crate::serve_error::ServeError;
use crate::store_jobs::StoreJobs;
use std::fs::File;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use zonewright_delivery::{Delivery, LogPushConfig};
use zonewright_store::{Lease, OpenError, Store, lock, make_database, make_folder, new_id};

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
    pub(crate) middleware: Arc<Middleware>,
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
        let data = &make_folder(data).map_err(|error| OpenError::Folder(data.to_owned(), error))?;
        let (lock, identity) = lock(data)?;
        let metrics = Metrics::new();
        let store = Store::open(&make_database(data, storage)?, storage).await?;
        let store = store.observed(metrics.transaction_observer());
        let term = storage.times.lease;
        let lease = Lease::take(&store, &format!("data folder {identity}"), term).await?;
        let lease = lease.ok_or_else(|| OpenError::InUse(data.to_owned()))?;
        let demo = if config.demo { demo::prepare(&store, data, base_url).await? } else { None };
        let log_push = Arc::new(config.log_push.clone());
        let counts = metrics.log_push.clone();
        let jobs = Arc::new(StoreJobs { store: store.clone(), lease: lease.clone() });
        let delivery = Delivery::open(data, identity, jobs, Arc::clone(&log_push), counts).await?;
        let holder = new_id().map_err(OpenError::Random)?;
        let completion = Completion::start(store.clone(), config.migration_delay, holder, term);
        let middleware = Arc::new(Middleware::new(config.middleware.clone(), metrics.clone()));
        let readiness = Arc::new(Readiness::new(data));
        let answers = Answers::default();
        let parts = Parts {
            store,
            log_push,
            delivery,
            completion,
            lease,
            middleware,
            answers,
            metrics,
            readiness,
            _lock: lock,
        };
        Ok((App(Arc::new(parts)), demo))
    }

    /// Lets log push deliver what it has gathered, for some seconds at most, and ends all work.
    pub async fn close(&self) {
        self.delivery.stop().await;
        self.lease.give_back().await;
        self.store.close().await;
    }
}
