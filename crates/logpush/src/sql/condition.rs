//! Writes a filter as a SQL condition. No part of the condition is ever NULL, because missing values become zero values
//! first.

use super::{Dialect, literal::SqlWriter};
use crate::{
    datasets::FieldType,
    number::Number,
    operator::Operator,
    predicate::{Comparison, Operand, Test, TestKind},
    time::{MIN_NANOSECOND_TIMESTAMP, to_unix_nanos},
};
use std::cmp::Ordering::{Equal, Greater, Less};

/// Returns the condition of a test, or a message if it cannot be expressed.
pub(super) fn write_condition(test: &Test, writer: SqlWriter, rfc3339_timestamps: bool) -> Result<String, String> {
    let join = |tests: &[Test], word: &str| {
        let parts: Result<Vec<_>, _> =
            tests.iter().map(|test| write_condition(test, writer, rfc3339_timestamps)).collect();
        parts.map(|parts| format!("({})", parts.join(word)))
    };
    match &test.kind {
        TestKind::All(tests) => join(tests, " AND "),
        TestKind::Any(tests) => join(tests, " OR "),
        TestKind::Comparison(comparison) if comparison.field.ty == FieldType::Timestamp && rfc3339_timestamps => {
            let name = comparison.field.name;
            Err(format!("`{name}` cannot be compared when timestamps are strings; use numeric timestamps"))
        }
        TestKind::Comparison(comparison) => {
            let condition = ComparisonSql { comparison, writer }.write();
            Ok(if comparison.operator.is_negated() { format!("NOT ({condition})") } else { condition })
        }
    }
}

/// A SQL comparison operator.
type SqlOperator = &'static str;

struct ComparisonSql<'a> {
    comparison: &'a Comparison,
    writer: SqlWriter,
}

impl ComparisonSql<'_> {
    /// Returns the condition without the negation of the operator.
    fn write(&self) -> String {
        let operator = self.comparison.operator.without_negation();
        match (&self.comparison.operand, self.comparison.field.ty) {
            (Operand::Items(items), _) => self.write_any_of(items),
            (operand, FieldType::Strings | FieldType::Ints) => self.write_has(operand),
            (Operand::String(text), _) => self.write_text(operator, text),
            (Operand::Bool(flag), _) => {
                let column = self.write_column("FALSE");
                if *flag { column } else { format!("NOT {column}") }
            }
            (Operand::Number(number), ty) => self.write_number(ty, sql_operator(operator), *number),
        }
    }

    /// Returns the column with missing values replaced.
    fn write_column(&self, zero: &str) -> String {
        format!("coalesce({}, {zero})", self.writer.quote_column(self.comparison.field.name))
    }

    fn write_text(&self, operator: Operator, text: &str) -> String {
        let (column, text) = (self.write_column("''"), self.writer.quote_string(text));
        let is_spark = self.writer.dialect == Dialect::Spark;
        match operator {
            Operator::StartsWith if is_spark => format!("startswith({column}, {text})"),
            Operator::StartsWith => format!("starts_with({column}, {text})"),
            Operator::EndsWith if is_spark => format!("endswith({column}, {text})"),
            Operator::EndsWith => format!("ends_with({column}, {text})"),
            Operator::Contains => format!("contains({column}, {text})"),
            _ => format!("{column} = {text}"),
        }
    }

    fn write_any_of(&self, items: &[Operand]) -> String {
        let comparisons: Vec<_> = items
            .iter()
            .map(|item| match item {
                Operand::String(text) => self.write_text(Operator::Equal, text),
                Operand::Number(number) => self.write_number(self.comparison.field.ty, "=", *number),
                _ => "FALSE".to_owned(),
            })
            .collect();
        format!("({})", comparisons.join(" OR "))
    }

    fn write_has(&self, operand: &Operand) -> String {
        let element = match operand {
            Operand::String(text) => self.writer.quote_string(text),
            Operand::Number(number) => match column_integer(*number) {
                Some(integer) => write_decimal(integer),
                None => return "FALSE".to_owned(),
            },
            _ => return "FALSE".to_owned(),
        };
        let field = self.writer.quote_column(self.comparison.field.name);
        match self.writer.dialect {
            Dialect::Spark => format!("coalesce(array_contains({field}, {element}), FALSE)"),
            Dialect::DataFusion => format!("coalesce(array_has({field}, {element}), FALSE)"),
        }
    }

    fn write_number(&self, ty: FieldType, operator: SqlOperator, number: Number) -> String {
        match ty {
            FieldType::Float => {
                // If an engine distinguishes -0 and 0, the sum makes them equal.
                let column = format!("({} + CAST('0' AS DOUBLE))", self.write_column("CAST('0' AS DOUBLE)"));
                let (operator, float) = to_float_comparison(operator, number);
                if operator.is_empty() {
                    "FALSE".to_owned()
                } else {
                    format!("{column} {operator} CAST('{float:e}' AS DOUBLE)")
                }
            }
            FieldType::Timestamp => {
                let column = self.write_column(&write_decimal(0));
                let (min_nanoseconds, nanos_per_second) =
                    (write_decimal(MIN_NANOSECOND_TIMESTAMP), "CAST('1000000000' AS DECIMAL(10,0))");
                let nanoseconds = format!(
                    "CASE WHEN abs({column}) < {min_nanoseconds} \
                     THEN CAST({column} * {nanos_per_second} AS DECIMAL(38,0)) ELSE {column} END"
                );
                format!("{nanoseconds} {operator} {}", write_decimal(to_unix_nanos(number)))
            }
            _ => write_integer_comparison(&self.write_column(&write_decimal(0)), operator, number),
        }
    }
}

fn sql_operator(operator: Operator) -> SqlOperator {
    match operator {
        Operator::Less => "<",
        Operator::LessOrEqual => "<=",
        Operator::Greater => ">",
        Operator::GreaterOrEqual => ">=",
        _ => "=",
    }
}

/// The largest integer of a column; the smallest is its negative.
const MAX_COLUMN_INTEGER: i128 = 99_999_999_999_999_999_999_999_999_999_999_999_999;

fn write_decimal(integer: i128) -> String {
    format!("CAST('{integer}' AS DECIMAL(38,0))")
}

/// Returns the number if it is an integer in the range of a column.
fn column_integer(number: Number) -> Option<i128> {
    let integer = column_floor(number)?;
    (Number::Integer(integer) == number).then_some(integer)
}

/// Returns the largest integer that is at most the number, if it is in the range of a column.
fn column_floor(number: Number) -> Option<i128> {
    let floor = match number {
        Number::Integer(integer) => integer,
        #[allow(clippy::cast_possible_truncation)]
        Number::Float(float) => float.floor() as i128,
    };
    (-MAX_COLUMN_INTEGER..=MAX_COLUMN_INTEGER).contains(&floor).then_some(floor)
}

/// Writes the comparison of an integer column with any number.
fn write_integer_comparison(column: &str, operator: SqlOperator, number: Number) -> String {
    let Some(floor) = column_floor(number) else {
        let holds = operator.starts_with(if number > Number::Integer(0) { '<' } else { '>' });
        return if holds { "TRUE" } else { "FALSE" }.to_owned();
    };
    let operator = match (column_integer(number), operator) {
        (Some(_), operator) => operator,
        (None, "<" | "<=") => "<=",
        (None, ">" | ">=") => ">",
        (None, _) => return "FALSE".to_owned(),
    };
    format!("{column} {operator} {}", write_decimal(floor))
}

/// Converts the comparison of a 64-bit float with a number to a comparison of two floats. The operator is empty if no
/// float equals the number.
fn to_float_comparison(operator: SqlOperator, number: Number) -> (SqlOperator, f64) {
    #[allow(clippy::cast_precision_loss)]
    let float = match number {
        Number::Integer(integer) => integer as f64,
        Number::Float(float) => float,
    };
    let operator = match (number.partial_cmp(&Number::Float(float)), operator) {
        (Some(Equal), operator) => operator,
        (_, "=") => "",
        (Some(Less), "<" | "<=") => "<",
        (Some(Less), _) => ">=",
        (Some(Greater) | None, "<" | "<=") => "<=",
        (Some(Greater) | None, _) => ">",
    };
    (operator, float)
}
