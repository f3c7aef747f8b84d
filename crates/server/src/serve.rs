//! From a configuration to a listening service, and its end.

use crate::App;
use crate::delivery::LogPushConfig;
use crate::demo::Demo;
use crate::relay::{Relay, RelayConfig};
use axum::Router;
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
    /// What log push may do.
    pub log_push: LogPushConfig,
    /// How long a migration is pending before it is complete.
    pub migration_delay: Duration,
    /// Where to relay the interface to, in place of serving it from the data folder, which is not used then.
    pub relay: Option<RelayConfig>,
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
    /// The client of the relay cannot be made.
    Relay(String),
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
            ServeError::Database(error) => write!(f, "cannot use the database: {error}"),
            ServeError::Random(error) => write!(f, "the system gives no random numbers: {error}"),
            ServeError::Demo(reason) => write!(f, "cannot make the demo account: {reason}"),
            ServeError::Network(error) => write!(f, "the network failed: {error}"),
            ServeError::Client(reason) => write!(f, "cannot make the client that delivers logs: {reason}"),
            ServeError::Relay(reason) => write!(f, "cannot make the client of the relay: {reason}"),
        }
    }
}

impl std::error::Error for ServeError {}

impl From<sqlx::Error> for ServeError {
    fn from(error: sqlx::Error) -> Self {
        ServeError::Database(error)
    }
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
    if let Some(relay) = config.relay {
        return serve_relay(listener, address, relay).await;
    }
    let base_url = format!("http://{address}/client/v4");
    let (app, demo) = App::open_with(&config.data, &base_url, config.log_push, config.migration_delay).await?;
    announce(address, demo.as_ref(), &config.data).map_err(ServeError::Network)?;

    let result = serve_until_told(listener, app.router()).await;
    app.close().await;
    result
}

/// Serves the app and the interface of an upstream.
async fn serve_relay(listener: TcpListener, address: SocketAddr, config: RelayConfig) -> Result<(), ServeError> {
    let upstream = config.upstream().to_owned();
    let relay = Relay::open(config)?;
    let mut out = std::io::stdout();
    let announced = writeln!(out, "listening on http://{address}\nrelaying to {upstream}").and_then(|()| out.flush());
    announced.map_err(ServeError::Network)?;
    serve_until_told(listener, relay.router()).await
}

async fn serve_until_told(listener: TcpListener, router: Router) -> Result<(), ServeError> {
    let server = axum::serve(listener, router).with_graceful_shutdown(told_to_end());
    tokio::select! {
        result = server.into_future() => result.map_err(ServeError::Network),
        () = farewell_is_over() => Ok(()),
    }
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
