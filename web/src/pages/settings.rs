//! The settings: connection, theme and versions.

mod connection;
mod credentials;
mod relay_session;
mod zone;

use crate::components::form::FieldGroup;
use crate::components::segmented_control::SegmentedControl;
use crate::components::status_bar::VERSION;
use crate::part::PartResult;
use crate::state::theme::Theme;
use crate::state::theme::ThemeContext;
use connection::ConnectionPanel;
use leptos::prelude::*;
use wasm_split_helpers::wasm_split;
use zonewright_expression::schema::REFERENCE_DATE;

/// The page, which is a part of the app.
#[wasm_split(settings, fallible)]
pub(crate) fn settings_page() -> PartResult<AnyView> {
    Ok(view! { <SettingsPage /> }.into_any())
}

/// The page.
#[component]
fn SettingsPage() -> impl IntoView {
    let theme = ThemeContext::get().theme;
    let themes = Theme::ALL.into_iter().map(|theme| (theme, theme.title())).collect();
    view! {
        <div class="settings">
            <h1>"Settings"</h1>
            <ConnectionPanel />
            <div class="settings-side">
            <section class="panel" aria-labelledby="look-heading">
                <h2 id="look-heading">"Appearance"</h2>
                <FieldGroup label="Theme">
                    <SegmentedControl label="Theme" choices=themes value=theme choose=move |selected| theme.set(selected) />
                </FieldGroup>
            </section>
            <section class="panel" aria-labelledby="about-heading">
                <h2 id="about-heading">"About"</h2>
                <dl class="facts">
                    <dt>"Engine"</dt>
                    <dd>{VERSION}</dd>
                    <dt>"Reference data"</dt>
                    <dd>{REFERENCE_DATE}</dd>
                </dl>
                <p><a href="licenses.txt">"Licenses"</a></p>
                <p class="quiet">"Expressions are checked in your browser. Zonewright is not affiliated with Cloudflare."</p>
            </section>
            </div>
        </div>
    }
}
