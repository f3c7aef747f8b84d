//! The parts of the app that the browser loads on demand.
//!
//! The main module has the frame and the page of expressions. [`Part`] lists the other parts. A function with the
//! attribute `wasm_split` belongs to the part that the attribute names, and so does all code that only functions of
//! this part reach. Calling it returns a future, which loads the part first. [`call_loaded`] calls it without waiting
//! if the part is loaded. `web/split_app.mjs` splits the module.
//!
//! Invariant: the main module reaches the code of a part only through such a function.

use leptos::prelude::*;
use leptos::task::spawn_local;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_split_helpers::{SplitLoaderError, wasm_split};

/// The delay of the prefetch in a browser that does not report when it is idle.
const IDLE_DELAY: Duration = Duration::from_secs(1);

/// The result of a function of a part: an error if the part cannot be loaded.
pub(crate) type PartResult<T> = Result<T, SplitLoaderError>;

/// A part of the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// The page Log filters.
    LogFilters,
    /// The tools of the page Log filters, except its first one.
    LogFilterTools,
    /// The page Jobs, except its form.
    Jobs,
    /// The form of a job, with its tools.
    JobForm,
    /// The page Rules.
    Rules,
    /// The page Migration.
    Migration,
    /// The steps of the page Migration in which the user reviews and changes the new configuration, except the simulation.
    MigrationReview,
    /// The simulation of the page Migration.
    MigrationSimulation,
    /// The page Settings.
    Settings,
    /// The evaluation of an expression on a sample request, and the decision diagram.
    Evaluation,
    /// The test cases of an expression.
    TestCases,
    /// The proofs about expressions.
    Proofs,
    /// The pages of the diagnostic codes.
    CodePages,
}

impl Part {
    /// All parts, in the order in which they are prefetched.
    const ALL: [Part; 13] = [
        Part::LogFilters,
        Part::Evaluation,
        Part::CodePages,
        Part::Rules,
        Part::Jobs,
        Part::Settings,
        Part::LogFilterTools,
        Part::JobForm,
        Part::TestCases,
        Part::Proofs,
        Part::Migration,
        Part::MigrationReview,
        Part::MigrationSimulation,
    ];

    /// Loads the part. Returns at once if it is loaded.
    fn load(self) -> Pin<Box<dyn Future<Output = PartResult<()>>>> {
        match self {
            Part::LogFilters => Box::pin(log_filters()),
            Part::LogFilterTools => Box::pin(log_filter_tools()),
            Part::Jobs => Box::pin(jobs()),
            Part::JobForm => Box::pin(job_form()),
            Part::Rules => Box::pin(rules()),
            Part::Migration => Box::pin(migration()),
            Part::MigrationReview => Box::pin(migration_review()),
            Part::MigrationSimulation => Box::pin(migration_simulation()),
            Part::Settings => Box::pin(settings()),
            Part::Evaluation => Box::pin(evaluation()),
            Part::TestCases => Box::pin(test_cases()),
            Part::Proofs => Box::pin(proofs()),
            Part::CodePages => Box::pin(code_pages()),
        }
    }
}

/// Declares an empty function for each part. A call of it only loads the part.
macro_rules! loaders {
    ($($part:ident)*) => {
        $(
            #[wasm_split($part, fallible)]
            fn $part() -> PartResult<()> {
                Ok(())
            }
        )*
    };
}

loaders!(log_filters log_filter_tools jobs job_form rules migration migration_review migration_simulation settings);
loaders!(evaluation test_cases proofs code_pages);

/// Whether a part is loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PartState {
    /// The part is not loaded, and no view requested it. The prefetch may be loading it.
    #[default]
    Absent,
    /// The browser loads the part.
    Loading,
    /// The functions of the part can be called.
    Loaded,
    /// The browser could not load the part.
    Failed,
}

/// The states of all parts.
#[derive(Clone, Copy)]
pub(crate) struct PartContext {
    states: RwSignal<BTreeMap<Part, PartState>>,
}

impl PartContext {
    /// Provides a context in which no part is loaded.
    pub(crate) fn provide() -> Self {
        let parts = PartContext { states: RwSignal::new(BTreeMap::new()) };
        provide_context(parts);
        parts
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Returns the state of a part.
    pub(crate) fn state(self, part: Part) -> PartState {
        self.states.read().get(&part).copied().unwrap_or_default()
    }

    /// Starts to load a part, unless it is loading or loaded.
    pub(crate) fn request(self, part: Part) {
        if let PartState::Absent | PartState::Failed = untrack(move || self.state(part)) {
            spawn_local(self.load(part));
        }
    }

    /// Loads a part.
    async fn load(self, part: Part) {
        self.set_state(part, PartState::Loading);
        let state = if part.load().await.is_ok() { PartState::Loaded } else { PartState::Failed };
        self.set_state(part, state);
    }

    fn set_state(self, part: Part, state: PartState) {
        self.states.update(|states| {
            states.insert(part, state);
        });
    }

    /// Loads all parts one by one when the browser is idle and the part of the first page is loaded, unless the user
    /// asked the browser to save data. The first failure ends it, and the first use of each remaining part tries again.
    pub(crate) fn prefetch_when_idle(self) {
        if saves_data() {
            return;
        }
        Effect::new(move |has_started: Option<bool>| {
            let has_started = has_started.unwrap_or_default();
            let is_loading = self.states.read().values().any(|state| *state == PartState::Loading);
            if !has_started && !is_loading {
                run_when_idle(move || spawn_local(self.prefetch()));
            }
            has_started || !is_loading
        });
    }

    async fn prefetch(self) {
        for part in Part::ALL {
            if part.load().await.is_err() {
                return;
            }
            self.set_state(part, PartState::Loaded);
        }
    }
}

/// Calls a function of a part that is loaded. Returns `None` if the part is not loaded.
pub(crate) fn call_loaded<T>(call: impl Future<Output = PartResult<T>>) -> Option<T> {
    let mut call = pin!(call);
    let mut context = Context::from_waker(Waker::noop());
    // In the first call of a function, the first poll asks `web/part_loader.js` whether the part is loaded. The script
    // answers at once, and the second poll calls the function.
    for _ in 0..2 {
        if let Poll::Ready(result) = call.as_mut().poll(&mut context) {
            return result.ok();
        }
    }
    None
}

/// Returns whether the user asked the browser to save data. Not every browser reports it.
fn saves_data() -> bool {
    let get = |object: &JsValue, name: &str| js_sys::Reflect::get(object, &name.into());
    let connection = get(&window().navigator(), "connection");
    connection.and_then(|connection| get(&connection, "saveData")).is_ok_and(|value| value.is_truthy())
}

/// Runs a function when the browser is idle.
fn run_when_idle(run: impl FnOnce() + 'static) {
    let window = window();
    if js_sys::Reflect::has(&window, &"requestIdleCallback".into()).unwrap_or_default() {
        let callback = Closure::once_into_js(run);
        drop(window.request_idle_callback(callback.unchecked_ref()));
    } else {
        set_timeout(run, IDLE_DELAY);
    }
}
