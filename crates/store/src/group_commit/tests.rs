use super::*;
use sqlx::any::{AnyPoolOptions, install_default_drivers};
use std::cell::Cell;
use std::time::Duration;
use tempfile::TempDir;

struct TestTable {
    group: GroupCommit,
    pool: AnyPool,
    _folder: TempDir,
}

impl TestTable {
    async fn new() -> TestTable {
        install_default_drivers();
        let folder = TempDir::new().unwrap();
        let url = crate::dialect::sqlite_url(&folder.path().join("group.db"));
        let options = AnyPoolOptions::new().max_connections(2).after_connect(|connection, _| {
            Box::pin(async move { sqlx::raw_sql(crate::dialect::SQLITE_PRAGMAS).execute(connection).await.map(drop) })
        });
        let pool = options.clone().connect(&url).await.unwrap();
        sqlx::query("create table numbers (number bigint primary key)").execute(&pool).await.unwrap();
        let group = GroupCommit::open(options.connect(&url).await.unwrap(), Duration::from_secs(5)).await.unwrap();
        TestTable { group, pool, _folder: folder }
    }

    /// Returns the numbers that other connections see.
    async fn numbers(&self) -> Vec<i64> {
        sqlx::query_scalar("select number from numbers order by number").fetch_all(&self.pool).await.unwrap()
    }
}

async fn insert(member: &mut Savepoint, number: i64) -> Result<(), sqlx::Error> {
    let connection: &mut AnyConnection = member.connection();
    sqlx::query("insert into numbers (number) values ($1)").bind(number).execute(connection).await.map(drop)
}

async fn insert_and_commit(group: GroupCommit, number: i64) -> Result<(), sqlx::Error> {
    let mut member = join(&group).await?;
    insert(&mut member, number).await?;
    member.commit(no_statements()).await
}

async fn join(group: &GroupCommit) -> Result<Savepoint, sqlx::Error> {
    group.begin(|_| ()).await.map(|(member, _)| member)
}

fn no_statements() -> StatementBatch {
    StatementBatch::new(Dialect::Sqlite)
}

/// Lets all tasks run that can.
async fn yield_to_tasks() {
    tokio::time::sleep(Duration::from_millis(5)).await;
}

#[tokio::test]
async fn commit_returns_after_the_commit_of_the_group() {
    let table = TestTable::new().await;
    let mut first = join(&table.group).await.unwrap();
    insert(&mut first, 1).await.unwrap();
    let group = table.group.clone();
    let (stop, stopped) = oneshot::channel::<()>();
    let second = tokio::spawn(async move {
        let mut member = join(&group).await.unwrap();
        insert(&mut member, 2).await.unwrap();
        stopped.await.unwrap();
        member.commit(no_statements()).await
    });
    yield_to_tasks().await;
    let first = tokio::spawn(first.commit(no_statements()));
    yield_to_tasks().await;
    assert!(!first.is_finished(), "the second member is already queued");
    assert!(table.numbers().await.is_empty());
    stop.send(()).unwrap();
    first.await.unwrap().unwrap();
    second.await.unwrap().unwrap();
    assert_eq!(table.numbers().await, [1, 2]);
}

#[tokio::test]
async fn failed_member_does_not_affect_others() {
    let table = TestTable::new().await;
    let mut first = join(&table.group).await.unwrap();
    insert(&mut first, 1).await.unwrap();
    let others = [2, 1, 3, 4].map(|number| (number, tokio::spawn(insert_and_commit(table.group.clone(), number))));
    yield_to_tasks().await;
    first.commit(no_statements()).await.unwrap();
    for (number, other) in others {
        assert_eq!(other.await.unwrap().is_ok(), number != 1, "{number}");
    }
    assert_eq!(table.numbers().await, [1, 2, 3, 4]);
}

#[tokio::test]
async fn dropped_members_leave_no_changes() {
    let table = TestTable::new().await;
    for number in 1..4 {
        let mut member = join(&table.group).await.unwrap();
        insert(&mut member, number).await.unwrap();
    }
    yield_to_tasks().await;
    // The database file is not locked.
    sqlx::query("insert into numbers (number) values (9)").execute(&table.pool).await.unwrap();
    insert_and_commit(table.group.clone(), 4).await.unwrap();
    assert_eq!(table.numbers().await, [4, 9]);
}

#[tokio::test]
async fn failed_last_statement_rolls_back_its_member() {
    let table = TestTable::new().await;
    insert_and_commit(table.group.clone(), 1).await.unwrap();
    let last = |number: i64| {
        let mut last = no_statements();
        last.add("insert into numbers (number) values ($1)").bind(number);
        last
    };
    // Without other members.
    let mut member = join(&table.group).await.unwrap();
    insert(&mut member, 2).await.unwrap();
    assert!(member.commit(last(1)).await.is_err());
    join(&table.group).await.unwrap().commit(last(3)).await.unwrap();
    assert_eq!(table.numbers().await, [1, 3]);
    // With other members.
    let mut first = join(&table.group).await.unwrap();
    insert(&mut first, 4).await.unwrap();
    let others = [(5, 1), (6, 7)].map(|(number, other)| {
        let (group, last) = (table.group.clone(), last(other));
        tokio::spawn(async move {
            let mut member = join(&group).await?;
            insert(&mut member, number).await?;
            member.commit(last).await
        })
    });
    yield_to_tasks().await;
    first.commit(no_statements()).await.unwrap();
    let [failed, committed] = others;
    assert!(failed.await.unwrap().is_err());
    committed.await.unwrap().unwrap();
    assert_eq!(table.numbers().await, [1, 3, 4, 6, 7]);
}

#[tokio::test]
async fn connection_is_idle_only_without_open_group() {
    let table = TestTable::new().await;
    let is_idle = || table.group.try_idle_connection().is_some();
    assert!(is_idle());
    let mut first = join(&table.group).await.unwrap();
    insert(&mut first, 1).await.unwrap();
    assert!(!is_idle(), "a member owns the writer");
    let group = table.group.clone();
    let second = tokio::spawn(async move {
        let member = join(&group).await.unwrap();
        yield_to_tasks().await;
        drop(member);
    });
    yield_to_tasks().await;
    let first = tokio::spawn(first.commit(no_statements()));
    second.await.unwrap();
    // The commit is a separate task, which has not begun.
    assert!(!is_idle(), "the group is not committed");
    first.await.unwrap().unwrap();
    yield_to_tasks().await;
    let mut idle = table.group.try_idle_connection().unwrap();
    let connection: &mut AnyConnection = &mut idle;
    let rows: i64 = sqlx::query_scalar("select count(*) from numbers").fetch_one(connection).await.unwrap();
    assert_eq!(rows, 1);
    drop(idle);
    table.group.close().await;
    assert!(!is_idle());
}

#[tokio::test]
async fn rollback_by_the_database_fails_earlier_members_and_no_later_one() {
    let table = TestTable::new().await;
    for (number, state) in (0..).zip([SavepointState::Opening, SavepointState::Open, SavepointState::Releasing]) {
        let mut first = join(&table.group).await.unwrap();
        insert(&mut first, 100 + number).await.unwrap();
        let group = table.group.clone();
        let second = tokio::spawn(async move {
            let mut member = join(&group).await.unwrap();
            insert(&mut member, 200 + number).await.unwrap();
            // The same as SQLite does on a full disk.
            member.writer.run("rollback").await.unwrap();
            member.state = Some(state);
        });
        let third = tokio::spawn(insert_and_commit(table.group.clone(), number));
        yield_to_tasks().await;
        assert!(first.commit(no_statements()).await.is_err());
        second.await.unwrap();
        third.await.unwrap().unwrap();
    }
    assert_eq!(table.numbers().await, [0, 1, 2]);
}

#[tokio::test]
async fn reader_awaits_commit_of_observed_changes() {
    let table = TestTable::new().await;
    for is_lost in [false, true] {
        let first = join(&table.group).await.unwrap();
        let writer = insert_and_commit(table.group.clone(), 1 + i64::from(is_lost));
        let reader = await_observed_commits(async { join(&table.group).await.map(drop) });
        let (group, pool) = (table.group.clone(), table.pool.clone());
        let third = async move {
            let mut member = join(&group).await.unwrap();
            yield_to_tasks().await;
            if is_lost {
                // The same as SQLite does on a full disk.
                member.writer.run("rollback").await.unwrap();
            }
            let rows = sqlx::query("select number from numbers").fetch_all(&pool).await.unwrap();
            assert_eq!(rows.len(), usize::from(is_lost), "no change is committed yet");
        };
        let reader_finished = Cell::new(false);
        let reader = async {
            let outcome = reader.await;
            reader_finished.set(true);
            outcome
        };
        let third = async {
            third.await;
            assert!(!reader_finished.get(), "the reader awaits the commit");
        };
        let begin = async { drop(first) };
        let (written, read, (), ()) = tokio::join!(writer, reader, third, begin);
        assert_eq!((written.is_ok(), read.is_ok()), (!is_lost, !is_lost), "{read:?}");
    }
    // Without other members there is nothing to wait for.
    await_observed_commits(async { join(&table.group).await.map(drop) }).await.unwrap().unwrap();
    assert_eq!(table.numbers().await, [1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn canceled_members_do_not_affect_others() {
    let table = TestTable::new().await;
    let mut tasks = Vec::new();
    for number in 0..400_i64 {
        let work = insert_and_commit(table.group.clone(), number);
        tasks.push(tokio::spawn(async move {
            let cancel_after = Duration::from_micros(u64::try_from(number * 7919 % 40_000).unwrap());
            if number % 3 == 0 { work.await.map(Some) } else { timeout(cancel_after, work).await.ok().transpose() }
        }));
        if number % 16 == 0 {
            yield_to_tasks().await;
        }
    }
    let (mut committed, mut canceled) = (Vec::new(), 0);
    for (number, task) in (0..).zip(tasks) {
        match task.await.unwrap().unwrap() {
            Some(()) => committed.push(number),
            None => canceled += 1,
        }
    }
    yield_to_tasks().await;
    assert!(canceled > 0 && committed.len() > 100, "{canceled} canceled");
    let numbers = table.numbers().await;
    assert!(committed.iter().all(|number| numbers.contains(number)), "acknowledged rows exist");
    table.group.close().await;
    assert!(insert_and_commit(table.group.clone(), 1000).await.is_err());
}
