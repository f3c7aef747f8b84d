//! The list of rules and the list of filters, of which one is visible.

use super::delete::{DeleteDialog, DeletionTarget};
use super::filter_table::FilterTable;
use super::pager::Pager;
use super::rule_table::{ReachabilityById, RuleTable};
use crate::api::{Client, Page};
use crate::commands::{self, Command, handler};
use crate::components::api_error::ApiErrorNotice;
use crate::components::segmented_control::SegmentedControl;
use crate::engine::{Worker, follow, to_js};
use crate::fetch::{FetchState, fetch_on_change};
use crate::focus::focus_by_id;
use crate::route::Route;
use crate::state::rule_draft::RuleDraft;
use crate::state::service::ConnectionStatus;
use crate::state::service::ServiceContext;
use crate::unreachable_rules::analyze;
use leptos::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use zonewright_api::firewall::{Filter, FirewallRule};

/// Largest number of characters of an expression in the name of a rule.
const MAX_LABEL_CHARS: usize = 60;

/// The kind of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListKind {
    /// Rules, each with its filter.
    Rules,
    /// Filters alone.
    Filters,
}

/// One page of a list.
#[derive(Clone, Debug, PartialEq)]
enum ListPage {
    Rules(Page<FirewallRule>),
    /// The map has the number of rules that use each filter; `None` if unknown.
    Filters(Page<Filter>, Option<HashMap<String, usize>>),
}

/// The left pane.
#[component]
pub(crate) fn Lists(
    /// The kind of the visible list.
    list_kind: RwSignal<ListKind>,
    /// Incremented whenever the lists may have changed.
    changes: RwSignal<u32>,
    /// The index of the pane that a narrow screen shows.
    active: RwSignal<u8>,
) -> impl IntoView {
    let service = ServiceContext::get();
    let rule_draft = RuleDraft::get();
    let page = RwSignal::new(1_u64);
    let pending_deletion = RwSignal::new(None::<DeletionTarget>);
    let fetch_state = fetch_on_change(move |signal| {
        changes.track();
        let connection = service.connection.get_untracked();
        if connection.missing_setting().is_some() {
            return None;
        }
        let (list_kind, page) = (list_kind.get(), page.get());
        let client = Client::new(connection, &signal);
        Some(async move {
            match list_kind {
                ListKind::Rules => client.rules(page).await.map(ListPage::Rules),
                ListKind::Filters => {
                    let filters = client.filters(page).await?;
                    // The list is useful without the numbers, so their failure is ignored.
                    let rules = client.rules_if_one_page().await.ok().flatten();
                    Ok(ListPage::Filters(filters, rules.map(count_filter_uses)))
                }
            }
        })
    });
    Effect::new(move || match &*fetch_state.read() {
        FetchState::Done(_) => service.status.set(ConnectionStatus::Connected),
        FetchState::Failed(_) => service.status.set(ConnectionStatus::Failed),
        FetchState::Idle | FetchState::Loading => {}
    });
    // Another list starts at its first page. The form and the palette also select a list.
    Effect::new(move || {
        list_kind.track();
        if page.get_untracked() != 1 {
            page.set(1);
        }
    });
    let reachability = follow_reachability(fetch_state);
    let refresh = move || changes.update(|changes| *changes = changes.wrapping_add(1));
    let choose = move |next| {
        list_kind.set(next);
        active.set(0);
    };
    commands::register_page_commands(move |command| match command {
        Command::Refresh if *fetch_state.read() != FetchState::Idle => handler(refresh),
        Command::ShowRules if list_kind.get() != ListKind::Rules => handler(move || choose(ListKind::Rules)),
        Command::ShowFilters if list_kind.get() != ListKind::Filters => handler(move || choose(ListKind::Filters)),
        _ => None,
    });
    let use_filter = move |filter| {
        rule_draft.start_with_existing_filter(filter);
        active.set(1);
        focus_by_id("rule-action");
    };
    let edit = move |rule| {
        rule_draft.edit(rule);
        active.set(1);
        focus_by_id("rule-action");
    };
    let content = move || {
        match fetch_state.get() {
        FetchState::Idle => view! { <NotConnected /> }.into_any(),
        FetchState::Loading => view! { <p class="late quiet pad">"Loading the list…"</p> }.into_any(),
        FetchState::Failed(error) => view! {
            <div class="pad">
                <ApiErrorNotice title="The list could not be loaded" error />
                <button type="button" class="button" on:click=move |_| refresh()>"Try again"</button>
            </div>
        }
        .into_any(),
        FetchState::Done(ListPage::Rules(list)) => view! {
            {(list.items.is_empty() && page.get_untracked() == 1).then(|| view! { <NoRules active /> })}
            <RuleTable rules=list.items reachability pending_deletion edit=Callback::new(edit) />
            {list.info.filter(|info| info.total_count > 0).map(|info| view! { <Pager noun="rules" info page /> })}
        }
        .into_any(),
        FetchState::Done(ListPage::Filters(list, uses)) => view! {
            {list.items.is_empty().then(|| view! {
                <p class="pad quiet">"No filters yet. Creating a rule creates its filter; deleting the rule keeps the filter."</p>
            })}
            <FilterTable filters=list.items uses pending_deletion choose=Callback::new(use_filter) />
            {list.info.filter(|info| info.total_count > 0).map(|info| view! { <Pager noun="filters" info page /> })}
        }
        .into_any(),
    }
    };
    view! {
        <div class="stack">
            <div class="toolbar">
                <SegmentedControl label="List" choices=vec![(ListKind::Rules, "Rules"), (ListKind::Filters, "Filters")] value=list_kind choose />
                <button type="button" class="button push" hidden=move || *fetch_state.read() == FetchState::Idle on:click=move |_| refresh()>
                    "Refresh"
                </button>
            </div>
            <div class="scroll" tabindex="-1">{content}</div>
        </div>
        <DeleteDialog pending_deletion changes show_filters=Callback::new(move |()| choose(ListKind::Filters)) />
    }
}

/// Analyzes the reachability of the rules of the zone, at most a thousand. The analysis runs next to the list and is
/// optional, so its failures are ignored.
fn follow_reachability(fetch_state: RwSignal<FetchState<ListPage>>) -> Signal<Arc<ReachabilityById>> {
    let service = ServiceContext::get();
    let fetched_rules = fetch_on_change(move |signal| {
        let FetchState::Done(ListPage::Rules(rules_page)) = fetch_state.get() else { return None };
        let client = Client::new(service.connection.get_untracked(), &signal);
        Some(async move {
            let is_complete =
                rules_page.info.is_some_and(|info| usize::try_from(info.total_count) == Ok(rules_page.items.len()));
            if is_complete { Ok(rules_page.items) } else { client.all_rules().await }
        })
    });
    let input = move || match fetched_rules.get() {
        FetchState::Done(rules) => Some(rules),
        _ => None,
    };
    let answer = follow(Worker::Tools, input, async |channel, rules: Vec<FirewallRule>| {
        let named: Vec<FirewallRule> = rules.iter().cloned().map(name_rule).collect();
        let analyzed = analyze(channel, to_js(&named)).await?.rules.into_iter();
        let by_id = analyzed.filter_map(|rule| Some((rules.get(rule.index)?.id.clone(), rule)));
        Ok(by_id.collect::<ReachabilityById>())
    });
    Signal::derive(move || answer.read().ready().cloned().unwrap_or_default())
}

/// Names a rule without a description by the start of its expression.
fn name_rule(mut rule: FirewallRule) -> FirewallRule {
    rule.description.get_or_insert_with(|| {
        let line: String = rule.filter.expression.split_whitespace().collect::<Vec<_>>().join(" ");
        match line.char_indices().nth(MAX_LABEL_CHARS) {
            Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
            None => line,
        }
    });
    rule
}

/// Counts the rules that use each filter.
fn count_filter_uses(rules: Vec<FirewallRule>) -> HashMap<String, usize> {
    let mut uses = HashMap::new();
    for rule in rules {
        *uses.entry(rule.filter.id).or_default() += 1;
    }
    uses
}

#[component]
fn NotConnected() -> impl IntoView {
    let connection = ServiceContext::get().connection;
    view! {
        <div class="empty">
            <h2>"Connect to see your rules and filters"</h2>
            <p>{move || connection.read().missing_setting()}</p>
            <p class="quiet">"You can write and check a rule without a connection, but not send it."</p>
            <a class="button primary" href=Route::Settings.href()>"Open Settings"</a>
        </div>
    }
}

#[component]
fn NoRules(
    /// The index of the pane that a narrow screen shows.
    active: RwSignal<u8>,
) -> impl IntoView {
    view! {
        <div class="empty">
            <h2>"No rules yet"</h2>
            <p>"A rule applies an action to the requests that its filter matches. For example, block " <code>"http.request.uri.path contains \"/wp-login.php\""</code> "."</p>
            <button type="button" class="button primary narrow-only" on:click=move |_| active.set(1)>"New rule"</button>
        </div>
    }
}
