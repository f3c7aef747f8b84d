//! Exports the engine to JavaScript, as functions from plain values to plain values.
//!
//! [`arguments`] reads the values that JavaScript passes, [`convert`] turns results of the engine into the
//! [`types`] that JavaScript receives, and the functions here connect the two. The entry points of the
//! package, which call these functions, are in `js/`.
//!
//! No function throws because of its arguments: an invalid argument is a diagnostic of the result. All
//! offsets are converted to UTF-16 code units.
//!
//! The modules in reading order:
//!
//! - [`types`]: the results that JavaScript receives.
//! - [`arguments`]: the arguments that JavaScript passes.
//! - [`convert`]: converts results of the engine to these types.
//! - `logpush`: the functions for log push filters and jobs.
//! - `migration`: the functions for migrations.

// The macro of wasm-bindgen creates public functions that only JavaScript calls.
#![allow(unreachable_pub)]

mod arguments;
mod convert;
mod logpush;
mod migration;
mod types;

use arguments::{ArgumentErrors, options, read_offset, read_record, read_rules, read_source};
use convert::{cases, evaluation, text};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use zonewright_equivalence::{self as equivalence, Budget};
use zonewright_expression::{self as engine, Options, Program};

/// Checks an expression and infers its type.
#[wasm_bindgen]
pub fn check(source_value: JsValue, options_value: JsValue) -> JsValue {
    respond(with_source(&source_value, options::lint_options(&options_value)), |source, options| {
        convert::check_result(source, &engine::check(source, &options))
    })
}

/// Analyzes an expression for an editor: diagnostics, tokens and usage of the limits.
#[wasm_bindgen]
pub fn analyze(source_value: JsValue, options_value: JsValue) -> JsValue {
    respond(with_source(&source_value, options::lint_options(&options_value)), |source, options| {
        convert::analysis(source, &engine::analyze(source, &options))
    })
}

/// Applies all safe fixes to an expression.
#[wasm_bindgen]
pub fn fix(source_value: JsValue, options_value: JsValue) -> JsValue {
    respond(with_source(&source_value, options::lint_options(&options_value)), |source, options| {
        text::fix_result(source, &options)
    })
}

/// Formats an expression.
#[wasm_bindgen]
pub fn format(source_value: JsValue, options_value: JsValue) -> JsValue {
    respond(with_source(&source_value, options::format_options(&options_value)), |source, options| {
        text::format_result(source, &options)
    })
}

/// Explains an expression in plain English.
#[wasm_bindgen]
pub fn explain(source_value: JsValue, options_value: JsValue) -> JsValue {
    respond(with_source(&source_value, options::base_options(&options_value)), |source, options| {
        text::explain_result(source, engine::explain(source, &options))
    })
}

/// Evaluates an expression for a request.
#[wasm_bindgen]
pub fn evaluate(source_value: JsValue, record_value: JsValue, options_value: JsValue) -> JsValue {
    let arguments = zip_results(read_record(&record_value), options::evaluate_options(&options_value));
    respond(with_source(&source_value, arguments), |source, ((record, notes), (options, trace))| {
        evaluation::evaluate_result(source, &engine::check(source, &options), &record, notes, trace)
    })
}

/// Decides whether two expressions are true for the same requests.
#[wasm_bindgen]
pub fn equivalent(first: JsValue, second: JsValue, options_value: JsValue) -> JsValue {
    to_js(compare_sources(&first, &second, &options_value, equivalence::equivalent))
}

/// Decides whether the first expression is true whenever the second is.
#[wasm_bindgen]
pub fn subsumes(general: JsValue, special: JsValue, options_value: JsValue) -> JsValue {
    to_js(compare_sources(&general, &special, &options_value, equivalence::subsumes))
}

/// Finds the rules of an ordered list that can never fire.
#[wasm_bindgen(js_name = neverFires)]
pub fn never_fires(rules_value: JsValue, options_value: JsValue) -> JsValue {
    to_js(match zip_results(read_rules(&rules_value), options::equivalence_options(&options_value)) {
        Ok((list, (options, budget))) => convert::never_fires::never_fires_result(list, &options, &budget),
        Err(errors) => convert::never_fires::error_result(&errors),
    })
}

/// Runs the tests of a test file.
#[wasm_bindgen]
pub fn test(source_value: JsValue, options_value: JsValue) -> JsValue {
    respond(with_source(&source_value, options::test_options(&options_value)), |source, options| {
        let mut read_file = |name: &str| {
            let text = options.files.get(name).ok_or_else(|| "no such file".to_owned())?;
            // The final line break of a file is not part of its expression.
            let text = text.strip_suffix('\n').map_or(text.as_str(), |text| text.strip_suffix('\r').unwrap_or(text));
            Ok(text.to_owned())
        };
        let report = zonewright_cases::run_tests(source, &mut read_file);
        let name = options.name.as_deref().unwrap_or("tests");
        let junit = options.junit.then(|| zonewright_cases::to_junit_xml([(name, &report)]));
        cases::test_result(source, &report, junit)
    })
}

/// Returns the fields, functions, operators, phases and plans of the language as data.
#[wasm_bindgen]
pub fn schema() -> JsValue {
    to_js(convert::schema::schema())
}

/// Completes an expression at an offset.
#[wasm_bindgen]
pub fn complete(source_value: JsValue, offset_value: JsValue, options_value: JsValue) -> JsValue {
    respond(
        with_offset(&source_value, &offset_value, options::base_options(&options_value)),
        |source, (offset, options)| convert::completions(source, &engine::complete(source, offset, &options)),
    )
}

/// Describes the token at an offset of an expression.
#[wasm_bindgen]
pub fn hover(source_value: JsValue, offset_value: JsValue, options_value: JsValue) -> JsValue {
    respond(
        with_offset(&source_value, &offset_value, options::base_options(&options_value)),
        |source, (offset, options)| convert::hover_result(source, engine::hover(source, offset, &options)),
    )
}

/// Describes the innermost call around an offset of an expression.
#[wasm_bindgen]
pub fn signature(source_value: JsValue, offset_value: JsValue) -> JsValue {
    respond(with_offset(&source_value, &offset_value, Ok(())), |source, (offset, ())| {
        convert::signature(source, engine::signature(source, offset))
    })
}

/// The source and the other arguments of a call, or the source and the argument errors.
type SourceCall<T> = Result<(String, T), (String, ArgumentErrors)>;

fn with_source<T>(source_value: &JsValue, arguments: Result<T, ArgumentErrors>) -> SourceCall<T> {
    let (source, mut errors) = read_source(source_value);
    match arguments {
        Ok(arguments) if errors.is_empty() => return Ok((source, arguments)),
        Ok(_) => {}
        Err(argument_errors) => errors.extend(argument_errors),
    }
    Err((source, errors))
}

fn without_source<T>(arguments: Result<T, ArgumentErrors>) -> SourceCall<T> {
    arguments.map(|arguments| (String::new(), arguments)).map_err(|errors| (String::new(), errors))
}

fn with_offset<T>(
    source_value: &JsValue,
    offset_value: &JsValue,
    arguments: Result<T, ArgumentErrors>,
) -> SourceCall<(usize, T)> {
    let (source, arguments) = with_source(source_value, arguments)?;
    match read_offset(&source, offset_value) {
        Ok(offset) => Ok((source, (offset, arguments))),
        Err(errors) => Err((source, errors)),
    }
}

/// Combines two results and keeps the errors of both.
fn zip_results<A, B>(
    first: Result<A, ArgumentErrors>,
    second: Result<B, ArgumentErrors>,
) -> Result<(A, B), ArgumentErrors> {
    match (first, second) {
        (Ok(first), Ok(second)) => Ok((first, second)),
        (first, second) => Err(first.err().into_iter().chain(second.err()).flatten().collect()),
    }
}

/// Returns the result of a call, or its argument errors.
fn respond<T, R: types::CallResult>(call: SourceCall<T>, run: impl FnOnce(&str, T) -> R) -> JsValue {
    to_js(match call {
        Ok((source, arguments)) => run(&source, arguments),
        Err((source, errors)) => convert::error_result(&source, &errors),
    })
}

/// A relation of two expressions that the solver decides.
type Relation = fn(&Program, &Program, &Budget) -> equivalence::Verdict;

/// Decides a relation of two sources. Errors in the options are reported for the first source.
fn compare_sources(
    first: &JsValue,
    second: &JsValue,
    options_value: &JsValue,
    relation: Relation,
) -> types::EquivalenceResult {
    let first = with_source(first, options::equivalence_options(options_value));
    let second = with_source(second, Ok(()));
    let (first, second, options, budget) = match (first, second) {
        (Ok((first, (options, budget))), Ok((second, ()))) => (first, second, options, budget),
        (first, second) => {
            let split_errors = |call: Result<String, (String, ArgumentErrors)>| {
                call.map_or_else(|errors| errors, |source| (source, Vec::new()))
            };
            let first = split_errors(first.map(|(source, _)| source));
            let second = split_errors(second.map(|(source, ())| source));
            let diagnostics = evaluation::pair_diagnostics((&first.0, &first.1), (&second.0, &second.1));
            return types::EquivalenceResult { diagnostics, ..types::EquivalenceResult::default() };
        }
    };
    compare_checked((&first, &second), &options, &budget, relation)
}

/// Checks two sources and decides a relation of their programs.
fn compare_checked(
    (first, second): (&str, &str),
    options: &Options,
    budget: &Budget,
    relation: Relation,
) -> types::EquivalenceResult {
    let (left, right) = (engine::check(first, options), engine::check(second, options));
    let diagnostics = evaluation::pair_diagnostics((first, &left.diagnostics), (second, &right.diagnostics));
    match (left.program, right.program) {
        (Some(left), Some(right)) => {
            evaluation::equivalence_result(relation(&left, &right, budget), [first, second], options, diagnostics)
        }
        _ => types::EquivalenceResult { diagnostics, ..types::EquivalenceResult::default() },
    }
}

fn to_js<T: Serialize>(result: T) -> JsValue {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    // Results contain only values that JSON can represent, so the conversion cannot fail.
    result.serialize(&serializer).unwrap_or(JsValue::NULL)
}
