//! The functions of the member `logpush`.

use crate::arguments::logpush as arguments;
use crate::arguments::text;
use crate::convert::{self, logpush as shapes, words};
use crate::{about_no_text, answer, at, both, give, with};
use wasm_bindgen::prelude::*;
use zonewright_logpush as engine;

/// Every problem of a filter.
#[wasm_bindgen(js_name = logpush_check)]
pub fn check(source: JsValue, options: JsValue) -> JsValue {
    answer(with(&source, arguments::linted(&options)), |source, options| shapes::checked(source, &options))
}

/// All that an editor shows of a filter.
#[wasm_bindgen(js_name = logpush_analyze)]
pub fn analyze(source: JsValue, options: JsValue) -> JsValue {
    answer(with(&source, arguments::linted(&options)), |source, options| shapes::analysis(source, &options))
}

/// A filter after all safe fixes.
#[wasm_bindgen(js_name = logpush_fix)]
pub fn fix(source: JsValue, options: JsValue) -> JsValue {
    answer(with(&source, arguments::linted(&options)), |source, options| {
        words::fixed_by(source, |text| engine::check(text, &options).diagnostics)
    })
}

/// A filter laid out anew.
#[wasm_bindgen(js_name = logpush_format)]
pub fn format(source: JsValue, options: JsValue) -> JsValue {
    answer(with(&source, arguments::format(&options)), |source, options| {
        let formatted = engine::format(source, &options);
        words::rewritten(source, formatted.text, &formatted.diagnostics)
    })
}

/// The shortest filter of the same meaning.
#[wasm_bindgen(js_name = logpush_simplify)]
pub fn simplify(source: JsValue, options: JsValue) -> JsValue {
    answer(with(&source, arguments::plain(&options)), |source, options| shapes::simplified(source, &options))
}

/// A filter in plain English.
#[wasm_bindgen(js_name = logpush_explain)]
pub fn explain(source: JsValue, options: JsValue) -> JsValue {
    answer(with(&source, arguments::plain(&options)), |source, options| {
        words::explained(source, engine::explain(source, &options))
    })
}

/// What a filter gives for a log line.
#[wasm_bindgen(js_name = logpush_evaluate)]
pub fn evaluate(source: JsValue, line: JsValue, options: JsValue) -> JsValue {
    let given = both(arguments::line(&line), arguments::evaluation(&options));
    answer(with(&source, given), |source, (line, wanted)| shapes::evaluated(source, &line, &wanted))
}

/// A filter as an expression, or an expression as a filter.
#[wasm_bindgen(js_name = logpush_convert)]
pub fn convert(source: JsValue, options: JsValue) -> JsValue {
    answer(with(&source, arguments::plain(&options)), |source, options| shapes::converted(source, &options))
}

/// What may stand at an offset of a filter.
#[wasm_bindgen(js_name = logpush_complete)]
pub fn complete(source: JsValue, offset: JsValue, options: JsValue) -> JsValue {
    answer(at(&source, &offset, arguments::plain(&options)), |source, (offset, options)| {
        convert::completions(source, &engine::complete(source, offset, &options))
    })
}

/// What stands at an offset of a filter.
#[wasm_bindgen(js_name = logpush_hover)]
pub fn hover(source: JsValue, offset: JsValue, options: JsValue) -> JsValue {
    answer(at(&source, &offset, arguments::plain(&options)), |source, (offset, options)| {
        convert::hovered(source, engine::hover(source, offset, &options))
    })
}

/// Every reason to refuse a job.
#[wasm_bindgen(js_name = logpush_job)]
pub fn job(job: JsValue, options: JsValue) -> JsValue {
    answer(about_no_text(both(arguments::job(&job), arguments::rules(&options))), |_, (body, rules)| {
        shapes::job(&body, &rules)
    })
}

/// What a job would write of log lines.
#[wasm_bindgen(js_name = logpush_render)]
pub fn render(job: JsValue, lines: JsValue, options: JsValue) -> JsValue {
    let given = both(both(arguments::job(&job), arguments::rules(&options)), text(&lines, "the lines"));
    answer(about_no_text(given), |_, ((body, rules), lines)| shapes::rendered(&body, &rules, &lines))
}

/// The datasets with their fields.
#[wasm_bindgen(js_name = logpush_datasets)]
pub fn datasets() -> JsValue {
    give(shapes::datasets())
}
