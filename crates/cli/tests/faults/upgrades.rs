//! Upgrades of every schema version: `samples/version-N.sql` contains rows in the format of that version. The schema
//! comes from the statements of that version, which never change.

use crate::postgres::PostgresServer;
use crate::service::{ApiClient, Options, rows, wait_until};
use serde_json::json;
use sqlx::any::{AnyPoolOptions, install_default_drivers};
use sqlx::migrate::Migrator;
use sqlx::{AssertSqlSafe, SqlStr};
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// A token of the sample; the database contains its digest.
const TOKEN: &str = "sample-token-sample-token-sample-token-0";

/// Creates a database of this version, with the rows of its sample.
fn create_database_at_version(options: &Options, version: i64) {
    install_default_drivers();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sample = root.join(format!("tests/faults/samples/version-{version}.sql"));
    let sample = std::fs::read_to_string(sample).unwrap();
    std::fs::create_dir_all(&options.data).unwrap();
    let file = || format!("sqlite://{}/zonewright.db?mode=rwc", options.data.display());
    let url = options.database.clone().unwrap_or_else(file);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let migrations = Migrator::new(root.join("../store/src/migrations")).await.unwrap();
        let pool = AnyPoolOptions::new().max_connections(1).connect(&url).await.unwrap();
        migrations.run_to(version, &pool).await.unwrap();
        execute(&pool, AssertSqlSafe(sample)).await;
        pool.close().await;
    });
}

/// Executes a statement on the PostgreSQL database.
fn execute_on_server(options: &Options, statement: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let pool = AnyPoolOptions::new().connect(options.database.as_ref().unwrap()).await.unwrap();
        execute(&pool, AssertSqlSafe(statement.to_owned())).await;
        pool.close().await;
    });
}

async fn execute(pool: &sqlx::AnyPool, statements: impl sqlx::SqlSafeStr) {
    let statements: SqlStr = statements.into_sql_str();
    sqlx::raw_sql(statements).execute(pool).await.unwrap();
}

/// Options of a service on the existing database.
fn options(folder: &TempDir, database: Option<String>) -> Options {
    let mut options = Options::new(&folder.path().join("data"), database);
    options.serve_options.push("--no-demo".to_owned());
    options
}

/// Asserts that the rows of a database of this version exist and that the service can change them.
fn assert_intact(api: &ApiClient, version: i64) {
    let zones = api.get("/zones").result();
    let zone = |name: &str| zones.as_array().unwrap().iter().find(|zone| zone["name"] == json!(name)).unwrap();
    let account = zone("sample.example")["account"]["id"].as_str().unwrap().to_owned();
    let path = |name: &str, rest: &str| format!("/zones/{}/{rest}", zone(name)["id"].as_str().unwrap());
    assert_eq!(zone("business.example")["plan"]["legacy_id"], json!("business"));
    let sample = |rest: &str| path("sample.example", rest);
    if version >= 5 {
        assert_log_intact(api, &format!("/accounts/{account}/audit_logs"));
    }
    if version >= 10 {
        let gone_zone_entries = api.get(&format!("/accounts/{account}/audit_logs?zone.name=gone.example")).result();
        assert_eq!(gone_zone_entries[0]["action"]["type"], json!("zone.change_plan"), "{gone_zone_entries:#}");
    }
    assert_rules_intact(api, &sample);
    if version >= 2 {
        assert_jobs_intact(api, &sample("logpush/jobs"), &format!("/accounts/{account}/logpush/jobs"));
    }
    let business = |rest: &str| path("business.example", rest);
    if version >= 3 {
        let overrides = api.get(&sample("firewall/waf/overrides")).result();
        assert_eq!((&overrides[0]["description"], &overrides[0]["priority"]), (&json!("login"), &json!(2)));
        let page_rules = api.get(&business("pagerules")).result();
        assert_eq!(page_rules[0]["actions"], json!([{"id": "waf", "value": "off"}]));
        assert_eq!(api.get(&sample("settings/waf")).result()["value"], json!("on"));
    }
    if version == 3 {
        assert_legacy_waf_intact(api, &business);
    }
    if version >= 4 {
        // Its delay ended long ago.
        wait_until(Duration::from_secs(10), "migration complete", || {
            let status = api.get(&business("waf_migration/status")).result();
            (status["migration_state"] == json!("complete")).then_some(())
        });
        let entry_point = business("rulesets/phases/http_request_firewall_managed/entrypoint");
        let before = api.get(&entry_point).result();
        let rules = before["rules"].as_array().unwrap();
        assert!(rules.iter().any(|rule| rule["action"] == json!("execute")), "{before:#}");
        assert_eq!(before["version"], json!("1"));
        let after = api.send("PUT", &entry_point, &json!({"rules": before["rules"]})).result();
        assert_eq!((&after["version"], &after["id"]), (&json!("2"), &before["id"]));
        assert_eq!(api.get(&format!("{entry_point}/versions/1")).result()["rules"], before["rules"]);
        assert_eq!(api.get(&business("firewall/waf/packages")).status, 410);
    }
    if version >= 7 {
        let rulesets = api.get(&format!("/accounts/{account}/rulesets")).result();
        let custom = rulesets.as_array().unwrap().iter().find(|ruleset| ruleset["kind"] == json!("custom")).unwrap();
        let path = format!("/accounts/{account}/rulesets/{}", custom["id"].as_str().unwrap());
        assert_eq!(api.get(&format!("{path}/versions/1")).result()["rules"][0]["description"], json!("one"));
        assert_eq!(api.get(&path).result()["rules"][0]["description"], json!("two"));
        let limit = api.get(&business("rulesets/phases/http_ratelimit/entrypoint")).result();
        assert_eq!(limit["rules"][0]["ratelimit"]["requests_per_period"], json!(10));
    }
}

/// Asserts that the audit log lists the entries of the sample, which belong to the account and both of its zones.
fn assert_log_intact(api: &ApiClient, path: &str) {
    let sample_log = api.get(&format!("{path}?since=2026-11-22T10:14:33Z&before=2026-11-22T10:14:35Z")).body;
    assert_eq!(sample_log["result_info"]["total_count"], json!(15), "{sample_log:#}");
    let business_log = api
        .get(&format!("{path}?since=2026-11-22T10:14:33Z&before=2026-11-22T10:14:35Z&zone.name=business.example"))
        .body;
    assert_eq!(business_log["result_info"]["total_count"], json!(2), "{business_log:#}");
}

fn assert_rules_intact(api: &ApiClient, path: &impl Fn(&str) -> String) {
    let list = api.get(&path("firewall/rules"));
    assert_eq!(list.body["result_info"]["total_count"], json!(3), "{:#}", list.body);
    let rules = list.result();
    let first = rules.as_array().unwrap().iter().find(|rule| rule["ref"] == json!("RUL-1")).unwrap();
    assert_eq!(first["filter"]["expression"], json!("http.host eq \"ö.example\" and not ssl"));
    assert_eq!(first["filter"]["description"], json!("It's \\ \"quoted\""));
    assert_eq!(api.get(&path("filters?ref=FIL-1")).result()[0]["id"], first["filter"]["id"]);
    let shared = rules.as_array().unwrap().iter().filter(|rule| rule["filter"]["id"] == first["filter"]["id"]);
    assert_eq!(shared.count(), 2);
    let bypass = rules.as_array().unwrap().iter().find(|rule| rule["action"] == json!("bypass")).unwrap();
    assert_eq!(bypass["products"], json!(["waf"]));
    let new = json!([{"filter": {"expression": "ssl"}, "action": "block"}]);
    let created = api.send("POST", &path("firewall/rules"), &new).result();
    assert_eq!(api.get(&path("filters")).body["result_info"]["total_count"], json!(4));
    api.send("DELETE", &path(&format!("firewall/rules/{}", first["id"].as_str().unwrap())), &json!({})).result();
    let last = api.get(&path("firewall/rules?per_page=5")).body;
    assert_eq!(last["result_info"]["total_count"], json!(3));
    let is_listed = last["result"].as_array().unwrap().iter().any(|rule| rule["id"] == created[0]["id"]);
    assert!(is_listed, "{last:#}");
}

fn assert_jobs_intact(api: &ApiClient, zone_path: &str, account_path: &str) {
    let job = &api.get(zone_path).result()[0];
    assert_eq!((&job["id"], &job["enabled"], &job["max_upload_records"]), (&json!(1), &json!(false), &json!(2000)));
    assert_eq!(job["destination_conf"], json!("https://logs.example/in?header_Authorization=secret"));
    assert!(job["filter"].as_str().unwrap().contains("ClientCountry"));
    let changed = api.send("PUT", &format!("{zone_path}/1"), &json!({"name": "second"})).result();
    assert_eq!((&changed["name"], &changed["output_options"]), (&json!("second"), &job["output_options"]));
    let other = &api.get(account_path).result()[0];
    assert_eq!((&other["dataset"], &other["enabled"]), (&json!("audit_logs"), &json!(true)));
    let new = json!({"dataset": "http_requests", "destination_conf": "https://logs.example/"});
    assert_eq!(api.send("POST", zone_path, &new).result()["id"], json!(3), "IDs are never reused");
}

fn assert_legacy_waf_intact(api: &ApiClient, path: &impl Fn(&str) -> String) {
    let packages = api.get(&path("firewall/waf/packages")).result();
    let package_of_mode = |mode: &str| {
        packages.as_array().unwrap().iter().find(|package| package["detection_mode"] == json!(mode)).unwrap().clone()
    };
    let (scored, plain) = (package_of_mode("anomaly"), package_of_mode("traditional"));
    assert_eq!((&scored["sensitivity"], &scored["action_mode"]), (&json!("low"), &json!("simulate")));
    let plain = path(&format!("firewall/waf/packages/{}", plain["id"].as_str().unwrap()));
    assert_eq!(api.get(&format!("{plain}/rules/100554")).result()["mode"], json!("simulate"));
    assert_eq!(api.get(&format!("{plain}/groups/bba1dfecdae04dcc282c50a75dc2e1f3")).result()["mode"], json!("off"));
}

#[test]
fn every_schema_version_upgrades_to_the_current_one() {
    for version in 1..=12 {
        let folder = TempDir::new().unwrap();
        let options = options(&folder, None);
        create_database_at_version(&options, version);
        let output = options.admin(&["check"]);
        let message = String::from_utf8(output.stdout).unwrap();
        assert!(message.contains(&format!("the schema version is {version}, not")), "{message}");
        // These commands do not upgrade the schema, because a running process would not know the new one.
        for arguments in [&["zone", "create", "a.example", "--plan", "pro"][..], &["audit", "verify"]] {
            let output = options.admin(arguments);
            let message = String::from_utf8(output.stderr).unwrap();
            let is_rejected = !output.status.success() && message.contains("start the service once");
            assert!(is_rejected && message.contains(&format!("its schema version is {version},")), "{message}");
        }
        // A backup is created before the upgrade starts.
        let backup = folder.path().join("backup");
        let backup = backup.to_str().unwrap();
        let other = TempDir::new().unwrap();
        let restored = self::options(&other, None);
        for (options, arguments) in [(&options, ["backup", backup]), (&restored, ["restore", backup])] {
            let output = options.admin(&arguments);
            assert!(output.status.success(), "{version}: {}", String::from_utf8_lossy(&output.stderr));
        }
        assert_intact(&restored.start().api(TOKEN), version);
        let mut service = options.start();
        assert_intact(&service.api(TOKEN), version);
        service.stop();
        options.assert_database_consistent();
        let entry_count = rows(&options, "select cast(count(*) as text) from audit_log where actor <> 'service'");
        assert!(
            version < 5 || entry_count[0][0].parse::<u64>().unwrap() > 16,
            "the audit log continues: {entry_count:?}"
        );
    }
}

#[test]
fn postgresql_schema_versions_upgrade_to_the_current_one() {
    let Some(cluster) = PostgresServer::start() else { return };
    // Version 8 is the first with PostgreSQL support.
    for version in 8..=12 {
        let folder = TempDir::new().unwrap();
        let options = options(&folder, Some(cluster.database(&format!("former{version}"))));
        create_database_at_version(&options, version);
        if version == 8 {
            let insert_lease =
                "insert into leases (name, holder, until) values ('data folder of another', 'other/1', $1)";
            execute_on_server(&options, &insert_lease.replace("$1", "4000000000000"));
            let message = options.startup_error();
            assert!(
                message.contains("stop all of them first") && message.contains("(data folder of another)"),
                "{message}"
            );
            // The service waits for a lease that expires.
            let now = "cast(extract(epoch from clock_timestamp()) * 1000 as bigint) + 3000";
            execute_on_server(&options, &format!("update leases set until = {now}"));
        }
        let service = options.start();
        assert_intact(&service.api(TOKEN), version);
        options.assert_database_consistent();
        // No column was altered, because the default collation of the database is `C` already.
        let altered = "select cast(count(*) as text) from pg_attribute a join pg_collation k on k.oid = a.attcollation
                       join pg_class c on c.oid = a.attrelid where c.relname = 'filters' and k.collname = 'C'";
        assert_eq!(rows(&options, altered), [["0"]]);
    }
}

#[test]
fn newer_schema_is_refused_and_unchanged() {
    let folder = TempDir::new().unwrap();
    let options = options(&folder, None);
    options.start().stop();
    let file = options.data.join("zonewright.db");
    let url = format!("sqlite://{}", file.display());
    install_default_drivers();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let pool = AnyPoolOptions::new().connect(&url).await.unwrap();
        let later = "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
                     values (999, 'later', 1, x'00', 0)";
        execute(&pool, later).await;
        pool.close().await;
    });
    let before = std::fs::read(&file).unwrap();
    let message = options.startup_error();
    assert!(message.contains("its schema version 999 is newer than this version of zonewright supports"), "{message}");
    for arguments in [&["zone", "create", "a.example", "--plan", "pro"][..], &["check"]] {
        let output = options.admin(arguments);
        let message = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        assert!(!output.status.success() && message.contains("schema version") && message.contains("999"), "{message}");
    }
    assert!(std::fs::read(&file).unwrap() == before, "the file was changed");
}
