//! The memory that bodies take, of all requests together: their bytes while they arrive, and the JSON that is made of
//! them, which takes many times that. Both have room of their own, so that bodies that never come to their end leave
//! those alone that do. Small bodies take none of it: whoever fills the room keeps out large ones only. Of the room for
//! bytes, which waits for clients, nobody has more than a quarter: no account, and of those who have proved none no
//! address.

use crate::error::Error;
use crate::front::Front;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use zonewright_delivery::Quota;

/// A unit of room in bytes.
const UNIT: usize = 1 << 10;
/// Units for bytes that arrive: 64 MiB.
const BYTES: usize = 64 << 10;
/// Units of these for one caller.
const OF_ONE: usize = BYTES / 4;
/// Units for JSON: 256 MiB.
const JSON: usize = 256 << 10;
/// What each body may take besides, in bytes.
pub(crate) const FREE: usize = 32 << 10;
/// How long somebody waits for room.
const PATIENCE: Duration = Duration::from_secs(5);

tokio::task_local! {
    static SHARE: Share;
}

/// All the room.
#[derive(Clone)]
pub(crate) struct Room {
    bytes: Arc<Semaphore>,
    /// Of the room for bytes.
    callers: Arc<Quota>,
    json: Arc<Semaphore>,
    /// How long somebody waits for it.
    patience: Duration,
}

impl Default for Room {
    fn default() -> Self {
        let [bytes, json] = [BYTES, JSON].map(|units| Arc::new(Semaphore::new(units)));
        Room { bytes, callers: Arc::new(Quota::new(OF_ONE)), json, patience: PATIENCE }
    }
}

/// What a request has of it, until the last clone is dropped.
#[derive(Clone)]
pub(crate) struct Share(Arc<Taken>);

struct Taken {
    room: Room,
    /// Who sent it.
    address: IpAddr,
    /// Of the caller's share, as many as of the room.
    own: Permit,
    bytes: Permit,
    json: Permit,
}

type Permit = Mutex<Option<OwnedSemaphorePermit>>;

impl Taken {
    fn nothing(room: Room, address: IpAddr) -> Taken {
        Taken { room, address, own: Permit::default(), bytes: Permit::default(), json: Permit::default() }
    }
}

/// Gives each request its share, for as long as it is answered.
pub(crate) async fn hold(State(front): State<Arc<Front>>, request: Request, next: Next) -> Response {
    let taken = Taken::nothing(front.room().clone(), front.address(&request));
    SHARE.scope(Share(Arc::new(taken)), next.run(request)).await
}

/// The share of the request that is being answered: who keeps it keeps the room.
pub(crate) fn held() -> Option<Share> {
    SHARE.try_with(Clone::clone).ok()
}

/// Takes room for a body of which so many bytes are here, in all; of the account's share, when it is known.
pub(crate) async fn of_bytes(account: Option<&str>, bytes: usize) -> Result<(), Error> {
    let Some(Share(taken)) = held().filter(|_| bytes > FREE) else { return Ok(()) };
    let own = match account {
        Some(account) => taken.room.callers.get(account),
        None => taken.room.callers.get(&site(taken.address).to_string()),
    };
    // Who has to wait for the own share takes no place among others.
    in_time(&taken.room, async {
        take(&own, &taken.own, bytes).await?;
        take(&taken.room.bytes, &taken.bytes, bytes).await
    })
    .await
}

/// Takes room for JSON that takes so many bytes.
pub(crate) async fn of_json(bytes: usize) -> Result<(), Error> {
    let Some(Share(taken)) = held().filter(|_| bytes > FREE) else { return Ok(()) };
    in_time(&taken.room, take(&taken.room.json, &taken.json, bytes)).await
}

/// One site has as many IPv6 addresses as it likes, in one network.
fn site(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

/// Gives back the room for JSON, when there is none any more.
pub(crate) fn without_json() {
    if let Some(Share(taken)) = held() {
        drop(taken.json.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

async fn in_time(room: &Room, taking: impl Future<Output = Option<()>>) -> Result<(), Error> {
    timeout(room.patience, taking).await.ok().flatten().ok_or(Error::Crowded)
}

/// Nothing when it is more than there can ever be.
async fn take(room: &Arc<Semaphore>, taken: &Permit, bytes: usize) -> Option<()> {
    let units = bytes.saturating_sub(FREE).div_ceil(UNIT);
    let own =
        taken.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
    let more = units.saturating_sub(own);
    if more == 0 {
        return Some(());
    }
    let permit = Arc::clone(room).acquire_many_owned(u32::try_from(more).ok()?).await.ok()?;
    let mut own = taken.lock().unwrap_or_else(PoisonError::into_inner);
    match own.as_mut() {
        Some(own) => own.merge(permit),
        None => *own = Some(permit),
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(room: &Room, address: &str) -> Share {
        Share(Arc::new(Taken::nothing(room.clone(), address.parse().unwrap())))
    }

    #[tokio::test]
    async fn there_is_room_for_so_much_and_small_bodies_need_none() {
        let room = Room { patience: Duration::from_millis(10), ..Room::default() };
        let all = share(&room, "192.0.2.1");
        let full = JSON * UNIT + FREE;
        SHARE.scope(all.clone(), of_json(full / 2)).await.unwrap();
        SHARE.scope(all.clone(), of_json(full)).await.unwrap();
        assert_eq!(room.json.available_permits(), 0);
        let other = share(&room, "192.0.2.1");
        assert!(matches!(SHARE.scope(other.clone(), of_json(FREE + 1)).await, Err(Error::Crowded)));
        SHARE.scope(other.clone(), of_json(FREE)).await.unwrap();
        SHARE.scope(other.clone(), of_bytes(None, OF_ONE * UNIT)).await.unwrap();
        SHARE.sync_scope(all, without_json);
        SHARE.scope(other.clone(), of_json(full)).await.unwrap();
        drop(other);
        assert_eq!((room.json.available_permits(), room.bytes.available_permits()), (JSON, BYTES));
    }

    #[tokio::test]
    async fn nobody_has_more_than_a_quarter() {
        let room = Room { patience: Duration::from_millis(10), ..Room::default() };
        let quarter = OF_ONE * UNIT + FREE;
        let cases = [
            ("192.0.2.1", Some("a"), quarter, true),
            ("192.0.2.2", Some("a"), FREE + 1, false),
            ("192.0.2.2", Some("a"), FREE, true),
            ("192.0.2.1", None, quarter, true),
            ("192.0.2.1", None, FREE + 1, false),
            ("192.0.2.2", None, quarter + 1, false),
            ("2001:db8::1", None, quarter, true),
            ("2001:db8::2", None, FREE + 1, false),
            ("2001:db8:0:1::2", None, FREE + 1, true),
        ];
        let mut shares = Vec::new();
        for (address, account, bytes, fits) in cases {
            let share = share(&room, address);
            let taken = SHARE.scope(share.clone(), of_bytes(account, bytes)).await;
            assert_eq!(taken.is_ok(), fits, "{address} {account:?} {bytes}");
            shares.push(share);
        }
        drop(shares);
        assert_eq!(room.bytes.available_permits(), BYTES);
    }
}
