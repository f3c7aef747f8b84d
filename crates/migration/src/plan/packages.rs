//! Creates the findings of packages.

use super::ResolvedZone;
use super::core_ruleset::CoreRulesetPlan;
use super::managed::ManagedRulesetPlan;
use super::resolved_zone::{ResolvedItem, package_name};
use crate::catalog::{DEFAULT_ACTION_MODE, PackageKind};
use crate::finding::new_finding;
use crate::paranoia::paranoia_settings;
use zonewright_api::finding::{Finding, FindingOutcome};
use zonewright_api::legacy_waf::{ActionMode, DetectionMode, Package, Sensitivity};

const DUPLICATE: &str = "duplicate";
const ASSUMED_DEFAULT: &str = "was not provided; the default is";

/// A setting of packages with a score.
#[derive(Clone, Copy)]
enum ScoreSetting {
    Sensitivity,
    ActionMode,
}

impl ScoreSetting {
    const ALL: [ScoreSetting; 2] = [ScoreSetting::Sensitivity, ScoreSetting::ActionMode];

    /// Returns the name of the member in JSON.
    fn member(self) -> &'static str {
        match self {
            ScoreSetting::Sensitivity => "sensitivity",
            ScoreSetting::ActionMode => "action_mode",
        }
    }

    fn title(self) -> &'static str {
        match self {
            ScoreSetting::Sensitivity => "Sensitivity",
            ScoreSetting::ActionMode => "Action",
        }
    }
}

/// Creates one finding for each setting of each package.
pub(super) fn findings(zone: &ResolvedZone, managed: &ManagedRulesetPlan, core: &CoreRulesetPlan) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, (given, known)) in zone.config.packages.iter().zip(&zone.packages).enumerate() {
        let planner = PackagePlanner { zone, index, given, kind: known.kind };
        if given.detection_mode == DetectionMode::Anomaly {
            findings.extend(planner.anomaly_findings(known, managed, core));
        } else {
            findings.push(planner.traditional_finding(known, managed, core));
            findings.extend(planner.mismatched_score_findings(known, managed, core));
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

    fn package_finding(&self, outcome: FindingOutcome, code: &'static str, message: impl Into<String>) -> Finding {
        new_finding(outcome, code, format!("/packages/{}", self.index), format!("Package {}", self.name()), message)
    }

    fn setting_finding(
        &self,
        setting: ScoreSetting,
        outcome: FindingOutcome,
        code: &'static str,
        message: impl Into<String>,
    ) -> Finding {
        let name = format!("{} of {}", setting.title(), self.name());
        new_finding(outcome, code, format!("/packages/{}/{}", self.index, setting.member()), name, message)
    }

    /// Returns the code and the message if the package is lost.
    fn loss_reason(&self, known: &ResolvedItem<()>) -> Option<(&'static str, String)> {
        if known.kind.is_none() {
            let message = "no package with this ID or name is known, so it is not migrated";
            return Some(("package-unknown", message.to_owned()));
        }
        let first_index = known.duplicate_of.filter(|first_index| !self.has_same_settings(*first_index))?;
        Some((DUPLICATE, format!("duplicates `/packages/{first_index}`, whose settings differ and take effect")))
    }

    fn has_same_settings(&self, first_index: usize) -> bool {
        let settings = |package: &Package| (package.detection_mode, package.sensitivity, package.action_mode);
        let first = self.zone.config.packages.get(first_index);
        first.is_some_and(|first| settings(first) == settings(self.given) && first.status == self.given.status)
    }

    /// Turns a finding into that of a duplicate with the same settings.
    fn as_duplicate(known: &ResolvedItem<()>, mut finding: Finding) -> Finding {
        if let Some(first_index) = known.duplicate_of {
            finding.code = DUPLICATE;
            finding.message = format!("duplicates `/packages/{first_index}`");
        }
        finding
    }

    /// Creates the findings of the score settings of a package: sensitivity and action. The package itself may have no
    /// score.
    fn anomaly_findings(
        &self,
        known: &ResolvedItem<()>,
        managed: &ManagedRulesetPlan,
        core: &CoreRulesetPlan,
    ) -> [Finding; 2] {
        let lost_finding = |code, message: &str| {
            ScoreSetting::ALL.map(|setting| self.setting_finding(setting, FindingOutcome::Lost, code, message))
        };
        if let Some((code, message)) = self.loss_reason(known) {
            return lost_finding(code, &message);
        }
        if known.kind == Some(PackageKind::Managed) && self.given.detection_mode == DetectionMode::Anomaly {
            return ScoreSetting::ALL
                .map(|setting| self.mismatched_managed_finding(setting, managed))
                .map(|finding| Self::as_duplicate(known, finding));
        }
        if known.kind != Some(PackageKind::Core) {
            return lost_finding("detection-mode", "this package has no score, so its score settings are ignored");
        }
        [self.sensitivity_finding(core), self.action_finding(core)].map(|finding| Self::as_duplicate(known, finding))
    }

    /// Creates the finding of the provider's package if the configuration gives it a score, which is ignored.
    fn mismatched_managed_finding(&self, setting: ScoreSetting, managed: &ManagedRulesetPlan) -> Finding {
        let executed = if self.zone.is_active(PackageKind::Managed) {
            "it becomes a rule that executes the Managed Ruleset"
        } else {
            "it is not active and becomes a disabled rule that executes the Managed Ruleset"
        };
        let message = format!("this package has no score, so its score settings are ignored; {executed}");
        Finding {
            targets: managed.execute_pointers(),
            ..self.setting_finding(setting, FindingOutcome::Changed, "detection-mode", message)
        }
    }

    fn sensitivity_finding(&self, core: &CoreRulesetPlan) -> Finding {
        let sensitivity = self.zone.sensitivity();
        let finding = |outcome, code, message: String| Finding {
            targets: core.sensitivity_pointers(),
            ..self.setting_finding(ScoreSetting::Sensitivity, outcome, code, message)
        };
        match paranoia_settings(sensitivity) {
            None => finding(
                FindingOutcome::Carried,
                "sensitivity-off",
                "is off, so the core rule set is not executed".to_owned(),
            ),
            Some(new) => {
                let name = sensitivity.name();
                let (level, score, threshold) = (new.level, new.threshold, new.threshold_name);
                let subject = match self.given.sensitivity {
                    Some(_) => name.to_owned(),
                    None => format!("{ASSUMED_DEFAULT} {name} and"),
                };
                let message = format!(
                    "{subject} becomes paranoia level {level} and the score threshold {threshold} ({score} or \
                     higher); scores in version 3 differ from those in version 2"
                );
                finding(FindingOutcome::Changed, "sensitivity", message + self.inactive_note())
            }
        }
    }

    fn action_finding(&self, core: &CoreRulesetPlan) -> Finding {
        let given = self.given.action_mode;
        let mode = given.unwrap_or(DEFAULT_ACTION_MODE);
        let finding = |outcome, code, message: String| Finding {
            targets: core.action_pointers(),
            ..self.setting_finding(ScoreSetting::ActionMode, outcome, code, message)
        };
        if self.zone.sensitivity() == Sensitivity::Off {
            let name = mode.name();
            if mode == DEFAULT_ACTION_MODE {
                return finding(FindingOutcome::Carried, "action-unused", format!("is {name}, which has no effect"));
            }
            let message = format!("is {name}, which has no effect now; set it again when you execute the rule set");
            return finding(FindingOutcome::Lost, "action-unused", message);
        }
        let result = match mode {
            ActionMode::Simulate => "becomes log, which is equivalent",
            ActionMode::Block | ActionMode::Challenge => "stays unchanged",
        };
        let message = match given {
            Some(_) => format!("{} {result}", mode.name()),
            None => format!("{ASSUMED_DEFAULT} {} and {result}", mode.name()),
        };
        finding(FindingOutcome::Carried, "action", message)
    }

    /// Creates the finding of a package without a score.
    fn traditional_finding(
        &self,
        known: &ResolvedItem<()>,
        managed: &ManagedRulesetPlan,
        core: &CoreRulesetPlan,
    ) -> Finding {
        if let Some((code, message)) = self.loss_reason(known) {
            return self.package_finding(FindingOutcome::Lost, code, message);
        }
        let finding = match known.kind {
            Some(PackageKind::Managed) => {
                let active = self.zone.is_active(PackageKind::Managed);
                let (code, message) = if active {
                    ("package-executed", "becomes a rule that executes the Managed Ruleset")
                } else {
                    ("package-inactive", "is not active and becomes a disabled rule that executes the Managed Ruleset")
                };
                Finding {
                    targets: managed.execute_pointers(),
                    ..self.package_finding(FindingOutcome::Carried, code, message)
                }
            }
            Some(PackageKind::Core) => {
                let message = match (self.given.sensitivity, self.given.action_mode) {
                    (None, None) => "is provided without a score; the default sensitivity and action are assumed",
                    _ => {
                        "is provided as a package without a score but has score settings; defaults are assumed for missing ones"
                    }
                };
                Finding {
                    targets: core.execute_pointers(),
                    ..self.package_finding(FindingOutcome::Changed, "detection-mode", message)
                }
            }
            _ => self.custom_package_finding(),
        };
        Self::as_duplicate(known, finding)
    }

    /// Creates the findings of sensitivity and action, if a package without a score has these settings.
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

    fn custom_package_finding(&self) -> Finding {
        let rules = self.zone.count_rules(PackageKind::User);
        if rules == 0 {
            let message = "no rules were provided for it, so there is nothing to recreate";
            return self.package_finding(FindingOutcome::Carried, "user-package-empty", message);
        }
        let message = match rules {
            1 => "one rule written at your request is not in any managed ruleset".to_owned(),
            rules => format!("{rules} rules written at your request are not in any managed ruleset"),
        };
        let help = "recreate each rule as a custom rule; use the suggested rules as a starting point".to_owned();
        Finding { help: Some(help), ..self.package_finding(FindingOutcome::Lost, "user-package", message) }
    }

    fn inactive_note(&self) -> &'static str {
        if self.zone.is_active(PackageKind::Core) { "" } else { "; the package is not active, so the rule is disabled" }
    }
}
