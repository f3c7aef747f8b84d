//! The storage of the browser: the *workspace*, which is everything that the user typed, and the settings.
//!
//! Start with [`Item`], one stored part of the workspace, and [`Workspace`], which stores its changes.
//!
//! - **Ownership.** Each tab owns the items in its session storage, and only this tab writes them. The local storage
//!   contains the latest edit of each item in all tabs. A tab starts with its own value of each item. If it has none,
//!   it starts with the value in the local storage, as every new tab does.
//! - **Two tabs.** A tab never replaces the text on the screen with that of another tab, and a reload restores its own
//!   text. Tabs therefore send each other no messages. Items need no versions, because only edits write to the local
//!   storage, so its writes are in the order of the edits. Opening and reloading a tab writes only to its session
//!   storage.
//! - **Durability.** Writes are synchronous: an item is stored when the effects of the edit have run. The base URL is
//!   stored when the user leaves its field, because a part of a password looks like a host while it is typed. An edit survives
//!   a reload and a restart that restores the tab. After its tab is closed, it survives until another tab edits the
//!   same item. If a write fails, the status bar reports it, and the write is repeated until it succeeds. A repetition
//!   never replaces a later edit of another tab in the local storage.
//! - **Not stored.** Credentials, base URLs that may contain some, passphrases, ownership challenges, headers and
//!   other secrets of destinations exist only in memory. The confirmations of a migration must be repeated. Files
//!   of log lines, configurations that were read from the service and responses of the service can be read again.
//!   Selections within a page, such as the page of a list, are not input. A secret within a text, such as a header
//!   of a sample request, is part of that text.
//!
//! The value of an item is a text, or JSON if it has several parts. A value that cannot be read counts as absent,
//! and JSON is then copied to the key with the suffix `.unreadable`.
//! Settings are the theme and the positions of dividers: all tabs share them, and losing one loses no input.

mod item;
mod workspace;

pub(crate) use item::Item;
pub(crate) use workspace::Workspace;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use web_sys::{Storage, Window};

/// The key of the theme: light or dark, or absent for that of the system. `theme.js` also reads it.
pub(crate) const THEME_KEY: &str = "zonewright.theme";

// Access to either storage throws if the user blocks it. The rest of the app still works.

fn local_storage() -> Option<Storage> {
    web_sys::window().as_ref().map(Window::local_storage)?.ok()?
}

fn session_storage() -> Option<Storage> {
    web_sys::window().as_ref().map(Window::session_storage)?.ok()?
}

/// Returns a setting.
pub(crate) fn get(key: &str) -> Option<String> {
    local_storage()?.get_item(key).ok()?
}

/// Stores a setting. A failure is ignored, because the app works without storage.
pub(crate) fn set(key: &str, value: &str) {
    if let Some(storage) = local_storage() {
        drop(storage.set_item(key, value));
    }
}

/// Removes a setting.
pub(crate) fn remove(key: &str) {
    if let Some(storage) = local_storage() {
        drop(storage.remove_item(key));
    }
}

/// Returns a value as JSON, so that an item can store it.
pub(crate) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Restores an item whose value is JSON; returns `None` if it is absent or cannot be read. `T` has a default for each
/// member, so a member of another version that cannot be read does not discard the others. The whole value is then
/// copied to another key before the next write replaces it.
pub(crate) fn restore_json<T: DeserializeOwned>(item: Item) -> Option<T> {
    let text = item.restore()?;
    if let Ok(value) = serde_json::from_str(&text) {
        return Some(value);
    }
    item.preserve_unreadable(&text);
    let mut members: Map<String, Value> = serde_json::from_str(&text).ok()?;
    members.retain(|name, value| {
        let member = Map::from_iter([(name.clone(), value.clone())]);
        serde_json::from_value::<T>(Value::Object(member)).is_ok()
    });
    serde_json::from_value(Value::Object(members)).ok()
}
