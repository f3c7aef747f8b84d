//! Log push filters on lines, compared with the reference evaluator.

use crate::support::config;
use proptest::collection::vec;
use proptest::prelude::*;
use zonewright_logpush::{MissingPolicy, Options, Outcome, Program, Truth, check};
use zonewright_tests::generate::Choices;
use zonewright_tests::log_lines::{filter, keeps, line};

proptest! {
    #![proptest_config(config(3_000))]

    #[test]
    fn filters_keep_the_same_lines_as_the_reference_evaluator(choices in vec(any::<u8>(), 0..80), line_bytes in vec(any::<u8>(), 0..120), malformed: bool) {
        let filter = filter(&mut Choices::new(&choices), 3);
        let program = program(&filter.to_string());
        let line = line(&mut Choices::new(&line_bytes), 1, malformed);
        let expected = keeps(&filter, &line);
        let outcome = program.evaluate(line.as_bytes(), MissingPolicy::Absent);
        let is_kept = outcome.clone().ok().map(|outcome| outcome == Outcome::True);
        prop_assert_eq!(is_kept, expected, "{}\n{}\n{:?}", filter, line, outcome);
        let trace = program.trace(line.as_bytes(), MissingPolicy::Absent);
        prop_assert_eq!(trace.clone().map(|trace| trace.outcome), outcome);
        if let Ok(trace) = trace {
            let first = trace.steps.first().map(|step| step.truth);
            prop_assert_eq!(first, is_kept.map(|is_kept| if is_kept { Truth::True } else { Truth::False }));
        }
        // A result that is known without a field stays the same for any value of the field.
        match program.evaluate(line.as_bytes(), MissingPolicy::Unknown) {
            Ok(Outcome::Unknown { fields }) => prop_assert!(!fields.is_empty()),
            result => prop_assert_eq!(result.ok().map(|result| result == Outcome::True), expected),
        }
    }

    #[test]
    fn mutated_lines_never_panic_and_errors_have_valid_offsets(choices in vec(any::<u8>(), 0..40), line_bytes in vec(any::<u8>(), 0..80), mutations in vec(any::<(u16, u8)>(), 1..4)) {
        let filter = filter(&mut Choices::new(&choices), 2);
        let program = program(&filter.to_string());
        let mut line = line(&mut Choices::new(&line_bytes), 1, true).into_bytes();
        for (index, byte) in mutations {
            let index = usize::from(index) % line.len();
            match byte % 3 {
                0 => line[index] = byte,
                1 => line.truncate(index + 1),
                _ => line.insert(index, b"\"\\{}[],:0-.eu\n\xff"[usize::from(byte) % 15]),
            }
        }
        let outcome = program.evaluate(&line, MissingPolicy::Absent);
        let expected = std::str::from_utf8(&line).ok().and_then(|line| keeps(&filter, line));
        let text = String::from_utf8_lossy(&line);
        // Numbers out of range are valid JSON, but serde_json rejects them.
        let has_exponent = line.windows(2).any(|pair| pair[0].is_ascii_digit() && b"eE.".contains(&pair[1]));
        if !has_exponent {
            prop_assert_eq!(outcome.clone().ok().map(|kept| kept == Outcome::True), expected, "{}\n{}\n{:?}", filter, text, outcome);
        }
        if let Err(error) = outcome {
            prop_assert!(error.offset <= line.len(), "{}: {}", text, error);
        }
    }
}

fn program(filter: &str) -> Program {
    let options = Options { max_operators: usize::MAX, max_bytes: usize::MAX, ..Options::default() };
    let checked = check(filter, &options);
    checked.program.unwrap_or_else(|| panic!("{filter}: {:?}", checked.diagnostics))
}
