//! A cache of responses to reads, valid as long as their zone has not changed.
//!
//! The number of changes of a zone is the length of its audit log, which the auth lookup of each request reads
//! (`auth_lookup` of the store). A cached response is therefore never older than the database at the start of the
//! request, even if other processes write to the database. Entries depend on the zone and the URL, not on the
//! principal.
//!
//! An entry also holds the compressed body, so that repeated reads do not compress it again. The first response that is
//! compressed fills its [`CompressedBody`], an extension of the response.

use axum::body::Bytes;
use std::collections::HashMap;
use std::mem::take;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Maximum number of bytes of all responses.
const MAX_CACHE_BYTES: usize = 16 << 20;
/// Maximum number of bytes of one response. Larger responses are not cached.
const MAX_ENTRY_BYTES: usize = 256 << 10;
/// Approximate memory in bytes of an entry besides its body and URL.
const ENTRY_OVERHEAD_BYTES: usize = 256;

/// Responses by zone and URL: the path with the query.
#[derive(Default)]
pub(crate) struct ResponseCache(Mutex<Generations>);

/// Two generations of entries. When the young generation is full, it replaces the old generation, whose entries are
/// evicted.
#[derive(Default)]
struct Generations {
    young: HashMap<(String, String), CachedResponse>,
    old: HashMap<(String, String), CachedResponse>,
    /// Bytes of the young generation.
    bytes: usize,
}

#[derive(Clone)]
struct CachedResponse {
    /// Number of changes of the zone before the response.
    changes: i64,
    body: CachedBody,
}

/// A body that is cached.
#[derive(Clone)]
pub(crate) struct CachedBody {
    pub(crate) plain: Bytes,
    pub(crate) compressed: CompressedBody,
}

/// The compressed form of a cached body. Clones share it. It is empty until a response is compressed. Concurrent
/// requests may compress the same body; the first result is retained.
#[derive(Clone, Default)]
pub(crate) struct CompressedBody(pub(crate) Arc<OnceLock<Bytes>>);

impl CachedBody {
    pub(crate) fn new(plain: Bytes) -> CachedBody {
        CachedBody { plain, compressed: CompressedBody::default() }
    }

    /// Returns an upper bound of the memory in bytes: the compressed body is at most as long as the plain body, except
    /// for a few bytes that [`ENTRY_OVERHEAD_BYTES`] includes.
    fn max_bytes(&self) -> usize {
        2 * self.plain.len()
    }
}

impl ResponseCache {
    /// Returns the response for a URL of a zone that has had this number of changes.
    pub(crate) fn get(&self, zone: &str, changes: i64, url: &str) -> Option<CachedBody> {
        let key = (zone.to_owned(), url.to_owned());
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = generations.young.get(&key) {
            return (entry.changes == changes).then(|| entry.body.clone());
        }
        let entry = generations.old.remove(&key).filter(|entry| entry.changes == changes)?;
        generations.insert(key, entry.clone());
        Some(entry.body)
    }

    /// Stores a response that was computed after the zone was seen with this number of changes.
    pub(crate) fn insert(&self, zone: &str, changes: i64, url: &str, body: &CachedBody) {
        if body.plain.len() <= MAX_ENTRY_BYTES && url.len() <= MAX_ENTRY_BYTES {
            let key = (zone.to_owned(), url.to_owned());
            let entry = CachedResponse { changes, body: body.clone() };
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, entry);
        }
    }
}

impl Generations {
    fn insert(&mut self, key: (String, String), entry: CachedResponse) {
        let size = |key: &(String, String), entry: &CachedResponse| {
            key.1.len() + entry.body.max_bytes() + ENTRY_OVERHEAD_BYTES
        };
        let added = size(&key, &entry);
        if self.bytes + added > MAX_CACHE_BYTES / 2 {
            self.old = take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += added;
        if let Some(replaced) = self.young.insert(key, entry.clone()) {
            // The length of the key is the same.
            self.bytes -= added - entry.body.max_bytes() + replaced.body.max_bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(number: usize) -> CachedBody {
        CachedBody::new(Bytes::from(vec![b'x'; number]))
    }

    #[test]
    fn entry_is_returned_only_for_its_zone_url_and_changes() {
        let cache = ResponseCache::default();
        cache.insert("a", 3, "/filters?page=1", &body(10));
        for (zone, changes, url, is_cached) in [
            ("a", 3, "/filters?page=1", true),
            ("a", 4, "/filters?page=1", false),
            ("a", 2, "/filters?page=1", false),
            ("b", 3, "/filters?page=1", false),
            ("a", 3, "/filters", false),
        ] {
            assert_eq!(cache.get(zone, changes, url).is_some(), is_cached, "{zone} {changes} {url}");
        }
    }

    #[test]
    fn cache_is_bounded_and_retains_requested_entries() {
        let cache = ResponseCache::default();
        cache.insert("a", 1, "large", &body(MAX_ENTRY_BYTES + 1));
        assert!(cache.get("a", 1, "large").is_none());
        for number in 0..1000 {
            cache.insert("a", 1, &number.to_string(), &body(100_000));
            assert!(cache.get("a", 1, "0").is_some(), "{number}");
            let generations = cache.0.lock().unwrap();
            let bytes = generations
                .young
                .values()
                .chain(generations.old.values())
                .map(|entry| entry.body.max_bytes())
                .sum::<usize>();
            assert!(bytes <= MAX_CACHE_BYTES && generations.bytes <= MAX_CACHE_BYTES / 2);
        }
        assert!(cache.get("a", 1, "1").is_none());
        for _ in 0..1000 {
            cache.insert("a", 1, "0", &body(100_000));
        }
        assert!(cache.get("a", 1, "999").is_some(), "an entry that replaces another entry uses no more capacity");
    }
}
