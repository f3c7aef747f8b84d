//! What the browser keeps between visits: the text, the selectors, the look. Never credentials.

/// The expression being written.
pub(crate) const EXPRESSION_KEY: &str = "zonewright.source";
/// The test cases.
pub(crate) const TEST_CASES_KEY: &str = "zonewright.cases";
/// The log push filter being written.
pub(crate) const LOG_FILTER_KEY: &str = "zonewright.log-filter";
/// The dataset whose fields it names.
pub(crate) const DATASET_KEY: &str = "zonewright.dataset";
/// Kind, phase and tier.
pub(crate) const SCOPE_KEY: &str = "zonewright.scope";
/// Light or dark; absent for the system's. Also read by `theme.js`.
pub(crate) const THEME_KEY: &str = "zonewright.theme";
/// Base URL of the service.
pub(crate) const BASE_URL_KEY: &str = "zonewright.base-url";

fn storage() -> Option<web_sys::Storage> {
    // Throws where the user forbids storage: then nothing is remembered, and all the rest works.
    web_sys::window()?.local_storage().ok()?
}

/// The text kept under a key.
pub(crate) fn get(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

/// Keeps a text; a full or forbidden storage is no error, the text just is not remembered.
pub(crate) fn set(key: &str, value: &str) {
    if let Some(storage) = storage() {
        drop(storage.set_item(key, value));
    }
}

/// Forgets a text.
pub(crate) fn remove(key: &str) {
    if let Some(storage) = storage() {
        drop(storage.remove_item(key));
    }
}
