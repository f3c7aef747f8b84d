//! The verbs of the part `logpush`.

use crate::arguments;
use crate::arguments::logpush::{
    base_options, count_options, evaluate_options, format_options, job_document, job_options, job_rules, lint_options,
    log_line, log_lines,
};
use crate::call::{Call, respond, to_js, with_offset, with_source, without_source, zip_results};
use crate::convert::{self, logpush as results, text};
use wasm_bindgen::JsValue;
use zonewright_logpush as engine;

/// Calls a verb of this part.
pub(crate) fn run(call: &mut Call) {
    call.result = match call.verb.as_str() {
        "check" => check(call.next_argument(), call.next_argument()),
        "analyze" => analyze(call.next_argument(), call.next_argument()),
        "fix" => fix(call.next_argument(), call.next_argument()),
        "format" => format(call.next_argument(), call.next_argument()),
        "simplify" => simplify(call.next_argument(), call.next_argument()),
        "explain" => explain(call.next_argument(), call.next_argument()),
        "evaluate" => evaluate(call.next_argument(), call.next_argument(), call.next_argument()),
        "count" => count(call.next_argument(), call.next_argument(), call.next_argument()),
        "convert" => convert(call.next_argument(), call.next_argument()),
        "complete" => complete(call.next_argument(), call.next_argument(), call.next_argument()),
        "hover" => hover(call.next_argument(), call.next_argument(), call.next_argument()),
        "job" => job(call.next_argument(), call.next_argument()),
        "render" => render(call.next_argument(), call.next_argument(), call.next_argument()),
        "datasets" => datasets(),
        _ => return,
    };
}

/// Checks a filter.
fn check(source: JsValue, options: JsValue) -> JsValue {
    respond(with_source(&source, lint_options(&options)), |source, options| results::check_result(source, &options))
}

/// Analyzes a filter for an editor: diagnostics, tokens and usage of the limits.
fn analyze(source: JsValue, options: JsValue) -> JsValue {
    respond(with_source(&source, lint_options(&options)), |source, options| results::analysis(source, &options))
}

/// Applies all safe fixes to a filter.
fn fix(source: JsValue, options: JsValue) -> JsValue {
    respond(with_source(&source, lint_options(&options)), |source, options| {
        text::fix_result_with(source, |text| engine::check(text, &options).diagnostics)
    })
}

/// Formats a filter.
fn format(source: JsValue, options: JsValue) -> JsValue {
    respond(with_source(&source, format_options(&options)), |source, options| {
        let formatted = engine::format(source, &options);
        text::text_result(source, formatted.text, &formatted.diagnostics)
    })
}

/// Shortens a filter without changing its meaning.
fn simplify(source: JsValue, options: JsValue) -> JsValue {
    respond(with_source(&source, base_options(&options)), |source, options| results::simplify_result(source, &options))
}

/// Explains a filter in plain English.
fn explain(source: JsValue, options: JsValue) -> JsValue {
    respond(with_source(&source, base_options(&options)), |source, options| {
        text::explain_result(source, engine::explain(source, &options))
    })
}

/// Evaluates a filter for a log line.
fn evaluate(source: JsValue, line: JsValue, options: JsValue) -> JsValue {
    let arguments = zip_results(log_line(&line), evaluate_options(&options));
    respond(with_source(&source, arguments), |source, (line, options)| {
        results::evaluate_result(source, &line, &options)
    })
}

/// Counts the lines that a filter selects.
fn count(source: JsValue, lines: JsValue, options: JsValue) -> JsValue {
    let arguments = zip_results(log_lines(&lines), count_options(&options));
    respond(with_source(&source, arguments), |source, (lines, (options, max_samples))| {
        results::count_result(source, &lines, &options, max_samples)
    })
}

/// Converts a filter to an expression, or an expression to a filter.
fn convert(source: JsValue, options: JsValue) -> JsValue {
    respond(with_source(&source, base_options(&options)), |source, options| results::convert_result(source, &options))
}

/// Completes a filter at an offset.
fn complete(source: JsValue, offset: JsValue, options: JsValue) -> JsValue {
    respond(with_offset(&source, &offset, base_options(&options)), |source, (offset, options)| {
        convert::completions(source, &engine::complete(source, offset, &options))
    })
}

/// Describes the token at an offset of a filter.
fn hover(source: JsValue, offset: JsValue, options: JsValue) -> JsValue {
    respond(with_offset(&source, &offset, base_options(&options)), |source, (offset, options)| {
        convert::hover_result(source, engine::hover(source, offset, &options))
    })
}

/// Validates a new job, or an update of a job.
fn job(job: JsValue, options: JsValue) -> JsValue {
    let arguments = zip_results(job_document(&job), job_options(&options));
    respond(without_source(arguments), |_, (job, (rules, current))| results::job_result(&job, &rules, current.as_ref()))
}

/// Renders the batch that a job would write for log lines.
fn render(job: JsValue, lines: JsValue, options: JsValue) -> JsValue {
    let job = zip_results(job_document(&job), job_rules(&options));
    let arguments = zip_results(job, arguments::read_text(&lines, "the lines"));
    respond(without_source(arguments), |_, ((job, rules), lines)| results::render_result(&job, &rules, &lines))
}

/// Returns the datasets with their fields.
fn datasets() -> JsValue {
    to_js(results::datasets())
}
