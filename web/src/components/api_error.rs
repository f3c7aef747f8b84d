//! A notice about a failed call: its cause, its meaning and the remedy.

use crate::api::ApiError;
use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use leptos::prelude::*;
use zonewright_api::ErrorObject;

/// Explains a failed call, with every error that the service returned.
#[component]
pub(crate) fn ApiErrorNotice(
    /// The operation that failed: `The rules could not be read`.
    title: &'static str,
    /// The error.
    error: ApiError,
    /// Returns whether a field shows the message of an error, so that this notice omits it.
    #[prop(default = never_shown_at_field)]
    is_shown_at_field: fn(&ErrorObject) -> bool,
    /// Called with the pointer and the message of the error whose field the user selects.
    #[prop(optional_no_strip)]
    on_go_to_field: Option<Callback<(String, String)>>,
    /// The remedies that are offered.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let (meaning, errors) = describe(error);
    view! {
        <div class="notice error" role="alert">
            <IconView icon=Icon::Error />
            <div class="notice-body">
                <p class="notice-title">{title}</p>
                <p>{meaning}</p>
                <ErrorList errors is_shown_at_field on_go_to_field />
                {children.map(|children| children())}
            </div>
        </div>
    }
}

fn never_shown_at_field(_: &ErrorObject) -> bool {
    false
}

/// The start of the service's message about the first error of an expression. The code frames after it repeat the
/// error.
const PARSE_ERROR_PREFIX: &str = "Filter parsing error (";

/// Removes code frames from a message.
pub(crate) fn strip_code_frames(message: &str) -> String {
    if !message.lines().any(starts_code_frame) {
        return message.to_owned();
    }
    let strip_lines = |block: &str| {
        let block = block.split_once(PARSE_ERROR_PREFIX).map_or(block, |(before, _)| before.trim_end());
        block.lines().take_while(|line| !starts_code_frame(line)).collect::<Vec<_>>().join("\n")
    };
    message.split("\n\n").map(strip_lines).filter(|block| !block.is_empty()).collect::<Vec<_>>().join("\n")
}

fn starts_code_frame(line: &str) -> bool {
    line.trim_start().starts_with("--> ")
}

/// The errors of the service, or of the same validation in the browser, each with code and pointer.
#[component]
pub(crate) fn ErrorList(
    /// The elements of `errors`.
    errors: Vec<ErrorObject>,
    /// Returns whether a field shows the message of an error. The list then has only its code and pointer.
    is_shown_at_field: fn(&ErrorObject) -> bool,
    /// Called with the pointer and the message of the error whose field the user selects. Without it, pointers are
    /// plain text.
    #[prop(optional_no_strip)]
    on_go_to_field: Option<Callback<(String, String)>>,
) -> impl IntoView {
    let rows = errors.into_iter().map(|error| {
        let text = strip_code_frames(&error.message);
        let has_code_frames = text != error.message;
        let is_shown_at_field = is_shown_at_field(&error);
        let pointer = error.source.map(|source| source.pointer).filter(|pointer| !pointer.is_empty());
        let location = pointer.map(|pointer| {
            let code = view! { <code>{pointer.clone()}</code> };
            match on_go_to_field {
                Some(on_go_to_field) => {
                    let message = text.clone();
                    let go_to_field = move |_| on_go_to_field.run((pointer.clone(), message.clone()));
                    view! { " at " <button type="button" class="link" on:click=go_to_field>{code}</button> }.into_any()
                }
                None => view! { " at " {code} }.into_any(),
            }
        });
        view! {
            <li>
                {(!is_shown_at_field).then(|| render_message(text))}
                <p class="quiet">
                    {(error.code > 0).then(|| format!("Code {}", error.code))}
                    {location}
                </p>
                {error.error_chain.into_iter().map(|link| view! { <p><InlineCode text=link.message /></p> }).collect_view()}
                // Carets under a line need that line unwrapped, so the block scrolls, also by keyboard.
                {has_code_frames.then(|| view! {
                    <details>
                        <summary>"Show response"</summary>
                        <pre class="message code-frames" tabindex="0">{error.message}</pre>
                    </details>
                })}
                {error.meta.map(|meta| {
                    view! {
                        {meta.id.map(|id| view! { <p class="quiet">"Already exists as " <code>{id}</code></p> })}
                        {meta.filter_id.map(|id| view! { <p class="quiet">"Its filter was not deleted: " <code>{id}</code></p> })}
                    }
                })}
            </li>
        }
    });
    view! { <ul class="errors">{rows.collect_view()}</ul> }
}

/// Renders a message. Carets under a line need a monospaced font.
fn render_message(text: String) -> AnyView {
    if text.lines().any(|line| line.trim_start().starts_with('^')) {
        view! { <pre class="message">{text}</pre> }.into_any()
    } else {
        view! { <p class="message"><InlineCode text /></p> }.into_any()
    }
}

fn describe(error: ApiError) -> (String, Vec<ErrorObject>) {
    match error {
        ApiError::Unreachable => (
            "The service did not respond, or the browser could not read its response. Check your network and the base \
             URL in Settings. A service on another site must allow this one (CORS). For the service that serves \
             this app, leave the base URL empty."
                .to_owned(),
            Vec::new(),
        ),
        ApiError::TimedOut => ("The service did not respond within 30 seconds.".to_owned(), Vec::new()),
        ApiError::Cancelled => ("The request was canceled.".to_owned(), Vec::new()),
        ApiError::InvalidBaseUrl => (
            "The base URL in Settings is not a URL. Enter one such as https://api.example.com/client/v4, or leave it \
             empty for the site that serves this app."
                .to_owned(),
            Vec::new(),
        ),
        ApiError::Response { status, errors } => (format!("The service returned HTTP status {status}."), errors),
        ApiError::UnexpectedBody { status, content_type } => {
            let kind = if content_type.is_empty() { "no content type".to_owned() } else { content_type };
            (
                format!(
                    "Unexpected response (status {status}, {kind}). There may be a different service at this URL. \
                     Check the base URL in Settings."
                ),
                Vec::new(),
            )
        }
    }
}
