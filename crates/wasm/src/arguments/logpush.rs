//! Reads the options and the other arguments of the log push functions.

use super::{
    ArgumentErrors, invalid_option_error, read_boolean, read_document, read_enum_value, read_json_text, read_members,
};
use crate::arguments::options::{read_lint, read_size};
use serde_json::Value as Json;
use wasm_bindgen::JsValue;
use zonewright_expression::{LintOptions, MissingPolicy};
use zonewright_logpush::{Dataset, FormatOptions, FormatStyle, JobRules, JobScope, Options, code};

const FILTER_OPTIONS: [&str; 4] = ["dataset", "maxOperators", "maxBytes", "lint"];
const STYLES: [(&str, FormatStyle); 3] =
    [("pretty", FormatStyle::Pretty), ("compact", FormatStyle::Compact), ("escaped", FormatStyle::Escaped)];
const SCOPES: [(&str, JobScope); 2] = [("zone", JobScope::Zone), ("account", JobScope::Account)];
const OPTIONS_LABEL: &str = "the options";
const JOB_LABEL: &str = "the job";

/// Reads the options of `check`, `analyze` and `fix`, which report lints by default.
pub(crate) fn lint_options(value: &JsValue) -> Result<Options, ArgumentErrors> {
    let mut options = Options { lint: Some(LintOptions::default()), ..Options::default() };
    read_members(value, OPTIONS_LABEL, &FILTER_OPTIONS, |name, value| set_option(&mut options, name, value))?;
    Ok(options)
}

/// Reads the options of the other functions of a filter, which report no lints by default.
pub(crate) fn base_options(value: &JsValue) -> Result<Options, ArgumentErrors> {
    let mut options = Options::default();
    read_members(value, OPTIONS_LABEL, &FILTER_OPTIONS, |name, value| set_option(&mut options, name, value))?;
    Ok(options)
}

/// The options of `evaluate`.
pub(crate) struct EvaluateOptions {
    pub(crate) options: Options,
    pub(crate) missing: MissingPolicy,
    pub(crate) trace: bool,
}

/// Reads the options of `evaluate`. By default, a field that the line does not have has its zero value.
pub(crate) fn evaluate_options(value: &JsValue) -> Result<EvaluateOptions, ArgumentErrors> {
    let mut read = EvaluateOptions { options: Options::default(), missing: MissingPolicy::Absent, trace: false };
    let known: Vec<&str> = FILTER_OPTIONS.into_iter().chain(["missing", "trace"]).collect();
    read_members(value, OPTIONS_LABEL, &known, |name, value| {
        match name {
            "missing" => {
                read.missing = read_enum_value(
                    "the option `missing`",
                    value,
                    MissingPolicy::ALL.map(|policy| (policy.name(), policy)),
                )?;
            }
            "trace" => read.trace = read_boolean(value, "the option `trace`")?,
            _ => set_option(&mut read.options, name, value)?,
        }
        Ok(())
    })?;
    Ok(read)
}

/// Reads the options of `format`.
pub(crate) fn format_options(value: &JsValue) -> Result<FormatOptions, ArgumentErrors> {
    let mut options = FormatOptions::default();
    read_members(value, OPTIONS_LABEL, &["style", "width"], |name, value| {
        match name {
            "style" => options.style = read_enum_value("the option `style`", value, STYLES)?,
            _ => options.width = read_size(value, "the option `width`")?,
        }
        Ok(())
    })?;
    Ok(options)
}

/// Reads the options of `job` and `render`: additional permissions for jobs.
pub(crate) fn job_rules(value: &JsValue) -> Result<JobRules, ArgumentErrors> {
    let mut rules = JobRules::documented(JobScope::Zone);
    read_members(value, OPTIONS_LABEL, &["scope", "files", "plainHttp"], |name, value| {
        match name {
            "scope" => rules.scope = read_enum_value("the option `scope`", value, SCOPES)?,
            "files" => rules.files = read_boolean(value, "the option `files`")?,
            _ => rules.plain_http = read_boolean(value, "the option `plainHttp`")?,
        }
        Ok(())
    })?;
    Ok(rules)
}

/// Reads a log line as JSON text, or converts it from an object.
pub(crate) fn log_line(value: &JsValue) -> Result<String, ArgumentErrors> {
    read_json_text(value, "the line")
}

/// Reads the JSON of a job.
pub(crate) fn job_document(value: &JsValue) -> Result<Json, ArgumentErrors> {
    read_document(value, JOB_LABEL)?.map_err(|error| {
        let part = if error.pointer.is_empty() { JOB_LABEL } else { &error.pointer };
        invalid_option_error(format!("{part}: {}", error.message))
    })
}

fn set_option(options: &mut Options, name: &str, value: &JsValue) -> Result<(), ArgumentErrors> {
    let label = format!("the option `{name}`");
    match name {
        "dataset" => {
            options.dataset =
                read_enum_value(&label, value, Dataset::all().iter().map(|dataset| (dataset.name, dataset)))?;
        }
        "maxOperators" => options.max_operators = read_size(value, &label)?,
        "maxBytes" => options.max_bytes = read_size(value, &label)?,
        _ => options.lint = read_lint(value, code::LINTS)?,
    }
    Ok(())
}
