//! Everything about a zone that its migration looks at.

use super::{Store, overrides, page_rules, rules, waf};
use crate::auth::Zone;
use crate::error::Error;
use sqlx::AnyConnection;
use zonewright_expression::schema::Tier;
use zonewright_migration::ZoneConfig;

impl Store {
    /// The configuration of the zone, as it was at one moment.
    #[cfg(test)]
    pub(crate) async fn zone_config(&self, zone: &Zone) -> Result<ZoneConfig, Error> {
        let mut reading = self.read().await?;
        read(&mut reading, zone).await
    }
}

/// The configuration of the zone as a transaction sees it; without the present entry point.
pub(super) async fn read(connection: &mut AnyConnection, zone: &Zone) -> Result<ZoneConfig, Error> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::App;
    use crate::demo::Demo;
    use tempfile::TempDir;
    use zonewright_api::finding::Fate;
    use zonewright_api::legacy_waf::{RuleMode, Sensitivity, Switch};
    use zonewright_migration::{Phase, eligibility, plan, support};

    /// A service on a folder of its own.
    struct Fresh {
        app: App,
        demo: Demo,
        _folder: TempDir,
    }

    impl Fresh {
        async fn start() -> Fresh {
            let folder = TempDir::new().unwrap();
            let (app, demo) = App::open(folder.path(), "").await.unwrap();
            Fresh { app, demo: demo.unwrap(), _folder: folder }
        }

        /// The configuration of a demo zone.
        async fn config(&self, name: &str) -> ZoneConfig {
            let zone = self.demo.zones.iter().find(|zone| zone.name == name).unwrap();
            let found = self.app.store.zone(&self.demo.account_id, &zone.id).await.unwrap().unwrap();
            let crate::store::Found { zone, tier, changes } = found;
            let zone = Zone { zone, tier, actor: crate::actor::Actor::service(), changes };
            self.app.store.zone_config(&zone).await.unwrap()
        }
    }

    #[tokio::test]
    async fn a_configuration_has_everything_that_was_set() {
        let fresh = Fresh::start().await;
        let whole = fresh.config("enterprise.example").await;
        assert_eq!((whole.tier, whole.waf, whole.packages.len()), (Tier::Enterprise, Switch::On, 3));
        assert!(whole.packages.iter().any(|package| package.sensitivity == Some(Sensitivity::Medium)));
        assert_eq!(whole.groups.iter().filter(|group| group.mode == Switch::Off).count(), 3);
        assert_eq!(whole.groups.iter().map(|group| group.modified_rules_count).sum::<u64>(), 4);
        assert!(whole.rules.iter().any(|rule| rule.id == "100531" && rule.mode == RuleMode::Challenge));
        assert_eq!((whole.firewall_rules.len(), whole.page_rules.len(), whole.overrides.len()), (6, 5, 0));
        let priorities: Vec<i64> = whole.page_rules.iter().map(|rule| rule.priority).collect();
        assert_eq!(priorities, [5, 4, 3, 2, 1]);
        assert_eq!(fresh.config("blocked.example").await.overrides.len(), 2);
        assert_eq!(fresh.config("support.example").await.firewall_rules.len(), 201);
        let free = fresh.config("free.example").await;
        assert_eq!((free.waf, free.packages.len(), free.groups.len(), free.rules.len()), (Switch::Off, 0, 0, 0));
    }
    #[tokio::test]
    async fn the_demo_zones_go_as_their_stories_tell() {
        let fresh = Fresh::start().await;
        // Name, what keeps it from migrating, what needs support.
        let cases = [
            ("enterprise.example", 0, 0),
            ("business.example", 0, 0),
            ("pro.example", 0, 0),
            ("free.example", 1, 0),
            ("blocked.example", 2, 0),
            ("support.example", 0, 1),
        ];
        for (name, failing, needs) in cases {
            let config = fresh.config(name).await;
            assert_eq!(eligibility(&config, Phase::Two).len(), failing, "{name}");
            assert_eq!(support(&config).len(), needs, "{name}");
        }
        let findings = plan(&fresh.config("enterprise.example").await).findings;
        for fate in [Fate::Carried, Fate::Changed, Fate::Lost, Fate::Unaffected] {
            assert!(findings.iter().any(|finding| finding.fate == fate), "no setting is {}", fate.name());
        }
        assert!(!findings.iter().any(|finding| matches!(finding.fate, Fate::Blocked | Fate::NeedsSupport)));
    }
}
