//! Sessions and log-in attempts. They exist in memory only: when the process ends, so does every session.

use crate::config::relay::RelayLimits;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use zonewright_store::{constant_time_eq, digest, new_signing_key};

/// Time for which a wrong passphrase counts.
const FAILURE_WINDOW: Duration = Duration::from_secs(60);

/// All sessions.
pub(super) struct Sessions {
    limits: RelayLimits,
    /// Sessions by the digest of the secret in the cookie, so that the time of a lookup reveals nothing about the
    /// secret.
    sessions: Mutex<HashMap<String, Session>>,
}

struct Session {
    csrf: String,
    created_at: Instant,
    last_used: Instant,
}

/// The state of a session for its client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ActiveSession {
    /// CSRF token, which unsafe requests have to send.
    pub(super) csrf: String,
    /// Time until the session expires without a request.
    pub(super) expires_in: Duration,
}

impl Sessions {
    pub(super) fn new(limits: RelayLimits) -> Self {
        Sessions { limits, sessions: Mutex::default() }
    }

    /// Starts a session. Returns the secret for the cookie.
    pub(super) fn create(&self) -> Result<(String, ActiveSession), getrandom::Error> {
        let (secret, csrf) = (new_signing_key()?, new_signing_key()?);
        let now = Instant::now();
        let mut held = self.live_sessions(now);
        if held.len() >= self.limits.max_sessions {
            let oldest = held.iter().min_by_key(|(_, session)| session.last_used).map(|(key, _)| key.clone());
            oldest.and_then(|key| held.remove(&key));
        }
        held.insert(digest(&secret), Session { csrf: csrf.clone(), created_at: now, last_used: now });
        let left = self.limits.session_idle_timeout.min(self.limits.session_lifetime);
        Ok((secret, ActiveSession { csrf, expires_in: left }))
    }

    /// Returns the session with this secret and resets its idle timeout.
    pub(super) fn find(&self, secret: &str) -> Option<ActiveSession> {
        let now = Instant::now();
        let mut held = self.live_sessions(now);
        let session = held.get_mut(&digest(secret))?;
        session.last_used = now;
        let whole = self.limits.session_lifetime.saturating_sub(now.duration_since(session.created_at));
        Some(ActiveSession { csrf: session.csrf.clone(), expires_in: self.limits.session_idle_timeout.min(whole) })
    }

    /// Ends the session with this secret.
    pub(super) fn end(&self, secret: &str) {
        self.live_sessions(Instant::now()).remove(&digest(secret));
    }

    /// Locks the sessions and removes expired ones. There are so few that scanning all of them is cheap.
    fn live_sessions(&self, now: Instant) -> MutexGuard<'_, HashMap<String, Session>> {
        let mut held = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|_, session| {
            now.duration_since(session.last_used) < self.limits.session_idle_timeout
                && now.duration_since(session.created_at) < self.limits.session_lifetime
        });
        held
    }
}

/// The passphrase with the times of failed attempts.
pub(super) struct PassphraseCheck {
    digest: String,
    max_failures: usize,
    failures: Mutex<VecDeque<Instant>>,
}

/// The result of an attempt to log in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoginAttempt {
    /// The passphrase is right.
    Accepted,
    /// The passphrase is wrong.
    Rejected,
    /// There were too many failed attempts, so the passphrase was not checked; time until the next attempt.
    Throttled(Duration),
}

impl PassphraseCheck {
    pub(super) fn new(passphrase: &str, limits: &RelayLimits) -> Self {
        PassphraseCheck {
            digest: digest(passphrase),
            max_failures: limits.max_failed_logins_per_minute,
            failures: Mutex::default(),
        }
    }

    /// Checks a passphrase.
    pub(super) fn try_passphrase(&self, passphrase: &str) -> LoginAttempt {
        self.attempt_at(passphrase, Instant::now())
    }

    fn attempt_at(&self, passphrase: &str, now: Instant) -> LoginAttempt {
        // The lock is held during the check, so that concurrent attempts are counted.
        let mut missed = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        while missed.front().is_some_and(|then| now.duration_since(*then) >= FAILURE_WINDOW) {
            missed.pop_front();
        }
        if let Some(first) = missed.front().filter(|_| missed.len() >= self.max_failures) {
            return LoginAttempt::Throttled(FAILURE_WINDOW.saturating_sub(now.duration_since(*first)));
        }
        if constant_time_eq(&digest(passphrase), &self.digest) {
            return LoginAttempt::Accepted;
        }
        missed.push_back(now);
        LoginAttempt::Rejected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions(idle: u64, whole: u64, most: usize) -> Sessions {
        let [idle, session] = [idle, whole].map(Duration::from_millis);
        Sessions::new(RelayLimits {
            session_idle_timeout: idle,
            session_lifetime: session,
            max_sessions: most,
            ..RelayLimits::default()
        })
    }

    #[test]
    fn session_lives_until_it_is_idle_old_or_ended() {
        let all = sessions(10_000, 10_000, 10);
        let (secret, seen) = all.create().unwrap();
        assert_eq!(all.find(&secret).unwrap().csrf, seen.csrf);
        assert_eq!(all.find("other"), None);
        assert_ne!(secret, seen.csrf);
        all.end(&secret);
        assert_eq!(all.find(&secret), None);

        let idle = sessions(30, 10_000, 10);
        let (secret, _) = idle.create().unwrap();
        std::thread::sleep(Duration::from_millis(40));
        assert_eq!(idle.find(&secret), None);

        let old = sessions(10_000, 30, 10);
        let (secret, seen) = old.create().unwrap();
        assert!(seen.expires_in <= Duration::from_millis(30));
        std::thread::sleep(Duration::from_millis(40));
        assert_eq!(old.find(&secret), None);
    }

    #[test]
    fn session_beyond_the_limit_ends_the_least_recently_used_session() {
        let all = sessions(10_000, 10_000, 2);
        let (first, _) = all.create().unwrap();
        let (second, _) = all.create().unwrap();
        all.find(&first).unwrap();
        let (third, _) = all.create().unwrap();
        assert!(all.find(&first).is_some() && all.find(&second).is_none() && all.find(&third).is_some());
    }

    #[test]
    fn too_many_wrong_passphrases_lock_log_in_for_a_while() {
        let lock =
            PassphraseCheck::new("right", &RelayLimits { max_failed_logins_per_minute: 2, ..RelayLimits::default() });
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(lock.attempt_at("right", start), LoginAttempt::Accepted);
        assert_eq!(lock.attempt_at("wrong", start), LoginAttempt::Rejected);
        assert_eq!(lock.attempt_at("wrong", after(20)), LoginAttempt::Rejected);
        assert_eq!(lock.attempt_at("right", after(21)), LoginAttempt::Throttled(Duration::from_secs(39)));
        assert_eq!(lock.attempt_at("right", after(60)), LoginAttempt::Accepted);
        assert_eq!(lock.attempt_at("wrong", after(60)), LoginAttempt::Rejected);
        assert!(matches!(lock.attempt_at("right", after(61)), LoginAttempt::Throttled(_)));
    }
}
