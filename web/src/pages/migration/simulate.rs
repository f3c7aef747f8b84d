//! The simulation: sample requests evaluated before and after the migration.

use super::context::{ProposalContext, SimulationContext, SourceContext};
use super::json_location::{IssueList, JsonIssue};
use crate::components::icon::{Icon, IconView};
use crate::part::PartResult;
use leptos::prelude::*;
use wasm_split_helpers::wasm_split;
use zonewright_api::json::{self, strip_bom};
use zonewright_expression::Record;
use zonewright_migration::{RequestComparison, Ternary, WafResult, simulate};
use zonewright_request::json::add_deprecated_names;
use zonewright_request::{Error, InputFormat, detect_format, har, read_input};

/// Largest number of requests in a simulation.
const MAX_REQUESTS: usize = 200;

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
        {move || simulation_view(area)}
    }
}

/// Runs the simulation and renders its results.
fn simulation_view(area: NodeRef<leptos::html::Textarea>) -> AnyView {
    let source = SourceContext::get();
    let proposal = ProposalContext::get();
    let simulation = SimulationContext::get();
    let text = simulation.requests.get();
    let SampleRequests { requests, issues, omitted } = SampleRequests::parse(&text);
    let configuration = proposal.new_configuration.get();
    let Some(new) = configuration.entry_point.as_ref() else {
        return view! { <p class="quiet pad">"The new configuration is invalid. Fix it first."</p> }.into_any();
    };
    let rows = source.with_analysis(|analysis| simulate(&analysis.config, new, &requests)).unwrap_or_default();
    let differ = rows.iter().filter(|row| row.differs() == Ternary::Yes).count();
    let unknown = rows.iter().filter(|row| row.differs() == Ternary::Unknown).count();
    let mut summary = match (rows.len(), differ) {
        (0, _) => "No requests yet".to_owned(),
        (_, 0) => "No differences found".to_owned(),
        (count, differing) => format!("{differing} of {count} requests are handled differently"),
    };
    if unknown > 0 {
        summary.push_str(&format!("; {unknown} unknown"));
    }
    let rows = rows.into_iter().map(|row| view! { <Row row /> }).collect_view();
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
    let (icon, message) = match row.differs() {
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
fn Treatment(result: WafResult) -> impl IntoView {
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

/// The requests of a text.
#[derive(Default)]
struct SampleRequests {
    /// The requests with their names.
    requests: Vec<(String, Record)>,
    /// The errors, with their positions in the whole text.
    issues: Vec<JsonIssue>,
    /// Number of requests after [`MAX_REQUESTS`].
    omitted: usize,
}

impl SampleRequests {
    fn parse(text: &str) -> SampleRequests {
        let mut requests = SampleRequests::default();
        let mut start = 0;
        let mut end = 0;
        for line in text.split_inclusive('\n') {
            if line.trim() == "###" {
                requests.parse_block(text, start, end);
                start = end + line.len();
            }
            end += line.len();
        }
        requests.parse_block(text, start, end);
        requests.omitted += requests.requests.len().saturating_sub(MAX_REQUESTS);
        requests.requests.truncate(MAX_REQUESTS);
        requests
    }

    /// Reads the text between two lines of `###`: URLs on separate lines, a HAR file, or one request in another format.
    fn parse_block(&mut self, text: &str, start: usize, end: usize) {
        let block = text.get(start..end).unwrap_or_default();
        let start = start + block.len() - block.trim_start().len();
        let block = block.trim();
        let is_url = |line: &str| line.starts_with("http://") || line.starts_with("https://");
        if block.lines().all(|line| line.trim().is_empty() || is_url(line.trim())) {
            let mut line_start = start;
            for line in block.split_inclusive('\n') {
                if !line.trim().is_empty() {
                    self.parse_request(line.trim(), line_start + line.len() - line.trim_start().len());
                }
                line_start += line.len();
            }
        } else if let Some(error) = json::parse(block).err().filter(|error| error.duplicate.is_some()) {
            self.issues.push(JsonIssue::from_json_error(error, start));
        } else if detect_format(block.as_bytes()) == Some(InputFormat::Har) {
            self.parse_har(block, start);
        } else {
            self.parse_request(block, start);
        }
    }

    fn parse_request(&mut self, text: &str, start: usize) {
        let name: String = text.lines().next().unwrap_or_default().chars().take(160).collect();
        let mut record = Record::default();
        match read_input(text.as_bytes(), &mut record) {
            Ok(_) => {
                add_deprecated_names(&mut record);
                self.requests.push((name, record));
            }
            Err(error) => self.push_error(text, start, &error),
        }
    }

    fn parse_har(&mut self, text: &str, start: usize) {
        let entries = match har::list_entries(text) {
            Ok(entries) => entries,
            Err(error) => return self.push_error(text, start, &error),
        };
        self.omitted += entries.len().saturating_sub(MAX_REQUESTS);
        for (index, entry) in entries.into_iter().enumerate().take(MAX_REQUESTS) {
            let mut record = Record::default();
            match har::read_entry(text, index) {
                Ok(request) => {
                    drop(request.write_fields(&mut record));
                    add_deprecated_names(&mut record);
                    self.requests.push((format!("{} {}", entry.method, entry.url), record));
                }
                Err(error) => self.push_error(text, start, &error),
            }
        }
    }

    /// Adds the error of a request that starts at the byte offset `start`.
    fn push_error(&mut self, text: &str, start: usize, error: &Error) {
        let before: usize =
            text.split_inclusive('\n').take(error.line.unwrap_or(1).saturating_sub(1)).map(str::len).sum();
        let line = text.get(before..).unwrap_or_default();
        let column: usize = line.chars().take(error.column.unwrap_or(1).saturating_sub(1)).map(char::len_utf8).sum();
        let help = error.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        self.issues.push(JsonIssue::at_offset(start + before + column, format!("{}{help}", error.message)));
    }
}
