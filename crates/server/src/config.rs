//! What to serve, and how.

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

/// How long a migration is pending when nobody says otherwise (assumption migration-delay).
pub const MIGRATION_DELAY: Duration = Duration::from_secs(10);

/// What to serve.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address to listen on; port 0 takes any free port. One that other machines can reach asks for credentials
    /// of its own (assumption public-address).
    pub listen: SocketAddr,
    /// Folder of the database and the demo credentials; made when it is missing.
    pub data: PathBuf,
    /// Whether a new data folder gets a demo account. On a public address it never does.
    pub demo: bool,
    /// Which database.
    pub storage: StoreConfig,
    /// What log push may do.
    pub log_push: LogPushConfig,
    /// How long a migration is pending before it is complete.
    pub migration_delay: Duration,
    /// What stands before the routes.
    pub middleware: MiddlewareConfig,
    /// How many connections there are, and how long they may do nothing.
    pub connections: ConnectionLimits,
    /// A second address, with nothing but metrics and health; without one, the first has the metrics, when it is
    /// a loopback one.
    pub metrics_listen: Option<SocketAddr>,
    /// What is logged.
    pub log: LogConfig,
    /// How long requests are still taken after the signal to stop, while `/readyz` says no.
    pub shutdown_delay: Duration,
    /// Where to relay the interface to, in place of serving it from the data folder, which is not used then.
    pub relay: Option<RelayConfig>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            listen: (Ipv4Addr::LOCALHOST, 8787).into(),
            data: "./zonewright-data".into(),
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
