//! Statement batches: several statements that are sent to the database in one call.
//!
//! Start with [`StatementBatch`], which collects them, and [`BatchResults`], which has their results.
//!
//! SQLite works in its own thread, and handing a statement over takes longer than most statements. Statements that need
//! no result in between are therefore handed over together. On PostgreSQL the same statements run one after another.
//!
//! A batch that is canceled or fails may have run some of its statements. The transaction that contains it rolls them
//! back.

use crate::dialect::Dialect;
use futures_util::TryStreamExt;
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::{Any, AnyConnection, Arguments, AssertSqlSafe, Decode, Either, Encode, Executor, Row, Type};
use std::collections::VecDeque;
use std::fmt::Write;

/// The maximum number of statements that SQLite receives in one call. The driver prepares and caches each text as a
/// whole, so there should be few texts. It calls this use deprecated; with 1 only speed changes.
const SQLITE_CHUNK_STATEMENTS: usize = 8;
/// The maximum number of questions that become columns of one statement.
const MAX_VALUES_PER_SELECT: usize = 16;

/// Statements with their parameters, in the order of execution.
pub(crate) struct StatementBatch {
    chunk_statements: usize,
    calls: Vec<Chunk>,
    failure: Option<sqlx::Error>,
}

/// The statements of one call. Parameters are numbered across all of them.
#[derive(Default)]
struct Chunk {
    text: String,
    statements: usize,
    values: AnyArguments,
    /// The number of questions in the last statement; 0 if it is another statement.
    value_columns: usize,
}

impl StatementBatch {
    pub(crate) fn new(dialect: Dialect) -> StatementBatch {
        let together = match dialect {
            Dialect::Sqlite => SQLITE_CHUNK_STATEMENTS,
            Dialect::Postgres => 1,
        };
        StatementBatch { chunk_statements: together, calls: Vec::new(), failure: None }
    }

    /// Adds a statement with parameters `$1` and so on. [`StatementBatch::bind`] sets their values.
    pub(crate) fn add(&mut self, statement: &str) -> &mut StatementBatch {
        let mut call = self.calls.pop_if(|call| call.statements < self.chunk_statements).unwrap_or_default();
        call.begin_statement();
        call.append(statement);
        self.calls.push(call);
        self
    }

    /// Adds a question: a `select` of at most one value. Consecutive questions become columns of one statement.
    pub(crate) fn select_value(&mut self, question: &str) -> &mut StatementBatch {
        let has_room = |call: &mut Chunk| {
            call.statements < self.chunk_statements || (1..MAX_VALUES_PER_SELECT).contains(&call.value_columns)
        };
        let mut call = self.calls.pop_if(has_room).unwrap_or_default();
        if (1..MAX_VALUES_PER_SELECT).contains(&call.value_columns) {
            call.text.push_str(", (");
        } else {
            call.begin_statement();
            call.text.push_str("select (");
        }
        call.append(question);
        call.text.push(')');
        call.value_columns += 1;
        self.calls.push(call);
        self
    }

    /// Binds the next parameter of the last statement.
    pub(crate) fn bind<'v>(&mut self, value: impl Encode<'v, Any> + Type<Any>) -> &mut StatementBatch {
        let Some(call) = self.calls.last_mut() else { return self };
        if let Err(error) = call.values.add(value) {
            self.failure.get_or_insert(sqlx::Error::Encode(error));
        }
        self
    }

    /// Runs all statements in order, and stops at the first error.
    pub(crate) async fn run(self, connection: &mut AnyConnection) -> Result<BatchResults, sqlx::Error> {
        if let Some(error) = self.failure {
            return Err(error);
        }
        let mut answers = BatchResults::default();
        for call in self.calls {
            let query = sqlx::query_with(AssertSqlSafe(call.text), call.values);
            let mut results = (&mut *connection).fetch_many(query);
            let mut first = None;
            while let Some(result) = results.try_next().await? {
                match result {
                    Either::Right(row) => first = first.or(Some(row)),
                    Either::Left(_) => answers.rows.push_back(first.take()),
                }
            }
        }
        Ok(answers)
    }
}

impl Chunk {
    fn begin_statement(&mut self) {
        if self.statements > 0 {
            self.text.push(';');
        }
        self.statements += 1;
        self.value_columns = 0;
    }

    fn append(&mut self, statement: &str) {
        let before = self.values.len();
        let mut parts = statement.split('$');
        self.text.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            let (number, rest) = part.split_at(digits);
            let number = before + number.parse::<usize>().unwrap_or_default();
            // Writing to a string cannot fail.
            let _ = write!(self.text, "${number}{rest}");
        }
    }
}

/// The first row of each statement, if it has any, in the order of the statements.
#[derive(Default)]
pub(crate) struct BatchResults {
    rows: VecDeque<Option<AnyRow>>,
    /// The number of questions of the first row that were read.
    consumed_values: usize,
}

impl BatchResults {
    /// Returns the row of the next statement.
    pub(crate) fn next_row(&mut self) -> Option<AnyRow> {
        self.rows.pop_front().flatten()
    }

    /// Returns the value of the next question.
    pub(crate) fn value<T: for<'r> Decode<'r, Any> + Type<Any>>(&mut self) -> Result<T, sqlx::Error> {
        let row = self.rows.front().and_then(Option::as_ref).ok_or(sqlx::Error::RowNotFound)?;
        let answer = row.try_get(self.consumed_values);
        self.consumed_values += 1;
        if self.consumed_values == row.len() {
            self.consumed_values = 0;
            self.rows.pop_front();
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlx::Connection;
    use sqlx::any::install_default_drivers;

    async fn connection() -> AnyConnection {
        install_default_drivers();
        AnyConnection::connect("sqlite::memory:").await.unwrap()
    }

    fn texts(statements: &StatementBatch) -> Vec<&str> {
        statements.calls.iter().map(|call| call.text.as_str()).collect()
    }

    #[test]
    fn statements_follow_each_other_with_parameters_of_their_own() {
        let add = |dialect| {
            let mut statements = StatementBatch::new(dialect);
            statements.add("insert into t values ($1, $2, $1)").bind(1_i64).bind("a".to_owned());
            statements.select_value("select a from t where b = $1").bind(2_i64);
            statements.select_value("select max(a) from t");
            statements.add("delete from t where a = $1 and b = $2").bind(3_i64).bind(4_i64);
            statements
        };
        let together =
            ["insert into t values ($1, $2, $1);select (select a from t where b = $3), (select max(a) from t);\
             delete from t where a = $4 and b = $5"];
        let one_by_one = [
            "insert into t values ($1, $2, $1)",
            "select (select a from t where b = $1), (select max(a) from t)",
            "delete from t where a = $1 and b = $2",
        ];
        assert_eq!(texts(&add(Dialect::Sqlite)), together);
        assert_eq!(texts(&add(Dialect::Postgres)), one_by_one);
    }

    #[tokio::test]
    async fn any_number_is_answered_in_order() {
        let mut connection = connection().await;
        for number in [0_i64, 1, 16, 17, 40, 200] {
            for dialect in [Dialect::Sqlite, Dialect::Postgres] {
                let mut statements = StatementBatch::new(dialect);
                statements.add("create table t (a bigint)");
                for value in 0..number {
                    statements.add("insert into t values ($1)").bind(value);
                }
                for value in 0..number {
                    statements.select_value("select a from t where a = $1").bind(value);
                    statements.select_value("select a from t where a = $1").bind(-1_i64);
                }
                statements.add("select a from t where a > $1 order by a").bind(number - 3);
                statements.add("drop table t");
                let longest = statements.calls.iter().map(|call| call.statements).max().unwrap();
                assert!(longest <= statements.chunk_statements);
                let mut answers = statements.run(&mut connection).await.unwrap();
                for _ in 0..=number {
                    assert!(answers.next_row().is_none());
                }
                for value in 0..number {
                    assert_eq!(answers.value::<Option<i64>>().unwrap(), Some(value));
                    assert_eq!(answers.value::<Option<i64>>().unwrap(), None);
                }
                let first = answers.next_row().map(|row| row.get::<i64, _>(0));
                assert_eq!(first, (number > 0).then_some((number - 2).max(0)));
                assert!(answers.next_row().is_none() && answers.rows.is_empty());
                assert!(answers.value::<i64>().is_err());
            }
        }
    }

    #[tokio::test]
    async fn after_the_first_that_fails_there_are_no_more() {
        let mut connection = connection().await;
        let mut statements = StatementBatch::new(Dialect::Sqlite);
        statements.add("create table t (a bigint primary key)").add("insert into t values (1)");
        statements.add("insert into t values ($1)").bind(1_i64).add("insert into t values (2)");
        assert!(statements.run(&mut connection).await.is_err());
        let mut statements = StatementBatch::new(Dialect::Sqlite);
        statements.select_value("select count(*) from t");
        assert_eq!(statements.run(&mut connection).await.unwrap().value::<i64>().unwrap(), 1);
    }
}
