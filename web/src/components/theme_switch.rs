//! A button that cycles through the themes: system, light and dark.

use crate::components::icon::{Icon, IconView};
use crate::state::theme::Theme;
use crate::state::theme::ThemeContext;
use leptos::prelude::*;

/// The theme switch of the header.
#[component]
pub(crate) fn ThemeSwitch() -> impl IntoView {
    let theme = ThemeContext::get().theme;
    let label = move || format!("Theme: {}. Switch to {}", theme.get().title(), theme.get().next().title());
    let icon = move || match theme.get() {
        Theme::System => Icon::Screen,
        Theme::Light => Icon::Sun,
        Theme::Dark => Icon::Moon,
    };
    view! {
        <button class="button quiet square" aria-label=label title=label on:click=move |_| theme.update(|theme| *theme = theme.next())>
            {move || view! { <IconView icon=icon() /> }}
        </button>
    }
}
