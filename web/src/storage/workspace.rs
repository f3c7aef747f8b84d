//! Stores the changes of items, and reports writes that fail.

use super::item::{FailedWrite, Item, WriteError};
use crate::timer::ComponentTimer;
use leptos::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;

/// Delay between a failed write and its repetition.
const RETRY_DELAY: Duration = Duration::from_secs(5);

/// The failure that the status bar shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StorageFailure {
    /// The names of the items that are not stored.
    pub(crate) titles: Vec<&'static str>,
    /// A sentence with the reason, and a sentence with the fix.
    pub(crate) help: &'static str,
}

/// The stored input of this tab.
#[derive(Clone, Copy)]
pub(crate) struct Workspace {
    /// The latest edit of each item whose write failed.
    failed: RwSignal<BTreeMap<Item, FailedWrite>>,
    retry_timer: ComponentTimer,
}

impl Workspace {
    /// Provides a workspace without failed writes. The tab adopts the latest value of each item that it lacks, because
    /// some items are restored only when their page is opened.
    pub(crate) fn provide() -> Self {
        let workspace = Workspace { failed: RwSignal::new(BTreeMap::new()), retry_timer: ComponentTimer::new() };
        provide_context(workspace);
        for item in Item::ALL {
            item.adopt_latest();
        }
        workspace
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Stores an item now as that of this tab, and after each edit also as the latest one of all tabs. `value` returns
    /// the value, and tracks the signals that it depends on.
    pub(crate) fn persist(self, item: Item, value: impl Fn() -> String + Send + Sync + 'static) {
        // A memo, because a signal that is set to the same value is not an edit.
        let value = Memo::new(move |_| value());
        Effect::new(move |adopted: Option<()>| {
            let value = value.read();
            match adopted {
                None => item.adopt(&value),
                Some(()) => self.write(item, &value),
            }
        });
    }

    /// Stores a text like [`Self::persist`].
    pub(crate) fn persist_text(self, item: Item, text: RwSignal<String>) {
        self.persist(item, move || text.get());
    }

    /// Returns the failed writes; `None` if everything is stored.
    pub(crate) fn failure(self) -> Option<StorageFailure> {
        let failed = self.failed.read();
        let first = failed.values().next()?;
        let help = match first.error() {
            WriteError::Denied => {
                "Your browser blocks storage for this site. Allow it in the browser's settings, or copy your text before you close this tab."
            }
            WriteError::Full => {
                "The browser's storage for this site is full. Clear large texts, such as log lines or a zone configuration, or copy your text before you close this tab."
            }
        };
        let mut titles: Vec<&'static str> = failed.keys().map(|item| item.title()).collect();
        titles.dedup();
        Some(StorageFailure { titles, help })
    }

    fn write(self, item: Item, value: &str) {
        let mut failed = self.failed.get_untracked();
        let had_failures = !failed.is_empty();
        match item.write(value) {
            Ok(()) => drop(failed.remove(&item)),
            Err(write) => drop(failed.insert(item, write)),
        }
        // A successful write may have freed space for the others.
        let (edited, others) = failed.into_iter().partition(|(other, _)| *other == item);
        failed = retry_all(others);
        failed.extend::<BTreeMap<_, _>>(edited);
        self.set_failed(failed, had_failures);
    }

    fn retry(self) {
        self.set_failed(retry_all(self.failed.get_untracked()), true);
    }

    fn set_failed(self, failed: BTreeMap<Item, FailedWrite>, had_failures: bool) {
        if !failed.is_empty() {
            self.retry_timer.start(RETRY_DELAY, move || self.retry());
        } else if had_failures {
            self.retry_timer.cancel();
        }
        if *self.failed.read_untracked() != failed {
            self.failed.set(failed);
        }
    }
}

/// Repeats writes, and returns those that fail again.
fn retry_all(failed: BTreeMap<Item, FailedWrite>) -> BTreeMap<Item, FailedWrite> {
    failed.into_iter().filter_map(|(item, write)| Some((item, write.retry(item).err()?))).collect()
}
