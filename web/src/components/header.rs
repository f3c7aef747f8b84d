//! The header: name, pages, scope, connection, commands, theme.

use crate::components::command_palette_button::CommandPaletteButton;
use crate::components::connection_indicator::ConnectionIndicator;
use crate::components::scope_select::ScopeSelect;
use crate::components::theme_switch::ThemeSwitch;
use crate::route::Route;
use leptos::prelude::*;

/// The header row.
#[component]
pub(crate) fn Header(
    /// The current page.
    route: ReadSignal<Route>,
    /// Whether the palette is open.
    palette: RwSignal<bool>,
) -> impl IntoView {
    let pages = Route::ALL.into_iter().map(|page| {
        let current = move || (route.get() == page).then_some("page");
        view! { <a class="page-link" href=page.href() aria-current=current>{page.title()}</a> }
    });
    view! {
        <header class="header">
            <a class="brand" href=Route::Expressions.href() aria-label="Zonewright home">
                <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
                    <path d="M8.5 9.5h15l-15 13h15"></path>
                </svg>
                <span>"Zonewright"</span>
            </a>
            <nav class="pages" aria-label="Pages">{pages.collect_view()}</nav>
            <div class="selectors"><ScopeSelect route /></div>
            <ConnectionIndicator />
            <CommandPaletteButton palette />
            <ThemeSwitch />
        </header>
    }
}
