//! The header: name, pages, what is checked against, connection, theme.

use crate::components::scope_select::ScopeSelect;
use crate::components::theme_switch::ThemeSwitch;
use crate::connection::Link;
use crate::route::Route;
use crate::session::Session;
use leptos::prelude::*;

/// The header row.
#[component]
pub(crate) fn Header(
    /// The page that is shown.
    route: ReadSignal<Route>,
) -> impl IntoView {
    let session = Session::get();
    let pages = Route::ALL.into_iter().map(|page| {
        let current = move || (route.get() == page).then_some("page");
        view! { <a class="page-link" href=page.href() aria-current=current>{page.title()}</a> }
    });
    let word = move || match session.link.get() {
        Link::Offline => "Offline",
        Link::Connected => "Connected",
        Link::Trouble => "No connection",
    };
    let class = move || match session.link.get() {
        Link::Offline => "dot",
        Link::Connected => "dot on",
        Link::Trouble => "dot trouble",
    };
    view! {
        <header class="header">
            <a class="brand" href=Route::Expressions.href() aria-label="Zonewright, to the first page">
                <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
                    <path d="M8.5 9.5h15l-15 13h15"></path>
                </svg>
                <span>"Zonewright"</span>
            </a>
            <nav class="pages" aria-label="Pages">{pages.collect_view()}</nav>
            <div class="selectors"><ScopeSelect /></div>
            <a class="link-state" href=Route::Settings.href()>
                <span class=class aria-hidden="true"></span>
                <span class="visually-hidden">"Connection: "</span>
                <span class="link-word">{word}</span>
            </a>
            <ThemeSwitch />
        </header>
    }
}
