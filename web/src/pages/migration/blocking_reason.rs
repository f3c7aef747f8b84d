//! The reason why an update of the migration cannot be sent.

use super::context::{MigrationContext, ServiceSnapshot};
use super::ruleset_editor::NO_MANAGED_RULESET_MESSAGE;
use leptos::prelude::*;
use zonewright_api::waf_migration::MigrationState;

/// The reason why an update cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockingReason {
    /// The zone, the service or the new configuration prevents it; the message says which.
    Problem(&'static str),
    /// The engine has not checked the new configuration yet, or has failed.
    Unchecked,
}

impl BlockingReason {
    /// Returns the message.
    pub(super) fn message(self) -> &'static str {
        match self {
            BlockingReason::Problem(message) => message,
            BlockingReason::Unchecked => "Checking the new configuration…",
        }
    }
}

/// Returns the reason why an update to a target state cannot be sent; `None` if it can.
pub(super) fn blocking_reason(context: MigrationContext, target: MigrationState) -> Option<BlockingReason> {
    if let Some(missing) = context.source.service.connection.read().missing_setting() {
        return Some(BlockingReason::Problem(missing));
    }
    let message = if !context.source.is_of_zone() {
        "The configuration was not loaded from the selected zone. Load it in the Check step."
    } else if context
        .source
        .with_analysis(|analysis| !analysis.blockers.is_empty() || !analysis.support_findings.is_empty())
        .unwrap_or(true)
    {
        "The zone cannot migrate. See Check for the reason."
    } else if let Some(message) = missing_proposal_reason(&context.snapshot.responses.read()) {
        message
    } else if !context.proposal.new_configuration.read().problems.is_empty()
        || context.proposal.new_configuration.read().body.is_none()
    {
        "The new configuration has problems. Fix them in the Review step."
    } else if target == MigrationState::Pending {
        match context.proposal.lacks_managed_rules() {
            Some(true) => NO_MANAGED_RULESET_MESSAGE,
            Some(false) => return None,
            None => return Some(BlockingReason::Unchecked),
        }
    } else {
        return None;
    };
    Some(BlockingReason::Problem(message))
}

/// Returns the reason why no conditional update is possible. Without the entity tag of a proposal, an update could
/// overwrite a concurrent change.
fn missing_proposal_reason(responses: &Option<ServiceSnapshot>) -> Option<&'static str> {
    match responses.as_ref().map(|responses| responses.proposal.as_ref().map(|proposal| &proposal.etag)) {
        Some(Some(Some(_))) => None,
        Some(Some(None)) => Some(
            "The service returned its proposal without an ETag, so an update could overwrite a concurrent change. \
             Nothing is sent. The ETag can be missing if the service is on a different site than \
             this page.",
        ),
        _ => Some("The service proposes no configuration for the zone. See Check for the reason."),
    }
}
