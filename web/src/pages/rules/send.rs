//! Sending a rule: what is looked at before, and what became of it.

use crate::api::{Client, Lost, Problem, RuleLook, Write, is_same_rule};
use crate::components::conflict::{Conflict, Difference};
use crate::components::failure::{ErrorList, Failure};
use crate::components::icon::{Icon, Pictogram};
use crate::components::lost_write::{LostWrite, words_of_unknown};
use crate::connection::Link;
use crate::draft::Present;
use crate::focus::focus;
use crate::pages::rules::action::{action_title, product_title};
use crate::session::Session;
use leptos::prelude::*;
use leptos::task::spawn_local;
use zonewright_api::ErrorObject;
use zonewright_api::firewall::{FirewallRule, NewRule};

/// What became of the last attempt to send.
#[derive(Clone, PartialEq)]
pub(super) enum Outcome {
    /// Refused here; nothing was sent.
    NotSent(Vec<ErrorObject>),
    /// The service did not do it.
    Failed(Problem),
    /// Somebody else changed the rule since it was opened; nothing was sent.
    Changed(Box<FirewallRule>),
    /// No answer tells whether the service did it.
    Unknown(Box<(Sent, Lost<RuleLook>)>),
}

/// A rule as it was sent.
#[derive(Clone, PartialEq)]
pub(super) struct Sent {
    rule: NewRule,
    present: Option<Present>,
}

impl Sent {
    fn words(&self) -> Words {
        if self.present.is_some() { CHANGED } else { CREATED }
    }
}

/// What is said of a write.
#[derive(Clone, Copy)]
struct Words {
    made: &'static str,
    refused: &'static str,
    unknown: &'static str,
}

const CREATED: Words = Words {
    made: "Rule created",
    refused: "The rule was not created",
    unknown: "Whether the rule was created is not known",
};
const CHANGED: Words = Words {
    made: "Rule changed",
    refused: "The rule was not changed",
    unknown: "Whether the rule was changed is not known",
};

/// What sends the rule of the form.
#[derive(Clone, Copy)]
pub(super) struct Sender {
    session: Session,
    /// Whether something is under way.
    pub(super) busy: RwSignal<bool>,
    /// What became of the last attempt.
    pub(super) outcome: RwSignal<Option<Outcome>>,
    /// Called when a rule was created or changed.
    sent: Callback<()>,
}

impl Sender {
    /// A sender that has not sent anything.
    pub(super) fn new(session: Session, sent: Callback<()>) -> Self {
        Sender { session, busy: RwSignal::new(false), outcome: RwSignal::new(None), sent }
    }

    /// Sends the rule, if nothing else is under way.
    pub(super) fn send(self) {
        let connection = self.session.connection.get_untracked();
        if self.busy.get_untracked() || connection.missing().is_some() {
            return;
        }
        let draft = self.session.draft;
        let sent = Sent { rule: untrack(move || draft.rule()), present: draft.present.get_untracked() };
        self.busy.set(true);
        self.outcome.set(None);
        spawn_local(async move {
            let client = Client::timed(connection);
            let write = match &sent.present {
                None => client.create_rule(&sent.rule).await,
                // Rules have no versions to name in a request: the rule is read again right before.
                Some(present) => match client.rule(&present.rule.id).await {
                    Ok(now) if !is_same_rule(&now, &present.rule) => return self.stop(now),
                    Ok(now) => client.update_rule(&now, &sent.rule).await,
                    Err(problem) => Write::Refused(problem),
                },
            };
            self.settle(sent, write);
        });
    }

    fn stop(self, now: FirewallRule) {
        self.session.link.set(Link::Connected);
        if self.busy.try_set(false).is_none() {
            self.outcome.set(Some(Outcome::Changed(Box::new(now))));
        } else {
            let words = "The rule was not changed: somebody else changed it while you were editing it";
            self.session.say_problem(words);
        }
    }

    /// Says what became of a rule that was sent.
    fn settle(self, sent: Sent, write: Write<RuleLook>) {
        let session = self.session;
        // Once sent it is not called back when the page is left; the draft is the session's.
        let left = self.busy.try_set(false).is_some();
        let Words { made, refused, unknown } = sent.words();
        let answered = matches!(write, Write::Made(()) | Write::Refused(Problem::Refused { .. }));
        session.link.set(if answered { Link::Connected } else { Link::Trouble });
        match write {
            Write::Made(()) => {
                self.finish(&sent);
                session.say_done(made);
                if !left {
                    self.outcome.set(None);
                    self.sent.run(());
                }
            }
            Write::Refused(_) if left => session.say_problem(refused),
            Write::Unknown(_) if left => session.say_problem(words_of_unknown(unknown)),
            Write::Refused(problem) => self.outcome.set(Some(Outcome::Failed(problem))),
            Write::Unknown(lost) => self.outcome.set(Some(Outcome::Unknown(Box::new((sent, lost))))),
        }
    }

    /// Empties the form, unless something else was begun in it meanwhile.
    fn finish(self, sent: &Sent) {
        let draft = self.session.draft;
        let id = |present: &Option<Present>| present.as_ref().map(|present| present.rule.id.clone());
        if id(&draft.present.read_untracked()) != id(&sent.present) {
            return;
        }
        if sent.present.is_some() {
            draft.leave();
        } else if untrack(move || draft.rule()) == sent.rule {
            draft.clear();
        }
    }

    fn look_again(self, sent: Sent, lost: Lost<RuleLook>) {
        self.busy.set(true);
        spawn_local(async move {
            let write = lost.look_up().await;
            self.settle(sent, write);
        });
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
    let draft = sender.session.draft;
    move || {
        sender.outcome.get().map(|outcome| match outcome {
            Outcome::Failed(problem) => {
                let words = if draft.present.read_untracked().is_some() { CHANGED } else { CREATED };
                let button = original(&problem).map(|id| {
                    view! { <button type="button" class="button filter-show" on:click=move |_| reuse.run(id.clone())>"Use this filter"</button> }
                });
                view! { <Failure title=words.refused problem told>{button}</Failure> }.into_any()
            }
            Outcome::NotSent(errors) => view! { <NotSent errors told /> }.into_any(),
            Outcome::Unknown(unknown) => {
                let (sent, lost) = *unknown;
                let (title, problem, seen) = (sent.words().unknown, lost.problem.clone(), lost.seen);
                let again = Callback::new(move |()| sender.look_again(sent.clone(), lost.clone()));
                view! { <LostWrite title problem seen busy=sender.busy again /> }.into_any()
            }
            Outcome::Changed(now) => {
                let mine = untrack(move || draft.rule());
                let before = draft.present.get_untracked().map(|present| present.rule);
                let differences = before.map(|before| differences(&before, &now, &mine)).unwrap_or_default();
                let theirs = now.clone();
                let keep = Callback::new(move |()| {
                    draft.change((*theirs).clone());
                    focus("rule-action");
                });
                let overwrite = Callback::new(move |()| {
                    draft.present.set(Some(Present { rule: (*now).clone() }));
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

#[component]
fn NotSent(
    /// Why.
    errors: Vec<ErrorObject>,
    /// Whether a field of the form says an error already.
    told: fn(&ErrorObject) -> bool,
) -> impl IntoView {
    view! {
        <div class="notice error" role="alert">
            <Pictogram icon=Icon::Error />
            <div class="notice-body">
                <p class="notice-title">"Nothing was sent"</p>
                <p>"The service would refuse it. Each reason stands at its field:"</p>
                <ErrorList errors told go=None />
            </div>
        </div>
    }
}
