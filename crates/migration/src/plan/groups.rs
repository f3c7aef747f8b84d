//! Creates the findings of groups.

use super::Zone;
use super::core::Core;
use super::managed::Managed;
use super::zone::{is_allowed, no_package};
use crate::catalogue::PackageKind;
use crate::finding::finding;
use zonewright_api::finding::{Fate, Finding};
use zonewright_api::legacy_waf::{Group, Switch};

/// Creates one finding for each group.
pub(super) fn findings(zone: &Zone, managed: &Managed, core: &Core) -> Vec<Finding> {
    let subject = Subject { zone, managed, core };
    (0..zone.config.groups.len()).filter_map(|index| subject.judge(index)).collect()
}

struct Subject<'a> {
    zone: &'a Zone<'a>,
    managed: &'a Managed,
    core: &'a Core,
}

impl Subject<'_> {
    fn judge(&self, index: usize) -> Option<Finding> {
        let given = self.zone.config.groups.get(index)?;
        let known = self.zone.groups.get(index)?;
        let made = |fate, code, message: String| made(index, given, fate, code, message);
        if let Some(before) = known.duplicate_of {
            return self.duplicate(index, before);
        }
        let Some(kind) = known.kind else {
            return Some(made(Fate::Lost, "package-unknown", no_package(self.zone, &given.package_id)));
        };
        if !is_allowed(given) {
            let message = format!("cannot be {}, and is taken to be as delivered", given.mode.name());
            return Some(made(Fate::Lost, "mode-not-allowed", message));
        }
        Some(match kind {
            PackageKind::User => self.user(index, given),
            PackageKind::Managed if given.mode == Switch::Off => self.managed_off(index, given),
            PackageKind::Core if given.mode == Switch::Off => {
                let (help, draft) = self.core.group_off(known.facts);
                let effect = self.effect();
                let message = format!("is off; groups of the core rule set are not carried over{effect}");
                Finding { help, draft, ..made(Fate::Lost, "core-group-off", message) }
            }
            _ => {
                let became = if kind == PackageKind::Core { self.core.rule() } else { self.managed.rule() };
                Finding { became, ..made(Fate::Carried, "group-delivered", "is on, as delivered".to_owned()) }
            }
        })
    }

    /// Creates the finding of a duplicate.
    fn duplicate(&self, index: usize, before: usize) -> Option<Finding> {
        let given = self.zone.config.groups.get(index)?;
        let first = self.zone.config.groups.get(before)?;
        let settings = |group: &Group| (group.mode, group.allowed_modes.clone(), group.package_id.clone());
        if first.mode == given.mode && settings(first) != settings(given) {
            let message = format!("the same group stands at `/groups/{before}` with other settings, which count");
            return Some(made(index, given, Fate::Lost, "duplicate", message));
        }
        if first.mode != given.mode {
            let message =
                format!("the same group stands at `/groups/{before}` and is {}, which counts", first.mode.name());
            return Some(made(index, given, Fate::Lost, "duplicate", message));
        }
        // The first group is not a duplicate, so the recursion ends.
        let same = self.judge(before)?;
        let message = format!("the same group stands at `/groups/{before}`");
        Some(Finding { became: same.became, ..made(index, given, same.fate, "duplicate", message) })
    }

    fn managed_off(&self, index: usize, given: &Group) -> Finding {
        if let Some(category) = self.managed.category_of(Some(index)) {
            let message = "is off and becomes a category that is off".to_owned();
            return Finding { became: category, ..made(index, given, Fate::Carried, "group-category", message) };
        }
        let (known, became) = self.managed.members_of(index).unwrap_or_default();
        if known == 0 {
            let message = "is off; no rule of it is known, and no category, so its rules stay on".to_owned();
            let help = "switch off the rules in the new configuration that it stood for".to_owned();
            return Finding { help: Some(help), ..made(index, given, Fate::Lost, "group-unknown", message) };
        }
        let unknown = self.zone.unknown_members.get(index).copied().unwrap_or_default();
        let count = given.rules_count.max(known + unknown);
        if count > known {
            let message = format!("is off: {known} of its {count} rules are known and off, the others stay on");
            return Finding { became, ..made(index, given, Fate::Changed, "group-rules", message) };
        }
        let message = format!("is off: its rules ({known}) are off one by one");
        Finding { became, ..made(index, given, Fate::Carried, "group-rules", message) }
    }

    fn user(&self, index: usize, given: &Group) -> Finding {
        if given.rules_count == 0 && self.zone.members.get(index).is_none_or(|count| *count == 0) {
            let message = "has no rules, so there is nothing to make anew".to_owned();
            return made(index, given, Fate::Carried, "user-package-empty", message);
        }
        let message = "holds rules written at your request, which are in no managed ruleset".to_owned();
        made(index, given, Fate::Lost, "user-group", message)
    }

    /// Returns the end of a message for groups that had no effect because the core rule set is off.
    fn effect(&self) -> &'static str {
        if self.core.places.first().is_some() { "" } else { ", and it had no effect, as the rule set is off" }
    }
}

fn made(index: usize, given: &Group, fate: Fate, code: &'static str, message: String) -> Finding {
    let name = if given.name.is_empty() { &given.id } else { &given.name };
    finding(fate, code, format!("/groups/{index}"), format!("Group {name}"), message)
}
