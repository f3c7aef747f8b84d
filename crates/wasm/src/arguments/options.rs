//! The options of each function.

use super::{Refusal, boolean, described, entries, members, one_of, shown, text, whole, wrong};
use js_sys::Array;
use std::collections::BTreeMap;
use wasm_bindgen::JsValue;
use zonewright_diagnostic::Diagnostic;
use zonewright_equivalence::Budget;
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{FormatOptions, Kind, Lint, ListKind, Options, Spelling, Style, code};
use zonewright_request::{Error, duplicate_list_error, parse_list_name};

const LANGUAGE: [&str; 6] = ["kind", "phase", "plan", "lists", "maxLength", "lint"];
const FORMAT: [&str; 4] = ["style", "width", "operators", "maxLength"];
const TESTS: [&str; 3] = ["files", "junit", "name"];
const STYLES: [(&str, Style); 2] = [("canonical", Style::Canonical), ("compact", Style::Compact)];
const SPELLINGS: [(&str, Spelling); 3] =
    [("kept", Spelling::Kept), ("english", Spelling::English), ("symbols", Spelling::Symbols)];

/// What the options of every function are called in messages.
const WHAT: &str = "the options";

/// Options of the functions that show all that can be said of an expression: with lints, unless they
/// are switched off.
pub(crate) fn linted(value: &JsValue) -> Result<Options, Refusal> {
    let mut options = Options { lint: Some(Lint::default()), ..Options::default() };
    members(value, WHAT, &LANGUAGE, |name, value| set(&mut options, name, value))?;
    Ok(options)
}

/// Options of the functions that are about something else: with lints only when they are asked for.
pub(crate) fn plain(value: &JsValue) -> Result<Options, Refusal> {
    let mut options = Options::default();
    members(value, WHAT, &LANGUAGE, |name, value| set(&mut options, name, value))?;
    Ok(options)
}

/// Options of `evaluate`, and whether a trace is wanted.
pub(crate) fn evaluation(value: &JsValue) -> Result<(Options, bool), Refusal> {
    let (mut options, mut trace) = (Options::default(), false);
    members(value, WHAT, &with("trace"), |name, value| match name {
        "trace" => boolean(value, "the option `trace`").map(|wanted| trace = wanted),
        _ => set(&mut options, name, value),
    })?;
    Ok((options, trace))
}

/// Options of `equivalent` and `subsumes`, and how much work may be done.
pub(crate) fn question(value: &JsValue) -> Result<(Options, Budget), Refusal> {
    let (mut options, mut budget) = (Options::default(), Budget::default());
    members(value, WHAT, &with("steps"), |name, value| match name {
        "steps" => whole(value, "the option `steps`").map(|steps| budget.steps = steps),
        _ => set(&mut options, name, value),
    })?;
    Ok((options, budget))
}

/// Options of `format`.
pub(crate) fn format(value: &JsValue) -> Result<FormatOptions, Refusal> {
    let mut options = FormatOptions::default();
    members(value, WHAT, &FORMAT, |name, value| {
        let what = format!("the option `{name}`");
        match name {
            "style" => options.style = one_of(&what, value, STYLES)?,
            "operators" => options.operators = one_of(&what, value, SPELLINGS)?,
            "width" => options.width = size(value, &what)?,
            _ => options.max_length = size(value, &what)?,
        }
        Ok(())
    })?;
    Ok(options)
}

/// Options of `test`.
#[derive(Default)]
pub(crate) struct Tests {
    /// The files that tests name, by their names.
    pub(crate) files: BTreeMap<String, String>,
    /// Whether a report for build servers is wanted.
    pub(crate) junit: bool,
    /// What the file of the tests is called in it.
    pub(crate) name: Option<String>,
}

/// Reads the options of `test`.
pub(crate) fn tests(value: &JsValue) -> Result<Tests, Refusal> {
    let mut options = Tests::default();
    members(value, WHAT, &TESTS, |name, value| {
        match name {
            "files" => {
                for (name, value) in entries(value, "the option `files`")? {
                    let text = text(&value, &format!("the option `files.{}`", shown(&name)))?;
                    options.files.insert(name, text);
                }
            }
            "junit" => options.junit = boolean(value, "the option `junit`")?,
            _ => options.name = Some(text(value, "the option `name`")?),
        }
        Ok(())
    })?;
    Ok(options)
}

fn with(name: &'static str) -> Vec<&'static str> {
    LANGUAGE.into_iter().chain([name]).collect()
}

fn set(options: &mut Options, name: &str, value: &JsValue) -> Result<(), Refusal> {
    let what = format!("the option `{name}`");
    match name {
        "kind" => options.kind = one_of(&what, value, Kind::ALL.map(|one| (one.name(), one)))?,
        "phase" => options.phase = Some(one_of(&what, value, Phase::ALL.iter().map(|one| (one.name(), *one)))?),
        "plan" => options.plan = Some(one_of(&what, value, Tier::ALL.map(|one| (one.name(), one)))?),
        "lists" => options.lists = Some(lists(value)?),
        "maxLength" => options.max_length = size(value, &what)?,
        _ => options.lint = lint(value, code::LINTS)?,
    }
    Ok(())
}

/// A number of characters; one that is too large for this machine is as good as the largest.
pub(super) fn size(value: &JsValue, what: &str) -> Result<usize, Refusal> {
    Ok(usize::try_from(whole(value, what)?).unwrap_or(usize::MAX))
}

fn lists(value: &JsValue) -> Result<BTreeMap<String, ListKind>, Refusal> {
    let mut lists = BTreeMap::new();
    for (name, value) in entries(value, "the option `lists`")? {
        let kinds = ListKind::ALL.map(|one| (one.name(), one));
        let kind = one_of(&format!("the option `lists.{}`", shown(&name)), &value, kinds)?;
        let bare = parse_list_name(&name).map_err(|error| of_list(&name, &error))?;
        if lists.insert(bare.to_owned(), kind).is_some() {
            return Err(of_list(&name, &duplicate_list_error(bare)));
        }
    }
    Ok(lists)
}

fn of_list(name: &str, error: &Error) -> Refusal {
    let problems = wrong(format!("the option `lists.{}`: {}", shown(name), error.message)).into_iter();
    problems.map(|problem| Diagnostic { help: error.help.clone(), ..problem }).collect()
}

/// `true`, `false`, or `{ allow: [codes] }` of these codes.
pub(super) fn lint(value: &JsValue, codes: &[&'static str]) -> Result<Option<Lint>, Refusal> {
    if let Some(wanted) = value.as_bool() {
        return Ok(wanted.then(Lint::default));
    }
    let mut lint = Lint::default();
    members(value, "the option `lint`", &["allow"], |_, value| {
        if !Array::is_array(value) {
            return Err(wrong(format!("expected an array for the option `lint.allow`, found {}", described(value))));
        }
        for value in Array::from(value).iter() {
            let known = codes.iter().map(|code| (*code, *code));
            lint.allow.insert(one_of("the option `lint.allow`", &value, known)?.to_owned());
        }
        Ok(())
    })?;
    Ok(Some(lint))
}
