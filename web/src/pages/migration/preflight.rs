//! The checks right before an update is sent.
//!
//! [`ConfirmedUpdate::take`] snapshots the page when the user confirms. [`ConfirmedUpdate::revalidate`] then reads
//! everything from the service again. The update is sent only if the service, the page and the selected zone are still as
//! the user saw them.

use super::confirmed_update::{ConfirmedUpdate, Halt, Page};
use super::context::{MigrationContext, Seen};
use super::reading::Understood;
use super::source::document;
use leptos::prelude::*;
use zonewright_api::waf_migration::MigrationState;

impl Page {
    fn now(desk: MigrationContext) -> Option<Page> {
        untrack(move || {
            let text = desk.judged.read().text.clone();
            let zone = desk.of_zone.get();
            desk.with(|one| Page {
                zone,
                fingerprint: one.fingerprint.clone(),
                entry_point: one.entry_point_version(),
                text,
            })
        })
    }
}

impl ConfirmedUpdate {
    /// What is on the page now; none when there is nothing that could be sent.
    pub(super) fn take(desk: MigrationContext, target: MigrationState) -> Option<ConfirmedUpdate> {
        let connection = desk.service.connection.get_untracked();
        let page = Page::now(desk).filter(|page| page.zone.as_ref() == Some(&connection.zone))?;
        let judged = desk.judged.get_untracked();
        let Seen { state, proposal, .. } = desk.seen.get_untracked()?;
        Some(ConfirmedUpdate {
            name: untrack(move || desk.with(Understood::zone_name)).unwrap_or_default(),
            target,
            body: judged.body.clone()?,
            entry_point: judged.entry_point.clone()?,
            tag: proposal?.tag?,
            page,
            seen: state,
            connection,
        })
    }

    /// Whether another zone or connection is chosen now.
    pub(super) fn is_left(&self, desk: MigrationContext) -> bool {
        desk.service.connection.get_untracked() != self.connection
    }

    /// Stops unless zone, connection and page are what they were.
    fn still(&self, desk: MigrationContext) -> Result<(), Halt> {
        if self.is_left(desk) {
            return Err(Halt::Left);
        }
        if Page::now(desk).as_ref() == Some(&self.page) {
            return Ok(());
        }
        let words = "what is on this page was changed while the service was asked again: look at it, and send it then";
        Err(Halt::Stopped(words.to_owned()))
    }

    /// Asks for everything again, and stops unless all of it is what was looked at.
    pub(super) async fn revalidate(&self, desk: MigrationContext) -> Result<(), Halt> {
        let client = self.client()?;
        let verdict = client.migration_check().await.map_err(Halt::Failed)?;
        self.still(desk)?;
        let compatible = verdict.compatibility.compatible;
        desk.seen.update(|seen| {
            if let Some(seen) = seen {
                seen.verdict = verdict;
            }
        });
        if !compatible {
            let words = "the service says now that the zone is not compatible: look at the check again";
            return Err(Halt::Stopped(words.to_owned()));
        }
        let document = document(desk, &self.connection.zone, &client).await.map_err(Halt::Failed)?;
        self.still(desk)?;
        let proposal = client.proposal().await.map_err(Halt::Failed)?;
        self.still(desk)?;
        let state = client.migration_status().await.map_err(Halt::Failed)?.migration_state;
        self.still(desk)?;
        self.compare(document, proposal.tag.as_deref(), state)
    }
}
