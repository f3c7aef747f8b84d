//! Sessions and log-in attempts. They exist in memory only: when the process ends, so does every session.

use crate::config::relay::RelayPace;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use zonewright_store::{digest, new_signing_key, same};

/// Time for which a wrong passphrase counts.
const WINDOW: Duration = Duration::from_secs(60);

/// All sessions.
pub(super) struct Sessions {
    pace: RelayPace,
    /// Sessions by the digest of the secret in the cookie, so that the time of a lookup reveals nothing about the
    /// secret.
    held: Mutex<HashMap<String, Session>>,
}

struct Session {
    csrf: String,
    begun: Instant,
    used: Instant,
}

/// The state of a session for its client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// CSRF token, which unsafe requests have to send.
    pub(super) csrf: String,
    /// Time until the session expires without a request.
    pub(super) left: Duration,
}

impl Sessions {
    pub(super) fn new(pace: RelayPace) -> Self {
        Sessions { pace, held: Mutex::default() }
    }

    /// Starts a session. Returns the secret for the cookie.
    pub(super) fn begin(&self) -> Result<(String, Seen), getrandom::Error> {
        let (secret, csrf) = (new_signing_key()?, new_signing_key()?);
        let now = Instant::now();
        let mut held = self.lock(now);
        if held.len() >= self.pace.sessions {
            let oldest = held.iter().min_by_key(|(_, session)| session.used).map(|(key, _)| key.clone());
            oldest.and_then(|key| held.remove(&key));
        }
        held.insert(digest(&secret), Session { csrf: csrf.clone(), begun: now, used: now });
        let left = self.pace.idle.min(self.pace.session);
        Ok((secret, Seen { csrf, left }))
    }

    /// Returns the session with this secret and resets its idle timeout.
    pub(super) fn find(&self, secret: &str) -> Option<Seen> {
        let now = Instant::now();
        let mut held = self.lock(now);
        let session = held.get_mut(&digest(secret))?;
        session.used = now;
        let whole = self.pace.session.saturating_sub(now.duration_since(session.begun));
        Some(Seen { csrf: session.csrf.clone(), left: self.pace.idle.min(whole) })
    }

    /// Ends the session with this secret.
    pub(super) fn end(&self, secret: &str) {
        self.lock(Instant::now()).remove(&digest(secret));
    }

    /// Locks the sessions and removes expired ones. There are so few that scanning all of them is cheap.
    fn lock(&self, now: Instant) -> MutexGuard<'_, HashMap<String, Session>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|_, session| {
            now.duration_since(session.used) < self.pace.idle && now.duration_since(session.begun) < self.pace.session
        });
        held
    }
}

/// The passphrase with the times of failed attempts.
pub(super) struct Lock {
    digest: String,
    most: usize,
    missed: Mutex<VecDeque<Instant>>,
}

/// The result of an attempt to log in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    /// The passphrase is right.
    Right,
    /// The passphrase is wrong.
    Wrong,
    /// There were too many failed attempts, so the passphrase was not checked; time until the next attempt.
    TooMany(Duration),
}

impl Lock {
    pub(super) fn new(passphrase: &str, pace: &RelayPace) -> Self {
        Lock { digest: digest(passphrase), most: pace.attempts, missed: Mutex::default() }
    }

    /// Checks a passphrase.
    pub(super) fn attempt(&self, passphrase: &str) -> Attempt {
        self.attempt_at(passphrase, Instant::now())
    }

    fn attempt_at(&self, passphrase: &str, now: Instant) -> Attempt {
        // The lock is held during the check, so that concurrent attempts are counted.
        let mut missed = self.missed.lock().unwrap_or_else(PoisonError::into_inner);
        while missed.front().is_some_and(|then| now.duration_since(*then) >= WINDOW) {
            missed.pop_front();
        }
        if let Some(first) = missed.front().filter(|_| missed.len() >= self.most) {
            return Attempt::TooMany(WINDOW.saturating_sub(now.duration_since(*first)));
        }
        if same(&digest(passphrase), &self.digest) {
            return Attempt::Right;
        }
        missed.push_back(now);
        Attempt::Wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions(idle: u64, whole: u64, most: usize) -> Sessions {
        let [idle, session] = [idle, whole].map(Duration::from_millis);
        Sessions::new(RelayPace { idle, session, sessions: most, ..RelayPace::default() })
    }

    #[test]
    fn a_session_lives_until_it_is_idle_old_or_ended() {
        let all = sessions(10_000, 10_000, 10);
        let (secret, seen) = all.begin().unwrap();
        assert_eq!(all.find(&secret).unwrap().csrf, seen.csrf);
        assert_eq!(all.find("other"), None);
        assert_ne!(secret, seen.csrf);
        all.end(&secret);
        assert_eq!(all.find(&secret), None);

        let idle = sessions(30, 10_000, 10);
        let (secret, _) = idle.begin().unwrap();
        std::thread::sleep(Duration::from_millis(40));
        assert_eq!(idle.find(&secret), None);

        let old = sessions(10_000, 30, 10);
        let (secret, seen) = old.begin().unwrap();
        assert!(seen.left <= Duration::from_millis(30));
        std::thread::sleep(Duration::from_millis(40));
        assert_eq!(old.find(&secret), None);
    }

    #[test]
    fn one_session_too_many_ends_the_one_that_was_used_least_recently() {
        let all = sessions(10_000, 10_000, 2);
        let (first, _) = all.begin().unwrap();
        let (second, _) = all.begin().unwrap();
        all.find(&first).unwrap();
        let (third, _) = all.begin().unwrap();
        assert!(all.find(&first).is_some() && all.find(&second).is_none() && all.find(&third).is_some());
    }

    #[test]
    fn too_many_wrong_passphrases_keep_the_right_one_out_for_a_while() {
        let lock = Lock::new("right", &RelayPace { attempts: 2, ..RelayPace::default() });
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(lock.attempt_at("right", start), Attempt::Right);
        assert_eq!(lock.attempt_at("wrong", start), Attempt::Wrong);
        assert_eq!(lock.attempt_at("wrong", after(20)), Attempt::Wrong);
        assert_eq!(lock.attempt_at("right", after(21)), Attempt::TooMany(Duration::from_secs(39)));
        assert_eq!(lock.attempt_at("right", after(60)), Attempt::Right);
        assert_eq!(lock.attempt_at("wrong", after(60)), Attempt::Wrong);
        assert!(matches!(lock.attempt_at("right", after(61)), Attempt::TooMany(_)));
    }
}
