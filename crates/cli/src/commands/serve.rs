//! `zonewright serve`: serves the app and the API at one address.

use super::database::DatabaseArgs;
use crate::integer::integer_parser;
use crate::output::{EXIT_USAGE, print_error, print_warning};
use crate::settings::{CommandLineOptions, ENV_PREFIX, ResolvedOptions, misspelled_variables};
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use zonewright_delivery::{DeliveryLimits, LogPushConfig, ServiceBucket};
use zonewright_server::{
    Config, ConnectionLimits, HostName, LogConfig, LogFilter, LogFormat, MIGRATION_DELAY, MiddlewareConfig, Origin,
    RateLimit, RelayConfig, TrustedProxy, serve,
};

/// The options that the command line sets; the others come from the environment and the file.
pub(crate) type Arguments = CommandLineOptions<Options>;

/// Serve the web app and the API.
#[derive(Args, Clone)]
pub(crate) struct Options {
    /// TOML file with options.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Address and port to listen on; port 0 picks a free port.
    ///
    /// An address that other machines can reach requires a user or a token that was created with `zonewright admin`,
    /// and no demo credentials.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8787", value_parser = parse_socket_addr)]
    listen: SocketAddr,
    /// Data directory; created if it does not exist.
    ///
    /// It contains the database, the log lines that wait for delivery, and the demo credentials.
    #[arg(long, value_name = "DIR", default_value = "./zonewright-data")]
    data: PathBuf,
    /// Do not create a demo account in a new data directory.
    #[arg(long)]
    no_demo: bool,
    /// How long a migration of managed rules is pending before the previous rules are turned off.
    #[arg(long, value_name = "SECONDS", default_value_t = MIGRATION_DELAY.as_secs(),
        value_parser = integer_parser::<u64>(0..=86_400))]
    migration_delay: u64,
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(flatten)]
    clients: ClientArgs,
    #[command(flatten)]
    monitoring: ObservabilityArgs,
    #[command(flatten)]
    log_push: LogPushArgs,
    #[command(flatten)]
    relay: RelayArgs,
}

/// Access and limits of clients.
#[derive(Args, Clone)]
#[command(next_help_heading = "Clients")]
struct ClientArgs {
    /// Host name to serve in addition to loopback names, such as the public name of a proxy; repeatable.
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<HostName>,
    /// Origin whose pages may read responses (CORS), such as https://app.example.com; repeatable.
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    allow_origins: Vec<Origin>,
    /// Address or network of a proxy whose X-Forwarded-For and X-Forwarded-Proto are trusted; repeatable.
    #[arg(long = "trusted-proxy", value_name = "ADDR[/BITS]")]
    trusted_proxies: Vec<TrustedProxy>,
    /// Maximum number of requests of a client per period; 0 for no limit [default: 1200 on an address that other
    /// machines can reach, 0 on others].
    #[arg(long, value_name = "REQUESTS", value_parser = integer_parser::<u32>(0..=u64::from(u32::MAX)))]
    rate_limit: Option<u32>,
    /// Period in which --rate-limit counts requests.
    #[arg(long, value_name = "SECONDS", default_value_t = RateLimit::default().period.as_secs(),
        value_parser = integer_parser::<u64>(1..=86_400))]
    rate_limit_period: u64,
    /// Maximum number of open connections; further clients wait.
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000,
        value_parser = integer_parser::<u32>(1..=1_000_000))]
    max_connections: u32,
    /// Time limit for receiving the headers of the next request on a connection.
    #[arg(long, value_name = "SECONDS", default_value_t = ConnectionLimits::default().header_timeout.as_secs(),
        value_parser = integer_parser::<u64>(1..=3600))]
    header_timeout: u64,
}

/// Monitoring and shutdown.
#[derive(Args, Clone)]
#[command(next_help_heading = "Monitoring")]
struct ObservabilityArgs {
    /// Address and port that serve only /metrics, /healthz, and /readyz.
    ///
    /// Without this option, --listen serves /metrics if it is a loopback address.
    #[arg(long, value_name = "ADDR:PORT", value_parser = parse_socket_addr)]
    metrics_listen: Option<SocketAddr>,
    /// Format of the log on standard error.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = LogFormatArg::Text)]
    log_format: LogFormatArg,
    /// Log level, or levels by module.
    #[arg(long, value_name = "FILTER", default_value_t)]
    log: LogFilter,
    /// How long to accept requests after the signal to stop, while /readyz responds with 503.
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = integer_parser::<u64>(0..=3600))]
    shutdown_delay: u64,
}

/// The format of the log.
#[derive(Clone, Copy, ValueEnum)]
enum LogFormatArg {
    /// Human-readable text.
    Text,
    /// One JSON object per line.
    Json,
}

/// Destinations and limits of log push.
#[derive(Args, Clone)]
#[command(next_help_heading = "Log push")]
struct LogPushArgs {
    /// Directory in which jobs may write with file://; without it, file:// is not allowed.
    #[arg(long = "logpush-files", value_name = "DIR",
        value_parser = PathBufValueParser::new().try_map(parse_existing_directory))]
    files: Option<PathBuf>,
    /// Also deliver to http://, without encryption.
    #[arg(long = "logpush-allow-http")]
    allow_http: bool,
    /// Also deliver to private, loopback, and link-local addresses.
    #[arg(long = "logpush-allow-private")]
    allow_private: bool,
    /// Require the ownership challenge wherever it is documented.
    #[arg(long = "logpush-challenge")]
    require_challenge: bool,
    /// Test a destination with a small upload before a job may use it.
    #[arg(long = "logpush-test-destination")]
    test_destination: bool,
    /// Bucket, s3://name or gs://name, that jobs may write to with the keys in the environment of the service;
    /// repeatable.
    ///
    /// Jobs that name it without separate keys need the ownership challenge.
    #[arg(long = "logpush-own-bucket", value_name = "BUCKET")]
    own_buckets: Vec<ServiceBucket>,
    /// Maximum number of bytes of log lines that wait for delivery.
    #[arg(long = "logpush-spool-bytes", value_name = "BYTES",
        default_value_t = LogPushConfig::default().max_spool_bytes,
        value_parser = integer_parser::<u64>(0..=u64::MAX))]
    spool_bytes: u64,
    /// How long to collect lines for a batch if the job does not set it.
    #[arg(long = "logpush-interval", value_name = "SECONDS", default_value_t = 30,
        value_parser = integer_parser::<u64>(1..=300))]
    interval: u64,
}

fn parse_socket_addr(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(|_| "expected an address and a port, such as 127.0.0.1:8787 or [::1]:8787")
}

/// Validates that a directory exists. Otherwise, the first delivery would create a directory with a misspelled name,
/// and if it could not, each job would fail separately.
fn parse_existing_directory(path: PathBuf) -> Result<PathBuf, String> {
    let path_text = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
    let path_text = path_text.display();
    match std::fs::metadata(&path) {
        Ok(found) if found.is_dir() => Ok(path),
        Ok(_) => Err(format!("{path_text} is not a directory; name a directory in which jobs may write")),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(format!("there is no directory {path_text}; create it, or name another one"))
        }
        Err(error) => Err(format!("cannot use {path_text}: {error}")),
    }
}

impl ResolvedOptions<Options> {
    fn config(self) -> Result<Config, String> {
        if let Some(warning) = self.options.relay.validate(&self.sources)? {
            print_warning(&warning);
        }
        self.options.config()
    }
}

impl Options {
    fn config(self) -> Result<Config, String> {
        let connections = ConnectionLimits {
            max_connections: self.clients.max_connections as usize,
            header_timeout: Duration::from_secs(self.clients.header_timeout),
            ..ConnectionLimits::default()
        };
        Ok(Config {
            listen: self.listen,
            data_dir: self.data,
            storage: self.database.storage()?,
            demo: !self.no_demo,
            log_push: self.log_push.config(),
            migration_delay: Duration::from_secs(self.migration_delay),
            middleware: self.clients.middleware(self.listen),
            connections,
            metrics_listen: self.monitoring.metrics_listen,
            log: self.monitoring.log_config(),
            shutdown_delay: Duration::from_secs(self.monitoring.shutdown_delay),
            relay: self.relay.config()?,
        })
    }
}

impl ClientArgs {
    fn middleware(self, listen: SocketAddr) -> MiddlewareConfig {
        let default_requests = if listen.ip().is_loopback() { 0 } else { RateLimit::default().requests };
        let requests = self.rate_limit.unwrap_or(default_requests);
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
        let limits = DeliveryLimits { batch_interval: Duration::from_secs(self.interval), ..DeliveryLimits::default() };
        LogPushConfig {
            file_root: self.files,
            allow_http: self.allow_http,
            allow_private: self.allow_private,
            require_challenge: self.require_challenge,
            test_destination: self.test_destination,
            own_buckets: self.own_buckets,
            max_spool_bytes: self.spool_bytes,
            limits,
            ..LogPushConfig::default()
        }
    }
}

/// Variables that are not options, without the prefix `ZONEWRIGHT_`: the credentials of a relay and its passphrase.
pub(crate) const SECRET_VARIABLES: [&str; 2] = ["RELAY_CREDENTIALS", "RELAY_PASSPHRASE"];
/// Names and prefixes of options that have no effect on a relay, because it stores no data.
const OPTIONS_UNUSED_BY_RELAY: [&str; 5] = ["data", "no-demo", "migration-delay", "database", "logpush-"];

/// The upstream of a relay. Credentials and the passphrase come from files or from the environment
/// ([`SECRET_VARIABLES`]), never from a flag.
#[derive(Args, Clone)]
#[command(next_help_heading = "Relay")]
struct RelayArgs {
    /// Relay the API to this URL, https://…/client/v4, instead of serving it from the data directory.
    #[arg(long, value_name = "URL")]
    relay_upstream: Option<String>,
    /// Also relay to http:// on other machines, without encryption.
    #[arg(long)]
    relay_allow_http: bool,
    /// File with the credentials that stay on the server: a token, or an email address, a space, and a key.
    #[arg(long, value_name = "FILE")]
    relay_credentials_file: Option<PathBuf>,
    /// File with the passphrase for logging in if the credentials stay on the server.
    #[arg(long, value_name = "FILE")]
    relay_passphrase_file: Option<PathBuf>,
}

impl RelayArgs {
    /// Validates that the options are consistent; the error is a message. Options without an effect cause only a
    /// warning, because the sample configuration and containers set `data`.
    fn validate(&self, set_options: &[(String, String)]) -> Result<Option<String>, String> {
        let sources = |is_wanted: &dyn Fn(&str) -> bool| {
            let sources = set_options.iter().filter(|(name, _)| is_wanted(name)).map(|(_, source)| source.as_str());
            sources.collect::<Vec<_>>().join(", ")
        };
        if self.relay_upstream.is_some() {
            let unused = sources(&|name| OPTIONS_UNUSED_BY_RELAY.iter().any(|unused| name.starts_with(unused)));
            let warning = || format!("a relay stores no data and ignores {unused}");
            return Ok((!unused.is_empty()).then(warning));
        }
        let relay_options = sources(&|name| match name {
            "relay-allow-http" => self.relay_allow_http,
            name => name.starts_with("relay-"),
        });
        let requires_relay = |option: &str| format!("{option} requires --relay-upstream");
        if !relay_options.is_empty() {
            return Err(requires_relay(&relay_options));
        }
        let secrets = SECRET_VARIABLES.map(|name| format!("{ENV_PREFIX}{name}"));
        let set = secrets.into_iter().find(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
        Ok(set.map(|name| requires_relay(&format!("{name} in the environment"))))
    }

    fn config(self) -> Result<Option<RelayConfig>, String> {
        let Some(upstream) = self.relay_upstream else { return Ok(None) };
        let [credentials, passphrase] = SECRET_VARIABLES;
        let credentials = read_secret(self.relay_credentials_file, credentials)?;
        let passphrase = read_secret(self.relay_passphrase_file, passphrase)?;
        let secrets = (credentials.as_deref(), passphrase.as_deref());
        RelayConfig::new(&upstream, self.relay_allow_http, secrets).map(Some).map_err(|error| error.to_string())
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
    misspelled_variables::<Options>(&SECRET_VARIABLES).iter().for_each(|warning| print_warning(warning));
    let config = match arguments.resolve().and_then(|resolved| resolved.config().map_err(|problem| vec![problem])) {
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
    struct ClientCommand {
        #[command(flatten)]
        clients: ClientArgs,
    }

    #[test]
    fn rate_limit_default_depends_on_the_listen_address() {
        let default_requests = RateLimit::default().requests;
        for (listen, text, expected) in [
            ("127.0.0.1:1", &[][..], None),
            ("[::1]:1", &[], None),
            ("0.0.0.0:1", &[], Some(default_requests)),
            ("192.0.2.1:1", &["--rate-limit", "0"], None),
            ("192.0.2.1:1", &["--rate-limit", "5"], Some(5)),
            ("127.0.0.1:1", &["--rate-limit", "5"], Some(5)),
        ] {
            let command = ClientCommand::parse_from([&["zonewright"], text].concat());
            let limit = command.clients.middleware(listen.parse().unwrap()).rate_limit;
            assert_eq!(limit.map(|limit| limit.requests), expected, "{listen} {text:?}");
        }
        let command = ClientCommand::parse_from(["zonewright", "--rate-limit", "5", "--rate-limit-period", "7"]);
        let limit = command.clients.middleware(([127, 0, 0, 1], 1).into()).rate_limit.unwrap();
        assert_eq!(limit.period, Duration::from_secs(7));
    }
}
