//! The options of the functions over log push, and what they are given beside a filter.

use super::{Refusal, boolean, document, json, members, one_of, wrong};
use crate::arguments::options::{lint, size};
use serde_json::Value as Json;
use wasm_bindgen::JsValue;
use zonewright_expression::{Lint, Missing};
use zonewright_logpush::{Dataset, FormatOptions, JobRules, JobScope, Options, Style, code};

const OPTIONS: [&str; 4] = ["dataset", "maxOperators", "maxBytes", "lint"];
const STYLES: [(&str, Style); 3] =
    [("pretty", Style::Pretty), ("compact", Style::Compact), ("escaped", Style::Escaped)];
const SCOPES: [(&str, JobScope); 2] = [("zone", JobScope::Zone), ("account", JobScope::Account)];
const WHAT: &str = "the options";

/// Options of the functions that show all that can be said of a filter: with lints, unless they are
/// switched off.
pub(crate) fn linted(value: &JsValue) -> Result<Options, Refusal> {
    let mut options = Options { lint: Some(Lint::default()), ..Options::default() };
    members(value, WHAT, &OPTIONS, |name, value| set(&mut options, name, value))?;
    Ok(options)
}

/// Options of the functions that are about something else: with lints only when they are asked for.
pub(crate) fn plain(value: &JsValue) -> Result<Options, Refusal> {
    let mut options = Options::default();
    members(value, WHAT, &OPTIONS, |name, value| set(&mut options, name, value))?;
    Ok(options)
}

/// Options of `evaluate`.
pub(crate) struct Evaluation {
    pub(crate) options: Options,
    pub(crate) missing: Missing,
    pub(crate) trace: bool,
}

/// Reads the options of `evaluate`. A field that the line lacks has its zero value, unless it is said
/// to be unknown.
pub(crate) fn evaluation(value: &JsValue) -> Result<Evaluation, Refusal> {
    let mut read = Evaluation { options: Options::default(), missing: Missing::Absent, trace: false };
    let known: Vec<&str> = OPTIONS.into_iter().chain(["missing", "trace"]).collect();
    members(value, WHAT, &known, |name, value| {
        match name {
            "missing" => {
                read.missing = one_of("the option `missing`", value, Missing::ALL.map(|one| (one.name(), one)))?;
            }
            "trace" => read.trace = boolean(value, "the option `trace`")?,
            _ => set(&mut read.options, name, value)?,
        }
        Ok(())
    })?;
    Ok(read)
}

/// Options of `format`.
pub(crate) fn format(value: &JsValue) -> Result<FormatOptions, Refusal> {
    let mut options = FormatOptions::default();
    members(value, WHAT, &["style", "width"], |name, value| {
        match name {
            "style" => options.style = one_of("the option `style`", value, STYLES)?,
            _ => options.width = size(value, "the option `width`")?,
        }
        Ok(())
    })?;
    Ok(options)
}

/// Options of `job` and `render`: what is allowed besides what is documented.
pub(crate) fn rules(value: &JsValue) -> Result<JobRules, Refusal> {
    let mut rules = JobRules::documented(JobScope::Zone);
    members(value, WHAT, &["scope", "files", "plainHttp"], |name, value| {
        match name {
            "scope" => rules.scope = one_of("the option `scope`", value, SCOPES)?,
            "files" => rules.files = boolean(value, "the option `files`")?,
            _ => rules.plain_http = boolean(value, "the option `plainHttp`")?,
        }
        Ok(())
    })?;
    Ok(rules)
}

/// A log line: its text, or an object.
pub(crate) fn line(value: &JsValue) -> Result<String, Refusal> {
    json(value, "the line")
}

/// A job, as its JSON says it.
pub(crate) fn job(value: &JsValue) -> Result<Json, Refusal> {
    document(value, "the job")?.map_err(|repeated| wrong(format!("{}: {}", repeated.pointer, repeated.message)))
}

fn set(options: &mut Options, name: &str, value: &JsValue) -> Result<(), Refusal> {
    let what = format!("the option `{name}`");
    match name {
        "dataset" => {
            options.dataset = one_of(&what, value, Dataset::all().iter().map(|dataset| (dataset.name, dataset)))?;
        }
        "maxOperators" => options.max_operators = size(value, &what)?,
        "maxBytes" => options.max_bytes = size(value, &what)?,
        _ => options.lint = lint(value, code::LINTS)?,
    }
    Ok(())
}
