//! Evaluation: held against a second, naive evaluator, and against what must not change an answer.

use crate::safe_lint_fixes;
use crate::support::{config, options};
use crate::words::format_options;
use proptest::collection::vec;
use proptest::prelude::*;
use zonewright_expression::{Kind, Missing, Outcome, Program, Record, Value, check, format, is_always_present};
use zonewright_tests::expression::fixed;
use zonewright_tests::generate::Choices;
use zonewright_tests::generate_condition::{condition, search};
use zonewright_tests::generate_record::{call, filled, record};
use zonewright_tests::mistakes;
use zonewright_tests::naive::{self, Answer};
use zonewright_tests::suspicious;

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn the_two_evaluators_agree(choices in vec(any::<u8>(), 0..160), given in vec(any::<u8>(), 0..240)) {
        let source = Choices::new(&choices).condition(4);
        agree(&source, &mut Choices::new(&given))?;
    }

    #[test]
    fn the_two_evaluators_agree_on_comparisons(choices in vec(any::<u8>(), 0..80), given in vec(any::<u8>(), 0..160)) {
        let source = condition(&mut Choices::new(&choices), 3);
        agree(&source, &mut Choices::new(&given))?;
    }

    #[test]
    fn the_two_evaluators_agree_on_searches(choices in vec(any::<u8>(), 0..120)) {
        let (source, text) = search(&mut Choices::new(&choices));
        let program = check(&source, &options(Kind::Expression)).program.unwrap();
        let mut record = Record::new(Missing::Unknown);
        record.set("http.host", Value::Text(text)).unwrap();
        agree_on(&source, &program, &record)?;
    }

    #[test]
    fn the_two_evaluators_agree_on_calls(choices in vec(any::<u8>(), 0..40), given in vec(any::<u8>(), 0..120)) {
        let source = call(&mut Choices::new(&choices));
        agree(&source, &mut Choices::new(&given))?;
    }

    #[test]
    fn safe_fixes_of_lints_keep_the_meaning(choices in vec(any::<u8>(), 0..120), given in vec(any::<u8>(), 0..240)) {
        let mut choices = Choices::new(&choices);
        for source in [suspicious::condition(&mut choices, 4), choices.condition(4)] {
            for (before, after) in safe_lint_fixes(&source)? {
                same_answers(&source, &before, &after, &mut Choices::new(&given))?;
            }
        }
    }

    #[test]
    fn safe_fixes_of_known_mistakes_restore_the_meaning(choices in vec(any::<u8>(), 0..40), given in vec(any::<u8>(), 0..240)) {
        let (right, wrong) = mistakes::pair(&mut Choices::new(&choices));
        restored_or_wrong(&right, &wrong, &given)?;
    }

    #[test]
    fn safe_fixes_of_slips_restore_the_meaning(choices in vec(any::<u8>(), 0..120), given in vec(any::<u8>(), 0..240)) {
        let mut choices = Choices::new(&choices);
        for right in [suspicious::condition(&mut choices, 2), condition(&mut choices, 2), choices.condition(3)] {
            if let Some(wrong) = mistakes::slip(&right, &mut choices) {
                restored_or_wrong(&right, &wrong, &given)?;
            }
        }
    }

    #[test]
    fn safe_fixes_of_wrapped_conditions_keep_exactly_the_condition(choices in vec(any::<u8>(), 0..120)) {
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
            prop_assert_eq!(&fixed(&wrapped, &options(Kind::Expression)), &text, "{}", wrapped);
        }
    }

    #[test]
    fn formatting_keeps_the_answers(choices in vec(any::<u8>(), 0..160), given in vec(any::<u8>(), 0..240)) {
        let source = Choices::new(&choices).condition(4);
        let before = check(&source, &options(Kind::Expression)).program.unwrap();
        for options_of_format in format_options(60) {
            let text = format(&source, &options_of_format).text.unwrap();
            let after = check(&text, &options(Kind::Expression)).program.unwrap();
            same_answers(&source, &before, &after, &mut Choices::new(&given))?;
        }
    }
}

/// All safe fixes of a wrong text give one that means the same as the right one, or leave it wrong.
fn restored_or_wrong(right: &str, wrong: &str, given: &[u8]) -> Result<(), TestCaseError> {
    let options = options(Kind::Expression);
    let Some(before) = check(right, &options).program else {
        return Err(TestCaseError::fail(format!("{right:?} is wrong")));
    };
    if check(wrong, &options).program.is_some() {
        return Ok(());
    }
    let text = fixed(wrong, &options);
    let Some(after) = check(&text, &options).program else { return Ok(()) };
    let shown = format!("{right}\n{wrong}\n{text}");
    same_answers(&shown, &before, &after, &mut Choices::new(given))
}

/// Both evaluators give the same for a record, to the last step, and the same again when the record is
/// given the rest.
fn agree(source: &str, choices: &mut Choices) -> Result<(), TestCaseError> {
    let of = |kind| check(source, &options(kind)).program;
    let program = of(Kind::Expression).or_else(|| of(Kind::Value));
    prop_assert!(program.is_some(), "{}", source);
    let program = program.unwrap();
    let partly = record(&program, choices);
    let outcome = agree_on(source, &program, &partly)?;
    if partly.missing() == Missing::Absent {
        return Ok(());
    }
    let wholly = filled(&program, &partly, choices);
    let outcome_of_whole = agree_on(source, &program, &wholly)?;
    match outcome {
        // It names what would decide.
        Outcome::Unknown { fields } => {
            let given = |name: &String| partly.fields().any(|(given, _)| given == name);
            prop_assert!(!fields.is_empty() && !fields.iter().any(given), "{:?} of {}", fields, source);
        }
        // Nothing that was unknown could have changed it.
        decided => {
            let given: Vec<_> = wholly.fields().collect();
            prop_assert_eq!(decided, outcome_of_whole, "{}\n{:?}", source, given);
        }
    }
    Ok(())
}

fn agree_on(source: &str, program: &Program, record: &Record) -> Result<Outcome, TestCaseError> {
    let outcome = program.evaluate(record);
    let answer = match outcome.clone() {
        Outcome::True => Answer::Truth(true),
        Outcome::False => Answer::Truth(false),
        Outcome::Unknown { .. } => Answer::Unknown,
        Outcome::Value(value) => Answer::Value(value),
        Outcome::Absent => Answer::Absent,
    };
    let given: Vec<_> = record.fields().collect();
    prop_assert_eq!(&answer, &naive::evaluate(program, record), "{}\n{:?}", source, given);
    let trace = program.trace(record);
    prop_assert_eq!(&trace.outcome, &outcome, "{}\n{:?}", source, given);
    prop_assert_eq!(&trace.steps, &naive::trace(program, record), "{}\n{:?}", source, given);
    Ok(outcome)
}

/// Both programs give the same for a request that has the fields which every request has.
fn same_answers(source: &str, before: &Program, after: &Program, choices: &mut Choices) -> Result<(), TestCaseError> {
    let mut request = record(before, choices);
    request = filled(before, &request, choices);
    request.set_missing(Missing::Absent);
    let given: Vec<_> = request.fields().collect();
    if given.iter().any(|(name, value)| value.is_none() && is_always_present(name)) {
        return Ok(());
    }
    prop_assert_eq!(before.evaluate(&request), after.evaluate(&request), "{}\n{:?}", source, given);
    Ok(())
}
