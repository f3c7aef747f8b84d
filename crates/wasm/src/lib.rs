//! The engine for JavaScript: plain functions that take and give plain values.
//!
//! [`arguments`] reads what the caller passed and never fails with an exception: a wrong argument
//! becomes a diagnostic. [`convert`] turns the engine's answers into the shapes of [`types`], with
//! offsets as JavaScript counts them. The functions here only put the two together; the entry
//! points of the package stand around them in `js/`.

// The macro of wasm-bindgen makes public functions that only JavaScript reaches.
#![allow(unreachable_pub)]

mod arguments;
mod convert;
mod logpush;
mod migration;
mod types;

use arguments::{Refusal, offset, options, record, rules, source};
use convert::{cases, evaluation, firing, words};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use zonewright_equivalence::{self as equivalence, Budget};
use zonewright_expression::{self as engine, Options, Program};

/// Every problem of an expression, and its type.
#[wasm_bindgen]
pub fn check(source_value: JsValue, options_value: JsValue) -> JsValue {
    answer(with(&source_value, options::linted(&options_value)), |source, options| {
        convert::checked(source, &engine::check(source, &options))
    })
}

/// All that an editor shows of an expression.
#[wasm_bindgen]
pub fn analyze(source_value: JsValue, options_value: JsValue) -> JsValue {
    answer(with(&source_value, options::linted(&options_value)), |source, options| {
        convert::analysis(source, &engine::analyze(source, &options))
    })
}

/// An expression after all safe fixes.
#[wasm_bindgen]
pub fn fix(source_value: JsValue, options_value: JsValue) -> JsValue {
    answer(with(&source_value, options::linted(&options_value)), |source, options| words::fixed(source, &options))
}

/// An expression laid out anew.
#[wasm_bindgen]
pub fn format(source_value: JsValue, options_value: JsValue) -> JsValue {
    answer(with(&source_value, options::format(&options_value)), |source, options| words::formatted(source, &options))
}

/// An expression in plain English.
#[wasm_bindgen]
pub fn explain(source_value: JsValue, options_value: JsValue) -> JsValue {
    answer(with(&source_value, options::plain(&options_value)), |source, options| {
        words::explained(source, engine::explain(source, &options))
    })
}

/// What an expression gives for a request.
#[wasm_bindgen]
pub fn evaluate(source_value: JsValue, record_value: JsValue, options_value: JsValue) -> JsValue {
    let given = both(record(&record_value), options::evaluation(&options_value));
    answer(with(&source_value, given), |source, ((record, notes), (options, trace))| {
        evaluation::evaluated(source, &engine::check(source, &options), &record, notes, trace)
    })
}

/// Whether two expressions are true for the same requests.
#[wasm_bindgen]
pub fn equivalent(first: JsValue, second: JsValue, options_value: JsValue) -> JsValue {
    give(ask(&first, &second, &options_value, equivalence::equivalent))
}

/// Whether the first expression is true whenever the second is.
#[wasm_bindgen]
pub fn subsumes(general: JsValue, special: JsValue, options_value: JsValue) -> JsValue {
    give(ask(&general, &special, &options_value, equivalence::subsumes))
}

/// Which rules of an ordered list can never fire.
#[wasm_bindgen(js_name = neverFires)]
pub fn never_fires(rules_value: JsValue, options_value: JsValue) -> JsValue {
    give(match both(rules(&rules_value), options::question(&options_value)) {
        Ok((list, (options, budget))) => firing::judged(list, &options, &budget),
        Err(refusal) => firing::refused(&refusal),
    })
}

/// What becomes of a file of test cases.
#[wasm_bindgen]
pub fn test(source_value: JsValue, options_value: JsValue) -> JsValue {
    answer(with(&source_value, options::tests(&options_value)), |source, options| {
        let mut open = |name: &str| {
            let text = options.files.get(name).ok_or_else(|| "there is no such file".to_owned())?;
            // The line break at the end of a file does not belong to its expression.
            let text = text.strip_suffix('\n').map_or(text.as_str(), |text| text.strip_suffix('\r').unwrap_or(text));
            Ok(text.to_owned())
        };
        let report = zonewright_cases::run_tests(source, &mut open);
        let name = options.name.as_deref().unwrap_or("tests");
        let junit = options.junit.then(|| zonewright_cases::to_junit_xml([(name, &report)]));
        cases::report(source, &report, junit)
    })
}

/// What the language knows, as data.
#[wasm_bindgen]
pub fn schema() -> JsValue {
    give(convert::schema::schema())
}

/// What may stand at an offset of an expression.
#[wasm_bindgen]
pub fn complete(source_value: JsValue, offset_value: JsValue, options_value: JsValue) -> JsValue {
    answer(at(&source_value, &offset_value, options::plain(&options_value)), |source, (offset, options)| {
        convert::completions(source, &engine::complete(source, offset, &options))
    })
}

/// What stands at an offset of an expression.
#[wasm_bindgen]
pub fn hover(source_value: JsValue, offset_value: JsValue, options_value: JsValue) -> JsValue {
    answer(at(&source_value, &offset_value, options::plain(&options_value)), |source, (offset, options)| {
        convert::hovered(source, engine::hover(source, offset, &options))
    })
}

/// The call around an offset of an expression.
#[wasm_bindgen]
pub fn signature(source_value: JsValue, offset_value: JsValue) -> JsValue {
    answer(at(&source_value, &offset_value, Ok(())), |source, (offset, ())| {
        convert::signature(source, engine::signature(source, offset))
    })
}

/// What a function was called with: its source and the rest, or the source and all that is wrong.
type Call<T> = Result<(String, T), (String, Refusal)>;

fn with<T>(source_value: &JsValue, rest: Result<T, Refusal>) -> Call<T> {
    let (source, mut refusal) = source(source_value);
    match rest {
        Ok(rest) if refusal.is_empty() => return Ok((source, rest)),
        Ok(_) => {}
        Err(more) => refusal.extend(more),
    }
    Err((source, refusal))
}

/// A call that is about no text.
fn about_no_text<T>(given: Result<T, Refusal>) -> Call<T> {
    given.map(|given| (String::new(), given)).map_err(|refusal| (String::new(), refusal))
}

fn at<T>(source_value: &JsValue, offset_value: &JsValue, rest: Result<T, Refusal>) -> Call<(usize, T)> {
    let (source, rest) = with(source_value, rest)?;
    match offset(&source, offset_value) {
        Ok(offset) => Ok((source, (offset, rest))),
        Err(refusal) => Err((source, refusal)),
    }
}

fn both<A, B>(one: Result<A, Refusal>, other: Result<B, Refusal>) -> Result<(A, B), Refusal> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (one, other) => Err(one.err().into_iter().chain(other.err()).flatten().collect()),
    }
}

fn answer<T, A: types::Answer>(call: Call<T>, answer: impl FnOnce(&str, T) -> A) -> JsValue {
    give(match call {
        Ok((source, rest)) => answer(&source, rest),
        Err((source, refusal)) => convert::refused(&source, &refusal),
    })
}

/// A question about two expressions. What is wrong with the options is told with the first one.
fn ask(
    first: &JsValue,
    second: &JsValue,
    options_value: &JsValue,
    question: fn(&Program, &Program, &Budget) -> equivalence::Answer,
) -> types::Verdict {
    let (first, second) = (with(first, options::question(options_value)), with(second, Ok(())));
    let (first, second, options, budget) = match (first, second) {
        (Ok((first, (options, budget))), Ok((second, ()))) => (first, second, options, budget),
        (first, second) => {
            let wrong = |call: Result<String, (String, Refusal)>| {
                call.map_or_else(|wrong| wrong, |source| (source, Vec::new()))
            };
            let (first, second) = (wrong(first.map(|(source, _)| source)), wrong(second.map(|(source, ())| source)));
            let diagnostics = evaluation::pair_diagnostics((&first.0, &first.1), (&second.0, &second.1));
            return types::Verdict { diagnostics, ..types::Verdict::default() };
        }
    };
    decide((&first, &second), &options, &budget, question)
}

fn decide(
    (first, second): (&str, &str),
    options: &Options,
    budget: &Budget,
    question: fn(&Program, &Program, &Budget) -> equivalence::Answer,
) -> types::Verdict {
    let (one, other) = (engine::check(first, options), engine::check(second, options));
    let diagnostics = evaluation::pair_diagnostics((first, &one.diagnostics), (second, &other.diagnostics));
    match (one.program, other.program) {
        (Some(one), Some(other)) => {
            evaluation::verdict(question(&one, &other, budget), [first, second], options, diagnostics)
        }
        _ => types::Verdict { diagnostics, ..types::Verdict::default() },
    }
}

fn give<T: Serialize>(answer: T) -> JsValue {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    // Structures of strings, numbers and arrays: turning them into JavaScript values cannot fail.
    answer.serialize(&serializer).unwrap_or(JsValue::NULL)
}
