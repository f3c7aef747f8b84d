//! Checks, fixes and editor services for the expressions of case files.

use std::collections::BTreeMap;
use zonewright_diagnostic::{Applicability, Diagnostic, apply_safe_fixes};
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{
    FormatOptions, FormatStyle, Kind, LintOptions, ListKind, Options, Spelling, check, code, complete, hover, signature,
};
use zonewright_request::parse_list_name;

/// No text needs more rounds of fixes than this.
const MAX_FIX_ROUNDS: usize = 20;

/// Reads `kind=value phase=… plan=… lists=blocked:ip,hosts:hostname max_length=40 lint allow=…`.
///
/// # Errors
///
/// Names the word that is not an option.
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
        "kind" => options.kind = Kind::from_name(value)?,
        "phase" => options.phase = Some(Phase::from_name(value)?),
        "plan" => options.plan = Some(Tier::from_name(value)?),
        "lists" => options.lists = Some(lists(value)?),
        "lint" if value.is_empty() => options.lint = Some(LintOptions::default()),
        "allow" => {
            let allow = value.split(',').map(|code| code::is_lint(code).then(|| code.to_owned()));
            options.lint.as_mut()?.allow = allow.collect::<Option<_>>()?;
        }
        "max_length" => options.max_length = value.parse().ok()?,
        _ => return None,
    }
    Some(())
}

fn lists(text: &str) -> Option<BTreeMap<String, ListKind>> {
    let mut lists = BTreeMap::new();
    for entry in text.split(',') {
        let (name, kind) = entry.split_once(':')?;
        let name = parse_list_name(name).ok()?.to_owned();
        // A list that is defined twice is an error.
        lists.insert(name, ListKind::from_name(kind)?).is_none().then_some(())?;
    }
    Some(lists)
}

/// Reads `style=compact width=40 operators=english max_length=100`.
///
/// # Errors
///
/// Names the word that is not an option.
pub fn format_options(text: &str) -> Result<FormatOptions, String> {
    let mut options = FormatOptions::default();
    for option in text.split_whitespace() {
        set_format(&mut options, option).ok_or_else(|| format!("`{option}` is not an option"))?;
    }
    Ok(options)
}

fn set_format(options: &mut FormatOptions, option: &str) -> Option<()> {
    let (name, value) = option.split_once('=')?;
    match (name, value) {
        ("style", "canonical") => options.style = FormatStyle::Canonical,
        ("style", "compact") => options.style = FormatStyle::Compact,
        ("operators", "preserve") => options.operators = Spelling::Preserve,
        ("operators", "english") => options.operators = Spelling::English,
        ("operators", "symbols") => options.operators = Spelling::Symbols,
        ("width", _) => options.width = value.parse().ok()?,
        ("max_length", _) => options.max_length = value.parse().ok()?,
        _ => return None,
    }
    Some(())
}

/// The diagnostics of a source.
pub fn diagnostics(source: &str, options: &Options) -> Vec<Diagnostic> {
    let found = check(source, options).diagnostics;
    assert_single_reading(source, &found);
    found
}

/// Asserts that no diagnostic has two safe fixes: with two readings, neither is certain.
pub fn assert_single_reading(source: &str, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        let safe = diagnostic.fixes.iter().filter(|fix| fix.applicability == Applicability::Safe).count();
        assert!(safe < 2, "{source}: {diagnostic:?}");
    }
}

/// One line: `` error[single-quotes] `'a'`: message ``.
pub fn diagnostic_line(source: &str, diagnostic: &Diagnostic) -> String {
    let severity = diagnostic.severity.as_str();
    format!("{severity}[{}] {}: {}", diagnostic.code, source_excerpt(source, diagnostic), diagnostic.message)
}

/// Code and source excerpt of every diagnostic, on one line.
pub fn summarize_diagnostics(source: &str, diagnostics: &[Diagnostic]) -> String {
    let excerpts: Vec<_> = diagnostics.iter().map(|d| format!("{} {}", d.code, source_excerpt(source, d))).collect();
    excerpts.join(", ")
}

/// The source text of a diagnostic on one line: `␊` stands for a line break.
fn source_excerpt(source: &str, diagnostic: &Diagnostic) -> String {
    format!("`{}`", diagnostic.span.text(source).replace('\n', "␊"))
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

/// The result for a text with a cursor `|` in it, in the format of the blocks `complete`, `hover` and `signature`;
/// `None` without a cursor.
pub fn at_cursor(kind: &str, marked: &str, options: &Options) -> Option<String> {
    let offset = marked.find('|')?;
    let source = marked.replacen('|', "", 1);
    Some(match kind {
        "complete" => {
            let items = complete(&source, offset, options).items;
            items.iter().take(5).map(|item| item.label.as_str()).collect::<Vec<_>>().join(" · ")
        }
        "hover" => hover(&source, offset, options)
            .map(|found| {
                format!("{} — {} — {}", found.title, found.detail, found.text.join(" / ")).trim_end().to_owned()
            })
            .unwrap_or_default(),
        _ => signature(&source, offset)
            .map(|help| match help.active.and_then(|active| help.parameters.get(active)) {
                Some(active) => {
                    let (before, rest) = help.label.split_at(active.span.start);
                    let (name, after) = rest.split_at(active.span.end - active.span.start);
                    format!("{before}‹{name}›{after}")
                }
                None => help.label.clone(),
            })
            .unwrap_or_default(),
    })
}
