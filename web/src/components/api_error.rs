//! A call that failed: what happened, what it means, what to do.

use crate::api::ApiError;
use crate::components::icon::{Icon, IconView};
use leptos::prelude::*;
use zonewright_api::ErrorObject;

/// A problem of a call, with everything the service said about it.
#[component]
pub(crate) fn ApiErrorNotice(
    /// What was tried: `The rules could not be read`.
    title: &'static str,
    /// What happened.
    problem: ApiError,
    /// Whose messages stand elsewhere: they are not said again.
    #[prop(default = nowhere_else)]
    is_shown_at_field: fn(&ErrorObject) -> bool,
    /// Called with the pointer and the message of the error whose field is asked for.
    #[prop(optional_no_strip)]
    on_go_to_field: Option<Callback<(String, String)>>,
    /// What can be done about it.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let (meaning, errors) = explain(problem);
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

fn nowhere_else(_: &ErrorObject) -> bool {
    false
}

/// Begins what the service says of the first error of an expression; the drawings below say it again.
const FIRST_ERROR: &str = "Filter parsing error (";

/// A message without the drawings for terminals below its lines.
pub(crate) fn spoken(message: &str) -> String {
    if !message.lines().any(starts_drawing) {
        return message.to_owned();
    }
    let words = |block: &str| {
        let block = block.split_once(FIRST_ERROR).map_or(block, |(before, _)| before.trim_end());
        block.lines().take_while(|line| !starts_drawing(line)).collect::<Vec<_>>().join("\n")
    };
    message.split("\n\n").map(words).filter(|words| !words.is_empty()).collect::<Vec<_>>().join("\n")
}

fn starts_drawing(line: &str) -> bool {
    line.trim_start().starts_with("--> ")
}

/// What the service (or the same checks in the browser) said, each with code and place.
#[component]
pub(crate) fn ErrorList(
    /// The elements of `errors`.
    errors: Vec<ErrorObject>,
    /// Whose messages stand elsewhere: only code and place are given here.
    is_shown_at_field: fn(&ErrorObject) -> bool,
    /// Called with the pointer and the message of the error whose field is asked for; without it places
    /// are words only.
    #[prop(optional_no_strip)]
    on_go_to_field: Option<Callback<(String, String)>>,
) -> impl IntoView {
    let rows = errors.into_iter().map(|error| {
        let words = spoken(&error.message);
        let drawn = words != error.message;
        let is_shown_at_field = is_shown_at_field(&error);
        let pointer = error.source.map(|source| source.pointer).filter(|pointer| !pointer.is_empty());
        let place = pointer.map(|pointer| {
            let code = view! { <code>{pointer.clone()}</code> };
            match on_go_to_field {
                Some(on_go_to_field) => {
                    let message = words.clone();
                    let show = move |_| on_go_to_field.run((pointer.clone(), message.clone()));
                    view! { " at " <button type="button" class="link" on:click=show>{code}</button> }.into_any()
                }
                None => view! { " at " {code} }.into_any(),
            }
        });
        view! {
            <li>
                {(!is_shown_at_field).then(|| view! { <pre class="message">{words}</pre> })}
                <p class="quiet">
                    {(error.code > 0).then(|| format!("Code {}", error.code))}
                    {place}
                </p>
                {error.error_chain.into_iter().map(|link| view! { <p>{link.message}</p> }).collect_view()}
                // Carets under a line only fit a line that is not wrapped: it scrolls, by keyboard too.
                {drawn.then(|| view! {
                    <details>
                        <summary>"Show the answer"</summary>
                        <pre class="message drawn" tabindex="0">{error.message}</pre>
                    </details>
                })}
                {error.meta.map(|meta| {
                    view! {
                        {meta.id.map(|id| view! { <p class="quiet">"It exists already as " <code>{id}</code></p> })}
                        {meta.filter_id.map(|id| view! { <p class="quiet">"Its filter was kept: " <code>{id}</code></p> })}
                    }
                })}
            </li>
        }
    });
    view! { <ul class="errors">{rows.collect_view()}</ul> }
}

fn explain(problem: ApiError) -> (String, Vec<ErrorObject>) {
    match problem {
        ApiError::Unreachable => (
            "The browser was not given an answer to read. Either there is no service at this address or no network, \
             or the service does not allow this site to read its answers (CORS). Check the base URL in Settings; a \
             service that serves this app itself needs none."
                .to_owned(),
            Vec::new(),
        ),
        ApiError::TimedOut => ("No answer came within 30 seconds.".to_owned(), Vec::new()),
        ApiError::Cancelled => ("The call was ended before the answer came.".to_owned(), Vec::new()),
        ApiError::InvalidBaseUrl => (
            "The base URL in Settings is not an address. It looks like https://api.example.com/client/v4, or is empty \
             for the site this app came from."
                .to_owned(),
            Vec::new(),
        ),
        ApiError::Response { status, errors } => (format!("The service refused it with status {status}."), errors),
        ApiError::UnexpectedBody { status, content_type } => {
            let kind = if content_type.is_empty() { "without a content type".to_owned() } else { content_type };
            (
                format!(
                    "The answer (status {status}, {kind}) is not one of such a service: something else lives at this \
                     address. Check the base URL in Settings."
                ),
                Vec::new(),
            )
        }
    }
}
