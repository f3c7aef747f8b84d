//! Sending a rule: what is looked at before, and what became of it.

use crate::api::{Problem, RuleLook, Write, is_same_rule};
use crate::components::conflict::{Conflict, Difference};
use crate::components::failure::Failure;
use crate::components::lost_write::LostWrite;
use crate::components::send::{self, NotSent, Sending, WriteWords};
use crate::focus::focus;
use crate::pages::rules::action::{action_title, product_title};
use crate::state::rule_draft::RuleDraft;
use crate::state::service::ServiceContext;
use leptos::prelude::*;
use leptos::task::spawn_local;
use zonewright_api::ErrorObject;
use zonewright_api::firewall::{FirewallRule, NewRule};

/// What became of the last attempt to send.
pub(super) type Outcome = send::Outcome<RuleLook, FirewallRule, SentRule>;

/// A rule as it was sent.
#[derive(Clone, PartialEq)]
pub(super) struct SentRule {
    rule: NewRule,
    original: Option<FirewallRule>,
}

impl SentRule {
    fn words(&self) -> WriteWords {
        if self.original.is_some() { CHANGED } else { CREATED }
    }
}

const CREATED: WriteWords = WriteWords {
    made: "Rule created",
    refused: "The rule was not created",
    unknown: "Whether the rule was created is not known",
};
const CHANGED: WriteWords = WriteWords {
    made: "Rule changed",
    refused: "The rule was not changed",
    unknown: "Whether the rule was changed is not known",
};

/// Sends the rule of the form.
#[derive(Clone, Copy)]
pub(super) struct Sender {
    service: ServiceContext,
    draft: RuleDraft,
    pub(super) sending: Sending<RuleLook, FirewallRule, SentRule>,
    /// Called when a rule was created or changed.
    sent: Callback<()>,
}

impl Sender {
    /// A sender that has not sent anything.
    pub(super) fn new(sent: Callback<()>) -> Self {
        Sender { service: ServiceContext::get(), draft: RuleDraft::get(), sending: Sending::new(), sent }
    }

    /// Sends the rule, if nothing else is under way.
    pub(super) fn send(self) {
        let Sender { service, draft, sending, .. } = self;
        if sending.busy.get_untracked() || service.connection.read_untracked().missing_setting().is_some() {
            return;
        }
        let sent = SentRule { rule: untrack(move || draft.rule()), original: draft.original.get_untracked() };
        let client = sending.begin();
        spawn_local(async move {
            let write = match &sent.original {
                None => client.create_rule(&sent.rule).await,
                // Rules have no versions to name in a request: the rule is read again right before.
                Some(original) => match client.rule(&original.id).await {
                    Ok(now) if !is_same_rule(&now, original) => return sending.stop("rule", now),
                    Ok(now) => client.update_rule(&now, &sent.rule).await,
                    Err(problem) => Write::Refused(problem),
                },
            };
            self.settle(sent, write);
        });
    }

    /// Says what became of a rule that was sent.
    fn settle(self, sent: SentRule, write: Write<RuleLook>) {
        self.sending.settle(sent.words(), sent, write, move |sent, saved, shown| {
            // The draft is the app's, so it is emptied when the page was left, too.
            self.finish(&sent, saved);
            if shown {
                self.sending.outcome.set(None);
                self.sent.run(());
            }
        });
    }

    /// Empties the form if it still holds what was sent. Newer input stays; that of a rule that exists is then a change
    /// of the saved rule.
    fn finish(self, sent: &SentRule, saved: FirewallRule) {
        let draft = self.draft;
        let id = |rule: &Option<FirewallRule>| rule.as_ref().map(|rule| rule.id.clone());
        if id(&draft.original.read_untracked()) != id(&sent.original) {
            return;
        }
        let is_unchanged = untrack(move || draft.priority_error().is_none() && draft.rule() == sent.rule);
        match (is_unchanged, sent.original.is_some()) {
            (true, true) => draft.reset_except_expression(),
            (true, false) => draft.clear(),
            (false, true) => draft.original.set(Some(saved)),
            // The answer cannot tell another new rule from the same one.
            (false, false) => {}
        }
    }
}

/// What became of the last attempt.
#[component]
pub(super) fn SendOutcome(
    /// What sends.
    sender: Sender,
    /// Whether a field of the form says an error already.
    told: fn(&ErrorObject) -> bool,
    /// Takes the filter with this identifier.
    reuse: Callback<String>,
    /// The identifier of the filter that exists already, where that was the reason.
    original: fn(&Problem) -> Option<String>,
) -> impl IntoView {
    let draft = sender.draft;
    move || {
        sender.sending.outcome.get().map(|outcome| match outcome {
            Outcome::Failed(problem) => {
                let words = if draft.original.read_untracked().is_some() { CHANGED } else { CREATED };
                let button = original(&problem).map(|id| {
                    view! { <button type="button" class="button filter-show" on:click=move |_| reuse.run(id.clone())>"Use this filter"</button> }
                });
                view! { <Failure title=words.refused problem told>{button}</Failure> }.into_any()
            }
            Outcome::NotSent(errors) => view! { <NotSent errors told /> }.into_any(),
            Outcome::Unknown(unknown) => {
                let (sent, lost) = *unknown;
                let (title, problem, seen) = (sent.words().unknown, lost.problem.clone(), lost.seen);
                let again = Callback::new(move |()| {
                    let sent = sent.clone();
                    sender.sending.look_again(lost.clone(), move |write| sender.settle(sent, write));
                });
                view! { <LostWrite title problem seen busy=sender.sending.busy again /> }.into_any()
            }
            Outcome::Changed(now) => {
                let mine = untrack(move || draft.rule());
                let before = draft.original.get_untracked();
                let differences = before.map(|before| differences(&before, &now, &mine)).unwrap_or_default();
                let theirs = now.clone();
                let keep = Callback::new(move |()| {
                    draft.edit((*theirs).clone());
                    focus("rule-action");
                });
                let overwrite = Callback::new(move |()| {
                    draft.original.set(Some((*now).clone()));
                    sender.send();
                });
                view! { <Conflict what="rule" differences keep overwrite /> }.into_any()
            }
        })
    }
}

/// The members that somebody else changed.
fn differences(before: &FirewallRule, now: &FirewallRule, mine: &NewRule) -> Vec<Difference> {
    let words = |rule: &FirewallRule| {
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
    // An update changes neither the filter nor the short name.
    let after = FirewallRule {
        action: mine.action,
        products: mine.products.clone(),
        description: mine.description.clone(),
        priority: mine.priority,
        paused: mine.paused,
        ..now.clone()
    };
    let names = ["Action", "Products", "Description", "Priority", "State", "Short name", "Expression", "Filter"];
    let rows = names.into_iter().zip(words(before)).zip(words(now)).zip(words(&after));
    rows.filter(|(((_, before), now), _)| before != now)
        .map(|(((name, before), now), after)| Difference { name: name.to_owned(), before, now, after })
        .collect()
}
