//! Writes a filter as a SQL condition. No part of it is ever NULL, because missing values become zero values first.

use super::{Dialect, literal::SqlWriter};
use crate::{
    datasets::FieldType,
    number::Number,
    operator::Operator,
    predicate::{Comparison, Operand, Test, TestKind},
    time::unix_nanos,
};
use std::cmp::Ordering::{Equal, Greater, Less};

/// Returns the condition of a test, or a message if it cannot be expressed.
pub(super) fn condition(test: &Test, literals: SqlWriter, rfc3339_timestamps: bool) -> Result<String, String> {
    let joined = |tests: &[Test], word: &str| {
        let parts: Result<Vec<_>, _> = tests.iter().map(|test| condition(test, literals, rfc3339_timestamps)).collect();
        parts.map(|parts| format!("({})", parts.join(word)))
    };
    match &test.kind {
        TestKind::All(tests) => joined(tests, " AND "),
        TestKind::Any(tests) => joined(tests, " OR "),
        TestKind::Comparison(comparison) if comparison.field.ty == FieldType::Timestamp && rfc3339_timestamps => {
            let name = comparison.field.name;
            Err(format!("`{name}` cannot be compared when timestamps are strings; use numeric timestamps"))
        }
        TestKind::Comparison(comparison) => {
            let condition = ComparisonSql { comparison, literals }.condition();
            Ok(if comparison.operator.is_negated() { format!("NOT ({condition})") } else { condition })
        }
    }
}

/// A SQL comparison operator.
type SqlOperator = &'static str;

struct ComparisonSql<'a> {
    comparison: &'a Comparison,
    literals: SqlWriter,
}

impl ComparisonSql<'_> {
    /// Returns the condition without the negation of the operator.
    fn condition(&self) -> String {
        let operator = self.comparison.operator.without_negation();
        match (&self.comparison.operand, self.comparison.field.ty) {
            (Operand::Items(items), _) => self.any_of(items),
            (operand, FieldType::Strings | FieldType::Ints) => self.has(operand),
            (Operand::String(text), _) => self.text(operator, text),
            (Operand::Bool(flag), _) => {
                let column = self.column("FALSE");
                if *flag { column } else { format!("NOT {column}") }
            }
            (Operand::Number(number), ty) => self.number(ty, order(operator), *number),
        }
    }

    /// Returns the column with missing values replaced.
    fn column(&self, zero: &str) -> String {
        format!("coalesce({}, {zero})", self.literals.quote_column(self.comparison.field.name))
    }

    fn text(&self, operator: Operator, text: &str) -> String {
        let (column, text) = (self.column("''"), self.literals.quote_string(text));
        let is_spark = self.literals.dialect == Dialect::Spark;
        match operator {
            Operator::StartsWith if is_spark => format!("startswith({column}, {text})"),
            Operator::StartsWith => format!("starts_with({column}, {text})"),
            Operator::EndsWith if is_spark => format!("endswith({column}, {text})"),
            Operator::EndsWith => format!("ends_with({column}, {text})"),
            Operator::Contains => format!("contains({column}, {text})"),
            _ => format!("{column} = {text}"),
        }
    }

    fn any_of(&self, items: &[Operand]) -> String {
        let comparisons: Vec<_> = items
            .iter()
            .map(|item| match item {
                Operand::String(text) => self.text(Operator::Equal, text),
                Operand::Number(number) => self.number(self.comparison.field.ty, "=", *number),
                _ => "FALSE".to_owned(),
            })
            .collect();
        format!("({})", comparisons.join(" OR "))
    }

    fn has(&self, operand: &Operand) -> String {
        let element = match operand {
            Operand::String(text) => self.literals.quote_string(text),
            Operand::Number(number) => match integer(*number) {
                Some(integer) => decimal(integer),
                None => return "FALSE".to_owned(),
            },
            _ => return "FALSE".to_owned(),
        };
        let field = self.literals.quote_column(self.comparison.field.name);
        match self.literals.dialect {
            Dialect::Spark => format!("coalesce(array_contains({field}, {element}), FALSE)"),
            Dialect::DataFusion => format!("coalesce(array_has({field}, {element}), FALSE)"),
        }
    }

    fn number(&self, ty: FieldType, order: SqlOperator, number: Number) -> String {
        match ty {
            FieldType::Float => {
                // If an engine distinguishes -0 and 0, the sum makes them equal.
                let column = format!("({} + CAST('0' AS DOUBLE))", self.column("CAST('0' AS DOUBLE)"));
                let (order, float) = compare_float(order, number);
                if order.is_empty() {
                    "FALSE".to_owned()
                } else {
                    format!("{column} {order} CAST('{float:e}' AS DOUBLE)")
                }
            }
            FieldType::Timestamp => {
                let column = self.column(&decimal(0));
                let (most, factor) = (decimal(1_000_000_000_000), "CAST('1000000000' AS DECIMAL(10,0))");
                let moments = format!(
                    "CASE WHEN abs({column}) < {most} THEN CAST({column} * {factor} AS DECIMAL(38,0)) ELSE {column} END"
                );
                format!("{moments} {order} {}", decimal(unix_nanos(number)))
            }
            _ => compare_integer(&self.column(&decimal(0)), order, number),
        }
    }
}

fn order(operator: Operator) -> SqlOperator {
    match operator {
        Operator::Less => "<",
        Operator::LessOrEqual => "<=",
        Operator::Greater => ">",
        Operator::GreaterOrEqual => ">=",
        _ => "=",
    }
}

/// The largest integer of a column; the smallest is its negative.
const MAX_DECIMAL: i128 = 99_999_999_999_999_999_999_999_999_999_999_999_999;

fn decimal(integer: i128) -> String {
    format!("CAST('{integer}' AS DECIMAL(38,0))")
}

/// Returns the number if it is an integer in the range of a column.
fn integer(number: Number) -> Option<i128> {
    let integer = floor(number)?;
    (Number::Integer(integer) == number).then_some(integer)
}

/// Returns the largest integer that is not above the number, if it is in the range of a column.
fn floor(number: Number) -> Option<i128> {
    let floor = match number {
        Number::Integer(integer) => integer,
        #[allow(clippy::cast_possible_truncation)]
        Number::Float(float) => float.floor() as i128,
    };
    (-MAX_DECIMAL..=MAX_DECIMAL).contains(&floor).then_some(floor)
}

/// Compares an integer column with any number.
fn compare_integer(column: &str, order: SqlOperator, number: Number) -> String {
    let Some(floor) = floor(number) else {
        let holds = order.starts_with(if number > Number::Integer(0) { '<' } else { '>' });
        return if holds { "TRUE" } else { "FALSE" }.to_owned();
    };
    let order = match (integer(number), order) {
        (Some(_), order) => order,
        (None, "<" | "<=") => "<=",
        (None, ">" | ">=") => ">",
        (None, _) => return "FALSE".to_owned(),
    };
    format!("{column} {order} {}", decimal(floor))
}

/// Converts the comparison of a 64-bit float with a number to one with a float. The operator is empty if no float
/// equals the number.
fn compare_float(order: SqlOperator, number: Number) -> (SqlOperator, f64) {
    #[allow(clippy::cast_precision_loss)]
    let float = match number {
        Number::Integer(integer) => integer as f64,
        Number::Float(float) => float,
    };
    let order = match (number.partial_cmp(&Number::Float(float)), order) {
        (Some(Equal), order) => order,
        (_, "=") => "",
        (Some(Less), "<" | "<=") => "<",
        (Some(Less), _) => ">=",
        (Some(Greater) | None, "<" | "<=") => "<=",
        (Some(Greater) | None, _) => ">",
    };
    (order, float)
}
