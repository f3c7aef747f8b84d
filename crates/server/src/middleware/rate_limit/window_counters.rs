//! Request counters in a fixed amount of memory: a set-associative table with four slots in each set. A new key
//! replaces the slot with the oldest period in its set, so that a flood of new keys evicts old keys instead of using
//! more memory.

use super::RateLimit;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Number of sets: some 16,000 clients in half a megabyte.
const SET_COUNT: usize = 4096;
const SLOTS_PER_SET: usize = 4;

/// The state of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WindowState {
    /// Whether the request exceeds the limit.
    pub(crate) is_exceeded: bool,
    /// Number of requests that remain in the period.
    pub(crate) remaining: u32,
    /// Time until the period ends.
    pub(crate) reset_after: Duration,
}

pub(crate) struct WindowCounters {
    limit: RateLimit,
    sets: Mutex<Vec<[Slot; SLOTS_PER_SET]>>,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    /// Hash of the key; 0 in a free slot.
    key: u64,
    /// Start of the period, since the start of the service.
    window_start: Duration,
    requests: u32,
}

impl WindowCounters {
    pub(crate) fn new(limit: RateLimit) -> WindowCounters {
        WindowCounters { limit, sets: Mutex::new(vec![[Slot::default(); SLOTS_PER_SET]; SET_COUNT]) }
    }

    /// Returns whether the key has a slot.
    pub(crate) fn contains(&self, key: u64) -> bool {
        let mut sets = self.sets();
        slots_for(&mut sets, key).iter().any(|slot| slot.key == nonzero_key(key))
    }

    /// Returns the state of a key without counting. `is_exceeded` means that the next request would exceed the limit.
    pub(crate) fn peek(&self, key: u64, now: Duration) -> WindowState {
        let mut sets = self.sets();
        let slot = slots_for(&mut sets, key).iter().find(|slot| slot.key == nonzero_key(key)).copied();
        let slot =
            slot.filter(|slot| self.window_end(slot) > now).unwrap_or(Slot { window_start: now, ..Slot::default() });
        self.state_of(&slot, slot.requests >= self.limit.requests, now)
    }

    /// Counts a request. A request over the limit is not counted.
    pub(crate) fn count(&self, key: u64, now: Duration) -> WindowState {
        let mut sets = self.sets();
        let set = slots_for(&mut sets, key);
        let key = nonzero_key(key);
        let existing = set.iter().position(|slot| slot.key == key);
        let oldest = || set.iter().enumerate().min_by_key(|(_, slot)| (slot.key != 0, slot.window_start));
        let index = existing.or_else(|| oldest().map(|(index, _)| index)).unwrap_or(0);
        let Some(slot) = set.get_mut(index) else { return self.state_of(&Slot::default(), false, now) };
        if slot.key != key || self.window_end(slot) <= now {
            *slot = Slot { key, window_start: now, requests: 0 };
        }
        let is_exceeded = slot.requests >= self.limit.requests;
        if !is_exceeded {
            slot.requests += 1;
        }
        self.state_of(slot, is_exceeded, now)
    }

    fn state_of(&self, slot: &Slot, is_exceeded: bool, now: Duration) -> WindowState {
        let remaining = self.limit.requests.saturating_sub(slot.requests);
        WindowState { is_exceeded, remaining, reset_after: self.window_end(slot).saturating_sub(now) }
    }

    fn window_end(&self, slot: &Slot) -> Duration {
        slot.window_start.saturating_add(self.limit.period)
    }

    fn sets(&self) -> MutexGuard<'_, Vec<[Slot; SLOTS_PER_SET]>> {
        self.sets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the key as slots store it: never 0.
fn nonzero_key(key: u64) -> u64 {
    key.max(1)
}

/// Returns the set of slots of a key.
fn slots_for(sets: &mut [[Slot; SLOTS_PER_SET]], key: u64) -> &mut [Slot] {
    let index = usize::try_from(key % SET_COUNT as u64).unwrap_or_default();
    sets.get_mut(index).map_or(&mut [], |set| set.as_mut_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn counters(requests: u32) -> WindowCounters {
        WindowCounters::new(RateLimit { requests, period: 10 * SECOND })
    }

    fn state(is_exceeded: bool, remaining: u32, wait: u32) -> WindowState {
        WindowState { is_exceeded, remaining, reset_after: wait * SECOND }
    }

    #[test]
    fn period_starts_with_its_first_request() {
        let counters = counters(2);
        assert!(!counters.contains(7));
        assert_eq!(counters.peek(7, 5 * SECOND), state(false, 2, 10));
        assert_eq!(counters.count(7, 5 * SECOND), state(false, 1, 10));
        assert_eq!(counters.count(7, 6 * SECOND), state(false, 0, 9));
        assert_eq!(counters.peek(7, 7 * SECOND), state(true, 0, 8));
        assert_eq!(counters.count(7, 14 * SECOND), state(true, 0, 1));
        assert!(counters.contains(7));
        assert_eq!(counters.peek(7, 15 * SECOND), state(false, 2, 10));
        assert_eq!(counters.count(7, 15 * SECOND), state(false, 1, 10));
        assert_eq!(counters.count(8, 15 * SECOND), state(false, 1, 10), "each key has a separate count");
    }

    #[test]
    fn flood_of_keys_evicts_the_oldest_key_of_the_set() {
        let counters = counters(1);
        let same_set_keys: Vec<u64> = (0..6).map(|number| 9 + number * SET_COUNT as u64).collect();
        for (second, key) in (0..).zip(&same_set_keys) {
            counters.count(*key, second * SECOND);
        }
        let known: Vec<bool> = same_set_keys.iter().map(|key| counters.contains(*key)).collect();
        assert_eq!(known, [false, false, true, true, true, true]);
        assert!(counters.count(same_set_keys[5], 6 * SECOND).is_exceeded);
    }
}
