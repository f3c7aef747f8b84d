//! What a caller may do. Every group of routes names the rights that it needs ([`Access`], in
//! [`App::router`](crate::App::router)); a route that names none is refused to everybody, so that no route is
//! open by mistake (assumption permissions).

use crate::error::Error;
use axum::http::Method;
use axum::http::request::Parts;

/// A permission group of a token; the names are observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Read filters, firewall rules and the previous managed rules, and how far their migration is.
    FirewallServicesRead,
    /// Change them, too.
    FirewallServicesWrite,
    /// Read rulesets of zones, and how far their migration is.
    ZoneWafRead,
    /// Change them, and migrate.
    ZoneWafWrite,
    /// Read rulesets of the account.
    AccountWafRead,
    /// Change them, too.
    AccountWafWrite,
    /// Read rulesets of the account.
    AccountRulesetsRead,
    /// Change them, too.
    AccountRulesetsWrite,
    /// Read log push jobs, with the secrets of their destinations.
    LogsRead,
    /// Change them, and send log lines.
    LogsWrite,
    /// Read page rules.
    PageRulesRead,
    /// Change them, too.
    PageRulesWrite,
    /// See zones: their names and plans.
    ZoneRead,
    /// Read settings of zones.
    ZoneSettingsRead,
    /// Change them, too.
    ZoneSettingsWrite,
    /// Read the account itself, and the audit log of it and its zones.
    AccountSettingsRead,
}

impl Permission {
    /// All of them.
    pub const ALL: [Permission; 16] = {
        use Permission::*;
        [
            FirewallServicesRead,
            FirewallServicesWrite,
            ZoneWafRead,
            ZoneWafWrite,
            AccountWafRead,
            AccountWafWrite,
            AccountRulesetsRead,
            AccountRulesetsWrite,
            LogsRead,
            LogsWrite,
            PageRulesRead,
            PageRulesWrite,
            ZoneRead,
            ZoneSettingsRead,
            ZoneSettingsWrite,
            AccountSettingsRead,
        ]
    };

    /// The name of the group: `Firewall Services Write`.
    pub fn name(self) -> &'static str {
        match self {
            Permission::FirewallServicesRead => "Firewall Services Read",
            Permission::FirewallServicesWrite => "Firewall Services Write",
            Permission::ZoneWafRead => "Zone WAF Read",
            Permission::ZoneWafWrite => "Zone WAF Write",
            Permission::AccountWafRead => "Account WAF Read",
            Permission::AccountWafWrite => "Account WAF Write",
            Permission::AccountRulesetsRead => "Account Rulesets Read",
            Permission::AccountRulesetsWrite => "Account Rulesets Write",
            Permission::LogsRead => "Logs Read",
            Permission::LogsWrite => "Logs Write",
            Permission::PageRulesRead => "Page Rules Read",
            Permission::PageRulesWrite => "Page Rules Write",
            Permission::ZoneRead => "Zone Read",
            Permission::ZoneSettingsRead => "Zone Settings Read",
            Permission::ZoneSettingsWrite => "Zone Settings Write",
            Permission::AccountSettingsRead => "Account Settings Read",
        }
    }

    /// The identifier of the group, where it is known (observed).
    pub fn id(self) -> Option<&'static str> {
        match self {
            Permission::ZoneWafRead => Some("dbc512b354774852af2b5a5f4ba3d470"),
            Permission::ZoneWafWrite => Some("fb6778dc191143babbfaa57993f1d275"),
            _ => None,
        }
    }

    /// The group of this name or identifier.
    pub fn find(text: &str) -> Option<Permission> {
        Permission::from_name(text).or_else(|| Permission::ALL.into_iter().find(|one| one.id() == Some(text)))
    }

    /// Whether it is about what belongs to accounts alone: nothing in a zone needs it.
    pub fn is_of_accounts(self) -> bool {
        use Permission::*;
        matches!(
            self,
            AccountWafRead | AccountWafWrite | AccountRulesetsRead | AccountRulesetsWrite | AccountSettingsRead
        )
    }

    /// The group of this name, in any letter case.
    pub fn from_name(name: &str) -> Option<Permission> {
        Permission::ALL.into_iter().find(|permission| permission.name().eq_ignore_ascii_case(name))
    }
}

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

/// What a caller was granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Grants {
    /// Everything in the account, as a user with a key has it.
    All,
    /// These.
    Only(Vec<Grant>),
}

/// A permission, and for what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grant {
    pub(crate) permission: Permission,
    /// For this zone only; none for the account and all of its zones.
    pub(crate) zone: Option<String>,
}

impl Grants {
    /// Whether one of these permissions was granted for this zone; without a zone, for the account.
    fn any(&self, permissions: &[Permission], zone: Option<&str>) -> bool {
        match self {
            Grants::All => true,
            Grants::Only(grants) => grants.iter().any(|grant| {
                let here = grant.zone.is_none() || grant.zone.as_deref() == zone;
                here && permissions.contains(&grant.permission)
            }),
        }
    }

    /// Whether anything was granted for this zone, so that the caller may know of it.
    pub(crate) fn sees(&self, zone: &str) -> bool {
        match self {
            Grants::All => true,
            Grants::Only(grants) => {
                grants.iter().any(|grant| grant.zone.is_none() || grant.zone.as_deref() == Some(zone))
            }
        }
    }
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

    #[test]
    fn names_lead_back() {
        for permission in Permission::ALL {
            assert_eq!(Permission::from_name(&permission.name().to_uppercase()), Some(permission));
        }
        assert_eq!(Permission::from_name("Everything"), None);
    }

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
