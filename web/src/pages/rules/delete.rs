//! The question before something is deleted.

use crate::api::{Client, Problem};
use crate::components::dialog::Dialog;
use crate::components::failure::Failure;
use crate::session::Session;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::AbortController;

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
    let problem = RwSignal::new(None::<Problem>);
    // Whether the filter of the rule is to go too.
    let with_filter = RwSignal::new(false);
    // Set once a rule is gone: the filter that it leaves behind.
    let left_behind = RwSignal::new(None::<String>);

    Effect::new(move || {
        if doomed.get().is_some() {
            problem.set(None);
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

    let delete = move |_| {
        let Some(target) = doomed.get_untracked().filter(|_| !busy.get_untracked()) else { return };
        let Ok(controller) = AbortController::new() else { return };
        let client = Client::new(session.connection.get_untracked(), &controller.signal());
        busy.set(true);
        problem.set(None);
        let with_filter = with_filter.get_untracked();
        spawn_local(async move {
            let result = match &target {
                Doomed::Rule { id, .. } => client.delete_rule(id, with_filter).await,
                Doomed::Filter { id, .. } => client.delete_filter(id).await.map(|()| true),
            };
            // A deletion goes on when the page is left; then there is nobody to tell.
            if busy.try_set(false).is_some() {
                return;
            }
            match (result, target) {
                (Ok(true), Doomed::Rule { id, filter, .. }) => {
                    session.draft.forget(&id);
                    session.draft.forget_filter(&filter);
                    open.set(false);
                    session.toast.set(Some("Rule and filter deleted".to_owned()));
                }
                (Ok(false), Doomed::Rule { id, filter, .. }) => {
                    session.draft.forget(&id);
                    left_behind.set(Some(filter));
                }
                (Ok(_), Doomed::Filter { id, .. }) => {
                    session.draft.forget_filter(&id);
                    open.set(false);
                    session.toast.set(Some("Filter deleted".to_owned()));
                }
                (Err(found), _) => {
                    problem.set(Some(found));
                    return;
                }
            }
            changes.update(|changes| *changes = changes.wrapping_add(1));
        });
    };
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
            {move || problem.get().map(|problem| view! { <Failure title="It was not deleted" problem /> })}
            <div class="dialog-actions">
                <button type="button" class="button" data-focus on:click=move |_| open.set(false)>"Keep"</button>
                <button type="button" class="button danger" disabled=busy on:click=delete>"Delete"</button>
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
