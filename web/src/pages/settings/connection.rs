//! The connection to the service: base URL, credentials and zone.

use super::credentials::{AuthMethod, CredentialsForm};
use super::relay_session;
use super::zone::ZoneField;
use crate::api::{ApiError, Client};
use crate::commands::{self, Command, handler};
use crate::components::api_error::ApiErrorNotice;
use crate::components::form::{FieldGroup, TextField};
use crate::components::icon::{Icon, IconView};
use crate::components::segmented_control::SegmentedControl;
use crate::connection::{Connection, Credentials};
use crate::fetch::{FetchState, fetch_on_change};
use crate::state::expression::ExpressionContext;
use crate::state::service::{ConnectionStatus, ServiceContext};
use leptos::prelude::*;
use zonewright_api::zone::Zone;

/// The panel.
#[component]
pub(super) fn ConnectionPanel() -> impl IntoView {
    let service = ServiceContext::get();
    let form = CredentialsForm::new(service);
    // Each increment tests the connection; 0 means that no test was started.
    let tests = RwSignal::new(0_u32);
    let result = test_connection(service, form, tests);
    let test = move || {
        service.commit_base_url();
        tests.update(|tests| *tests = tests.wrapping_add(1).max(1));
    };
    // A keyboard shortcut can leave the page without moving the focus.
    on_cleanup(move || service.commit_base_url());
    let forget = move || {
        form.clear(service);
        tests.set(0);
    };
    let has_credentials =
        move || form.method.get() == AuthMethod::Relay || service.connection.read().credentials != Credentials::None;
    let base_url_error =
        Signal::derive(move || service.connection.read().base_url_error().unwrap_or_default().to_owned());
    let is_ready = move || has_credentials() && base_url_error.read().is_empty();
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        service.commit_base_url();
        if is_ready() {
            test();
        }
    };
    commands::register_page_commands(move |command| match command {
        Command::TestConnection if is_ready() => handler(test),
        Command::ForgetCredentials if has_credentials() => handler(forget),
        _ => None,
    });
    let uses_relay = move || form.method.get() == AuthMethod::Relay;
    view! {
        <section class="panel" aria-labelledby="connection-heading">
            <h2 id="connection-heading">"Connection"</h2>
            <form class="form" on:submit=submit on:focusout=move |_| service.commit_base_url() novalidate>
                <TextField
                    id="base-url"
                    label="Base URL"
                    help="Leave empty for the site that serves this app, or enter a URL such as https://api.example.com/client/v4. A service on another site must allow this one (CORS)."
                    error=base_url_error
                    input_type="url"
                    value=Signal::derive(move || service.connection.read().base_url.clone())
                    on_change=move |text: String| {
                        // The result of the last test and the session belong to the previous service.
                        tests.set(0);
                        form.csrf_token.set(None);
                        service.change_base_url(text);
                    }
                />
                <FieldGroup label="Authenticate with">
                    <SegmentedControl
                        label="Authenticate with"
                        choices=vec![(AuthMethod::Token, "Token"), (AuthMethod::Key, "Email and key"), (AuthMethod::Relay, "This server")]
                        value=form.method
                        choose=move |method| form.method.set(method)
                    />
                </FieldGroup>
                <CredentialsFields form />
                <ZoneField />
                <div class="form-actions">
                    <button type="submit" class="button primary" disabled=move || !is_ready()>
                        {move || if uses_relay() && form.csrf_token.read().is_none() { "Log in" } else { "Test connection" }}
                    </button>
                    <button type="button" class="button" disabled=move || !has_credentials() on:click=move |_| forget()>
                        {move || if uses_relay() { "Log out" } else { "Forget credentials" }}
                    </button>
                </div>
                <TestResult result />
            </form>
        </section>
    }
}

/// The credentials of the selected method.
#[component]
fn CredentialsFields(form: CredentialsForm) -> impl IntoView {
    let secret = move |id: &'static str, label: &'static str, text: RwSignal<String>, error: Signal<String>| {
        view! { <TextField id label error input_type="password" value=text on_change=move |typed| text.set(typed) /> }
    };
    let no_error = Signal::stored(String::new());
    let fields = move || match form.method.get() {
        AuthMethod::Token => secret("token", "Token", form.token, form.token_error()).into_any(),
        AuthMethod::Key => view! {
            <TextField
                id="email"
                label="Email"
                error=form.email_error()
                input_type="email"
                value=form.email
                on_change=move |typed| form.email.set(typed)
            />
            {secret("key", "Key", form.key, form.key_error())}
        }
        .into_any(),
        AuthMethod::Relay if form.csrf_token.read().is_some() => view! {
            <p class="quiet">"Logged in. The server stores the credentials; this browser only has a session."</p>
        }
        .into_any(),
        AuthMethod::Relay => secret("passphrase", "Passphrase", form.passphrase, no_error).into_any(),
    };
    let note = move || {
        if form.method.get() == AuthMethod::Relay {
            "The passphrase is sent once and not stored. Leave it empty to resume this browser's session."
        } else {
            "Credentials are kept only in memory and are cleared when you close or reload this page."
        }
    };
    view! {
        {fields}
        <p class="quiet">{note}</p>
    }
}

/// Lists the zones each time `tests` changes. Selects the first zone, unless the selected one is listed. Logs in first
/// if a relay has no session yet. The test fails with [`ApiError::Cancelled`] if the user changed the base URL or the
/// credentials before the response, so that the zones of one service are never used for another.
fn test_connection(
    service: ServiceContext,
    form: CredentialsForm,
    tests: RwSignal<u32>,
) -> RwSignal<FetchState<Vec<Zone>>> {
    let scope = ExpressionContext::get().scope;
    let result = fetch_on_change(move |signal| {
        // The connection is not tracked, because only the user starts a test.
        if tests.get() == 0 {
            return None;
        }
        let mut tested = service.connection.get_untracked();
        let client = Client::new(tested.clone(), &signal);
        let needs_log_in =
            form.method.get_untracked() == AuthMethod::Relay && form.csrf_token.read_untracked().is_none();
        let passphrase = form.passphrase.get_untracked();
        Some(async move {
            if needs_log_in {
                let session = relay_session::log_in(&client, &passphrase).await?;
                expect_same_service(service, &tested)?;
                form.passphrase.set(String::new());
                tested.credentials = session.csrf_token.clone().map_or(Credentials::None, Credentials::Session);
                form.csrf_token.set(session.csrf_token);
            }
            let zones = client.zones().await;
            expect_same_service(service, &tested)?;
            zones
        })
    });
    Effect::new(move || match &*result.read() {
        FetchState::Done(zones) => {
            let selected = service.connection.read_untracked().zone.clone();
            let is_listed = zones.iter().any(|zone| zone.id == selected);
            service.zones.set(zones.clone());
            service.status.set(ConnectionStatus::Connected);
            if let Some(first) = zones.first() {
                service.select_zone(if is_listed { &selected } else { &first.id }, scope);
            }
        }
        FetchState::Failed(error) if *error != ApiError::Cancelled => {
            service.status.set(ConnectionStatus::Failed);
            if matches!(error, ApiError::Response { status: 401, .. }) {
                // If a session expired, the form requires the passphrase again.
                form.csrf_token.set(None);
            }
        }
        FetchState::Idle | FetchState::Loading | FetchState::Failed(_) => {}
    });
    result
}

/// Fails if the base URL or the credentials are no longer those of `tested`.
fn expect_same_service(service: ServiceContext, tested: &Connection) -> Result<(), ApiError> {
    let current = service.connection.read_untracked();
    let is_same = current.base_url == tested.base_url && current.credentials == tested.credentials;
    if is_same { Ok(()) } else { Err(ApiError::Cancelled) }
}

/// The result of the last test.
#[component]
fn TestResult(result: RwSignal<FetchState<Vec<Zone>>>) -> impl IntoView {
    move || match result.get() {
        FetchState::Idle | FetchState::Failed(ApiError::Cancelled) => ().into_any(),
        FetchState::Loading => view! { <p class="late quiet">"Testing the connection…"</p> }.into_any(),
        FetchState::Failed(error) => view! { <ApiErrorNotice title="The connection failed" error /> }.into_any(),
        FetchState::Done(zones) => view! {
            <p class="notice success" role="status">
                <IconView icon=Icon::Success />
                <span>{success_message(zones.len())}</span>
            </p>
        }
        .into_any(),
    }
}

fn success_message(zone_count: usize) -> String {
    match zone_count {
        0 => "The connection works, but these credentials have no access to any zone.".to_owned(),
        1 => "The connection works: 1 zone.".to_owned(),
        count => format!("The connection works: {count} zones."),
    }
}
