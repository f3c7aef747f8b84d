//! Permissions and what a caller was granted.

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

/// What a caller was granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grants {
    /// Everything in the account, as a user with a key has it.
    All,
    /// These.
    Only(Vec<Grant>),
}

/// A permission, and for what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// What may be done.
    pub permission: Permission,
    /// For this zone only; none for the account and all of its zones.
    pub zone: Option<String>,
}

impl Grants {
    /// Whether one of these permissions was granted for this zone; without a zone, for the account.
    pub fn any(&self, permissions: &[Permission], zone: Option<&str>) -> bool {
        match self {
            Grants::All => true,
            Grants::Only(grants) => grants.iter().any(|grant| {
                let here = grant.zone.is_none() || grant.zone.as_deref() == zone;
                here && permissions.contains(&grant.permission)
            }),
        }
    }

    /// Whether anything was granted for this zone, so that the caller may know of it.
    pub fn sees(&self, zone: &str) -> bool {
        match self {
            Grants::All => true,
            Grants::Only(grants) => {
                grants.iter().any(|grant| grant.zone.is_none() || grant.zone.as_deref() == Some(zone))
            }
        }
    }
}

/// What a token was granted, as the database has put it together: zone, space and permission, with commas in between. A
/// permission that this version does not know grants nothing.
pub(crate) fn read_grants(text: &str) -> Vec<Grant> {
    text.split(',').filter_map(|one| one.split_once(' ')).filter_map(|(zone, name)| grant(zone, name)).collect()
}

fn grant(zone: &str, permission: &str) -> Option<Grant> {
    let permission = Permission::from_name(permission)?;
    Some(Grant { permission, zone: (!zone.is_empty()).then(|| zone.to_owned()) })
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
}
