//! Filters of log push in case files, run through the engine.

use crate::expression::{assert_single_reading, verdict};
use crate::logpush_jobs::destination;
use crate::meaning::{converted, simplified};
use zonewright_diagnostic::{Diagnostic, apply_safe_fixes};
use zonewright_expression::Lint;
use zonewright_logpush::{
    Dataset, FormatOptions, Missing, Options, Outcome, Style, check, complete, explain, format, hover, parse, print,
    redact,
};

/// More rounds of fixes than any text needs.
const MOST_ROUNDS: usize = 20;

/// A filter with what its block and the blocks before it say.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    /// The text of the filter.
    pub source: &'a str,
    /// The options of the block that asks.
    pub words: &'a str,
    /// What the filter is checked against.
    pub options: &'a Options,
    /// The last block `line`: a log line.
    pub line: &'a str,
}

/// What is asked: an answer, none for a filter that has none, or why nothing can be said.
pub type Ask = fn(&Case<'_>) -> Result<Option<String>, String>;

/// Blocks below a `filter` block, each with its answer; `words` are the options of the answer's block.
pub const BELOW: &[(&str, Ask)] = &[("formatted", formatted), ("explained", explained)];

/// Blocks with a filter, ` ⇒ ` and the answer a line; a line break in the answer is shown as `␊`.
pub const LISTS: &[(&str, Ask)] = &[
    ("formats", formatted),
    ("complete", completed),
    ("hover", hovered),
    ("explanations", explained),
    ("simplified", simplified),
    ("converted", converted),
    ("filtered", filtered),
    ("destinations", |case| Ok(Some(destination(case.source)))),
    ("redacted", |case| Ok(Some(redact(case.source)))),
];

/// Reads `dataset=firewall_events max_operators=3 max_bytes=100 lint`. Words that are meant for the
/// question itself, such as `style=compact`, are left to it.
///
/// # Errors
///
/// Says which word has no such value.
pub fn options(words: &str) -> Result<Options, String> {
    let mut options = Options::default();
    for word in words.split_whitespace() {
        set(&mut options, word).ok_or_else(|| format!("`{word}` is no option"))?;
    }
    Ok(options)
}

fn set(options: &mut Options, word: &str) -> Option<()> {
    let (name, value) = word.split_once('=').unwrap_or((word, ""));
    match name {
        "dataset" => options.dataset = Dataset::named(value)?,
        "max_operators" => options.max_operators = value.parse().ok()?,
        "max_bytes" => options.max_bytes = value.parse().ok()?,
        "lint" if value.is_empty() => options.lint = Some(Lint::default()),
        "allow" => options.lint.as_mut()?.allow = value.split(',').map(str::to_owned).collect(),
        _ => return OTHER_WORDS.contains(&name).then_some(()),
    }
    Some(())
}

/// Options of questions.
const OTHER_WORDS: [&str; 3] = ["style", "width", "missing"];

/// The diagnostics of a filter.
pub fn diagnostics(source: &str, options: &Options) -> Vec<Diagnostic> {
    let found = check(source, options).diagnostics;
    assert_single_reading(source, &found);
    found
}

/// Code and place of every diagnostic, on one line.
pub fn refusal(source: &str, options: &Options) -> String {
    verdict(source, &diagnostics(source, options))
}

/// The text after all safe fixes, round by round until nothing changes.
pub fn fixed(source: &str, options: &Options) -> String {
    let mut text = source.to_owned();
    for _ in 0..MOST_ROUNDS {
        match apply_safe_fixes(&text, &diagnostics(&text, options)) {
            Some(next) if next != text => text = next,
            _ => break,
        }
    }
    text
}

/// Reads `style=escaped width=40`.
fn format_options(words: &str) -> Result<FormatOptions, String> {
    let mut options = FormatOptions::default();
    for word in words.split_whitespace() {
        match word.split_once('=') {
            Some(("style", "pretty")) => options.style = Style::Pretty,
            Some(("style", "compact")) => options.style = Style::Compact,
            Some(("style", "escaped")) => options.style = Style::Escaped,
            Some(("width", width)) => options.width = width.parse().map_err(|_| format!("`{word}` is no width"))?,
            _ => return Err(format!("`{word}` is no option")),
        }
    }
    Ok(options)
}

/// The filter laid out anew, which must be the same filter and stay as it is when laid out once more.
fn formatted(case: &Case<'_>) -> Result<Option<String>, String> {
    let options = format_options(case.words)?;
    let Some(text) = format(case.source, &options).text else { return Ok(None) };
    if !same_tree(case.source, &text) {
        return Err(format!("`{text}` is another filter"));
    }
    match format(&text, &options).text {
        Some(again) if again == text => Ok(Some(text)),
        again => Err(format!("`{text}` becomes {again:?}")),
    }
}

fn explained(case: &Case<'_>) -> Result<Option<String>, String> {
    Ok(Some(explain(case.source, case.options).text).filter(|text| !text.is_empty()))
}

/// Whether two texts are the same filter but for where its parts stand.
pub fn same_tree(left: &str, right: &str) -> bool {
    let tree = |source: &str| parse(source).ast.map(|ast| print(&ast.condition, Style::Compact));
    tree(left).is_some() && tree(left) == tree(right)
}

/// The first labels at the cursor, which is the first `|`.
fn completed(case: &Case<'_>) -> Result<Option<String>, String> {
    let (source, offset) = at_cursor(case)?;
    let items = complete(&source, offset, case.options).items;
    Ok(Some(items.iter().take(5).map(|item| item.label.as_str()).collect::<Vec<_>>().join(" · ")))
}

fn hovered(case: &Case<'_>) -> Result<Option<String>, String> {
    let (source, offset) = at_cursor(case)?;
    let found = hover(&source, offset, case.options);
    Ok(found.map(|found| format!("{} — {} — {}", found.title, found.detail, found.text.join(" / "))))
}

fn at_cursor(case: &Case<'_>) -> Result<(String, usize), String> {
    let offset = case.source.find('|').ok_or("no cursor")?;
    Ok((case.source.replacen('|', "", 1), offset))
}

/// What a filter gives for the line; `missing=unknown` may stand in the words.
fn filtered(case: &Case<'_>) -> Result<Option<String>, String> {
    let word = case.words.split_whitespace().find_map(|word| word.strip_prefix("missing="));
    let missing = word.map_or(Some(Missing::Absent), Missing::from_name).ok_or("`missing` is unknown or absent")?;
    let program = check(case.source, case.options).program.ok_or("the filter is refused")?;
    Ok(Some(match program.evaluate(case.line.as_bytes(), missing) {
        Ok(Outcome::True) => "true".to_owned(),
        Ok(Outcome::Unknown { fields }) => format!("unknown {}", fields.join(" ")),
        Ok(_) => "false".to_owned(),
        Err(error) => format!("rejected: {error}"),
    }))
}
