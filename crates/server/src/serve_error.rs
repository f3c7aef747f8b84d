//! Errors that prevent a start of the service or the relay.

use std::fmt;
use std::net::SocketAddr;
use zonewright_store::OpenError;

/// The commands that create credentials.
pub(crate) const CREATE_USER_COMMANDS: &str = "`zonewright admin user create EMAIL`, after `zonewright admin account \
                        create NAME` if there is no account yet (with the --data, --database or --config of this \
                        service)";

/// The reason why the service or the relay could not start.
#[derive(Debug)]
pub enum ServeError {
    /// The address is public, and the demo account exists or would be created.
    PublicDemo(SocketAddr),
    /// The address is public, and no user or token exists.
    NoCredentials(SocketAddr),
    /// A relay listens on loopback addresses only.
    PublicRelay(SocketAddr),
    /// Listening on the address failed.
    Listen(SocketAddr, std::io::Error),
    /// Opening the data directory or the database failed.
    Open(OpenError),
    /// Creating the demo account failed.
    Demo(String),
    /// Writing the addresses to standard output failed.
    Output(std::io::Error),
    /// The client of log push cannot be created, for example without trusted certificates.
    Client(String),
    /// The client of the relay cannot be created.
    Relay(String),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::PublicDemo(address) => write!(
                f,
                "{address} can be reached from other machines, but the demo account is only for this machine; use a \
                 loopback address such as 127.0.0.1:{}, or a data directory without the demo account and its token: \
                 create a user with {CREATE_USER_COMMANDS}, and start with --no-demo",
                address.port()
            ),
            ServeError::PublicRelay(address) => write!(
                f,
                "{address} can be reached from other machines, but the relay does not encrypt connections; use a \
                 loopback address such as 127.0.0.1:{}, put a TLS proxy in front of it, and set the name of the proxy \
                 with --host",
                address.port()
            ),
            ServeError::NoCredentials(address) => write!(
                f,
                "{address} can be reached from other machines, but there are no credentials yet; create a user with \
                 {CREATE_USER_COMMANDS}, or use a loopback address such as 127.0.0.1:{}",
                address.port()
            ),
            ServeError::Listen(address, error) => write!(f, "cannot listen on {address}: {error}"),
            ServeError::Open(error) => f.write_str(&open_error_text(error)),
            ServeError::Demo(reason) => write!(f, "cannot create the demo account: {reason}"),
            ServeError::Output(error) => write!(f, "cannot write to standard output: {error}"),
            ServeError::Client(reason) => write!(f, "cannot create the HTTP client for log delivery: {reason}"),
            ServeError::Relay(reason) => write!(f, "cannot create the HTTP client of the relay: {reason}"),
        }
    }
}

impl std::error::Error for ServeError {}

/// Returns the text of an error of opening a data directory or its database, with the option that selects the
/// directory.
pub fn open_error_text(error: &OpenError) -> String {
    let option = if error.advises_another_directory() { " with --data" } else { "" };
    format!("{error}{option}")
}

impl From<OpenError> for ServeError {
    fn from(error: OpenError) -> Self {
        ServeError::Open(error)
    }
}

impl From<zonewright_delivery::OpenError> for ServeError {
    fn from(error: zonewright_delivery::OpenError) -> Self {
        match error {
            zonewright_delivery::OpenError::Path(path, error) => ServeError::Open(OpenError::Path(path, error)),
            zonewright_delivery::OpenError::Client(reason) => ServeError::Client(reason),
        }
    }
}

impl From<zonewright_store::Error> for ServeError {
    fn from(error: zonewright_store::Error) -> Self {
        ServeError::Open(OpenError::Database(error))
    }
}
