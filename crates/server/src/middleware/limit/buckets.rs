//! Request counters in a fixed amount of memory: a set-associative table with four slots for each key. A new key
//! replaces the slot with the oldest period, so that a flood of new keys evicts old keys instead of using more memory.

use super::RateLimit;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Number of sets: some 16,000 clients in half a megabyte.
const SETS: usize = 4096;
const PLACES: usize = 4;

/// The state of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    /// Whether this request exceeds the limit.
    pub(crate) over: bool,
    /// Number of requests that remain in the period.
    pub(crate) left: u32,
    /// Time until the period ends.
    pub(crate) wait: Duration,
}

pub(crate) struct Buckets {
    limit: RateLimit,
    sets: Mutex<Vec<[Place; PLACES]>>,
}

#[derive(Clone, Copy, Default)]
struct Place {
    /// Hash of the key; 0 in a free slot.
    key: u64,
    /// Start of the period, since the start of the service.
    began: Duration,
    counted: u32,
}

impl Buckets {
    pub(crate) fn new(limit: RateLimit) -> Buckets {
        Buckets { limit, sets: Mutex::new(vec![[Place::default(); PLACES]; SETS]) }
    }

    /// Whether the key has a slot.
    pub(crate) fn knows(&self, key: u64) -> bool {
        let mut sets = self.sets();
        places(&mut sets, key).iter().any(|place| place.key == named(key))
    }

    /// Returns the state of a key without counting. `over` means that the next request would exceed the limit.
    pub(crate) fn look(&self, key: u64, now: Duration) -> Count {
        let mut sets = self.sets();
        let place = places(&mut sets, key).iter().find(|place| place.key == named(key)).copied();
        let place = place.filter(|place| self.end(place) > now).unwrap_or(Place { began: now, ..Place::default() });
        self.told(&place, place.counted >= self.limit.requests, now)
    }

    /// Counts a request. A request over the limit is not counted.
    pub(crate) fn count(&self, key: u64, now: Duration) -> Count {
        let mut sets = self.sets();
        let set = places(&mut sets, key);
        let name = named(key);
        let known = set.iter().position(|place| place.key == name);
        let oldest = || set.iter().enumerate().min_by_key(|(_, place)| (place.key != 0, place.began));
        let index = known.or_else(|| oldest().map(|(index, _)| index)).unwrap_or(0);
        let Some(place) = set.get_mut(index) else { return self.told(&Place::default(), false, now) };
        if place.key != name || self.end(place) <= now {
            *place = Place { key: name, began: now, counted: 0 };
        }
        let over = place.counted >= self.limit.requests;
        if !over {
            place.counted += 1;
        }
        self.told(place, over, now)
    }

    fn told(&self, place: &Place, over: bool, now: Duration) -> Count {
        let left = self.limit.requests.saturating_sub(place.counted);
        Count { over, left, wait: self.end(place).saturating_sub(now) }
    }

    fn end(&self, place: &Place) -> Duration {
        place.began.saturating_add(self.limit.period)
    }

    fn sets(&self) -> MutexGuard<'_, Vec<[Place; PLACES]>> {
        self.sets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the key as slots store it: never 0.
fn named(key: u64) -> u64 {
    key.max(1)
}

/// Returns the set of slots of a key.
fn places(sets: &mut [[Place; PLACES]], key: u64) -> &mut [Place] {
    let index = usize::try_from(key % SETS as u64).unwrap_or_default();
    sets.get_mut(index).map_or(&mut [], |set| set.as_mut_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn buckets(requests: u32) -> Buckets {
        Buckets::new(RateLimit { requests, period: 10 * SECOND })
    }

    fn count(over: bool, left: u32, wait: u32) -> Count {
        Count { over, left, wait: wait * SECOND }
    }

    #[test]
    fn a_period_begins_with_its_first_request() {
        let buckets = buckets(2);
        assert!(!buckets.knows(7));
        assert_eq!(buckets.look(7, 5 * SECOND), count(false, 2, 10));
        assert_eq!(buckets.count(7, 5 * SECOND), count(false, 1, 10));
        assert_eq!(buckets.count(7, 6 * SECOND), count(false, 0, 9));
        assert_eq!(buckets.look(7, 7 * SECOND), count(true, 0, 8));
        assert_eq!(buckets.count(7, 14 * SECOND), count(true, 0, 1));
        assert!(buckets.knows(7));
        assert_eq!(buckets.look(7, 15 * SECOND), count(false, 2, 10));
        assert_eq!(buckets.count(7, 15 * SECOND), count(false, 1, 10));
        assert_eq!(buckets.count(8, 15 * SECOND), count(false, 1, 10), "each key by itself");
    }

    #[test]
    fn a_flood_takes_no_memory_and_forgets_the_oldest_first() {
        let buckets = buckets(1);
        let rivals: Vec<u64> = (0..6).map(|number| 9 + number * SETS as u64).collect();
        for (second, key) in (0..).zip(&rivals) {
            buckets.count(*key, second * SECOND);
        }
        let known: Vec<bool> = rivals.iter().map(|key| buckets.knows(*key)).collect();
        assert_eq!(known, [false, false, true, true, true, true]);
        assert!(buckets.count(rivals[5], 6 * SECOND).over);
    }
}
