//! Answers about log push.

use super::{diagnostics, range, refusal};
use crate::arguments::logpush::Evaluation;
use crate::types::{self, Js};
use js_sys::JSON;
use wasm_bindgen::JsValue;
use zonewright_diagnostic::{Diagnostic, Utf16Offsets};
use zonewright_expression::{Missing, Outcome};
use zonewright_logpush::ast::Encoding;
use zonewright_logpush::{self as engine, Conversion, Dataset, JobRules, NewJob, Options, Renderer, Step, Style};
use zonewright_request::truth_name;

/// Answer of `check`.
pub(crate) fn checked(source: &str, options: &Options) -> types::CheckedFilter {
    let found = engine::check(source, options).diagnostics;
    types::CheckedFilter {
        ok: !found.iter().any(Diagnostic::is_error),
        form: Some(form(engine::parse(source).encoding)),
        diagnostics: diagnostics(source, &found),
    }
}

fn form(form: Encoding) -> &'static str {
    match form {
        Encoding::Object => "object",
        Encoding::Escaped => "escaped",
    }
}

/// Answer of `analyze`.
pub(crate) fn analysis(source: &str, options: &Options) -> types::FilterAnalysis {
    let analysis = engine::analyze(source, options);
    let offsets = Utf16Offsets::new(source);
    let token = |token: &engine::Token| {
        let (start, end) = range(&offsets, token.span);
        types::Token { kind: token.kind.as_str(), start, end }
    };
    let meters = &analysis.meters;
    types::FilterAnalysis {
        checked: types::CheckedFilter {
            ok: analysis.ok,
            form: Some(form(analysis.encoding)),
            diagnostics: diagnostics(source, &analysis.diagnostics),
        },
        tokens: analysis.tokens.iter().map(token).collect(),
        meters: types::FilterMeters {
            operators: meters.operators,
            max_operators: meters.max_operators,
            bytes: meters.bytes,
            max_bytes: meters.max_bytes,
        },
    }
}

/// Answer of `simplify`.
pub(crate) fn simplified(source: &str, options: &Options) -> types::Rewritten {
    let checked = engine::check(source, options);
    let text = checked.program.map(|program| engine::print(&engine::simplify(&program), Style::Compact));
    types::Rewritten { text, diagnostics: diagnostics(source, &checked.diagnostics) }
}

/// Answer of `evaluate`.
pub(crate) fn evaluated(source: &str, line: &str, wanted: &Evaluation) -> types::EvaluatedLine {
    let checked = engine::check(source, &wanted.options);
    let diagnostics = diagnostics(source, &checked.diagnostics);
    let Some(program) = checked.program else {
        return types::EvaluatedLine { diagnostics, ..types::EvaluatedLine::default() };
    };
    let gave = match wanted.trace {
        false => program.evaluate(line.as_bytes(), wanted.missing).map(|outcome| (outcome, None)),
        true => {
            let trace = program.trace(line.as_bytes(), wanted.missing);
            trace.map(|trace| (trace.outcome, Some(steps(source, &trace.steps))))
        }
    };
    match gave {
        Ok((outcome, trace)) => {
            let (result, unknown) = match outcome {
                Outcome::True => (JsValue::TRUE, Vec::new()),
                Outcome::Unknown { fields } => (JsValue::from_str("unknown"), fields),
                _ => (JsValue::FALSE, Vec::new()),
            };
            types::EvaluatedLine { result: Js(result), unknown, error: None, trace, diagnostics }
        }
        Err(error) => {
            let offset = Utf16Offsets::new(line).from_byte(error.offset);
            let error = Some(types::LineError { message: error.message, offset });
            types::EvaluatedLine { error, diagnostics, ..types::EvaluatedLine::default() }
        }
    }
}

fn steps(source: &str, steps: &[Step]) -> Vec<types::LineStep> {
    let offsets = Utf16Offsets::new(source);
    let step = |step: &Step| {
        let (start, end) = range(&offsets, step.span);
        let value = step.value.as_deref().and_then(|text| JSON::parse(text).ok()).map(Js);
        let shown = types::Step { start, end, truth: truth_name(step.truth), value };
        types::LineStep { step: shown, missing: step.missing }
    };
    steps.iter().map(step).collect()
}

/// Answer of `convert`: what begins as JSON is a filter, any other text an expression.
pub(crate) fn converted(source: &str, options: &Options) -> types::Converted {
    let (found, conversion) = if source.trim_start().starts_with(['{', '[', '"']) {
        let checked = engine::check(source, options);
        (checked.diagnostics, checked.program.map(|program| engine::to_expression(&program)))
    } else {
        let checked = zonewright_expression::check(source, &zonewright_expression::Options::default());
        (checked.diagnostics, checked.program.map(|program| engine::from_expression(&program, options.dataset)))
    };
    let diagnostics = diagnostics(source, &found);
    let Some(Conversion { text, lost }) = conversion else {
        return types::Converted { diagnostics, ..types::Converted::default() };
    };
    let offsets = Utf16Offsets::new(source);
    let lost = lost.into_iter().map(|loss| {
        let (start, end) = range(&offsets, loss.span);
        types::Lost { message: loss.message, start, end }
    });
    types::Converted { text, lost: lost.collect(), diagnostics }
}

/// Answer of `job`.
pub(crate) fn job(body: &serde_json::Value, rules: &JobRules) -> types::CheckedJob {
    let refusals = engine::read_job(body, rules).err().unwrap_or_default();
    types::CheckedJob {
        ok: refusals.is_empty(),
        refusals: refusals.iter().map(refusal).collect(),
        diagnostics: Vec::new(),
    }
}

/// Answer of `render`: what a job would write of these lines in one batch, without sampling.
pub(crate) fn rendered(body: &serde_json::Value, rules: &JobRules, lines: &str) -> types::Rendered {
    let read = engine::read_job(body, rules).and_then(|NewJob { settings, .. }| {
        let renderer = Renderer::new(&settings)?;
        let filter = settings.filter.as_deref().map(|filter| {
            let dataset = Dataset::named(&settings.dataset).unwrap_or(Dataset::http_requests());
            engine::check(filter, &Options { dataset, ..Options::default() }).program
        });
        Ok((renderer, filter.flatten()))
    });
    let (renderer, filter) = match read {
        Ok(read) => read,
        Err(refusals) => {
            return types::Rendered { refusals: refusals.iter().map(refusal).collect(), ..types::Rendered::default() };
        }
    };
    let (mut rendered, mut out) = (types::Rendered::default(), Vec::new());
    renderer.open(&mut out);
    for (index, line) in lines.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let kept = filter.as_ref().map_or(Ok(true), |filter| {
            filter.evaluate(line.as_bytes(), Missing::Absent).map(|outcome| outcome == Outcome::True)
        });
        let mut record = Vec::new();
        match kept.and_then(
            |kept| if kept { renderer.record(line.as_bytes(), &mut record).map(|()| true) } else { Ok(false) },
        ) {
            Ok(true) => {
                if rendered.kept > 0 {
                    renderer.between(&mut out);
                }
                out.append(&mut record);
                rendered.kept += 1;
            }
            Ok(false) => rendered.dropped += 1,
            Err(error) => rendered.rejected.push(types::RejectedLine { line: index + 1, message: error.to_string() }),
        }
    }
    renderer.close(&mut out);
    rendered.text = Some(String::from_utf8_lossy(&out).into_owned());
    rendered
}

/// Answer of `datasets`.
pub(crate) fn datasets() -> Vec<types::DatasetEntry> {
    let field = |field: &engine::Field| types::LogField {
        name: field.name,
        ty: field.ty.name(),
        filterable: field.filterable,
        deprecated: field.deprecated,
    };
    let entry = |dataset: &Dataset| types::DatasetEntry {
        name: dataset.name,
        zone: dataset.is_zone(),
        account: dataset.is_account(),
        fields: dataset.fields.iter().map(field).collect(),
    };
    Dataset::all().iter().map(entry).collect()
}
