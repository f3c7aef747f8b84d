//! Permission groups, and the grants of a principal.

/// A permission group of a token; the names are (observed).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Read filters, firewall rules and the previous managed rules with their migration state.
    FirewallServicesRead,
    /// Read the same, and write filters, firewall rules and the previous managed rules.
    FirewallServicesWrite,
    /// Read rulesets of zones and their migration state.
    ZoneWafRead,
    /// Read and write the same, and migrate.
    ZoneWafWrite,
    /// Read rulesets of the account.
    AccountWafRead,
    /// Read and write the same.
    AccountWafWrite,
    /// Read rulesets of the account.
    AccountRulesetsRead,
    /// Read and write the same.
    AccountRulesetsWrite,
    /// Read log push jobs, including the secrets of their destinations.
    LogsRead,
    /// Read and write the same, and send log lines.
    LogsWrite,
    /// Read page rules.
    PageRulesRead,
    /// Read and write the same.
    PageRulesWrite,
    /// Read names and plans of zones.
    ZoneRead,
    /// Read settings of zones.
    ZoneSettingsRead,
    /// Read and write the same.
    ZoneSettingsWrite,
    /// Read the account itself, and the audit log of the account and its zones.
    AccountSettingsRead,
}

impl Permission {
    /// All permission groups.
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

    /// Returns the name of the group, such as `Firewall Services Write`.
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

    /// Returns the ID of the group, where it is known (observed).
    pub fn id(self) -> Option<&'static str> {
        match self {
            Permission::ZoneWafRead => Some("dbc512b354774852af2b5a5f4ba3d470"),
            Permission::ZoneWafWrite => Some("fb6778dc191143babbfaa57993f1d275"),
            _ => None,
        }
    }

    /// Returns the group with this name or ID.
    pub fn find(text: &str) -> Option<Permission> {
        Permission::from_name(text)
            .or_else(|| Permission::ALL.into_iter().find(|permission| permission.id() == Some(text)))
    }

    /// Returns whether the group concerns only objects of accounts, so that nothing in a zone needs it.
    pub fn is_account_level(self) -> bool {
        use Permission::*;
        matches!(
            self,
            AccountWafRead | AccountWafWrite | AccountRulesetsRead | AccountRulesetsWrite | AccountSettingsRead
        )
    }

    /// Returns the group with this name, in any case.
    pub fn from_name(name: &str) -> Option<Permission> {
        Permission::ALL.into_iter().find(|permission| permission.name().eq_ignore_ascii_case(name))
    }
}

/// The grants of a principal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grants {
    /// Full access to the account, as a user with a key has it.
    All,
    /// Only these grants.
    Only(Vec<Grant>),
}

/// A permission group with its zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The permission group.
    pub permission: Permission,
    /// The ID of the only zone; `None` for the account and all of its zones.
    pub zone: Option<String>,
}

impl Grants {
    /// Returns whether one of these permissions is granted for this zone, or, without a zone, for the account.
    pub fn allow_any(&self, permissions: &[Permission], zone: Option<&str>) -> bool {
        match self {
            Grants::All => true,
            Grants::Only(grants) => grants.iter().any(|grant| {
                let is_for_zone = grant.zone.is_none() || grant.zone.as_deref() == zone;
                is_for_zone && permissions.contains(&grant.permission)
            }),
        }
    }

    /// Returns whether anything is granted for this zone, so that the principal may learn that it exists.
    pub fn can_see_zone(&self, zone: &str) -> bool {
        match self {
            Grants::All => true,
            Grants::Only(grants) => {
                grants.iter().any(|grant| grant.zone.is_none() || grant.zone.as_deref() == Some(zone))
            }
        }
    }
}

/// Parses the grants of a token from their aggregated text: zone, space and permission, separated by commas. Unknown
/// permissions grant nothing.
pub(crate) fn parse_grants(text: &str) -> Vec<Grant> {
    text.split(',').filter_map(|pair| pair.split_once(' ')).filter_map(|(zone, name)| parse_grant(zone, name)).collect()
}

fn parse_grant(zone: &str, permission: &str) -> Option<Grant> {
    let permission = Permission::from_name(permission)?;
    Some(Grant { permission, zone: (!zone.is_empty()).then(|| zone.to_owned()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permission_is_found_by_its_name_in_any_case() {
        for permission in Permission::ALL {
            assert_eq!(Permission::from_name(&permission.name().to_uppercase()), Some(permission));
        }
        assert_eq!(Permission::from_name("Everything"), None);
    }
}
