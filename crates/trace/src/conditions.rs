//! Evaluates the expressions of rules. Their phase, plan, and length do not matter: the rules were validated when they were
//! saved.

use zonewright_diagnostic::Diagnostic;
use zonewright_expression::{Kind, Options, Outcome, Record, Ternary, Value, check};

/// The result of a condition.
pub(crate) struct Condition {
    pub(crate) matches: Ternary,
    /// The values that would decide an unknown result.
    pub(crate) depends_on: Vec<String>,
    /// The first error of the condition.
    pub(crate) error: Option<String>,
}

/// Evaluates the condition of a rule.
pub(crate) fn evaluate_condition(expression: &str, record: &Record) -> Condition {
    let checked = check(expression, &Options { max_length: usize::MAX, ..Options::default() });
    let Some(program) = checked.program else {
        let error = first_error(checked.diagnostics);
        return Condition { matches: Ternary::Unknown, depends_on: Vec::new(), error: Some(error) };
    };
    let (matches, depends_on) = match program.evaluate(record) {
        Outcome::True => (Ternary::True, Vec::new()),
        Outcome::Unknown { fields } => (Ternary::Unknown, fields),
        Outcome::False | Outcome::Value(_) | Outcome::Absent => (Ternary::False, Vec::new()),
    };
    Condition { matches, depends_on, error: None }
}

/// The result of a value expression.
pub(crate) enum ComputedText {
    Known(Vec<u8>),
    /// The names of the values that would decide it.
    Unknown(Vec<String>),
    /// The first error of the expression.
    Invalid(String),
}

/// Evaluates a value expression to a text.
pub(crate) fn evaluate_text(expression: &str, record: &Record) -> ComputedText {
    let checked = check(expression, &Options { kind: Kind::Value, max_length: usize::MAX, ..Options::default() });
    match checked.program.map(|program| program.evaluate(record)) {
        Some(Outcome::Value(Value::Text(text))) => ComputedText::Known(text),
        Some(Outcome::Unknown { fields }) => ComputedText::Unknown(fields),
        Some(Outcome::Absent) => ComputedText::Invalid("the value of the expression is missing".to_owned()),
        Some(_) => ComputedText::Invalid("the value of the expression is not a string".to_owned()),
        None => ComputedText::Invalid(first_error(checked.diagnostics)),
    }
}

fn first_error(diagnostics: Vec<Diagnostic>) -> String {
    let error = diagnostics.into_iter().find(Diagnostic::is_error);
    error.map_or_else(|| "the expression is invalid".to_owned(), |error| error.message)
}
