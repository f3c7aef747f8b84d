//! Extractors of the previous managed rules, which exist until a zone has migrated.

use crate::app::App;
use crate::error::Error;
use crate::request::path_identifier;
use axum::extract::FromRequestParts;
use axum::http::Method;
use axum::http::request::Parts;
use zonewright_api::error_code;
use zonewright_api::legacy_waf::Package;
use zonewright_store::{WafSettings, Zone};

/// A zone of the principal that still has its previous managed rules. Every request to them uses this extractor,
/// because after a migration all their paths respond with 410, even to reads (assumption legacy-gone).
pub(crate) struct LegacyWaf(pub(crate) Zone);

impl FromRequestParts<App> for LegacyWaf {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let zone = Zone::from_request_parts(parts, app).await?;
        app.store.require_legacy_waf(zone.id()).await?;
        Ok(LegacyWaf(zone))
    }
}

/// Responds to a method that a path of the previous managed rules does not have: with 410 if the zone has migrated,
/// with 405 otherwise. Only a principal with access to the zone learns that the rules are gone.
pub(crate) async fn method_not_allowed(zone: Result<LegacyWaf, Error>, method: Method) -> Error {
    match zone {
        Err(Error::LegacyGone) => Error::LegacyGone,
        _ => Error::MethodNotAllowed(method),
    }
}

/// The package in the path, in a zone with previous managed rules.
pub(crate) struct LegacyPackage {
    pub(crate) zone: Zone,
    pub(crate) package: Package,
    /// The settings of the zone.
    pub(crate) settings: WafSettings,
}

impl FromRequestParts<App> for LegacyPackage {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let LegacyWaf(zone) = LegacyWaf::from_request_parts(parts, app).await?;
        let id = path_identifier(parts, "package").await?;
        let settings = app.store.waf_settings(zone.id()).await?;
        let package = settings.packages(&zone).into_iter().find(|package| package.id == id);
        match package {
            Some(package) => Ok(LegacyPackage { zone, package, settings }),
            None => Err(legacy_not_found("package", &id)),
        }
    }
}

/// Returns the error of an unknown package, group or rule.
pub(crate) fn legacy_not_found(noun: &str, id: &str) -> Error {
    let shown: String = id.chars().take(64).collect();
    Error::NotFoundWithCode(error_code::LEGACY_NOT_FOUND, format!("{noun} `{shown}` not found"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use serde_json::{Value, json};
    use tower::ServiceExt;
    use zonewright_api::waf_migration::MigrationState;
    use zonewright_migration::catalog;

    /// Sets the migration state of a zone with a direct statement. The store changes the state only in a migration step
    /// that checks its conditions, and no step leads this zone to all the states that the test needs.
    async fn set_migration(app: &App, zone: &str, state: MigrationState) {
        let scope = zonewright_store::Scope::Zone(zone.to_owned());
        let mut unit = app.store.write(scope, &zonewright_store::Actor::service()).await.unwrap();
        sqlx::query(
            "insert into migrations (zone_id, state, created, entered) values ($1, $2, '', 0)
             on conflict (zone_id) do update set state = excluded.state",
        )
        .bind(zone.to_owned())
        .bind(state.name())
        .execute(unit.connection())
        .await
        .unwrap();
        unit.record("migration.update", zone, None, Some(&state.name()));
        unit.commit().await.unwrap();
    }

    #[tokio::test]
    async fn completed_migration_turns_only_the_previous_apis_into_410() {
        let folder = tempfile::TempDir::new().unwrap();
        let (app, demo) = App::open(folder.path(), "").await.unwrap();
        let demo = demo.unwrap();
        let router = app.router();
        let send = async |method: &str, path: String, body: &Value| {
            let request = Request::builder().method(method).uri(format!("/client/v4/zones/{}{path}", demo.zone_id));
            let request = request.header("host", "localhost").header("authorization", format!("Bearer {}", demo.token));
            let response = router.clone().oneshot(request.body(Body::from(body.to_string())).unwrap()).await.unwrap();
            let status = response.status().as_u16();
            let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
            (status, serde_json::from_slice::<Value>(&bytes).unwrap())
        };
        let package = format!("/firewall/waf/packages/{}", catalog::package(catalog::PackageKind::Core).id);
        let unknown_id = "0123456789abcdef0123456789abcdef";
        let gone = [
            ("GET", "/firewall/waf/packages".to_owned()),
            ("GET", package.clone()),
            ("PATCH", package.clone()),
            ("GET", format!("{package}/groups")),
            ("GET", format!("{package}/groups/{unknown_id}")),
            ("PATCH", format!("{package}/groups/{unknown_id}")),
            ("GET", format!("{package}/rules")),
            ("GET", format!("{package}/rules/960032")),
            ("PATCH", format!("{package}/rules/960032")),
            ("GET", "/firewall/waf/overrides".to_owned()),
            ("POST", "/firewall/waf/overrides".to_owned()),
            ("GET", format!("/firewall/waf/overrides/{unknown_id}")),
            ("PUT", format!("/firewall/waf/overrides/{unknown_id}")),
            ("DELETE", format!("/firewall/waf/overrides/{unknown_id}")),
        ];
        for state in [MigrationState::Validation, MigrationState::Pending] {
            set_migration(&app, &demo.zone_id, state).await;
            for (method, path) in &gone {
                assert_ne!(send(method, path.clone(), &json!({})).await.0, 410, "{state:?} {method} {path}");
            }
        }
        set_migration(&app, &demo.zone_id, MigrationState::Complete).await;
        for (method, path) in &gone {
            let (status, body) = send(method, path.clone(), &json!({})).await;
            assert_eq!((status, &body["errors"][0]["code"]), (410, &json!(10410)), "{method} {path}");
            let message = body["errors"][0]["message"].as_str().unwrap();
            assert!(message.contains("Rulesets API"), "{message}");
        }
        let change = zonewright_store::WafSettingChange {
            kind: zonewright_store::WafSettingKind::Rule,
            object_id: "960032".to_owned(),
            value: "on",
        };
        let zonewright_store::FoundZone { zone, tier, revision } =
            app.store.zone(&demo.account_id, &demo.zone_id).await.unwrap().unwrap();
        let zone = Zone { zone, tier, actor: zonewright_store::Actor::service(), revision };
        assert!(
            matches!(app.store.change_waf(&zone, &[change]).await, Err(zonewright_store::Error::Retired)),
            "the migration completed after the check of the extractor"
        );
        for path in ["/settings/waf", "/pagerules", "/firewall/rules", "/filters"] {
            assert_eq!(send("GET", path.to_owned(), &json!({})).await.0, 200, "{path}");
        }
    }
}
