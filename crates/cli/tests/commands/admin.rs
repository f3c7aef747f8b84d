//! `zonewright admin`: accounts, users, zones and tokens in a data directory.

use crate::support::{run, stderr, stdout, zonewright};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Output, Stdio};

/// Runs `zonewright admin` on a data directory.
fn run_admin(data: &Path, arguments: &[&str]) -> Output {
    let mut admin_arguments = vec!["admin", "--data", data.to_str().unwrap()];
    admin_arguments.extend(arguments);
    run(&admin_arguments, "")
}

#[test]
fn admin_on_empty_data_directory_creates_and_revokes_a_token() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let admin = |arguments: &[&str]| run_admin(&data, arguments);
    let output = admin(&["zone", "create", "a.example", "--plan", "pro"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("zonewright admin account create"), "{}", stderr(&output));
    let json = |arguments: &[&str]| -> Value {
        let output = admin(arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        serde_json::from_str(&stdout(&output)).unwrap()
    };
    json(&["account", "create", "Mine", "--format", "json"]);
    let zone = json(&["zone", "create", "a.example", "--plan", "pro", "--format", "json"]);
    let token = json(&[
        "token",
        "create",
        "reader",
        "--permission",
        "zone waf read",
        "--zone",
        zone["zone"].as_str().unwrap(),
        "--expires",
        "2999-01-01",
        "--format",
        "json",
    ]);
    assert_eq!(token["token"].as_str().unwrap().len(), 40);
    let listed = json(&["token", "list", "--format", "json"]);
    assert_eq!(
        (&listed[0]["permissions"], &listed[0]["zones"], &listed[0]["expires"]),
        (&json!(["Zone WAF Read"]), &json!([zone["zone"]]), &json!("2999-01-01T00:00:00Z"))
    );
    assert!(
        !stdout(&admin(&["token", "list"])).contains(token["token"].as_str().unwrap()),
        "the token is shown only once"
    );
    assert_eq!(admin(&["token", "revoke", token["id"].as_str().unwrap()]).status.code(), Some(0));
    assert_eq!(json(&["token", "list", "--format", "json"]), Value::Array(Vec::new()));

    let key = stdout(&admin(&["user", "create", "me@a.example"]));
    assert!(key.lines().any(|line| line.starts_with("key ") && line.len() == 8 + 37), "{key}");
    assert!(stdout(&admin(&["token", "permissions"])).contains("Firewall Services Write\n"));
    for invalid in [
        &["token", "create", "x"][..],
        &["token", "create", "x", "--permission", "Everything"],
        &["token", "create", "x", "--everything", "--zone", "1"],
        &["zone", "create", "a.example", "--plan", "pro"],
        &["zone", "create", "b.example", "--plan", "gold"],
    ] {
        assert_eq!(admin(invalid).status.code(), Some(2), "{invalid:?}");
    }
}

/// Runs `zonewright admin` in a folder with environment variables. Unlike [`run_admin`], it adds no `--data`.
fn run_admin_with_env(folder: &Path, environment: &[(&str, &Path)], arguments: &[&str]) -> Output {
    let mut command = zonewright(&["admin"]);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command.envs(environment.iter().copied()).output().unwrap()
}

#[test]
fn admin_finds_the_database_from_the_same_options_as_serve() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [first, second, file] = ["one", "two", "zonewright.toml"].map(|name| folder.join(name));
    let options = format!("data = {second:?}\nlisten = \"127.0.0.1:1\"\nhost = [\"a.example\"]\n");
    std::fs::write(&file, options).unwrap();
    let data = ("ZONEWRIGHT_DATA", first.as_path());
    let config = ("ZONEWRIGHT_CONFIG", file.as_path());
    let expect_success = |output: Output| -> String {
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    expect_success(run_admin_with_env(folder, &[data], &["account", "create", "One"]));
    expect_success(run_admin_with_env(folder, &[], &["account", "create", "Two", "--config", file.to_str().unwrap()]));
    assert!(first.join("zonewright.db").exists() && second.join("zonewright.db").exists());
    assert!(!folder.join("zonewright-data").exists(), "no other directory is created");
    for (environment, flags, expected) in [
        (&[data][..], &[][..], "One"),
        (&[config], &[], "Two"),
        // Flags override the environment, and the environment overrides the file.
        (&[data, config], &[], "One"),
        (&[data, config], &["--data", "two"], "Two"),
        (&[data], &["--config", "zonewright.toml"], "One"),
    ] {
        let mut arguments = flags.to_vec();
        arguments.extend(["account", "list"]);
        let listed = expect_success(run_admin_with_env(folder, environment, &arguments));
        let names: Vec<&str> = listed.lines().map(|line| line.split_whitespace().last().unwrap()).collect();
        assert_eq!(names, [expected], "{environment:?} {flags:?}");
    }
    let database = ("ZONEWRIGHT_DATABASE", Path::new("mysql://nowhere/db"));
    let output = run_admin_with_env(folder, &[database], &["account", "create", "Three"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("must begin with `postgres://`"), "{}", stderr(&output));
    std::fs::write(&file, "databse = \"two\"\n").unwrap();
    let output = run_admin_with_env(folder, &[config], &["account", "list"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("line 1: unknown option `databse`; did you mean `database`?"));
}

#[test]
fn admin_on_missing_database_creates_nothing_and_reports_error() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let nowhere = folder.join("nowhere");
    for arguments in [
        &["account", "list"][..],
        &["user", "list"],
        &["user", "create", "me@a.example"],
        &["user", "revoke", "me@a.example"],
        &["zone", "list"],
        &["zone", "create", "a.example", "--plan", "pro"],
        &["token", "list"],
        &["token", "revoke", "1"],
        &["token", "create", "x", "--everything"],
        &["audit", "list"],
        &["audit", "verify"],
        &["backup", "file"],
        &["check"],
    ] {
        let output = run_admin_with_env(folder, &[("ZONEWRIGHT_DATA", &nowhere)], arguments);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {message}");
        assert!(message.contains(&format!("there is no Zonewright database in {}", nowhere.display())), "{message}");
        assert!(message.contains("--data") && message.contains("--config"), "{message}");
        let entries: Vec<_> = std::fs::read_dir(folder).unwrap().collect();
        assert!(entries.is_empty(), "{arguments:?} {entries:?}");
    }
    let output = run_admin_with_env(folder, &[], &["account", "list"]);
    assert!(stderr(&output).contains(&folder.join("zonewright-data").display().to_string()));
    let packed = folder.join("packed");
    std::fs::write(&packed, [0x1f, 0x8b, 8, 0, 0, 0, 0, 0]).unwrap();
    let output = run_admin_with_env(folder, &[("ZONEWRIGHT_DATA", &nowhere)], &["restore", "packed"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("as `zonewright admin backup` writes them"), "{}", stderr(&output));
    assert!(!nowhere.exists());
}

#[test]
fn created_tokens_are_listed_with_their_restrictions() {
    let folder = tempfile::tempdir().unwrap();
    let admin = |arguments: &[&str]| {
        let output = run_admin(folder.path(), arguments);
        (output.status.code(), stdout(&output), stderr(&output))
    };
    assert_eq!(admin(&["account", "create", "Mine"]).0, Some(0));
    let (_, zone, _) = admin(&["zone", "create", "a.example", "--plan", "pro", "--format", "json"]);
    let zone = serde_json::from_str::<Value>(&zone).unwrap()["zone"].as_str().unwrap().to_owned();
    let (code, _, message) = admin(&["token", "create", "x", "--permission", "Account WAF Read", "--zone", &zone]);
    assert_eq!(code, Some(2));
    assert!(message.contains("`Account WAF Read` applies to the account"), "{message}");
    assert_eq!(admin(&["token", "create", "all", "--everything"]).0, Some(0));
    // `--permission` also takes the ID of a permission group.
    let zone_waf_write_id = "fb6778dc191143babbfaa57993f1d275";
    let some =
        ["token", "create", "some", "--permission", zone_waf_write_id, "--permission", "logs read", "--zone", &zone];
    assert_eq!(admin(&some).0, Some(0));
    assert_eq!(admin(&["token", "create", "x", "--permission", "fb6778dc191143babbfaa57993f1d276"]).0, Some(2));
    let (_, listed, _) = admin(&["token", "list", "--format", "json"]);
    let listed: Vec<Value> = serde_json::from_str(&listed).unwrap();
    let restrictions = |name: &str| {
        let token = listed.iter().find(|token| token["name"] == json!(name)).unwrap();
        [&token["permissions"], &token["zones"], &token["expires"]].map(Value::clone)
    };
    assert_eq!(restrictions("all"), [Value::Null, Value::Null, Value::Null], "no limits");
    assert_eq!(restrictions("some"), [json!(["Logs Read", "Zone WAF Write"]), json!([zone]), Value::Null]);
    let (_, listed, _) = admin(&["token", "list"]);
    assert!(
        listed.contains("  everything  all  never\n") && listed.contains("  Logs Read, Zone WAF Write  "),
        "{listed}"
    );
}

#[test]
fn plan_changes_and_deletions_succeed() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let admin = |arguments: &[&str]| run_admin(&data, arguments);
    let expect_success = |arguments: &[&str]| -> Output {
        let output = admin(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?} {}", stderr(&output));
        output
    };
    let json = |arguments: &[&str]| -> Value {
        serde_json::from_str(&stdout(&expect_success(&[arguments, &["--format", "json"]].concat()))).unwrap()
    };
    let newest_actions = |number: usize| -> Vec<String> {
        let log = json(&["audit", "list", "--limit", &number.to_string()]);
        log.as_array().unwrap().iter().map(|entry| entry["action"]["type"].as_str().unwrap().to_owned()).collect()
    };
    let account = json(&["account", "create", "Mine"])["account"].as_str().unwrap().to_owned();
    let zone = json(&["zone", "create", "a.example", "--plan", "pro"])["zone"].as_str().unwrap().to_owned();
    let second = json(&["zone", "create", "B.Example.", "--plan", "free"]);
    assert_eq!(second["name"], "b.example", "the name is shown as it is stored");
    let kept = json(&["token", "create", "kept", "--everything"])["id"].clone();
    expect_success(&["token", "create", "gone", "--permission", "Zone WAF Write", "--zone", &zone]);
    assert_eq!(json(&["zone", "plan", "a.example", "enterprise"])["plan"], json!("enterprise"));
    assert_eq!(
        stderr(&expect_success(&["zone", "plan", &zone, "business"])).lines().count(),
        1,
        "a lower plan prints one warning"
    );
    assert_eq!(json(&["zone", "list"])[0]["plan"], json!("business"));
    assert_eq!(newest_actions(2), ["zone.change_plan", "zone.change_plan"]);
    for invalid in [
        &["zone", "plan", "a.example", "business"][..],
        &["zone", "plan", "a.example", "gold"],
        &["zone", "plan", "c.example", "pro"],
        &["zone", "delete", "c.example", "--yes"],
        &["zone", "delete", "a.example"],
        &["account", "delete", &account, "--yes"],
        &["account", "delete", "nobody", "--yes"],
    ] {
        assert_eq!(admin(invalid).status.code(), Some(2), "{invalid:?}");
    }
    assert_eq!(stdout(&expect_success(&["zone", "delete", "a.example", "--yes"])), "deleted a.example\n");
    assert_eq!(json(&["zone", "list"]).as_array().unwrap().len(), 1);
    assert_eq!(json(&["token", "list"])[0]["id"], kept, "only tokens that are limited to the zone are revoked");
    assert_eq!(newest_actions(2), ["zone.delete", "token.revoke"]);
    expect_success(&["zone", "delete", "b.example", "--yes"]);
    expect_success(&["user", "create", "me@a.example"]);
    expect_success(&["account", "delete", &account, "--yes"]);
    for list in ["account", "user", "zone", "token"] {
        assert_eq!(json(&[list, "list"]), json!([]), "{list}");
    }
    assert_eq!(stdout(&expect_success(&["check"])), "no problems found\n");
    assert_eq!(newest_actions(1), ["account.delete"]);
}

#[test]
fn audit_log_is_listed_filtered_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let admin = |arguments: &[&str]| run_admin(&data, arguments);
    let no_database = admin(&["audit", "verify"]);
    assert_eq!(no_database.status.code(), Some(2));
    assert!(!data.exists(), "a read command creates nothing");
    assert_eq!(admin(&["account", "create", "Mine"]).status.code(), Some(0));
    assert_eq!(admin(&["zone", "create", "a.example", "--plan", "pro"]).status.code(), Some(0));
    let listed = admin(&["audit", "list", "--since", "2020-01-01", "--format", "json"]);
    let entries: Value = serde_json::from_str(&stdout(&listed)).unwrap();
    let kinds: Vec<&Value> = entries.as_array().unwrap().iter().map(|entry| &entry["action"]["type"]).collect();
    assert_eq!(kinds, ["zone.create", "account.create"]);
    assert!(stdout(&admin(&["audit", "list", "--limit", "1"])).contains("  admin  zone.create  "));
    assert_eq!(stdout(&admin(&["audit", "list", "--before", "2020-01-01"])), "");

    let verified = stdout(&admin(&["audit", "verify"]));
    let lines: Vec<&str> = verified.lines().collect();
    assert_eq!(lines[..2], ["# 2 entries in 2 logs", "# every entry follows the previous one"]);
    assert!(lines[2].starts_with("service 1 ") && lines.len() == 4, "{verified}");
    let [known, known_json] = ["known.txt", "known.json"].map(|name| folder.path().join(name));
    std::fs::write(&known, &verified).unwrap();
    std::fs::write(&known_json, stdout(&admin(&["audit", "verify", "--format", "json"]))).unwrap();
    assert_eq!(admin(&["user", "create", "me@a.example"]).status.code(), Some(0));
    for known in [&known, &known_json] {
        let again = admin(&["audit", "verify", "--known", known.to_str().unwrap()]);
        assert_eq!(again.status.code(), Some(0), "{}", stdout(&again));
    }
    let other = verified.replace("service 1 ", "service 2 ");
    std::fs::write(&known, other).unwrap();
    let missing = admin(&["audit", "verify", "--known", known.to_str().unwrap()]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(stdout(&missing).contains("# the audit log of the service is truncated: the known entry 2 is missing\n"));
    for invalid in ["", "service", "service 1 x y"] {
        std::fs::write(&known, invalid).unwrap();
        assert_eq!(admin(&["audit", "verify", "--known", known.to_str().unwrap()]).status.code(), Some(2), "{invalid}");
    }
    assert_eq!(admin(&["audit", "list", "--since", "yesterday"]).status.code(), Some(2));
    assert_eq!(admin(&["account", "create", "A\u{202e}B"]).status.code(), Some(0));
    let hostile = stdout(&admin(&["audit", "list", "--limit", "1"]));
    assert!(hostile.contains(r"A\u202eB") && !hostile.contains('\u{202e}'), "{hostile}");
}

#[test]
fn audit_log_shows_changes_and_applies_each_filter() {
    let folder = tempfile::tempdir().unwrap();
    let admin = |arguments: &[&str]| {
        let output = run_admin(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?} {}", stderr(&output));
        stdout(&output)
    };
    admin(&["account", "create", "Mine"]);
    admin(&["user", "create", "me@a.example"]);
    let json = ["--format", "json"];
    let zone: Value =
        serde_json::from_str(&admin(&[&["zone", "create", "a.example", "--plan", "pro"][..], &json].concat())).unwrap();
    let zone = zone["zone"].as_str().unwrap();
    admin(&["zone", "create", "b.example", "--plan", "free"]);
    admin(&["zone", "plan", "a.example", "business"]);
    let list = |filters: &[&str]| admin(&[&["audit", "list"], filters].concat());
    let actions = |filters: &[&str]| -> Vec<String> {
        let listed = list(filters);
        let lines = listed.lines().filter(|line| !line.starts_with(' '));
        lines.map(|line| line.split("  ").nth(2).unwrap().to_owned()).collect()
    };
    let newest = list(&["--limit", "1"]);
    let [entry, before, after] = <[&str; 3]>::try_from(newest.lines().collect::<Vec<_>>()).unwrap();
    assert!(entry.contains(&format!("  admin  zone.change_plan  {zone}  a.example  -")), "{newest}");
    assert!(before.starts_with("  before  {") && before.contains("\"pro\""), "{newest}");
    assert!(after.starts_with("  after   {") && after.contains("\"business\""), "{newest}");

    // The entry of a zone's creation is in the log of its account, so `--zone-name` does not list it.
    assert_eq!(actions(&["--zone-name", "A.example"]), ["zone.change_plan"]);
    assert!(actions(&["--zone-name", "b.example"]).is_empty());
    assert_eq!(actions(&["--action-type", "zone.create"]), ["zone.create", "zone.create"]);
    assert!(actions(&["--action-type", "zone.create", "--zone-name", "a.example"]).is_empty());
    assert_eq!(actions(&["--direction", "asc"])[..2], ["account.create", "user.set_key"]);
    assert_eq!(actions(&["--hide-user-logs"]).iter().filter(|action| action.starts_with("user.")).count(), 0);
    assert_eq!(actions(&["--action-type", "user.set_key"]).len(), 1);
    assert!(actions(&["--actor-email", "me@a.example"]).is_empty());
    assert_eq!(actions(&["--since", "2020-01-01", "--before", "2020-01-02"]), [""; 0]);
    let entries: Value = serde_json::from_str(&list(&["--limit", "1", "--format", "json"])).unwrap();
    assert_eq!(actions(&["--id", entries[0]["id"].as_str().unwrap()]), ["zone.change_plan"]);
    admin(&["zone", "delete", "a.example", "--yes"]);
    assert_eq!(actions(&["--zone-name", zone]), ["zone.change_plan"], "a deleted zone is found by its ID");
    assert!(list(&["--zone-name", zone]).lines().all(|line| line.starts_with(' ') || line.contains(zone)));
}

#[test]
fn closed_pipe_is_not_an_error_of_admin_commands() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    assert_eq!(run_admin(&data, &["account", "create", "Mine"]).status.code(), Some(0));
    let (backup, other) = (folder.path().join("one.backup"), folder.path().join("other"));
    let (backup, data, other) = (backup.to_str().unwrap(), data.to_str().unwrap(), other.to_str().unwrap());
    for words in [
        &["--data", data, "backup", backup][..],
        &["--data", other, "restore", backup],
        &["--data", data, "check"],
        &["--data", data, "check", "--repair"],
        &["--data", data, "account", "list"],
        &["--data", data, "audit", "list"],
        &["--data", data, "audit", "verify"],
        &["--data", data, "token", "permissions"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = zonewright(&["admin"]).args(words).stdin(Stdio::null()).stdout(writer).output().unwrap();
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{words:?}");
    }
}

#[test]
fn admin_names_the_values_of_required_options() {
    let token = run(&["admin", "token", "create", "x"], "");
    assert!(stderr(&token).contains("<--permission <NAME>|--everything>"), "{}", stderr(&token));
    let help = stdout(&run(&["admin", "zone", "create", "--help"], ""));
    assert!(help.contains("[possible values: free, pro, business, enterprise]"), "{help}");
}
