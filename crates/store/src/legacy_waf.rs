//! Settings of the previous managed rules. The catalog is the same in all zones; a zone stores only its switch and the
//! settings that differ from the catalog. Changes of settings are in `changes::legacy_waf`, because a migration depends
//! on them.

use crate::clock::now;
use crate::error::Error;
use crate::migration_state::require_not_migrated;
use crate::owner::Zone;
use crate::store::Store;
use crate::unit_of_work::UnitOfWork;
use sqlx::{AnyConnection, FromRow};
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;
use zonewright_api::legacy_waf::{ActionMode, Group, Package, RuleMode, Sensitivity, Switch, WafRule, ZoneSetting};
use zonewright_expression::schema::Tier;
use zonewright_migration::catalog;

/// The catalog with all default settings.
struct Defaults {
    groups: Vec<Group>,
    rules: Vec<WafRule>,
    /// The index of each group and rule by ID.
    group_index: HashMap<String, usize>,
    rule_index: HashMap<String, usize>,
}

static DEFAULTS: LazyLock<Defaults> = LazyLock::new(|| {
    let (groups, rules) = (catalog::default_groups(), catalog::default_rules());
    let group_index = groups.iter().enumerate().map(|(index, group)| (group.id.clone(), index)).collect();
    let rule_index = rules.iter().enumerate().map(|(index, rule)| (rule.id.clone(), index)).collect();
    Defaults { groups, rules, group_index, rule_index }
});

impl Defaults {
    fn group(&self, id: &str) -> Option<&Group> {
        self.groups.get(*self.group_index.get(id)?)
    }

    fn rule(&self, id: &str) -> Option<&WafRule> {
        self.rules.get(*self.rule_index.get(id)?)
    }
}

/// The kind of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WafSettingKind {
    /// The switch for all previous managed rules.
    Waf,
    /// The sensitivity of a package.
    Sensitivity,
    /// The action of a package.
    ActionMode,
    /// The mode of a group.
    Group,
    /// The mode of a rule.
    Rule,
}

impl WafSettingKind {
    const ALL: [WafSettingKind; 5] = [
        WafSettingKind::Waf,
        WafSettingKind::Sensitivity,
        WafSettingKind::ActionMode,
        WafSettingKind::Group,
        WafSettingKind::Rule,
    ];

    fn name(self) -> &'static str {
        match self {
            WafSettingKind::Waf => "waf",
            WafSettingKind::Sensitivity => "sensitivity",
            WafSettingKind::ActionMode => "action_mode",
            WafSettingKind::Group => "group",
            WafSettingKind::Rule => "rule",
        }
    }
}

/// A setting with its new value.
#[derive(Clone, Debug)]
pub struct WafSettingChange {
    /// The kind of the setting.
    pub kind: WafSettingKind,
    /// The ID of the package, group or rule; empty for the switch.
    pub object_id: String,
    /// The name of the value.
    pub value: &'static str,
}

impl WafSettingChange {
    /// Returns whether the value is the default. The switch is always stored, because the time of its last change is
    /// returned.
    fn is_default(&self) -> bool {
        let default = match self.kind {
            WafSettingKind::Waf => None,
            WafSettingKind::Sensitivity => Some(catalog::DEFAULT_SENSITIVITY.name()),
            WafSettingKind::ActionMode => Some(catalog::DEFAULT_ACTION_MODE.name()),
            WafSettingKind::Group => DEFAULTS.group(&self.object_id).map(|group| group.mode.name()),
            WafSettingKind::Rule => DEFAULTS.rule(&self.object_id).map(|rule| rule.mode.name()),
        };
        default == Some(self.value)
    }
}

/// The stored settings of a zone: the switch if it was ever set, and the settings that differ from the defaults.
pub struct WafSettings {
    /// Value and time of change, by kind and object ID.
    stored: BTreeMap<(&'static str, String), (String, String)>,
    /// The number of rules in each group that differ from the default.
    modified_rule_counts: HashMap<String, u64>,
}

impl WafSettings {
    fn get(&self, kind: WafSettingKind, object: &str) -> Option<&str> {
        self.stored.get(&(kind.name(), object.to_owned())).map(|(value, _)| value.as_str())
    }

    /// Returns the switch. A zone on the Free plan has no previous managed rules (assumption legacy-plans).
    pub fn switch(&self, tier: Tier) -> ZoneSetting {
        let stored = self.stored.get(&(WafSettingKind::Waf.name(), String::new()));
        let editable = tier > Tier::Free;
        let default = if editable { Switch::On } else { Switch::Off };
        ZoneSetting {
            id: "waf".to_owned(),
            value: stored.and_then(|(value, _)| Switch::from_name(value)).unwrap_or(default),
            editable,
            modified_on: stored.map(|(_, time)| time.clone()),
        }
    }

    /// Returns the packages of the zone.
    pub fn packages(&self, zone: &Zone) -> Vec<Package> {
        if zone.tier == Tier::Free {
            return Vec::new();
        }
        let mut packages = catalog::default_packages(zone.id());
        for package in &mut packages {
            if let Some(value) = self.get(WafSettingKind::Sensitivity, &package.id) {
                package.sensitivity = Sensitivity::from_name(value).or(package.sensitivity);
            }
            if let Some(value) = self.get(WafSettingKind::ActionMode, &package.id) {
                package.action_mode = ActionMode::from_name(value).or(package.action_mode);
            }
        }
        packages
    }

    /// Returns all groups, ordered by package.
    pub fn groups(&self) -> Vec<Group> {
        DEFAULTS.groups.iter().map(|group| self.effective_group(group)).collect()
    }

    /// Returns one group of a package.
    pub fn group(&self, package: &str, id: &str) -> Option<Group> {
        let group = DEFAULTS.group(id).filter(|group| group.package_id == package)?;
        Some(self.effective_group(group))
    }

    /// Returns all rules, ordered by package.
    pub fn rules(&self) -> Vec<WafRule> {
        DEFAULTS.rules.iter().map(|rule| self.effective_rule(rule)).collect()
    }

    /// Returns one rule of a package.
    pub fn rule(&self, package: &str, id: &str) -> Option<WafRule> {
        let rule = DEFAULTS.rule(id).filter(|rule| rule.package_id == package)?;
        Some(self.effective_rule(rule))
    }

    /// Returns the object of a change as the API returns it.
    pub(crate) fn audit_value(&self, zone: &Zone, change: &WafSettingChange) -> Option<serde_json::Value> {
        let object = match change.kind {
            WafSettingKind::Waf => serde_json::to_value(self.switch(zone.tier)),
            WafSettingKind::Sensitivity | WafSettingKind::ActionMode => {
                serde_json::to_value(self.packages(zone).into_iter().find(|package| package.id == change.object_id)?)
            }
            WafSettingKind::Group => serde_json::to_value(self.effective_group(DEFAULTS.group(&change.object_id)?)),
            WafSettingKind::Rule => serde_json::to_value(self.effective_rule(DEFAULTS.rule(&change.object_id)?)),
        };
        object.ok()
    }

    fn effective_group(&self, default: &Group) -> Group {
        let mode = self.get(WafSettingKind::Group, &default.id).and_then(Switch::from_name);
        let modified_rules_count = self.modified_rule_counts.get(&default.id).copied().unwrap_or_default();
        Group { mode: mode.unwrap_or(default.mode), modified_rules_count, ..default.clone() }
    }

    fn effective_rule(&self, default: &WafRule) -> WafRule {
        let mode = self.get(WafSettingKind::Rule, &default.id).and_then(RuleMode::from_name);
        WafRule { mode: mode.unwrap_or(default.mode), ..default.clone() }
    }
}

impl Store {
    /// Returns an error if the migration has switched off the zone's previous managed rules (assumption legacy-gone).
    pub async fn require_legacy_waf(&self, zone: &str) -> Result<(), Error> {
        require_not_migrated(&mut *self.pool.acquire().await?, zone).await
    }

    /// Returns the switch of the previous managed rules. It is not editable after the migration (assumption
    /// legacy-gone).
    pub async fn waf_switch(&self, zone: &Zone) -> Result<ZoneSetting, Error> {
        let mut switch = self.waf_settings(zone.id()).await?.switch(zone.tier);
        match self.require_legacy_waf(zone.id()).await {
            Err(Error::Retired) => switch.editable = false,
            outcome => outcome?,
        }
        Ok(switch)
    }

    /// Returns the settings of the zone.
    pub async fn waf_settings(&self, zone: &str) -> Result<WafSettings, Error> {
        settings(&mut *self.pool.acquire().await?, zone).await
    }

    /// Does the same as [`Store::write`], and rejects the write if the migration of the zone is complete. The lock of
    /// the zone ensures that it cannot complete in between.
    pub(crate) async fn write_legacy(&self, zone: &Zone) -> Result<UnitOfWork, Error> {
        let mut unit = self.write(zone.scope(), &zone.actor).await?;
        require_not_migrated(unit.connection(), zone.id()).await?;
        Ok(unit)
    }
}

/// A row of the table `waf_settings`.
#[derive(FromRow)]
struct SettingRow {
    kind: String,
    object_id: String,
    value: String,
    modified_on: String,
}

/// Returns the settings of the zone.
pub(crate) async fn settings(connection: &mut AnyConnection, zone: &str) -> Result<WafSettings, Error> {
    let rows: Vec<SettingRow> =
        sqlx::query_as("select kind, object_id, value, modified_on from waf_settings where zone_id = $1")
            .bind(zone.to_owned())
            .fetch_all(connection)
            .await?;
    let mut settings = WafSettings { stored: BTreeMap::new(), modified_rule_counts: HashMap::new() };
    for SettingRow { kind, object_id, value, modified_on } in rows {
        let Some(kind) = WafSettingKind::ALL.into_iter().find(|known| known.name() == kind) else {
            continue;
        };
        if kind == WafSettingKind::Rule
            && let Some(rule) = DEFAULTS.rule(&object_id)
        {
            *settings.modified_rule_counts.entry(rule.group.id.clone()).or_default() += 1;
        }
        settings.stored.insert((kind.name(), object_id), (value, modified_on));
    }
    Ok(settings)
}

/// Stores a setting, or deletes the stored one if the new value is the default.
pub(crate) async fn store_setting(
    connection: &mut AnyConnection,
    zone: &str,
    change: &WafSettingChange,
) -> Result<(), Error> {
    if change.is_default() {
        sqlx::query("delete from waf_settings where zone_id = $1 and kind = $2 and object_id = $3")
            .bind(zone.to_owned())
            .bind(change.kind.name())
            .bind(change.object_id.clone())
            .execute(connection)
            .await?;
        return Ok(());
    }
    sqlx::query(
        "insert into waf_settings (zone_id, kind, object_id, value, modified_on) values ($1, $2, $3, $4, $5)
         on conflict (zone_id, kind, object_id)
         do update set value = excluded.value, modified_on = excluded.modified_on",
    )
    .bind(zone.to_owned())
    .bind(change.kind.name())
    .bind(change.object_id.clone())
    .bind(change.value)
    .bind(now())
    .execute(connection)
    .await?;
    Ok(())
}
