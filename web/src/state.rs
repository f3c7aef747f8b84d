//! State that outlives a page.
//!
//! [`crate::app::App`] provides each context once, and components read it with `get`. A context holds state that
//! several parts of the app share, or that one page restores when the user returns to it. All other state belongs to
//! its page. Contexts import neither pages nor components.

pub(crate) mod expression;
pub(crate) mod expression_tools;
pub(crate) mod job_draft;
pub(crate) mod log_filter_draft;
pub(crate) mod rule_draft;
pub(crate) mod service;
pub(crate) mod theme;
pub(crate) mod toasts;
