//! The pages, one module each.

pub(crate) mod expressions;
pub(crate) mod jobs;
pub(crate) mod log_filters;
pub(crate) mod migration;
pub(crate) mod rules;
pub(crate) mod settings;
