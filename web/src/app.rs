//! The frame around the pages, and the contexts that outlive them.

use crate::commands::CommandContext;
use crate::components::command_palette::CommandPalette;
use crate::components::header::Header;
use crate::components::part_view::PartView;
use crate::components::status_bar::StatusBar;
use crate::components::toast::Toast;
use crate::engine::EngineContext;
use crate::focus;
use crate::pages::expressions::ExpressionsPage;
use crate::pages::jobs::jobs_page;
use crate::pages::log_filters::log_filters_page;
use crate::pages::migration::migration_page;
use crate::pages::rules::rules_page;
use crate::pages::settings::settings_page;
use crate::part::{Part, PartContext, PartResult};
use crate::route::Route;
use crate::state::expression::ExpressionContext;
use crate::state::expression_tools::ExpressionToolsContext;
use crate::state::job_draft::stored_draft_has_log_filter;
use crate::state::on_demand::provide_app_owner;
use crate::state::page_request::PageRequests;
use crate::state::service::ServiceContext;
use crate::state::theme::ThemeContext;
use crate::state::toasts::ToastContext;
use crate::storage::Workspace;
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use std::future::Future;

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
    let requests = PageRequests::get();
    Effect::new(move || requests.retain_for(route.get()));
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
                Route::LogFilters => {
                    let other_part = stored_draft_has_log_filter().then_some(Part::Jobs);
                    part_page(Route::LogFilters, Part::LogFilters, other_part, log_filters_page)
                }
                Route::Jobs => part_page(Route::Jobs, Part::Jobs, None, jobs_page),
                Route::Rules => part_page(Route::Rules, Part::Rules, None, rules_page),
                Route::Migration => part_page(Route::Migration, Part::Migration, None, migration_page),
                Route::Settings => part_page(Route::Settings, Part::Settings, None, settings_page),
            }}
        </main>
        <StatusBar route />
        <Toast />
        <CommandPalette open=palette />
    }
}

/// Returns the view of a page that is a part of the app. `other_part` is a part that the page needs too.
fn part_page<F, V>(route: Route, part: Part, other_part: Option<Part>, create: F) -> AnyView
where
    F: Fn() -> V + Send + 'static,
    V: Future<Output = PartResult<AnyView>>,
{
    view! { <PartView title=route.title() is_page=true part other_part create /> }.into_any()
}

/// Provides the contexts of the frame and of the page of expressions. A context is provided after those that it reads.
fn provide_contexts() {
    provide_app_owner();
    Workspace::provide();
    let toasts = ToastContext::provide();
    EngineContext::provide(move |reason| toasts.show_error(format!("The engine was restarted: {reason}")));
    let theme = ThemeContext::provide();
    ServiceContext::provide();
    let expression = ExpressionContext::provide();
    ExpressionToolsContext::provide();
    let requests = PageRequests::provide();
    CommandContext::provide(expression, requests, theme);
    PartContext::provide();
}
