//! Authorization: maps each group of routes to the permissions that it requires.
//!
//! [`App::router`](crate::App::router) attaches a [`ResourceKind`] to each group. The extractors of zones and owners
//! call [`authorize`], which rejects a request to a route without a resource kind. A forgotten kind thus opens no zone
//! or account (assumption permissions).

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
    pub(crate) fn permissions(self, is_read: bool, in_zone: bool) -> &'static [Permission] {
        use Permission::*;
        match (self, is_read) {
            (ResourceKind::Firewall, true) => &[FirewallServicesRead, FirewallServicesWrite],
            (ResourceKind::Firewall, false) => &[FirewallServicesWrite],
            (ResourceKind::Rulesets, true) if in_zone => &[ZoneWafRead, ZoneWafWrite],
            (ResourceKind::Rulesets, false) if in_zone => &[ZoneWafWrite],
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
                Error::AuthenticationFailed
            }
            ResourceKind::PageRules | ResourceKind::Zone | ResourceKind::ZoneSettings | ResourceKind::Account => {
                Error::NotPermitted
            }
        }
    }
}

/// Rejects a request whose principal lacks the permission.
pub(crate) fn authorize(parts: &Parts, grants: &Grants, zone: Option<&str>) -> Result<(), Error> {
    let resource = parts.extensions.get::<ResourceKind>().copied();
    let resource = resource.ok_or_else(|| Error::Internal("no permission is declared for this route".into()))?;
    let is_read = matches!(parts.method, Method::GET | Method::HEAD);
    if grants.allow_any(resource.permissions(is_read, zone.is_some()), zone) {
        Ok(())
    } else {
        Err(resource.forbidden_error())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zonewright_store::Grant;

    #[test]
    fn account_level_permissions_are_those_that_no_zone_route_requires() {
        use ResourceKind::*;
        let zone_resources = [Firewall, Rulesets, Migration, Logs, PageRules, ZoneSettings];
        for permission in Permission::ALL.into_iter().filter(|permission| *permission != Permission::ZoneRead) {
            let required = zone_resources
                .iter()
                .flat_map(|resource| [true, false].map(|is_read| resource.permissions(is_read, true)));
            let is_required = required.flatten().any(|other| *other == permission);
            assert_eq!(permission.is_account_level(), !is_required, "{permission:?}");
        }
    }

    #[test]
    fn grants_apply_to_their_zone_or_the_account() {
        let grant = |permission, zone: Option<&str>| Grant { permission, zone: zone.map(str::to_owned) };
        let permission = Permission::FirewallServicesRead;
        let zone_a = Grants::Only(vec![grant(permission, Some("a"))]);
        let account = Grants::Only(vec![grant(permission, None)]);
        let firewall = |is_read| ResourceKind::Firewall.permissions(is_read, true);
        // Grants, whether the request reads, zone, expected result.
        let cases = [
            (&zone_a, true, Some("a"), true),
            (&zone_a, false, Some("a"), false),
            (&zone_a, true, Some("b"), false),
            (&zone_a, true, None, false),
            (&account, true, Some("b"), true),
            (&account, true, None, true),
            (&account, false, None, false),
            (&Grants::All, false, None, true),
        ];
        for (grants, is_read, zone, is_allowed) in cases {
            assert_eq!(grants.allow_any(firewall(is_read), zone), is_allowed, "{grants:?} {is_read} {zone:?}");
        }
        assert!(
            zone_a.can_see_zone("a")
                && !zone_a.can_see_zone("b")
                && account.can_see_zone("b")
                && Grants::All.can_see_zone("b")
        );
    }
}
