//! `zonewright equivalent`: decides whether two expressions are equivalent.

use crate::input::{FILE_NOT_FOUND, display_name, read_source};
use crate::integer::integer_parser;
use crate::language::LanguageArgs;
use crate::output::{
    EXIT_OK, EXIT_PROBLEMS, EXIT_UNDECIDED, EXIT_USAGE, OutputFormat, print_error, print_stderr, style_for,
    write_stdout,
};
use clap::Args;
use serde_json::{Value as Json, json};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use zonewright_diagnostic::{Diagnostic, render_all};
use zonewright_equivalence::{Budget, Verdict, equivalent, subsumes};
use zonewright_expression::{Options, Outcome, Program, check};
use zonewright_request::json::{lists_to_json, record_to_json};

const AFTER_HELP: &str = "\
Each file contains one expression; `-` reads one of them from standard input. -e passes an expression on \
the command line. Expressions from files precede those from -e, even if -e is written first.

The answer is one of these:
  yes: proved, with the assumptions of the proof, such as that every request has a value for `http.host`;
  no: refuted by a request for which the results differ. Its fields follow as JSON that `zonewright evaluate`
  reads (null if the request does not have the field), then the items of named lists;
  undecided, with the reason.

--format json writes one object:
  {\"answer\": \"yes\", \"assumptions\": [text]}
  {\"answer\": \"no\", \"fields\": {field: value}, \"lists\": {name: [items]}, \"first\": true|false,
   \"second\": true|false}
  {\"answer\": \"undecided\", \"reason\": text}

Exit code: 0 for yes, 1 for no, 3 for undecided; 2 on a usage error, if a file cannot be read, or if an \
expression has errors.";

/// Prove that two expressions are equivalent, or find a request for which they differ.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files with one expression each.
    files: Vec<PathBuf>,
    /// Expression to use instead of a file; repeatable.
    #[arg(short, long = "expression", value_name = "EXPRESSION", allow_hyphen_values = true)]
    expressions: Vec<String>,
    /// Check only whether the first expression is true whenever the second one is.
    #[arg(long)]
    subsumes: bool,
    /// Maximum number of solver steps before the answer is undecided.
    #[arg(long, default_value_t = Budget::default().steps, value_parser = integer_parser::<u64>(0..=u64::MAX))]
    steps: u64,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    format: OutputFormat,
    #[command(flatten)]
    language: LanguageArgs,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let mut programs = Vec::new();
    let options = arguments.language.to_options();
    let files = arguments.files.iter().map(|path| {
        let name = path.to_string_lossy().into_owned();
        (display_name(&name).to_owned(), read_source(path, FILE_NOT_FOUND))
    });
    let inline = arguments.expressions.iter().enumerate().map(|(index, source)| {
        let number = if arguments.expressions.len() > 1 { format!(" {}", index + 1) } else { String::new() };
        (format!("<expression{number}>"), Ok(source.clone()))
    });
    for (name, source) in files.chain(inline) {
        let program = source.and_then(|source| compile_program(&name, &source, &options));
        match program {
            Ok(program) => programs.push(program),
            Err(error) => {
                print_error(&format!("{name}: {error}"));
                return ExitCode::from(EXIT_USAGE);
            }
        }
    }
    let [a, b] = programs.as_slice() else {
        print_error(&format!("expected two expressions, found {}; pass files or `-e EXPRESSION`", programs.len()));
        return ExitCode::from(EXIT_USAGE);
    };
    let budget = Budget { steps: arguments.steps };
    let answer = if arguments.subsumes { subsumes(a, b, &budget) } else { equivalent(a, b, &budget) };
    let text = match arguments.format {
        OutputFormat::Text => answer_to_text(&answer),
        OutputFormat::Json => answer_to_json(&answer),
    };
    let code = match answer {
        Verdict::Yes { .. } => EXIT_OK,
        Verdict::No(_) => EXIT_PROBLEMS,
        Verdict::Undecided(_) => EXIT_UNDECIDED,
    };
    write_stdout(&text, code)
}

/// Compiles an expression. Writes its errors to standard error.
pub(super) fn compile_program(name: &str, source: &str, options: &Options) -> Result<Program, String> {
    let checked = check(source, options);
    let errors: Vec<Diagnostic> = checked.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
    if !errors.is_empty() {
        print_stderr(&format!("{}\n", render_all(source, name, &errors, style_for(&io::stderr()))));
    }
    checked.program.ok_or_else(|| "the expression has errors".to_owned())
}

fn answer_to_text(answer: &Verdict) -> String {
    match answer {
        Verdict::Yes { assumptions } => {
            let assumption_lines: String =
                assumptions.iter().map(|assumption| format!("  assuming that {assumption}\n")).collect();
            format!("yes\n{assumption_lines}")
        }
        Verdict::No(counterexample) => {
            let fields = Json::Object(record_to_json(&counterexample.record));
            let fields = serde_json::to_string_pretty(&fields).unwrap_or_default();
            let (first, second) = (is_true(&counterexample.first_outcome), is_true(&counterexample.second_outcome));
            let lists: String = lists_to_json(&counterexample.record)
                .iter()
                .map(|(name, items)| format!("with {items} as the items of ${name}\n"))
                .collect();
            format!("no: the first is {first} and the second is {second} for\n{fields}\n{lists}")
        }
        Verdict::Undecided(reason) => format!("undecided: {reason}\n"),
    }
}

fn answer_to_json(answer: &Verdict) -> String {
    let object = match answer {
        Verdict::Yes { assumptions } => {
            let assumptions: Vec<String> = assumptions.iter().map(ToString::to_string).collect();
            json!({ "answer": "yes", "assumptions": assumptions })
        }
        Verdict::No(counterexample) => json!({
            "answer": "no",
            "fields": record_to_json(&counterexample.record),
            "lists": lists_to_json(&counterexample.record),
            "first": is_true(&counterexample.first_outcome),
            "second": is_true(&counterexample.second_outcome),
        }),
        Verdict::Undecided(reason) => json!({ "answer": "undecided", "reason": reason }),
    };
    format!("{object:#}\n")
}

/// Converts an outcome to a Boolean. A counterexample makes each expression either true or false.
fn is_true(outcome: &Outcome) -> bool {
    *outcome == Outcome::True
}
