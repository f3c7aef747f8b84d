//! `zonewright serve`: serves the app and the API at one address.

use super::database::DatabaseArgs;
use crate::output::{EXIT_USAGE, print_error, print_warning};
use crate::settings::{Complete, ENV_PREFIX, Given, misspelled_variables};
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use zonewright_delivery::{LogPushConfig, Pace, ServiceBucket};
use zonewright_server::{
    Config, ConnectionLimits, HostName, LogConfig, LogFilter, LogFormat, MIGRATION_DELAY, MiddlewareConfig, Network,
    Origin, RateLimit, RelayConfig, serve,
};

/// The options that the command line sets; the others come from the environment and the file.
pub(crate) type Arguments = Given<Options>;

/// Serve the app and the API.
#[derive(Args, Clone)]
pub(crate) struct Options {
    /// File with options, TOML.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Address and port to listen on; port 0 takes any free one. One that other machines can reach needs
    /// credentials of its own: no demo account, and an account made with `zonewright admin`.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8787", value_parser = parse_socket_addr)]
    listen: SocketAddr,
    /// Folder of the database, the lines that wait and the demo credentials; made when missing.
    #[arg(long, value_name = "FOLDER", default_value = "./zonewright-data")]
    data: PathBuf,
    /// Make no demo account in a new data folder.
    #[arg(long)]
    no_demo: bool,
    /// How long a migration of managed rules is pending before the previous ones are switched off.
    #[arg(long, value_name = "SECONDS", default_value_t = MIGRATION_DELAY.as_secs(),
        value_parser = clap::value_parser!(u64).range(..=86_400))]
    migration_delay: u64,
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(flatten)]
    callers: ClientArgs,
    #[command(flatten)]
    watching: ObservabilityArgs,
    #[command(flatten)]
    log_push: LogPushArgs,
    #[command(flatten)]
    relay: RelayArgs,
}

/// Who may call, and how much.
#[derive(Args, Clone)]
#[command(next_help_heading = "Callers")]
struct ClientArgs {
    /// Name in `Host` that is answered besides loopback ones, as behind a proxy; repeatable.
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<HostName>,
    /// Origin whose pages may read answers (CORS), such as https://app.example.com; repeatable.
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    allow_origins: Vec<Origin>,
    /// Address or network of a proxy whose X-Forwarded-For and X-Forwarded-Proto count; repeatable.
    #[arg(long = "trusted-proxy", value_name = "ADDR[/BITS]")]
    trusted_proxies: Vec<Network>,
    /// Most requests of a caller in a period, 0 for any number [default: 1200 on an address that other machines
    /// can reach, 0 on others].
    #[arg(long, value_name = "REQUESTS")]
    rate_limit: Option<u32>,
    /// The period.
    #[arg(long, value_name = "SECONDS", default_value_t = RateLimit::default().period.as_secs(),
        value_parser = clap::value_parser!(u64).range(1..=86_400))]
    rate_limit_period: u64,
    /// Most connections at a time; others wait.
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    max_connections: u32,
    /// How long a connection may go without the headers of its next request.
    #[arg(long, value_name = "SECONDS", default_value_t = ConnectionLimits::default().header_timeout.as_secs(),
        value_parser = clap::value_parser!(u64).range(1..=3600))]
    header_timeout: u64,
}

/// What can be seen of the running service, and how it ends.
#[derive(Args, Clone)]
#[command(next_help_heading = "Watching")]
struct ObservabilityArgs {
    /// Address and port for /metrics, /healthz and /readyz alone; without it, /metrics is on a loopback address of
    /// --listen.
    #[arg(long, value_name = "ADDR:PORT", value_parser = parse_socket_addr)]
    metrics_listen: Option<SocketAddr>,
    /// How the log on standard error is written.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = LogFormatArg::Text)]
    log_format: LogFormatArg,
    /// What is logged: a level, or levels by module.
    #[arg(long, value_name = "FILTER", default_value_t)]
    log: LogFilter,
    /// How long requests are taken after the signal to stop, while /readyz already says no.
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=3600))]
    shutdown_delay: u64,
}

/// How lines of the log are written.
#[derive(Clone, Copy, ValueEnum)]
enum LogFormatArg {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// What log push may do.
#[derive(Args, Clone)]
#[command(next_help_heading = "Log push")]
struct LogPushArgs {
    /// Folder below which jobs may write with file://; without it they may not.
    #[arg(long = "logpush-files", value_name = "FOLDER", value_parser = PathBufValueParser::new().try_map(parse_existing_directory))]
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
    /// A bucket, s3://name or gs://name, that may be written to with the keys in the environment of the service; can be
    /// given several times. Jobs that name it without keys of their own need the ownership challenge.
    #[arg(long = "logpush-own-bucket", value_name = "BUCKET")]
    own_buckets: Vec<ServiceBucket>,
    /// Most bytes of lines that wait for their delivery.
    #[arg(long = "logpush-spool-bytes", value_name = "BYTES", default_value_t = LogPushConfig::default().max_spool_bytes)]
    spool_bytes: u64,
    /// How long lines wait for others of their batch where the job does not say it.
    #[arg(long = "logpush-interval", value_name = "SECONDS", default_value_t = 30,
        value_parser = clap::value_parser!(u64).range(1..=300))]
    interval: u64,
}

fn parse_socket_addr(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(|_| "an address and a port are expected, such as 127.0.0.1:8787 or [::1]:8787")
}

/// Validates that a directory exists. Otherwise, each job would fail separately at its first delivery.
fn parse_existing_directory(path: PathBuf) -> Result<PathBuf, String> {
    let shown = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
    let shown = shown.display();
    match std::fs::metadata(&path) {
        Ok(found) if found.is_dir() => Ok(path),
        Ok(_) => Err(format!("{shown} is no folder; name one that jobs may write below")),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(format!("there is no folder {shown}; make it, or name another one"))
        }
        Err(error) => Err(format!("{shown} cannot be used: {error}")),
    }
}

impl Complete<Options> {
    fn config(self) -> Result<Config, String> {
        if let Some(warning) = self.options.relay.validate(&self.given)? {
            print_warning(&warning);
        }
        self.options.config()
    }
}

impl Options {
    fn config(self) -> Result<Config, String> {
        let connections = ConnectionLimits {
            max_connections: self.callers.max_connections as usize,
            header_timeout: Duration::from_secs(self.callers.header_timeout),
            ..ConnectionLimits::default()
        };
        Ok(Config {
            listen: self.listen,
            data_dir: self.data,
            storage: self.database.storage()?,
            demo: !self.no_demo,
            log_push: self.log_push.config(),
            migration_delay: Duration::from_secs(self.migration_delay),
            middleware: self.callers.middleware(self.listen),
            connections,
            metrics_listen: self.watching.metrics_listen,
            log: self.watching.log_config(),
            shutdown_delay: Duration::from_secs(self.watching.shutdown_delay),
            relay: self.relay.config()?,
        })
    }
}

impl ClientArgs {
    fn middleware(self, listen: SocketAddr) -> MiddlewareConfig {
        let usual = if listen.ip().is_loopback() { 0 } else { RateLimit::default().requests };
        let requests = self.rate_limit.unwrap_or(usual);
        let period = Duration::from_secs(self.rate_limit_period);
        MiddlewareConfig {
            hosts: self.hosts,
            allow_origins: self.allow_origins,
            trusted_proxies: self.trusted_proxies,
            rate_limit: (requests > 0).then_some(RateLimit { requests, period }),
            metrics: false,
        }
    }
}

impl ObservabilityArgs {
    fn log_config(&self) -> LogConfig {
        let format = match self.log_format {
            LogFormatArg::Text => LogFormat::Text,
            LogFormatArg::Json => LogFormat::Json,
        };
        LogConfig { format, filter: self.log.clone() }
    }
}

impl LogPushArgs {
    fn config(self) -> LogPushConfig {
        let pace = Pace { batch_interval: Duration::from_secs(self.interval), ..Pace::default() };
        LogPushConfig {
            file_root: self.files,
            allow_http: self.allow_http,
            allow_private: self.allow_private,
            require_challenge: self.require_challenge,
            test_destination: self.test_destination,
            own_buckets: self.own_buckets,
            max_spool_bytes: self.spool_bytes,
            limits: pace,
        }
    }
}

/// Variables that are not options, without the prefix `ZONEWRIGHT_`: the credentials of a relay and its passphrase.
pub(crate) const SECRET_VARIABLES: [&str; 2] = ["RELAY_CREDENTIALS", "RELAY_PASSPHRASE"];
/// Names and prefixes of options that have no effect on a relay, because it stores no data.
const OPTIONS_UNUSED_BY_RELAY: [&str; 5] = ["data", "no-demo", "migration-delay", "database", "logpush-"];

/// Where to relay the interface to. Credentials and the passphrase come from files or from the environment
/// ([`SECRET_VARIABLES`]), never from a flag.
#[derive(Args, Clone)]
#[command(next_help_heading = "Relay")]
struct RelayArgs {
    /// Relay the interface to this address, https://…/client/v4, in place of serving it from the data folder.
    #[arg(long, value_name = "URL")]
    relay_upstream: Option<String>,
    /// Relay to http:// on other machines too, without encryption.
    #[arg(long)]
    relay_allow_http: bool,
    /// File with the credentials that stay on the server: a token, or an e-mail address, a blank and a key.
    #[arg(long, value_name = "FILE")]
    relay_credentials_file: Option<PathBuf>,
    /// File with the passphrase that people log in with where the credentials stay on the server.
    #[arg(long, value_name = "FILE")]
    relay_passphrase_file: Option<PathBuf>,
}

impl RelayArgs {
    /// Validates that the options are consistent; the error is a message. Options without an effect cause only a
    /// warning, because samples and containers set `data`.
    fn validate(&self, given: &[(String, String)]) -> Result<Option<String>, String> {
        let places = |of: &dyn Fn(&str) -> bool| {
            let places = given.iter().filter(|(name, _)| of(name)).map(|(_, place)| place.as_str());
            places.collect::<Vec<_>>().join(", ")
        };
        if self.relay_upstream.is_some() {
            let unused = places(&|name| OPTIONS_UNUSED_BY_RELAY.iter().any(|unused| name.starts_with(unused)));
            let warning = || format!("a relay has no data of its own and does not use {unused}");
            return Ok((!unused.is_empty()).then(warning));
        }
        let lonely = places(&|name| match name {
            "relay-allow-http" => self.relay_allow_http,
            name => name.starts_with("relay-"),
        });
        let told = |what: &str| format!("{what} is for a relay: say with --relay-upstream where it relays to");
        if !lonely.is_empty() {
            return Err(told(&lonely));
        }
        let secrets = SECRET_VARIABLES.map(|name| format!("{ENV_PREFIX}{name}"));
        let set = secrets.into_iter().find(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
        Ok(set.map(|name| told(&format!("{name} in the environment"))))
    }

    fn config(self) -> Result<Option<RelayConfig>, String> {
        let Some(upstream) = self.relay_upstream else { return Ok(None) };
        let [credentials, passphrase] = SECRET_VARIABLES;
        let credentials = read_secret(self.relay_credentials_file, credentials)?;
        let passphrase = read_secret(self.relay_passphrase_file, passphrase)?;
        let kept = (credentials.as_deref(), passphrase.as_deref());
        RelayConfig::new(&upstream, self.relay_allow_http, kept).map(Some).map_err(|error| error.to_string())
    }
}

/// Reads a secret from a file, or else from the environment.
fn read_secret(file: Option<PathBuf>, variable: &str) -> Result<Option<String>, String> {
    match file {
        None => Ok(std::env::var(format!("{ENV_PREFIX}{variable}")).ok().filter(|text| !text.is_empty())),
        Some(path) => match std::fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) => Err(format!("cannot read {}: {error}", path.display())),
        },
    }
}

/// Runs the service until the process receives a signal to stop.
pub(crate) fn run(arguments: Arguments) -> ExitCode {
    misspelled_variables::<Options>(&SECRET_VARIABLES).iter().for_each(|one| print_warning(one));
    let config = match arguments.resolve().and_then(|complete| complete.config().map_err(|problem| vec![problem])) {
        Ok(config) => config,
        Err(problems) => {
            problems.iter().for_each(|problem| print_error(problem));
            return ExitCode::from(EXIT_USAGE);
        }
    };
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            print_error(&format!("cannot start: {error}"));
            return ExitCode::from(EXIT_USAGE);
        }
    };
    match runtime.block_on(serve(config)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&format!("cannot serve: {error}"));
            ExitCode::from(EXIT_USAGE)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        callers: ClientArgs,
    }

    #[test]
    fn requests_are_limited_where_other_machines_can_reach() {
        let usual = RateLimit::default().requests;
        for (listen, words, expected) in [
            ("127.0.0.1:1", &[][..], None),
            ("[::1]:1", &[], None),
            ("0.0.0.0:1", &[], Some(usual)),
            ("192.0.2.1:1", &["--rate-limit", "0"], None),
            ("192.0.2.1:1", &["--rate-limit", "5"], Some(5)),
            ("127.0.0.1:1", &["--rate-limit", "5"], Some(5)),
        ] {
            let line = Line::parse_from([&["zonewright"], words].concat());
            let limit = line.callers.middleware(listen.parse().unwrap()).rate_limit;
            assert_eq!(limit.map(|limit| limit.requests), expected, "{listen} {words:?}");
        }
        let line = Line::parse_from(["zonewright", "--rate-limit", "5", "--rate-limit-period", "7"]);
        let limit = line.callers.middleware(([127, 0, 0, 1], 1).into()).rate_limit.unwrap();
        assert_eq!(limit.period, Duration::from_secs(7));
    }
}
