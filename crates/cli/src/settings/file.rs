//! Reads options from a TOML file, in which every key must be an option. Errors of syntax never show values, because a
//! value may be a URL with a password.

use super::{CONFIG_OPTION, OptionSource, is_list, suggest_name};
use clap::Arg;
use std::ffi::OsString;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

/// The maximum size of the file in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// The maximum number of syntax errors that are reported.
const MAX_SYNTAX_ERRORS: usize = 20;
/// The help that shows how options are written.
const SYNTAX_HELP: &str = "write an option as `log = \"warn\"`, `max-connections = 5`, `no-demo = true`, or \
                     `host = [\"a.example\", \"b.example\"]`";

/// Reads the options that the file contains. It may contain the options `ignored_options`, which are ignored.
pub(super) fn read<'a>(
    arguments: &[&'a Arg],
    ignored_options: &[&str],
    file: &Path,
    problems: &mut Vec<String>,
) -> OptionSource<'a> {
    let (mut options, path) = (Vec::new(), file.display());
    let text = match read_file(file) {
        Ok(text) => text,
        Err(reason) => {
            problems.push(reason);
            return OptionSource { options };
        }
    };
    let names = arguments.iter().filter_map(|argument| argument.get_long()).chain(ignored_options.iter().copied());
    let names: Vec<&str> = names.filter(|name| *name != CONFIG_OPTION).collect();
    let (document, errors) = DeTable::parse_recoverable(&text);
    if !errors.is_empty() {
        problems.extend(
            syntax_error_messages(&text, &errors, &names).into_iter().map(|message| format!("{path}, {message}")),
        );
        return OptionSource { options };
    }
    let mut entries: Vec<_> = document.get_ref().iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    for (key, value) in entries {
        let (name, location) =
            (key.get_ref().as_ref(), format!("{path}, line {}", line_column(&text, key.span().start).0));
        let known = arguments.iter().find(|argument| argument.get_long() == Some(name) && name != CONFIG_OPTION);
        let Some((argument, option)) = known.and_then(|argument| Some((argument, argument.get_long()?))) else {
            if !names.contains(&name) {
                problems.push(format!("{location}: {}", unknown_key_message(name, value, &names)));
            }
            continue;
        };
        match to_flag_values(value.get_ref(), is_list(argument)) {
            Ok(values) => options.push((option, format!("{location}: {name}"), values)),
            Err(allowed) => problems.push(format!("{location}: `{name}` must be {allowed}")),
        }
    }
    OptionSource { options }
}

/// Reads the text of the file; the error is a message.
fn read_file(file: &Path) -> Result<String, String> {
    let path = file.display();
    let read_error = |error: std::io::Error| format!("cannot read {path}: {error}");
    let size = std::fs::metadata(file).map_err(read_error)?.len();
    if size > MAX_FILE_BYTES {
        return Err(format!("cannot read {path}: the file has {size} bytes; at most {MAX_FILE_BYTES} are allowed"));
    }
    String::from_utf8(std::fs::read(file).map_err(read_error)?).map_err(|error| {
        let valid = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        let line = 1 + valid.iter().filter(|byte| **byte == b'\n').count();
        format!("{path}, line {line}: invalid UTF-8; save the file as UTF-8")
    })
}

/// Returns line and column of a byte offset, from 1; columns are characters.
fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (1 + before.matches('\n').count(), 1 + line.chars().count())
}

/// Formats syntax errors with their positions and help. Only the first error of a line is reported, because others
/// follow from it.
fn syntax_error_messages(text: &str, errors: &[Error], names: &[&str]) -> Vec<String> {
    let mut messages = Vec::new();
    let mut last_line = 0;
    for error in errors {
        let (line, column) = line_column(text, error.span().map_or(0, |span| span.start));
        if messages.len() == MAX_SYNTAX_ERRORS {
            break;
        }
        if line == last_line {
            continue;
        }
        last_line = line;
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        let line_text = text.lines().nth(line - 1).unwrap_or_default();
        let help = match correct_line(line_text, names) {
            _ if message == "duplicate key" => "set each option only once; write a list in brackets".to_owned(),
            Some(_) if DeTable::parse(line_text).is_ok() => "a `]` or a quote is missing before this line".to_owned(),
            Some(form) => format!("write `{form}`"),
            None => SYNTAX_HELP.to_owned(),
        };
        messages.push(format!("line {line}, column {column}: invalid TOML: {message}; {help}"));
    }
    messages
}

/// Returns the corrected form of a line that sets a known option in wrong syntax, with dots instead of its text.
fn correct_line(line: &str, names: &[&str]) -> Option<String> {
    let (key, value) = line.split_once('=').or_else(|| line.split_once(':'))?;
    let (key, value) = (key.trim(), value.split(" #").next().unwrap_or_default().trim());
    if !names.contains(&key) {
        return None;
    }
    let unquote = |text: &str| text.trim().trim_matches(['"', '\'']).to_owned();
    let (text, shown) = match value.to_ascii_lowercase().as_str() {
        "" => return None,
        "true" | "yes" | "on" => ("true".to_owned(), "true".to_owned()),
        "false" | "no" | "off" => ("false".to_owned(), "false".to_owned()),
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => ("1".to_owned(), "…".to_owned()),
        _ => match value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(items) => {
                let items: Vec<String> = items.split(',').map(|item| format!("'{}'", unquote(item))).collect();
                (format!("[{}]", items.join(", ")), "[\"…\", \"…\"]".to_owned())
            }
            None => {
                let quote = if value.contains('\\') { '\'' } else { '"' };
                (format!("'{}'", unquote(value)), format!("{quote}…{quote}"))
            }
        },
    };
    DeTable::parse(&format!("{key} = {text}")).ok().map(|_| format!("{key} = {shown}"))
}

/// Formats the error for an unknown key.
fn unknown_key_message(name: &str, value: &Spanned<DeValue<'_>>, names: &[&str]) -> String {
    if matches!(value.get_ref(), DeValue::Table(_)) {
        return format!("unknown section `{name}`; write options at the top level, as in `log = \"warn\"`");
    }
    format!("unknown option `{name}`; {}", suggest_name(name, names, |meant| format!("`{meant}`")))
}

/// Converts a value to the values of flags, or returns a description of the allowed types.
fn to_flag_values(value: &DeValue<'_>, accepts_list: bool) -> Result<Vec<OsString>, &'static str> {
    let single = |value: &DeValue<'_>| match value {
        DeValue::String(text) => Some(OsString::from(text.as_ref())),
        DeValue::Integer(number) => Some(OsString::from(number.to_string())),
        DeValue::Boolean(flag) => Some(OsString::from(flag.to_string())),
        _ => None,
    };
    match value {
        DeValue::Array(items) if accepts_list => {
            let items = items.iter().map(|item| single(item.get_ref())).collect::<Option<Vec<_>>>();
            items.ok_or("a list of strings")
        }
        _ if accepts_list => single(value).map(|value| vec![value]).ok_or("a string or a list of strings"),
        value => single(value).map(|value| vec![value]).ok_or("a string, an integer, `true`, or `false`"),
    }
}
