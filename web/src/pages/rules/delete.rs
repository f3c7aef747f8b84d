//! The dialog that deletes a rule or a filter.

use crate::api::{FirewallDeletion, WriteOutcome};
use crate::components::delete_dialog::{DeletionDialog, DeletionMessages, DeletionRequest};
use crate::components::dialog::Dialog;
use crate::components::form::Checkbox;
use crate::components::in_doubt::WriteFailureNotice;
use crate::state::rule_draft::RuleDraft;
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use leptos::task::spawn_local;

const MESSAGES: DeletionMessages =
    DeletionMessages { rejected: "It was not deleted", in_doubt: "We don't know whether it was deleted" };

/// A rule or a filter to delete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DeletionTarget {
    /// A rule.
    Rule {
        /// The ID of the rule.
        id: String,
        /// The description of the rule, or its expression.
        name: String,
        /// The ID of the filter of the rule.
        filter: String,
    },
    /// A filter.
    Filter {
        /// The ID of the filter.
        id: String,
        /// The expression of the filter.
        name: String,
    },
}

impl DeletionTarget {
    /// Returns the ID of the rule or the filter.
    fn id(&self) -> &str {
        match self {
            DeletionTarget::Rule { id, .. } | DeletionTarget::Filter { id, .. } => id,
        }
    }

    /// Returns the ID of the filter that the deletion may remove.
    fn filter(&self) -> &str {
        match self {
            DeletionTarget::Rule { filter, .. } => filter,
            DeletionTarget::Filter { id, .. } => id,
        }
    }
}

/// Confirms and sends the deletion, and names the filter that a deleted rule leaves behind.
#[component]
pub(crate) fn DeleteDialog(
    /// The object to delete; the dialog is closed while it is `None`.
    pending_deletion: RwSignal<Option<DeletionTarget>>,
    /// Incremented after the deletion.
    changes: RwSignal<u32>,
    /// Called when the user opens the list of filters.
    show_filters: Callback<()>,
) -> impl IntoView {
    let rule_draft = RuleDraft::get();
    let toasts = ToastContext::get();
    let dialog = DeletionDialog::new(pending_deletion, |target: &DeletionTarget| target.id().to_owned(), MESSAGES);
    let DeletionDialog { open, busy, failure, .. } = dialog;
    // Whether the filter of the rule is deleted too.
    let with_filter = RwSignal::new(false);
    // The ID of the filter that remains after its rule was deleted.
    let remaining_filter_id = RwSignal::new(None::<String>);

    Effect::new(move || {
        if pending_deletion.read().is_some() {
            remaining_filter_id.set(None);
            with_filter.set(false);
        }
    });

    let settle = move |request: DeletionRequest<DeletionTarget>, write: WriteOutcome<FirewallDeletion>| {
        dialog.finish(request, write, move |target, is_filter_gone, is_shown| {
            rule_draft.remove_rule(target.id());
            if is_filter_gone {
                rule_draft.remove_filter(target.filter());
            }
            match target {
                DeletionTarget::Rule { filter, .. } if is_shown && !is_filter_gone => {
                    remaining_filter_id.set(Some(filter))
                }
                target => {
                    if is_shown {
                        open.set(false);
                    }
                    toasts.show_success(match target {
                        DeletionTarget::Rule { .. } if is_filter_gone => "Rule and filter deleted",
                        DeletionTarget::Rule { .. } => "Rule deleted",
                        DeletionTarget::Filter { .. } => "Filter deleted",
                    });
                }
            }
            changes.try_update(|changes| *changes = changes.wrapping_add(1));
        });
    };
    let delete = move |_| {
        let Some((request, client)) = dialog.begin() else { return };
        let deletion = match request.target.clone() {
            DeletionTarget::Rule { id, filter, .. } => {
                FirewallDeletion::Rule(id, with_filter.get_untracked().then_some(filter))
            }
            DeletionTarget::Filter { id, .. } => FirewallDeletion::Filter(id),
        };
        spawn_local(async move { settle(request, client.delete_rule_or_filter(deletion).await) });
    };
    let probe_again = dialog.probe_again(settle);
    let title = Signal::derive(move || {
        let text = match (&*pending_deletion.read(), remaining_filter_id.read().is_some()) {
            (Some(DeletionTarget::Filter { .. }), _) => "Delete this filter?",
            (_, true) => "Rule deleted",
            (_, false) => "Delete this rule?",
        };
        text.to_owned()
    });
    let question = move || {
        let target = pending_deletion.get()?;
        let (name, consequence, is_rule) = match target {
            DeletionTarget::Rule { name, .. } => (
                name,
                "The rule stops applying immediately. Its filter remains for other rules unless you delete it too.",
                true,
            ),
            DeletionTarget::Filter { name, .. } => (name, "A filter that a rule uses cannot be deleted.", false),
        };
        Some(view! {
            <pre class="code-block"><code>{name}</code></pre>
            <p>{consequence}</p>
            {is_rule.then(|| view! {
                <Checkbox checked=with_filter on_change=move |is_checked| with_filter.set(is_checked)>
                    "Also delete the filter if no other rule uses it"
                </Checkbox>
            })}
            <WriteFailureNotice rejected_title="It was not deleted" in_doubt_title=MESSAGES.in_doubt failure is_deletion=true busy probe_again />
            <div class="dialog-actions">
                <button type="button" class="button" data-focus on:click=move |_| open.set(false)>"Cancel"</button>
                <button type="button" class="button danger" aria-disabled=move || busy.get().to_string() on:click=delete>"Delete"</button>
            </div>
        })
    };
    let remaining_filter = move || {
        let filter = remaining_filter_id.get()?;
        let show = move |_| {
            open.set(false);
            show_filters.run(());
        };
        Some(view! {
            <p>"Its filter " <code>{filter}</code> {move || if with_filter.get() { " was not deleted, because other rules use it." } else { " was not deleted. You can delete it in the list of filters." }}</p>
            <div class="dialog-actions">
                <button type="button" class="button" on:click=show>"Show filters"</button>
                <button type="button" class="button primary" on:click=move |_| open.set(false)>"Done"</button>
            </div>
        })
    };
    view! {
        <Dialog open title>
            {move || if remaining_filter_id.read().is_some() { remaining_filter().into_any() } else { question().into_any() }}
        </Dialog>
    }
}
