//! Runs the log push functions and converts their results.

use super::{diagnostics, range, validation_error};
use crate::arguments::logpush::EvaluateOptions;
use crate::types::{self, RawJsValue};
use js_sys::JSON;
use wasm_bindgen::JsValue;
use zonewright_api::ValidationError;
use zonewright_api::logpush::JobSettings;
use zonewright_diagnostic::{Diagnostic, Utf16Offsets};
use zonewright_expression::{MissingPolicy, Outcome};
use zonewright_logpush::ast::Encoding;
use zonewright_logpush::{
    self as engine, Conversion, Dataset, FormatStyle, Funnel, JobRequest, JobRules, LineSample, Options, Renderer,
    Stage, TraceStep,
};
use zonewright_request::truth_name;

pub(crate) fn check_result(source: &str, options: &Options) -> types::FilterCheckResult {
    let filter_diagnostics = engine::check(source, options).diagnostics;
    types::FilterCheckResult {
        ok: !filter_diagnostics.iter().any(Diagnostic::is_error),
        encoding: Some(encoding_name(engine::parse(source).encoding)),
        diagnostics: diagnostics(source, &filter_diagnostics),
    }
}

fn encoding_name(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Object => "object",
        Encoding::Escaped => "escaped",
    }
}

pub(crate) fn analysis(source: &str, options: &Options) -> types::FilterAnalysis {
    let analysis = engine::analyze(source, options);
    let offsets = Utf16Offsets::new(source);
    let token = |token: &engine::SemanticToken| {
        let (start, end) = range(&offsets, token.span);
        types::Token { kind: token.kind.as_str(), start, end }
    };
    let usage = &analysis.usage;
    types::FilterAnalysis {
        checked: types::FilterCheckResult {
            ok: analysis.ok,
            encoding: Some(encoding_name(analysis.encoding)),
            diagnostics: diagnostics(source, &analysis.diagnostics),
        },
        tokens: analysis.tokens.iter().map(token).collect(),
        usage: types::FilterUsage {
            operators: usage.operators,
            max_operators: usage.max_operators,
            bytes: usage.bytes,
            max_bytes: usage.max_bytes,
        },
    }
}

pub(crate) fn simplify_result(source: &str, options: &Options) -> types::TextResult {
    let checked = engine::check(source, options);
    let text = checked.program.map(|program| engine::print(&engine::simplify(&program), FormatStyle::Compact));
    types::TextResult { text, diagnostics: diagnostics(source, &checked.diagnostics) }
}

pub(crate) fn evaluate_result(source: &str, line: &str, options: &EvaluateOptions) -> types::LineEvaluateResult {
    let checked = engine::check(source, &options.options);
    let diagnostics = diagnostics(source, &checked.diagnostics);
    let Some(program) = checked.program else {
        return types::LineEvaluateResult { diagnostics, ..types::LineEvaluateResult::default() };
    };
    let evaluated = match options.trace {
        false => program.evaluate(line.as_bytes(), options.missing).map(|outcome| (outcome, None)),
        true => {
            let trace = program.trace(line.as_bytes(), options.missing);
            trace.map(|trace| (trace.outcome, Some(steps(source, &trace.steps))))
        }
    };
    match evaluated {
        Ok((outcome, trace)) => {
            let (result, unknown) = match outcome {
                Outcome::True => (JsValue::TRUE, Vec::new()),
                Outcome::Unknown { fields } => (JsValue::from_str("unknown"), fields),
                _ => (JsValue::FALSE, Vec::new()),
            };
            types::LineEvaluateResult { result: RawJsValue(result), unknown, error: None, trace, diagnostics }
        }
        Err(error) => {
            let offset = Utf16Offsets::new(line).byte_to_utf16(error.offset);
            let error = Some(types::LineError { message: error.message, offset });
            types::LineEvaluateResult { error, diagnostics, ..types::LineEvaluateResult::default() }
        }
    }
}

/// Counts the lines that a filter selects. The line numbers of samples start at 1.
pub(crate) fn count_result(
    source: &str,
    lines: &[u8],
    options: &Options,
    max_samples: usize,
) -> types::LineCountResult {
    let checked = engine::check(source, options);
    let diagnostics = diagnostics(source, &checked.diagnostics);
    let Some(program) = checked.program else {
        return types::LineCountResult { diagnostics, ..types::LineCountResult::default() };
    };
    let mut funnel = Funnel::new(&program, max_samples);
    funnel.push_lines(lines);
    let offsets = Utf16Offsets::new(source);
    let condition = |stage: &Stage| {
        let (start, end) = range(&offsets, stage.span);
        types::ConditionCount { start, end, kept: stage.kept }
    };
    let sample = |sample: &LineSample| {
        let (start, end) = sample.span.map(|span| range(&offsets, span)).unzip();
        types::LineSample {
            line: sample.line,
            text: sample.text.clone(),
            outcome: sample.outcome.name(),
            reason: sample.reason.clone(),
            start,
            end,
        }
    };
    let counts = funnel.counts();
    types::LineCountResult {
        lines: counts.lines,
        kept: counts.kept,
        kept_bytes: counts.kept_bytes,
        dropped: counts.dropped,
        dropped_bytes: counts.dropped_bytes,
        rejected: counts.rejected,
        rejected_bytes: counts.rejected_bytes,
        operator: Some(if funnel.is_or() { "or" } else { "and" }),
        conditions: funnel.stages().iter().map(condition).collect(),
        samples: funnel.samples().iter().map(sample).collect(),
        diagnostics,
    }
}

fn steps(source: &str, steps: &[TraceStep]) -> Vec<types::LineStep> {
    let offsets = Utf16Offsets::new(source);
    let step = |step: &TraceStep| {
        let (start, end) = range(&offsets, step.span);
        let value = step.value.as_deref().and_then(|text| JSON::parse(text).ok()).map(RawJsValue);
        let converted = types::TraceStep { start, end, truth: truth_name(step.truth), value };
        types::LineStep { step: converted, missing: step.missing }
    };
    steps.iter().map(step).collect()
}

/// Converts a filter to an expression or the reverse. A source that begins like JSON is a filter.
pub(crate) fn convert_result(source: &str, options: &Options) -> types::FilterConvertResult {
    let (source_diagnostics, conversion) = if source.trim_start().starts_with(['{', '[', '"']) {
        let checked = engine::check(source, options);
        (checked.diagnostics, checked.program.map(|program| engine::to_expression(&program)))
    } else {
        let checked = zonewright_expression::check(source, &zonewright_expression::Options::default());
        (checked.diagnostics, checked.program.map(|program| engine::from_expression(&program, options.dataset)))
    };
    let diagnostics = diagnostics(source, &source_diagnostics);
    let Some(Conversion { text, losses }) = conversion else {
        return types::FilterConvertResult { diagnostics, ..types::FilterConvertResult::default() };
    };
    let offsets = Utf16Offsets::new(source);
    let losses = losses.into_iter().map(|loss| {
        let (start, end) = range(&offsets, loss.span);
        types::Loss { message: loss.message, start, end }
    });
    types::FilterConvertResult { text, losses: losses.collect(), diagnostics }
}

/// Validates a new job, or an update of `current`.
pub(crate) fn job_result(job: &serde_json::Value, rules: &JobRules, current: Option<&JobSettings>) -> types::JobResult {
    let validated = match current {
        Some(current) => engine::read_update(job, current, rules),
        None => engine::read_job(job, rules),
    };
    let errors = validated.err().unwrap_or_default();
    types::JobResult { ok: errors.is_empty(), errors: job_errors(job, &errors), diagnostics: Vec::new() }
}

/// Converts the errors of a job. Only an error of the filter has diagnostics.
fn job_errors(job: &serde_json::Value, errors: &[ValidationError]) -> Vec<types::JobError> {
    let filter = job.get("filter").and_then(serde_json::Value::as_str).unwrap_or_default();
    let convert = |error: &ValidationError| types::JobError {
        error: validation_error(error),
        diagnostics: diagnostics(filter, &error.diagnostics),
    };
    errors.iter().map(convert).collect()
}

/// Renders the lines as one batch of a job, without sampling.
pub(crate) fn render_result(job: &serde_json::Value, rules: &JobRules, lines: &str) -> types::RenderResult {
    let read = engine::read_job(job, rules).and_then(|JobRequest { settings, .. }| {
        let renderer = Renderer::new(&settings)?;
        let filter = settings.filter.as_deref().map(|filter| {
            let dataset = Dataset::from_name(&settings.dataset).unwrap_or(Dataset::http_requests());
            engine::check(filter, &Options { dataset, ..Options::default() }).program
        });
        Ok((renderer, filter.flatten()))
    });
    let (renderer, filter) = match read {
        Ok(read) => read,
        Err(errors) => {
            return types::RenderResult { errors: job_errors(job, &errors), ..types::RenderResult::default() };
        }
    };
    let (mut result, mut out) = (types::RenderResult::default(), Vec::new());
    for (index, line) in lines.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let is_match = filter.as_ref().map_or(Ok(true), |filter| {
            filter.evaluate(line.as_bytes(), MissingPolicy::Absent).map(|outcome| outcome == Outcome::True)
        });
        match is_match.and_then(|is_match| {
            let mut append = |is_first| renderer.append_record(line.as_bytes(), is_first, &mut out);
            if is_match { append(result.kept == 0).map(|()| true) } else { Ok(false) }
        }) {
            Ok(true) => result.kept += 1,
            Ok(false) => result.dropped += 1,
            Err(error) => result.rejected.push(types::RejectedLine { line: index + 1, message: error.to_string() }),
        }
    }
    renderer.finish_batch(result.kept > 0, &mut out);
    result.text = Some(String::from_utf8_lossy(&out).into_owned());
    result
}

pub(crate) fn datasets() -> Vec<types::DatasetEntry> {
    let field = |field: &engine::Field| types::LogField {
        name: field.name,
        ty: field.ty.name(),
        filterable: field.filterable,
        deprecated: field.deprecated,
    };
    let entry = |dataset: &Dataset| types::DatasetEntry {
        name: dataset.name,
        zone: dataset.has_zone_scope(),
        account: dataset.has_account_scope(),
        fields: dataset.fields.iter().map(field).collect(),
    };
    Dataset::all().iter().map(entry).collect()
}
