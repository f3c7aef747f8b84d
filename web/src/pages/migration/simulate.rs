//! The simulation: sample requests evaluated before and after the migration.

use super::context::{ProposalContext, SimulationContext, SourceContext};
use super::json_location::IssueList;
use super::simulation_result::{MAX_REQUESTS, ManagedRulesStatus, RequestComparison, Simulation, Ternary};
use crate::components::answer_view::AnswerView;
use crate::components::icon::{Icon, IconView};
use crate::engine::{Answer, Worker, follow};
use crate::part::PartResult;
use leptos::prelude::*;
use wasm_split_helpers::wasm_split;
use zonewright_api::json::strip_bom;

/// An example with the client's IP address, which most formats do not contain.
const EXAMPLE: &str = r#"{"http.request.full_uri": "https://www.example.com/", "ip.src": "203.0.113.9"}"#;

/// The panel, which is a part of the app.
#[wasm_split(migration_simulation, fallible)]
pub(super) fn simulation_panel() -> PartResult<AnyView> {
    Ok(view! { <SimulationPanel /> }.into_any())
}

/// Edits sample requests, and shows how the old and the new configuration handle them.
#[component]
fn SimulationPanel() -> impl IntoView {
    let simulation = SimulationContext::get();
    let area = NodeRef::<leptos::html::Textarea>::new();
    view! {
        <div class="field pad">
            <label class="field-label" for="simulate-requests">"Requests"</label>
            <textarea
                id="simulate-requests"
                node_ref=area
                class="text-area"
                spellcheck="false"
                aria-describedby="simulate-help"
                prop:value=move || simulation.requests.get()
                on:input=move |event| simulation.requests.set(strip_bom(&event_target_value(&event)).to_owned())
            ></textarea>
            <p class="field-help" id="simulate-help">"Enter one URL per line; or raw HTTP, curl commands, fields as JSON, or a HAR file, with a line of ### between requests. Signature matches cannot be simulated: this shows which rules evaluate a request."</p>
        </div>
        <AnswerView answer=follow_simulation() ready=move |simulation| simulation_view((*simulation).as_ref(), area) />
    }
}

/// Returns a signal with the simulation of the requests; it has no value while the new configuration cannot be read.
fn follow_simulation() -> Signal<Answer<Option<Simulation>>> {
    let source = SourceContext::get();
    let proposal = ProposalContext::get();
    let simulation = SimulationContext::get();
    let input = move || {
        let config = source.with_configuration(|configuration| configuration.text.clone())?;
        let new = proposal.answer.get().ready().cloned()?;
        Some((config, new, simulation.requests.get()))
    };
    follow(Worker::Tools, input, async |channel, (config, new, requests)| match &new.entry_point {
        Some(entry_point) => Simulation::run(channel, &config, entry_point, requests).await.map(Some),
        None => Ok(None),
    })
}

/// Shows the results of a simulation.
fn simulation_view(simulation: Option<&Simulation>, area: NodeRef<leptos::html::Textarea>) -> AnyView {
    let Some(Simulation { text, rows, issues, omitted }) = simulation else {
        return view! { <p class="quiet pad">"The new configuration is invalid. Fix it first."</p> }.into_any();
    };
    let (text, issues, omitted) = (text.clone(), issues.clone(), *omitted);
    let differ = rows.iter().filter(|row| row.differs == Ternary::Yes).count();
    let unknown = rows.iter().filter(|row| row.differs == Ternary::Unknown).count();
    let mut summary = match (rows.len(), differ) {
        (0, _) => "No requests yet".to_owned(),
        (_, 0) => "No differences found".to_owned(),
        (count, differing) => format!("{differing} of {count} requests are handled differently"),
    };
    if unknown > 0 {
        summary.push_str(&format!("; {unknown} unknown"));
    }
    let rows = rows.iter().map(|row| view! { <Row row=row.clone() /> }).collect_view();
    view! {
        <p class="pad" role="status"><strong>{summary}</strong></p>
        {(omitted > 0).then(|| view! { <p class="pad quiet">{format!("Only the first {MAX_REQUESTS} requests are simulated; {omitted} more are omitted.")}</p> })}
        <p class="pad quiet" hidden=unknown == 0>"Unknown: some settings depend on values that the request does not provide, such as its IP address. Provide them with fields as JSON: " <code>{EXAMPLE}</code></p>
        <div class="pad"><IssueList issues text area /></div>
        <table class="table" role="table" aria-label="Requests before and after">
            <thead role="rowgroup">
                <tr role="row">
                    <th role="columnheader" scope="col">"Request"</th>
                    <th role="columnheader" scope="col">"Before"</th>
                    <th role="columnheader" scope="col">"After"</th>
                    <th role="columnheader" scope="col">"Differs"</th>
                </tr>
            </thead>
            <tbody role="rowgroup">{rows}</tbody>
        </table>
    }
    .into_any()
}

#[component]
fn Row(row: RequestComparison) -> impl IntoView {
    let (icon, message) = match row.differs {
        Ternary::Yes => (Icon::Warning, "yes"),
        Ternary::No => (Icon::Success, "no"),
        Ternary::Unknown => (Icon::Hint, "unknown"),
    };
    view! {
        <tr role="row">
            <td role="cell" data-label="Request"><code class="expression">{row.name.clone()}</code></td>
            <td role="cell" data-label="Before"><Treatment result=row.before.clone() /></td>
            <td role="cell" data-label="After"><Treatment result=row.after.clone() /></td>
            <td role="cell" data-label="Differs"><span class="outcome"><IconView icon />{message}</span></td>
        </tr>
    }
}

#[component]
fn Treatment(result: ManagedRulesStatus) -> impl IntoView {
    let label = |runs: Ternary| match runs {
        Ternary::Yes => "run",
        Ternary::No => "do not run",
        Ternary::Unknown => "unknown",
    };
    let is_decided = result.managed != Ternary::Unknown && result.core != Ternary::Unknown;
    let heading = (!result.decided_by.is_empty()).then_some(if is_decided { "Decided by" } else { "Depends on" });
    let pointers =
        result.decided_by.into_iter().take(8).map(|pointer| view! { <code class="cell-line">{pointer}</code> });
    view! {
        <div>
            <p>{format!("Provider's rules: {}", label(result.managed))}</p>
            <p>{format!("OWASP rules: {}", label(result.core))}</p>
            {heading.map(|heading| view! { <p class="quiet">{heading}</p> })}
            {pointers.collect_view()}
        </div>
    }
}
