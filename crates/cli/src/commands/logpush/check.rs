//! `zonewright logpush check`: checks filters from files or standard input.

use super::{DatasetArgs, LintArgs};
use crate::commands::check::{CheckInputArgs, ESCAPED, check_files};
use crate::commands::ndjson;
use crate::stream;
use clap::Args;
use std::process::ExitCode;
use zonewright_logpush::ast::Encoding;
use zonewright_logpush::{Options, check, parse};

const AFTER_HELP: &str = "\
Each file contains one filter: its JSON object, or the escaped string in a job. The exit codes, --format json, \
and the responses of --ndjson are those of `zonewright check`. With --format json, each file also has a member \
form: object or escaped.

--ndjson reads JSON objects from standard input, one per line, and writes one line for each:
  {\"id\"?, \"source\", \"dataset\"?}
  {\"id\", \"ok\", \"diagnostics\": [… as above …]}
source is the text of the filter. The option --dataset supplies the dataset if it is missing or null.";

/// Check filters and report errors, warnings, and hints with their fixes.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input_args: CheckInputArgs,
    #[command(flatten)]
    lints: LintArgs,
    #[command(flatten)]
    dataset_args: DatasetArgs,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let options = Options { lint: arguments.lints.to_lint(), ..arguments.dataset_args.to_options() };
    if arguments.input_args.ndjson {
        return ndjson::run(&["source", "dataset"], |line, members| {
            let source = stream::read_source_member(line, members)?;
            let dataset = stream::read_dataset_member(line, members)?.unwrap_or(options.dataset);
            let diagnostics = check(&source, &Options { dataset, ..options.clone() }).diagnostics;
            Ok((source, diagnostics))
        });
    }
    check_files(&arguments.input_args, "filter", |source| {
        let encoding = match parse(source).encoding {
            Encoding::Object => "object",
            Encoding::Escaped => ESCAPED,
        };
        (check(source, &options).diagnostics, Some(encoding))
    })
}
