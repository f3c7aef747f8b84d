//! Reads options from flags, the environment, and a TOML file.
//!
//! Flags take precedence over the environment, and the environment over the file. The three spellings are equivalent:
//! `--max-connections 5`, `ZONEWRIGHT_MAX_CONNECTIONS=5`, and `max-connections = 5`. [`CommandLineOptions`] wraps
//! the options of a subcommand, and [`CommandLineOptions::resolve`] merges all sources and reports every invalid value
//! with its source.

mod file;

use clap::builder::ValueParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::ffi::{OsStr, OsString};
use std::marker::PhantomData;
use std::path::PathBuf;
use zonewright_diagnostic::find_similar;

/// The option that names the file; the file itself cannot contain it.
const CONFIG_OPTION: &str = "config";
/// The prefix of every variable.
pub(crate) const ENV_PREFIX: &str = "ZONEWRIGHT_";

/// The text about sources of options at the end of `--help`.
const SOURCES_HELP: &str = "\
You can also set every option in the environment (--max-connections as ZONEWRIGHT_MAX_CONNECTIONS; separate the items \
of a list with commas) and in the TOML file that --config names (max-connections = 5; write lists in brackets). Flags \
override the environment, and the environment overrides the file. `serve` and `admin` can share both: `admin` ignores \
the options that only `serve` has.";

/// The options `T`, as far as the command line sets them.
#[derive(Clone, Debug)]
pub(crate) struct CommandLineOptions<T> {
    matches: ArgMatches,
    options: PhantomData<T>,
}

impl<T> FromArgMatches for CommandLineOptions<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(CommandLineOptions { matches: matches.clone(), options: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.matches = matches.clone();
        Ok(())
    }
}

impl<T: Args> Args for CommandLineOptions<T> {
    fn augment_args(command: Command) -> Command {
        T::augment_args(command).mut_args(make_negatable).after_help(SOURCES_HELP)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Lets a switch have an optional value, so that a flag can turn off a switch that the file turns on.
fn make_negatable(argument: Arg) -> Arg {
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

/// The options with the names of those that were set.
pub(crate) struct ResolvedOptions<T> {
    /// The options.
    pub(crate) options: T,
    /// The name and the source of each option that was set; the source is for messages.
    pub(crate) sources: Vec<(String, String)>,
}

/// One source of options.
struct OptionSource<'a> {
    /// The name, the description of the source for messages, and the values of each option.
    options: Vec<(&'a str, String, Vec<OsString>)>,
}

impl<T: Args> CommandLineOptions<T> {
    /// Merges flags, environment, and file. Returns every invalid value as an error.
    pub(crate) fn resolve(self) -> Result<ResolvedOptions<T>, Vec<String>> {
        self.resolve_ignoring(&[])
    }

    /// Merges like [`CommandLineOptions::resolve`], with a file that may also contain the options `U` of another
    /// command.
    pub(crate) fn resolve_with_shared_file<U: Args>(self) -> Result<T, Vec<String>> {
        let ignored_options = U::augment_args(Command::new("options"));
        let ignored_options: Vec<&str> = ignored_options.get_arguments().filter_map(Arg::get_long).collect();
        self.resolve_ignoring(&ignored_options).map(|resolved| resolved.options)
    }

    /// Merges all sources. The file may contain the options `ignored_options`, which are ignored.
    fn resolve_ignoring(self, ignored_options: &[&str]) -> Result<ResolvedOptions<T>, Vec<String>> {
        let command = Self::augment_args(Command::new("options")).no_binary_name(true);
        let arguments: Vec<&Arg> = command.get_arguments().filter(|argument| argument.get_long().is_some()).collect();
        let environment = read_environment(&arguments, |name| std::env::var_os(name));
        let mut problems = Vec::new();
        let mut sources = vec![read_flags(&arguments, &self.matches), environment];
        let file = sources.iter().find_map(|source| source.values(CONFIG_OPTION)).and_then(|values| values.first());
        if let Some(file) = file.map(PathBuf::from) {
            sources.push(file::read(&arguments, ignored_options, &file, &mut problems));
        }
        let (mut flags, mut option_sources) = (Vec::new(), Vec::new());
        for argument in &arguments {
            let name = argument.get_long().unwrap_or_default();
            let mut values = sources.iter().flat_map(|source| &source.options).filter(|(option, ..)| *option == name);
            let Some((_, source, values)) = values.next() else { continue };
            option_sources.push((name.to_owned(), source.clone()));
            let values = values.iter().map(|value| format_flag(name, value));
            // Each value is parsed separately, so that every invalid one is reported with its source.
            for flag in values {
                match value_error(&command, &flag) {
                    Some(problem) => problems.push(format!("{source}: {problem}")),
                    None => flags.push(flag),
                }
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let to_summary = |error: clap::Error| vec![error_summary(&error)];
        let matches = command.clone().try_get_matches_from(flags).map_err(to_summary)?;
        let options = T::from_arg_matches(&matches).map_err(to_summary)?;
        Ok(ResolvedOptions { options, sources: option_sources })
    }
}

impl OptionSource<'_> {
    fn values(&self, name: &str) -> Option<&[OsString]> {
        self.options.iter().find(|(option, ..)| *option == name).map(|(.., values)| values.as_slice())
    }
}

fn format_flag(name: &str, value: &OsStr) -> OsString {
    let mut flag = OsString::from(format!("--{name}="));
    flag.push(value);
    flag
}

/// Returns the error of an invalid value.
fn value_error(command: &Command, flag: &OsStr) -> Option<String> {
    let error = command.clone().try_get_matches_from([flag]).err()?;
    matches!(error.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation | ErrorKind::InvalidUtf8)
        .then(|| error_summary(&error))
}

/// Formats an error of clap without its usage hints.
fn error_summary(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
    lines.collect::<Vec<_>>().join(" ").trim_start_matches("error: ").to_owned()
}

fn read_flags<'a>(arguments: &[&'a Arg], matches: &ArgMatches) -> OptionSource<'a> {
    let options = arguments.iter().filter_map(|argument| {
        let (name, id) = (argument.get_long()?, argument.get_id().as_str());
        let is_set = matches.value_source(id) == Some(ValueSource::CommandLine);
        let values = matches.get_raw(id).filter(|_| is_set)?;
        Some((name, format!("--{name}"), values.map(OsStr::to_owned).collect()))
    });
    OptionSource { options: options.collect() }
}

fn read_environment<'a>(arguments: &[&'a Arg], read: impl Fn(&str) -> Option<OsString>) -> OptionSource<'a> {
    let options = arguments.iter().filter_map(|argument| {
        let name = argument.get_long()?;
        let variable = variable_name(name);
        // An empty variable counts as unset.
        let value = read(&variable).filter(|value| !value.is_empty())?;
        let values = match value.to_str() {
            Some(text) if is_list(argument) => text.split(',').map(|item| OsString::from(item.trim())).collect(),
            _ => vec![value],
        };
        Some((name, format!("{variable} in the environment"), values))
    });
    OptionSource { options: options.collect() }
}

/// Returns warnings about unknown variables that resemble a known one.
///
/// `other_known` has known variables that are not options, without their prefix. Unknown variables are not errors,
/// because containers and tests use the prefix too. Those that resemble no known variable are ignored.
pub(crate) fn misspelled_variables<T: Args>(other_known: &[&str]) -> Vec<String> {
    let command = T::augment_args(Command::new("options"));
    let known: Vec<String> = command.get_arguments().filter_map(Arg::get_long).map(variable_name).collect();
    let known: Vec<&str> =
        known.iter().map(|name| name.trim_start_matches(ENV_PREFIX)).chain(other_known.iter().copied()).collect();
    let set = std::env::vars_os().filter_map(|(name, _)| Some(name.to_str()?.strip_prefix(ENV_PREFIX)?.to_owned()));
    let mut set: Vec<String> = set.filter(|name| !known.contains(&name.as_str())).collect();
    set.sort();
    let warning = |name: &String| {
        let meant = find_similar(name, known.iter().copied()).into_iter().next()?;
        Some(format!("unknown environment variable {ENV_PREFIX}{name}; did you mean {ENV_PREFIX}{meant}?"))
    };
    set.iter().filter_map(warning).collect()
}

/// Returns the variable of an option.
fn variable_name(option: &str) -> String {
    format!("{ENV_PREFIX}{}", option.to_ascii_uppercase().replace('-', "_"))
}

/// Suggests the name that an unknown name resembles, or the help.
fn suggest_name(name: &str, names: &[&str], to_text: impl Fn(&str) -> String) -> String {
    match find_similar(name, names.iter().copied()).first() {
        Some(meant) => format!("did you mean {}?", to_text(meant)),
        None => "`zonewright serve --help` lists the options".to_owned(),
    }
}

fn is_list(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Append)
}

#[cfg(test)]
mod tests;
