//! Creates the findings of packages.

use super::ResolvedZone;
use super::core::CoreRulesetPlan;
use super::managed::ManagedRulesetPlan;
use super::zone::{ResolvedItem, package_name};
use crate::catalogue::{DEFAULT_ACTION_MODE, PackageKind};
use crate::finding::new_finding;
use crate::paranoia::paranoia_settings;
use zonewright_api::finding::{Fate, Finding};
use zonewright_api::legacy_waf::{ActionMode, DetectionMode, Package, Sensitivity};

const DUPLICATE: &str = "duplicate";
const ASSUMED_DEFAULT: &str = "is not given, counts as";

/// Creates one finding for each setting of each package.
pub(super) fn findings(zone: &ResolvedZone, managed: &ManagedRulesetPlan, core: &CoreRulesetPlan) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, (given, known)) in zone.config.packages.iter().zip(&zone.packages).enumerate() {
        let subject = PackagePlanner { zone, index, given, kind: known.kind };
        if given.detection_mode == DetectionMode::Anomaly {
            findings.extend(subject.anomaly_findings(known, managed, core));
        } else {
            findings.push(subject.traditional(known, managed, core));
            findings.extend(subject.mismatched_score_findings(known, managed, core));
        }
    }
    findings
}

struct PackagePlanner<'a> {
    zone: &'a ResolvedZone<'a>,
    index: usize,
    given: &'a Package,
    kind: Option<PackageKind>,
}

impl PackagePlanner<'_> {
    fn name(&self) -> &str {
        package_name(self.given, self.kind)
    }

    fn package_finding(&self, fate: Fate, code: &'static str, message: impl Into<String>) -> Finding {
        new_finding(fate, code, format!("/packages/{}", self.index), format!("Package {}", self.name()), message)
    }

    fn member_finding(&self, member: &str, fate: Fate, code: &'static str, message: impl Into<String>) -> Finding {
        let title = if member == "sensitivity" { "Sensitivity" } else { "Action" };
        let name = format!("{title} of {}", self.name());
        new_finding(fate, code, format!("/packages/{}/{member}", self.index), name, message)
    }

    /// Returns the code and the reason if a package cannot be migrated at all.
    fn skip_reason(&self, known: &ResolvedItem<()>) -> Option<(&'static str, String)> {
        if known.kind.is_none() {
            let message = "no package of this identifier or name is known, so nothing is made of it";
            return Some(("package-unknown", message.to_owned()));
        }
        let before = known.duplicate_of.filter(|before| !self.has_same_settings(*before))?;
        Some((DUPLICATE, format!("the same package stands at `/packages/{before}` with other settings, which count")))
    }

    fn has_same_settings(&self, before: usize) -> bool {
        let settings = |package: &Package| (package.detection_mode, package.sensitivity, package.action_mode);
        let first = self.zone.config.packages.get(before);
        first.is_some_and(|first| settings(first) == settings(self.given) && first.status == self.given.status)
    }

    /// Turns a finding into that of a duplicate with the same settings.
    fn as_duplicate(known: &ResolvedItem<()>, mut found: Finding) -> Finding {
        if let Some(before) = known.duplicate_of {
            found.code = DUPLICATE;
            found.message = format!("the same package stands at `/packages/{before}`");
        }
        found
    }

    /// Creates the findings of a package with a score: sensitivity and action.
    fn anomaly_findings(
        &self,
        known: &ResolvedItem<()>,
        managed: &ManagedRulesetPlan,
        core: &CoreRulesetPlan,
    ) -> [Finding; 2] {
        let lost = |code, message: &str| {
            ["sensitivity", "action_mode"].map(|of| self.member_finding(of, Fate::Lost, code, message))
        };
        if let Some((code, message)) = self.skip_reason(known) {
            return lost(code, &message);
        }
        if known.kind == Some(PackageKind::Managed) && self.given.detection_mode == DetectionMode::Anomaly {
            let executed = |of| self.mismatched_managed_finding(of, managed);
            return ["sensitivity", "action_mode"].map(executed).map(|found| Self::as_duplicate(known, found));
        }
        if known.kind != Some(PackageKind::Core) {
            return lost("detection-mode", "this package has no score; what it says of one is left out");
        }
        [self.sensitivity(core), self.action(core)].map(|found| Self::as_duplicate(known, found))
    }

    /// Creates the finding of the provider's package if the configuration gives it a score, which is ignored.
    fn mismatched_managed_finding(&self, of: &str, managed: &ManagedRulesetPlan) -> Finding {
        let executed = if self.zone.is_active(PackageKind::Managed) {
            "it becomes a rule that executes the Managed Ruleset"
        } else {
            "it is not active and becomes a rule that would execute the Managed Ruleset, disabled"
        };
        let message = format!("this package has no score, and what it says of one is left out; {executed}");
        Finding {
            became: managed.execute_pointers(),
            ..self.member_finding(of, Fate::Changed, "detection-mode", message)
        }
    }

    fn sensitivity(&self, core: &CoreRulesetPlan) -> Finding {
        let sensitivity = self.zone.sensitivity();
        let made = |fate, code, message: String| Finding {
            became: core.sensitivity_pointers(),
            ..self.member_finding("sensitivity", fate, code, message)
        };
        let said = if self.given.sensitivity.is_some() { "is" } else { ASSUMED_DEFAULT };
        match paranoia_settings(sensitivity) {
            None => made(Fate::Carried, "sensitivity-off", "is off: the core rule set is not executed".to_owned()),
            Some(new) => {
                let name = sensitivity.name();
                let (level, score, threshold) = (new.level, new.threshold, new.name);
                let message = format!(
                    "{said} {name} and becomes paranoia level {level} and the score threshold {threshold} ({score} or \
                     higher); scores of version 3 are not those of version 2"
                );
                made(Fate::Changed, "sensitivity", message + self.inactive_note())
            }
        }
    }

    fn action(&self, core: &CoreRulesetPlan) -> Finding {
        let given = self.given.action_mode;
        let mode = given.unwrap_or(DEFAULT_ACTION_MODE);
        let made = |fate, code, message: String| Finding {
            became: core.action_pointer(),
            ..self.member_finding("action_mode", fate, code, message)
        };
        if self.zone.sensitivity() == Sensitivity::Off {
            let name = mode.name();
            if mode == DEFAULT_ACTION_MODE {
                return made(Fate::Carried, "action-unused", format!("is {name}, which counts for nothing"));
            }
            let message =
                format!("is {name}, which counts for nothing now; it has to be set when the rule set is executed");
            return made(Fate::Lost, "action-unused", message);
        }
        let said = if given.is_some() { "is" } else { ASSUMED_DEFAULT };
        let becomes = match mode {
            ActionMode::Simulate => "and becomes log, which does the same",
            ActionMode::Block | ActionMode::Challenge => "and stays so",
        };
        made(Fate::Carried, "action", format!("{said} {} {becomes}", mode.name()))
    }

    /// Creates the finding of a package without a score.
    fn traditional(&self, known: &ResolvedItem<()>, managed: &ManagedRulesetPlan, core: &CoreRulesetPlan) -> Finding {
        if let Some((code, message)) = self.skip_reason(known) {
            return self.package_finding(Fate::Lost, code, message);
        }
        let found = match known.kind {
            Some(PackageKind::Managed) => {
                let active = self.zone.is_active(PackageKind::Managed);
                let (code, message) = if active {
                    ("package-executed", "becomes a rule that executes the Managed Ruleset")
                } else {
                    (
                        "package-inactive",
                        "is not active and becomes a rule that would execute the Managed Ruleset, disabled",
                    )
                };
                Finding { became: managed.execute_pointers(), ..self.package_finding(Fate::Carried, code, message) }
            }
            Some(PackageKind::Core) => {
                let message = match (self.given.sensitivity, self.given.action_mode) {
                    (None, None) => "is given without a score; sensitivity and action are taken to be as delivered",
                    _ => "is given as a package without a score, and has one; what is not given of it is as delivered",
                };
                Finding {
                    became: core.execute_pointers(),
                    ..self.package_finding(Fate::Changed, "detection-mode", message)
                }
            }
            _ => self.custom_package(),
        };
        Self::as_duplicate(known, found)
    }

    /// Creates findings of sensitivity and action, if a package without a score has them.
    fn mismatched_score_findings(
        &self,
        known: &ResolvedItem<()>,
        managed: &ManagedRulesetPlan,
        core: &CoreRulesetPlan,
    ) -> impl Iterator<Item = Finding> {
        let [sensitivity, action] = self.anomaly_findings(known, managed, core);
        let sensitivity = self.given.sensitivity.map(|_| sensitivity);
        sensitivity.into_iter().chain(self.given.action_mode.map(|_| action))
    }

    fn custom_package(&self) -> Finding {
        let rules = self.zone.count(PackageKind::User);
        if rules == 0 {
            let message = "no rules of it are given, so there is nothing to make anew";
            return self.package_finding(Fate::Carried, "user-package-empty", message);
        }
        let message = match rules {
            1 => "a rule written at your request is in no managed ruleset".to_owned(),
            rules => format!("{rules} rules written at your request are in no managed ruleset"),
        };
        let help = "make custom rules of them; the drafts of the rules are a beginning".to_owned();
        Finding { help: Some(help), ..self.package_finding(Fate::Lost, "user-package", message) }
    }

    fn inactive_note(&self) -> &'static str {
        if self.zone.is_active(PackageKind::Core) { "" } else { "; the package is not active, so the rule is disabled" }
    }
}
