//! Sample requests before and after.

use super::desk::MigrationDesk;
use crate::components::icon::{Icon, Pictogram};
use leptos::prelude::*;
use zonewright_expression::Record;
use zonewright_migration::{Rehearsed, Runs, Side, rehearse};
use zonewright_request::{Kind, detect, har, json, read};

/// More requests than this are not rehearsed.
const MOST: usize = 200;

/// A request that says where it comes from.
const EXAMPLE: &str = r#"{"http.request.full_uri": "https://www.example.com/", "ip.src": "203.0.113.9"}"#;

/// The panel.
#[component]
pub(super) fn Rehearse() -> impl IntoView {
    let desk = MigrationDesk::get();
    view! {
        <div class="field pad">
            <label class="field-label" for="rehearse-requests">"Requests"</label>
            <textarea
                id="rehearse-requests"
                class="text-area"
                spellcheck="false"
                aria-describedby="rehearse-help"
                prop:value=move || desk.requests.get()
                on:input=move |event| desk.requests.set(event_target_value(&event))
            ></textarea>
            <p class="field-help" id="rehearse-help">"URLs, one a line; or raw HTTP, curl, fields as JSON or a HAR file, with a line of ### between requests. What depends on signatures of the provider is not known here: this says which rules get to see a request."</p>
        </div>
        {outcome}
    }
}

/// What becomes of the requests.
fn outcome() -> AnyView {
    let desk = MigrationDesk::get();
    let (requests, problems) = requests(&desk.requests.read());
    let judged = desk.judged.get();
    let Some(new) = judged.entry_point.as_ref() else {
        return view! { <p class="quiet pad">"The new configuration cannot be read: mend it first."</p> }.into_any();
    };
    let rows = desk.with(|one| rehearse(&one.config, new, &requests)).unwrap_or_default();
    let differ = rows.iter().filter(|row| row.differs() == Runs::Yes).count();
    let unknown = rows.iter().filter(|row| row.differs() == Runs::Unknown).count();
    let mut words = match (rows.len(), differ) {
        (0, _) => "No requests yet".to_owned(),
        (_, 0) => "No request is known to be handled differently".to_owned(),
        (all, some) => format!("{some} of {all} requests are handled differently"),
    };
    if unknown > 0 {
        words.push_str(&format!("; of {unknown} it is not known"));
    }
    let rows = rows.into_iter().map(|row| view! { <Row row /> }).collect_view();
    let problems = problems
        .into_iter()
        .map(|problem| view! { <li class="refusal"><Pictogram icon=Icon::Error /><span>{problem}</span></li> });
    view! {
        <p class="pad" role="status"><strong>{words}</strong></p>
        <p class="pad quiet" hidden=unknown == 0>"Not known: the settings that it depends on look at something the request does not say, such as the address it comes from. Fields as JSON can say it: " <code>{EXAMPLE}</code></p>
        <ul class="refusals pad">{problems.collect_view()}</ul>
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
fn Row(row: Rehearsed) -> impl IntoView {
    let (icon, words) = match row.differs() {
        Runs::Yes => (Icon::Warning, "yes"),
        Runs::No => (Icon::Success, "no"),
        Runs::Unknown => (Icon::Hint, "not known"),
    };
    view! {
        <tr role="row">
            <td role="cell" data-label="Request"><code class="expression">{row.name.clone()}</code></td>
            <td role="cell" data-label="Before"><Handled side=row.before.clone() /></td>
            <td role="cell" data-label="After"><Handled side=row.after.clone() /></td>
            <td role="cell" data-label="Differs"><span class="fate"><Pictogram icon />{words}</span></td>
        </tr>
    }
}

#[component]
fn Handled(side: Side) -> impl IntoView {
    let word = |runs: Runs| match runs {
        Runs::Yes => "run",
        Runs::No => "do not run",
        Runs::Unknown => "not known",
    };
    let sure = side.managed != Runs::Unknown && side.core != Runs::Unknown;
    let why = (!side.decided.is_empty()).then_some(if sure { "Because of" } else { "It depends on" });
    let decided = side.decided.into_iter().take(8).map(|pointer| view! { <code class="cell-line">{pointer}</code> });
    view! {
        <div>
            <p>{format!("Provider's rules: {}", word(side.managed))}</p>
            <p>{format!("Core rule set: {}", word(side.core))}</p>
            {why.map(|why| view! { <p class="quiet">{why}</p> })}
            {decided.collect_view()}
        </div>
    }
}

/// The requests of a text with their names, and what could not be read.
fn requests(text: &str) -> (Vec<(String, Record)>, Vec<String>) {
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    let mut pieces: Vec<String> = vec![String::new()];
    for line in text.lines() {
        if line.trim() == "###" {
            pieces.push(String::new());
        } else if let Some(last) = pieces.last_mut() {
            last.push_str(line);
            last.push('\n');
        }
    }
    for piece in pieces {
        let piece = piece.trim();
        if piece.is_empty() {
            continue;
        }
        let is_url = |line: &str| line.starts_with("http://") || line.starts_with("https://");
        if piece.lines().all(|line| line.trim().is_empty() || is_url(line.trim())) {
            piece
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .for_each(|line| one(line, &mut found, &mut problems));
        } else if detect(piece.as_bytes()) == Some(Kind::Har) {
            of_har(piece, &mut found, &mut problems);
        } else {
            one(piece, &mut found, &mut problems);
        }
    }
    found.truncate(MOST);
    (found, problems)
}

fn one(text: &str, found: &mut Vec<(String, Record)>, problems: &mut Vec<String>) {
    let name: String = text.lines().next().unwrap_or_default().chars().take(160).collect();
    let mut record = Record::default();
    match read(text.as_bytes(), &mut record) {
        Ok(_) => {
            json::add_former_names(&mut record);
            found.push((name, record));
        }
        Err(error) => problems.push(format!("{name}: {error}")),
    }
}

fn of_har(text: &str, found: &mut Vec<(String, Record)>, problems: &mut Vec<String>) {
    let entries = match har::entries(text) {
        Ok(entries) => entries,
        Err(error) => return problems.push(error.to_string()),
    };
    for (index, entry) in entries.into_iter().enumerate().take(MOST) {
        let mut record = Record::default();
        match har::entry(text, index) {
            Ok(request) => {
                drop(request.write(&mut record));
                json::add_former_names(&mut record);
                found.push((format!("{} {}", entry.method, entry.url), record));
            }
            Err(error) => problems.push(error.to_string()),
        }
    }
}
