//! Whether the condition of a rule is true.

use zonewright_diagnostic::Diagnostic;
use zonewright_expression::{Kind, Options, Outcome, Record, Ternary, Value, check};

/// The result of a condition.
pub(crate) struct Condition {
    pub(crate) matches: Ternary,
    /// The values that would decide an unknown result.
    pub(crate) needs: Vec<String>,
    /// The first error of the condition.
    pub(crate) error: Option<String>,
}

/// Evaluates the condition of a rule. Its phase, plan, and length do not matter: the rule was validated when it was saved.
pub(crate) fn evaluate_condition(expression: &str, record: &Record) -> Condition {
    let checked = check(expression, &Options { max_length: usize::MAX, ..Options::default() });
    let Some(program) = checked.program else {
        let error = checked.diagnostics.into_iter().find(Diagnostic::is_error).map(|error| error.message);
        return Condition { matches: Ternary::Unknown, needs: Vec::new(), error };
    };
    let (matches, needs) = match program.evaluate(record) {
        Outcome::True => (Ternary::True, Vec::new()),
        Outcome::Unknown { fields } => (Ternary::Unknown, fields),
        Outcome::False | Outcome::Value(_) | Outcome::Absent => (Ternary::False, Vec::new()),
    };
    Condition { matches, needs, error: None }
}

/// The result of a value expression.
pub(crate) enum ComputedText {
    Known(Vec<u8>),
    /// The names of the values that would decide it.
    Unknown(Vec<String>),
}

/// Evaluates a value expression to a text.
pub(crate) fn evaluate_text(expression: &str, record: &Record) -> ComputedText {
    let options = Options { kind: Kind::Value, max_length: usize::MAX, ..Options::default() };
    match check(expression, &options).program.map(|program| program.evaluate(record)) {
        Some(Outcome::Value(Value::Text(text))) => ComputedText::Known(text),
        Some(Outcome::Unknown { fields }) => ComputedText::Unknown(fields),
        _ => ComputedText::Unknown(Vec::new()),
    }
}
