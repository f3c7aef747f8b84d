//! What a caller may do. Every group of routes names the rights that it needs ([`Access`], in
//! [`App::router`](crate::App::router)); a route that names none is refused to everybody, so that no route is
//! open by mistake.

use crate::error::Error;
use axum::http::Method;
use axum::http::request::Parts;

/// A permission group of a token (observed names).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Permission {
    FirewallServicesRead,
    FirewallServicesWrite,
    ZoneWafRead,
    ZoneWafWrite,
    AccountRulesetsRead,
    AccountRulesetsWrite,
    LogsRead,
    LogsWrite,
    PageRulesRead,
    PageRulesWrite,
    ZoneRead,
    ZoneSettingsRead,
    ZoneSettingsWrite,
}

/// What a group of routes is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Filters, firewall rules, and the previous managed rules.
    Firewall,
    /// Rulesets and the migration to them. Those of an account need other groups than those of a zone.
    Rulesets,
    /// Log push.
    Logs,
    /// Page rules.
    PageRules,
    /// Zones themselves.
    Zone,
    /// Settings of zones.
    ZoneSettings,
}

/// What a caller was granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Grants {
    /// Everything in the account, as a user with a key has it.
    All,
}

impl Grants {
    /// Whether one of these permissions was granted for this zone; without a zone, for the account.
    fn any(&self, _permissions: &[Permission], _zone: Option<&str>) -> bool {
        match self {
            Grants::All => true,
        }
    }
}

impl Access {
    /// Any one of these will do.
    fn permissions(self, reads: bool, zone: bool) -> &'static [Permission] {
        use Permission::*;
        match (self, reads) {
            (Access::Firewall, true) => &[FirewallServicesRead, FirewallServicesWrite],
            (Access::Firewall, false) => &[FirewallServicesWrite],
            (Access::Rulesets, true) if zone => &[ZoneWafRead, ZoneWafWrite],
            (Access::Rulesets, false) if zone => &[ZoneWafWrite],
            (Access::Rulesets, true) => &[AccountRulesetsRead, AccountRulesetsWrite],
            (Access::Rulesets, false) => &[AccountRulesetsWrite],
            (Access::Logs, true) => &[LogsRead, LogsWrite],
            (Access::Logs, false) => &[LogsWrite],
            (Access::PageRules, true) => &[PageRulesRead, PageRulesWrite],
            (Access::PageRules, false) => &[PageRulesWrite],
            (Access::Zone, _) => &[ZoneRead],
            (Access::ZoneSettings, true) => &[ZoneSettingsRead, ZoneSettingsWrite],
            (Access::ZoneSettings, false) => &[ZoneSettingsWrite],
        }
    }
}

/// Refuses a request for which the caller has no permission.
pub(crate) fn check(parts: &Parts, grants: &Grants, zone: Option<&str>) -> Result<(), Error> {
    let access = parts.extensions.get::<Access>().copied();
    let access = access.ok_or_else(|| Error::Internal("the route names no permission".into()))?;
    let reads = matches!(parts.method, Method::GET | Method::HEAD);
    if grants.any(access.permissions(reads, zone.is_some()), zone) { Ok(()) } else { Err(Error::UnknownToken) }
}
