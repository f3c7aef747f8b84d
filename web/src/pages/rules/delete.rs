//! The question before something is deleted.

use crate::api::{Client, FirewallDeletion, Lost, Write};
use crate::components::dialog::Dialog;
use crate::components::lost_write::{Attempt, AttemptNotice, words_of_unknown};
use crate::session::Session;
use leptos::prelude::*;
use leptos::task::spawn_local;

const UNKNOWN: &str = "Whether it was deleted is not known";

/// What is to be deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Doomed {
    /// A rule.
    Rule {
        /// Identifier of the rule.
        id: String,
        /// Its description, or its expression.
        name: String,
        /// Identifier of its filter.
        filter: String,
    },
    /// A filter.
    Filter {
        /// Identifier of the filter.
        id: String,
        /// Its expression.
        name: String,
    },
}

/// Asks, deletes, and says what is left.
#[component]
pub(crate) fn DeleteDialog(
    /// What is to be deleted; nothing is shown while it is `None`.
    doomed: RwSignal<Option<Doomed>>,
    /// Changes when something was deleted.
    changes: RwSignal<u32>,
    /// Called when the list of filters is asked for.
    show_filters: Callback<()>,
) -> impl IntoView {
    let session = Session::get();
    let open = RwSignal::new(false);
    let busy = RwSignal::new(false);
    let attempt = RwSignal::new(None::<Attempt<FirewallDeletion>>);
    // Whether the filter of the rule is to go too.
    let with_filter = RwSignal::new(false);
    // Set once a rule is gone: the filter that it leaves behind.
    let left_behind = RwSignal::new(None::<String>);

    Effect::new(move || {
        if doomed.get().is_some() {
            attempt.set(None);
            left_behind.set(None);
            with_filter.set(false);
            open.set(true);
        }
    });
    Effect::new(move || {
        if !open.get() {
            doomed.set(None);
        }
    });

    let settle = move |target: Doomed, write: Write<FirewallDeletion>| {
        // A deletion goes on when the dialog is closed or the page is left.
        let shown = busy.try_set(false).is_none() && open.get_untracked();
        match (write, target) {
            (Write::Made(gone), Doomed::Rule { id, filter, .. }) => {
                session.draft.forget(&id);
                if gone {
                    session.draft.forget_filter(&filter);
                }
                if gone || !shown {
                    open.try_set(false);
                    session.say_done(if gone { "Rule and filter deleted" } else { "Rule deleted" });
                } else {
                    left_behind.set(Some(filter));
                }
            }
            (Write::Made(_), Doomed::Filter { id, .. }) => {
                session.draft.forget_filter(&id);
                open.try_set(false);
                session.say_done("Filter deleted");
            }
            (Write::Refused(_), _) if !shown => return session.say_problem("It was not deleted"),
            (Write::Unknown(_), _) if !shown => return session.say_problem(words_of_unknown(UNKNOWN)),
            (Write::Refused(problem), _) => return attempt.set(Some(Attempt::Refused(problem))),
            (Write::Unknown(lost), _) => return attempt.set(Some(Attempt::Unknown(Box::new(lost)))),
        }
        changes.try_update(|changes| *changes = changes.wrapping_add(1));
    };
    let delete = move |_| {
        let Some(target) = doomed.get_untracked().filter(|_| !busy.get_untracked()) else { return };
        let client = Client::timed(session.connection.get_untracked());
        busy.set(true);
        attempt.set(None);
        let deletion = match target.clone() {
            Doomed::Rule { id, filter, .. } => {
                FirewallDeletion::Rule(id, with_filter.get_untracked().then_some(filter))
            }
            Doomed::Filter { id, .. } => FirewallDeletion::Filter(id),
        };
        spawn_local(async move { settle(target, client.delete_firewall(deletion).await) });
    };
    let again = Callback::new(move |lost: Lost<FirewallDeletion>| {
        let Some(target) = doomed.get_untracked() else { return };
        busy.set(true);
        spawn_local(async move { settle(target, lost.look_up().await) });
    });
    let title = Signal::derive(move || {
        let text = match (&*doomed.read(), left_behind.read().is_some()) {
            (Some(Doomed::Filter { .. }), _) => "Delete this filter?",
            (_, true) => "Rule deleted",
            (_, false) => "Delete this rule?",
        };
        text.to_owned()
    });
    let question = move || {
        let target = doomed.get()?;
        let (name, consequence, of_rule) = match target {
            Doomed::Rule { name, .. } => (
                name,
                "The rule stops acting at once. Its filter stays for other rules, unless it is deleted too.",
                true,
            ),
            Doomed::Filter { name, .. } => (name, "A filter that a rule still uses is not deleted.", false),
        };
        Some(view! {
            <pre class="code-block"><code>{name}</code></pre>
            <p>{consequence}</p>
            {of_rule.then(|| view! {
                <label class="check">
                    <input type="checkbox" prop:checked=with_filter on:change=move |event| with_filter.set(event_target_checked(&event)) />
                    <span>"Delete the filter too, if no other rule uses it"</span>
                </label>
            })}
            <AttemptNotice refused="It was not deleted" unknown=UNKNOWN attempt deletes=true busy again />
            <div class="dialog-actions">
                <button type="button" class="button" data-focus on:click=move |_| open.set(false)>"Keep"</button>
                <button type="button" class="button danger" aria-disabled=move || busy.get().to_string() on:click=delete>"Delete"</button>
            </div>
        })
    };
    let rest = move || {
        let filter = left_behind.get()?;
        let show = move |_| {
            open.set(false);
            show_filters.run(());
        };
        Some(view! {
            <p>"Its filter " <code>{filter}</code> {move || if with_filter.get() { " is still there: other rules use it." } else { " is still there. It can be deleted in the list of filters." }}</p>
            <div class="dialog-actions">
                <button type="button" class="button" on:click=show>"Show filters"</button>
                <button type="button" class="button primary" on:click=move |_| open.set(false)>"Done"</button>
            </div>
        })
    };
    view! {
        <Dialog open title>
            {move || if left_behind.read().is_some() { rest().into_any() } else { question().into_any() }}
        </Dialog>
    }
}
