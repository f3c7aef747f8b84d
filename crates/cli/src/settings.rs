//! Options of a command that may also stand in the environment and in a file. Flags count before the environment,
//! and the environment before the file. All three say the same: `--max-connections 5`,
//! `ZONEWRIGHT_MAX_CONNECTIONS=5`, and `max-connections = 5` in TOML.

mod file;

use clap::builder::ValueParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::ffi::{OsStr, OsString};
use std::marker::PhantomData;
use std::path::PathBuf;
use zonewright_diagnostic::similar;

/// The option that names the file; it cannot stand in it.
const FILE: &str = "config";
/// Before every variable.
pub(crate) const PREFIX: &str = "ZONEWRIGHT_";

/// What `--help` says of all this.
const HELP: &str = "\
Every option can also be given in the environment (--max-connections as ZONEWRIGHT_MAX_CONNECTIONS, lists with \
commas) and in the file of --config (TOML: max-connections = 5, lists in brackets). Flags count before the \
environment, and the environment before the file. `serve` and `admin` share both: each takes what it has.";

/// Options `T` as far as the command line gives them.
#[derive(Clone, Debug)]
pub(crate) struct Given<T> {
    matches: ArgMatches,
    options: PhantomData<T>,
}

impl<T> FromArgMatches for Given<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Given { matches: matches.clone(), options: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.matches = matches.clone();
        Ok(())
    }
}

impl<T: Args> Args for Given<T> {
    fn augment_args(command: Command) -> Command {
        T::augment_args(command).mut_args(switchable).after_help(HELP)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// A switch that can be off as well, so that a flag can take back what a file says.
fn switchable(argument: Arg) -> Arg {
    if !matches!(argument.get_action(), ArgAction::SetTrue) {
        return argument;
    }
    argument
        .action(ArgAction::Set)
        .value_parser(ValueParser::bool())
        .num_args(0..=1)
        .require_equals(true)
        .default_value("false")
        .default_missing_value("true")
        .hide_default_value(true)
        .hide_possible_values(true)
        .value_name("true|false")
}

/// Options with all that was said of them.
pub(crate) struct Complete<T> {
    /// The options.
    pub(crate) options: T,
    /// The names of those that were given, each with the place where it stands, for people.
    pub(crate) given: Vec<(String, String)>,
}

/// One way to give options.
struct Source<'a> {
    /// Each option's name, what is said of where its value stands, and the values.
    found: Vec<(&'a str, String, Vec<OsString>)>,
}

impl<T: Args> Given<T> {
    /// The options with what the environment and the file say; otherwise every reason why not.
    pub(crate) fn complete(self) -> Result<Complete<T>, Vec<String>> {
        self.complete_with(&[])
    }

    /// As [`Given::complete`], where the file is shared with a command that has the options `U`.
    pub(crate) fn complete_beside<U: Args>(self) -> Result<T, Vec<String>> {
        let others = U::augment_args(Command::new("options"));
        let others: Vec<&str> = others.get_arguments().filter_map(Arg::get_long).collect();
        self.complete_with(&others).map(|complete| complete.options)
    }

    /// The file may have options of other commands, of which nothing is taken.
    fn complete_with(self, others: &[&str]) -> Result<Complete<T>, Vec<String>> {
        let command = Self::augment_args(Command::new("options")).no_binary_name(true);
        let arguments: Vec<&Arg> = command.get_arguments().filter(|argument| argument.get_long().is_some()).collect();
        let environment = from_environment(&arguments, |name| std::env::var_os(name));
        let mut problems = Vec::new();
        let mut sources = vec![from_flags(&arguments, &self.matches), environment];
        let file = sources.iter().find_map(|source| source.values(FILE)).and_then(|values| values.first());
        if let Some(file) = file.map(PathBuf::from) {
            sources.push(file::read(&arguments, others, &file, &mut problems));
        }
        let (mut flags, mut given) = (Vec::new(), Vec::new());
        for argument in &arguments {
            let name = argument.get_long().unwrap_or_default();
            let mut found = sources.iter().flat_map(|source| &source.found).filter(|(option, ..)| *option == name);
            let Some((_, place, values)) = found.next() else { continue };
            given.push((name.to_owned(), place.clone()));
            let values = values.iter().map(|value| flag(name, value));
            // Each by itself, so that every one that is wrong is told, with its place.
            for flag in values {
                match wrong(&command, &flag) {
                    Some(problem) => problems.push(format!("{place}: {problem}")),
                    None => flags.push(flag),
                }
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let whole = |error: clap::Error| vec![first_lines(&error)];
        let matches = command.clone().try_get_matches_from(flags).map_err(whole)?;
        let options = T::from_arg_matches(&matches).map_err(whole)?;
        Ok(Complete { options, given })
    }
}

impl Source<'_> {
    fn values(&self, name: &str) -> Option<&[OsString]> {
        self.found.iter().find(|(option, ..)| *option == name).map(|(.., values)| values.as_slice())
    }
}

fn flag(name: &str, value: &OsStr) -> OsString {
    let mut flag = OsString::from(format!("--{name}="));
    flag.push(value);
    flag
}

/// Why a value is refused, when it is.
fn wrong(command: &Command, flag: &OsStr) -> Option<String> {
    let error = command.clone().try_get_matches_from([flag]).err()?;
    matches!(error.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation | ErrorKind::InvalidUtf8)
        .then(|| first_lines(&error))
}

/// What an error says, without advice on how to call.
fn first_lines(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
    lines.collect::<Vec<_>>().join(" ").trim_start_matches("error: ").to_owned()
}

fn from_flags<'a>(arguments: &[&'a Arg], matches: &ArgMatches) -> Source<'a> {
    let found = arguments.iter().filter_map(|argument| {
        let (name, id) = (argument.get_long()?, argument.get_id().as_str());
        let given = matches.value_source(id) == Some(ValueSource::CommandLine);
        let values = matches.get_raw(id).filter(|_| given)?;
        Some((name, format!("--{name}"), values.map(OsStr::to_owned).collect()))
    });
    Source { found: found.collect() }
}

fn from_environment<'a>(arguments: &[&'a Arg], read: impl Fn(&str) -> Option<OsString>) -> Source<'a> {
    let found = arguments.iter().filter_map(|argument| {
        let name = argument.get_long()?;
        let variable = variable(name);
        // What is set to nothing is not set.
        let value = read(&variable).filter(|value| !value.is_empty())?;
        let values = match value.to_str() {
            Some(text) if is_list(argument) => text.split(',').map(|item| OsString::from(item.trim())).collect(),
            _ => vec![value],
        };
        Some((name, format!("{variable} in the environment"), values))
    });
    Source { found: found.collect() }
}

/// Variables that nothing reads and that look like one of ours, which was probably meant, for people. `more` are those
/// that are no options, without their prefix. They cannot be refused, and of others nothing is said: who starts
/// containers or runs tests uses the prefix as well.
pub(crate) fn strangers<T: Args>(more: &[&str]) -> Vec<String> {
    let command = T::augment_args(Command::new("options"));
    let known: Vec<String> = command.get_arguments().filter_map(Arg::get_long).map(variable).collect();
    let known: Vec<&str> =
        known.iter().map(|name| name.trim_start_matches(PREFIX)).chain(more.iter().copied()).collect();
    let set = std::env::vars_os().filter_map(|(name, _)| Some(name.to_str()?.strip_prefix(PREFIX)?.to_owned()));
    let mut set: Vec<String> = set.filter(|name| !known.contains(&name.as_str())).collect();
    set.sort();
    let told = |name: &String| {
        let meant = similar(name, known.iter().copied()).into_iter().next()?;
        Some(format!("nothing reads {PREFIX}{name} in the environment; did you mean {PREFIX}{meant}?"))
    };
    set.iter().filter_map(told).collect()
}

/// The variable of an option.
fn variable(option: &str) -> String {
    format!("{PREFIX}{}", option.to_ascii_uppercase().replace('-', "_"))
}

/// What was meant by a name that is none of these.
fn meant(name: &str, names: &[&str], shown: impl Fn(&str) -> String) -> String {
    match similar(name, names.iter().copied()).first() {
        Some(meant) => format!("did you mean {}?", shown(meant)),
        None => "`zonewright serve --help` lists the options".to_owned(),
    }
}

fn is_list(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Append)
}

#[cfg(test)]
mod tests;
