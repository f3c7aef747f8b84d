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
    /// Time until the session expires if no request uses it.
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
        let mut sessions = self.live_sessions(now);
        if sessions.len() >= self.limits.max_sessions {
            let oldest = sessions.iter().min_by_key(|(_, session)| session.last_used).map(|(key, _)| key.clone());
            oldest.and_then(|key| sessions.remove(&key));
        }
        sessions.insert(digest(&secret), Session { csrf: csrf.clone(), created_at: now, last_used: now });
        let expires_in = self.limits.session_idle_timeout.min(self.limits.session_lifetime);
        Ok((secret, ActiveSession { csrf, expires_in }))
    }

    /// Returns the session with this secret and restarts its idle timeout.
    pub(super) fn find(&self, secret: &str) -> Option<ActiveSession> {
        let now = Instant::now();
        let mut sessions = self.live_sessions(now);
        let session = sessions.get_mut(&digest(secret))?;
        session.last_used = now;
        let remaining_lifetime = self.limits.session_lifetime.saturating_sub(now.duration_since(session.created_at));
        let expires_in = self.limits.session_idle_timeout.min(remaining_lifetime);
        Some(ActiveSession { csrf: session.csrf.clone(), expires_in })
    }

    /// Ends the session with this secret.
    pub(super) fn end(&self, secret: &str) {
        self.live_sessions(Instant::now()).remove(&digest(secret));
    }

    /// Locks the sessions and removes expired ones. There are so few that scanning all of them is cheap.
    fn live_sessions(&self, now: Instant) -> MutexGuard<'_, HashMap<String, Session>> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.retain(|_, session| {
            now.duration_since(session.last_used) < self.limits.session_idle_timeout
                && now.duration_since(session.created_at) < self.limits.session_lifetime
        });
        sessions
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

    /// Checks a passphrase, and counts a wrong one.
    pub(super) fn try_passphrase(&self, passphrase: &str) -> LoginAttempt {
        self.try_passphrase_at(passphrase, Instant::now())
    }

    fn try_passphrase_at(&self, passphrase: &str, now: Instant) -> LoginAttempt {
        // The lock is held during the check, so that concurrent attempts are counted.
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        while failures.front().is_some_and(|time| now.duration_since(*time) >= FAILURE_WINDOW) {
            failures.pop_front();
        }
        if let Some(first) = failures.front().filter(|_| failures.len() >= self.max_failures) {
            return LoginAttempt::Throttled(FAILURE_WINDOW.saturating_sub(now.duration_since(*first)));
        }
        if constant_time_eq(&digest(passphrase), &self.digest) {
            return LoginAttempt::Accepted;
        }
        failures.push_back(now);
        LoginAttempt::Rejected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions(idle_timeout_ms: u64, lifetime_ms: u64, max_sessions: usize) -> Sessions {
        Sessions::new(RelayLimits {
            session_idle_timeout: Duration::from_millis(idle_timeout_ms),
            session_lifetime: Duration::from_millis(lifetime_ms),
            max_sessions,
            ..RelayLimits::default()
        })
    }

    #[test]
    fn session_expires_when_it_is_idle_old_or_ended() {
        let long_lived = sessions(10_000, 10_000, 10);
        let (secret, session) = long_lived.create().unwrap();
        assert_eq!(long_lived.find(&secret).unwrap().csrf, session.csrf);
        assert_eq!(long_lived.find("other"), None);
        assert_ne!(secret, session.csrf);
        long_lived.end(&secret);
        assert_eq!(long_lived.find(&secret), None);

        let short_idle = sessions(30, 10_000, 10);
        let (secret, _) = short_idle.create().unwrap();
        std::thread::sleep(Duration::from_millis(40));
        assert_eq!(short_idle.find(&secret), None);

        let short_lifetime = sessions(10_000, 30, 10);
        let (secret, session) = short_lifetime.create().unwrap();
        assert!(session.expires_in <= Duration::from_millis(30));
        std::thread::sleep(Duration::from_millis(40));
        assert_eq!(short_lifetime.find(&secret), None);
    }

    #[test]
    fn session_beyond_the_limit_ends_the_least_recently_used_session() {
        let sessions = sessions(10_000, 10_000, 2);
        let (first, _) = sessions.create().unwrap();
        let (second, _) = sessions.create().unwrap();
        sessions.find(&first).unwrap();
        let (third, _) = sessions.create().unwrap();
        let exists = [&first, &second, &third].map(|secret| sessions.find(secret).is_some());
        assert_eq!(exists, [true, false, true]);
    }

    #[test]
    fn too_many_wrong_passphrases_throttle_log_in_for_a_minute() {
        let check =
            PassphraseCheck::new("right", &RelayLimits { max_failed_logins_per_minute: 2, ..RelayLimits::default() });
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(check.try_passphrase_at("right", start), LoginAttempt::Accepted);
        assert_eq!(check.try_passphrase_at("wrong", start), LoginAttempt::Rejected);
        assert_eq!(check.try_passphrase_at("wrong", after(20)), LoginAttempt::Rejected);
        assert_eq!(check.try_passphrase_at("right", after(21)), LoginAttempt::Throttled(Duration::from_secs(39)));
        assert_eq!(check.try_passphrase_at("right", after(60)), LoginAttempt::Accepted);
        assert_eq!(check.try_passphrase_at("wrong", after(60)), LoginAttempt::Rejected);
        assert!(matches!(check.try_passphrase_at("right", after(61)), LoginAttempt::Throttled(_)));
    }
}
