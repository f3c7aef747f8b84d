//! The configuration of a zone that its migration depends on.

use crate::error::Error;
use crate::owner::Zone;
use crate::{legacy_waf, overrides, page_rules, rules};
use sqlx::AnyConnection;
use zonewright_expression::schema::Tier;
use zonewright_migration::ZoneConfig;

/// Reads the configuration of the zone within a transaction, without the current entry point.
pub(crate) async fn read(connection: &mut AnyConnection, zone: &Zone) -> Result<ZoneConfig, Error> {
    let settings = legacy_waf::settings(&mut *connection, zone.id()).await?;
    // A zone on the Free plan has no packages, and therefore no groups and rules.
    let has_packages = zone.tier > Tier::Free;
    Ok(ZoneConfig {
        zone_id: zone.id().to_owned(),
        name: zone.zone.name.clone(),
        tier: zone.tier,
        waf: settings.switch(zone.tier).value,
        packages: settings.packages(zone),
        groups: if has_packages { settings.groups() } else { Vec::new() },
        rules: if has_packages { settings.rules() } else { Vec::new() },
        overrides: overrides::all(&mut *connection, zone.id()).await?,
        firewall_rules: rules::all(&mut *connection, zone.id()).await?,
        page_rules: page_rules::all(&mut *connection, zone.id()).await?,
        entry_point: None,
        missing_sections: Vec::new(),
    })
}
