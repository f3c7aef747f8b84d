//! What the items of a configuration are: which package, group or rule of the catalogue, and which of several
//! with the same identifier counts.

use crate::ZoneConfig;
use crate::catalogue::{
    CatalogueGroup, CatalogueRule, DELIVERED_SENSITIVITY, GROUPS, PACKAGES, PackageKind, package, previous_rule,
};
use crate::finding::quoted;
use crate::page_rules::Deployment;
use crate::section::Section;
use std::collections::{HashMap, HashSet};
use zonewright_api::legacy_waf::{Group, Package, Sensitivity, Switch, WafRule};

/// A configuration, understood.
pub(crate) struct Zone<'a> {
    pub(crate) config: &'a ZoneConfig,
    /// For each package.
    pub(crate) packages: Vec<Known<()>>,
    /// For each group.
    pub(crate) groups: Vec<Known<Option<&'static CatalogueGroup>>>,
    /// For each rule.
    pub(crate) rules: Vec<Known<ResolvedRule>>,
    /// How many rules are in each group of the configuration.
    pub(crate) members: Vec<usize>,
    /// How many of them nobody knows.
    pub(crate) unknown_members: Vec<u64>,
    /// The identifiers of its packages, also of those that nobody knows.
    package_ids: HashSet<&'a str>,
    /// The package that counts, by kind.
    counting: HashMap<PackageKind, usize>,
    /// The group that counts, by the name in the catalogue.
    by_name: HashMap<&'static str, usize>,
}

/// What is known of an item.
pub(crate) struct Known<T> {
    /// The package that it is or is in; nothing when there is no such package.
    pub(crate) kind: Option<PackageKind>,
    /// The item of the same identifier that counts in its place.
    pub(crate) duplicate_of: Option<usize>,
    pub(crate) facts: T,
}

/// What is known of a rule.
#[derive(Clone, Copy)]
pub(crate) struct ResolvedRule {
    pub(crate) catalogue: Option<&'static CatalogueRule>,
    /// Its group in the configuration.
    pub(crate) group: Option<usize>,
}

impl<'a> Zone<'a> {
    pub(crate) fn new(config: &'a ZoneConfig) -> Self {
        let mut zone = Zone {
            config,
            packages: Vec::with_capacity(config.packages.len()),
            groups: Vec::with_capacity(config.groups.len()),
            rules: Vec::with_capacity(config.rules.len()),
            members: vec![0; config.groups.len()],
            unknown_members: vec![0; config.groups.len()],
            package_ids: config.packages.iter().map(|package| package.id.as_str()).collect(),
            counting: HashMap::new(),
            by_name: HashMap::new(),
        };
        let kinds = zone.read_packages();
        let groups = zone.read_groups(&kinds);
        zone.read_rules(&kinds, &groups);
        zone
    }

    /// The package of this kind that counts.
    pub(crate) fn package(&self, kind: PackageKind) -> Option<&'a Package> {
        self.counting.get(&kind).and_then(|index| self.config.packages.get(*index))
    }

    /// Whether the zone executes what a package becomes: it has the package, and its sensitivity is not off.
    pub(crate) fn deploys(&self, kind: PackageKind) -> bool {
        let there = self.counting.contains_key(&kind) || self.config.absent.contains(&Section::Packages);
        there && kind != PackageKind::User && (kind != PackageKind::Core || self.sensitivity() != Sensitivity::Off)
    }

    /// The managed rulesets that it executes.
    pub(crate) fn deployed(&self) -> Deployment {
        let kinds = [PackageKind::Managed, PackageKind::Core];
        let executed = || kinds.into_iter().filter(|kind| self.deploys(*kind));
        Deployment { rulesets: executed().count(), active: executed().any(|kind| self.is_active(kind)) }
    }

    /// Whether a package is in effect.
    pub(crate) fn is_active(&self, kind: PackageKind) -> bool {
        self.package(kind).is_none_or(Package::is_active)
    }

    /// The sensitivity of the core rule set.
    pub(crate) fn sensitivity(&self) -> Sensitivity {
        let package = self.package(PackageKind::Core);
        package.and_then(|package| package.sensitivity).unwrap_or(DELIVERED_SENSITIVITY)
    }

    /// The group in the configuration that has this name in the catalogue.
    pub(crate) fn group_named(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// How many rules the package of this kind has.
    pub(crate) fn count(&self, kind: PackageKind) -> usize {
        self.rules.iter().filter(|rule| rule.kind == Some(kind)).count()
    }

    /// Whether a group of the configuration is off.
    pub(crate) fn is_off(&self, group: Option<usize>) -> bool {
        let group = group.and_then(|index| self.config.groups.get(index));
        group.is_some_and(|group| group.mode == Switch::Off && is_allowed(group))
    }

    fn read_packages(&mut self) -> HashMap<&'a str, PackageKind> {
        let mut kinds = HashMap::new();
        for (index, package) in self.config.packages.iter().enumerate() {
            let kind = package_kind(package);
            let duplicate_of = kind.and_then(|kind| self.counting.get(&kind).copied());
            if let Some(kind) = kind {
                self.counting.entry(kind).or_insert(index);
                kinds.entry(package.id.as_str()).or_insert(kind);
            }
            self.packages.push(Known { kind, duplicate_of, facts: () });
        }
        if self.config.absent.contains(&Section::Packages) {
            kinds.extend(PACKAGES.iter().map(|package| (package.id, package.kind)));
        }
        kinds
    }

    fn read_groups(&mut self, kinds: &HashMap<&str, PackageKind>) -> HashMap<&'a str, usize> {
        let mut by_id: HashMap<&str, usize> = HashMap::with_capacity(self.config.groups.len());
        for (index, group) in self.config.groups.iter().enumerate() {
            let named = catalogue_group(group);
            let kind = match group.package_id.as_str() {
                "" => named.map(|group| group.package).filter(|kind| self.has(*kind)),
                id => kinds.get(id).copied(),
            };
            let named = named.filter(|named| Some(named.package) == kind);
            let same_name = named.and_then(|named| self.by_name.get(named.name).copied());
            let duplicate_of = by_id.get(group.id.as_str()).copied().or(same_name);
            // What has no identifier is not the same as other things without one.
            if !group.id.is_empty() {
                by_id.entry(&group.id).or_insert(index);
            }
            if let Some(named) = named {
                self.by_name.entry(named.name).or_insert(index);
            }
            self.groups.push(Known { kind, duplicate_of, facts: named });
        }
        by_id
    }

    fn read_rules(&mut self, kinds: &HashMap<&str, PackageKind>, groups: &HashMap<&str, usize>) {
        let mut by_id: HashMap<(Option<PackageKind>, &str), usize> = HashMap::with_capacity(self.config.rules.len());
        for (index, rule) in self.config.rules.iter().enumerate() {
            let catalogue = previous_rule(&rule.id);
            let group = groups.get(rule.group.id.as_str()).copied();
            let kind = match rule.package_id.as_str() {
                "" => self.kind_by_place(group, catalogue),
                id => kinds.get(id).copied(),
            };
            let of_kind = |rule: &&CatalogueRule| rule.group().map(|group| group.package) == kind;
            let catalogue = catalogue.filter(of_kind);
            let group = group.or_else(|| self.group_by_name(rule, catalogue));
            // A group of another package has no say.
            let group = group.filter(|group| self.groups.get(*group).is_some_and(|group| group.kind == kind));
            if let Some(count) = group.and_then(|group| self.members.get_mut(group)) {
                *count += 1;
            }
            let duplicate_of = by_id.get(&(kind, rule.id.as_str())).copied();
            if !rule.id.is_empty() {
                by_id.entry((kind, &rule.id)).or_insert(index);
            }
            let unknown = catalogue.is_none() && duplicate_of.is_none();
            if let Some(count) = group.filter(|_| unknown).and_then(|group| self.unknown_members.get_mut(group)) {
                *count += 1;
            }
            self.rules.push(Known { kind, duplicate_of, facts: ResolvedRule { catalogue, group } });
        }
    }

    /// The package of a rule that does not name it.
    fn kind_by_place(&self, group: Option<usize>, catalogue: Option<&CatalogueRule>) -> Option<PackageKind> {
        let of_rule = catalogue.and_then(CatalogueRule::group).map(|group| group.package);
        let of_group = || group.and_then(|index| self.groups.get(index)).and_then(|group| group.kind);
        of_rule.or_else(of_group).filter(|kind| self.has(*kind))
    }

    /// The group of a rule whose group is not in the configuration by its identifier.
    fn group_by_name(&self, rule: &WafRule, catalogue: Option<&CatalogueRule>) -> Option<usize> {
        match rule.group.name.as_str() {
            "" => self.group_named(catalogue?.group),
            name => self.group_named(name),
        }
    }

    fn has(&self, kind: PackageKind) -> bool {
        self.counting.contains_key(&kind) || self.config.absent.contains(&Section::Packages)
    }
}

/// Which package it is. Identifiers are those of one service; a zone elsewhere is known by the names.
fn package_kind(given: &Package) -> Option<PackageKind> {
    let by_id = PACKAGES.iter().find(|package| package.id == given.id);
    let by_name = || PACKAGES.iter().find(|package| package.name.eq_ignore_ascii_case(&given.name));
    by_id.or_else(by_name).map(|package| package.kind)
}

fn catalogue_group(given: &Group) -> Option<&'static CatalogueGroup> {
    let by_id = GROUPS.iter().find(|group| group.id == given.id);
    by_id.or_else(|| GROUPS.iter().find(|group| group.name.eq_ignore_ascii_case(&given.name)))
}

/// Whether a group may have the mode that it has.
pub(crate) fn is_allowed(group: &Group) -> bool {
    group.allowed_modes.is_empty() || group.allowed_modes.contains(&group.mode)
}

/// What is said of an item of this package, when none is known.
pub(crate) fn no_package(zone: &Zone<'_>, id: &str) -> String {
    match id {
        id if !id.is_empty() && zone.package_ids.contains(id) => {
            format!("its package {} is not known, so nothing is made of it", quoted(id))
        }
        "" => "no package is given, and none is known for it, so nothing is made of it".to_owned(),
        id => format!("its package {} is not there, so nothing is made of it", quoted(id)),
    }
}

/// The name of a package for people, also when the zone does not give one.
pub(crate) fn package_name(given: &Package, kind: Option<PackageKind>) -> &str {
    if !given.name.is_empty() {
        return &given.name;
    }
    kind.map_or(&given.id, |kind| package(kind).name)
}
