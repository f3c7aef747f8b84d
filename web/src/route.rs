//! The current page, stored in the URL fragment, so that a link to a page works on any static host and under any path.

use leptos::ev;
use leptos::prelude::*;

/// A page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// The editor of expressions.
    Expressions,
    /// The editor of log push filters.
    LogFilters,
    /// The log push jobs of the zone or its account.
    Jobs,
    /// The rules and filters of the zone.
    Rules,
    /// The migration from the previous managed rules.
    Migration,
    /// Connection and theme.
    Settings,
}

impl Route {
    /// All pages, in the order of the header.
    pub(crate) const ALL: [Route; 6] =
        [Route::Expressions, Route::LogFilters, Route::Jobs, Route::Rules, Route::Migration, Route::Settings];

    /// Returns the title of the page.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Route::Expressions => "Expressions",
            Route::LogFilters => "Log filters",
            Route::Jobs => "Jobs",
            Route::Rules => "Rules",
            Route::Migration => "Migration",
            Route::Settings => "Settings",
        }
    }

    /// Returns the URL fragment of the page.
    pub(crate) fn href(self) -> &'static str {
        match self {
            Route::Expressions => "#/expressions",
            Route::LogFilters => "#/log-filters",
            Route::Jobs => "#/jobs",
            Route::Rules => "#/rules",
            Route::Migration => "#/migration",
            Route::Settings => "#/settings",
        }
    }

    fn from_hash(hash: &str) -> Option<Route> {
        let path = hash.split('?').next().unwrap_or_default().trim_end_matches('/');
        Route::ALL.into_iter().find(|route| route.href() == path)
    }

    /// Navigates to the page.
    pub(crate) fn navigate(self) {
        drop(window().location().set_hash(self.href()));
    }

    /// Returns the page that the current URL names. An unknown fragment means the first page.
    pub(crate) fn from_location() -> Route {
        window().location().hash().ok().as_deref().and_then(Route::from_hash).unwrap_or(Route::Expressions)
    }

    /// Returns a signal of the current page, which follows the URL.
    pub(crate) fn signal() -> ReadSignal<Route> {
        let (route, set_route) = signal(Route::from_location());
        let listener = window_event_listener(ev::hashchange, move |_| {
            let next = Route::from_location();
            if route.get_untracked() != next {
                set_route.set(next);
            }
        });
        on_cleanup(move || listener.remove());
        route
    }
}
