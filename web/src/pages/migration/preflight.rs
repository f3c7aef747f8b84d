//! The preflight checks of an update.
//!
//! [`ConfirmedUpdate::capture`] snapshots the page when the user confirms. [`ConfirmedUpdate::revalidate`] then reads
//! everything from the service again. The update is sent only if the service, the page and the selected zone are
//! unchanged.

use super::analysis::ConfigurationAnalysis;
use super::confirmed_update::{AbortReason, CHANGED_MESSAGE, ConfirmedUpdate, PageSnapshot};
use super::context::{MigrationContext, ProposalContext, ServiceSnapshot, SourceContext};
use super::source::{document_to_text, fetch_document};
use super::zone_configuration::{Configuration, ConfigurationState};
use crate::engine::{Channel, Worker};
use crate::state::service::ServiceContext;
use leptos::prelude::*;
use serde_json::Value;
use zonewright_api::waf_migration::MigrationState;

impl PageSnapshot {
    fn capture(source: SourceContext, proposal: ProposalContext) -> Option<PageSnapshot> {
        untrack(move || {
            let text = proposal.text.get()?;
            let zone = source.zone.get();
            source.with_analysis(|analysis| PageSnapshot {
                zone,
                fingerprint: analysis.configuration.fingerprint.clone(),
                entry_point_version: analysis.configuration.entry_point_version(),
                plan: analysis.plan.clone(),
                text,
            })
        })
    }
}

impl ConfirmedUpdate {
    /// Creates a snapshot of the page; `None` if the update is incomplete, if the engine has not answered for exactly this
    /// configuration, or if the page does not show the selected zone.
    pub(super) fn capture(context: MigrationContext, target: MigrationState) -> Option<ConfirmedUpdate> {
        let connection = context.source.service.connection.get_untracked();
        let page = PageSnapshot::capture(context.source, context.proposal)
            .filter(|page| page.zone.as_ref() == Some(&connection.zone))?;
        let new =
            untrack(move || context.proposal.validated()).filter(|new| new.is_valid() && new.text == page.text)?;
        let ServiceSnapshot { state, proposal, .. } = context.snapshot.responses.get_untracked()?;
        Some(ConfirmedUpdate {
            name: untrack(move || context.source.with_configuration(Configuration::zone_name)).unwrap_or_default(),
            target,
            body: new.body.clone()?,
            entry_point: new.entry_point.clone()?,
            etag: proposal?.etag?,
            page,
            state,
            connection,
        })
    }

    /// Returns whether the user has selected another zone or connection.
    pub(super) fn is_deselected(&self, service: ServiceContext) -> bool {
        service.connection.get_untracked() != self.connection
    }

    /// Fails unless zone, connection and page are unchanged.
    fn expect_unchanged(&self, context: MigrationContext) -> Result<(), AbortReason> {
        if self.is_deselected(context.source.service) {
            return Err(AbortReason::ZoneChanged);
        }
        if !context.update.is_revalidating(self) {
            let message = "The configuration was loaded again during the final checks. Review it, then send it again.";
            return Err(AbortReason::StateChanged(message.to_owned()));
        }
        if PageSnapshot::capture(context.source, context.proposal).as_ref() == Some(&self.page) {
            return Ok(());
        }
        let message =
            "The configuration on this page was changed during the final checks. Review it, then send it again.";
        Err(AbortReason::StateChanged(message.to_owned()))
    }

    /// Reads everything again, lets the engine analyze it, and fails unless it equals the confirmed state. Zone,
    /// connection and page are compared after every response, because the user can change them during a request. The new
    /// result of the check replaces the one on the page.
    pub(super) async fn revalidate(&self, context: MigrationContext) -> Result<(), AbortReason> {
        let client = self.client()?;
        let verdict = client.migration_check().await.map_err(AbortReason::CallFailed)?;
        self.expect_unchanged(context)?;
        let compatible = verdict.compatibility.compatible;
        context.snapshot.responses.update(|responses| {
            if let Some(responses) = responses {
                responses.verdict = verdict;
            }
        });
        if !compatible {
            let message = "The service now reports that the zone is not compatible. See Check for the reason.";
            return Err(AbortReason::StateChanged(message.to_owned()));
        }
        let document = fetch_document(context.source.service, &self.connection.zone, &client)
            .await
            .map_err(AbortReason::CallFailed)?;
        self.expect_unchanged(context)?;
        let current = analyze_again(&document).await?;
        self.expect_unchanged(context)?;
        let proposal = client.proposal().await.map_err(AbortReason::CallFailed)?;
        self.expect_unchanged(context)?;
        let state = client.migration_status().await.map_err(AbortReason::CallFailed)?.migration_state;
        self.expect_unchanged(context)?;
        self.compare(&current, proposal.etag.as_deref(), state)
    }
}

/// Analyzes the configuration that was read again.
async fn analyze_again(document: &Value) -> Result<ConfigurationAnalysis, AbortReason> {
    let ConfigurationState::Valid(configuration) = ConfigurationState::read(&document_to_text(document)) else {
        return Err(AbortReason::StateChanged(CHANGED_MESSAGE.to_owned()));
    };
    let analyzed = ConfigurationAnalysis::analyze(Channel::new(Worker::Tools), configuration).await;
    analyzed.map_err(|error| AbortReason::EngineFailed(error.reason().to_owned()))
}
