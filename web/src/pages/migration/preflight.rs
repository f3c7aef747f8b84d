//! The preflight checks of an update.
//!
//! [`ConfirmedUpdate::capture`] snapshots the page when the user confirms. [`ConfirmedUpdate::revalidate`] then reads
//! everything from the service again. The update is sent only if the service, the page and the selected zone are
//! unchanged.

use super::analysis::ConfigurationAnalysis;
use super::confirmed_update::{AbortReason, ConfirmedUpdate, PageSnapshot};
use super::context::{MigrationContext, ProposalContext, ServiceSnapshot, SourceContext};
use super::source::fetch_document;
use crate::state::service::ServiceContext;
use leptos::prelude::*;
use zonewright_api::waf_migration::MigrationState;

impl PageSnapshot {
    fn capture(source: SourceContext, proposal: ProposalContext) -> Option<PageSnapshot> {
        untrack(move || {
            let text = proposal.new_configuration.read().text.clone();
            let zone = source.zone.get();
            source.with_analysis(|analysis| PageSnapshot {
                zone,
                fingerprint: analysis.fingerprint.clone(),
                entry_point_version: analysis.entry_point_version(),
                text,
            })
        })
    }
}

impl ConfirmedUpdate {
    /// Creates a snapshot of the page; `None` if the update is incomplete or the page does not show the selected zone.
    pub(super) fn capture(context: MigrationContext, target: MigrationState) -> Option<ConfirmedUpdate> {
        let connection = context.source.service.connection.get_untracked();
        let page = PageSnapshot::capture(context.source, context.proposal)
            .filter(|page| page.zone.as_ref() == Some(&connection.zone))?;
        let configuration = context.proposal.new_configuration.get_untracked();
        let ServiceSnapshot { state, proposal, .. } = context.snapshot.responses.get_untracked()?;
        Some(ConfirmedUpdate {
            name: untrack(move || context.source.with_analysis(ConfigurationAnalysis::zone_name)).unwrap_or_default(),
            target,
            body: configuration.body.clone()?,
            entry_point: configuration.entry_point.clone()?,
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
        if PageSnapshot::capture(context.source, context.proposal).as_ref() == Some(&self.page) {
            return Ok(());
        }
        let message =
            "The configuration on this page was changed during the final checks. Review it, then send it again.";
        Err(AbortReason::StateChanged(message.to_owned()))
    }

    /// Reads everything again, and fails unless it equals the confirmed state. Zone, connection and page are compared
    /// after every response, because the user can change them during a request. The new result of the check replaces
    /// the one on the page.
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
        let proposal = client.proposal().await.map_err(AbortReason::CallFailed)?;
        self.expect_unchanged(context)?;
        let state = client.migration_status().await.map_err(AbortReason::CallFailed)?.migration_state;
        self.expect_unchanged(context)?;
        self.compare(document, proposal.etag.as_deref(), state)
    }
}
