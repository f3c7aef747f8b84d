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
    /// A rule; its filter stays.
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
    // Set once a rule is gone: the filter that it leaves behind.
    let left_behind = RwSignal::new(None::<String>);

    Effect::new(move || {
        if doomed.get().is_some() {
            problem.set(None);
            left_behind.set(None);
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
        spawn_local(async move {
            let result = match &target {
                Doomed::Rule { id, .. } => client.delete_rule(id).await,
                Doomed::Filter { id, .. } => client.delete_filter(id).await,
            };
            // A deletion goes on when the page is left; then there is nobody to tell.
            if busy.try_set(false).is_some() {
                return;
            }
            match (result, target) {
                (Ok(()), Doomed::Rule { filter, .. }) => left_behind.set(Some(filter)),
                (Ok(()), Doomed::Filter { id, .. }) => {
                    session.draft.filter.update(|chosen| *chosen = chosen.take().filter(|chosen| chosen.id != id));
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
        let (name, consequence) = match target {
            Doomed::Rule { name, .. } => {
                (name, "The rule stops acting at once. Its filter stays, so that other rules can go on using it.")
            }
            Doomed::Filter { name, .. } => (name, "A filter that a rule still uses is not deleted."),
        };
        Some(view! {
            <pre class="code-block"><code>{name}</code></pre>
            <p>{consequence}</p>
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
            <p>"Its filter " <code>{filter}</code> " is still there. It can be deleted in the list of filters."</p>
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
