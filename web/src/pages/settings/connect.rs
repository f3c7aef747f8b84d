//! The connection: where, who, which zone.

use crate::api::{Client, Problem};
use crate::commands::{self, Command, handler};
use crate::components::failure::Failure;
use crate::components::field::Field;
use crate::components::icon::{Icon, Pictogram};
use crate::components::segments::Segments;
use crate::connection::{Connection, Credentials};
use crate::load::{Load, load};
use crate::pages::settings::zone::ZoneField;
use crate::state::expression::ExpressionContext;
use crate::state::service::ConnectionStatus;
use crate::state::service::ServiceContext;
use crate::storage;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::AbortController;
use zonewright_api::relay::RelaySession;
use zonewright_api::{ErrorObject, error_code};

/// How to sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    Token,
    Key,
    Server,
}

/// The panel of the connection.
#[component]
pub(crate) fn Connect() -> impl IntoView {
    let service = ServiceContext::get();
    let expression = ExpressionContext::get();
    let connection = service.connection;
    let start = connection.get_untracked();
    let (token, email, key) = match &start.credentials {
        Credentials::None | Credentials::Session(_) => Default::default(),
        Credentials::Token(token) => (token.clone(), String::new(), String::new()),
        Credentials::Key { email, key } => (String::new(), email.clone(), key.clone()),
    };
    let csrf = RwSignal::new(match &start.credentials {
        Credentials::Session(secret) => Some(secret.clone()),
        _ => None,
    });
    let scheme = RwSignal::new(match &start.credentials {
        Credentials::Session(_) => Scheme::Server,
        Credentials::Key { .. } => Scheme::Key,
        Credentials::None | Credentials::Token(_) => Scheme::Token,
    });
    let passphrase = RwSignal::new(String::new());
    let (token, email, key) = (RwSignal::new(token), RwSignal::new(email), RwSignal::new(key));
    // Pressing the button again starts the test again.
    let tests = RwSignal::new(0_u32);

    let entered = move || match scheme.get() {
        Scheme::Token => {
            let token = token.get().trim().to_owned();
            if token.is_empty() { Credentials::None } else { Credentials::Token(token) }
        }
        Scheme::Key => {
            let (email, key) = (email.get().trim().to_owned(), key.get().trim().to_owned());
            if email.is_empty() || key.is_empty() { Credentials::None } else { Credentials::Key { email, key } }
        }
        Scheme::Server => csrf.get().map_or(Credentials::None, Credentials::Session),
    };
    let problem_of = |text: RwSignal<String>, name: &'static str| {
        Signal::derive(move || {
            sendable(text.read().trim()).then(String::new).unwrap_or_else(|| {
                format!("{name} may only hold letters, digits and signs of the ASCII set, no spaces.")
            })
        })
    };
    let (token_error, email_error, key_error) =
        (problem_of(token, "A token"), problem_of(email, "An address"), problem_of(key, "A key"));
    let no_error = Signal::stored(String::new());
    let fits = move || {
        let errors = match scheme.get() {
            Scheme::Token => vec![token_error],
            Scheme::Key => vec![email_error, key_error],
            Scheme::Server => Vec::new(),
        };
        errors.iter().all(|error| error.read().is_empty())
    };
    Effect::new(move || {
        let credentials = if fits() { entered() } else { Credentials::None };
        if connection.read_untracked().credentials != credentials {
            connection.update(|connection| connection.credentials = credentials);
        }
    });

    let tested = load(move |signal| {
        // Only the button starts a test: the connection is read as it is then.
        if tests.get() == 0 {
            return None;
        }
        let client = Client::new(connection.get_untracked(), &signal);
        let logs_in = scheme.get_untracked() == Scheme::Server && csrf.read_untracked().is_none();
        let typed = passphrase.get_untracked();
        Some(async move {
            if logs_in {
                let session = sign_in(&client, &typed).await?;
                passphrase.set(String::new());
                csrf.set(session.csrf_token);
            }
            client.zones().await
        })
    });
    Effect::new(move || match &*tested.read() {
        Load::Done(zones) => {
            let chosen = connection.read_untracked().zone.clone();
            let known = zones.iter().any(|zone| zone.id == chosen);
            service.zones.set(zones.clone());
            service.status.set(ConnectionStatus::Connected);
            if let Some(first) = zones.first() {
                service.select_zone(if known { &chosen } else { &first.id }, expression.scope);
            }
        }
        Load::Failed(problem) => {
            service.status.set(ConnectionStatus::Failed);
            if matches!(problem, Problem::Refused { status: 401, .. }) {
                // The session is over: the passphrase is asked for again.
                csrf.set(None);
            }
        }
        Load::Idle | Load::Loading => {}
    });
    let forget = move || {
        if csrf.read_untracked().is_some() {
            sign_out(connection.get_untracked());
            csrf.set(None);
        }
        for text in [token, email, key, passphrase] {
            text.set(String::new());
        }
        let base_url = connection.read_untracked().base_url.clone();
        connection.set(Connection { base_url, ..Connection::default() });
        service.zones.set(Vec::new());
        service.status.set(ConnectionStatus::NotConnected);
        tests.set(0);
    };
    let ready = move || scheme.get() == Scheme::Server || connection.read().credentials != Credentials::None;
    let test = move || tests.update(|tests| *tests = tests.wrapping_add(1).max(1));
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if ready() {
            test();
        }
    };
    commands::register_page_commands(move |command| match command {
        Command::TestConnection if ready() => handler(test),
        Command::ForgetCredentials if ready() => handler(forget),
        _ => None,
    });
    view! {
        <section class="panel" aria-labelledby="connection-heading">
            <h2 id="connection-heading">"Connection"</h2>
            <form class="form" on:submit=submit novalidate>
                <Field id="base-url" label="Base URL" help="Empty for the site this app came from. Otherwise like https://api.example.com/client/v4; the service there must allow this site (CORS).">
                    <input
                        id="base-url"
                        type="url"
                        autocomplete="off"
                        spellcheck="false"
                        aria-describedby="base-url-help"
                        prop:value=move || connection.read().base_url.clone()
                        on:input=move |event| {
                            let text = event_target_value(&event);
                            storage::set(storage::BASE_URL, &text);
                            connection.update(|connection| connection.base_url = text);
                        }
                    />
                </Field>
                <div class="field">
                    <span class="field-label">"Sign in with"</span>
                    <Segments
                        label="Sign in with"
                        choices=vec![(Scheme::Token, "Token"), (Scheme::Key, "E-mail and key"), (Scheme::Server, "This server")]
                        value=scheme
                        choose=move |chosen| scheme.set(chosen)
                    />
                </div>
                {move || match scheme.get() {
                    Scheme::Token => view! { <Secret id="token" label="Token" text=token error=token_error /> }.into_any(),
                    Scheme::Key => view! {
                        <Field id="email" label="E-mail" error=email_error>
                            <input
                                id="email"
                                type="email"
                                autocomplete="off"
                                aria-describedby="email-error"
                                prop:value=email
                                on:input=move |event| email.set(event_target_value(&event))
                            />
                        </Field>
                        <Secret id="key" label="Key" text=key error=key_error />
                    }
                    .into_any(),
                    Scheme::Server if csrf.read().is_some() => view! {
                        <p class="quiet">"Logged in: the server keeps the credentials, and this browser holds a session only."</p>
                    }
                    .into_any(),
                    Scheme::Server => view! { <Secret id="passphrase" label="Passphrase" text=passphrase error=no_error /> }.into_any(),
                }}
                <p class="quiet">
                    {move || if scheme.get() == Scheme::Server {
                        "The passphrase is sent once and not kept. Without it, the session that this browser still has goes on."
                    } else {
                        "Credentials stay in the memory of this page: they are gone when it is closed or loaded again."
                    }}
                </p>
                <ZoneField />
                <div class="form-actions">
                    <button type="submit" class="button primary" disabled=move || !ready()>
                        {move || if scheme.get() == Scheme::Server && csrf.read().is_none() { "Log in" } else { "Test connection" }}
                    </button>
                    <button type="button" class="button" disabled=move || !ready() on:click=move |_| forget()>
                        {move || if scheme.get() == Scheme::Server { "Log out" } else { "Forget now" }}
                    </button>
                </div>
                {move || match tested.get() {
                    Load::Idle => ().into_any(),
                    Load::Loading => view! { <p class="late quiet">"Asking the service…"</p> }.into_any(),
                    Load::Failed(problem) => view! { <Failure title="The connection does not work" problem /> }.into_any(),
                    Load::Done(zones) => view! {
                        <p class="notice success" role="status">
                            <Pictogram icon=Icon::Success />
                            <span>{works(zones.len())}</span>
                        </p>
                    }
                    .into_any(),
                }}
            </form>
        </section>
    }
}

/// A field whose text is not shown.
#[component]
fn Secret(id: &'static str, label: &'static str, text: RwSignal<String>, error: Signal<String>) -> impl IntoView {
    view! {
        <Field id label error>
            <input
                id=id
                type="password"
                autocomplete="off"
                spellcheck="false"
                aria-describedby=format!("{id}-error")
                prop:value=text
                on:input=move |event| text.set(event_target_value(&event))
            />
        </Field>
    }
}

/// The session at a server that keeps the credentials: the one that this browser has, or with a passphrase a new one.
/// The server is asked first, so that no other one gets to see the passphrase.
async fn sign_in(client: &Client, passphrase: &str) -> Result<RelaySession, Problem> {
    let present = match client.session().await {
        // A service that is no relay has no such address.
        Err(Problem::Refused { status: 404, .. }) => RelaySession::default(),
        present => present?,
    };
    if !present.keeps_credentials {
        return Err(nobody("this server keeps no credentials: sign in with a token, or with e-mail and key"));
    }
    if !passphrase.is_empty() {
        return client.log_in(passphrase).await;
    }
    if present.signed_in { Ok(present) } else { Err(nobody("nobody is logged in: enter the passphrase of the server")) }
}

fn nobody(message: &str) -> Problem {
    Problem::Refused { status: 401, errors: vec![ErrorObject::new(error_code::NO_SESSION, message)] }
}

/// Ends the session; when that fails, it ends by itself.
fn sign_out(connection: Connection) {
    let Ok(controller) = AbortController::new() else { return };
    spawn_local(async move {
        let _ = Client::new(connection, &controller.signal()).log_out().await;
    });
}

/// Whether the browser can put the text into a header.
fn sendable(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic())
}

fn works(zones: usize) -> String {
    match zones {
        0 => "The connection works, but these credentials see no zone.".to_owned(),
        1 => "The connection works: 1 zone.".to_owned(),
        more => format!("The connection works: {more} zones."),
    }
}
