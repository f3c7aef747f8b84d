//! The baseline: writes that the database makes durable without a service. One workload writes all rows of a create in
//! one transaction, sent as one batch. The other writes a single row in each transaction. SQLite uses one connection
//! because it has one writer.

use crate::load::{Timings, expression, repeat};
use crate::service::{Target, create_benchmark_account};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqliteConnection};
use std::cell::Cell;
use tempfile::TempDir;

/// Number of PostgreSQL connections: the largest number of clients of the load test.
const MAX_CONNECTIONS: usize = 64;

pub(crate) struct RawDatabase {
    connections: Connections,
    zones: Vec<String>,
    created_count: Cell<u64>,
    _folder: TempDir,
}

enum Connections {
    Sqlite([SqliteConnection; 1]),
    Postgres(Vec<PgConnection>),
}

impl RawDatabase {
    /// Opens a separate database with the same schema as that of the service.
    pub(crate) async fn open(target: &Target) -> RawDatabase {
        let folder = TempDir::new().unwrap();
        let own = match target {
            Target::Sqlite => Target::Sqlite,
            Target::Postgres(url) => Target::create(Some(url), "zonewright_raw").await,
        };
        let (_, zones) = create_benchmark_account(folder.path(), &own).await;
        let connections = match own {
            Target::Sqlite => {
                // These are the options of the service (`dialect.rs` of the store).
                let options = SqliteConnectOptions::new().filename(folder.path().join("zonewright.db"));
                let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
                let pragmas = "pragma journal_mode = wal; pragma foreign_keys = on; pragma busy_timeout = 5000;";
                sqlx::raw_sql(pragmas).execute(&mut connection).await.unwrap();
                let synchronous: i64 =
                    sqlx::query_scalar("pragma synchronous").fetch_one(&mut connection).await.unwrap();
                assert_eq!(synchronous, 2, "every commit is on disk");
                Connections::Sqlite([connection])
            }
            Target::Postgres(url) => {
                let mut connections = Vec::new();
                for _ in 0..MAX_CONNECTIONS {
                    connections.push(PgConnection::connect(&url).await.unwrap());
                }
                Connections::Postgres(connections)
            }
        };
        let mut raw = RawDatabase { connections, zones, created_count: Cell::new(1), _folder: folder };
        let table = "create table raw (id text primary key, value text not null);";
        raw.send(table).await;
        raw
    }

    async fn send(&mut self, statements: &'static str) {
        match &mut self.connections {
            Connections::Sqlite([connection]) => connection.execute(statements).await.map(drop).unwrap(),
            Connections::Postgres(all) => all[0].execute(statements).await.map(drop).unwrap(),
        }
    }

    /// Measures transactions with all rows of a create.
    pub(crate) async fn creates(&mut self, connections: usize) -> Timings {
        let RawDatabase { connections: all, zones, created_count, .. } = self;
        repeat_on(all, connections, || {
            created_count.set(created_count.get() + 1);
            create_statements(created_count.get(), &zones[1 + created_count.get() as usize % (zones.len() - 1)])
        })
        .await
    }

    /// Measures transactions with one row.
    pub(crate) async fn single_rows(&mut self, connections: usize) -> Timings {
        let RawDatabase { connections: all, created_count, .. } = self;
        repeat_on(all, connections, || {
            created_count.set(created_count.get() + 1);
            let (id, value) = (created_count.get(), expression(created_count.get()));
            format!("begin; insert into raw (id, value) values ('{id:032x}', '{value}'); commit")
        })
        .await
    }
}

async fn repeat_on(all: &mut Connections, connections: usize, statements: impl Fn() -> String) -> Timings {
    match all {
        Connections::Sqlite(one) => {
            repeat(one, async |connection: &mut SqliteConnection| {
                sqlx::raw_sql(AssertSqlSafe(statements())).execute(connection).await.map(drop).unwrap();
            })
            .await
        }
        Connections::Postgres(all) => {
            repeat(&mut all[..connections], async |connection: &mut PgConnection| {
                sqlx::raw_sql(AssertSqlSafe(statements())).execute(connection).await.map(drop).unwrap();
            })
            .await
        }
    }
}

/// Returns the statements that a create runs.
fn create_statements(number: u64, zone: &str) -> String {
    let (filter, rule, hash, seq) =
        (scrambled_id(number), scrambled_id(!number), scrambled_id(number ^ 1 << 60), number);
    let (text, time) = (expression(number), "2026-11-22T10:00:00Z");
    let count_statement = |list: &str| {
        format!(
            "insert into list_counts (zone_id, list, block, items) values ('{zone}', '{list}', {}, 1)
             on conflict (zone_id, list, block) do update set items = list_counts.items + excluded.items;",
            seq / 1000
        )
    };
    let log_statement = |seq: u64, action: &str, object: &str| {
        format!(
            r#"insert into audit_log
               (scope, seq, at, actor, request_id, action, object_id, before_change, after_change, hash)
               values ('{zone}', {seq}, '{time}', 'token:{rule}', '{rule}', '{action}', '{object}', null,
               '{{"action":"block","created_on":"{time}","filter":{{"description":"an address","expression":"{text}","id":"{filter}","paused":false}},"id":"{rule}"}}',
               '{hash}{hash}');"#
        )
    };
    let [count_filter, count_rule] = ["filters", "firewall_rules"].map(count_statement);
    let log_filter = log_statement(2 * seq, "filter.create", &filter);
    let log_rule = log_statement(2 * seq + 1, "firewall_rule.create", &rule);
    format!(
        "begin;
         {count_filter}
         insert into filters (id, zone_id, seq, expression, expression_digest, paused, description, ref)
         values ('{filter}', '{zone}', {seq}, '{text}', '{hash}{hash}', 0, 'an address', null);
         {count_rule}
         insert into firewall_rules (id, zone_id, seq, filter_id, action, priority, paused, description, ref, products,
         created_on, modified_on)
         values ('{rule}', '{zone}', {seq}, '{filter}', 'block', null, 1, 'rule {number}', null, '', '{time}', '{time}');
         {log_filter}
         {log_rule}
         commit"
    )
}

/// Returns 32 hexadecimal digits that are spread over the whole index, as random identifiers are.
fn scrambled_id(number: u64) -> String {
    let mixed = (u128::from(number) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    format!("{mixed:032x}")
}
