//! Resolves the items of a configuration: matches packages, groups and rules with the catalog, and finds duplicates.

use crate::ZoneConfig;
use crate::catalog::{
    CATALOG_PACKAGES, CatalogGroup, CatalogRule, DEFAULT_SENSITIVITY, GROUPS, PackageKind, package, previous_rule,
};
use crate::finding::quote;
use crate::page_rules::Deployment;
use crate::section::Section;
use std::collections::{HashMap, HashSet};
use zonewright_api::legacy_waf::{Group, Package, Sensitivity, Switch, WafRule};

/// A configuration whose items are matched with the catalog.
pub(crate) struct ResolvedZone<'a> {
    pub(crate) config: &'a ZoneConfig,
    /// One entry for each package.
    pub(crate) packages: Vec<ResolvedItem<()>>,
    /// One entry for each group.
    pub(crate) groups: Vec<ResolvedItem<Option<&'static CatalogGroup>>>,
    /// One entry for each rule.
    pub(crate) rules: Vec<ResolvedItem<ResolvedRule>>,
    /// The number of rules in each group of the configuration.
    pub(crate) rule_counts: Vec<usize>,
    /// The number of those rules that are not in the catalog.
    pub(crate) unknown_rule_counts: Vec<u64>,
    /// The IDs of its packages, including unknown ones.
    package_ids: HashSet<&'a str>,
    /// The index of the package that takes effect, by kind.
    primary_packages: HashMap<PackageKind, usize>,
    /// The index of the group that takes effect, by its name in the catalog.
    groups_by_name: HashMap<&'static str, usize>,
}

/// An item of the configuration with its package, the item that it duplicates, and its catalog entry.
pub(crate) struct ResolvedItem<T> {
    /// The kind of the package that the item is or belongs to; `None` if the zone has no such package.
    pub(crate) kind: Option<PackageKind>,
    /// The index of the earlier item that takes effect instead: a package of the same kind, a group with the same ID or
    /// name, or a rule with the same ID in the same package.
    pub(crate) duplicate_of: Option<usize>,
    pub(crate) details: T,
}

/// A rule with its catalog entry and group.
#[derive(Clone, Copy)]
pub(crate) struct ResolvedRule {
    pub(crate) catalog_rule: Option<&'static CatalogRule>,
    /// The index of its group in the configuration.
    pub(crate) group: Option<usize>,
}

impl<'a> ResolvedZone<'a> {
    pub(crate) fn new(config: &'a ZoneConfig) -> Self {
        let mut zone = ResolvedZone {
            config,
            packages: Vec::with_capacity(config.packages.len()),
            groups: Vec::with_capacity(config.groups.len()),
            rules: Vec::with_capacity(config.rules.len()),
            rule_counts: vec![0; config.groups.len()],
            unknown_rule_counts: vec![0; config.groups.len()],
            package_ids: config.packages.iter().map(|package| package.id.as_str()).collect(),
            primary_packages: HashMap::new(),
            groups_by_name: HashMap::new(),
        };
        let kinds = zone.resolve_packages();
        let groups = zone.resolve_groups(&kinds);
        zone.resolve_rules(&kinds, &groups);
        zone
    }

    /// Returns the package of this kind that takes effect.
    pub(crate) fn package(&self, kind: PackageKind) -> Option<&'a Package> {
        self.primary_packages.get(&kind).and_then(|index| self.config.packages.get(*index))
    }

    /// Returns whether the zone executes the ruleset that replaces a package: the zone has the package, or its packages
    /// were not provided. The sensitivity of the core rule set must not be off.
    pub(crate) fn executes(&self, kind: PackageKind) -> bool {
        let present =
            self.primary_packages.contains_key(&kind) || self.config.missing_sections.contains(&Section::Packages);
        present && kind != PackageKind::User && (kind != PackageKind::Core || self.sensitivity() != Sensitivity::Off)
    }

    /// Returns the managed rulesets that the zone executes.
    pub(crate) fn deployment(&self) -> Deployment {
        let kinds = [PackageKind::Managed, PackageKind::Core];
        let executed = || kinds.into_iter().filter(|kind| self.executes(*kind));
        Deployment { ruleset_count: executed().count(), is_active: executed().any(|kind| self.is_active(kind)) }
    }

    /// Returns whether a package is active. A package that the configuration lacks counts as active.
    pub(crate) fn is_active(&self, kind: PackageKind) -> bool {
        self.package(kind).is_none_or(Package::is_active)
    }

    /// Returns the sensitivity of the core rule set.
    pub(crate) fn sensitivity(&self) -> Sensitivity {
        let package = self.package(PackageKind::Core);
        package.and_then(|package| package.sensitivity).unwrap_or(DEFAULT_SENSITIVITY)
    }

    /// Returns the index of the group in the configuration that has this name in the catalog.
    pub(crate) fn group_named(&self, name: &str) -> Option<usize> {
        self.groups_by_name.get(name).copied()
    }

    /// Returns the number of rules in the package of this kind.
    pub(crate) fn count_rules(&self, kind: PackageKind) -> usize {
        self.rules.iter().filter(|rule| rule.kind == Some(kind)).count()
    }

    /// Returns whether a group of the configuration is off. A mode that the group may not have does not count.
    pub(crate) fn is_group_off(&self, group: Option<usize>) -> bool {
        let group = group.and_then(|index| self.config.groups.get(index));
        group.is_some_and(|group| group.mode == Switch::Off && has_allowed_mode(group))
    }

    /// Resolves the packages, and returns their kinds by ID.
    fn resolve_packages(&mut self) -> HashMap<&'a str, PackageKind> {
        let mut kinds = HashMap::new();
        for (index, package) in self.config.packages.iter().enumerate() {
            let kind = package_kind(package);
            let duplicate_of = kind.and_then(|kind| self.primary_packages.get(&kind).copied());
            if let Some(kind) = kind {
                self.primary_packages.entry(kind).or_insert(index);
                kinds.entry(package.id.as_str()).or_insert(kind);
            }
            self.packages.push(ResolvedItem { kind, duplicate_of, details: () });
        }
        if self.config.missing_sections.contains(&Section::Packages) {
            kinds.extend(CATALOG_PACKAGES.iter().map(|package| (package.id, package.kind)));
        }
        kinds
    }

    /// Resolves the groups, and returns their indexes by ID.
    fn resolve_groups(&mut self, kinds: &HashMap<&str, PackageKind>) -> HashMap<&'a str, usize> {
        let mut by_id: HashMap<&str, usize> = HashMap::with_capacity(self.config.groups.len());
        for (index, group) in self.config.groups.iter().enumerate() {
            let named = catalog_group(group);
            let kind = match group.package_id.as_str() {
                "" => named.map(|group| group.package).filter(|kind| self.has_package(*kind)),
                id => kinds.get(id).copied(),
            };
            let named = named.filter(|named| Some(named.package) == kind);
            let same_name = named.and_then(|named| self.groups_by_name.get(named.name).copied());
            let duplicate_of = by_id.get(group.id.as_str()).copied().or(same_name);
            // Groups without an ID are never duplicates of each other.
            if !group.id.is_empty() {
                by_id.entry(&group.id).or_insert(index);
            }
            if let Some(named) = named {
                self.groups_by_name.entry(named.name).or_insert(index);
            }
            self.groups.push(ResolvedItem { kind, duplicate_of, details: named });
        }
        by_id
    }

    fn resolve_rules(&mut self, kinds: &HashMap<&str, PackageKind>, groups: &HashMap<&str, usize>) {
        let mut by_id: HashMap<(Option<PackageKind>, &str), usize> = HashMap::with_capacity(self.config.rules.len());
        for (index, rule) in self.config.rules.iter().enumerate() {
            let catalog_rule = previous_rule(&rule.id);
            let group = groups.get(rule.group.id.as_str()).copied();
            let kind = match rule.package_id.as_str() {
                "" => self.infer_package(group, catalog_rule),
                id => kinds.get(id).copied(),
            };
            let is_of_kind = |rule: &&CatalogRule| rule.group().map(|group| group.package) == kind;
            let catalog_rule = catalog_rule.filter(is_of_kind);
            let group = group.or_else(|| self.infer_group(rule, catalog_rule));
            // A group of another package has no effect on the rule.
            let group = group.filter(|group| self.groups.get(*group).is_some_and(|group| group.kind == kind));
            if let Some(count) = group.and_then(|group| self.rule_counts.get_mut(group)) {
                *count += 1;
            }
            let duplicate_of = by_id.get(&(kind, rule.id.as_str())).copied();
            if !rule.id.is_empty() {
                by_id.entry((kind, &rule.id)).or_insert(index);
            }
            let unknown = catalog_rule.is_none() && duplicate_of.is_none();
            if let Some(count) = group.filter(|_| unknown).and_then(|group| self.unknown_rule_counts.get_mut(group)) {
                *count += 1;
            }
            self.rules.push(ResolvedItem { kind, duplicate_of, details: ResolvedRule { catalog_rule, group } });
        }
    }

    /// Returns the kind of the package of a rule that does not name its package.
    fn infer_package(&self, group: Option<usize>, catalog_rule: Option<&CatalogRule>) -> Option<PackageKind> {
        let of_rule = catalog_rule.and_then(CatalogRule::group).map(|group| group.package);
        let of_group = || group.and_then(|index| self.groups.get(index)).and_then(|group| group.kind);
        of_rule.or_else(of_group).filter(|kind| self.has_package(*kind))
    }

    /// Returns the group of a rule by name, if the configuration has no group with its ID.
    fn infer_group(&self, rule: &WafRule, catalog_rule: Option<&CatalogRule>) -> Option<usize> {
        match rule.group.name.as_str() {
            "" => self.group_named(catalog_rule?.group),
            name => self.group_named(name),
        }
    }

    fn has_package(&self, kind: PackageKind) -> bool {
        self.primary_packages.contains_key(&kind) || self.config.missing_sections.contains(&Section::Packages)
    }
}

/// Returns the kind of a package. Zones of other services have different IDs, so the name is compared too.
fn package_kind(given: &Package) -> Option<PackageKind> {
    let by_id = CATALOG_PACKAGES.iter().find(|package| package.id == given.id);
    let by_name = || CATALOG_PACKAGES.iter().find(|package| package.name.eq_ignore_ascii_case(&given.name));
    by_id.or_else(by_name).map(|package| package.kind)
}

fn catalog_group(given: &Group) -> Option<&'static CatalogGroup> {
    let by_id = GROUPS.iter().find(|group| group.id == given.id);
    by_id.or_else(|| GROUPS.iter().find(|group| group.name.eq_ignore_ascii_case(&given.name)))
}

/// Returns whether a group may have its mode.
pub(crate) fn has_allowed_mode(group: &Group) -> bool {
    group.allowed_modes.is_empty() || group.allowed_modes.contains(&group.mode)
}

/// Explains why an item has no known package, given the ID of that package.
pub(crate) fn unknown_package_message(zone: &ResolvedZone<'_>, id: &str) -> String {
    match id {
        id if !id.is_empty() && zone.package_ids.contains(id) => {
            format!("its package {} is unknown, so it is not migrated", quote(id))
        }
        "" => "has no package, and none is known for it, so it is not migrated".to_owned(),
        id => format!("its package {} is not in the configuration, so it is not migrated", quote(id)),
    }
}

/// Returns the display name of a package: its name, or that of the catalog, or its ID.
pub(crate) fn package_name(given: &Package, kind: Option<PackageKind>) -> &str {
    if !given.name.is_empty() {
        return &given.name;
    }
    kind.map_or(&given.id, |kind| package(kind).name)
}
