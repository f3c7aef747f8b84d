//! The frame around the pages, and the contexts that outlive them.

use crate::commands::CommandContext;
use crate::components::command_palette::CommandPalette;
use crate::components::header::Header;
use crate::components::status_bar::StatusBar;
use crate::components::toast::Toast;
use crate::focus;
use crate::pages::expressions::ExpressionsPage;
use crate::pages::jobs::JobsPage;
use crate::pages::log_filters::LogFiltersPage;
use crate::pages::migration::{MigrationContext, MigrationPage};
use crate::pages::rules::RulesPage;
use crate::pages::settings::SettingsPage;
use crate::route::Route;
use crate::state::expression::ExpressionContext;
use crate::state::expression_tools::ExpressionToolsContext;
use crate::state::job_draft::JobDraft;
use crate::state::log_filter_draft::LogFilterDraft;
use crate::state::rule_draft::RuleDraft;
use crate::state::service::ServiceContext;
use crate::state::theme::ThemeContext;
use crate::state::toasts::ToastContext;
use crate::storage::Workspace;
use leptos::ev;
use leptos::html;
use leptos::prelude::*;

/// The whole app.
#[component]
pub(crate) fn App() -> impl IntoView {
    provide_contexts();
    focus::install_focus_guard();
    let route = Route::signal();
    let palette = RwSignal::new(false);
    let main = NodeRef::<html::Main>::new();
    let focus_main = move || {
        if let Some(main) = main.get_untracked() {
            drop(main.focus());
        }
    };
    Effect::new(move || document().set_title(&format!("{} · Zonewright", route.get().title())));
    // If the focused element was unmounted with the last page, the focus moves to the new page.
    Effect::new(move |before: Option<()>| {
        route.track();
        if before.is_some() {
            request_animation_frame(move || {
                let body = document().body().map(web_sys::Element::from);
                if document().active_element() == body {
                    focus_main();
                }
            });
        }
    });
    // The URL fragment names the page, so a fragment link cannot lead to the content.
    let focus_main_on_click = move |event: ev::MouseEvent| {
        event.prevent_default();
        focus_main();
    };
    view! {
        <a class="skip-link" href="#main" on:click=focus_main_on_click>"Skip to content"</a>
        <Header route palette />
        <main id="main" class="main" tabindex="-1" node_ref=main>
            {move || match route.get() {
                Route::Expressions => view! { <ExpressionsPage /> }.into_any(),
                Route::LogFilters => view! { <LogFiltersPage /> }.into_any(),
                Route::Jobs => view! { <JobsPage /> }.into_any(),
                Route::Rules => view! { <RulesPage /> }.into_any(),
                Route::Migration => view! { <MigrationPage /> }.into_any(),
                Route::Settings => view! { <SettingsPage /> }.into_any(),
            }}
        </main>
        <StatusBar route />
        <Toast />
        <CommandPalette open=palette />
    }
}

/// Provides the contexts that outlive a page. A context is provided after those that it reads.
fn provide_contexts() {
    Workspace::provide();
    ToastContext::provide();
    let theme = ThemeContext::provide();
    let service = ServiceContext::provide();
    let expression = ExpressionContext::provide();
    ExpressionToolsContext::provide();
    let log_filter = LogFilterDraft::provide();
    RuleDraft::provide(service);
    let job_draft = JobDraft::provide(service, log_filter);
    MigrationContext::provide(service);
    CommandContext::provide(expression, job_draft, theme);
}
