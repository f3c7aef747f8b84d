//! The parts of the app that the browser loads on demand. The service worker stores all of them when the browser is idle.
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
use wasm_split_helpers::{SplitLoaderError, wasm_split};

/// The result of a function of a part: an error if the part cannot be loaded.
pub(crate) type PartResult<T> = Result<T, SplitLoaderError>;

/// Declares the parts, each with its name in `wasm_split`.
macro_rules! parts {
    ($($(#[$documentation:meta])* $part:ident => $name:ident,)*) => {
        /// A part of the app.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Part {
            $($(#[$documentation])* $part,)*
        }

        impl Part {
            /// Loads the part. Returns at once if it is loaded.
            fn load(self) -> Pin<Box<dyn Future<Output = PartResult<()>>>> {
                match self {
                    $(Part::$part => Box::pin($name()),)*
                }
            }
        }

        $(
            /// Does nothing; a call only loads the part.
            #[wasm_split($name, fallible)]
            fn $name() -> PartResult<()> {
                Ok(())
            }
        )*
    };
}

parts! {
    /// The page Log filters.
    LogFilters => log_filters,
    /// The tools of the page of expressions, except the explanation and "Copy as".
    ExpressionTools => expression_tools,
    /// The pages of the diagnostic codes.
    CodePages => code_pages,
    /// The page Rules.
    Rules => rules,
    /// The page Jobs, except its form.
    Jobs => jobs,
    /// The page Settings.
    Settings => settings,
    /// The tools of the page Log filters, except its first one.
    LogFilterTools => log_filter_tools,
    /// The form of a job, with its tools.
    JobForm => job_form,
    /// The page Migration.
    Migration => migration,
    /// The steps of the page Migration in which the user reviews and changes the new configuration, except the
    /// simulation.
    MigrationReview => migration_review,
    /// The simulation of the page Migration.
    MigrationSimulation => migration_simulation,
}

/// Whether a part is loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PartState {
    /// The part is not loaded, and nothing requested it.
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
            self.set_state(part, PartState::Loading);
            spawn_local(async move {
                let state = if part.load().await.is_ok() { PartState::Loaded } else { PartState::Failed };
                self.set_state(part, state);
            });
        }
    }

    fn set_state(self, part: Part, state: PartState) {
        self.states.update(|states| {
            states.insert(part, state);
        });
    }
}

/// Calls a function of a part that is loaded. If the part is not loaded, returns `None`, and the browser starts to load
/// it.
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
