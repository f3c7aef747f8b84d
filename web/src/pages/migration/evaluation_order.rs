//! The order in which the settings for managed rules apply to a request, before and after the migration.

use super::context::{ProposalContext, SourceContext};
use super::new_configuration::NewConfiguration;
use crate::components::answer_view::AnswerView;
use crate::text::capitalize;
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_migration::{EvaluationStep, evaluation_order};

/// Largest number of steps that are shown; the others are only counted.
const MAX_STEPS: usize = 300;

/// Lists the settings that affect managed rules, in the order in which they apply to a request.
#[component]
pub(super) fn EvaluationOrderPanel() -> impl IntoView {
    let source = SourceContext::get();
    let proposal = ProposalContext::get();
    let ready = move |new: Arc<NewConfiguration>| {
        let Some(new) = new.entry_point.as_ref() else {
            return view! { <p class="quiet pad">"The new configuration is invalid. Fix it first."</p> }.into_any();
        };
        let order = source.with_configuration(|configuration| evaluation_order(&configuration.config, new));
        let order = order.unwrap_or_default();
        view! {
            <p class="pad prose">"The order in which a request is evaluated, from the top. Only active settings that affect managed rules are listed; the numbers are positions in this order."</p>
            <div class="columns">
                <section class="part" aria-labelledby="order-before">
                    <h2 id="order-before">"Before"</h2>
                    <p class="quiet">"Firewall rules that bypass managed rules, then page rules (only the first that matches applies), then the packages."</p>
                    <EvaluationSteps steps=order.before />
                </section>
                <section class="part" aria-labelledby="order-after">
                    <h2 id="order-after">"After"</h2>
                    <p class="quiet">"The enabled rules of the entry point. If a request matches a rule that skips the remaining rules, the later rules do not run."</p>
                    <EvaluationSteps steps=order.after />
                </section>
            </div>
        }
        .into_any()
    };
    view! { <AnswerView answer=proposal.answer ready /> }
}

#[component]
fn EvaluationSteps(steps: Vec<EvaluationStep>) -> impl IntoView {
    let more = steps.len().saturating_sub(MAX_STEPS);
    let is_empty = steps.is_empty();
    let rows = steps.into_iter().take(MAX_STEPS).map(|EvaluationStep { pointer, name }| {
        view! { <li><span class="cell-title">{capitalize(&name)}</span> <code class="cell-line">{pointer}</code></li> }
    });
    view! {
        <ol class="evaluation-steps">{rows.collect_view()}</ol>
        <p class="quiet" hidden=!is_empty>"None."</p>
        {(more > 0).then(|| view! { <p class="quiet">{format!("and {more} more")}</p> })}
    }
}
