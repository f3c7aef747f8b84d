//! The zone's rules and filters, a list at a time.

use crate::api::{Client, Page};
use crate::components::failure::Failure;
use crate::components::segments::Segments;
use crate::connection::Link;
use crate::load::{Load, load};
use crate::pages::rules::delete::{DeleteDialog, Doomed};
use crate::pages::rules::filter_table::FilterTable;
use crate::pages::rules::pager::Pager;
use crate::pages::rules::rule_table::RuleTable;
use crate::route::Route;
use crate::session::Session;
use leptos::prelude::*;

/// What is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Rules, each with its filter.
    Rules,
    /// Filters alone.
    Filters,
}

/// A page of what is listed.
#[derive(Clone, Debug, PartialEq)]
enum Items {
    Rules(Page<zonewright_api::firewall::FirewallRule>),
    Filters(Page<zonewright_api::firewall::Filter>),
}

/// The left pane.
#[component]
pub(crate) fn Lists(
    /// Changes whenever the lists may have changed.
    changes: RwSignal<u32>,
    /// Which pane a narrow screen shows.
    active: RwSignal<u8>,
) -> impl IntoView {
    let session = Session::get();
    let shown = RwSignal::new(Shown::Rules);
    let page = RwSignal::new(1_u64);
    let doomed = RwSignal::new(None::<Doomed>);
    let items = load(move |signal| {
        changes.track();
        let connection = session.connection.get_untracked();
        if connection.missing().is_some() {
            return None;
        }
        let (shown, page) = (shown.get(), page.get());
        let client = Client::new(connection, &signal);
        Some(async move {
            match shown {
                Shown::Rules => client.rules(page).await.map(Items::Rules),
                Shown::Filters => client.filters(page).await.map(Items::Filters),
            }
        })
    });
    Effect::new(move || match &*items.read() {
        Load::Done(_) => session.link.set(Link::Connected),
        Load::Failed(_) => session.link.set(Link::Trouble),
        Load::Idle | Load::Loading => {}
    });
    let choose = move |next| {
        shown.set(next);
        page.set(1);
    };
    let content = move || {
        match items.get() {
        Load::Idle => view! { <NotConnected /> }.into_any(),
        Load::Loading => view! { <p class="late quiet pad">"Reading the list…"</p> }.into_any(),
        Load::Failed(problem) => view! {
            <div class="pad">
                <Failure title="The list could not be read" problem />
                <button type="button" class="button" on:click=move |_| changes.update(|changes| *changes += 1)>"Try again"</button>
            </div>
        }
        .into_any(),
        Load::Done(Items::Rules(list)) => view! {
            {(list.items.is_empty() && page.get_untracked() == 1).then(|| view! { <NoRules active /> })}
            <RuleTable rules=list.items doomed />
            {list.info.filter(|info| info.total_count > 0).map(|info| view! { <Pager noun="rules" info page /> })}
        }
        .into_any(),
        Load::Done(Items::Filters(list)) => view! {
            {list.items.is_empty().then(|| view! {
                <p class="pad quiet">"No filters yet. A filter is made together with its rule and stays when the rule is deleted."</p>
            })}
            <FilterTable filters=list.items doomed />
            {list.info.filter(|info| info.total_count > 0).map(|info| view! { <Pager noun="filters" info page /> })}
        }
        .into_any(),
    }
    };
    view! {
        <div class="stack">
            <div class="toolbar">
                <Segments label="List" choices=vec![(Shown::Rules, "Rules"), (Shown::Filters, "Filters")] value=shown choose />
                <button type="button" class="button push" hidden=move || *items.read() == Load::Idle on:click=move |_| changes.update(|changes| *changes += 1)>
                    "Refresh"
                </button>
            </div>
            <div class="scroll">{content}</div>
        </div>
        <DeleteDialog doomed changes show_filters=Callback::new(move |()| choose(Shown::Filters)) />
    }
}

#[component]
fn NotConnected() -> impl IntoView {
    let connection = Session::get().connection;
    view! {
        <div class="empty">
            <h2>"The lists live in the service"</h2>
            <p>{move || connection.read().missing()}</p>
            <p class="quiet">"A new rule can be written and checked without it; only sending waits."</p>
            <a class="button primary" href=Route::Settings.href()>"Open Settings"</a>
        </div>
    }
}

#[component]
fn NoRules(
    /// Which pane a narrow screen shows.
    active: RwSignal<u8>,
) -> impl IntoView {
    view! {
        <div class="empty">
            <h2>"No rules yet"</h2>
            <p>"A rule says what happens to the requests that its filter matches: for example, block " <code>"http.request.uri.path contains \"/wp-login.php\""</code> "."</p>
            <button type="button" class="button primary narrow-only" on:click=move |_| active.set(1)>"Create rule"</button>
        </div>
    }
}
