//! Equivalence and subsumption of pairs of expressions in case files.

use std::net::Ipv4Addr;
use zonewright_equivalence::{Assumption, Budget, Counterexample, Verdict, assumptions, equivalent, subsumes};
use zonewright_expression::schema::{self, Field, ValueConstraint};
use zonewright_expression::{Options, Outcome, Program, Record, Value, check};

/// The verdict for a line of an `equivalent` or `subsumes` block.
///
/// # Errors
///
/// Describes an invalid question, or a counterexample that shows no difference.
pub fn verdict(block: &str, question: &str, options: &Options) -> Result<String, String> {
    let asks_equivalence = block == "equivalent";
    let separator = if asks_equivalence { " ≡ " } else { " ⊇ " };
    let (a, b) = question.split_once(separator).ok_or_else(|| format!("there is no `{separator}`"))?;
    let options = Options { max_length: usize::MAX, ..options.clone() };
    let program = |source: &str| {
        let checked = check(&expand_placeholders(source), &options);
        checked.program.ok_or_else(|| format!("{source} is wrong: {:?}", checked.diagnostics))
    };
    let (a, b) = (program(a)?, program(b)?);
    let verdict =
        if asks_equivalence { equivalent(&a, &b, &Budget::default()) } else { subsumes(&a, &b, &Budget::default()) };
    Ok(match verdict {
        Verdict::Yes { assumptions } if assumptions.is_empty() => "yes".to_owned(),
        Verdict::Yes { assumptions } => {
            let names: Vec<String> = assumptions.iter().map(ToString::to_string).collect();
            format!("yes ({})", names.join(", "))
        }
        Verdict::No(found) => {
            verify_counterexample(&a, &b, &found, asks_equivalence)?;
            "no".to_owned()
        }
        Verdict::Undecided(reason) => format!("undecided: {reason}"),
    })
}

/// Checks that a counterexample distinguishes the two expressions.
///
/// # Errors
///
/// Returns the outcomes when they do not differ as claimed.
pub fn verify_counterexample(a: &Program, b: &Program, found: &Counterexample, either_way: bool) -> Result<(), String> {
    let outcomes = (a.evaluate(&found.record), b.evaluate(&found.record));
    let is_reported = outcomes.0 == found.first_outcome && outcomes.1 == found.second_outcome;
    let differ = match outcomes {
        (Outcome::False, Outcome::True) => true,
        (Outcome::True, Outcome::False) => either_way,
        _ => false,
    };
    if is_reported && differ {
        check_assumptions(&found.record)
    } else {
        Err(format!("the counterexample shows no difference: {outcomes:?} {found:?}"))
    }
}

/// Checks that a record satisfies every assumption of the proofs. A field without a value in the record may have any.
///
/// # Errors
///
/// Names the assumption that the record violates.
pub fn check_assumptions(record: &Record) -> Result<(), String> {
    let is_set = |name: &str| record.fields().any(|(field, _)| field == name);
    for assumption in assumptions() {
        let applies = match assumption {
            Assumption::Present(field) => is_set(field),
            Assumption::Alias { deprecated: older, current } => is_set(older) && is_set(current),
            _ => true,
        };
        if applies && !is_satisfied(assumption, record) {
            return Err(format!("a request violates an assumption: {assumption}: {record:?}"));
        }
    }
    Ok(())
}

/// Replaces placeholders such as `{{500 addresses}}` with generated text.
fn expand_placeholders(source: &str) -> String {
    let addresses = |numbers: &mut dyn Iterator<Item = u32>| {
        let addresses: Vec<String> =
            numbers.map(|number| Ipv4Addr::from_bits(0x0a00_0000 + 7 * number).to_string()).collect();
        addresses.join(" ")
    };
    let hosts = |numbers: &mut dyn Iterator<Item = u32>| {
        let hosts: Vec<String> = numbers.map(|number| format!("\"h{number}.example.com\"")).collect();
        hosts
    };
    let terms = |start: u32, count: u32, negated: bool| {
        let clause = |number: u32| {
            let group = |part: u32| {
                let mixed = (number * 3 + part).wrapping_mul(2_654_435_761) >> 7;
                let not = if (mixed.is_multiple_of(3)) != negated { "not " } else { "" };
                format!("{not}http.cookie contains \"k{}=\"", mixed % 60)
            };
            format!("({} or {} or {})", group(0), group(1), group(2))
        };
        let clauses: Vec<String> = (start..start + count).map(clause).collect();
        clauses.join(" and ")
    };
    source
        .replace('␊', "\n")
        .replace("{{500 addresses}}", &addresses(&mut (0..500)))
        .replace("{{500 addresses reversed}}", &addresses(&mut (0..500).rev()))
        .replace("{{first 250 addresses}}", &addresses(&mut (0..250)))
        .replace("{{last 250 addresses}}", &addresses(&mut (250..500)))
        .replace("{{499 addresses}}", &addresses(&mut (0..499)))
        .replace("{{300 hosts}}", &hosts(&mut (0..300)).join(" "))
        .replace(
            "{{or of 300 hosts}}",
            &hosts(&mut (0..300)).iter().map(|host| format!("http.host eq {host}")).collect::<Vec<_>>().join(" or "),
        )
        .replace(
            "{{or of 299 hosts}}",
            &hosts(&mut (0..299)).iter().map(|host| format!("http.host eq {host}")).collect::<Vec<_>>().join(" or "),
        )
        .replace(
            "{{and of 300 other hosts}}",
            &hosts(&mut (0..300)).iter().map(|host| format!("http.host ne {host}")).collect::<Vec<_>>().join(" and "),
        )
        .replace("{{random of 60}}", &terms(0, 120, false))
        .replace("{{half of 60}}", &terms(0, 60, false))
        .replace("{{other half of 60}}", &terms(60, 60, false))
        .replace("{{hard of 60}}", &terms(0, 255, false))
}

/// Whether a record satisfies an assumption of a proof.
pub fn is_satisfied(assumption: Assumption, record: &Record) -> bool {
    match assumption {
        Assumption::Present(field) => record.get(field).is_some(),
        Assumption::Alias { deprecated: older, current } => record.get(older) == record.get(current),
        Assumption::Range { field, min: low, max: high } => {
            record.get(field).is_none_or(|value| is_within(value, low, high))
        }
        Assumption::Format { field, .. } => has_documented_format(field, record),
        Assumption::NonEmptyKeys(field) => match record.get(field) {
            Some(Value::Map(rows)) => {
                rows.values().all(|row| !matches!(row, Value::Array(values) if values.is_empty()))
            }
            _ => true,
        },
    }
}

/// Whether an integer, or every integer among the elements of a value, is within bounds.
fn is_within(value: &Value, low: i64, high: i64) -> bool {
    match value {
        Value::Integer(number) => (low..=high).contains(number),
        Value::Array(elements) => elements.iter().all(|element| is_within(element, low, high)),
        Value::Map(elements) => elements.values().all(|element| is_within(element, low, high)),
        _ => true,
    }
}

/// Whether the value of a field, if present, has the documented format.
fn has_documented_format(field: &str, record: &Record) -> bool {
    let row = schema::field(field);
    match (row.and_then(|row| row.form.constraint()), record.get(field)) {
        (Some(ValueConstraint::Text { pattern, .. }), Some(_)) => {
            let source = format!("{field} matches r##\"{pattern}\"##");
            check(&source, &Options::default()).program.is_some_and(|form| form.evaluate(record) == Outcome::True)
        }
        (None, Some(Value::Map(elements))) if row.is_some_and(Field::has_lower_case_keys) => {
            elements.keys().all(|key| !key.iter().any(u8::is_ascii_uppercase))
        }
        _ => true,
    }
}
