//! The memory that bodies take, of all requests together: their bytes while they arrive, and the JSON that is made of
//! them, which takes many times that. Both have room of their own, so that bodies that never come to their end leave
//! those alone that do. Small bodies take none of it: whoever fills the room keeps out large ones only.

use crate::error::Error;
use crate::front::Front;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// A unit of room in bytes.
const UNIT: usize = 1 << 10;
/// Units for bytes that arrive: 64 MiB.
const BYTES: usize = 64 << 10;
/// Units for JSON: 256 MiB.
const JSON: usize = 256 << 10;
/// What each body may take besides, in bytes.
const FREE: usize = 32 << 10;
/// How long somebody waits for room.
const PATIENCE: Duration = Duration::from_secs(5);

tokio::task_local! {
    static SHARE: Share;
}

/// All the room.
#[derive(Clone)]
pub(crate) struct Room {
    bytes: Arc<Semaphore>,
    json: Arc<Semaphore>,
    /// How long somebody waits for it.
    patience: Duration,
}

impl Default for Room {
    fn default() -> Self {
        Room { bytes: Arc::new(Semaphore::new(BYTES)), json: Arc::new(Semaphore::new(JSON)), patience: PATIENCE }
    }
}

/// What a request has of it, until the last clone is dropped.
#[derive(Clone)]
pub(crate) struct Share(Arc<Taken>);

struct Taken {
    room: Room,
    bytes: Mutex<Option<OwnedSemaphorePermit>>,
    json: Mutex<Option<OwnedSemaphorePermit>>,
}

/// Gives each request its share, for as long as it is answered.
pub(crate) async fn hold(State(front): State<Arc<Front>>, request: Request, next: Next) -> Response {
    let taken = Taken { room: front.room().clone(), bytes: Mutex::default(), json: Mutex::default() };
    SHARE.scope(Share(Arc::new(taken)), next.run(request)).await
}

/// The share of the request that is being answered: who keeps it keeps the room.
pub(crate) fn held() -> Option<Share> {
    SHARE.try_with(Clone::clone).ok()
}

/// Takes room for a body of which so many bytes are here, in all.
pub(crate) async fn of_bytes(bytes: usize) -> Result<(), Error> {
    match held() {
        Some(Share(taken)) => take(&taken.room.bytes, taken.room.patience, &taken.bytes, bytes).await,
        None => Ok(()),
    }
}

/// Takes room for JSON that takes so many bytes.
pub(crate) async fn of_json(bytes: usize) -> Result<(), Error> {
    match held() {
        Some(Share(taken)) => take(&taken.room.json, taken.room.patience, &taken.json, bytes).await,
        None => Ok(()),
    }
}

/// Gives back the room for JSON, when there is none any more.
pub(crate) fn without_json() {
    if let Some(Share(taken)) = held() {
        drop(taken.json.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

async fn take(
    room: &Arc<Semaphore>,
    patience: Duration,
    taken: &Mutex<Option<OwnedSemaphorePermit>>,
    bytes: usize,
) -> Result<(), Error> {
    let units = bytes.saturating_sub(FREE).div_ceil(UNIT);
    let own =
        taken.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
    let more = units.saturating_sub(own);
    if more == 0 {
        return Ok(());
    }
    let more = u32::try_from(more).map_err(|_| Error::Crowded)?;
    let permit = timeout(patience, Arc::clone(room).acquire_many_owned(more)).await;
    let permit = permit.ok().and_then(Result::ok).ok_or(Error::Crowded)?;
    let mut own = taken.lock().unwrap_or_else(PoisonError::into_inner);
    match own.as_mut() {
        Some(own) => own.merge(permit),
        None => *own = Some(permit),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn there_is_room_for_so_much_and_small_bodies_need_none() {
        let room = Room { patience: Duration::from_millis(10), ..Room::default() };
        let share = || Share(Arc::new(Taken { room: room.clone(), bytes: Mutex::default(), json: Mutex::default() }));
        let all = share();
        let full = JSON * UNIT + FREE;
        SHARE.scope(all.clone(), of_json(full / 2)).await.unwrap();
        SHARE.scope(all.clone(), of_json(full)).await.unwrap();
        assert_eq!(room.json.available_permits(), 0);
        let other = share();
        assert!(matches!(SHARE.scope(other.clone(), of_json(FREE + 1)).await, Err(Error::Crowded)));
        SHARE.scope(other.clone(), of_json(FREE)).await.unwrap();
        SHARE.scope(other.clone(), of_bytes(BYTES * UNIT)).await.unwrap();
        SHARE.sync_scope(all, without_json);
        SHARE.scope(other.clone(), of_json(full)).await.unwrap();
        drop(other);
        assert_eq!((room.json.available_permits(), room.bytes.available_permits()), (JSON, BYTES));
    }
}
