//! Runs the log push filters of case files through the engine.

use crate::expression::{assert_single_reading, summarize_diagnostics};
use crate::filter_case::Case;
use crate::filter_rewrites::{convert_case, simplify_case};
use crate::logpush_jobs::destination;
use zonewright_diagnostic::{Diagnostic, apply_safe_fixes};
use zonewright_expression::LintOptions;
use zonewright_logpush::{
    Dataset, FormatOptions, FormatStyle, MissingPolicy, Options, Outcome, check, complete, explain, format, hover,
    parse, print, redact,
};

/// No text needs more rounds of fixes than this.
const MAX_FIX_ROUNDS: usize = 20;

/// Computes an answer: `None` when the filter has none, an error when the case is invalid.
pub type AnswerFn = fn(&Case<'_>) -> Result<Option<String>, String>;

/// Blocks that may follow a `filter` block, each with its answer.
pub const ANSWER_BLOCKS: &[(&str, AnswerFn)] = &[("formatted", format_case), ("explained", explain_case)];

/// Blocks with one filter, ` ⇒ ` and an answer per line; `␊` stands for a line break in the answer.
pub const LINE_BLOCKS: &[(&str, AnswerFn)] = &[
    ("formats", format_case),
    ("complete", complete_case),
    ("hover", hover_case),
    ("explanations", explain_case),
    ("simplified", simplify_case),
    ("converted", convert_case),
    ("filtered", evaluate_case),
    ("destinations", |case| Ok(Some(destination(case.source)))),
    ("redacted", |case| Ok(Some(redact(case.source)))),
];

/// Reads `dataset=firewall_events max_operators=3 max_bytes=100 lint`. Options of the answer itself, such as
/// `style=compact`, are skipped.
///
/// # Errors
///
/// Names the option that is invalid.
pub fn options(text: &str) -> Result<Options, String> {
    let mut options = Options::default();
    for option in text.split_whitespace() {
        set(&mut options, option).ok_or_else(|| format!("`{option}` is not an option"))?;
    }
    Ok(options)
}

fn set(options: &mut Options, option: &str) -> Option<()> {
    let (name, value) = option.split_once('=').unwrap_or((option, ""));
    match name {
        "dataset" => options.dataset = Dataset::from_name(value)?,
        "max_operators" => options.max_operators = value.parse().ok()?,
        "max_bytes" => options.max_bytes = value.parse().ok()?,
        "lint" if value.is_empty() => options.lint = Some(LintOptions::default()),
        "allow" => options.lint.as_mut()?.allow = value.split(',').map(str::to_owned).collect(),
        _ => return ANSWER_OPTIONS.contains(&name).then_some(()),
    }
    Some(())
}

/// Options that belong to an answer, not to the check.
const ANSWER_OPTIONS: [&str; 3] = ["style", "width", "missing"];

/// The diagnostics of a filter.
pub fn diagnostics(source: &str, options: &Options) -> Vec<Diagnostic> {
    let found = check(source, options).diagnostics;
    assert_single_reading(source, &found);
    found
}

/// Code and source excerpt of every diagnostic, on one line.
pub fn summarize(source: &str, options: &Options) -> String {
    summarize_diagnostics(source, &diagnostics(source, options))
}

/// Applies safe fixes round by round until nothing changes.
pub fn apply_fixes(source: &str, options: &Options) -> String {
    let mut text = source.to_owned();
    for _ in 0..MAX_FIX_ROUNDS {
        match apply_safe_fixes(&text, &diagnostics(&text, options)) {
            Some(next) if next != text => text = next,
            _ => break,
        }
    }
    text
}

/// Reads `style=escaped width=40`.
fn format_options(text: &str) -> Result<FormatOptions, String> {
    let mut options = FormatOptions::default();
    for option in text.split_whitespace() {
        match option.split_once('=') {
            Some(("style", "pretty")) => options.style = FormatStyle::Pretty,
            Some(("style", "compact")) => options.style = FormatStyle::Compact,
            Some(("style", "escaped")) => options.style = FormatStyle::Escaped,
            Some(("width", width)) => {
                options.width = width.parse().map_err(|_| format!("`{option}` is not a width"))?
            }
            _ => return Err(format!("`{option}` is not an option")),
        }
    }
    Ok(options)
}

/// Formats the filter; the result must be the same filter and stable under formatting.
fn format_case(case: &Case<'_>) -> Result<Option<String>, String> {
    let options = format_options(case.option_text)?;
    let Some(text) = format(case.source, &options).text else { return Ok(None) };
    if !same_tree(case.source, &text) {
        return Err(format!("`{text}` is another filter"));
    }
    match format(&text, &options).text {
        Some(again) if again == text => Ok(Some(text)),
        again => Err(format!("`{text}` becomes {again:?}")),
    }
}

fn explain_case(case: &Case<'_>) -> Result<Option<String>, String> {
    Ok(Some(explain(case.source, case.options).text).filter(|text| !text.is_empty()))
}

/// Whether two texts are the same filter, regardless of spans.
pub fn same_tree(left: &str, right: &str) -> bool {
    let tree = |source: &str| parse(source).ast.map(|ast| print(&ast.condition, FormatStyle::Compact));
    tree(left).is_some() && tree(left) == tree(right)
}

/// The first labels at the cursor, which is the first `|`.
fn complete_case(case: &Case<'_>) -> Result<Option<String>, String> {
    let (source, offset) = at_cursor(case)?;
    let items = complete(&source, offset, case.options).items;
    Ok(Some(items.iter().take(5).map(|item| item.label.as_str()).collect::<Vec<_>>().join(" · ")))
}

fn hover_case(case: &Case<'_>) -> Result<Option<String>, String> {
    let (source, offset) = at_cursor(case)?;
    let found = hover(&source, offset, case.options);
    Ok(found.map(|found| format!("{} — {} — {}", found.title, found.detail, found.text.join(" / "))))
}

fn at_cursor(case: &Case<'_>) -> Result<(String, usize), String> {
    let offset = case.source.find('|').ok_or("no cursor")?;
    Ok((case.source.replacen('|', "", 1), offset))
}

/// Evaluates the filter on the line; the block options may contain `missing=unknown`.
fn evaluate_case(case: &Case<'_>) -> Result<Option<String>, String> {
    let option = case.option_text.split_whitespace().find_map(|option| option.strip_prefix("missing="));
    let missing =
        option.map_or(Some(MissingPolicy::Absent), MissingPolicy::from_name).ok_or("`missing` is unknown or absent")?;
    let program = check(case.source, case.options).program.ok_or("the filter is rejected")?;
    Ok(Some(match program.evaluate(case.line.as_bytes(), missing) {
        Ok(Outcome::True) => "true".to_owned(),
        Ok(Outcome::Unknown { fields }) => format!("unknown {}", fields.join(" ")),
        Ok(_) => "false".to_owned(),
        Err(error) => format!("rejected: {error}"),
    }))
}
