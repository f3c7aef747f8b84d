//! A notice about an edit conflict: another user changed the object since editing began.

use crate::components::icon::{Icon, IconView};
use leptos::prelude::*;

/// A member that changed since editing began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConflictingMember {
    /// The name of the member.
    pub(crate) name: String,
    /// The value when editing began.
    pub(crate) before: String,
    /// The current value.
    pub(crate) now: String,
    /// The value after overwriting.
    pub(crate) after: String,
}

/// Shows the differences and lets the user choose between the two versions.
#[component]
pub(crate) fn EditConflict(
    /// The kind of the object: `rule`.
    noun: &'static str,
    /// The members that differ.
    differences: Vec<ConflictingMember>,
    /// Discards the input and loads the current object.
    discard: Callback<()>,
    /// Sends the input.
    overwrite: Callback<()>,
) -> impl IntoView {
    let rows = differences.into_iter().map(|ConflictingMember { name, before, now, after }| {
        view! {
            <tr role="row">
                <th role="rowheader" scope="row">{name}</th>
                <td role="cell" data-label="When you opened it">{value_or_none(before)}</td>
                <td role="cell" data-label="Now">{value_or_none(now)}</td>
                <td role="cell" data-label="If you overwrite">{value_or_none(after)}</td>
            </tr>
        }
    });
    view! {
        <div class="notice warning conflict" role="alert">
            <IconView icon=Icon::Warning />
            <div class="notice-body">
                <p class="notice-title">{format!("Someone else changed this {noun} while you were editing it")}</p>
                <p>"Your changes were not saved."</p>
                <table class="conflict-table" role="table" aria-label="Conflicting changes">
                    <thead role="rowgroup">
                        <tr role="row">
                            <td role="cell"></td>
                            <th role="columnheader" scope="col">"When you opened it"</th>
                            <th role="columnheader" scope="col">"Now"</th>
                            <th role="columnheader" scope="col">"If you overwrite"</th>
                        </tr>
                    </thead>
                    <tbody role="rowgroup">{rows.collect_view()}</tbody>
                </table>
                <div class="wrap-row">
                    <button type="button" class="button" on:click=move |_| discard.run(())>"Discard my changes"</button>
                    <button type="button" class="button danger" on:click=move |_| overwrite.run(())>"Overwrite"</button>
                </div>
            </div>
        </div>
    }
}

fn value_or_none(text: String) -> AnyView {
    if text.is_empty() { view! { <span class="quiet">"none"</span> }.into_any() } else { text.into_any() }
}
