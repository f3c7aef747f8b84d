//! The findings of the plan: every setting with its outcome.

use super::check::{draft_label, format_draft};
use super::context::SourceContext;
use super::plan::Finding;
use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use leptos::prelude::*;
use zonewright_api::finding::FindingOutcome;

/// Largest number of rows that are shown; the others are only counted.
const MAX_ROWS: usize = 500;

/// The findings that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FindingFilter {
    /// The settings that differ from their defaults.
    NotDefault,
    /// The settings with an outcome.
    Outcome(FindingOutcome),
    /// All settings.
    All,
}

/// Returns label, icon and CSS class of an outcome.
pub(super) fn outcome_display(outcome: FindingOutcome) -> (&'static str, Icon, &'static str) {
    match outcome {
        FindingOutcome::Carried => ("Carried over", Icon::Success, "carried"),
        FindingOutcome::Changed => ("Changed", Icon::Warning, "changed"),
        FindingOutcome::Lost => ("Lost", Icon::Close, "lost"),
        FindingOutcome::Blocked => ("Blocks migration", Icon::Error, "blocked"),
        FindingOutcome::NeedsSupport => ("Needs support", Icon::Hint, "needs-support"),
        FindingOutcome::Unaffected => ("Unaffected", Icon::Down, "unaffected"),
    }
}

/// An outcome as an icon and a label.
#[component]
pub(super) fn OutcomeBadge(outcome: FindingOutcome) -> impl IntoView {
    let (label, icon, class) = outcome_display(outcome);
    view! { <span class=format!("outcome {class}")><IconView icon />{label}</span> }
}

/// Lists the settings with their outcomes, filtered by outcome.
#[component]
pub(super) fn Findings() -> impl IntoView {
    let source = SourceContext::get();
    let filter = RwSignal::new(FindingFilter::NotDefault);
    let choose = move |event| {
        let value = event_target_value(&event);
        filter.set(match value.as_str() {
            "all" => FindingFilter::All,
            name => FindingOutcome::from_name(name).map_or(FindingFilter::NotDefault, FindingFilter::Outcome),
        });
    };
    let count = move |filter: FindingFilter| {
        source
            .with_analysis(|analysis| analysis.plan.findings.iter().filter(|finding| matches(filter, finding)).count())
            .unwrap_or(0)
    };
    let outcomes = FindingOutcome::ALL.iter().map(|outcome| {
        let (label, ..) = outcome_display(*outcome);
        view! { <option value=outcome.name() selected=move || filter.get() == FindingFilter::Outcome(*outcome)>{move || format!("{label} ({})", count(FindingFilter::Outcome(*outcome)))}</option> }
    });
    view! {
        <div class="field pad findings-filter">
            <label class="field-label" for="findings-shown">"Settings shown"</label>
            <select id="findings-shown" on:change=choose>
                <option value="not-default" selected=move || filter.get() == FindingFilter::NotDefault>{move || format!("Changed from the default ({})", count(FindingFilter::NotDefault))}</option>
                {outcomes.collect_view()}
                <option value="all" selected=move || filter.get() == FindingFilter::All>{move || format!("All ({})", count(FindingFilter::All))}</option>
            </select>
        </div>
        {move || {
            let rows = source.with_analysis(|analysis| analysis.plan.findings.iter().filter(|finding| matches(filter.get(), finding)).cloned().collect::<Vec<_>>());
            view! { <FindingTable findings=rows.unwrap_or_default() label="Settings" /> }
        }}
    }
}

fn matches(filter: FindingFilter, finding: &Finding) -> bool {
    match filter {
        FindingFilter::All => true,
        FindingFilter::NotDefault => !finding.is_default_setting(),
        FindingFilter::Outcome(outcome) => finding.outcome == outcome,
    }
}

/// The findings as a table.
#[component]
pub(super) fn FindingTable(findings: Vec<Finding>, label: &'static str) -> impl IntoView {
    let more = findings.len().saturating_sub(MAX_ROWS);
    let is_empty = findings.is_empty();
    let rows = findings.into_iter().take(MAX_ROWS).map(|finding| view! { <Row finding /> }).collect_view();
    view! {
        <table class="table" role="table" aria-label=label hidden=is_empty>
            <thead role="rowgroup">
                <tr role="row">
                    <th role="columnheader" scope="col">"Setting"</th>
                    <th role="columnheader" scope="col">"Outcome"</th>
                    <th role="columnheader" scope="col">"Result"</th>
                    <th role="columnheader" scope="col">"New location"</th>
                </tr>
            </thead>
            <tbody role="rowgroup">{rows}</tbody>
        </table>
        <p class="quiet pad" hidden=!is_empty>"None."</p>
        {(more > 0).then(|| view! { <p class="quiet pad">{format!("and {more} more; the report lists all of them")}</p> })}
    }
}

#[component]
fn Row(finding: Finding) -> impl IntoView {
    let Finding { outcome, setting, name, message, help, targets, draft, .. } = finding;
    let targets = targets.into_iter().map(|pointer| view! { <code class="cell-line">{pointer}</code> }).collect_view();
    let draft = draft.map(|draft| {
        view! {
            <details>
                <summary>{draft_label(&draft)}</summary>
                <pre class="code-block" tabindex="0"><code>{format_draft(&draft)}</code></pre>
            </details>
        }
    });
    view! {
        <tr role="row">
            <td role="cell" data-label="Setting"><div><span class="cell-title"><InlineCode text=name /></span><span class="cell-more"><code>{setting}</code></span></div></td>
            <td role="cell" data-label="Outcome"><OutcomeBadge outcome /></td>
            <td role="cell" data-label="Result"><div><InlineCode text=message />{help.map(|help| view! { <p class="quiet"><InlineCode text=help /></p> })}{draft}</div></td>
            <td role="cell" data-label="New location"><div>{targets}</div></td>
        </tr>
    }
}
