//! The demo account: created on the first start on a data directory, so that the service can be tried immediately.

mod fixtures;

use crate::serve_error::ServeError;
use fixtures::{FIXTURES, ZoneFixture};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::Write;
use std::path::Path;
use zonewright_store::{NewAccount, NewZone, OpenError, Store, new_id, new_key, new_token, private_file_options};

/// Name of the file with the credentials, in the data directory.
pub(crate) const CREDENTIALS_FILE: &str = "demo-credentials.json";

/// The email address of the demo account.
pub(crate) const DEMO_EMAIL: &str = "demo@zonewright.example";

/// The demo account with its plaintext secrets, as the file contains them.
#[derive(Clone, Serialize, Deserialize)]
pub struct Demo {
    /// URL of the API: `http://127.0.0.1:8787/client/v4`.
    pub base_url: String,
    /// For `X-Auth-Email`.
    pub email: String,
    /// For `X-Auth-Key`.
    pub key: String,
    /// For `Authorization: Bearer`.
    pub token: String,
    /// ID of the account.
    pub account_id: String,
    /// ID of the Enterprise zone, which has every feature.
    pub zone_id: String,
    /// All zones, the Enterprise zone first.
    pub zones: Vec<DemoZone>,
}

/// Shows no key and no token.
impl fmt::Debug for Demo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Demo { base_url, email, key: _, token: _, account_id, zone_id, zones } = self;
        f.debug_struct("Demo")
            .field("base_url", base_url)
            .field("email", email)
            .field("account_id", account_id)
            .field("zone_id", zone_id)
            .field("zones", zones)
            .finish_non_exhaustive()
    }
}

/// A zone of the demo account.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DemoZone {
    /// ID.
    pub id: String,
    /// Domain name.
    pub name: String,
    /// `free`, `pro`, `business` or `enterprise`.
    pub plan: String,
    /// Human-readable description of the zone's purpose.
    pub description: String,
}

/// Creates the demo account if the store has no accounts, and returns it. Otherwise updates the URL in the existing
/// file.
pub(crate) async fn create_or_update(store: &Store, data: &Path, base_url: &str) -> Result<Option<Demo>, ServeError> {
    let folder_error = |error| OpenError::Path(data.join(CREDENTIALS_FILE), error);
    if !store.has_no_accounts().await? {
        // Of several data directories that share a database, only one has the file.
        if let Err(error) = update_base_url(data, base_url)
            && !(store.is_shared() && error.kind() == std::io::ErrorKind::NotFound)
        {
            tracing::warn!(
                "cannot update {}: {error}; the credentials in it remain valid",
                data.join(CREDENTIALS_FILE).display()
            );
        }
        return Ok(None);
    }
    let demo = generate_credentials(base_url).map_err(OpenError::Random)?;
    // The file is written first, so that after a crash in between the store still has no accounts, and the next start
    // creates the demo account.
    write_credentials(data, &demo).map_err(folder_error)?;
    let token_id = new_id().map_err(OpenError::Random)?;
    let is_first = store
        .create_demo_account(&NewAccount {
            id: &demo.account_id,
            name: "Demo",
            email: &demo.email,
            key: &demo.key,
            token_id: &token_id,
            token: &demo.token,
            zones: demo.zones.iter().zip(&FIXTURES).map(|(zone, fixture)| new_zone(zone, fixture)).collect(),
        })
        .await
        .map_err(|error| ServeError::Demo(error.reason()))?;
    if !is_first {
        // Another process on the same database created the account first.
        std::fs::remove_file(data.join(CREDENTIALS_FILE)).map_err(folder_error)?;
        return Ok(None);
    }
    Ok(Some(demo))
}

fn new_zone<'a>(zone: &'a DemoZone, fixture: &ZoneFixture) -> NewZone<'a> {
    NewZone { id: &zone.id, name: &zone.name, tier: &zone.plan, seed: (fixture.seed)() }
}

fn generate_credentials(base_url: &str) -> Result<Demo, getrandom::Error> {
    let zone = |fixture: &ZoneFixture| {
        Ok(DemoZone {
            id: new_id()?,
            name: fixture.name.to_owned(),
            plan: fixture.tier.name().to_owned(),
            description: fixture.description.to_owned(),
        })
    };
    let zones = FIXTURES.iter().map(zone).collect::<Result<Vec<_>, _>>()?;
    Ok(Demo {
        base_url: base_url.to_owned(),
        email: DEMO_EMAIL.to_owned(),
        key: new_key()?,
        token: new_token()?,
        account_id: new_id()?,
        zone_id: zones.first().map(|zone| zone.id.clone()).unwrap_or_default(),
        zones,
    })
}

fn update_base_url(data: &Path, base_url: &str) -> std::io::Result<()> {
    let text = std::fs::read_to_string(data.join(CREDENTIALS_FILE))?;
    let demo: Demo = serde_json::from_str(&text)?;
    if demo.base_url == base_url {
        return Ok(());
    }
    write_credentials(data, &Demo { base_url: base_url.to_owned(), ..demo })
}

/// Writes the file atomically, readable only by this user.
fn write_credentials(data: &Path, demo: &Demo) -> std::io::Result<()> {
    let new = data.join(format!("{CREDENTIALS_FILE}.new"));
    // A file that remains after a crash could be readable by other users.
    if let Err(error) = std::fs::remove_file(&new)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        return Err(error);
    }
    let mut file = private_file_options().create_new(true).open(&new)?;
    serde_json::to_writer_pretty(&mut file, demo)?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    std::fs::rename(&new, data.join(CREDENTIALS_FILE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::App;
    use tempfile::TempDir;
    use zonewright_api::finding::FindingOutcome;
    use zonewright_api::legacy_waf::{RuleMode, Sensitivity, Switch};
    use zonewright_expression::schema::Tier;
    use zonewright_migration::{MigrationPhase, ZoneConfig, check_eligibility, plan, support_findings};
    use zonewright_store::{Actor, FoundZone, Zone};

    /// A service on a new data directory.
    struct TestService {
        app: App,
        demo: Demo,
        _folder: TempDir,
    }

    impl TestService {
        async fn start() -> TestService {
            let folder = TempDir::new().unwrap();
            let (app, demo) = App::open(folder.path(), "").await.unwrap();
            TestService { app, demo: demo.unwrap(), _folder: folder }
        }

        /// Returns the configuration of a demo zone.
        async fn config(&self, name: &str) -> ZoneConfig {
            let zone = self.demo.zones.iter().find(|zone| zone.name == name).unwrap();
            let found = self.app.store.zone(&self.demo.account_id, &zone.id).await.unwrap().unwrap();
            let FoundZone { zone, tier, revision } = found;
            let zone = Zone { zone, tier, actor: Actor::service(), revision };
            self.app.store.migration_input(&zone).await.unwrap().config
        }
    }

    #[test]
    fn debug_output_of_the_demo_account_has_no_secrets() {
        let demo = generate_credentials("").unwrap();
        let text = format!("{demo:?}");
        assert!(text.contains(&demo.account_id) && !text.contains(&demo.key) && !text.contains(&demo.token), "{text}");
    }

    #[tokio::test]
    async fn demo_zones_have_the_settings_of_their_fixtures() {
        let service = TestService::start().await;
        let enterprise = service.config("enterprise.example").await;
        assert_eq!((enterprise.tier, enterprise.waf, enterprise.packages.len()), (Tier::Enterprise, Switch::On, 3));
        assert!(enterprise.packages.iter().any(|package| package.sensitivity == Some(Sensitivity::Medium)));
        assert_eq!(enterprise.groups.iter().filter(|group| group.mode == Switch::Off).count(), 3);
        assert_eq!(enterprise.groups.iter().map(|group| group.modified_rules_count).sum::<u64>(), 4);
        assert!(enterprise.rules.iter().any(|rule| rule.id == "100531" && rule.mode == RuleMode::Challenge));
        assert_eq!(
            (enterprise.firewall_rules.len(), enterprise.page_rules.len(), enterprise.overrides.len()),
            (6, 5, 0)
        );
        let priorities: Vec<i64> = enterprise.page_rules.iter().map(|rule| rule.priority).collect();
        assert_eq!(priorities, [5, 4, 3, 2, 1]);
        assert_eq!(service.config("blocked.example").await.overrides.len(), 2);
        assert_eq!(service.config("support.example").await.firewall_rules.len(), 201);
        let free = service.config("free.example").await;
        assert_eq!((free.waf, free.packages.len(), free.groups.len(), free.rules.len()), (Switch::Off, 0, 0, 0));
    }

    #[tokio::test]
    async fn demo_zones_have_the_blockers_and_findings_of_their_fixtures() {
        let service = TestService::start().await;
        // Name, number of blockers, number of settings that need support.
        let cases = [
            ("enterprise.example", 0, 0),
            ("business.example", 0, 0),
            ("pro.example", 0, 0),
            ("free.example", 1, 0),
            ("blocked.example", 2, 0),
            ("support.example", 0, 1),
        ];
        for (name, blocker_count, support_count) in cases {
            let config = service.config(name).await;
            assert_eq!(check_eligibility(&config, MigrationPhase::Two).len(), blocker_count, "{name}");
            assert_eq!(support_findings(&config).len(), support_count, "{name}");
        }
        let findings = plan(&service.config("enterprise.example").await).findings;
        for outcome in
            [FindingOutcome::Carried, FindingOutcome::Changed, FindingOutcome::Lost, FindingOutcome::Unaffected]
        {
            assert!(findings.iter().any(|finding| finding.outcome == outcome), "no setting is {}", outcome.name());
        }
        assert!(
            !findings
                .iter()
                .any(|finding| matches!(finding.outcome, FindingOutcome::Blocked | FindingOutcome::NeedsSupport))
        );
    }
}
