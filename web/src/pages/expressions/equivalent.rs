//! Whether another expression means the same.

use super::bench::Bench;
use crate::analyzed::Analyzed;
use crate::components::editor::{Editor, EditorHandle};
use crate::components::icon::{Icon, Pictogram};
use crate::components::page_text::Inline;
use crate::components::problems::Problems;
use crate::components::segments::Segments;
use crate::session::Session;
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_equivalence::{Answer, Budget, equivalent, subsumes};
use zonewright_expression::check;
use zonewright_request::json::record_to_json;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    /// Do both match the same requests?
    Same,
    /// Does the other one match whatever the editor's one matches?
    Covers,
}

/// How long typing must rest before a proof is tried.
const REST: std::time::Duration = std::time::Duration::from_millis(250);

/// The panel "Equivalent".
#[component]
pub(crate) fn Equivalent() -> impl IntoView {
    let session = Session::get();
    let bench = Bench::get();
    let other = session.other;
    let options = Signal::derive(move || session.scope.get().options());
    let analyzed = Analyzed::follow(other, options);
    let handle = EditorHandle::new(other);
    let question = RwSignal::new(Question::Same);
    let answer: RwSignal<Option<Verdict>> = RwSignal::new(None);
    let ask = move || {
        let (one, two) = (bench.analyzed.get_untracked(), analyzed.get_untracked());
        answer.try_set(Some(judge(&one, &two, question.get_untracked())));
    };
    Effect::new(move |last: Option<Option<TimeoutHandle>>| {
        bench.analyzed.track();
        analyzed.track();
        question.track();
        if let Some(handle) = last.flatten() {
            handle.clear();
        }
        set_timeout_with_handle(ask, REST).ok()
    });
    view! {
        <div class="tool-form">
            <Segments
                label="Question"
                choices=vec![(Question::Same, "Same requests"), (Question::Covers, "Covers the editor's")]
                value=question
                choose=move |asked| question.set(asked)
            />
            <div class="field">
                <span class="field-label">"Other expression"</span>
                <div class="small-editor">
                    <Editor label="Other expression" placeholder="An expression to compare with" handle analyzed />
                </div>
            </div>
        </div>
        <div role="status">
            {move || answer.get().map(|verdict| view! {
                <div class=format!("verdict {}", verdict.class)>
                    <Pictogram icon=verdict.icon />
                    <p><Inline text=verdict.text /></p>
                </div>
                {verdict.sample.map(|sample| view! {
                    <div class="code-views">
                        <p class="quiet">{verdict.note}</p>
                        <pre class="code-block" tabindex="0"><code>{sample.clone()}</code></pre>
                        <button type="button" class="button" on:click=move |_| try_it(session, &sample)>"Try this request"</button>
                    </div>
                })}
            })}
        </div>
        {move || {
            (!other.read().trim().is_empty()).then(|| view! {
                <Problems analyzed handle source=other show_page=Callback::new(|_| ()) />
            })
        }}
    }
}

/// The counter-example becomes the sample request.
fn try_it(session: Session, sample: &str) {
    session.sample.text.set(sample.to_owned());
    session.sample.fields.update(std::collections::BTreeMap::clear);
    session.sample.missing.set(zonewright_expression::Missing::Absent);
    session.panel.set(super::Panel::Try);
}

#[derive(Clone)]
struct Verdict {
    class: &'static str,
    icon: Icon,
    text: String,
    /// What the sample shows.
    note: &'static str,
    /// A request that shows the difference, as JSON.
    sample: Option<String>,
}

impl Verdict {
    fn new(class: &'static str, icon: Icon, text: impl Into<String>) -> Self {
        Verdict { class, icon, text: text.into(), note: "", sample: None }
    }
}

fn judge(one: &Arc<Analyzed>, two: &Arc<Analyzed>, question: Question) -> Verdict {
    if two.source.trim().is_empty() {
        return Verdict::new("false", Icon::Hint, "Write or paste the expression to compare with");
    }
    let programs = (check(&one.source, &one.options).program, check(&two.source, &two.options).program);
    let (Some(one), Some(two)) = programs else {
        return Verdict::new("error", Icon::Error, "One of the two has errors: mend them first");
    };
    let answer = match question {
        Question::Same => equivalent(&one, &two, &Budget::default()),
        Question::Covers => subsumes(&two, &one, &Budget::default()),
    };
    match (answer, question) {
        (Answer::Yes { assumptions }, _) => {
            let proved = match question {
                Question::Same => "Proved: both match the same requests",
                Question::Covers => "Proved: the other one matches whatever this one matches",
            };
            let assumed: Vec<String> = assumptions.iter().map(ToString::to_string).collect();
            let assumed = if assumed.is_empty() { String::new() } else { format!(", if {}", assumed.join(" and ")) };
            Verdict::new("true", Icon::Success, format!("{proved}{assumed}"))
        }
        (Answer::No(found), _) => Verdict {
            sample: serde_json::to_string_pretty(&record_to_json(&found.record)).ok(),
            note: "A request for which they differ; fields that are not named are absent:",
            ..Verdict::new("unknown", Icon::Warning, "They differ")
        },
        (Answer::Undecided(why), _) => Verdict::new("false", Icon::Hint, format!("Not decided: {why}")),
    }
}
