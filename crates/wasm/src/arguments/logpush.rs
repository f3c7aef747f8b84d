//! Reads the options and the other arguments of the log push functions.

use super::{
    ArgumentErrors, invalid_option_error, read_boolean, read_document, read_enum_value, read_json_text, read_members,
    read_text,
};
use crate::arguments::options::{read_lint, read_size};
use js_sys::Uint8Array;
use serde_json::Value as Json;
use wasm_bindgen::{JsCast, JsValue};
use zonewright_api::logpush::JobSettings;
use zonewright_expression::{LintOptions, MissingPolicy};
use zonewright_logpush::{Dataset, FormatOptions, FormatStyle, JobRules, JobScope, Options, code};

const FILTER_OPTIONS: [&str; 4] = ["dataset", "maxOperators", "maxBytes", "lint"];
const STYLES: [(&str, FormatStyle); 3] =
    [("pretty", FormatStyle::Pretty), ("compact", FormatStyle::Compact), ("escaped", FormatStyle::Escaped)];
const SCOPES: [(&str, JobScope); 2] = [("zone", JobScope::Zone), ("account", JobScope::Account)];
const JOB_RULES: [&str; 3] = ["scope", "files", "plainHttp"];
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

/// Reads the options of `count`: those of the filter, and the maximum number of sample lines of each outcome.
pub(crate) fn count_options(value: &JsValue) -> Result<(Options, usize), ArgumentErrors> {
    let (mut options, mut max_samples) = (Options::default(), 0);
    let known: Vec<&str> = FILTER_OPTIONS.into_iter().chain(["samples"]).collect();
    read_members(value, OPTIONS_LABEL, &known, |name, value| match name {
        "samples" => read_size(value, "the option `samples`").map(|size| max_samples = size),
        _ => set_option(&mut options, name, value),
    })?;
    Ok((options, max_samples))
}

/// Reads log lines: a text, or its bytes.
pub(crate) fn log_lines(value: &JsValue) -> Result<Vec<u8>, ArgumentErrors> {
    match value.dyn_ref::<Uint8Array>() {
        Some(bytes) => Ok(bytes.to_vec()),
        None => read_text(value, "the lines").map(String::into_bytes),
    }
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

/// Reads the options of `job`: additional permissions for jobs, and the job that is updated.
pub(crate) fn job_options(value: &JsValue) -> Result<(JobRules, Option<JobSettings>), ArgumentErrors> {
    let (mut rules, mut current) = (JobRules::documented(JobScope::Zone), None);
    let known: Vec<&str> = JOB_RULES.into_iter().chain(["current"]).collect();
    read_members(value, OPTIONS_LABEL, &known, |name, value| match name {
        "current" => read_settings(value).map(|settings| current = Some(settings)),
        _ => set_rule(&mut rules, name, value),
    })?;
    Ok((rules, current))
}

/// Reads the options of `render`: additional permissions for jobs.
pub(crate) fn job_rules(value: &JsValue) -> Result<JobRules, ArgumentErrors> {
    let mut rules = JobRules::documented(JobScope::Zone);
    read_members(value, OPTIONS_LABEL, &JOB_RULES, |name, value| set_rule(&mut rules, name, value))?;
    Ok(rules)
}

fn set_rule(rules: &mut JobRules, name: &str, value: &JsValue) -> Result<(), ArgumentErrors> {
    match name {
        "scope" => rules.scope = read_enum_value("the option `scope`", value, SCOPES)?,
        "files" => rules.files = read_boolean(value, "the option `files`")?,
        _ => rules.plain_http = read_boolean(value, "the option `plainHttp`")?,
    }
    Ok(())
}

/// Reads an existing job, as the service returns it.
fn read_settings(value: &JsValue) -> Result<JobSettings, ArgumentErrors> {
    let label = "the option `current`";
    let job = read_job_document(value, label)?;
    serde_json::from_value(job).map_err(|error| invalid_option_error(format!("{label}: {error}")))
}

/// Reads a log line as JSON text, or converts it from an object.
pub(crate) fn log_line(value: &JsValue) -> Result<String, ArgumentErrors> {
    read_json_text(value, "the line")
}

/// Reads the JSON of a job.
pub(crate) fn job_document(value: &JsValue) -> Result<Json, ArgumentErrors> {
    read_job_document(value, JOB_LABEL)
}

fn read_job_document(value: &JsValue, label: &str) -> Result<Json, ArgumentErrors> {
    read_document(value, label)?.map_err(|error| {
        let part = if error.pointer.is_empty() { label } else { &error.pointer };
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
