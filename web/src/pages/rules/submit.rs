//! The submission of a rule.

use super::labels::{action_title, product_title};
use crate::analysis::find_errors;
use crate::api::{ApiError, Client, RuleWriteProbe, WriteOutcome, is_same_rule};
use crate::components::edit_conflict::ConflictingMember;
use crate::components::form::{Form, Submission, SubmissionOutcome, WriteMessages, is_at};
use crate::connection::Connection;
use crate::engine::EngineError;
use crate::focus::focus_by_id;
use crate::scope::Scope;
use crate::state::expression::ExpressionContext;
use crate::state::rule_draft::RuleDraft;
use crate::state::service::ServiceContext;
use leptos::prelude::*;
use leptos::task::spawn_local;
use zonewright_api::firewall::{FilterReference, FirewallRule, NewRule};
use zonewright_api::{ErrorObject, error_code};
use zonewright_expression::schema::Tier;
use zonewright_firewall::{check_rule_except_expression, expression_options};

const CREATE_MESSAGES: WriteMessages = WriteMessages {
    applied: "Rule created",
    rejected: "The rule was not created",
    in_doubt: "We don't know whether the rule was created",
};
const UPDATE_MESSAGES: WriteMessages = WriteMessages {
    applied: "Rule updated",
    rejected: "The rule was not updated",
    in_doubt: "We don't know whether the rule was updated",
};

/// JSON pointers of the members that have a field.
const FIELD_POINTERS: [&str; 5] = ["/filter", "/action", "/products", "/description", "/priority"];

/// A submitted rule.
#[derive(Clone)]
pub(super) struct RuleRequest {
    rule: NewRule,
    /// The rule that the request changes; `None` for a new one.
    original: Option<FirewallRule>,
    /// The plan that the expression is checked for.
    plan: Tier,
    /// The connection over which the request was sent.
    connection: Connection,
}

/// The rule form.
#[derive(Clone, Copy)]
pub(super) struct RuleFormModel {
    draft: RuleDraft,
    service: ServiceContext,
    scope: RwSignal<Scope>,
    /// Called after a rule was created or changed.
    on_saved: Callback<()>,
}

impl RuleFormModel {
    /// Creates the form of the draft.
    pub(super) fn new(on_saved: Callback<()>) -> Self {
        let (draft, service) = (RuleDraft::get(), ServiceContext::get());
        RuleFormModel { draft, service, scope: ExpressionContext::get().scope, on_saved }
    }

    /// Returns the plan to validate with: the plan of the zone, or else the selected plan. Without either, every
    /// feature is allowed.
    pub(super) fn plan(self) -> Tier {
        self.service.zone_plan().or(self.scope.get().tier).unwrap_or(Tier::Enterprise)
    }

    /// Clears the form if it still shows the submitted input. Newer input of a new rule remains, because it may
    /// describe another rule. Newer input of an existing rule becomes an edit of the saved rule.
    fn apply_saved(self, request: &RuleRequest, saved: FirewallRule) {
        let draft = self.draft;
        if !self.is_current(request) {
            return;
        }
        let is_unchanged = untrack(move || draft.priority_error().is_none() && draft.rule() == request.rule);
        match (is_unchanged, request.original.is_some()) {
            (true, true) => draft.reset_except_expression(),
            (true, false) => draft.clear(),
            (false, true) => draft.original.set(Some(saved)),
            (false, false) => {}
        }
    }
}

impl Form for RuleFormModel {
    type Object = FirewallRule;
    type Request = RuleRequest;
    type Probe = RuleWriteProbe;

    const NOUN: &'static str = "rule";

    fn messages(is_edit: bool) -> WriteMessages {
        if is_edit { UPDATE_MESSAGES } else { CREATE_MESSAGES }
    }

    fn is_edit(self) -> bool {
        self.draft.original.read().is_some()
    }

    fn is_edit_request(request: &RuleRequest) -> bool {
        request.original.is_some()
    }

    fn missing_setting(self) -> Option<&'static str> {
        self.service.connection.read().missing_setting()
    }

    fn track(self) {
        self.draft.rule();
        self.draft.priority.track();
        self.plan();
    }

    fn validate(self) -> Vec<ErrorObject> {
        let error = |rejection: zonewright_firewall::ValidationError| {
            // The user selects a filter and never types its ID, so an invalid ID means that none is selected.
            let message = if rejection.pointer == "/filter/id" {
                "no filter is selected: select one in the list of filters".to_owned()
            } else {
                rejection.message
            };
            ErrorObject::new(rejection.code, message).with_pointer(format!("/0{}", rejection.pointer))
        };
        let mut errors: Vec<ErrorObject> =
            check_rule_except_expression(&self.draft.rule(), self.plan()).into_iter().map(error).collect();
        if let Some(message) = self.draft.priority_error() {
            errors.push(ErrorObject::new(error_code::INVALID_VALUE, message).with_pointer("/0/priority"));
        }
        errors
    }

    async fn check(request: &RuleRequest) -> Result<Vec<ErrorObject>, EngineError> {
        let FilterReference::New(filter) = &request.rule.filter else { return Ok(Vec::new()) };
        let messages = find_errors(&filter.expression, &expression_options(request.plan)).await?;
        let error = |messages: Vec<String>| {
            ErrorObject::new(error_code::INVALID_EXPRESSION, messages.join("\n")).with_pointer("/0/filter/expression")
        };
        Ok(Some(messages).filter(|messages| !messages.is_empty()).map(error).into_iter().collect())
    }

    fn is_shown_at_field(error: &ErrorObject) -> bool {
        FIELD_POINTERS.iter().any(|pointer| is_at(error, pointer))
    }

    /// Renders a button that uses the existing filter that the rejected one duplicates.
    fn remedy(submission: Submission<Self>, error: &ApiError) -> Option<AnyView> {
        let id = duplicate_filter_id(error)?;
        let select = move |_| select_filter(submission, id.clone());
        let button =
            view! { <button type="button" class="button filter-show" on:click=select>"Use this filter"</button> };
        Some(button.into_any())
    }

    fn request(self) -> RuleRequest {
        RuleRequest {
            rule: self.draft.rule(),
            original: self.draft.original.get(),
            plan: self.plan(),
            connection: self.service.connection.get(),
        }
    }

    fn is_current(self, request: &RuleRequest) -> bool {
        let id = |rule: &Option<FirewallRule>| rule.as_ref().map(|rule| rule.id.clone());
        *self.service.connection.read_untracked() == request.connection
            && id(&self.draft.original.read_untracked()) == id(&request.original)
    }

    async fn send(client: &Client, request: &RuleRequest) -> Result<WriteOutcome<RuleWriteProbe>, Box<FirewallRule>> {
        let Some(original) = &request.original else { return Ok(client.create_rule(&request.rule).await) };
        // The API has no conditional update, so the rule is read immediately before the update.
        match client.rule(&original.id).await {
            Ok(current) if !is_same_rule(&current, original) => Err(Box::new(current)),
            Ok(current) => Ok(client.update_rule(&current, &request.rule).await),
            Err(error) => Ok(WriteOutcome::Rejected(error)),
        }
    }

    fn on_applied(self, request: RuleRequest, saved: FirewallRule, is_mounted: bool) {
        self.apply_saved(&request, saved);
        if is_mounted {
            self.on_saved.run(());
        }
    }

    fn conflicting_members(self, current: &FirewallRule) -> Vec<ConflictingMember> {
        let original = self.draft.original.get();
        original.map(|original| find_differences(&original, current, &self.draft.rule())).unwrap_or_default()
    }

    fn discard_input(self, current: FirewallRule) {
        self.draft.edit(current);
        focus_by_id("rule-action");
    }

    fn accept_overwrite(self, current: FirewallRule) {
        self.draft.original.set(Some(current));
    }
}

/// Loads a filter and selects it.
fn select_filter(submission: Submission<RuleFormModel>, id: String) {
    let form = submission.form;
    if submission.busy.get_untracked() {
        return;
    }
    let request = untrack(move || form.request());
    let client = Client::detached(request.connection.clone());
    submission.busy.set(true);
    spawn_local(async move {
        let result = client.filter(&id).await;
        // The user may have left the page, selected another zone or opened another rule.
        if submission.busy.try_set(false).is_some() || !form.is_current(&request) {
            return;
        }
        match result {
            Ok(filter) => {
                form.draft.start_with_existing_filter(filter);
                focus_by_id("rule-action");
            }
            Err(error) => submission.outcome.set(Some(SubmissionOutcome::Rejected(error))),
        }
    });
}

/// Returns the ID of the existing filter that the rejected one duplicates.
fn duplicate_filter_id(error: &ApiError) -> Option<String> {
    let ApiError::Response { errors, .. } = error else { return None };
    let is_duplicate = |code: u32| matches!(code, error_code::DUPLICATE_FILTER | error_code::DUPLICATE_FILTER_OF_RULE);
    errors.iter().filter(|error| is_duplicate(error.code)).find_map(|error| error.meta.as_ref()?.id.clone())
}

/// Returns the members that another user changed.
fn find_differences(before: &FirewallRule, now: &FirewallRule, sent: &NewRule) -> Vec<ConflictingMember> {
    let summary = |rule: &FirewallRule| {
        let products = rule.products.iter().map(|product| product_title(*product)).collect::<Vec<_>>().join(", ");
        [
            action_title(rule.action).to_owned(),
            products,
            rule.description.clone().unwrap_or_default(),
            rule.priority.map(|number| number.to_string()).unwrap_or_default(),
            if rule.paused { "paused" } else { "active" }.to_owned(),
            rule.reference.clone().unwrap_or_default(),
            rule.filter.expression.clone(),
            if rule.filter.paused { "paused" } else { "active" }.to_owned(),
        ]
    };
    // An update changes neither the filter nor the reference.
    let after = FirewallRule {
        action: sent.action,
        products: sent.products.clone(),
        description: sent.description.clone(),
        priority: sent.priority,
        paused: sent.paused,
        ..now.clone()
    };
    let names = ["Action", "Products", "Description", "Priority", "State", "Reference", "Expression", "Filter"];
    let rows = names.into_iter().zip(summary(before)).zip(summary(now)).zip(summary(&after));
    rows.filter(|(((_, before), now), _)| before != now)
        .map(|(((name, before), now), after)| ConflictingMember { name: name.to_owned(), before, now, after })
        .collect()
}
