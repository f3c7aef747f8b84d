//! Test cases: requests that the expression must match, and requests that it must not match.

use super::context::WorkbenchContext;
use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use crate::part::PartResult;
use crate::state::expression_tools::ExpressionToolsContext;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_split_helpers::wasm_split;
use zonewright_cases::{CaseReport, CaseResult, Report, TestReport, run_tests};
use zonewright_diagnostic::{Diagnostic, position_at};

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

/// The panel, which is a part of the app.
#[wasm_split(test_cases, fallible)]
pub(crate) fn test_cases_panel() -> PartResult<AnyView> {
    Ok(view! { <TestCasesPanel /> }.into_any())
}

/// Edits test cases, and runs them on the expression.
#[component]
fn TestCasesPanel() -> impl IntoView {
    let tools = ExpressionToolsContext::get();
    let workbench = WorkbenchContext::get();
    let report = Memo::new_with_compare(
        move |_| {
            let expression = workbench.analyzed.get();
            let mut open_file = |name: &str| match name {
                EDITOR_FILE => Ok(expression.source.clone()),
                _ => {
                    Err(format!("only the file `{EDITOR_FILE}` is available here; it contains the text of the editor"))
                }
            };
            Arc::new(run_tests(&tools.test_cases.read(), &mut open_file))
        },
        |_, _| true,
    );
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
            <TestSummary report />
            {move || {
                let report = report.get();
                let source = tools.test_cases.get_untracked();
                let problems = report.diagnostics.iter().map(|diagnostic| view! { <TestFileProblem source=source.clone() problem=diagnostic.clone() /> });
                let tests = report.tests.iter().map(|test| view! { <TestView test=test.clone() /> });
                view! {
                    <ul class="problems">{problems.collect_view()}</ul>
                    {tests.collect_view()}
                }
            }}
        </div>
    }
}

/// Summarizes the results.
#[component]
fn TestSummary(
    /// The results.
    report: Memo<Arc<Report>>,
) -> impl IntoView {
    let view = move || {
        let counts = report.read().counts();
        let (class, icon) = match counts.all_passed() {
            true if counts.passed == 0 => ("neutral", Icon::Hint),
            true => ("success", Icon::Success),
            false => ("error", Icon::Error),
        };
        let mut parts = Vec::new();
        if counts.passed > 0 || counts.all_passed() {
            parts.push(format!("{} passed", counts.passed));
        }
        if counts.failed > 0 {
            parts.push(format!("{} failed", counts.failed));
        }
        if counts.errors > 0 {
            parts.push(format!("{} could not be run", counts.errors));
        }
        if counts.file_errors > 0 {
            let plural = if counts.file_errors == 1 { "" } else { "s" };
            parts.push(format!("{} error{plural} in the test cases", counts.file_errors));
        }
        view! { <div class=format!("verdict {class}")><IconView icon /><p>{parts.join(", ")}</p></div> }
    };
    view! { <div role="status">{view}</div> }
}

/// A diagnostic of the test cases.
#[component]
fn TestFileProblem(
    /// The text of the test cases.
    source: String,
    /// The diagnostic.
    problem: Diagnostic,
) -> impl IntoView {
    let line = position_at(&source, problem.span.start).line;
    view! {
        <li class=format!("problem {}", problem.severity.as_str())>
            <IconView icon=Icon::for_severity(problem.severity) />
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
    test: TestReport,
) -> impl IntoView {
    let error =
        test.diagnostics.iter().find(|diagnostic| diagnostic.is_error()).map(|diagnostic| diagnostic.message.clone());
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
    case: CaseReport,
) -> impl IntoView {
    let (class, icon, label, lines) = match case.result {
        CaseResult::Passed => ("passed", Icon::Success, "Passed", Vec::new()),
        CaseResult::Failed { expected, found, reasons } => {
            let mut lines = vec![format!("Expected {expected}, found {found}.")];
            lines.extend(reasons.iter().map(zonewright_cases::DecidingCondition::describe));
            lines.extend(case.notes);
            ("error", Icon::Error, "Failed", lines)
        }
        CaseResult::Error(problem) => {
            let problem = *problem;
            let mut lines = vec![problem.message];
            lines.extend(problem.help);
            ("error", Icon::Error, "Could not be run", lines)
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
