//! Changes of existing zones and accounts.

use super::{Admin, AdminError, account_not_found};
use zonewright_api::zone::{Account, Zone};
use zonewright_expression::schema::Tier;

impl Admin {
    /// Returns the zone with this ID, or the only one with this name.
    pub async fn zone(&self, text: &str) -> Result<Zone, AdminError> {
        let zones = self.store.all_zones().await?;
        let name = text.to_ascii_lowercase();
        let found: Vec<Zone> = zones.into_iter().filter(|zone| zone.id == text || zone.name == name).collect();
        match <[Zone; 1]>::try_from(found) {
            Ok([zone]) => Ok(zone),
            Err(found) if found.is_empty() => Err(AdminError::Rejected(format!("there is no zone `{text}`"))),
            Err(_) => Err(AdminError::Rejected(format!("several accounts have a zone `{text}`; use the zone ID"))),
        }
    }

    /// Changes the plan of a zone. Its contents stay, even those that the new plan does not allow (assumption
    /// smaller-plan).
    pub async fn set_plan(&self, zone: &Zone, tier: Tier) -> Result<(), AdminError> {
        if self.store.set_plan(&self.actor, zone, tier).await? {
            return Ok(());
        }
        Err(AdminError::Rejected(format!("the zone `{}` is already on the {tier} plan", zone.name)))
    }

    /// Deletes a zone with its contents, and the tokens that were limited to it.
    pub async fn delete_zone(&self, zone: &Zone) -> Result<(), AdminError> {
        let found = self.store.delete_zone(&self.actor, zone).await?;
        if found { Ok(()) } else { Err(AdminError::Rejected(format!("the zone `{}` no longer exists", zone.id))) }
    }

    /// Returns the account with this ID if it has no zones.
    pub async fn empty_account(&self, id: &str) -> Result<Account, AdminError> {
        let account = self.accounts().await?.into_iter().find(|account| account.id == id);
        let account = account.ok_or_else(|| account_not_found(id))?;
        let zones = self.store.all_zones().await?.iter().filter(|zone| zone.account.id == id).count();
        if zones > 0 {
            let reason = format!("the account still has zones ({zones}); delete them first");
            return Err(AdminError::Rejected(reason));
        }
        Ok(account)
    }

    /// Deletes an account without zones, with its users, tokens and other contents.
    pub async fn delete_account(&self, account: &Account) -> Result<(), AdminError> {
        if self.store.delete_account(&self.actor, account).await? {
            return Ok(());
        }
        Err(AdminError::Rejected(format!("the account `{}` now has zones, or no longer exists", account.id)))
    }
}
