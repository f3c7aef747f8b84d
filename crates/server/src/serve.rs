//! Startup and shutdown: from a configuration to a listening service, and its end.
//!
//! Start with [`serve`].

mod signals;

use crate::app::App;
use crate::config::Config;
use crate::config::RelayConfig;
use crate::connections::{self, ConnectionLimits, ServerPhase};
use crate::demo::Demo;
use crate::log::start_log;
use crate::metrics::Metrics;
use crate::relay::Relay;
use crate::serve_error::{ACCOUNTS, ServeError};
use axum::Router;
use signals::Signals;
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;

/// Time for which running requests may finish after the listeners are closed.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);
/// Backlog of the listening socket; the system may allow less.
const LISTEN_BACKLOG: u32 = 4096;
/// Maximum number of connections of the monitoring address.
const MAX_MONITORING_CONNECTIONS: usize = 64;

/// Serves until the process receives SIGINT or SIGTERM, then shuts down. `/readyz` fails immediately. After the
/// configured delay no new connection is accepted. Running requests may finish for at most five seconds, and log push
/// delivers its gathered lines. A second signal skips the current wait.
///
/// The first line on standard output is `listening on http://ADDR:PORT`. The monitoring address follows, and on the
/// first start on a data directory the demo credentials.
pub async fn serve(config: Config) -> Result<(), ServeError> {
    serve_with(config, Router::new()).await?;
    tracing::info!("ended");
    Ok(())
}

/// Serves like [`serve`], with further routes besides those of the service. Benchmarks use them for comparison.
#[doc(hidden)]
pub async fn serve_with(mut config: Config, others: Router<App>) -> Result<(), ServeError> {
    start_log(&config.log);
    let (listener, address) = bind(config.listen)?;
    let watching = match config.metrics_listen {
        Some(address) => Some(bind(address)?),
        None => None,
    };
    if let Some(relay) = config.relay.take() {
        return serve_relay((listener, address), watching, relay, config).await;
    }
    if let Some((_, address)) = watching.as_ref().filter(|(_, address)| !address.ip().is_loopback()) {
        tracing::warn!("metrics on {address} are readable by any client that can reach this address");
    }
    let public = !address.ip().is_loopback();
    let wants_demo = config.demo;
    config.demo &= !public;
    config.middleware.metrics = !public && watching.is_none();
    if public && !address.ip().is_unspecified() {
        config.middleware.hosts.push(address.ip().into());
    }
    let (app, demo) = App::open_with_config(&config, &format!("http://{address}/client/v4")).await?;
    if public && let Err(error) = check_public_access(&app, address, wants_demo).await {
        app.close().await;
        return Err(error);
    }
    if !public && !app.store.has_credentials().await? {
        tracing::warn!(
            "no client can authenticate because there is no user and no valid token; create a user with \
            {ACCOUNTS}"
        );
    }
    // The signals are handled before the address is printed, so that a script may then stop the service with a signal.
    let mut signals = Signals::listen();
    let watch_address = watching.as_ref().map(|(_, address)| *address);
    print_addresses(address, watch_address, demo.as_ref(), &config.data_dir).map_err(ServeError::Network)?;

    let watching = watching.map(|(listener, _)| (listener, app.watch_router()));
    let stop = || app.readiness.set_stopping();
    run((listener, app.router_with(others)), watching, &config, &app.metrics, stop, &mut signals).await;
    app.close().await;
    Ok(())
}

/// Serves the app and relays the API of an upstream.
async fn serve_relay(
    (listener, address): (TcpListener, SocketAddr),
    watching: Option<(TcpListener, SocketAddr)>,
    relay: RelayConfig,
    mut config: Config,
) -> Result<(), ServeError> {
    if !address.ip().is_loopback() {
        return Err(ServeError::PublicRelay(address));
    }
    let upstream = relay.upstream().to_owned();
    config.middleware.metrics = watching.is_none();
    let relay = Relay::open_with_middleware(config.middleware.clone(), relay)?;
    let mut signals = Signals::listen();
    let mut out = std::io::stdout();
    let mut announce = || {
        writeln!(out, "listening on http://{address}")?;
        if let Some((_, watching)) = &watching {
            writeln!(out, "metrics on http://{watching}/metrics")?;
        }
        writeln!(out, "relaying to {upstream}")?;
        out.flush()
    };
    announce().map_err(ServeError::Network)?;
    let watching = watching.map(|(listener, _)| (listener, relay.watch_router()));
    run((listener, relay.router()), watching, &config, relay.metrics(), || relay.stop(), &mut signals).await;
    Ok(())
}

/// Serves until a signal arrives, then shuts down. Returns when all connections have ended, or when [`shut_down`] stops
/// waiting for them.
async fn run(
    (listener, router): (TcpListener, Router),
    watching: Option<(TcpListener, Router)>,
    config: &Config,
    metrics: &Metrics,
    stop: impl FnOnce(),
    signals: &mut Signals,
) {
    let limits = config.connections.within_files();
    let phase = watch::Sender::new(ServerPhase::Accepting);
    let serving = async {
        let interface = connections::serve(listener, router, limits, metrics.clone(), phase.subscribe());
        let watchers = async {
            if let Some((listener, router)) = watching {
                let limits = ConnectionLimits { max_connections: MAX_MONITORING_CONNECTIONS, ..limits };
                connections::serve(listener, router, limits, metrics.clone(), phase.subscribe()).await;
            }
        };
        tokio::join!(interface, watchers);
    };
    tokio::select! {
        () = serving => {}
        () = shut_down(stop, config.shutdown_delay, &phase, signals) => {}
    }
}

fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr), ServeError> {
    listen(address).map_err(|error| ServeError::Listen(address, error))
}

fn listen(address: SocketAddr) -> std::io::Result<(TcpListener, SocketAddr)> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Otherwise the address of a stopped service stays in use for a minute.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    let listener = socket.listen(LISTEN_BACKLOG)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Rejects a public address when the service has no credentials, or those of the demo account.
async fn check_public_access(app: &App, address: SocketAddr, wants_demo: bool) -> Result<(), ServeError> {
    if app.store.has_demo(crate::demo::DEMO_EMAIL).await? {
        return Err(ServeError::PublicDemo(address));
    }
    if !app.store.has_credentials().await? {
        let error = if wants_demo { ServeError::PublicDemo } else { ServeError::NoCredentials };
        return Err(error(address));
    }
    tracing::warn!("{address} can be reached from other machines without TLS; put a TLS proxy in front of it");
    Ok(())
}

/// Waits for the first signal, then shuts down in phases. Returns when the last wait has ended.
async fn shut_down(stop: impl FnOnce(), delay: Duration, phase: &watch::Sender<ServerPhase>, signals: &mut Signals) {
    signals.next().await;
    tracing::info!("shutting down: finishing running requests");
    stop();
    wait_or_signal(delay, signals).await;
    phase.send_replace(ServerPhase::Draining);
    wait_or_signal(SHUTDOWN_TIMEOUT, signals).await;
}

/// Waits for this time, or until the next signal.
async fn wait_or_signal(time: Duration, signals: &mut Signals) {
    tokio::select! {
        () = tokio::time::sleep(time) => {}
        () = signals.next() => {}
    }
}

fn print_addresses(
    address: SocketAddr,
    watching: Option<SocketAddr>,
    demo: Option<&Demo>,
    data: &Path,
) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "listening on http://{address}")?;
    if let Some(address) = watching {
        writeln!(out, "metrics on http://{address}/metrics")?;
    }
    if let Some(demo) = demo {
        let file = data.join(crate::demo::CREDENTIALS_FILE);
        writeln!(out, "demo account, shown only once and saved in {}", file.display())?;
        writeln!(out, "  email   {}\n  key     {}\n  token   {}", demo.email, demo.key, demo.token)?;
        writeln!(out, "  account {}", demo.account_id)?;
        for zone in &demo.zones {
            writeln!(out, "  zone    {}  {} ({})", zone.id, zone.name, zone.plan)?;
        }
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use zonewright_store::Actor;
    use zonewright_store::NewAccount;
    use zonewright_store::{new_id, new_key, new_token};

    #[tokio::test]
    async fn public_address_requires_an_account_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let config = Config { data_dir: folder.path().to_owned(), demo: false, ..Config::default() };
        let (app, demo) = App::open_with_config(&config, "").await.unwrap();
        assert!(demo.is_none());
        let address = "0.0.0.0:80".parse().unwrap();
        assert!(matches!(check_public_access(&app, address, false).await, Err(ServeError::NoCredentials(_))));
        assert!(matches!(check_public_access(&app, address, true).await, Err(ServeError::PublicDemo(_))));
        let (id, token_id) = (new_id().unwrap(), new_id().unwrap());
        let (key, token) = (new_key().unwrap(), new_token().unwrap());
        let demo = NewAccount {
            id: &id,
            name: "Demo",
            email: crate::demo::DEMO_EMAIL,
            key: &key,
            token_id: &token_id,
            token: &token,
            zones: Vec::new(),
        };
        app.store.create_demo_account(&demo).await.unwrap();
        assert!(matches!(check_public_access(&app, address, false).await, Err(ServeError::PublicDemo(_))));
        let (me, mine) = (Actor::service(), "me@example.com");
        app.store.set_user(&me, &id, mine, &new_key().unwrap()).await.unwrap();
        app.store.revoke_user(&me, crate::demo::DEMO_EMAIL).await.unwrap();
        // The token of the demo account is still valid.
        assert!(matches!(check_public_access(&app, address, false).await, Err(ServeError::PublicDemo(_))));
        app.store.revoke_token(&me, &token_id).await.unwrap();
        for wants_demo in [false, true] {
            assert!(check_public_access(&app, address, wants_demo).await.is_ok());
        }
    }
}
