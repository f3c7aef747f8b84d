//! The web app: write an expression, see what is wrong with it, send it as a rule.
//!
//! Everything but sending happens in the browser: the engine crates are called directly. Read in
//! this order: [`state`] (what outlives a page), [`route`], [`app`] (the frame), [`pages`], then
//! [`api`] (the service over HTTP).

// The component macro makes what it generates `pub`, whatever the function is.
#![allow(unreachable_pub)]

mod analyzed;
mod api;
mod app;
mod chosen;
mod clipboard;
mod codemirror;
mod commands;
mod components;
mod connection;
mod copy_as;
mod firing;
mod flow;
mod focus;
mod job;
mod language;
mod load;
mod pages;
mod pieces;
mod recipes;
mod route;
mod scope;
mod share;
mod state;
mod storage;
mod turns;

fn main() {
    leptos::mount::mount_to_body(app::App);
}
