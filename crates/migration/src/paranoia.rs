//! Maps the sensitivity of the previous core rule set to the paranoia level and score threshold of the new one (§2.6).

use zonewright_api::legacy_waf::{ActionMode, Sensitivity};
use zonewright_api::ruleset::{CategoryOverride, Overrides, RuleOverride, RulesetAction};

use crate::catalog::SCORE_RULE_ID;

/// The paranoia level and the score threshold of the new core rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ParanoiaSettings {
    /// The highest paranoia level whose rules are enabled, from 1 to 4.
    pub(crate) level: u8,
    /// The anomaly score from which a request is acted on.
    pub(crate) threshold: u32,
    /// The display name of the threshold.
    pub(crate) threshold_name: &'static str,
}

/// Returns the settings for a sensitivity, or `None` if the rule set is off (assumption sensitivity-off).
pub(crate) fn paranoia_settings(sensitivity: Sensitivity) -> Option<ParanoiaSettings> {
    let (level, threshold, threshold_name) = match sensitivity {
        Sensitivity::High | Sensitivity::Default => (2, 40, "medium"),
        Sensitivity::Medium => (1, 25, "high"),
        Sensitivity::Low => (1, 40, "medium"),
        Sensitivity::Off => return None,
    };
    Some(ParanoiaSettings { level, threshold, threshold_name })
}

/// Returns the new action for a previous one: simulate becomes log, and the others keep their names.
pub(crate) fn ruleset_action(mode: ActionMode) -> RulesetAction {
    match mode {
        ActionMode::Simulate => RulesetAction::Log,
        ActionMode::Block => RulesetAction::Block,
        ActionMode::Challenge => RulesetAction::Challenge,
    }
}

/// Returns the categories of the paranoia levels 1 to 4. Each rule of the new core rule set is in exactly one of them,
/// except [`SCORE_RULE_ID`], which is in none.
pub(crate) fn paranoia_categories() -> [String; 4] {
    [1, 2, 3, 4].map(|level| format!("paranoia-level-{level}"))
}

/// Returns the overrides of the new core rule set: higher paranoia levels are off, and [`SCORE_RULE_ID`] has the
/// threshold and the action.
pub(crate) fn core_overrides(settings: ParanoiaSettings, action: RulesetAction) -> Overrides {
    let off = |level: String| CategoryOverride { category: level, enabled: Some(false), ..Default::default() };
    let score_rule = RuleOverride {
        id: SCORE_RULE_ID.to_owned(),
        action: Some(action),
        score_threshold: Some(settings.threshold),
        ..RuleOverride::default()
    };
    Overrides {
        categories: paranoia_categories().into_iter().skip(settings.level.into()).map(off).collect(),
        rules: vec![score_rule],
        ..Overrides::default()
    }
}
