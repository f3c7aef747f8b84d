//! Startup and shutdown: opens a service or a relay from its configuration, serves it, and stops it on a signal.
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
use crate::serve_error::{CREATE_USER_COMMANDS, ServeError};
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
/// The first line on standard output is `listening on http://ADDR:PORT`. The monitoring address follows. A service then
/// prints the demo credentials on the first start on a data directory; a relay prints its upstream.
pub async fn serve(config: Config) -> Result<(), ServeError> {
    serve_with(config, Router::new()).await?;
    tracing::info!("shutdown complete");
    Ok(())
}

/// Serves like [`serve`], with extra routes besides those of the service. Benchmarks use them for comparison.
#[doc(hidden)]
pub async fn serve_with(mut config: Config, extra_routes: Router<App>) -> Result<(), ServeError> {
    start_log(&config.log);
    let (listener, address) = bind(config.listen)?;
    let monitoring = match config.metrics_listen {
        Some(address) => Some(bind(address)?),
        None => None,
    };
    if let Some(relay) = config.relay.take() {
        return serve_relay((listener, address), monitoring, relay, config).await;
    }
    if let Some((_, address)) = monitoring.as_ref().filter(|(_, address)| !address.ip().is_loopback()) {
        tracing::warn!("metrics on {address} are readable by any client that can reach this address");
    }
    let is_public = !address.ip().is_loopback();
    let wants_demo = config.demo;
    config.demo &= !is_public;
    config.middleware.metrics = !is_public && monitoring.is_none();
    if is_public && !address.ip().is_unspecified() {
        config.middleware.hosts.push(address.ip().into());
    }
    let (app, demo) = App::open_with_config(&config, &format!("http://{address}/client/v4")).await?;
    if is_public && let Err(error) = check_public_access(&app, address, wants_demo).await {
        app.close().await;
        return Err(error);
    }
    if !is_public && !app.store.has_credentials().await? {
        tracing::warn!(
            "no client can authenticate because there is no user and no valid token; create a user with \
            {CREATE_USER_COMMANDS}"
        );
    }
    // The signals are handled before the address is printed, so that a script may then stop the service with a signal.
    let mut signals = Signals::listen();
    let monitoring_address = monitoring.as_ref().map(|(_, address)| *address);
    print_addresses(address, monitoring_address, demo.as_ref(), &config.data_dir).map_err(ServeError::Output)?;

    let monitoring = monitoring.map(|(listener, _)| (listener, app.monitoring_router()));
    let set_stopping = || app.readiness.set_stopping();
    let router = app.router_with(extra_routes);
    run((listener, router), monitoring, &config, &app.metrics, set_stopping, &mut signals).await;
    app.close().await;
    Ok(())
}

/// Serves the app and relays the API of an upstream.
async fn serve_relay(
    (listener, address): (TcpListener, SocketAddr),
    monitoring: Option<(TcpListener, SocketAddr)>,
    relay: RelayConfig,
    mut config: Config,
) -> Result<(), ServeError> {
    if !address.ip().is_loopback() {
        return Err(ServeError::PublicRelay(address));
    }
    let upstream = relay.upstream().to_owned();
    config.middleware.metrics = monitoring.is_none();
    let relay = Relay::open_with_middleware(config.middleware.clone(), relay)?;
    let mut signals = Signals::listen();
    let mut out = std::io::stdout();
    let mut announce = || {
        writeln!(out, "listening on http://{address}")?;
        if let Some((_, address)) = &monitoring {
            writeln!(out, "metrics on http://{address}/metrics")?;
        }
        writeln!(out, "relaying to {upstream}")?;
        out.flush()
    };
    announce().map_err(ServeError::Output)?;
    let monitoring = monitoring.map(|(listener, _)| (listener, relay.monitoring_router()));
    let set_stopping = || relay.set_stopping();
    run((listener, relay.router()), monitoring, &config, relay.metrics(), set_stopping, &mut signals).await;
    Ok(())
}

/// Serves until a signal arrives, then shuts down. Returns when all connections have ended, or when [`shut_down`] stops
/// waiting for them.
async fn run(
    (listener, router): (TcpListener, Router),
    monitoring: Option<(TcpListener, Router)>,
    config: &Config,
    metrics: &Metrics,
    set_stopping: impl FnOnce(),
    signals: &mut Signals,
) {
    let limits = config.connections.within_open_file_limit();
    let phase = watch::Sender::new(ServerPhase::Accepting);
    let serving = async {
        let main_server = connections::serve(listener, router, limits, metrics.clone(), phase.subscribe());
        let monitoring_server = async {
            if let Some((listener, router)) = monitoring {
                let limits = ConnectionLimits { max_connections: MAX_MONITORING_CONNECTIONS, ..limits };
                connections::serve(listener, router, limits, metrics.clone(), phase.subscribe()).await;
            }
        };
        tokio::join!(main_server, monitoring_server);
    };
    tokio::select! {
        () = serving => {}
        () = shut_down(set_stopping, config.shutdown_delay, &phase, signals) => {}
    }
}

fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr), ServeError> {
    listen(address).map_err(|error| ServeError::Listen(address, error))
}

fn listen(address: SocketAddr) -> std::io::Result<(TcpListener, SocketAddr)> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Otherwise the address stays in use for a minute after a service has stopped.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    let listener = socket.listen(LISTEN_BACKLOG)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Rejects a public address when the service has no credentials, or those of the demo account. Logs a warning if it is
/// allowed.
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
async fn shut_down(
    set_stopping: impl FnOnce(),
    delay: Duration,
    phase: &watch::Sender<ServerPhase>,
    signals: &mut Signals,
) {
    signals.next().await;
    tracing::info!("shutting down: finishing running requests");
    set_stopping();
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
    monitoring: Option<SocketAddr>,
    demo: Option<&Demo>,
    data: &Path,
) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "listening on http://{address}")?;
    if let Some(address) = monitoring {
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
    async fn public_address_requires_credentials_besides_the_demo_account() {
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
        let (actor, email) = (Actor::service(), "me@example.com");
        app.store.set_user(&actor, &id, email, &new_key().unwrap()).await.unwrap();
        app.store.revoke_user(&actor, crate::demo::DEMO_EMAIL).await.unwrap();
        // The token of the demo account is still valid.
        assert!(matches!(check_public_access(&app, address, false).await, Err(ServeError::PublicDemo(_))));
        app.store.revoke_token(&actor, &token_id).await.unwrap();
        for wants_demo in [false, true] {
            assert!(check_public_access(&app, address, wants_demo).await.is_ok());
        }
    }
}
