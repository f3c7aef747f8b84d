//! Lists and verifies the audit log.

use super::output::OutputArgs;
use crate::integer::integer_parser;
use crate::output::{EXIT_OK, EXIT_PROBLEMS, OutputFormat, write_stdout};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use zonewright_api::audit_log::AuditLog;
use zonewright_diagnostic::{is_unsafe_for_terminal, pluralize};
use zonewright_store::{LogHead, LogQuery, LogReport, StoreConfig, read_log, verify_audit_log};

/// The audit log.
#[derive(Subcommand)]
pub(super) enum AuditCommand {
    /// List entries with the object before and after the change, newest first.
    List(Box<ListArgs>),
    /// Verify that no entry of the audit log is missing or was altered.
    ///
    /// The exit code is 1 if the verification fails. Prints the end of the log of each account, each zone, and the
    /// service: store this output elsewhere, and pass it to a later run with `--known`.
    Verify {
        /// Output of an earlier run; the verification fails if an entry up to these ends is missing or was altered.
        #[arg(long, value_name = "FILE")]
        known: Option<PathBuf>,
        #[command(flatten)]
        output: OutputArgs,
    },
}

/// The filters of entries, which have the names of the parameters of the API.
#[derive(Args)]
pub(super) struct ListArgs {
    /// Entry with this ID; of the other filters, only --zone-name applies.
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Entries at this time or later: a date, or a time such as 2027-01-31T12:00:00Z.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Entries before this time.
    #[arg(long, value_name = "TIME")]
    before: Option<String>,
    /// Entries of changes by the user with this email address.
    #[arg(long, value_name = "EMAIL")]
    actor_email: Option<String>,
    /// Entries of this action, such as filter.create.
    #[arg(long, value_name = "TYPE")]
    action_type: Option<String>,
    /// Entries of the zone with this name or ID; the ID also finds the entries of a deleted zone.
    #[arg(long, value_name = "NAME|ID")]
    zone_name: Option<String>,
    /// Leave out entries about users.
    #[arg(long)]
    hide_user_logs: bool,
    /// Order of the entries.
    #[arg(long, value_enum, default_value_t = Direction::Desc)]
    direction: Direction,
    /// Maximum number of entries.
    #[arg(long, value_name = "NUMBER", default_value_t = 100, value_parser = integer_parser::<u64>(1..=1_000_000))]
    limit: u64,
    #[command(flatten)]
    output: OutputArgs,
}

/// The order of entries.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Direction {
    /// Newest first.
    Desc,
    /// Oldest first.
    Asc,
}

impl ListArgs {
    fn into_query(self) -> LogQuery {
        LogQuery {
            id: self.id,
            since: self.since,
            before: self.before,
            actor_email: self.actor_email,
            action_type: self.action_type,
            zone_name: self.zone_name,
            hide_user_logs: self.hide_user_logs,
            oldest_first: self.direction == Direction::Asc,
            limit: self.limit,
        }
    }
}

/// Formats an entry: one line with time, actor, action, object, zone and request, then the object before and after.
fn entry_to_text(entry: &AuditLog) -> String {
    let (metadata, resource) = (&entry.metadata, &entry.resource);
    let zone = match &metadata.zone_name {
        Some(name) => name,
        // The zone was deleted, and its name is unknown.
        None if metadata.log != entry.owner.id => &metadata.log,
        None => "",
    };
    let columns = [&entry.when, &entry.actor.id, &entry.action.kind, &resource.id, zone, &metadata.request_id];
    let columns: Vec<&str> = columns.into_iter().map(|column| if column.is_empty() { "-" } else { column }).collect();
    let mut text = format!("{}\n", columns.join("  "));
    for (name, value) in [("before", &entry.old_value), ("after", &entry.new_value)] {
        if let Some(value) = value {
            text.push_str(&format!("  {name:<6}  {}\n", escape_control_chars(&value.to_string())));
        }
    }
    text
}

/// Escapes characters of client data in JSON that would disturb a terminal.
fn escape_control_chars(json: &str) -> String {
    let escape = |c: char| if is_unsafe_for_terminal(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    json.chars().map(escape).collect()
}

/// Runs the command on a database.
pub(super) async fn run(data: &Path, storage: &StoreConfig, command: AuditCommand) -> Result<ExitCode, String> {
    match command {
        AuditCommand::List(list) => {
            let format = list.output.format;
            let entries = read_log(data, storage, list.into_query()).await?;
            let text = match format {
                OutputFormat::Json => format!("{:#}\n", json!(entries)),
                OutputFormat::Text => entries.iter().map(entry_to_text).collect(),
            };
            Ok(write_stdout(&text, EXIT_OK))
        }
        AuditCommand::Verify { known, output } => {
            let known = known.as_deref().map(read_known_heads).transpose()?.unwrap_or_default();
            let report = verify_audit_log(data, storage, &known).await?;
            let code = if report.problems.is_empty() { EXIT_OK } else { EXIT_PROBLEMS };
            let text = match output.format {
                OutputFormat::Json => format!("{:#}\n", report_to_json(&report)),
                OutputFormat::Text => report_to_text(&report),
            };
            Ok(write_stdout(&text, code))
        }
    }
}

/// Reads the ends of logs from a file that `verify` wrote, in either format.
fn read_known_heads(file: &Path) -> Result<Vec<LogHead>, String> {
    let path = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {path}: {error}"))?;
    let lines: Vec<String> = match serde_json::from_str::<Value>(&text) {
        Ok(value) => {
            let ends = value.get("ends").and_then(Value::as_array).cloned().unwrap_or_default();
            ends.iter().map(|end| end.as_str().unwrap_or_default().to_owned()).collect()
        }
        Err(_) => text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect(),
    };
    if lines.is_empty() {
        return Err(format!("{path} contains no log ends; create it with `zonewright admin audit verify`"));
    }
    lines.iter().map(|line| line.parse().map_err(|reason| format!("{path}: {reason}"))).collect()
}

fn report_to_json(report: &LogReport) -> Value {
    let ends: Vec<String> = report.heads.iter().map(LogHead::to_string).collect();
    json!({ "entries": report.entries, "ends": ends, "problems": report.problems })
}

/// Formats a report. Lines that start with `#` are comments, which [`read_known_heads`] ignores.
fn report_to_text(report: &LogReport) -> String {
    let entries = if report.entries == 1 { "entry" } else { "entries" };
    let mut text = format!("# {} {entries} in {}\n", report.entries, pluralize(report.heads.len(), "log"));
    text.extend(report.problems.iter().map(|problem| format!("# {problem}\n")));
    if report.problems.is_empty() {
        text.push_str("# every entry follows the previous one\n");
    }
    text.extend(report.heads.iter().map(|head| format!("{head}\n")));
    text
}
