//! The time as the service writes it.

/// Now in RFC 3339, whole seconds, UTC: `2026-11-21T02:49:32Z`.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
