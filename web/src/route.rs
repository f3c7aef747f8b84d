//! Which page is shown: the part of the address after `#`, so that a link to a page works on any
//! static host and under any path.

use leptos::ev;
use leptos::prelude::*;

/// A page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// Write and check an expression.
    Expressions,
    /// Write and try a log push filter.
    LogFilters,
    /// Log push jobs of the zone.
    Jobs,
    /// Rules and filters of the zone.
    Rules,
    /// The migration of the zone's managed rules.
    Migration,
    /// Connection and look.
    Settings,
}

impl Route {
    /// All of them, in the order of the header.
    pub(crate) const ALL: [Route; 6] =
        [Route::Expressions, Route::LogFilters, Route::Jobs, Route::Rules, Route::Migration, Route::Settings];

    /// Name of the page.
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

    /// The address, for links.
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

    /// Goes to the page.
    pub(crate) fn go(self) {
        drop(window().location().set_hash(self.href()));
    }

    /// The page that the address names now. An unknown address is the first page.
    pub(crate) fn now() -> Route {
        window().location().hash().ok().as_deref().and_then(Route::from_hash).unwrap_or(Route::Expressions)
    }

    /// The current page, following the address.
    pub(crate) fn current() -> ReadSignal<Route> {
        let (route, set_route) = signal(Route::now());
        let listener = window_event_listener(ev::hashchange, move |_| {
            let next = Route::now();
            if route.get_untracked() != next {
                set_route.set(next);
            }
        });
        on_cleanup(move || listener.remove());
        route
    }
}
