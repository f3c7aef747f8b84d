//! Requests to pages whose code may not be loaded yet. A page takes its requests when it is
//! opened. The page Jobs also takes them while it is open. A request expires when the user opens another page.

use crate::route::Route;
use leptos::prelude::*;

/// The requests to the pages.
#[derive(Clone, Copy)]
pub(crate) struct PageRequests {
    /// Whether the page Jobs opens the form of a new job.
    new_job: RwSignal<bool>,
    /// The expression of the new rule that the page Rules starts.
    new_rule: RwSignal<Option<String>>,
}

impl PageRequests {
    /// Provides a context without requests.
    pub(crate) fn provide() -> Self {
        let requests = PageRequests { new_job: RwSignal::new(false), new_rule: RwSignal::new(None) };
        provide_context(requests);
        requests
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Opens the form of a new job.
    pub(crate) fn open_new_job(self) {
        self.new_job.set(true);
        Route::Jobs.navigate();
    }

    /// Opens the form of a new rule with an expression.
    pub(crate) fn open_new_rule(self, expression: String) {
        self.new_rule.set(Some(expression));
        Route::Rules.navigate();
    }

    /// Discards the requests to pages other than the current one, so that a later visit does not replace a newer draft.
    /// Such a request remains if the part of its page was not loaded.
    pub(crate) fn retain_for(self, current: Route) {
        if current != Route::Jobs && self.new_job.get_untracked() {
            self.new_job.set(false);
        }
        if current != Route::Rules && self.new_rule.read_untracked().is_some() {
            self.new_rule.set(None);
        }
    }

    /// Returns whether the form of a new job is requested, and forgets the request.
    pub(crate) fn take_new_job(self) -> bool {
        let is_requested = self.new_job.get();
        if is_requested {
            self.new_job.set(false);
        }
        is_requested
    }

    /// Returns the expression of the requested rule, and forgets the request.
    pub(crate) fn take_new_rule(self) -> Option<String> {
        let expression = self.new_rule.get_untracked();
        if expression.is_some() {
            self.new_rule.set(None);
        }
        expression
    }
}
