//! Reads the options of the functions of expressions.

use super::{
    ArgumentErrors, describe_value, excerpt, invalid_option_error, read_boolean, read_entries, read_enum_value,
    read_members, read_non_negative_integer, read_text,
};
use js_sys::Array;
use std::collections::BTreeMap;
use wasm_bindgen::JsValue;
use zonewright_diagnostic::Diagnostic;
use zonewright_equivalence::Budget;
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{FormatOptions, FormatStyle, Kind, LintOptions, ListKind, Options, Spelling, code};
use zonewright_request::{Error, duplicate_list_error, parse_list_name};

const EXPRESSION_OPTIONS: [&str; 6] = ["kind", "phase", "plan", "lists", "maxLength", "lint"];
const FORMAT_OPTIONS: [&str; 4] = ["style", "width", "operators", "maxLength"];
const TEST_OPTIONS: [&str; 3] = ["files", "junit", "name"];
const STYLES: [(&str, FormatStyle); 2] = [("canonical", FormatStyle::Canonical), ("compact", FormatStyle::Compact)];
const SPELLINGS: [(&str, Spelling); 3] =
    [("preserve", Spelling::Preserve), ("english", Spelling::English), ("symbols", Spelling::Symbols)];

/// The name of the options in messages.
const OPTIONS_LABEL: &str = "the options";

/// Reads the options of `check`, `analyze` and `fix`, which report lints by default.
pub(crate) fn lint_options(value: &JsValue) -> Result<Options, ArgumentErrors> {
    let mut options = Options { lint: Some(LintOptions::default()), ..Options::default() };
    read_members(value, OPTIONS_LABEL, &EXPRESSION_OPTIONS, |name, value| set_option(&mut options, name, value))?;
    Ok(options)
}

/// Reads the options of the other functions of an expression, which report no lints by default.
pub(crate) fn base_options(value: &JsValue) -> Result<Options, ArgumentErrors> {
    let mut options = Options::default();
    read_members(value, OPTIONS_LABEL, &EXPRESSION_OPTIONS, |name, value| set_option(&mut options, name, value))?;
    Ok(options)
}

/// Reads the options of `evaluate`, and whether the result has a trace.
pub(crate) fn evaluate_options(value: &JsValue) -> Result<(Options, bool), ArgumentErrors> {
    let (mut options, mut trace) = (Options::default(), false);
    read_members(value, OPTIONS_LABEL, &with_option("trace"), |name, value| match name {
        "trace" => read_boolean(value, "the option `trace`").map(|with_trace| trace = with_trace),
        _ => set_option(&mut options, name, value),
    })?;
    Ok((options, trace))
}

/// Reads the options of `equivalent`, `subsumes` and `neverFires`, with the budget of the solver.
pub(crate) fn equivalence_options(value: &JsValue) -> Result<(Options, Budget), ArgumentErrors> {
    let (mut options, mut budget) = (Options::default(), Budget::default());
    read_members(value, OPTIONS_LABEL, &with_option("steps"), |name, value| match name {
        "steps" => read_non_negative_integer(value, "the option `steps`").map(|steps| budget.steps = steps),
        _ => set_option(&mut options, name, value),
    })?;
    Ok((options, budget))
}

/// Reads the options of `format`.
pub(crate) fn format_options(value: &JsValue) -> Result<FormatOptions, ArgumentErrors> {
    let mut options = FormatOptions::default();
    read_members(value, OPTIONS_LABEL, &FORMAT_OPTIONS, |name, value| {
        let label = format!("the option `{name}`");
        match name {
            "style" => options.style = read_enum_value(&label, value, STYLES)?,
            "operators" => options.operators = read_enum_value(&label, value, SPELLINGS)?,
            "width" => options.width = read_size(value, &label)?,
            _ => options.max_length = read_size(value, &label)?,
        }
        Ok(())
    })?;
    Ok(options)
}

/// The options of `test`.
#[derive(Default)]
pub(crate) struct TestOptions {
    /// The texts of the files that tests refer to, by name.
    pub(crate) files: BTreeMap<String, String>,
    /// Whether the result has a JUnit report.
    pub(crate) junit: bool,
    /// The name of the test file in that report.
    pub(crate) name: Option<String>,
}

/// Reads the options of `test`.
pub(crate) fn test_options(value: &JsValue) -> Result<TestOptions, ArgumentErrors> {
    let mut options = TestOptions::default();
    read_members(value, OPTIONS_LABEL, &TEST_OPTIONS, |name, value| {
        match name {
            "files" => {
                for (name, value) in read_entries(value, "the option `files`")? {
                    let text = read_text(&value, &format!("the option `files.{}`", excerpt(&name)))?;
                    options.files.insert(name, text);
                }
            }
            "junit" => options.junit = read_boolean(value, "the option `junit`")?,
            _ => options.name = Some(read_text(value, "the option `name`")?),
        }
        Ok(())
    })?;
    Ok(options)
}

/// Returns the names of the options of expressions, and one more name.
fn with_option(name: &'static str) -> Vec<&'static str> {
    EXPRESSION_OPTIONS.into_iter().chain([name]).collect()
}

fn set_option(options: &mut Options, name: &str, value: &JsValue) -> Result<(), ArgumentErrors> {
    let label = format!("the option `{name}`");
    match name {
        "kind" => options.kind = read_enum_value(&label, value, Kind::ALL.map(|kind| (kind.name(), kind)))?,
        "phase" => {
            options.phase = Some(read_enum_value(&label, value, Phase::ALL.iter().map(|phase| (phase.name(), *phase)))?)
        }
        "plan" => options.plan = Some(read_enum_value(&label, value, Tier::ALL.map(|tier| (tier.name(), tier)))?),
        "lists" => options.lists = Some(read_lists(value)?),
        "maxLength" => options.max_length = read_size(value, &label)?,
        _ => options.lint = read_lint(value, code::LINTS)?,
    }
    Ok(())
}

/// Reads a number of characters. A number that does not fit becomes the largest one.
pub(super) fn read_size(value: &JsValue, label: &str) -> Result<usize, ArgumentErrors> {
    Ok(usize::try_from(read_non_negative_integer(value, label)?).unwrap_or(usize::MAX))
}

fn read_lists(value: &JsValue) -> Result<BTreeMap<String, ListKind>, ArgumentErrors> {
    let mut lists = BTreeMap::new();
    for (name, value) in read_entries(value, "the option `lists`")? {
        let kinds = ListKind::ALL.map(|kind| (kind.name(), kind));
        let kind = read_enum_value(&format!("the option `lists.{}`", excerpt(&name)), &value, kinds)?;
        let bare_name = parse_list_name(&name).map_err(|error| list_name_error(&name, &error))?;
        if lists.insert(bare_name.to_owned(), kind).is_some() {
            return Err(list_name_error(&name, &duplicate_list_error(bare_name)));
        }
    }
    Ok(lists)
}

fn list_name_error(name: &str, error: &Error) -> ArgumentErrors {
    let errors = invalid_option_error(format!("the option `lists.{}`: {}", excerpt(name), error.message)).into_iter();
    errors.map(|diagnostic| Diagnostic { help: error.help.clone(), ..diagnostic }).collect()
}

/// Reads the option `lint`: `true`, `false`, or `{ allow }` with some of the codes.
pub(super) fn read_lint(value: &JsValue, codes: &[&'static str]) -> Result<Option<LintOptions>, ArgumentErrors> {
    if let Some(is_enabled) = value.as_bool() {
        return Ok(is_enabled.then(LintOptions::default));
    }
    let mut lint = LintOptions::default();
    read_members(value, "the option `lint`", &["allow"], |_, value| {
        if !Array::is_array(value) {
            return Err(invalid_option_error(format!(
                "expected an array for the option `lint.allow`, found {}",
                describe_value(value)
            )));
        }
        for value in Array::from(value).iter() {
            let allowed = codes.iter().map(|code| (*code, *code));
            lint.allow.insert(read_enum_value("the option `lint.allow`", &value, allowed)?.to_owned());
        }
        Ok(())
    })?;
    Ok(Some(lint))
}
