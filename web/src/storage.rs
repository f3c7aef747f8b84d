//! The local storage of the browser: texts, settings and the positions of dividers. Credentials are never stored.

/// The key of the expression. `boot.js` also reads it.
pub(crate) const EXPRESSION_KEY: &str = "zonewright.source";
/// The key of the test cases.
pub(crate) const TEST_CASES_KEY: &str = "zonewright.cases";
/// The key of the log push filter. `boot.js` also reads it.
pub(crate) const LOG_FILTER_KEY: &str = "zonewright.log-filter";
/// The key of the dataset of the log push filter.
pub(crate) const DATASET_KEY: &str = "zonewright.dataset";
/// The key of kind, phase and plan.
pub(crate) const SCOPE_KEY: &str = "zonewright.scope";
/// The key of the theme: light or dark, or absent for that of the system. `theme.js` also reads it.
pub(crate) const THEME_KEY: &str = "zonewright.theme";
/// The key of the base URL of the service.
pub(crate) const BASE_URL_KEY: &str = "zonewright.base-url";

fn storage() -> Option<web_sys::Storage> {
    // Access throws if the user blocks storage. Nothing is stored then, and everything else works.
    web_sys::window()?.local_storage().ok()?
}

/// Returns the text under a key.
pub(crate) fn get(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

/// Stores a text. A failure is ignored, because the app works without storage.
pub(crate) fn set(key: &str, value: &str) {
    if let Some(storage) = storage() {
        drop(storage.set_item(key, value));
    }
}

/// Removes a text.
pub(crate) fn remove(key: &str) {
    if let Some(storage) = storage() {
        drop(storage.remove_item(key));
    }
}
