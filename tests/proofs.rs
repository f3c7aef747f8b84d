//! What is said of all requests is true of each: answers about pairs of expressions, held against
//! records. `ZONEWRIGHT_SOAK=100` asks a hundred times as many.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail")]

use proptest::collection::vec;
use proptest::prelude::*;
use zonewright_equivalence::{Answer, Budget, equivalent};
use zonewright_expression::{Missing, Options, Outcome, Program, check};
use zonewright_tests::equivalence::{holds, shows};
use zonewright_tests::generate::Choices;
use zonewright_tests::generate_record::{filled, record};

/// Enough for most pairs; the tests are many.
const BUDGET: Budget = Budget { steps: 300_000 };
/// Records that each proof is held against.
const RECORDS: u8 = 12;

fn config(cases: u32) -> ProptestConfig {
    let times = std::env::var("ZONEWRIGHT_SOAK").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    ProptestConfig { cases: cases.saturating_mul(times), failure_persistence: None, ..ProptestConfig::default() }
}

fn program(source: &str) -> Program {
    let options = Options { max_length: usize::MAX, ..Options::default() };
    check(source, &options).program.unwrap_or_else(|| panic!("{source}"))
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn answers_are_true_of_each_request(
        one in vec(any::<u8>(), 0..60),
        other in vec(any::<u8>(), 0..60),
        given in vec(any::<u8>(), 0..200),
    ) {
        let (a, b) = (Choices::new(&one).condition(3), Choices::new(&other).condition(3));
        // `true` and calls that may stand in an expression once do not fit into a larger one.
        let fits = check(&format!("({a}) and ({b}) and ({a}) and ({b})"), &Options { max_length: usize::MAX, ..Options::default() });
        prop_assume!(fits.program.is_some());
        let same = [
            (a.clone(), a.clone()),
            (a.clone(), format!("not (not ({a}))")),
            (format!("({a}) and ({b})"), format!("({b}) and ({a})")),
            (format!("not (({a}) or ({b}))"), format!("not ({a}) and not ({b})")),
            (format!("({a}) xor ({b})"), format!("(({a}) or ({b})) and not (({a}) and ({b}))")),
        ];
        for (a, b) in same {
            prop_assert!(!matches!(asked(&a, &b, &given)?, Answer::No(_)), "{a}\n{b}");
        }
        prop_assert!(matches!(asked(&a, &a, &given)?, Answer::Yes { .. }), "{a}");
        asked(&a, &b, &given)?;
        asked(&format!("({a}) or ({b})"), &format!("({a}) and ({b})"), &given)?;
        asked(&a, &format!("({a}) or ({b})"), &given)?;
    }
}

/// The answer about two expressions, held against some records.
fn asked(a: &str, b: &str, given: &[u8]) -> Result<Answer, TestCaseError> {
    let (one, other) = (program(a), program(b));
    let answer = equivalent(&one, &other, &BUDGET);
    match &answer {
        Answer::Yes { assumptions } => {
            let both = program(&format!("({a}) and ({b})"));
            for number in 0..RECORDS {
                let choices: Vec<u8> =
                    given.iter().map(|choice| choice.wrapping_add(number.wrapping_mul(37))).collect();
                let mut choices = Choices::new(&choices);
                let partly = record(&both, &mut choices);
                let mut record = filled(&both, &partly, &mut choices);
                record.set_missing(Missing::Absent);
                let outcomes = (one.evaluate(&record), other.evaluate(&record));
                let known = !matches!(outcomes, (Outcome::Unknown { .. }, _) | (_, Outcome::Unknown { .. }));
                if known && assumptions.iter().all(|assumption| holds(*assumption, &record)) {
                    prop_assert_eq!(
                        &outcomes.0,
                        &outcomes.1,
                        "{}\n{}\n{:?}",
                        a,
                        b,
                        record.fields().collect::<Vec<_>>()
                    );
                }
            }
        }
        Answer::No(found) => prop_assert_eq!(shows(&one, &other, found, true), Ok(()), "{}\n{}", a, b),
        Answer::Undecided(_) => {}
    }
    Ok(answer)
}
