//! Test cases: requests that the expression must match, and requests that it must not match.

use super::context::WorkbenchContext;
use crate::analysis::{AnalysisState, AnalyzedSource};
use crate::components::answer_view::AnswerView;
use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use crate::engine::{Worker, follow, to_js};
use crate::part::PartResult;
use crate::state::expression_tools::ExpressionToolsContext;
use leptos::prelude::*;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use wasm_split_helpers::wasm_split;

/// The file name that refers to the text of the editor.
const EDITOR_FILE: &str = "editor";

/// Test cases for the example expression of the page.
const EXAMPLE: &str = r#"missing = "absent"

[[test]]
name = "admin pages are for the office only"
file = "editor"

[[test.match]]
name = "from elsewhere"
request = "https://shop.example.com/admin/users"
fields = { "ip.src" = "198.51.100.7" }

[[test.miss]]
name = "from the office"
request = "https://shop.example.com/admin/users"
fields = { "ip.src" = "192.0.2.7" }

[[test.miss]]
name = "another page"
request = "curl https://shop.example.com/cart"
"#;

/// Result of `test`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    ok: bool,
    passed: usize,
    failed: usize,
    errors: usize,
    file_errors: usize,
    tests: Vec<Test>,
    diagnostics: Vec<Problem>,
}

/// The results of a test.
#[derive(Clone, Deserialize)]
struct Test {
    name: String,
    cases: Vec<Case>,
    diagnostics: Vec<Problem>,
}

/// The result of a case.
#[derive(Clone, Deserialize)]
struct Case {
    name: String,
    line: usize,
    result: String,
    expected: Option<String>,
    found: Option<String>,
    reasons: Vec<Reason>,
    problem: Option<Problem>,
    notes: Vec<String>,
}

/// A condition that decided the result of a case.
#[derive(Clone, Deserialize)]
struct Reason {
    text: String,
}

/// A diagnostic of the file, of an expression, or of a case.
#[derive(Clone, Deserialize)]
struct Problem {
    severity: String,
    message: String,
    line: usize,
    help: Option<String>,
}

/// The panel, which is a part of the app.
#[wasm_split(expression_tools, fallible)]
pub(crate) fn test_cases_panel() -> PartResult<AnyView> {
    Ok(view! { <TestCasesPanel /> }.into_any())
}

/// Edits test cases, and runs them on the expression.
#[component]
fn TestCasesPanel() -> impl IntoView {
    let tools = ExpressionToolsContext::get();
    let workbench = WorkbenchContext::get();
    let input = move || {
        let text = tools.test_cases.get();
        let analyzed = workbench.analyzed.get();
        (!text.trim().is_empty() && analyzed.state != AnalysisState::Pending).then_some((text, analyzed))
    };
    let report = follow(Worker::Tools, input, async |channel, (text, analyzed): (String, Arc<AnalyzedSource>)| {
        let options = json!({ "files": { EDITOR_FILE: analyzed.source } });
        channel.call::<Report>("test", vec![text.as_str().into(), to_js(&options)]).await
    });
    let is_empty = move || tools.test_cases.read().trim().is_empty();
    view! {
        <div class="tool-form">
            <div class="field">
                <label class="field-label" for="test-cases">"Test cases"</label>
                <textarea
                    id="test-cases"
                    class="text-area tall"
                    spellcheck="false"
                    aria-describedby="test-cases-help"
                    prop:value=move || tools.test_cases.get()
                    on:input=move |event| tools.test_cases.set(event_target_value(&event))
                ></textarea>
                <p class="field-help" id="test-cases-help">
                    "Write test cases in TOML. " <code>"file = \"editor\""</code> " tests the expression in the editor. The command line reads the same files."
                </p>
            </div>
            <div>
                <button type="button" class="button" hidden=move || !is_empty() on:click=move |_| tools.test_cases.set(EXAMPLE.to_owned())>
                    "Show example"
                </button>
            </div>
        </div>
        <div hidden=is_empty>
            <AnswerView answer=report ready=|report| view! { <ReportView report /> }.into_any() />
        </div>
    }
}

/// The results.
#[component]
fn ReportView(
    /// The results.
    report: Arc<Report>,
) -> impl IntoView {
    let problems =
        report.diagnostics.iter().cloned().map(|problem| view! { <TestFileProblem problem /> }).collect_view();
    let tests = report.tests.iter().cloned().map(|test| view! { <TestView test /> }).collect_view();
    view! {
        <div role="status"><TestSummary report /></div>
        <ul class="problems">{problems}</ul>
        {tests}
    }
}

/// Summarizes the results.
#[component]
fn TestSummary(
    /// The results.
    report: Arc<Report>,
) -> impl IntoView {
    let (class, icon) = match report.ok {
        true if report.passed == 0 => ("neutral", Icon::Hint),
        true => ("success", Icon::Success),
        false => ("error", Icon::Error),
    };
    let mut parts = Vec::new();
    if report.passed > 0 || report.ok {
        parts.push(format!("{} passed", report.passed));
    }
    if report.failed > 0 {
        parts.push(format!("{} failed", report.failed));
    }
    if report.errors > 0 {
        parts.push(format!("{} could not be run", report.errors));
    }
    if report.file_errors > 0 {
        let plural = if report.file_errors == 1 { "" } else { "s" };
        parts.push(format!("{} error{plural} in the test cases", report.file_errors));
    }
    view! { <div class=format!("verdict {class}")><IconView icon /><p>{parts.join(", ")}</p></div> }
}

/// A diagnostic of the test cases.
#[component]
fn TestFileProblem(
    /// The diagnostic.
    problem: Problem,
) -> impl IntoView {
    let line = problem.line;
    let icon = if problem.severity == "error" { Icon::Error } else { Icon::Warning };
    view! {
        <li class=format!("problem {}", problem.severity)>
            <IconView icon />
            <div class="problem-body">
                <p class="problem-message"><strong>{format!("Line {line}")}</strong> " " <InlineCode text=problem.message /></p>
                {problem.help.map(|help| view! { <p class="problem-help"><InlineCode text=help /></p> })}
            </div>
        </li>
    }
}

/// A test with its cases.
#[component]
fn TestView(
    /// The result of the test.
    test: Test,
) -> impl IntoView {
    let is_error = |diagnostic: &&Problem| diagnostic.severity == "error";
    let error = test.diagnostics.iter().find(is_error).map(|diagnostic| diagnostic.message.clone());
    let cases = test.cases.into_iter().map(|case| view! { <TestCaseView case /> });
    let name = test.name.clone();
    view! {
        <section class="section" aria-label=name>
            <div class="section-head"><h2>{test.name}</h2></div>
            {error.map(|message| view! { <p class="problem-help pad"><InlineCode text=format!("Invalid expression: {message}") /></p> })}
            <ul class="problems">{cases.collect_view()}</ul>
        </section>
    }
}

/// A case with its result, and with the reasons if it failed.
#[component]
fn TestCaseView(
    /// The result of the case.
    case: Case,
) -> impl IntoView {
    let (class, icon, label, lines) = match case.problem {
        Some(problem) => {
            ("error", Icon::Error, "Could not be run", [problem.message].into_iter().chain(problem.help).collect())
        }
        None if case.result == "passed" => ("passed", Icon::Success, "Passed", Vec::new()),
        None => {
            let (expected, found) = (case.expected.unwrap_or_default(), case.found.unwrap_or_default());
            let mut lines = vec![format!("Expected {expected}, found {found}.")];
            lines.extend(case.reasons.into_iter().map(|reason| reason.text));
            lines.extend(case.notes);
            ("error", Icon::Error, "Failed", lines)
        }
    };
    let lines = lines.into_iter().map(|line| view! { <p class="problem-help"><InlineCode text=line /></p> });
    view! {
        <li class=format!("problem case {class}")>
            <IconView icon />
            <div class="problem-body">
                <p class="problem-message"><strong>{label}</strong> " " {case.name} <span class="quiet">{format!(" line {}", case.line)}</span></p>
                {lines.collect_view()}
            </div>
        </li>
    }
}
