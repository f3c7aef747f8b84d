//! What a caller may do. Every group of routes names the rights that it needs ([`Access`], in
//! [`App::router`](crate::App::router)); a route that names none is refused to everybody, so that no route is
//! open by mistake (assumption permissions).

use crate::error::Error;
use axum::http::Method;
use axum::http::request::Parts;
use zonewright_store::{Grants, Permission};

/// What a group of routes is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Filters, firewall rules, and the previous managed rules.
    Firewall,
    /// Rulesets. Those of an account need other groups than those of a zone.
    Rulesets,
    /// What the migration to rulesets would make, and how far it is. It begins where rulesets are changed.
    Migration,
    /// Log push.
    Logs,
    /// Page rules.
    PageRules,
    /// Zones themselves.
    Zone,
    /// Settings of zones.
    ZoneSettings,
    /// Accounts themselves, and their audit logs.
    Account,
}

impl Access {
    /// Any one of these will do.
    pub(crate) fn permissions(self, reads: bool, zone: bool) -> &'static [Permission] {
        use Permission::*;
        match (self, reads) {
            (Access::Firewall, true) => &[FirewallServicesRead, FirewallServicesWrite],
            (Access::Firewall, false) => &[FirewallServicesWrite],
            (Access::Rulesets, true) if zone => &[ZoneWafRead, ZoneWafWrite],
            (Access::Rulesets, false) if zone => &[ZoneWafWrite],
            (Access::Rulesets, true) => &[AccountWafRead, AccountWafWrite, AccountRulesetsRead, AccountRulesetsWrite],
            (Access::Rulesets, false) => &[AccountWafWrite, AccountRulesetsWrite],
            (Access::Migration, true) => &[ZoneWafRead, ZoneWafWrite, FirewallServicesRead, FirewallServicesWrite],
            (Access::Migration, false) => &[ZoneWafWrite],
            (Access::Logs, true) => &[LogsRead, LogsWrite],
            (Access::Logs, false) => &[LogsWrite],
            (Access::PageRules, true) => &[PageRulesRead, PageRulesWrite],
            (Access::PageRules, false) => &[PageRulesWrite],
            (Access::Zone, _) => &Permission::ALL,
            (Access::ZoneSettings, true) => &[ZoneSettingsRead, ZoneSettingsWrite],
            (Access::ZoneSettings, false) => &[ZoneSettingsWrite],
            (Access::Account, true) => &[AccountSettingsRead],
            (Access::Account, false) => &[],
        }
    }

    /// How a caller without the permission is answered: differently by the families of interfaces (observed).
    fn refusal(self) -> Error {
        match self {
            Access::Firewall | Access::Rulesets | Access::Migration | Access::Logs => Error::UnknownToken,
            Access::PageRules | Access::Zone | Access::ZoneSettings | Access::Account => Error::NotPermitted,
        }
    }
}

/// Refuses a request for which the caller has no permission.
pub(crate) fn check(parts: &Parts, grants: &Grants, zone: Option<&str>) -> Result<(), Error> {
    let access = parts.extensions.get::<Access>().copied();
    let access = access.ok_or_else(|| Error::Internal("the route names no permission".into()))?;
    let reads = matches!(parts.method, Method::GET | Method::HEAD);
    if grants.any(access.permissions(reads, zone.is_some()), zone) { Ok(()) } else { Err(access.refusal()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zonewright_store::Grant;

    #[test]
    fn what_is_about_accounts_alone_is_asked_of_no_zone() {
        use Access::*;
        let of_zones = [Firewall, Rulesets, Migration, Logs, PageRules, ZoneSettings];
        for permission in Permission::ALL.into_iter().filter(|one| *one != Permission::ZoneRead) {
            let asked = of_zones.iter().flat_map(|access| [true, false].map(|reads| access.permissions(reads, true)));
            let asked = asked.flatten().any(|one| *one == permission);
            assert_eq!(permission.is_of_accounts(), !asked, "{permission:?}");
        }
    }

    #[test]
    fn what_is_granted_where() {
        let grant = |permission, zone: Option<&str>| Grant { permission, zone: zone.map(str::to_owned) };
        let reads = Permission::FirewallServicesRead;
        let one = Grants::Only(vec![grant(reads, Some("a"))]);
        let account = Grants::Only(vec![grant(reads, None)]);
        let firewall = |reads| Access::Firewall.permissions(reads, true);
        // Grants, whether it reads, zone, whether it may.
        let cases = [
            (&one, true, Some("a"), true),
            (&one, false, Some("a"), false),
            (&one, true, Some("b"), false),
            (&one, true, None, false),
            (&account, true, Some("b"), true),
            (&account, true, None, true),
            (&account, false, None, false),
            (&Grants::All, false, None, true),
        ];
        for (grants, reads, zone, may) in cases {
            assert_eq!(grants.any(firewall(reads), zone), may, "{grants:?} {reads} {zone:?}");
        }
        assert!(one.sees("a") && !one.sees("b") && account.sees("b") && Grants::All.sees("b"));
    }
}
