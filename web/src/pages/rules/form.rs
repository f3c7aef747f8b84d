//! A new rule with its filter, or one that is there and changes. What the service would refuse is refused here, in the same words.

use crate::analyzed::Analyzed;
use crate::api::{Client, Problem};
use crate::components::code_page::CodePage;
use crate::components::editor::{Editor, EditorHandle};
use crate::components::failure::spoken;
use crate::components::field::Field;
use crate::components::icon::{Icon, Pictogram};
use crate::components::problems::Problems;
use crate::components::send::Sending;
use crate::focus::focus;
use crate::pages::rules::action::action_title;
use crate::pages::rules::filter_choice::{FilterChoice, KeptFilter};
use crate::pages::rules::products::Products;
use crate::pages::rules::send::{Outcome, SendOutcome, Sender};
use crate::state::expression::ExpressionContext;
use crate::state::rule_draft::RuleDraft;
use crate::state::service::ServiceContext;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use zonewright_api::firewall::Action;
use zonewright_api::{ErrorObject, error_code};
use zonewright_expression::schema::Tier;
use zonewright_firewall::{check_rule, expression_options};

/// The right pane.
#[component]
pub(crate) fn RuleForm(
    /// Called when a rule was created or changed.
    sent: Callback<()>,
    /// Called when the list of filters is asked for.
    show_filters: Callback<()>,
) -> impl IntoView {
    let service = ServiceContext::get();
    let expression = ExpressionContext::get();
    let rule_draft = RuleDraft::get();
    let draft = rule_draft;
    // The service decides by the zone's plan. Without any plan nothing may be refused for its sake.
    let tier = move || service.zone_plan().or(expression.scope.get().tier).unwrap_or(Tier::Enterprise);
    let analyzed = Analyzed::follow(draft.expression, Signal::derive(move || expression_options(tier())));
    let handle = EditorHandle::new(draft.expression);
    let code = RwSignal::new(None);
    let sender = Sender::new(sent);
    let Sending { busy, outcome, .. } = sender.sending;
    let written = move || !draft.uses_existing_filter.get() && !draft.expression.read().is_empty();

    let refusals = Memo::new(move |_| {
        let refused = |refusal: zonewright_firewall::Refusal| {
            // Identifiers are never typed here: a wrong one is none.
            let unchosen = refusal.pointer == "/filter/id";
            let message = if unchosen {
                "no filter is chosen: choose one in the list of filters".to_owned()
            } else if refusal.diagnostics.is_empty() {
                refusal.message
            } else {
                // The message is a drawing for terminals.
                refusal.diagnostics.into_iter().map(|one| one.message).collect::<Vec<_>>().join("\n")
            };
            ErrorObject::new(refusal.code, message).at(format!("/0{}", refusal.pointer))
        };
        let mut refusals: Vec<ErrorObject> = check_rule(&draft.rule(), tier()).into_iter().map(refused).collect();
        if let Some(message) = draft.priority_error() {
            refusals.push(ErrorObject::new(error_code::WRONG_VALUE, message).at("/0/priority"));
        }
        refusals
    });
    // What was said of one member, by these checks or by the service.
    let error_of = move |member: &'static str| {
        Signal::derive(move || {
            let mut said: Vec<String> = about(&refusals.read(), member);
            if let Some(Outcome::Failed(Problem::Refused { errors, .. })) = &*outcome.read() {
                said.extend(about(errors, member));
            }
            said.dedup();
            said.join("\n")
        })
    };
    // The problems of the expression are listed below its editor; what else is said of the filter (that
    // it exists, say) has only this place.
    let filter_error = Signal::derive(move || match &*outcome.read() {
        Some(Outcome::NotSent(errors)) => {
            let others = errors.iter().filter(|error| error.code != error_code::WRONG_EXPRESSION).cloned();
            about(&others.collect::<Vec<_>>(), "filter").join("\n")
        }
        Some(Outcome::Failed(Problem::Refused { errors, .. })) => about(errors, "filter").join("\n"),
        _ => String::new(),
    });
    let not_sent = move || matches!(&*outcome.read(), Some(Outcome::NotSent(_)));
    let filter_wrong =
        move || !filter_error.read().is_empty() || not_sent() && !about(&refusals.read(), "filter").is_empty();
    // An empty field is wrong only once it was sent, and one that was refused is not free of problems.
    let problems_hidden = move || {
        let none = analyzed.read().diagnostics().is_empty();
        draft.uses_existing_filter.get() || !written() && !not_sent() || none && !filter_error.read().is_empty()
    };

    let send = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let found = refusals.get_untracked();
        if !found.is_empty() {
            outcome.set(Some(Outcome::NotSent(found)));
            return;
        }
        sender.send();
    };
    let reuse = move |id: String| {
        let connection = service.connection.get_untracked();
        if busy.get_untracked() {
            return;
        }
        let client = Client::timed(connection.clone());
        busy.set(true);
        spawn_local(async move {
            let result = client.filter(&id).await;
            // The page or the zone may be another by now.
            if busy.try_set(false).is_some() || *service.connection.read_untracked() != connection {
                return;
            }
            match result {
                Ok(filter) => {
                    draft.start_with_existing_filter(filter);
                    focus("rule-action");
                }
                Err(problem) => outcome.set(Some(Outcome::Failed(problem))),
            }
        });
    };
    // A change answers the last refusal.
    Effect::new(move |before: Option<()>| {
        draft.rule();
        draft.priority.track();
        // Of a rule whose answer was lost it stays unknown, whatever is written next.
        if before.is_some() && !matches!(&*outcome.read_untracked(), Some(Outcome::Unknown(..))) {
            outcome.set(None);
        }
    });

    // What came of sending stands at the end of the form: a short window must not hide it.
    let end = NodeRef::<html::Div>::new();
    Effect::new(move || {
        if outcome.read().is_some() {
            request_animation_frame(move || {
                if let Some(end) = end.get_untracked() {
                    end.scroll_into_view_with_bool(false);
                }
            });
        }
    });

    let cancel = move |_| {
        if !busy.get_untracked() {
            draft.reset_except_expression();
            focus("rule-action");
        }
    };
    let changes = move || draft.original.read().is_some();
    let missing = move || service.connection.read().missing_setting();
    let actions = Action::ALL.iter().copied().map(move |action| {
        let selected = move || draft.action.get() == action;
        view! { <option value=action.name() selected=selected>{action_title(action)}</option> }
    });
    view! {
        <form class="scroll form" tabindex="-1" aria-labelledby="new-rule-heading" on:submit=send novalidate>
            <h2 id="new-rule-heading">{move || if changes() { "Change rule" } else { "New rule" }}</h2>
            <div class="field" class:wrong=filter_wrong>
                <span class="field-label">"Which requests"</span>
                {move || if changes() { view! { <KeptFilter /> }.into_any() } else { view! { <FilterChoice show_filters /> }.into_any() }}
                <div class="small-editor" hidden=draft.uses_existing_filter>
                    <Editor label="Which requests: expression of the filter" placeholder="http.host eq \"example.com\"" handle analyzed />
                </div>
                <p class="field-error" hidden=move || filter_error.read().is_empty()>
                    <Pictogram icon=Icon::Error />
                    <span>{filter_error}</span>
                </p>
            </div>
            <div class="form-problems" hidden=problems_hidden>
                <Problems analyzed handle source=draft.expression show_page=Callback::new(move |asked| code.set(Some(asked))) />
            </div>
            <Field id="rule-action" label="Action" error=error_of("action")>
                <select
                    id="rule-action"
                    aria-describedby="rule-action-error"
                    prop:value=move || draft.action.get().name()
                    on:change=move |event| {
                        if let Some(action) = Action::from_name(&event_target_value(&event)) {
                            draft.action.set(action);
                        }
                    }
                >
                    {actions.collect_view()}
                </select>
            </Field>
            {move || (draft.action.get() == Action::Bypass).then(|| view! { <Products error=error_of("products") /> })}
            <Field id="rule-description" label="Description" help="Optional; up to 500 characters." error=error_of("description")>
                <input
                    id="rule-description"
                    type="text"
                    autocomplete="off"
                    aria-describedby="rule-description-help rule-description-error"
                    prop:value=draft.description
                    on:input=move |event| draft.description.set(event_target_value(&event))
                />
            </Field>
            <Field id="rule-priority" label="Priority" help="Optional; rules with small numbers come first, rules without one last." error=error_of("priority")>
                <input
                    id="rule-priority"
                    class="short"
                    type="text"
                    inputmode="numeric"
                    autocomplete="off"
                    aria-describedby="rule-priority-help rule-priority-error"
                    prop:value=draft.priority
                    on:input=move |event| draft.priority.set(event_target_value(&event))
                />
            </Field>
            <label class="check">
                <input type="checkbox" prop:checked=draft.paused on:change=move |event| draft.paused.set(event_target_checked(&event)) />
                <span>{move || if changes() { "Paused" } else { "Create it paused" }}</span>
            </label>
            <SendOutcome sender told=stands_at_field reuse=Callback::new(reuse) original />
            <div class="form-actions" node_ref=end>
                <button type="submit" class="button primary" disabled=move || missing().is_some() aria-disabled=move || busy.get().to_string() aria-describedby="send-reason">"Send"</button>
                {move || changes().then(|| view! {
                    <button type="button" class="button" aria-disabled=move || busy.get().to_string() on:click=cancel>"Cancel"</button>
                })}
                <p id="send-reason" class="quiet">
                    {move || missing().unwrap_or_else(|| match (refusals.read().is_empty(), draft.uses_existing_filter.get()) {
                        (false, _) => "",
                        _ if changes() => "Changes the rule; its filter stays what it is.",
                        (true, false) => "Creates the rule and its filter.",
                        (true, true) => "Creates the rule; it uses the filter that exists.",
                    })}
                </p>
            </div>
        </form>
        <CodePage code />
    }
}

/// The member of the rule that an error is about: its pointer is the member's or one below it.
fn member(error: &ErrorObject) -> Option<&str> {
    let pointer = error.source.as_ref().map(|source| source.pointer.as_str())?;
    pointer.split('/').find(|step| !step.is_empty() && step.parse::<usize>().is_err())
}

/// What was said of a member.
fn about(errors: &[ErrorObject], name: &str) -> Vec<String> {
    errors.iter().filter(|error| member(error) == Some(name)).map(|error| spoken(&error.message)).collect()
}

/// Whether a field of the form says it.
fn stands_at_field(error: &ErrorObject) -> bool {
    member(error).is_some_and(|name| ["filter", "action", "products", "description", "priority"].contains(&name))
}

/// The filter that exists with the same expression, where that was the reason.
fn original(problem: &Problem) -> Option<String> {
    let Problem::Refused { errors, .. } = problem else { return None };
    let duplicate = |code: u32| matches!(code, error_code::DUPLICATE_FILTER | error_code::DUPLICATE_FILTER_OF_RULE);
    errors.iter().filter(|error| duplicate(error.code)).find_map(|error| error.meta.as_ref()?.id.clone())
}
