//! `zonewright serve`: the app and the API on one address.

use crate::output::{USAGE, complain};
use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use zonewright_server::{Config, serve};

/// Serve the app and the API.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Address and port to listen on; port 0 takes any free one.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8787")]
    listen: SocketAddr,
    /// Folder of the database and the demo credentials; made when missing.
    #[arg(long, value_name = "FOLDER", default_value = "./zonewright-data")]
    data: PathBuf,
}

/// Runs the subcommand until the process is told to end.
pub(crate) fn run(arguments: Arguments) -> ExitCode {
    let config = Config { listen: arguments.listen, data: arguments.data };
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
