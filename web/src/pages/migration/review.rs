//! The third step: the outcome of every setting, in several views.

use super::analysis_gate::AnalysisGate;
use super::context::{MigrationStep, SourceContext, StepContext};
use super::{custom_rules, evaluation_order, findings, mapping, owasp, report, ruleset_editor, simulate};
use crate::components::part_view::PartView;
use crate::components::tabs::Tabs;
use crate::part::{Part, PartResult};
use leptos::prelude::*;
use wasm_split_helpers::wasm_split;

/// A view of the outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReviewTab {
    Mapping,
    Settings,
    New,
    Order,
    Strictness,
    Firewall,
    Simulation,
    Report,
}

const REVIEW_TABS: [(ReviewTab, &str); 8] = [
    (ReviewTab::Mapping, "Before and after"),
    (ReviewTab::Settings, "All settings"),
    (ReviewTab::New, "New configuration"),
    (ReviewTab::Order, "Order"),
    (ReviewTab::Strictness, "OWASP"),
    (ReviewTab::Firewall, "Firewall rules"),
    (ReviewTab::Simulation, "Simulate"),
    (ReviewTab::Report, "Report"),
];

/// The step, which is a part of the app.
#[wasm_split(migration_review, fallible)]
pub(super) fn review_step() -> PartResult<AnyView> {
    Ok(view! { <ReviewStep /> }.into_any())
}

/// The step.
#[component]
fn ReviewStep() -> impl IntoView {
    let steps = StepContext::get();
    let source = SourceContext::get();
    let tab = RwSignal::new(ReviewTab::Mapping);
    let name = move || REVIEW_TABS.iter().find(|(candidate, _)| *candidate == tab.get()).map_or("", |(_, name)| name);
    let content = move || {
        let next = if source.has_validation_step() { MigrationStep::Validation } else { MigrationStep::Finish };
        view! {
            <Tabs id="migration-review" label="Review" choices=REVIEW_TABS.to_vec() value=tab />
            <div class="review-panel" role="tabpanel" id="migration-review-panel" tabindex="0" aria-label=name>
                {move || match tab.get() {
                    ReviewTab::Mapping => view! { <mapping::Mapping /> }.into_any(),
                    ReviewTab::Settings => view! { <findings::Findings /> }.into_any(),
                    ReviewTab::New => view! { <ruleset_editor::RulesetEditor /> }.into_any(),
                    ReviewTab::Order => view! { <evaluation_order::EvaluationOrderPanel /> }.into_any(),
                    ReviewTab::Strictness => view! { <owasp::OwaspPanel /> }.into_any(),
                    ReviewTab::Firewall => view! { <custom_rules::CustomRules /> }.into_any(),
                    ReviewTab::Simulation => view! { <PartView title="Simulate" part=Part::MigrationSimulation create=simulate::simulation_panel /> }.into_any(),
                    ReviewTab::Report => view! { <report::Report /> }.into_any(),
                }}
            </div>
            <div class="wrap-row pad no-print">
                <button type="button" class="button primary" on:click=move |_| steps.show(next)>
                    {if next == MigrationStep::Validation { "Continue to validation" } else { "Continue to the final step" }}
                </button>
            </div>
        }
        .into_any()
    };
    view! { <AnalysisGate content /> }
}
