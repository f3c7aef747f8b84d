//! The part of the migration that the browser stores: a configuration that the user pasted or opened, and the edit of the
//! new configuration.
//!
//! A configuration that was read from the service is not stored, because it is read again anyway before it is used. The
//! step follows from the migration state, and backup and confirmations must be repeated.

use super::{ProposalContext, SourceContext};
use crate::storage::{self, Item, Workspace};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredMigration {
    /// The pasted configuration.
    text: String,
    /// The edit of the new configuration for the pasted one.
    edited: Option<String>,
    /// The edits of the new configurations for those that were read from zones, by zone key.
    zone_edits: BTreeMap<String, String>,
    /// The ID of a zone, and its edit, as an earlier version stored it.
    #[serde(skip_serializing)]
    zone_edit: Option<(String, String)>,
}

/// Restores the input of the last visit.
pub(super) fn restore(source: SourceContext, proposal: ProposalContext) {
    let Some(stored) = storage::restore_json::<StoredMigration>(Item::Migration) else { return };
    source.text.set(stored.text);
    proposal.edited.set(stored.edited);
    let mut edits = stored.zone_edits;
    if let Some((zone, text)) = stored.zone_edit {
        edits.entry(untrack(|| source.service.key_of_zone(&zone))).or_insert(text);
    }
    proposal.unloaded_edits.set(edits);
}

/// Stores every change of the input.
pub(super) fn persist(source: SourceContext, proposal: ProposalContext) {
    Workspace::get().persist(Item::Migration, move || {
        let mut stored = StoredMigration { zone_edits: proposal.unloaded_edits.get(), ..StoredMigration::default() };
        match source.zone_key.get() {
            Some(key) => {
                if let Some(text) = proposal.unsaved_edit() {
                    stored.zone_edits.insert(key, text);
                }
            }
            None => {
                stored.text = source.text.get();
                stored.edited = proposal.edited.get();
            }
        }
        storage::to_json(&stored)
    });
}
