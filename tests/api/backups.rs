//! Backup, restore and check, from either kind of database into either.

use crate::app::TestApp;
use crate::audit_tampering::tamper;
use crate::database::TestDatabase;
use serde_json::json;
use sqlx::{Connection, Executor};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;
use zonewright_server::{App, Config};
use zonewright_store::{Database, Remedy, StoreConfig, Timeouts, back_up, check, repair, restore};

/// A service with every kind of object, and its backup.
async fn create_backup() -> (TestApp, PathBuf) {
    let app = TestApp::start().await;
    let rule = json!([{"filter": {"expression": "http.host eq \"ö\"", "description": "Ä\"\\\n"}, "action": "block"}]);
    assert_eq!(app.post(&app.zone("/firewall/rules"), rule).await.status, 200);
    let filter = json!([{"expression": "ssl"}]);
    assert_eq!(app.post(&app.zone("/filters"), filter).await.status, 200);
    for description in ["one", "two", "three"] {
        let rules = json!({"rules": [{"expression": "ssl", "action": "block", "description": description}]});
        let path = app.zone("/rulesets/phases/http_request_firewall_custom/entrypoint");
        assert_eq!(app.put(&path, rules).await.status, 200);
    }
    let job = json!({"dataset": "http_requests", "destination_conf": "https://logs.example/?header_Authorization=x"});
    assert_eq!(app.post(&app.zone("/logpush/jobs"), job).await.status, 200);
    let file = app.data_dir.path().join("saved.backup");
    // The backup is taken while the service runs.
    let rows = back_up(app.data_dir.path(), &app.database.storage(Timeouts::default()), &file).await.unwrap();
    assert!(rows > 200, "{rows}");
    (app, file)
}

/// Reads from a service on the restored data, with the token of the original service.
async fn list_restored(data: &Path, storage: &StoreConfig, before: &TestApp, rest: &str) -> serde_json::Value {
    let (app, demo) =
        App::open_with_config(&Config { data_dir: data.to_owned(), storage: storage.clone(), ..Config::default() }, "")
            .await
            .unwrap();
    assert!(demo.is_none());
    let request = before.request(axum::http::Method::GET, &before.zone(rest), "");
    let response = tower::ServiceExt::oneshot(app.router(), request).await.unwrap();
    let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    app.close().await;
    serde_json::from_slice::<serde_json::Value>(&bytes).unwrap()["result"].clone()
}

#[tokio::test]
async fn backup_restores_everything_into_either_database() {
    let (app, file) = create_backup().await;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let other = TestDatabase::new().await;
    for storage in [StoreConfig::default(), other.storage(Timeouts::default())] {
        let folder = TempDir::new().unwrap();
        let data = folder.path().join("data");
        restore(&data, &storage, &file).await.unwrap();
        if matches!(storage.database, Database::Postgres(_)) {
            std::fs::create_dir_all(&data).unwrap();
        }
        assert_eq!(check(&data, &storage).await, Ok(Vec::new()));
        for rest in ["/firewall/rules", "/filters", "/logpush/jobs"] {
            assert_eq!(list_restored(&data, &storage, &app, rest).await, app.get(&app.zone(rest)).await.body["result"]);
        }
        // The database is no longer empty.
        let error = restore(&data, &storage, &file).await.unwrap_err();
        assert!(error.to_string().contains("the database is not empty"), "{error}");
    }
}

#[tokio::test]
async fn repair_rebuilds_list_counts() {
    let app = TestApp::start().await;
    for host in 0..3 {
        app.create_filter(&format!("ip.src eq 192.0.2.{host}")).await;
    }
    let filters = app.zone_named("blocked.example", "/filters");
    let total = async |app: &TestApp| app.get(&filters).await.body["result_info"]["total_count"].clone();
    assert_eq!(total(&app).await, json!(3));
    assert_eq!(repair(app.data_dir.path(), &app.storage()).await, Ok(0));
    tamper(&app, "update list_counts set items = items + 4 where list = 'filters'").await;
    let problems = check(app.data_dir.path(), &app.storage()).await.unwrap();
    assert!(problems.iter().all(|problem| problem.remedy == Remedy::Recount) && !problems.is_empty(), "{problems:?}");
    // The service keeps running.
    assert_eq!(repair(app.data_dir.path(), &app.storage()).await, Ok(problems.len()));
    assert_eq!(check(app.data_dir.path(), &app.storage()).await, Ok(Vec::new()));
    assert_eq!(total(&app).await, json!(3));
    app.create_filter("ssl").await;
    assert_eq!(total(&app).await, json!(4));
    let logged = app.get(&app.account("/audit_logs?action.type=zone.recount&zone.name=blocked.example")).await;
    let entry = &logged.body["result"][0];
    assert_eq!(entry["oldValueJson"], json!({"list": "filters", "items": 7}));
    assert_eq!(entry["newValueJson"], json!({"list": "filters", "items": 3}));
}

#[tokio::test]
async fn backup_check_and_verify_ignore_the_statement_timeout() {
    let app = TestApp::start().await;
    let Some(url) = app.database.url() else { return };
    let storage =
        app.database.storage(Timeouts { statement_timeout: Duration::from_millis(100), ..Timeouts::default() });
    for number in 0..3 {
        // Each table can be read only after the lock is released.
        let mut holder = sqlx::PgConnection::connect(&url).await.unwrap();
        holder.execute("begin; lock table audit_log in access exclusive mode").await.unwrap();
        let release = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            holder.execute("commit").await.unwrap();
        };
        let (data, file) = (app.data_dir.path(), app.data_dir.path().join("slow.backup"));
        let work = async {
            match number {
                0 => back_up(data, &storage, &file).await.map(drop),
                1 => check(data, &storage).await.map(drop),
                _ => zonewright_store::verify_audit_log(data, &storage, &[]).await.map(drop),
            }
        };
        let ((), done) = tokio::join!(release, work);
        assert_eq!(done, Ok(()), "{number}");
    }
}

/// Leftovers of a crash and existing files at the path of a backup.
#[cfg(unix)]
#[tokio::test]
async fn backup_never_overwrites_an_existing_file() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let app = TestApp::start().await;
    let storage = app.database.storage(Timeouts::default());
    let path = |name: &str| app.data_dir.path().join(name);
    std::fs::write(path("a.backup.new"), "left by a crash").unwrap();
    std::fs::set_permissions(path("a.backup.new"), PermissionsExt::from_mode(0o644)).unwrap();
    std::fs::write(path("others"), "theirs").unwrap();
    symlink(path("others"), path("b.backup.new")).unwrap();
    for name in ["a.backup", "b.backup"] {
        back_up(app.data_dir.path(), &storage, &path(name)).await.unwrap();
        let metadata = std::fs::symlink_metadata(path(name)).unwrap();
        assert!(metadata.is_file() && metadata.permissions().mode() & 0o777 == 0o600, "{name}: {metadata:?}");
    }
    assert_eq!(std::fs::read_to_string(path("a.backup.new")).unwrap(), "left by a crash");
    assert_eq!(std::fs::read_to_string(path("others")).unwrap(), "theirs");
    // A dangling link counts as an existing file.
    symlink(path("nowhere"), path("c.backup")).unwrap();
    let error = back_up(app.data_dir.path(), &storage, &path("c.backup")).await.unwrap_err();
    assert!(error.contains("already exists") && !path("nowhere").exists(), "{error}");
}

#[tokio::test]
async fn concurrent_backups_to_one_path_create_one_file() {
    let app = TestApp::start().await;
    let storage = app.database.storage(Timeouts::default());
    let folder = TempDir::new().unwrap();
    for number in 0..5 {
        let file = folder.path().join(format!("{number}.backup"));
        let attempt = async || {
            let result = back_up(app.data_dir.path(), &storage, &file).await;
            // A backup that reports an existing file finds it complete.
            if result.is_ok() {
                restore(&folder.path().join(number.to_string()), &StoreConfig::default(), &file).await.unwrap();
            }
            result.is_ok()
        };
        assert_eq!(<[bool; 2]>::from(tokio::join!(attempt(), attempt())).iter().filter(|result| **result).count(), 1);
        let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.filter(|name| name.to_string_lossy().ends_with(".new")).count(), 0);
    }
}

#[tokio::test]
async fn truncated_backup_is_rejected_without_side_effects() {
    let (app, file) = create_backup().await;
    let content = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = content.lines().collect();
    let cases = [
        (String::new(), "incomplete"),
        ("{}\n".to_owned(), "not a backup"),
        (lines[..lines.len() - 1].join("\n"), "incomplete"),
        (content.replace("\"ssl\"", "\"not ssl\""), "checksum"),
        (format!("{content}x\n"), "after its end marker"),
    ];
    for (text, expected) in cases {
        let folder = TempDir::new().unwrap();
        let broken = folder.path().join("broken");
        std::fs::write(&broken, text).unwrap();
        let error = restore(&folder.path().join("data"), &StoreConfig::default(), &broken).await.unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert!(!folder.path().join("data").exists());
    }
    let storage = app.database.storage(Timeouts::default());
    let error = back_up(app.data_dir.path(), &storage, &file).await.unwrap_err();
    assert!(error.contains("already exists"), "{error}");
}

#[tokio::test]
async fn check_reports_inconsistencies() {
    let (app, file) = create_backup().await;
    let folder = TempDir::new().unwrap();
    restore(folder.path(), &StoreConfig::default(), &file).await.unwrap();
    let damage = |statement: &'static str| {
        let url = format!("sqlite://{}/zonewright.db", folder.path().display());
        async move {
            let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
            connection.execute("pragma foreign_keys = off").await.unwrap();
            connection.execute(statement).await.unwrap();
            connection.close().await.unwrap();
        }
    };
    let cases = [
        ("update logpush_jobs set settings = '{'", "log push job `1` cannot be read"),
        (
            "insert into ruleset_versions (ruleset_id, version, name, description, last_updated, rules)
             values ('r', 1, '', '', '', '{')",
            "earlier version of ruleset `r` cannot be read",
        ),
        ("update filters set expression = 'not ssl' where expression = 'ssl'", "does not match its digest"),
        ("update audit_log set actor = 'nobody' where seq = 1", "was altered"),
        ("update audit_log set seq = 99 where seq = 1", "gap before entry 99"),
        ("update zones set tier = 'gold' where tier = 'pro'", "has the unknown value `gold`"),
        ("update counters set last = 0 where name = 'logpush_jobs'", "is already in use"),
        ("update tokens set expires_on = 'never'", "has the invalid expiry time `never`"),
        ("update tokens set expires_on = '2099-01-01T00:00:00+01:00'", "has the invalid expiry time"),
        ("update firewall_rules set priority = -1", "has the invalid priority -1"),
        ("update firewall_rules set priority = 2147483648", "has the invalid priority 2147483648"),
        ("update rulesets set name = 'other'", "differs from its stored version 3"),
        ("delete from ruleset_versions where version = 2", "/2` is missing but was not deleted"),
        ("update ruleset_versions set version = -60 where version = 1", "version -60 of the ruleset"),
        ("update rulesets set version = 2", "the later version 3 is stored"),
        ("update rulesets set version = 9", "the current version 9 of the ruleset"),
        ("update list_counts set items = items + 1 where list = 'filters'", "`filters` in the zone"),
        ("delete from list_counts where list = 'firewall_rules'", "`firewall_rules` in the zone"),
        (
            "insert into token_grants (token_id, permission, zone_id) select id, 'Logs Read', 'gone' from tokens",
            "is limited to the zone `gone`, which does not exist",
        ),
        ("delete from accounts", "missing rows of `accounts`"),
    ];
    for (count, (statement, expected)) in cases.into_iter().enumerate() {
        damage(statement).await;
        let problems = check(folder.path(), &StoreConfig::default()).await.unwrap();
        assert!(problems.iter().any(|problem| problem.description.contains(expected)), "{statement}: {problems:#?}");
        assert!(problems.len() > count.min(1), "{problems:#?}");
    }
    drop(app);
}
