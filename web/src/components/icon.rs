//! The icons: 16 px, one stroke width, always next to a word or a label.

use leptos::prelude::*;
use zonewright_diagnostic::Severity;

/// An icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    /// A cross in a circle.
    Error,
    /// A triangle.
    Warning,
    /// A dot and a stroke in a circle.
    Hint,
    /// A check mark.
    Success,
    /// Two sheets.
    Copy,
    /// A cross.
    Close,
    /// A sun.
    Sun,
    /// A moon.
    Moon,
    /// A screen.
    Screen,
    /// A magnifying glass.
    Search,
    /// A plus.
    Plus,
    /// Three dots.
    More,
    /// An arrow up.
    Up,
    /// An arrow down.
    Down,
    /// An eye.
    Eye,
}

impl Icon {
    fn path(self) -> &'static str {
        match self {
            Icon::Error => "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM6 6l4 4m0-4-4 4",
            Icon::Warning => "M8 2.5 14.5 13.5h-13L8 2.5ZM8 6.5v3.25M8 11.6v.1",
            Icon::Hint => "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 7.5v3.25M8 5.2v.1",
            Icon::Success => "m3 8.5 3.25 3.25L13 4.75",
            Icon::Copy => "M5.5 5.5h8v8h-8v-8ZM10.5 5.5v-3h-8v8h3",
            Icon::Close => "m4 4 8 8m0-8-8 8",
            Icon::Sun => {
                "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7"
            }
            Icon::Moon => "M13.5 9.3A5.75 5.75 0 0 1 6.7 2.5a5.75 5.75 0 1 0 6.8 6.8Z",
            Icon::Screen => "M2 3h12v8H2V3ZM6 13.5h4M8 11v2.5",
            Icon::Search => "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.25 10.25l3.5 3.5",
            Icon::Plus => "M8 3v10M3 8h10",
            Icon::Up => "M8 13V3.5M3.75 7.5 8 3.25l4.25 4.25",
            Icon::Down => "M8 3v9.5M3.75 8.5 8 12.75l4.25-4.25",
            Icon::Eye => {
                "M1.5 8S4 3.75 8 3.75 14.5 8 14.5 8 12 12.25 8 12.25 1.5 8 1.5 8ZM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z"
            }
            Icon::More => {
                "M3.2 8a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0M7.6 8a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0M12 8a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0"
            }
        }
    }

    /// Returns the icon of a severity.
    pub(crate) fn for_severity(severity: Severity) -> Icon {
        match severity {
            Severity::Error => Icon::Error,
            Severity::Warning => Icon::Warning,
            Severity::Hint => Icon::Hint,
        }
    }
}

/// An icon, hidden from assistive technology because the adjacent text has the same meaning.
#[component]
pub(crate) fn IconView(
    /// The icon.
    icon: Icon,
) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
            <path d=icon.path()></path>
        </svg>
    }
}
