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
/// whole, so there should be few texts. The driver has deprecated such texts; the value 1 avoids them and changes only
/// the speed.
const MAX_SQLITE_CALL_STATEMENTS: usize = 8;
/// The maximum number of value queries that become columns of one statement.
const MAX_VALUES_PER_SELECT: usize = 16;

/// Statements with their parameters, in the order of execution.
pub(crate) struct StatementBatch {
    /// The maximum number of statements in a call.
    max_call_statements: usize,
    calls: Vec<Call>,
    failure: Option<sqlx::Error>,
}

/// The statements of one call. Parameters are numbered across all of them.
#[derive(Default)]
struct Call {
    text: String,
    parameters: AnyArguments,
    statements: Vec<StatementKind>,
}

/// The kind of a statement, which decides where its first row goes.
#[derive(Clone, Copy, Debug)]
enum StatementKind {
    /// Any statement. [`BatchResults::next_row`] returns its row.
    Plain,
    /// A select of this number of value queries. [`BatchResults::value`] reads its row.
    Values(usize),
}

impl StatementBatch {
    pub(crate) fn new(dialect: Dialect) -> StatementBatch {
        let max_call_statements = match dialect {
            Dialect::Sqlite => MAX_SQLITE_CALL_STATEMENTS,
            Dialect::Postgres => 1,
        };
        StatementBatch { max_call_statements, calls: Vec::new(), failure: None }
    }

    /// Adds a statement with parameters `$1` and so on. [`StatementBatch::bind`] sets their values.
    pub(crate) fn add(&mut self, statement: &str) -> &mut StatementBatch {
        let mut call = self.calls.pop_if(|call| call.statements.len() < self.max_call_statements).unwrap_or_default();
        call.begin_statement(StatementKind::Plain);
        call.append(statement);
        self.calls.push(call);
        self
    }

    /// Adds a value query: a `select` of at most one value. Consecutive value queries become columns of one statement.
    /// `name` is the name of the column, unique in the batch; [`BatchResults::value`] reads the value by it.
    pub(crate) fn select_value(&mut self, name: &str, query: &str) -> &mut StatementBatch {
        let has_capacity =
            |call: &mut Call| call.statements.len() < self.max_call_statements || call.open_value_select().is_some();
        let mut call = self.calls.pop_if(has_capacity).unwrap_or_default();
        if let Some(columns) = call.open_value_select() {
            *columns += 1;
            call.text.push_str(", (");
        } else {
            call.begin_statement(StatementKind::Values(1));
            call.text.push_str("select (");
        }
        call.append(query);
        call.text.push_str(") as ");
        call.text.push_str(name);
        self.calls.push(call);
        self
    }

    /// Binds the next parameter of the last statement.
    pub(crate) fn bind<'v>(&mut self, value: impl Encode<'v, Any> + Type<Any>) -> &mut StatementBatch {
        let Some(call) = self.calls.last_mut() else { return self };
        if let Err(error) = call.parameters.add(value) {
            self.failure.get_or_insert(sqlx::Error::Encode(error));
        }
        self
    }

    /// Runs all statements in order, and stops at the first error.
    pub(crate) async fn run(self, connection: &mut AnyConnection) -> Result<BatchResults, sqlx::Error> {
        if let Some(error) = self.failure {
            return Err(error);
        }
        let mut results = BatchResults::default();
        for call in self.calls {
            let query = sqlx::query_with(AssertSqlSafe(call.text), call.parameters);
            let mut stream = (&mut *connection).fetch_many(query);
            let (mut kinds, mut first_row) = (call.statements.into_iter(), None);
            while let Some(item) = stream.try_next().await? {
                match (item, kinds.as_slice().first()) {
                    (Either::Right(row), _) => first_row = first_row.or(Some(row)),
                    (Either::Left(_), Some(StatementKind::Values(_))) => {
                        results.values.extend(first_row.take());
                        kinds.next();
                    }
                    (Either::Left(_), _) => {
                        results.rows.push_back(first_row.take());
                        kinds.next();
                    }
                }
            }
        }
        Ok(results)
    }
}

impl Call {
    fn begin_statement(&mut self, kind: StatementKind) {
        if !self.statements.is_empty() {
            self.text.push(';');
        }
        self.statements.push(kind);
    }

    /// Returns the number of columns of the last statement if it is a select that takes more value queries.
    fn open_value_select(&mut self) -> Option<&mut usize> {
        match self.statements.last_mut() {
            Some(StatementKind::Values(columns)) if *columns < MAX_VALUES_PER_SELECT => Some(columns),
            _ => None,
        }
    }

    /// Appends a statement, with its parameters numbered after those of the earlier statements.
    fn append(&mut self, statement: &str) {
        let before = self.parameters.len();
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

/// The first row of each statement, if it has any.
#[derive(Default)]
pub(crate) struct BatchResults {
    /// The rows of plain statements that were not read yet, in the order of the statements.
    rows: VecDeque<Option<AnyRow>>,
    /// The rows of value queries.
    values: Vec<AnyRow>,
}

impl BatchResults {
    /// Returns the first row of the next statement that is not a value query.
    pub(crate) fn next_row(&mut self) -> Option<AnyRow> {
        self.rows.pop_front().flatten()
    }

    /// Returns the value of the value query with this name.
    pub(crate) fn value<T: for<'r> Decode<'r, Any> + Type<Any>>(&self, name: &str) -> Result<T, sqlx::Error> {
        let row = self.values.iter().find(|row| row.try_column(name).is_ok());
        row.ok_or_else(|| sqlx::Error::ColumnNotFound(name.to_owned()))?.try_get(name)
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
    fn statements_are_joined_with_renumbered_parameters() {
        let add = |dialect| {
            let mut statements = StatementBatch::new(dialect);
            statements.add("insert into t values ($1, $2, $1)").bind(1_i64).bind("a".to_owned());
            statements.select_value("first", "select a from t where b = $1").bind(2_i64);
            statements.select_value("greatest", "select max(a) from t");
            statements.add("delete from t where a = $1 and b = $2").bind(3_i64).bind(4_i64);
            statements
        };
        let together = ["insert into t values ($1, $2, $1);\
             select (select a from t where b = $3) as first, (select max(a) from t) as greatest;\
             delete from t where a = $4 and b = $5"];
        let one_by_one = [
            "insert into t values ($1, $2, $1)",
            "select (select a from t where b = $1) as first, (select max(a) from t) as greatest",
            "delete from t where a = $1 and b = $2",
        ];
        assert_eq!(texts(&add(Dialect::Sqlite)), together);
        assert_eq!(texts(&add(Dialect::Postgres)), one_by_one);
    }

    #[tokio::test]
    async fn batch_of_any_size_returns_all_results() {
        let mut connection = connection().await;
        for number in [0_i64, 1, 16, 17, 40, 200] {
            for dialect in [Dialect::Sqlite, Dialect::Postgres] {
                let mut statements = StatementBatch::new(dialect);
                statements.add("create table t (a bigint)");
                for value in 0..number {
                    statements.add("insert into t values ($1)").bind(value);
                }
                for value in 0..number {
                    statements.select_value(&format!("present_{value}"), "select a from t where a = $1").bind(value);
                    statements.select_value(&format!("missing_{value}"), "select a from t where a = $1").bind(-1_i64);
                }
                statements.add("select a from t where a > $1 order by a").bind(number - 3);
                statements.add("drop table t");
                let longest = statements.calls.iter().map(|call| call.statements.len()).max().unwrap();
                assert!(longest <= statements.max_call_statements);
                let mut results = statements.run(&mut connection).await.unwrap();
                for _ in 0..=number {
                    assert!(results.next_row().is_none());
                }
                // The order of reading is free.
                for value in (0..number).rev() {
                    assert_eq!(results.value::<Option<i64>>(&format!("missing_{value}")).unwrap(), None);
                    assert_eq!(results.value::<Option<i64>>(&format!("present_{value}")).unwrap(), Some(value));
                }
                let first = results.next_row().map(|row| row.get::<i64, _>("a"));
                assert_eq!(first, (number > 0).then_some((number - 2).max(0)));
                assert!(results.next_row().is_none() && results.rows.is_empty());
                assert!(results.value::<i64>("other").is_err());
            }
        }
    }

    #[tokio::test]
    async fn failed_statement_stops_the_batch() {
        let mut connection = connection().await;
        let mut statements = StatementBatch::new(Dialect::Sqlite);
        statements.add("create table t (a bigint primary key)").add("insert into t values (1)");
        statements.add("insert into t values ($1)").bind(1_i64).add("insert into t values (2)");
        assert!(statements.run(&mut connection).await.is_err());
        let mut statements = StatementBatch::new(Dialect::Sqlite);
        statements.select_value("rows", "select count(*) from t");
        assert_eq!(statements.run(&mut connection).await.unwrap().value::<i64>("rows").unwrap(), 1);
    }
}
