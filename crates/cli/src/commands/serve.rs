//! `zonewright serve`: the app and the API on one address.

use crate::output::{USAGE, complain};
use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use zonewright_server::{Config, LogPushConfig, MIGRATION_DELAY, Pace, RelayConfig, serve};

/// Serve the app and the API.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Address and port to listen on; port 0 takes any free one.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8787")]
    listen: SocketAddr,
    /// Folder of the database and the demo credentials; made when missing.
    #[arg(long, value_name = "FOLDER", default_value = "./zonewright-data")]
    data: PathBuf,
    /// How long a migration of managed rules is pending before the previous ones are switched off.
    #[arg(long, value_name = "SECONDS", default_value_t = MIGRATION_DELAY.as_secs(),
        value_parser = clap::value_parser!(u64).range(..=86_400))]
    migration_delay: u64,
    #[command(flatten)]
    log_push: LogPush,
    #[command(flatten)]
    relay: Relay,
}

/// What log push may do.
#[derive(Args)]
#[command(next_help_heading = "Log push")]
struct LogPush {
    /// Folder below which jobs may write with file://; without it they may not.
    #[arg(long = "logpush-files", value_name = "FOLDER")]
    files: Option<PathBuf>,
    /// Deliver to http:// too, without encryption.
    #[arg(long = "logpush-allow-http")]
    allow_http: bool,
    /// Deliver to private, loopback and link-local addresses too.
    #[arg(long = "logpush-allow-private")]
    allow_private: bool,
    /// Ask for the ownership challenge where it is documented.
    #[arg(long = "logpush-challenge")]
    require_challenge: bool,
    /// Try a destination with a small upload before a job may use it.
    #[arg(long = "logpush-test-destination")]
    test_destination: bool,
    /// Most bytes of lines that wait for their delivery.
    #[arg(long = "logpush-spool-bytes", value_name = "BYTES", default_value_t = LogPushConfig::default().spool_bytes)]
    spool_bytes: u64,
    /// How long lines wait for others of their batch where the job does not say it.
    #[arg(long = "logpush-interval", value_name = "SECONDS", default_value_t = 30,
        value_parser = clap::value_parser!(u64).range(1..=300))]
    interval: u64,
}

impl LogPush {
    fn config(self) -> LogPushConfig {
        let pace = Pace { interval: Duration::from_secs(self.interval), ..Pace::default() };
        LogPushConfig {
            files: self.files,
            allow_http: self.allow_http,
            allow_private: self.allow_private,
            require_challenge: self.require_challenge,
            test_destination: self.test_destination,
            spool_bytes: self.spool_bytes,
            pace,
        }
    }
}

/// Where to relay the interface to. Credentials and the passphrase come from files or from the environment
/// (`ZONEWRIGHT_RELAY_CREDENTIALS`, `ZONEWRIGHT_RELAY_PASSPHRASE`), never from a flag.
#[derive(Args)]
#[command(next_help_heading = "Relay")]
struct Relay {
    /// Relay the interface to this address, https://…/client/v4, in place of serving it from the data folder.
    #[arg(long, value_name = "URL")]
    relay_upstream: Option<String>,
    /// Relay to http:// on other machines too, without encryption.
    #[arg(long, requires = "relay_upstream")]
    relay_allow_http: bool,
    /// File with the credentials that stay on the server: a token, or an e-mail address, a blank and a key.
    #[arg(long, value_name = "FILE", requires = "relay_upstream")]
    relay_credentials_file: Option<PathBuf>,
    /// File with the passphrase that people log in with where the credentials stay on the server.
    #[arg(long, value_name = "FILE", requires = "relay_upstream")]
    relay_passphrase_file: Option<PathBuf>,
}

impl Relay {
    fn config(self) -> Result<Option<RelayConfig>, String> {
        let Some(upstream) = self.relay_upstream else { return Ok(None) };
        let credentials = secret(self.relay_credentials_file, "ZONEWRIGHT_RELAY_CREDENTIALS")?;
        let passphrase = secret(self.relay_passphrase_file, "ZONEWRIGHT_RELAY_PASSPHRASE")?;
        let kept = (credentials.as_deref(), passphrase.as_deref());
        RelayConfig::new(&upstream, self.relay_allow_http, kept).map(Some).map_err(|error| error.to_string())
    }
}

/// A text of a file, or else of the environment.
fn secret(file: Option<PathBuf>, variable: &str) -> Result<Option<String>, String> {
    match file {
        None => Ok(std::env::var(variable).ok().filter(|text| !text.is_empty())),
        Some(path) => match std::fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) => Err(format!("cannot read {}: {error}", path.display())),
        },
    }
}

/// Runs the subcommand until the process is told to end.
pub(crate) fn run(arguments: Arguments) -> ExitCode {
    let relay = match arguments.relay.config() {
        Ok(relay) => relay,
        Err(error) => {
            complain(&error);
            return ExitCode::from(USAGE);
        }
    };
    let config = Config {
        listen: arguments.listen,
        data: arguments.data,
        log_push: arguments.log_push.config(),
        migration_delay: Duration::from_secs(arguments.migration_delay),
        relay,
    };
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            complain(&format!("cannot start: {error}"));
            return ExitCode::from(USAGE);
        }
    };
    match runtime.block_on(serve(config)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("cannot serve: {error}"));
            ExitCode::from(USAGE)
        }
    }
}
