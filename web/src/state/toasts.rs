//! Short messages about the outcome of an action, visible on every page.

use leptos::prelude::*;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToastMessage {
    /// The number of the message. Two messages with the same text have different numbers.
    pub(crate) number: u32,
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
    /// The number of the last message.
    last_number: StoredValue<u32>,
}

impl ToastContext {
    /// Provides a context without a message.
    pub(crate) fn provide() -> Self {
        let toasts = ToastContext { message: RwSignal::new(None), last_number: StoredValue::new(0) };
        provide_context(toasts);
        toasts
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Reports that an action succeeded.
    pub(crate) fn show_success(self, text: impl Into<String>) {
        self.show(ToastKind::Success, text.into());
    }

    /// Reports that an action failed, or that its outcome is unknown.
    pub(crate) fn show_error(self, text: impl Into<String>) {
        self.show(ToastKind::Error, text.into());
    }

    fn show(self, kind: ToastKind, text: String) {
        let number = self.last_number.get_value().wrapping_add(1);
        self.last_number.set_value(number);
        self.message.set(Some(ToastMessage { number, kind, text }));
    }
}
