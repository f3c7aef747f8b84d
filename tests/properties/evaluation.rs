//! Evaluation: compared with the reference evaluator, and before and after changes that must not affect results.

use crate::format_explain::format_options;
use crate::safe_lint_fixes;
use crate::support::{config, options, with_lints};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;
use zonewright_expression::{Kind, MissingPolicy, Outcome, Program, Record, Value, check, code, format, schema};
use zonewright_tests::expression::apply_fixes;
use zonewright_tests::generate::Choices;
use zonewright_tests::generate_condition::{condition, search};
use zonewright_tests::generate_record::{call, fill_missing_fields, generate_record};
use zonewright_tests::lint_triggers;
use zonewright_tests::mistakes;
use zonewright_tests::naive::{self, EvaluationResult};

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn conditions_evaluate_like_the_reference_evaluator(choices in vec(any::<u8>(), 0..160), record_bytes in vec(any::<u8>(), 0..240)) {
        let source = Choices::new(&choices).condition(4);
        assert_evaluators_agree(&source, &mut Choices::new(&record_bytes))?;
    }

    #[test]
    fn comparisons_evaluate_like_the_reference_evaluator(choices in vec(any::<u8>(), 0..80), record_bytes in vec(any::<u8>(), 0..160)) {
        let source = condition(&mut Choices::new(&choices), 3);
        assert_evaluators_agree(&source, &mut Choices::new(&record_bytes))?;
    }

    #[test]
    fn substring_searches_evaluate_like_the_reference_evaluator(choices in vec(any::<u8>(), 0..120)) {
        let (source, text) = search(&mut Choices::new(&choices));
        let program = check(&source, &options(Kind::Expression)).program.unwrap();
        let mut record = Record::new(MissingPolicy::Unknown);
        record.set("http.host", Value::Text(text)).unwrap();
        assert_evaluators_agree_on(&source, &program, &record)?;
    }

    #[test]
    fn function_calls_evaluate_like_the_reference_evaluator(choices in vec(any::<u8>(), 0..40), record_bytes in vec(any::<u8>(), 0..120)) {
        let source = call(&mut Choices::new(&choices));
        assert_evaluators_agree(&source, &mut Choices::new(&record_bytes))?;
    }

    #[test]
    fn safe_fixes_of_lints_preserve_results(choices in vec(any::<u8>(), 0..120), record_bytes in vec(any::<u8>(), 0..240)) {
        let mut choices = Choices::new(&choices);
        for source in [lint_triggers::condition(&mut choices, 4), choices.condition(4)] {
            for (before, after) in safe_lint_fixes(&source)? {
                assert_same_results(&source, &before, &after, &mut Choices::new(&record_bytes))?;
            }
        }
    }

    #[test]
    fn safe_fixes_of_known_mistakes_restore_results(choices in vec(any::<u8>(), 0..40), record_bytes in vec(any::<u8>(), 0..240)) {
        let (valid, invalid) = mistakes::pair(&mut Choices::new(&choices));
        assert_fixed_or_still_invalid(&valid, &invalid, &record_bytes)?;
    }

    #[test]
    fn safe_fixes_of_slips_restore_results(choices in vec(any::<u8>(), 0..120), record_bytes in vec(any::<u8>(), 0..240)) {
        let mut choices = Choices::new(&choices);
        for valid in [lint_triggers::condition(&mut choices, 2), condition(&mut choices, 2), choices.condition(3)] {
            if let Some(invalid) = mistakes::apply_slip(&valid, &mut choices) {
                assert_fixed_or_still_invalid(&valid, &invalid, &record_bytes)?;
            }
        }
    }

    #[test]
    fn safe_fixes_of_wrapped_conditions_yield_the_exact_condition(choices in vec(any::<u8>(), 0..120)) {
        let text = format!("http.host eq \"a\" and ({})", Choices::new(&choices).condition(3));
        let quoted = serde_json::to_string(&text).unwrap();
        let wrapped = [
            quoted.clone(),
            format!("expression: {text}"),
            format!("expression = {quoted}"),
            format!("{{\"expression\": {quoted}}}"),
            format!("```txt\n{text}\n```"),
            format!("if ({text}) {{ block }}"),
            format!("if {text} then block"),
        ];
        for wrapped in wrapped {
            prop_assert_eq!(&apply_fixes(&wrapped, &options(Kind::Expression)), &text, "{}", wrapped);
        }
    }

    #[test]
    fn formatting_preserves_results(choices in vec(any::<u8>(), 0..160), record_bytes in vec(any::<u8>(), 0..240)) {
        let source = Choices::new(&choices).condition(4);
        let original = check(&source, &options(Kind::Expression)).program.unwrap();
        for style_options in format_options(60) {
            let text = format(&source, &style_options).text.unwrap();
            let formatted = check(&text, &options(Kind::Expression)).program.unwrap();
            assert_same_results(&source, &original, &formatted, &mut Choices::new(&record_bytes))?;
        }
    }
}

#[test]
fn generated_calls_have_every_function_that_a_record_can_compute() {
    let calls: Vec<String> = (0..=u8::MAX).map(|byte| call(&mut Choices::new(&[0, byte]))).collect();
    let needs_other_data = ["dlp_match", "is_jwt_present", "is_jwt_valid"];
    let missing: Vec<&str> = schema::FUNCTIONS
        .iter()
        .filter(|function| function.semantics.quantifier.is_none())
        .map(|function| function.name)
        .filter(|name| !needs_other_data.contains(name))
        .filter(|name| !calls.iter().any(|call| call.contains(&format!("{name}("))))
        .collect();
    assert!(missing.is_empty(), "`CALLS` in tests/src/generate_record.rs does not call {missing:?}");
}

#[test]
fn generated_conditions_trigger_every_lint() {
    let mut runner = TestRunner::deterministic();
    let mut found = BTreeSet::new();
    for _ in 0..2_000 {
        let choices = vec(any::<u8>(), 120).new_tree(&mut runner).unwrap().current();
        let source = lint_triggers::condition(&mut Choices::new(&choices), 2);
        found
            .extend(check(&source, &with_lints(Kind::Expression)).diagnostics.iter().map(|diagnostic| diagnostic.code));
    }
    // Only an expression of almost the maximum length has a set that is too long.
    found.insert(code::LONG_SET);
    let missing: Vec<_> = code::LINTS.iter().filter(|name| !found.contains(*name)).collect();
    assert!(missing.is_empty(), "`ATOMS` in tests/src/lint_triggers.rs does not trigger {missing:?}");
}

/// All safe fixes of an invalid text restore the meaning of the valid one, or leave the text invalid.
fn assert_fixed_or_still_invalid(valid: &str, invalid: &str, choices: &[u8]) -> Result<(), TestCaseError> {
    let options = options(Kind::Expression);
    let Some(before) = check(valid, &options).program else {
        return Err(TestCaseError::fail(format!("{valid:?} is wrong")));
    };
    if check(invalid, &options).program.is_some() {
        return Ok(());
    }
    let text = apply_fixes(invalid, &options);
    let Some(after) = check(&text, &options).program else { return Ok(()) };
    let texts = format!("{valid}\n{invalid}\n{text}");
    assert_same_results(&texts, &before, &after, &mut Choices::new(choices))
}

/// Both evaluators give the same result and the same trace for a partial record, and for the same record with all
/// missing values filled in.
fn assert_evaluators_agree(source: &str, choices: &mut Choices) -> Result<(), TestCaseError> {
    let compile = |kind| check(source, &options(kind)).program;
    let program = compile(Kind::Expression).or_else(|| compile(Kind::Value));
    prop_assert!(program.is_some(), "{}", source);
    let program = program.unwrap();
    let partial = generate_record(&program, choices);
    let outcome = assert_evaluators_agree_on(source, &program, &partial)?;
    if partial.missing_policy() == MissingPolicy::Absent {
        return Ok(());
    }
    let full = fill_missing_fields(&program, &partial, choices);
    let full_outcome = assert_evaluators_agree_on(source, &program, &full)?;
    match outcome {
        // The result names the fields that decide.
        Outcome::Unknown { fields } => {
            let is_known = |name: &String| partial.fields().any(|(is_known, _)| is_known == name);
            prop_assert!(!fields.is_empty() && !fields.iter().any(is_known), "{:?} of {}", fields, source);
        }
        // No unknown value could have changed the result.
        decided => {
            let fields: Vec<_> = full.fields().collect();
            prop_assert_eq!(decided, full_outcome, "{}\n{:?}", source, fields);
        }
    }
    Ok(())
}

fn assert_evaluators_agree_on(source: &str, program: &Program, record: &Record) -> Result<Outcome, TestCaseError> {
    let outcome = program.evaluate(record);
    let result = match outcome.clone() {
        Outcome::True => EvaluationResult::Truth(true),
        Outcome::False => EvaluationResult::Truth(false),
        Outcome::Unknown { .. } => EvaluationResult::Unknown,
        Outcome::Value(value) => EvaluationResult::Value(value),
        Outcome::Absent => EvaluationResult::Absent,
    };
    let fields: Vec<_> = record.fields().collect();
    prop_assert_eq!(&result, &naive::evaluate(program, record), "{}\n{:?}", source, fields);
    let trace = program.trace(record);
    prop_assert_eq!(&trace.outcome, &outcome, "{}\n{:?}", source, fields);
    prop_assert_eq!(&trace.steps, &naive::trace(program, record), "{}\n{:?}", source, fields);
    Ok(outcome)
}

/// Both programs give the same result for a request with all fields that every request has.
fn assert_same_results(
    source: &str,
    before: &Program,
    after: &Program,
    choices: &mut Choices,
) -> Result<(), TestCaseError> {
    let mut request = generate_record(before, choices);
    request = fill_missing_fields(before, &request, choices);
    request.set_missing_policy(MissingPolicy::Absent);
    let fields: Vec<_> = request.fields().collect();
    if fields.iter().any(|(name, value)| value.is_none() && is_always_present(name)) {
        return Ok(());
    }
    prop_assert_eq!(before.evaluate(&request), after.evaluate(&request), "{}\n{:?}", source, fields);
    Ok(())
}

fn is_always_present(name: &str) -> bool {
    schema::field(name).is_some_and(|field| field.presence == schema::Presence::Always)
}
