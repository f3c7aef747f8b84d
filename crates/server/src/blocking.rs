//! Runs long CPU work without delaying other requests.

use crate::body_budget;
use crate::error::Error;

/// Runs work on the pool of blocking threads. The work continues when its request is canceled, and holds the memory
/// budget of the request until it has finished.
pub(crate) async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let guard = body_budget::current_guard();
    let work = move || {
        let result = work();
        drop(guard);
        result
    };
    tokio::task::spawn_blocking(work).await.map_err(|error| Error::Internal(error.into()))
}
