//! Verification of the audit log detects changes in the database.

use crate::app::TestApp;
use crate::audit::entries;
use zonewright_store::{LogHead, LogQuery, LogReport, check, read_log, verify_audit_log};

/// Executes a statement directly on the database.
pub(crate) async fn tamper(app: &TestApp, statement: &str) {
    assert!(app.execute(statement).await > 0);
}

async fn verify(app: &TestApp, known: &[LogHead]) -> LogReport {
    verify_audit_log(app.data_dir.path(), &app.storage(), known).await.unwrap()
}

/// A service with five entries in one zone.
async fn app_with_five_entries() -> (TestApp, String) {
    let app = TestApp::start().await;
    for index in 0..5 {
        app.create_filter(&format!("ip.src eq 192.0.2.{index}")).await;
    }
    let zone = app.demo.zones.iter().find(|zone| zone.name == "blocked.example").unwrap().id.clone();
    (app, zone)
}

#[tokio::test]
async fn untouched_log_verifies() {
    let (app, zone) = app_with_five_entries().await;
    let report = verify(&app, &[]).await;
    assert_eq!((report.entries, &report.problems), (5, &Vec::new()));
    let [head] = report.heads.as_slice() else { panic!("{report:?}") };
    assert_eq!((&head.scope, head.entries), (&zone, 5));
    assert_eq!(entries(&app).await[4]["metadata"]["hash"], head.hash);
    // The log grows, and the known heads are still part of it.
    app.create_filter("ssl").await;
    assert_eq!(verify(&app, &report.heads).await.problems, Vec::<String>::new());
    let listed = read_log(
        app.data_dir.path(),
        &app.storage(),
        LogQuery { since: Some("2020-01-01".to_owned()), limit: 2, ..Default::default() },
    )
    .await
    .unwrap();
    assert_eq!(listed.iter().map(|entry| entry.metadata.entry).collect::<Vec<_>>(), [6, 5]);
    assert!(
        read_log(
            app.data_dir.path(),
            &app.storage(),
            LogQuery { since: Some("x".to_owned()), limit: 2, ..Default::default() }
        )
        .await
        .is_err()
    );
}

#[tokio::test]
async fn altering_any_column_is_detected() {
    let (app, zone) = app_with_five_entries().await;
    let other = "00000000000000000000000000000000";
    // The last element restores the column.
    let altered = format!("entry 3 of the audit log of `{zone}` was altered");
    let gap = |number: u32| format!("the audit log of `{zone}` has a gap before entry {number}");
    let original = entries(&app).await[2].clone();
    let cases = [
        ("scope", format!("'{other}'"), format!("'{zone}'"), gap(4)),
        ("seq", "99".to_owned(), "3".to_owned(), gap(4)),
        (
            "at",
            "'2020-01-01T00:00:00Z'".to_owned(),
            format!("'{}'", original["when"].as_str().unwrap()),
            altered.clone(),
        ),
        (
            "actor",
            "'user:somebody@else.example'".to_owned(),
            format!("'token:{}'", original["actor"]["id"].as_str().unwrap()),
            altered.clone(),
        ),
        (
            "request_id",
            "''".to_owned(),
            format!("'{}'", original["metadata"]["request_id"].as_str().unwrap()),
            altered.clone(),
        ),
        ("action", "'filter.delete'".to_owned(), "'filter.create'".to_owned(), altered.clone()),
        (
            "object_id",
            format!("'{other}'"),
            format!("'{}'", original["resource"]["id"].as_str().unwrap()),
            altered.clone(),
        ),
        ("before_change", "'{}'".to_owned(), "null".to_owned(), altered.clone()),
        ("after_change", "null".to_owned(), format!("'{}'", original["newValue"].as_str().unwrap()), altered.clone()),
        (
            "hash",
            format!("'{}'", "0".repeat(64)),
            format!("'{}'", original["metadata"]["hash"].as_str().unwrap()),
            altered.clone(),
        ),
        (
            "account_id",
            "''".to_owned(),
            format!("'{}'", app.demo.account_id),
            format!("entry 3 of the audit log of `{zone}` is assigned to the wrong account"),
        ),
    ];
    for (column, value, before, expected) in cases {
        tamper(&app, &format!("update audit_log set {column} = {value} where scope = '{zone}' and seq = 3")).await;
        let report = verify(&app, &[]).await;
        assert!(report.problems.contains(&expected), "{column}: {report:#?}");
        let problems = check(app.data_dir.path(), &app.storage()).await.unwrap();
        assert!(problems.iter().any(|problem| problem.description == expected), "{column}: {problems:?}");
        let position = match column {
            "scope" => format!("scope = '{other}'"),
            "seq" => format!("scope = '{zone}' and seq = 99"),
            _ => format!("scope = '{zone}' and seq = 3"),
        };
        tamper(&app, &format!("update audit_log set {column} = {before} where {position}")).await;
        assert_eq!(verify(&app, &[]).await.problems, Vec::<String>::new(), "{column}");
    }
}

#[tokio::test]
async fn deleted_entries_are_detected() {
    let (app, zone) = app_with_five_entries().await;
    let known = verify(&app, &[]).await.heads;
    // Deleting the last entry leaves no gap: only a known head reveals it.
    tamper(&app, &format!("delete from audit_log where scope = '{zone}' and seq = 5")).await;
    assert_eq!(verify(&app, &[]).await.problems, Vec::<String>::new());
    let missing = format!("the audit log of `{zone}` is truncated: the known entry 5 is missing");
    assert_eq!(verify(&app, &known).await.problems, [missing]);
    // An entry in its place is detected too.
    app.create_filter("ssl").await;
    assert_eq!(verify(&app, &[]).await.problems, Vec::<String>::new());
    let other = format!("the audit log of `{zone}` differs from the known one at entry 5 or earlier");
    assert_eq!(verify(&app, &known).await.problems, [other]);
    tamper(&app, &format!("delete from audit_log where scope = '{zone}' and seq = 2")).await;
    let gap = format!("the audit log of `{zone}` has a gap before entry 3");
    assert_eq!(verify(&app, &[]).await.problems, [gap]);
    tamper(&app, &format!("delete from audit_log where scope = '{zone}'")).await;
    assert_eq!(verify(&app, &[]).await.problems, Vec::<String>::new());
    assert_eq!(verify(&app, &known).await.problems.len(), 1);
}
