//! The memory budget for the bodies of all requests: their bytes while they arrive, and the JSON values parsed from
//! them, which take many times that memory.
//!
//! [`BodyBudget`] has one semaphore for bytes and one for JSON, so that bodies that never end do not block parsing.
//! Bodies up to [`FREE_BYTES`] need no permit: a full budget delays large bodies only. No client has more than a
//! quarter of the permits for bytes, because these are held while the server waits for clients. A client is an account
//! or, if the principal of the request is unknown, an IPv4 address or an IPv6 /64 network. Permits are held until the
//! last [`BudgetGuard`] of the request is dropped; [`release_json`] releases those for JSON earlier.

use crate::error::Error;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use zonewright_delivery::Quota;

/// Bytes of one permit.
const UNIT_BYTES: usize = 1 << 10;
/// Permits for bytes that arrive: 64 MiB.
const BODY_UNITS: usize = 64 << 10;
/// Maximum number of permits for bytes of one client.
const CLIENT_UNITS: usize = BODY_UNITS / 4;
/// Permits for JSON: 256 MiB.
const JSON_UNITS: usize = 256 << 10;
/// Bytes of each body that need no permit.
pub(crate) const FREE_BYTES: usize = 32 << 10;
/// Timeout of acquiring permits.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

tokio::task_local! {
    static GUARD: BudgetGuard;
}

/// The whole budget. Clones share it.
#[derive(Clone)]
pub(crate) struct BodyBudget {
    bytes: Arc<Semaphore>,
    /// Per-client quota of the permits for bytes.
    clients: Arc<Quota>,
    json: Arc<Semaphore>,
    acquire_timeout: Duration,
}

impl Default for BodyBudget {
    fn default() -> Self {
        let [bytes, json] = [BODY_UNITS, JSON_UNITS].map(|units| Arc::new(Semaphore::new(units)));
        BodyBudget { bytes, clients: Arc::new(Quota::new(CLIENT_UNITS)), json, acquire_timeout: ACQUIRE_TIMEOUT }
    }
}

/// Holds the permits of a request until the last clone is dropped.
#[derive(Clone)]
pub(crate) struct BudgetGuard(Arc<Reservation>);

struct Reservation {
    budget: BodyBudget,
    /// IP address of the client.
    address: IpAddr,
    /// Permits of the client's quota, acquired before those in `bytes`.
    quota: Permit,
    bytes: Permit,
    json: Permit,
}

type Permit = Mutex<Option<OwnedSemaphorePermit>>;

impl Reservation {
    fn new(budget: BodyBudget, address: IpAddr) -> Reservation {
        let (quota, bytes, json) = (Permit::default(), Permit::default(), Permit::default());
        Reservation { budget, address, quota, bytes, json }
    }
}

/// Runs the future of a request that may reserve memory. The reservation is released when the last guard is dropped.
pub(crate) async fn run_with_reservation<T>(
    budget: &BodyBudget,
    address: IpAddr,
    request: impl Future<Output = T>,
) -> T {
    let reservation = Reservation::new(budget.clone(), address);
    GUARD.scope(BudgetGuard(Arc::new(reservation)), request).await
}

/// Returns the guard of the current request. A task that outlives its request holds it.
pub(crate) fn current_guard() -> Option<BudgetGuard> {
    GUARD.try_with(Clone::clone).ok()
}

/// Reserves memory for a body of which this many bytes have arrived in total. The permits count toward the quota of the
/// account, or of the network of the IP address if the account is unknown. Fails after a timeout.
pub(crate) async fn reserve_bytes(account: Option<&str>, bytes: usize) -> Result<(), Error> {
    let Some(BudgetGuard(reservation)) = current_guard().filter(|_| bytes > FREE_BYTES) else { return Ok(()) };
    let quota = match account {
        Some(account) => reservation.budget.clients.get(account),
        None => reservation.budget.clients.get(&network(reservation.address).to_string()),
    };
    // The quota is acquired first, so that a client that waits for it takes no further permits of the shared budget.
    reserve_in_time(&reservation.budget, async {
        grow_permit(&quota, &reservation.quota, bytes).await?;
        grow_permit(&reservation.budget.bytes, &reservation.bytes, bytes).await
    })
    .await
}

/// Reserves memory for the JSON values of a body, in bytes. Fails after a timeout.
pub(crate) async fn reserve_json(bytes: usize) -> Result<(), Error> {
    let Some(BudgetGuard(reservation)) = current_guard().filter(|_| bytes > FREE_BYTES) else { return Ok(()) };
    reserve_in_time(&reservation.budget, grow_permit(&reservation.budget.json, &reservation.json, bytes)).await
}

/// Releases the memory for JSON after its values were dropped.
pub(crate) fn release_json() {
    if let Some(BudgetGuard(reservation)) = current_guard() {
        drop(reservation.json.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// Returns the network of an address. An IPv6 site has many addresses in one network of 64 bits.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

async fn reserve_in_time(budget: &BodyBudget, reserving: impl Future<Output = Option<()>>) -> Result<(), Error> {
    timeout(budget.acquire_timeout, reserving).await.ok().flatten().ok_or(Error::BodyBudgetExhausted)
}

/// Acquires permits until the reservation covers this many bytes. Returns `None` when the semaphore is closed or the
/// number is too large.
async fn grow_permit(semaphore: &Arc<Semaphore>, permit: &Permit, bytes: usize) -> Option<()> {
    let units = bytes.saturating_sub(FREE_BYTES).div_ceil(UNIT_BYTES);
    let held =
        permit.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
    let more = units.saturating_sub(held);
    if more == 0 {
        return Some(());
    }
    let added = Arc::clone(semaphore).acquire_many_owned(u32::try_from(more).ok()?).await.ok()?;
    let mut permit = permit.lock().unwrap_or_else(PoisonError::into_inner);
    match permit.as_mut() {
        Some(permit) => permit.merge(added),
        None => *permit = Some(added),
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(budget: &BodyBudget, address: &str) -> BudgetGuard {
        BudgetGuard(Arc::new(Reservation::new(budget.clone(), address.parse().unwrap())))
    }

    #[tokio::test]
    async fn budget_is_bounded_and_small_bodies_need_no_permits() {
        let budget = BodyBudget { acquire_timeout: Duration::from_millis(10), ..BodyBudget::default() };
        let all = guard(&budget, "192.0.2.1");
        let full = JSON_UNITS * UNIT_BYTES + FREE_BYTES;
        GUARD.scope(all.clone(), reserve_json(full / 2)).await.unwrap();
        GUARD.scope(all.clone(), reserve_json(full)).await.unwrap();
        assert_eq!(budget.json.available_permits(), 0);
        let other = guard(&budget, "192.0.2.1");
        assert!(matches!(
            GUARD.scope(other.clone(), reserve_json(FREE_BYTES + 1)).await,
            Err(Error::BodyBudgetExhausted)
        ));
        GUARD.scope(other.clone(), reserve_json(FREE_BYTES)).await.unwrap();
        GUARD.scope(other.clone(), reserve_bytes(None, CLIENT_UNITS * UNIT_BYTES)).await.unwrap();
        GUARD.sync_scope(all, release_json);
        GUARD.scope(other.clone(), reserve_json(full)).await.unwrap();
        drop(other);
        assert_eq!((budget.json.available_permits(), budget.bytes.available_permits()), (JSON_UNITS, BODY_UNITS));
    }

    #[tokio::test]
    async fn client_gets_at_most_a_quarter_of_the_byte_permits() {
        let budget = BodyBudget { acquire_timeout: Duration::from_millis(10), ..BodyBudget::default() };
        let quarter = CLIENT_UNITS * UNIT_BYTES + FREE_BYTES;
        let cases = [
            ("192.0.2.1", Some("a"), quarter, true),
            ("192.0.2.2", Some("a"), FREE_BYTES + 1, false),
            ("192.0.2.2", Some("a"), FREE_BYTES, true),
            ("192.0.2.1", None, quarter, true),
            ("192.0.2.1", None, FREE_BYTES + 1, false),
            ("192.0.2.2", None, quarter + 1, false),
            ("2001:db8::1", None, quarter, true),
            ("2001:db8::2", None, FREE_BYTES + 1, false),
            ("2001:db8:0:1::2", None, FREE_BYTES + 1, true),
        ];
        let mut guards = Vec::new();
        for (address, account, bytes, fits) in cases {
            let guard = guard(&budget, address);
            let reserved = GUARD.scope(guard.clone(), reserve_bytes(account, bytes)).await;
            assert_eq!(reserved.is_ok(), fits, "{address} {account:?} {bytes}");
            guards.push(guard);
        }
        drop(guards);
        assert_eq!(budget.bytes.available_permits(), BODY_UNITS);
    }
}
