//! From a configuration to a listening service, and its end.

use crate::App;
use crate::database::Storage;
use crate::delivery::LogPushConfig;
use crate::demo::Demo;
use crate::store::Store;
use sqlx::migrate::MigrateError;
use std::fmt;
use std::future::IntoFuture;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::net::TcpListener;

/// How long requests may take to end after the signal to stop.
const FAREWELL: Duration = Duration::from_secs(5);

/// What to serve.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address to listen on, a loopback one; port 0 takes any free port.
    pub listen: SocketAddr,
    /// Folder of the database and the demo credentials; made when it is missing.
    pub data: PathBuf,
    /// Which database.
    pub storage: Storage,
    /// What log push may do.
    pub log_push: LogPushConfig,
    /// How long a migration is pending before it is complete.
    pub migration_delay: Duration,
}

/// Why the service could not start or had to end.
#[derive(Debug)]
pub enum ServeError {
    /// The address is not a loopback one.
    PublicAddress(SocketAddr),
    /// The address cannot be listened on.
    Listen(SocketAddr, std::io::Error),
    /// Another service works on the data folder.
    InUse(PathBuf),
    /// A file or folder cannot be used.
    Data(PathBuf, std::io::Error),
    /// The database cannot be used.
    Database(sqlx::Error),
    /// The system has no random numbers.
    Random(getrandom::Error),
    /// The demo account cannot be made.
    Demo(String),
    /// The network failed.
    Network(std::io::Error),
    /// Nothing can be delivered, as with no certificates to trust.
    Client(String),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::PublicAddress(address) => write!(
                f,
                "{address} can be reached from other machines, but the demo credentials are all that \
                 guards the service: use a loopback address such as 127.0.0.1:{}",
                address.port()
            ),
            ServeError::Listen(address, error) => write!(f, "cannot listen on {address}: {error}"),
            ServeError::InUse(path) => write!(f, "another service is using the data folder {}", path.display()),
            ServeError::Data(path, error) => write!(f, "cannot use {}: {error}", path.display()),
            ServeError::Database(error) => write!(f, "cannot use the database: {}", reason(error)),
            ServeError::Random(error) => write!(f, "the system gives no random numbers: {error}"),
            ServeError::Demo(reason) => write!(f, "cannot make the demo account: {reason}"),
            ServeError::Network(error) => write!(f, "the network failed: {error}"),
            ServeError::Client(reason) => write!(f, "cannot make the client that delivers logs: {reason}"),
        }
    }
}

impl std::error::Error for ServeError {}

/// Why the database cannot be used, for people.
pub(crate) fn reason(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Migrate(reason) => match &**reason {
            MigrateError::VersionMissing(version) | MigrateError::VersionNotPresent(version) => {
                format!("it has version {version} of the schema, which this zonewright is too old for")
            }
            other => other.to_string(),
        },
        sqlx::Error::PoolTimedOut => "it does not answer".to_owned(),
        other => other.to_string(),
    }
}

impl From<sqlx::Error> for ServeError {
    fn from(error: sqlx::Error) -> Self {
        ServeError::Database(error)
    }
}

/// Brings a database server to the present schema, without anything in it.
pub async fn prepare(storage: &Storage) -> Result<(), ServeError> {
    Store::open(Path::new(""), storage).await?.close().await;
    Ok(())
}

/// Serves until the process is told to end (SIGINT, SIGTERM), then lets running requests finish for
/// at most five seconds.
///
/// The first line on standard output is `listening on http://ADDR:PORT`; at the first start on a data
/// folder the demo credentials follow.
pub async fn serve(config: Config) -> Result<(), ServeError> {
    log_to_stderr();
    if !config.listen.ip().is_loopback() {
        return Err(ServeError::PublicAddress(config.listen));
    }
    let cannot_listen = |error| ServeError::Listen(config.listen, error);
    let listener = TcpListener::bind(config.listen).await.map_err(cannot_listen)?;
    let address = listener.local_addr().map_err(cannot_listen)?;
    let base_url = format!("http://{address}/client/v4");
    let (app, demo) =
        App::open_on(&config.data, &base_url, &config.storage, config.log_push, config.migration_delay).await?;
    announce(address, demo.as_ref(), &config.data).map_err(ServeError::Network)?;

    let server = axum::serve(listener, app.router()).with_graceful_shutdown(told_to_end());
    let result = tokio::select! {
        result = server.into_future() => result.map_err(ServeError::Network),
        () = farewell_is_over() => Ok(()),
    };
    app.close().await;
    result
}

fn log_to_stderr() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("ZONEWRIGHT_LOG");
    let filter = filter.unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // Fails only when the process has a subscriber already; that one then has the say.
    let _ = subscriber.try_init();
}

fn announce(address: SocketAddr, demo: Option<&Demo>, data: &Path) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "listening on http://{address}")?;
    if let Some(demo) = demo {
        let file = data.join(crate::demo::FILE);
        writeln!(out, "demo account, shown this once and kept in {}", file.display())?;
        writeln!(out, "  e-mail  {}\n  key     {}\n  token   {}", demo.email, demo.key, demo.token)?;
        writeln!(out, "  account {}", demo.account_id)?;
        for zone in &demo.zones {
            writeln!(out, "  zone    {}  {} ({})", zone.id, zone.name, zone.plan)?;
        }
    }
    out.flush()
}

async fn farewell_is_over() {
    told_to_end().await;
    tokio::time::sleep(FAREWELL).await;
}

/// Waits for SIGINT or SIGTERM.
async fn told_to_end() {
    let interrupted = async {
        // Without a handler the signal ends the process at once, which is an end, too.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminated = async {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut signals) => {
                signals.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        () = interrupted => {}
        () = terminated => {}
    }
}
