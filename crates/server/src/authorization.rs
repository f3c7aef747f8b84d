//! Authorization: maps each group of routes to the permissions that it requires.
//!
//! [`App::router`](crate::App::router) attaches an [`ResourceKind`] to each group. [`authorize`] rejects every request
//! to a route without one, so that no route is open by mistake (assumption permissions).

use crate::error::Error;
use axum::http::Method;
use axum::http::request::Parts;
use zonewright_store::{Grants, Permission};

/// The resource of a group of routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResourceKind {
    /// Filters, firewall rules, and the previous managed rules.
    Firewall,
    /// Rulesets. Rulesets of an account need other permission groups than those of a zone.
    Rulesets,
    /// The migration plan and the migration state. The migration itself starts with a change of a ruleset.
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

impl ResourceKind {
    /// Returns the permissions for reads or writes, in a zone or in an account. Any one of them is sufficient.
    pub(crate) fn permissions(self, reads: bool, zone: bool) -> &'static [Permission] {
        use Permission::*;
        match (self, reads) {
            (ResourceKind::Firewall, true) => &[FirewallServicesRead, FirewallServicesWrite],
            (ResourceKind::Firewall, false) => &[FirewallServicesWrite],
            (ResourceKind::Rulesets, true) if zone => &[ZoneWafRead, ZoneWafWrite],
            (ResourceKind::Rulesets, false) if zone => &[ZoneWafWrite],
            (ResourceKind::Rulesets, true) => {
                &[AccountWafRead, AccountWafWrite, AccountRulesetsRead, AccountRulesetsWrite]
            }
            (ResourceKind::Rulesets, false) => &[AccountWafWrite, AccountRulesetsWrite],
            (ResourceKind::Migration, true) => {
                &[ZoneWafRead, ZoneWafWrite, FirewallServicesRead, FirewallServicesWrite]
            }
            (ResourceKind::Migration, false) => &[ZoneWafWrite],
            (ResourceKind::Logs, true) => &[LogsRead, LogsWrite],
            (ResourceKind::Logs, false) => &[LogsWrite],
            (ResourceKind::PageRules, true) => &[PageRulesRead, PageRulesWrite],
            (ResourceKind::PageRules, false) => &[PageRulesWrite],
            (ResourceKind::Zone, _) => &Permission::ALL,
            (ResourceKind::ZoneSettings, true) => &[ZoneSettingsRead, ZoneSettingsWrite],
            (ResourceKind::ZoneSettings, false) => &[ZoneSettingsWrite],
            (ResourceKind::Account, true) => &[AccountSettingsRead],
            (ResourceKind::Account, false) => &[],
        }
    }

    /// Returns the error for a principal without the permission. It differs between the families of APIs (observed).
    fn forbidden_error(self) -> Error {
        match self {
            ResourceKind::Firewall | ResourceKind::Rulesets | ResourceKind::Migration | ResourceKind::Logs => {
                Error::UnknownToken
            }
            ResourceKind::PageRules | ResourceKind::Zone | ResourceKind::ZoneSettings | ResourceKind::Account => {
                Error::NotPermitted
            }
        }
    }
}

/// Rejects a request whose principal lacks the permission.
pub(crate) fn authorize(parts: &Parts, grants: &Grants, zone: Option<&str>) -> Result<(), Error> {
    let access = parts.extensions.get::<ResourceKind>().copied();
    let access = access.ok_or_else(|| Error::Internal("no permission is declared for this route".into()))?;
    let reads = matches!(parts.method, Method::GET | Method::HEAD);
    if grants.any(access.permissions(reads, zone.is_some()), zone) { Ok(()) } else { Err(access.forbidden_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zonewright_store::Grant;

    #[test]
    fn zone_routes_require_no_account_permission() {
        use ResourceKind::*;
        let of_zones = [Firewall, Rulesets, Migration, Logs, PageRules, ZoneSettings];
        for permission in Permission::ALL.into_iter().filter(|one| *one != Permission::ZoneRead) {
            let asked = of_zones.iter().flat_map(|access| [true, false].map(|reads| access.permissions(reads, true)));
            let asked = asked.flatten().any(|one| *one == permission);
            assert_eq!(permission.is_account_level(), !asked, "{permission:?}");
        }
    }

    #[test]
    fn grants_apply_to_their_zone_or_the_account() {
        let grant = |permission, zone: Option<&str>| Grant { permission, zone: zone.map(str::to_owned) };
        let reads = Permission::FirewallServicesRead;
        let one = Grants::Only(vec![grant(reads, Some("a"))]);
        let account = Grants::Only(vec![grant(reads, None)]);
        let firewall = |reads| ResourceKind::Firewall.permissions(reads, true);
        // Grants, whether the request reads, zone, expected result.
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
        assert!(
            one.can_see_zone("a")
                && !one.can_see_zone("b")
                && account.can_see_zone("b")
                && Grants::All.can_see_zone("b")
        );
    }
}
