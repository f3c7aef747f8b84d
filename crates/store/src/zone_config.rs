//! Everything about a zone that its migration looks at.

use crate::error::Error;
use crate::owner::Zone;
use crate::{overrides, page_rules, rules, waf};
use sqlx::AnyConnection;
use zonewright_expression::schema::Tier;
use zonewright_migration::ZoneConfig;

/// The configuration of the zone as a transaction sees it; without the present entry point.
pub(crate) async fn read(connection: &mut AnyConnection, zone: &Zone) -> Result<ZoneConfig, Error> {
    let settings = waf::settings(&mut *connection, zone.id()).await?;
    // A zone on the Free plan has no packages, so it has nothing in them either.
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
        absent: Vec::new(),
    })
}
