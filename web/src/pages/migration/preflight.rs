//! The preflight checks of an update.
//!
//! [`ConfirmedUpdate::take`] snapshots the page when the user confirms. [`ConfirmedUpdate::revalidate`] then reads
//! everything from the service again. The update is sent only if the service, the page and the selected zone are
//! unchanged.

use super::analysis::ConfigurationAnalysis;
use super::confirmed_update::{AbortReason, ConfirmedUpdate, PageSnapshot};
use super::context::{MigrationContext, ServiceSnapshot};
use super::source::document;
use leptos::prelude::*;
use zonewright_api::waf_migration::MigrationState;

impl PageSnapshot {
    fn now(context: MigrationContext) -> Option<PageSnapshot> {
        untrack(move || {
            let text = context.new_configuration.read().text.clone();
            let zone = context.source_zone.get();
            context.with_analysis(|analysis| PageSnapshot {
                zone,
                fingerprint: analysis.fingerprint.clone(),
                entry_point: analysis.entry_point_version(),
                text,
            })
        })
    }
}

impl ConfirmedUpdate {
    /// Creates a snapshot of the page; `None` if there is nothing to send.
    pub(super) fn take(context: MigrationContext, target: MigrationState) -> Option<ConfirmedUpdate> {
        let connection = context.service.connection.get_untracked();
        let page = PageSnapshot::now(context).filter(|page| page.zone.as_ref() == Some(&connection.zone))?;
        let configuration = context.new_configuration.get_untracked();
        let ServiceSnapshot { state, proposal, .. } = context.seen.get_untracked()?;
        Some(ConfirmedUpdate {
            name: untrack(move || context.with_analysis(ConfigurationAnalysis::zone_name)).unwrap_or_default(),
            target,
            body: configuration.body.clone()?,
            entry_point: configuration.entry_point.clone()?,
            tag: proposal?.etag?,
            page,
            seen: state,
            connection,
        })
    }

    /// Reports whether the user has selected another zone or connection.
    pub(super) fn is_left(&self, context: MigrationContext) -> bool {
        context.service.connection.get_untracked() != self.connection
    }

    /// Fails unless zone, connection and page are unchanged.
    fn still(&self, context: MigrationContext) -> Result<(), AbortReason> {
        if self.is_left(context) {
            return Err(AbortReason::ZoneChanged);
        }
        if PageSnapshot::now(context).as_ref() == Some(&self.page) {
            return Ok(());
        }
        let message = "this page was changed during the final checks: review it, then send it again";
        Err(AbortReason::StateChanged(message.to_owned()))
    }

    /// Reads everything again, and fails unless it equals the confirmed state. Zone, connection and page are compared
    /// after every response, because the user can change them during a request.
    pub(super) async fn revalidate(&self, context: MigrationContext) -> Result<(), AbortReason> {
        let client = self.client()?;
        let verdict = client.migration_check().await.map_err(AbortReason::CallFailed)?;
        self.still(context)?;
        let compatible = verdict.compatibility.compatible;
        context.seen.update(|seen| {
            if let Some(seen) = seen {
                seen.verdict = verdict;
            }
        });
        if !compatible {
            let message = "the service now reports that the zone is not compatible: see Check";
            return Err(AbortReason::StateChanged(message.to_owned()));
        }
        let document = document(context, &self.connection.zone, &client).await.map_err(AbortReason::CallFailed)?;
        self.still(context)?;
        let proposal = client.proposal().await.map_err(AbortReason::CallFailed)?;
        self.still(context)?;
        let state = client.migration_status().await.map_err(AbortReason::CallFailed)?.migration_state;
        self.still(context)?;
        self.compare(document, proposal.etag.as_deref(), state)
    }
}
