//! The theme: light, dark, or that of the system.

use crate::storage;
use leptos::prelude::*;

/// The selected theme.
#[derive(Clone, Copy)]
pub(crate) struct ThemeContext {
    /// The theme. Every change is applied to the document and stored.
    pub(crate) theme: RwSignal<Theme>,
}

impl ThemeContext {
    /// Provides the theme of the last visit.
    pub(crate) fn provide() -> Self {
        let theme = RwSignal::new(Theme::restore());
        Effect::new(move || theme.get().apply());
        let context = ThemeContext { theme };
        provide_context(context);
        context
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }
}

/// A theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    /// The theme of the system.
    #[default]
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

impl Theme {
    /// All themes, in the order of the switch.
    pub(crate) const ALL: [Theme; 3] = [Theme::System, Theme::Light, Theme::Dark];

    /// Returns the label.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Theme::System => "System",
            Theme::Light => "Light",
            Theme::Dark => "Dark",
        }
    }

    /// Returns the next theme of the switch.
    pub(crate) fn next(self) -> Theme {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }

    /// Returns the theme of the last visit.
    fn restore() -> Theme {
        match storage::get(storage::THEME_KEY).as_deref() {
            Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            _ => Theme::System,
        }
    }

    /// Applies the theme to the document and stores it.
    fn apply(self) {
        let Some(root) = document().document_element() else { return };
        let name = match self {
            Theme::System => {
                storage::remove(storage::THEME_KEY);
                drop(root.remove_attribute("data-theme"));
                return;
            }
            Theme::Light => "light",
            Theme::Dark => "dark",
        };
        storage::set(storage::THEME_KEY, name);
        drop(root.set_attribute("data-theme", name));
    }
}
