//! `zonewright logpush try`: selects the log lines that a filter matches.

use super::lines::{LinesError, for_each_line};
use super::{DatasetArgs, read_filter};
use crate::input::{display_name, read_error_to_text};
use crate::output::{EXIT_OK, EXIT_PROBLEMS, EXIT_USAGE, print_error, print_stderr, style_for};
use crate::request::missing_value_parser;
use clap::Args;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use zonewright_diagnostic::{pluralize, render_all};
use zonewright_expression::{MissingPolicy, Outcome};
use zonewright_logpush::{Program, check};

/// The maximum number of rejected lines that are reported; further ones are only counted.
const MAX_LISTED_REJECTIONS: usize = 10;

const MISSING_LOGS: &str = "no such file; name a file with log lines, or none for standard input";

const AFTER_HELP: &str = "\
Writes the kept lines unchanged to standard output. Writes the numbers of kept, dropped, and rejected lines, and \
the reasons of the first rejections, to standard error. With --dropped, it writes the dropped lines instead of \
the kept ones. A field that a line does not have has the zero value of its type. With --missing unknown, lines \
whose result depends on such a field are neither kept nor dropped, and are counted separately.

Exit code: 0 if all lines were read, whatever the results; 1 if the filter has an error; 2 on a usage error, or \
if a file cannot be read or the lines cannot be written.";

/// Print the log lines that a filter keeps.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Filter, or a file that contains it.
    filter: String,
    /// Files with log lines, one JSON object per line; `-` or no file reads standard input.
    logs: Vec<PathBuf>,
    /// Print the dropped lines instead of the kept ones.
    #[arg(long)]
    dropped: bool,
    /// How to treat fields that a line does not have.
    #[arg(long, value_parser = missing_value_parser(), default_value = "absent")]
    missing: MissingPolicy,
    #[command(flatten)]
    dataset_args: DatasetArgs,
}

/// The numbers of lines by outcome.
#[derive(Default)]
struct LineCounts {
    kept: usize,
    dropped: usize,
    unknown: usize,
    rejected: usize,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let (name, source) = match read_filter(&arguments.filter) {
        Ok(read) => read,
        Err(error) => {
            print_error(&error);
            return ExitCode::from(EXIT_USAGE);
        }
    };
    let checked = check(&source, &arguments.dataset_args.to_options());
    let Some(program) = checked.program else {
        print_stderr(&render_all(&source, &name, &checked.diagnostics, style_for(&io::stderr())));
        return ExitCode::from(EXIT_PROBLEMS);
    };
    let stdin = [PathBuf::from("-")];
    let files = if arguments.logs.is_empty() { &stdin } else { arguments.logs.as_slice() };
    let mut out = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    let mut counts = LineCounts::default();
    let mut code = EXIT_OK;
    for path in files {
        let shown_path = path.to_string_lossy();
        let result = for_each_line(path, |number, line| {
            let location = format_args!("{}: line {number}", display_name(&shown_path));
            filter_line(&program, arguments, &location, line, &mut counts, &mut out)
        });
        match result {
            Err(LinesError::Write(error)) => return ExitCode::from(code.max(report_write_error(&error))),
            Err(LinesError::Read(error)) => {
                let reason = read_error_to_text(&error, MISSING_LOGS);
                print_error(&format!("{}: {reason}", display_name(&shown_path)));
                code = EXIT_USAGE;
            }
            Ok(()) => {}
        }
    }
    if let Err(error) = out.flush() {
        code = code.max(report_write_error(&error));
    }
    print_stderr(&format!("{}\n", summary(&counts)));
    ExitCode::from(code)
}

fn filter_line(
    program: &Program,
    arguments: &Arguments,
    location: &std::fmt::Arguments<'_>,
    line: Option<&[u8]>,
    counts: &mut LineCounts,
    out: &mut impl Write,
) -> io::Result<()> {
    let Some(line) = line else {
        report_rejection(counts, location, "the line is longer than 16 MiB");
        return Ok(());
    };
    let kept = match program.evaluate(line, arguments.missing) {
        Ok(Outcome::True) => true,
        Ok(Outcome::Unknown { .. }) => {
            counts.unknown += 1;
            return Ok(());
        }
        Ok(_) => false,
        Err(error) => {
            let column = error.column().map_or(String::new(), |column| format!(", column {column}"));
            report_rejection(counts, &format_args!("{location}{column}"), &error.message);
            return Ok(());
        }
    };
    if kept {
        counts.kept += 1;
    } else {
        counts.dropped += 1;
    }
    if kept != arguments.dropped {
        out.write_all(line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Reports a failed write, unless the reader closed the pipe, and returns its exit code.
fn report_write_error(error: &io::Error) -> u8 {
    if error.kind() == ErrorKind::BrokenPipe {
        return EXIT_OK;
    }
    print_error(&format!("cannot write the lines: {error}"));
    EXIT_USAGE
}

/// Counts a rejected line; `location` is its file, its number, and the column of the error.
fn report_rejection(counts: &mut LineCounts, location: &std::fmt::Arguments<'_>, error: &str) {
    counts.rejected += 1;
    if counts.rejected <= MAX_LISTED_REJECTIONS {
        print_error(&format!("{location}: {error}"));
    }
}

fn summary(counts: &LineCounts) -> String {
    let all = counts.kept + counts.dropped + counts.unknown + counts.rejected;
    let mut text = format!("{}: {} kept, {} dropped", pluralize(all, "line"), counts.kept, counts.dropped);
    for (count, word) in [(counts.unknown, "unknown"), (counts.rejected, "rejected")] {
        if count > 0 {
            text.push_str(&format!(", {count} {word}"));
        }
    }
    text
}
