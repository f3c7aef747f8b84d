//! The destination of a job: the fields of a provider, or the destination as text.

use super::form_context::FormContext;
use crate::api::{ApiError, Client};
use crate::components::api_error::ApiErrorNotice;
use crate::components::form::{Field, FieldError, SelectField, SelectOption, TextField};
use crate::components::icon::{Icon, IconView};
use crate::components::secret_input::SecretInput;
use crate::components::segmented_control::SegmentedControl;
use crate::job::{Provider, ProviderFieldKind, redact_with_labels};
use crate::state::service::ServiceContext;
use leptos::prelude::*;
use leptos::task::spawn_local;
use zonewright_logpush::Destination;

const DESTINATION_POINTER: &str = "/destination_conf";

/// The form section "Destination".
#[component]
pub(super) fn DestinationFields() -> impl IntoView {
    let context = FormContext::get();
    let is_raw = context.select(|form| form.destination.raw.is_some());
    let provider = context.select(|form| form.destination.provider);
    let is_unreadable = move || is_raw.get() && context.draft.form.read().destination.as_fields().is_none();
    let choose = move |as_text: bool| {
        context.update(|form| {
            if as_text && form.destination.raw.is_none() {
                let text = if form.destination.is_blank() { String::new() } else { form.destination.to_text() };
                form.destination.raw = Some(text);
            } else if !as_text && let Some(fields) = form.destination.as_fields() {
                form.destination = fields;
            }
        });
    };
    let address = context.select(|form| form.destination.to_text());
    let requires_challenge = Memo::new(move |_| {
        Destination::parse(&address.read()).is_ok_and(|destination| destination.requires_ownership_challenge())
    });
    view! {
        <fieldset class="form-part">
            <legend>"Destination"</legend>
            <SegmentedControl label="Destination as" choices=vec![(false, "Fields"), (true, "URL")] value=is_raw choose />
            <p class="quiet" hidden=move || !is_unreadable()>"Fix the URL to edit it as fields."</p>
            {move || if is_raw.get() {
                view! { <RawAddress /> }.into_any()
            } else {
                view! { <ProviderSelect /> <ProviderFields provider=Provider::by_id(provider.get()) /> }.into_any()
            }}
            <DestinationErrors />
            <p class="address-preview" hidden=move || context.draft.form.read().destination.is_blank()>
                <span class="quiet">"Destination URL (secrets hidden)"</span>
                <code>{move || redact_with_labels(&address.read())}</code>
            </p>
            {move || requires_challenge.get().then(|| view! { <OwnershipChallenge address /> })}
            <p class="quiet" hidden=move || context.draft.original.read().is_some()>
                "Secrets are kept only in memory. Enter them again after you reload this page."
            </p>
        </fieldset>
    }
}

/// The errors of the destination that no field shows.
#[component]
fn DestinationErrors() -> impl IntoView {
    let context = FormContext::get();
    let error = Memo::new(move |_| {
        let form = context.draft.form.read();
        let address = &form.destination;
        if address.is_blank() && !context.was_submitted.get() && context.draft.original.read().is_none() {
            return String::new();
        }
        // The errors of a field are shown at that field.
        let parts = context.destination_errors.read();
        let is_shown_at_field = |message: &String| {
            let part = parts.iter().find(|(_, error)| error == message);
            address.raw.is_none() && part.is_some_and(|(part, _)| context.control_id(part).is_some())
        };
        context
            .submission
            .errors_at(DESTINATION_POINTER)
            .into_iter()
            .filter(|message| !is_shown_at_field(message))
            .collect::<Vec<_>>()
            .join("\n")
    });
    view! {
        <FieldError
            id="destination-error"
            message=error
            attr:role="group"
            attr:aria-label="Errors in the destination"
        />
    }
}

#[component]
fn RawAddress() -> impl IntoView {
    let context = FormContext::get();
    let value = context.select(|form| form.destination.raw.clone().unwrap_or_default());
    view! {
        <div class="field">
            <label class="field-label" for="destination-address">"Destination URL"</label>
            <SecretInput
                id="destination-address"
                label="Destination URL"
                value
                change=Callback::new(move |text| context.update(|form| form.destination.raw = Some(text)))
            />
            <p class="field-help" id="destination-address-help">
                "The value of destination_conf: s3://bucket/logs/{DATE}?region=eu-west-1&access-key-id=…"
            </p>
        </div>
    }
}

#[component]
fn ProviderSelect() -> impl IntoView {
    let context = FormContext::get();
    let provider = context.select(|form| form.destination.provider);
    let options: Vec<SelectOption> =
        Provider::all().iter().map(|provider| (provider.id.to_owned(), provider.title.to_owned())).collect();
    view! {
        <SelectField
            id="destination-provider"
            label="Provider"
            options
            value=Signal::derive(move || provider.get().to_owned())
            on_change=move |id: String| {
                let id = Provider::by_id(&id).id;
                context.update(|form| form.destination.provider = id);
            }
        />
    }
}

/// The fields of a provider.
#[component]
fn ProviderFields(provider: &'static Provider) -> impl IntoView {
    let context = FormContext::get();
    let fields = provider.fields.iter().map(move |input| {
        let key = input.key;
        let id = format!("destination-{key}");
        let value = Memo::new(move |_| context.draft.form.read().destination.value(key).to_owned());
        let change = Callback::new(move |text: String| {
            context.update(|form| drop(form.destination.values.insert(key, text)));
        });
        let control_id = id.clone();
        let error = Signal::derive(move || {
            // An empty field of a new job is not an error before the form is submitted.
            let shows_error =
                context.was_submitted.get() || context.draft.original.read().is_some() || !value.read().is_empty();
            if shows_error { context.control_error(&control_id) } else { String::new() }
        });
        match input.kind {
            ProviderFieldKind::Text => {
                view! { <TextField id label=input.label help=input.help error value on_change=change /> }.into_any()
            }
            ProviderFieldKind::Secret => view! {
                <Field id=id.clone() label=input.label help=input.help error>
                    <SecretInput id label=input.label value change />
                </Field>
            }
            .into_any(),
            ProviderFieldKind::Choice(choices) => {
                let options = choices.iter().map(|(choice, label)| ((*choice).to_owned(), (*label).to_owned()));
                let options = options.collect::<Vec<_>>();
                view! { <SelectField id label=input.label help=input.help error options value on_change=change /> }
                    .into_any()
            }
        }
    });
    view! {
        <div class="provider-fields">{fields.collect_view()}</div>
        {provider.accepts_headers.then(|| view! { <Headers /> })}
        <p class="quiet" hidden=provider.note().is_empty()>{provider.note()}</p>
    }
}

/// The headers that are sent with every batch.
#[component]
fn Headers() -> impl IntoView {
    let context = FormContext::get();
    let count = context.select(|form| form.destination.headers.len());
    let set_header = move |index: usize, assign: fn(&mut (String, String), String), text: String| {
        context.update(|form| {
            if let Some(header) = form.destination.headers.get_mut(index) {
                assign(header, text);
            }
        });
    };
    let header_text = move |index: usize, part: fn(&(String, String)) -> &String| {
        Memo::new(move |_| {
            context.draft.form.read().destination.headers.get(index).map(part).cloned().unwrap_or_default()
        })
    };
    let rows = move || {
        let row = |index: usize| {
            let number = index + 1;
            let error = move || context.control_error(&format!("header-{index}"));
            let remove = move |_| {
                context.update(|form| {
                    if index < form.destination.headers.len() {
                        form.destination.headers.remove(index);
                    }
                });
            };
            view! {
                <div class="header-row">
                    <input
                        type="text"
                        autocomplete="off"
                        spellcheck="false"
                        placeholder="Authorization"
                        aria-label=format!("Name of header {number}")
                        prop:value=header_text(index, |(name, _)| name)
                        on:input=move |event| set_header(index, |(name, _), text| *name = text, event_target_value(&event))
                    />
                    <SecretInput
                        id=format!("header-{index}")
                        label=format!("Value of header {number}")
                        labeled=false
                        value=header_text(index, |(_, value)| value)
                        change=Callback::new(move |text| set_header(index, |(_, value), text| *value = text, text))
                    />
                    <button type="button" class="button quiet square" aria-label=format!("Remove header {number}") on:click=remove>
                        <IconView icon=Icon::Close />
                    </button>
                    <FieldError message=Signal::derive(error) />
                </div>
            }
        };
        (0..count.get()).map(row).collect_view()
    };
    let add = move |_| context.update(|form| form.destination.headers.push((String::new(), String::new())));
    view! {
        <div class="field" role="group" aria-labelledby="headers-label">
            <span class="field-label" id="headers-label">"Headers"</span>
            {rows}
            <button type="button" class="button filter-show" on:click=add>
                <IconView icon=Icon::Plus />
                "Add header"
            </button>
        </div>
    }
}

/// The result of the last request for an ownership challenge.
#[derive(Clone)]
enum ChallengeResult {
    /// The service wrote a file with this name.
    Written(String),
    /// The service could not write to the destination, for this reason.
    Refused(String),
    /// The request failed.
    Failed(ApiError),
}

/// The ownership challenge: the service writes a file to the destination, and the user enters its content as proof.
#[component]
fn OwnershipChallenge(address: Memo<String>) -> impl IntoView {
    let service = ServiceContext::get();
    let context = FormContext::get();
    let busy = RwSignal::new(false);
    let result = RwSignal::new(None::<ChallengeResult>);
    // A result is about one destination.
    Effect::new(move || {
        address.track();
        result.set(None);
    });
    let request_challenge = move |_| {
        if busy.get_untracked() {
            return;
        }
        let client = Client::detached(service.connection.get_untracked());
        let (destination, owner) = (address.get_untracked(), untrack(move || context.owner()));
        busy.set(true);
        result.set(None);
        spawn_local(async move {
            let response = client.request_ownership_challenge(&owner, &destination).await;
            // The user may have left the form or changed the destination.
            if busy.try_set(false).is_some() || *address.read_untracked() != destination {
                return;
            }
            result.set(Some(match response {
                Ok(challenge) if challenge.valid => ChallengeResult::Written(challenge.filename),
                Ok(challenge) => ChallengeResult::Refused(challenge.message),
                Err(error) => ChallengeResult::Failed(error),
            }));
        });
    };
    let notice = move || {
        result.get().map(|result| match result {
            ChallengeResult::Written(name) => {
                view! { <p class="quiet" role="status">"Written to " <code>{name}</code> ". Paste the content of that file above."</p> }
                    .into_any()
            }
            ChallengeResult::Refused(message) => {
                view! { <p class="field-error" role="alert"><IconView icon=Icon::Error /><span>{message}</span></p> }
                    .into_any()
            }
            ChallengeResult::Failed(error) => {
                view! { <ApiErrorNotice title="The challenge was not sent" error /> }.into_any()
            }
        })
    };
    let is_unavailable = move || context.owner().missing_setting(&service.connection.read()).is_some();
    view! {
        <Field
            id="job-ownership_challenge"
            label="Ownership challenge"
            help="The content of the file that the service writes to the destination. Some services require it."
            error=context.error_at("/ownership_challenge")
        >
            <SecretInput
                id="job-ownership_challenge"
                label="Ownership challenge"
                value=context.select(|form| form.ownership_challenge.clone())
                change=Callback::new(move |text| context.update(|form| form.ownership_challenge = text))
            />
            <button
                type="button"
                class="button filter-show"
                disabled=is_unavailable
                aria-disabled=move || busy.get().to_string()
                on:click=request_challenge
            >
                "Send challenge"
            </button>
            {notice}
        </Field>
    }
}
