//! The frame around the pages.

use crate::components::header::Header;
use crate::components::status_row::StatusRow;
use crate::components::toast::Toast;
use crate::pages::expressions::ExpressionsPage;
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
    let route = Route::current();
    let main = NodeRef::<html::Main>::new();
    Effect::new(move || document().set_title(&format!("{} · Zonewright", route.get().title())));
    // The address after `#` names the page, so the link to the content is followed by hand.
    let skip = move |event: ev::MouseEvent| {
        event.prevent_default();
        if let Some(main) = main.get_untracked() {
            drop(main.focus());
        }
    };
    view! {
        <a class="skip-link" href="#main" on:click=skip>"Skip to the content"</a>
        <Header route />
        <main id="main" class="main" tabindex="-1" node_ref=main>
            {move || match route.get() {
                Route::Expressions => view! { <ExpressionsPage /> }.into_any(),
                Route::Rules => view! { <RulesPage /> }.into_any(),
                Route::Settings => view! { <SettingsPage /> }.into_any(),
            }}
        </main>
        <StatusRow route />
        <Toast />
    }
}
