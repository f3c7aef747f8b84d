//! The frame around the pages.

use crate::components::header::Header;
use crate::components::palette::Palette;
use crate::components::status_row::StatusRow;
use crate::components::toast::Toast;
use crate::focus;
use crate::pages::expressions::ExpressionsPage;
use crate::pages::jobs::JobsPage;
use crate::pages::log_filters::LogFiltersPage;
use crate::pages::migration::MigrationPage;
use crate::pages::rules::RulesPage;
use crate::pages::settings::SettingsPage;
use crate::route::Route;
use crate::session::Session;
use leptos::ev;
use leptos::html;
use leptos::prelude::*;

/// The whole app.
#[component]
pub(crate) fn App() -> impl IntoView {
    Session::provide();
    focus::guard();
    let route = Route::current();
    let palette = RwSignal::new(false);
    let main = NodeRef::<html::Main>::new();
    let focus_main = move || {
        if let Some(main) = main.get_untracked() {
            drop(main.focus());
        }
    };
    Effect::new(move || document().set_title(&format!("{} · Zonewright", route.get().title())));
    // What had the focus may have gone with the last page: then the keyboard starts at the new one.
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
    // The address after `#` names the page, so the link to the content is followed by hand.
    let skip = move |event: ev::MouseEvent| {
        event.prevent_default();
        focus_main();
    };
    view! {
        <a class="skip-link" href="#main" on:click=skip>"Skip to the content"</a>
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
        <StatusRow route />
        <Toast />
        <Palette open=palette />
    }
}
