//! The configuration of the service.

pub(crate) mod relay;

pub(crate) use relay::RelayConfig;

use crate::connections::ConnectionLimits;
use crate::log::LogConfig;
use crate::middleware::MiddlewareConfig;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;
use zonewright_delivery::LogPushConfig;
use zonewright_store::StoreConfig;

/// Default time for which a migration is pending (assumption migration-delay).
pub const MIGRATION_DELAY: Duration = Duration::from_secs(10);

/// The configuration of the service. Start with [`Config::default`].
#[derive(Clone, Debug)]
pub struct Config {
    /// Address to listen on; port 0 selects any free port. An address that other machines can reach requires
    /// credentials besides the demo account (assumption public-address).
    pub listen: SocketAddr,
    /// Data directory: the SQLite database, the spool and the demo credentials. It is created when it is missing.
    pub data_dir: PathBuf,
    /// Whether a new data directory gets a demo account. On a public address it never does.
    pub demo: bool,
    /// The database.
    pub storage: StoreConfig,
    /// Limits and permissions of log push.
    pub log_push: LogPushConfig,
    /// Time for which a migration is pending before it is complete.
    pub migration_delay: Duration,
    /// The middleware.
    pub middleware: MiddlewareConfig,
    /// Limits and timeouts of connections.
    pub connections: ConnectionLimits,
    /// A second address for metrics and health only. Without it, the first address serves the metrics if it is a
    /// loopback address.
    pub metrics_listen: Option<SocketAddr>,
    /// Format and filter of the log.
    pub log: LogConfig,
    /// Time for which requests are still accepted after the signal to stop, while `/readyz` fails.
    pub shutdown_delay: Duration,
    /// The relay that replaces the service. With a relay, the data directory is not used.
    pub relay: Option<RelayConfig>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            listen: (Ipv4Addr::LOCALHOST, 8787).into(),
            data_dir: "./zonewright-data".into(),
            demo: true,
            storage: StoreConfig::default(),
            log_push: LogPushConfig::default(),
            migration_delay: MIGRATION_DELAY,
            middleware: MiddlewareConfig::default(),
            connections: ConnectionLimits::default(),
            metrics_listen: None,
            log: LogConfig::default(),
            shutdown_delay: Duration::ZERO,
            relay: None,
        }
    }
}
