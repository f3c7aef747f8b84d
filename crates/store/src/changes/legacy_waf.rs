//! Updates the settings of the previous managed rules.

use crate::error::Error;
use crate::legacy_waf::{WafSettingChange, WafSettingKind, WafSettings, settings, store_setting};
use crate::migration::check_remains_protected;
use crate::owner::Zone;
use crate::store::Store;
use crate::unit_of_work::UnitOfWork;
use zonewright_api::legacy_waf::Switch;
use zonewright_api::{ErrorObject, error_code};

impl Store {
    /// Applies all changes, which must be of one object, and returns the new settings. Fails if the zone has migrated.
    pub async fn change_waf(&self, zone: &Zone, changes: &[WafSettingChange]) -> Result<WafSettings, Error> {
        let unit = self.write_legacy(zone).await?;
        apply_changes(unit, zone, changes).await
    }

    /// Sets the switch, unless the zone has migrated: ruleset-based managed rules have no switch
    /// (`zone-security-service` §3, rule 5).
    pub async fn set_waf(&self, zone: &Zone, switch: Switch) -> Result<WafSettings, Error> {
        let unit = match self.write_legacy(zone).await {
            Err(Error::Retired) => return Err(Error::Refused(vec![no_switch_error()])),
            begun => begun?,
        };
        let change = WafSettingChange { kind: WafSettingKind::Waf, object_id: String::new(), value: switch.name() };
        apply_changes(unit, zone, &[change]).await
    }
}

/// Applies all changes of one object, records the object before and after, and returns the new settings.
async fn apply_changes(mut unit: UnitOfWork, zone: &Zone, changes: &[WafSettingChange]) -> Result<WafSettings, Error> {
    let before = settings(unit.connection(), zone.id()).await?;
    for change in changes {
        store_setting(unit.connection(), zone.id(), change).await?;
    }
    check_remains_protected(&mut unit, zone).await?;
    let after = settings(unit.connection(), zone.id()).await?;
    if let Some(change) = changes.first() {
        let (action, id) = match change.kind {
            WafSettingKind::Waf => ("zone_setting.update", "waf"),
            WafSettingKind::Sensitivity | WafSettingKind::ActionMode => {
                ("waf_package.update", change.object_id.as_str())
            }
            WafSettingKind::Group => ("waf_group.update", change.object_id.as_str()),
            WafSettingKind::Rule => ("waf_rule.update", change.object_id.as_str()),
        };
        let [before, after] = [&before, &after].map(|settings| settings.audit_value(zone, change));
        unit.record(action, id, before.as_ref(), after.as_ref());
    }
    unit.commit().await?;
    Ok(after)
}

fn no_switch_error() -> ErrorObject {
    let message = "Not allowed to edit setting for waf: this zone has migrated, and ruleset-based managed rules have no \
                   global switch. Disable each rule of the entry point of `http_request_firewall_managed` that executes \
                   a managed ruleset, or add a rule with the action `skip` before them";
    ErrorObject::new(error_code::SETTING_NOT_EDITABLE, message)
}
