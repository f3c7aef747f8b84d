//! Short messages about the outcome of an action, visible on every page.

use leptos::prelude::*;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToastMessage {
    /// Success or error.
    pub(crate) kind: ToastKind,
    /// The text.
    pub(crate) text: String,
}

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToastKind {
    /// The action succeeded.
    Success,
    /// The action failed, or its outcome is unknown.
    Error,
}

/// The visible message, if any.
#[derive(Clone, Copy)]
pub(crate) struct ToastContext {
    /// The visible message. A new message replaces it.
    pub(crate) message: RwSignal<Option<ToastMessage>>,
}

impl ToastContext {
    /// Provides a context without a message.
    pub(crate) fn provide() -> Self {
        let toasts = ToastContext { message: RwSignal::new(None) };
        provide_context(toasts);
        toasts
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Reports that an action succeeded.
    pub(crate) fn show_success(self, text: impl Into<String>) {
        self.message.set(Some(ToastMessage { kind: ToastKind::Success, text: text.into() }));
    }

    /// Reports that an action failed, or that its outcome is unknown.
    pub(crate) fn show_error(self, text: impl Into<String>) {
        self.message.set(Some(ToastMessage { kind: ToastKind::Error, text: text.into() }));
    }
}
