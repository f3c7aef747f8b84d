//! `/zones/{zone_id}/firewall/waf/packages/{package}/groups`: groups of rules of a package (observed).

use super::{Answer, listed, success};
use crate::App;
use crate::legacy::{LegacyPackage, missing};
use crate::listing::Listing;
use crate::request::{JsonBody, ObjectId, Parameters};
use crate::store::{Change, Kind};
use axum::extract::State;
use zonewright_api::legacy_waf::{Group, Switch};
use zonewright_migration::read::read_group_mode;

/// Lists the groups of a package.
pub(crate) async fn list(
    LegacyPackage { package, settings, .. }: LegacyPackage,
    mut query: Parameters,
) -> Answer<Vec<Group>> {
    let page = query.page(50, 5..=100);
    let mut wanted = Listing::<Group>::read(
        &mut query,
        &[
            ("mode", |left, right| left.mode.name().cmp(right.mode.name())),
            ("rules_count", |left, right| left.rules_count.cmp(&right.rules_count)),
        ],
    );
    if let Some(mode) = query.choice("mode", &[Switch::On.name(), Switch::Off.name()]) {
        wanted.filter(move |group| group.mode.name() == mode);
    }
    wanted.exactly(&mut query, "name", |group| group.name.clone());
    wanted.exactly(&mut query, "rules_count", |group| group.rules_count.to_string());
    query.finish()?;
    let groups = settings.groups().into_iter().filter(|group| group.package_id == package.id);
    listed(wanted.page_of(groups.collect(), page), page)
}

/// Gives one group.
pub(crate) async fn get(
    LegacyPackage { package, settings, .. }: LegacyPackage,
    ObjectId(id): ObjectId,
) -> Answer<Group> {
    success(settings.group(&package.id, &id).ok_or_else(|| missing("group", &id))?)
}

/// Switches a group on or off.
pub(crate) async fn edit(
    LegacyPackage { zone, package, settings }: LegacyPackage,
    State(app): State<App>,
    ObjectId(id): ObjectId,
    JsonBody(body): JsonBody,
) -> Answer<Group> {
    let group = settings.group(&package.id, &id).ok_or_else(|| missing("group", &id))?;
    let mode = read_group_mode(&body, &group)?;
    let change = Change { kind: Kind::Group, object: id.clone(), value: mode.name() };
    let settings = app.store.change_waf(&zone, &[change]).await?;
    success(settings.group(&package.id, &id).ok_or_else(|| missing("group", &id))?)
}
