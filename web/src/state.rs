//! State that outlives a page.
//!
//! Components read a context with `get`. A context holds state that several pages share, or that one page restores when
//! the user returns to it. All other state belongs to its page. [`crate::app::App`] provides the contexts of the frame
//! and of the page of expressions. The drafts of other pages are created on first use ([`on_demand`]), so that their
//! code is loaded with these pages. Contexts import neither pages nor components.

pub(crate) mod expression;
pub(crate) mod expression_tools;
pub(crate) mod job_draft;
pub(crate) mod log_filter_draft;
pub(crate) mod on_demand;
pub(crate) mod page_request;
pub(crate) mod rule_draft;
pub(crate) mod service;
pub(crate) mod theme;
pub(crate) mod toasts;
