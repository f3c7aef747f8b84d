//! Defines the levels and kinds of rulesets in each phase, and the actions of their rules (documented; assumption
//! ruleset-levels).
//!
//! Start with [`allowed_actions`] and [`allows_kind`].

use super::{Level, RulesetContext};
use zonewright_api::ruleset::{RulesetAction, RulesetKind};
use zonewright_expression::schema::{Phase, Traffic};

use RulesetAction::{
    Block, Challenge, CompressResponse, Execute, JsChallenge, Log, LogCustomField, ManagedChallenge, Redirect, Rewrite,
    Route, Score, ServeError, SetCacheControl, SetCacheSettings, SetCacheTags, SetConfig, Skip,
};

/// Returns whether the phase has an entry point at this level.
pub fn has_entry_point(phase: Phase, level: Level) -> bool {
    let phases_of_both_levels = [
        Phase::DdosL7,
        Phase::HttpRequestFirewallCustom,
        Phase::HttpRatelimit,
        Phase::HttpRequestFirewallManaged,
        Phase::HttpCustomErrors,
        Phase::HttpResponseFirewallManaged,
    ];
    let is_account_only = phase.traffic() == Traffic::Packet || phase == Phase::HttpRequestRedirect;
    match level {
        Level::Zone => !is_account_only,
        Level::Account => is_account_only || phases_of_both_levels.contains(&phase),
    }
}

/// Returns whether a phase can have a ruleset of this kind at this level. Custom rulesets exist only for custom rules
/// and rate limits of accounts.
pub fn allows_kind(phase: Phase, level: Level, kind: RulesetKind) -> bool {
    match kind {
        RulesetKind::Managed => false,
        RulesetKind::Custom => {
            level == Level::Account && matches!(phase, Phase::HttpRequestFirewallCustom | Phase::HttpRatelimit)
        }
        RulesetKind::Zone | RulesetKind::Root => kind == level.entry_point_kind() && has_entry_point(phase, level),
    }
}

/// Returns the actions of rules in this context.
pub fn allowed_actions(context: &RulesetContext<'_>) -> Vec<RulesetAction> {
    let mut actions = phase_actions(context.phase).to_vec();
    if context.kind == RulesetKind::Custom {
        // An executed ruleset cannot execute another one.
        actions.retain(|action| *action != Execute);
    }
    if context.phase == Phase::HttpRequestFirewallCustom && context.level == Level::Account {
        // The rewrite notifies the origin of leaked credentials.
        actions.push(Rewrite);
    }
    actions
}

fn phase_actions(phase: Phase) -> &'static [RulesetAction] {
    match phase {
        Phase::DdosL4 | Phase::DdosL7 | Phase::HttpRequestSanitize | Phase::HttpResponseFirewallManaged => &[Execute],
        Phase::MagicTransit | Phase::MagicTransitManaged | Phase::MagicTransitIdsManaged => {
            &[Block, Skip, Log, Execute]
        }
        Phase::MagicTransitRatelimit => &[Block, Log, Execute],
        Phase::HttpRequestDynamicRedirect | Phase::HttpRequestRedirect => &[Redirect],
        Phase::HttpRequestTransform | Phase::HttpRequestLateTransform | Phase::HttpResponseHeadersTransform => {
            &[Rewrite]
        }
        Phase::HttpConfigSettings => &[SetConfig],
        Phase::HttpRequestOrigin => &[Route],
        Phase::HttpRequestFirewallCustom => {
            &[Block, Challenge, JsChallenge, ManagedChallenge, Skip, Log, Execute, Score]
        }
        Phase::HttpRatelimit => &[Block, Challenge, JsChallenge, ManagedChallenge, Log, Execute],
        Phase::HttpRequestFirewallManaged => &[Execute, Skip],
        Phase::HttpRequestSbfm => &[Block, Challenge, JsChallenge, ManagedChallenge],
        Phase::HttpRequestCacheSettings => &[SetCacheSettings],
        Phase::HttpResponseCacheSettings => &[SetCacheSettings, SetCacheControl, SetCacheTags],
        Phase::HttpCustomErrors => &[ServeError],
        Phase::HttpResponseCompression => &[CompressResponse],
        Phase::HttpLogCustomFields => &[LogCustomField],
    }
}
