//! Measures the service under load from a second process. The load is combined creates and reads per second over
//! keep-alive connections. It is compared with the writes that the same database makes durable without a service, and
//! with the responses that the same router sends from memory. The second part measures a zone of 100,000 rules: the
//! time of a page and of a lookup, and the memory of the process.
//!
//! Workloads that are compared alternate, so that other load on the machine slows both. The benchmark prints its
//! results and fails only when a response is wrong, because the speed depends on the disk. PostgreSQL is measured when
//! `ZONEWRIGHT_TEST_POSTGRES` has the URL of a server. The arguments are `load` and `size`; without arguments both run.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_precision_loss,
    reason = "a benchmark may fail"
)]

mod client;
mod load;
mod raw;
mod service;
mod size;

use mimalloc::MiMalloc;
use service::Target;

/// The allocator of the native binary.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.as_slice() {
        [command, folder, database @ ..] if command == "serve" => {
            service::serve(folder.as_ref(), &database.first().into());
        }
        _ => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(measure(&arguments));
        }
    }
}

async fn measure(arguments: &[String]) {
    let is_selected = |part: &str| arguments.is_empty() || arguments.iter().any(|argument| argument == part);
    let server = std::env::var("ZONEWRIGHT_TEST_POSTGRES").ok();
    if server.is_none() {
        println!("PostgreSQL is not measured: ZONEWRIGHT_TEST_POSTGRES is not set");
    }
    for server in [None, Some(server)].into_iter().filter(|server| *server != Some(None)) {
        let server = server.flatten();
        println!("\n{}", if server.is_some() { "PostgreSQL" } else { "SQLite" });
        if is_selected("load") {
            load::run(&Target::create(server.as_deref(), "zonewright_load").await).await;
        }
        if is_selected("size") {
            size::run(&Target::create(server.as_deref(), "zonewright_size").await).await;
        }
    }
}
