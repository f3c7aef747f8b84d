//! The web app: write expressions and filters, see their diagnostics, and send them to the service.
//!
//! The engine runs in Web Workers of the browser; only requests to the service leave it. The modules in reading order:
//!
//! - [`app`]: the frame around the pages, which provides the contexts.
//! - [`part`]: the parts of the app that are loaded on demand.
//! - [`state`]: the contexts that outlive a page.
//! - [`route`]: the current page, in the URL fragment.
//! - [`pages`]: one module for each page.
//! - [`components`]: the components that pages share.
//! - [`engine`]: the engine, which runs in Web Workers.
//! - [`language`]: the interface between the editor and a language of the engine.
//! - [`analysis`]: a text with its analysis.
//! - [`rewrite`]: replaces a text with the result of a verb.
//! - [`codemirror`]: bindings to the editor module.
//! - [`selection`]: the selected span of a text.
//! - [`connection`]: base URL, credentials and zone.
//! - [`api`]: the typed HTTP client of the service, with the outcomes of writes.
//! - [`fetch`]: data that is fetched again when signals change.
//! - [`job`]: the model of the form of a log push job.
//! - [`scope`]: the kind, phase and plan that an expression is checked with.
//! - [`decision_diagram`]: the layout of the decision diagram of an expression.
//! - [`unreachable_rules`]: the reachability of the rules of a list.
//! - [`text`]: formatting of texts for display.
//! - [`timer`]: timers that do not outlive their component.
//! - [`commands`]: the commands of the palette.
//! - [`recipes`]: the recipes of expressions.
//! - [`export`]: export of expressions and filters to other languages.
//! - [`share`]: links with an expression or a filter.
//! - [`focus`]: the keyboard focus.
//! - [`clipboard`]: copying text.
//! - [`storage`]: the input and the settings that the browser stores.

// The component macro generates `pub` items, whatever the visibility of the function.
#![allow(unreachable_pub)]

mod analysis;
mod api;
mod app;
mod clipboard;
mod codemirror;
mod commands;
mod components;
mod connection;
mod decision_diagram;
mod engine;
mod export;
mod fetch;
mod focus;
mod job;
mod language;
mod pages;
mod part;
mod recipes;
mod rewrite;
mod route;
mod scope;
mod selection;
mod share;
mod state;
mod storage;
mod text;
mod timer;
mod unreachable_rules;

use wasm_bindgen::prelude::wasm_bindgen;

/// Empty, because wasm-bindgen would call it in the task that compiles the module. `boot.js` calls [`start_app`].
fn main() {}

/// Renders the app.
#[wasm_bindgen(js_name = startApp)]
pub fn start_app() {
    leptos::mount::mount_to_body(app::App);
}
