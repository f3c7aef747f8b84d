//! The web app: write an expression, see what is wrong with it, send it as a rule.
//!
//! Everything but sending happens in the browser: the engine crates are called directly. Read in
//! this order: [`state`] (what outlives a page), [`route`], [`app`] (the frame), [`pages`], then
//! [`api`] (the service over HTTP).

// The component macro makes what it generates `pub`, whatever the function is.
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
mod export;
mod fetch;
mod focus;
mod job;
mod language;
mod pages;
mod recipes;
mod route;
mod scope;
mod selection;
mod share;
mod state;
mod storage;
mod symbols;
mod time_slice;
mod unreachable_rules;

fn main() {
    leptos::mount::mount_to_body(app::App);
}
