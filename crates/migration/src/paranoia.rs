//! What the sensitivity of the previous core rule set becomes (§2.6).

use zonewright_api::legacy_waf::{ActionMode, Sensitivity};
use zonewright_api::ruleset::{CategoryOverride, Overrides, RuleOverride, RulesetAction};

use crate::catalogue::SCORE_RULE;

/// How strict the new core rule set is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ParanoiaSettings {
    /// Rules up to this paranoia level are in effect: 1 to 4.
    pub(crate) level: u8,
    /// From this score on, a request is acted on.
    pub(crate) threshold: u32,
    /// The threshold's name.
    pub(crate) name: &'static str,
}

/// The strictness for a sensitivity; nothing when the rule set is not to run at all (assumption
/// sensitivity-off).
pub(crate) fn strictness(sensitivity: Sensitivity) -> Option<ParanoiaSettings> {
    let (level, threshold, name) = match sensitivity {
        Sensitivity::High | Sensitivity::Default => (2, 40, "medium"),
        Sensitivity::Medium => (1, 25, "high"),
        Sensitivity::Low => (1, 40, "medium"),
        Sensitivity::Off => return None,
    };
    Some(ParanoiaSettings { level, threshold, name })
}

/// The action for one of before: simulate is log now, the others keep their names.
pub(crate) fn action(mode: ActionMode) -> RulesetAction {
    match mode {
        ActionMode::Simulate => RulesetAction::Log,
        ActionMode::Block => RulesetAction::Block,
        ActionMode::Challenge => RulesetAction::Challenge,
    }
}

/// The categories of the new core rule set that are its paranoia levels, 1 to 4; each rule is in one.
pub(crate) fn levels() -> [String; 4] {
    [1, 2, 3, 4].map(|level| format!("paranoia-level-{level}"))
}

/// The overrides of the new core rule set: higher paranoia levels off, and the last rule with threshold and
/// action.
pub(crate) fn overrides(strictness: ParanoiaSettings, action: RulesetAction) -> Overrides {
    let off = |level: String| CategoryOverride { category: level, enabled: Some(false), ..Default::default() };
    let last = RuleOverride {
        id: SCORE_RULE.to_owned(),
        action: Some(action),
        score_threshold: Some(strictness.threshold),
        ..RuleOverride::default()
    };
    Overrides {
        categories: levels().into_iter().skip(strictness.level.into()).map(off).collect(),
        rules: vec![last],
        ..Overrides::default()
    }
}
