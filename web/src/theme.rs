//! Light, dark, or what the system says.

use crate::storage;

/// The choice of look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    /// As the system is set.
    #[default]
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

impl Theme {
    /// All of them, in the order of the switch.
    pub(crate) const ALL: [Theme; 3] = [Theme::System, Theme::Light, Theme::Dark];

    /// The word shown.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Theme::System => "System",
            Theme::Light => "Light",
            Theme::Dark => "Dark",
        }
    }

    /// The next one of the switch.
    pub(crate) fn next(self) -> Theme {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }

    /// The one that was chosen before.
    pub(crate) fn remembered() -> Theme {
        match storage::get(storage::THEME).as_deref() {
            Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            _ => Theme::System,
        }
    }

    /// Shows and remembers it.
    pub(crate) fn apply(self) {
        let Some(root) = leptos::prelude::document().document_element() else { return };
        let name = match self {
            Theme::System => {
                storage::remove(storage::THEME);
                drop(root.remove_attribute("data-theme"));
                return;
            }
            Theme::Light => "light",
            Theme::Dark => "dark",
        };
        storage::set(storage::THEME, name);
        drop(root.set_attribute("data-theme", name));
    }
}
