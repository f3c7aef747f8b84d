//! Why the service could not start or had to end.

use std::fmt;
use std::net::SocketAddr;
use zonewright_store::OpenError;

/// How somebody comes to be able to log in.
pub(crate) const ACCOUNTS: &str = "`zonewright admin account create NAME`, where there is no account yet, and `zonewright admin user \
                        create E-MAIL` (with the --data, --database or --config of this service)";

/// Why the service could not start or had to end.
#[derive(Debug)]
pub enum ServeError {
    /// Other machines can reach the address, and the demo account exists or would be made.
    PublicDemo(SocketAddr),
    /// Other machines can reach the address, and nobody has credentials.
    NoCredentials(SocketAddr),
    /// The address is not a loopback one, and what is there is a relay.
    PublicRelay(SocketAddr),
    /// The address cannot be listened on.
    Listen(SocketAddr, std::io::Error),
    /// The data folder or the database cannot be opened.
    Open(OpenError),
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
            ServeError::PublicDemo(address) => write!(
                f,
                "{address} can be reached from other machines, which the demo account is not for: use a loopback \
                 address such as 127.0.0.1:{}, or a data folder without demo account, its token included: make a \
                 user with {ACCOUNTS}, and start with --no-demo",
                address.port()
            ),
            ServeError::PublicRelay(address) => write!(
                f,
                "{address} can be reached from other machines, and nothing there is encrypted: let the relay listen on a \
                 loopback address such as 127.0.0.1:{}, and put a proxy with TLS before it, whose name is given with --host",
                address.port()
            ),
            ServeError::NoCredentials(address) => write!(
                f,
                "{address} can be reached from other machines, and nobody has credentials yet: make a user first, with \
                 {ACCOUNTS}, or use a loopback address such as 127.0.0.1:{}",
                address.port()
            ),
            ServeError::Listen(address, error) => write!(f, "cannot listen on {address}: {error}"),
            ServeError::Open(error) => error.fmt(f),
            ServeError::Demo(reason) => write!(f, "cannot make the demo account: {reason}"),
            ServeError::Network(error) => write!(f, "the network failed: {error}"),
            ServeError::Client(reason) => write!(f, "cannot make the client that delivers logs: {reason}"),
            ServeError::Relay(reason) => write!(f, "cannot make the client of the relay: {reason}"),
        }
    }
}

impl std::error::Error for ServeError {}

impl From<OpenError> for ServeError {
    fn from(error: OpenError) -> Self {
        ServeError::Open(error)
    }
}

impl From<zonewright_delivery::OpenError> for ServeError {
    fn from(error: zonewright_delivery::OpenError) -> Self {
        match error {
            zonewright_delivery::OpenError::Folder(path, error) => ServeError::Open(OpenError::Folder(path, error)),
            zonewright_delivery::OpenError::Client(reason) => ServeError::Client(reason),
        }
    }
}

impl From<zonewright_store::Error> for ServeError {
    fn from(error: zonewright_store::Error) -> Self {
        ServeError::Open(OpenError::Database(error))
    }
}
