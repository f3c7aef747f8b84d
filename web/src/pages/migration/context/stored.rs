//! The part of the migration that the browser stores: a configuration that the user pasted or opened, and the edit of the
//! new configuration.
//!
//! A configuration that was read from the service is not stored, because it is read again anyway before it is used. The
//! step follows from the migration state, and backup and confirmations must be repeated.

use super::{ProposalContext, SourceContext};
use crate::storage::{self, Item, Workspace};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredMigration {
    /// The pasted configuration.
    text: String,
    /// The edit of the new configuration for the pasted one.
    edited: Option<String>,
    /// The ID of a zone, and the edit of the new configuration for the one that was read from it.
    zone_edit: Option<(String, String)>,
}

/// Restores the input of the last visit.
pub(super) fn restore(source: SourceContext, proposal: ProposalContext) {
    let Some(stored) = storage::restore_json::<StoredMigration>(Item::Migration) else { return };
    source.text.set(stored.text);
    proposal.edited.set(stored.edited);
    proposal.unloaded_edit.set(stored.zone_edit);
}

/// Stores every change of the input.
pub(super) fn persist(source: SourceContext, proposal: ProposalContext) {
    Workspace::get().persist(Item::Migration, move || {
        let unloaded_edit = proposal.unloaded_edit.get();
        let stored = match source.zone.get() {
            Some(zone) => StoredMigration {
                text: String::new(),
                edited: None,
                zone_edit: proposal.unsaved_edit().map(|text| (zone, text)).or(unloaded_edit),
            },
            None => {
                StoredMigration { text: source.text.get(), edited: proposal.edited.get(), zone_edit: unloaded_edit }
            }
        };
        storage::to_json(&stored)
    });
}
