//! Answers to reads, kept for as long as nothing has changed in their zone.
//!
//! How often a zone was changed is the length of its audit log, which is known together with the credentials of each
//! request (`auth_lookup` of the store). So an answer is never older than what the database had when the
//! request came, also where other processes write to it. What is kept belongs to the zone alone, not to who asked for
//! it.

use axum::body::Bytes;
use std::collections::HashMap;
use std::mem::take;
use std::sync::{Mutex, PoisonError};

/// Most bytes of all answers.
const MOST: usize = 16 << 20;
/// Larger answers are not kept.
const MOST_OF_ONE: usize = 256 << 10;
/// What an answer costs beside its bytes, about.
const OVERHEAD: usize = 256;

/// Answers by zone and address.
#[derive(Default)]
pub(crate) struct Answers(Mutex<Generations>);

/// Answers that were asked for lately, and those before, which go when there is no room.
#[derive(Default)]
struct Generations {
    young: HashMap<(String, String), Answer>,
    old: HashMap<(String, String), Answer>,
    /// Bytes of the young.
    bytes: usize,
}

#[derive(Clone)]
struct Answer {
    /// Changes of the zone before it.
    changes: i64,
    body: Bytes,
}

impl Answers {
    /// The answer for an address of a zone that was changed so often.
    pub(crate) fn get(&self, zone: &str, changes: i64, address: &str) -> Option<Bytes> {
        let key = (zone.to_owned(), address.to_owned());
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = generations.young.get(&key) {
            return (answer.changes == changes).then(|| answer.body.clone());
        }
        let answer = generations.old.remove(&key).filter(|answer| answer.changes == changes)?;
        generations.keep(key, answer.clone());
        Some(answer.body)
    }

    /// Keeps an answer that was made after the zone was seen to be changed so often.
    pub(crate) fn keep(&self, zone: &str, changes: i64, address: &str, body: &Bytes) {
        if body.len() <= MOST_OF_ONE && address.len() <= MOST_OF_ONE {
            let key = (zone.to_owned(), address.to_owned());
            let answer = Answer { changes, body: body.clone() };
            self.0.lock().unwrap_or_else(PoisonError::into_inner).keep(key, answer);
        }
    }
}

impl Generations {
    fn keep(&mut self, key: (String, String), answer: Answer) {
        let size = |key: &(String, String), answer: &Answer| key.1.len() + answer.body.len() + OVERHEAD;
        let added = size(&key, &answer);
        if self.bytes + added > MOST / 2 {
            self.old = take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += added;
        if let Some(before) = self.young.insert(key, answer.clone()) {
            // The key is the same.
            self.bytes -= added - answer.body.len() + before.body.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(number: usize) -> Bytes {
        Bytes::from(vec![b'x'; number])
    }

    #[test]
    fn an_answer_is_for_one_zone_address_and_number_of_changes() {
        let answers = Answers::default();
        answers.keep("a", 3, "/filters?page=1", &body(10));
        for (zone, changes, address, found) in [
            ("a", 3, "/filters?page=1", true),
            ("a", 4, "/filters?page=1", false),
            ("a", 2, "/filters?page=1", false),
            ("b", 3, "/filters?page=1", false),
            ("a", 3, "/filters", false),
        ] {
            assert_eq!(answers.get(zone, changes, address).is_some(), found, "{zone} {changes} {address}");
        }
    }

    #[test]
    fn answers_are_bounded_and_those_asked_for_stay() {
        let answers = Answers::default();
        answers.keep("a", 1, "large", &body(MOST_OF_ONE + 1));
        assert_eq!(answers.get("a", 1, "large"), None);
        for number in 0..1000 {
            answers.keep("a", 1, &number.to_string(), &body(100_000));
            assert!(answers.get("a", 1, "0").is_some(), "{number}");
            let kept = answers.0.lock().unwrap();
            let bytes = kept.young.values().chain(kept.old.values()).map(|answer| answer.body.len()).sum::<usize>();
            assert!(bytes <= MOST && kept.bytes <= MOST / 2);
        }
        assert_eq!(answers.get("a", 1, "1"), None);
        for _ in 0..1000 {
            answers.keep("a", 1, "0", &body(100_000));
        }
        assert!(answers.get("a", 1, "999").is_some(), "an answer that takes the place of another takes no more room");
    }
}
