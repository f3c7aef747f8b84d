//! Checks the page of every diagnostic code: its structure and its examples, which must produce the code.

#![allow(clippy::panic, clippy::unwrap_used, reason = "tests may panic")]

use std::collections::BTreeSet;
use std::path::Path;
use zonewright_diagnostic::{Diagnostic, apply_fix};
use zonewright_expression::{LintOptions, code};
use zonewright_logpush::code as logpush_code;
use zonewright_tests::expression::diagnostic_line;
use zonewright_tests::markdown::{Block, MarkdownElement, read};
use zonewright_tests::{expression, logpush};

/// An engine whose codes have pages.
struct Engine {
    /// Its directory under `crates`.
    folder: &'static str,
    codes: &'static [(&'static str, &'static str)],
    /// The kind of the blocks of its examples.
    kind: &'static str,
    /// Checks an example with these options; the flag turns lints on.
    diagnostics: fn(&str, &str, bool) -> Result<Vec<Diagnostic>, String>,
    is_lint: fn(&str) -> bool,
    lints: &'static [&'static str],
}

const ENGINES: [Engine; 2] = [
    Engine {
        folder: "expression",
        codes: code::ALL,
        kind: "expression",
        diagnostics: |source, option_text, lint| {
            let mut options = expression::options(option_text)?;
            options.lint = lint.then(LintOptions::default);
            Ok(expression::diagnostics(source, &options))
        },
        is_lint: code::is_lint,
        lints: code::LINTS,
    },
    Engine {
        folder: "logpush",
        codes: logpush_code::ALL,
        kind: "filter",
        diagnostics: |source, option_text, lint| {
            let mut options = logpush::options(option_text)?;
            options.lint = lint.then(LintOptions::default);
            Ok(logpush::diagnostics(source, &options))
        },
        is_lint: logpush_code::is_lint,
        lints: logpush_code::LINTS,
    },
];

/// The examples of a page.
struct Page {
    options: String,
    bad: String,
    good: String,
}

/// Reads a page; the order of its sections is fixed.
fn read_page(engine: &Engine, name: &str, text: &str) -> Result<Page, String> {
    let elements: Vec<_> = read(text)
        .into_iter()
        .filter(|element| !matches!(element, MarkdownElement::Line(line) if line.is_empty()))
        .collect();
    let mut elements = elements.into_iter().peekable();
    let heading = |elements: &mut dyn Iterator<Item = MarkdownElement>, level, title: &str| match elements.next() {
        Some(MarkdownElement::Heading(found, text)) if (found, text.as_str()) == (level, title) => Ok(()),
        other => Err(format!("`{title}` expected, not {other:?}")),
    };
    let line = |element: Option<MarkdownElement>| match element {
        Some(MarkdownElement::Line(line)) => Ok(line),
        other => Err(format!("a paragraph on one line expected, not {other:?}")),
    };
    let block = |element: Option<MarkdownElement>| match element {
        Some(MarkdownElement::Block(block)) if block.kind == engine.kind => Ok(block),
        other => Err(format!("a block `{}` expected, not {other:?}", engine.kind)),
    };
    heading(&mut elements, 1, name)?;
    line(elements.next())?;
    heading(&mut elements, 2, "Bad")?;
    let options = match elements.next_if(|element| matches!(element, MarkdownElement::Line(_))) {
        Some(MarkdownElement::Line(line)) => {
            line.strip_prefix("Options: ").ok_or("the word `Options: ` expected")?.to_owned()
        }
        _ => String::new(),
    };
    let bad = example_text(engine, &block(elements.next())?);
    heading(&mut elements, 2, "Good")?;
    let good = example_text(engine, &block(elements.next())?);
    heading(&mut elements, 2, "Why")?;
    line(elements.next())?;
    match elements.next() {
        None => Ok(Page { options, bad, good }),
        Some(element) => Err(format!("the end expected, not {element:?}")),
    }
}

/// The text of an example; a text that is too long for a page is generated.
fn example_text(engine: &Engine, block: &Block) -> String {
    let condition = "{\"key\":\"ClientCountry\",\"operator\":\"eq\",\"value\":\"ca\"}";
    match (engine.folder, block.options.strip_prefix("generated=")) {
        (_, None) => block.text.clone(),
        ("expression", Some("nesting-too-deep")) => format!("{}ssl{}", "(".repeat(129), ")".repeat(129)),
        ("expression", Some("source-too-large")) => "ssl or ".repeat(1 << 18) + "ssl",
        ("expression", Some("too-many-diagnostics")) => ")".repeat(1_002),
        ("expression", Some("too-many-hashes")) => format!("http.host eq r{0}\"a\"{0}", "#".repeat(256)),
        ("logpush", Some("nesting-too-deep")) => {
            format!("{{\"where\":{}{condition}{}}}", "{\"and\":[".repeat(64), "]}".repeat(64))
        }
        ("logpush", Some("source-too-large")) => format!("{{\"where\":{condition}}}{}", " ".repeat(1 << 20)),
        ("logpush", Some("too-many-diagnostics")) => {
            format!("{{\"where\":{{\"and\":[{condition}{}]}}}}", ",{}".repeat(1_001))
        }
        (_, Some(other)) => panic!("unknown generator `{other}`"),
    }
}

#[test]
fn codes_and_pages_correspond_one_to_one() {
    for engine in ENGINES {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates").join(engine.folder).join("codes");
        let pages: BTreeSet<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        let codes: BTreeSet<_> = engine.codes.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(pages, codes);
    }
}

#[test]
fn lints_are_listed_in_the_order_of_their_codes() {
    for engine in ENGINES {
        let codes = engine.codes.iter().map(|(name, _)| *name);
        let sorted: Vec<_> = codes.filter(|name| engine.lints.contains(name)).collect();
        assert_eq!(engine.lints, sorted, "{}", engine.folder);
    }
}

#[test]
fn bad_example_has_only_its_code_and_fix_yields_good_example() {
    let mut failures = Vec::new();
    for engine in ENGINES {
        for (name, text) in engine.codes {
            if let Err(problem) = read_page(&engine, name, text).and_then(|page| check_examples(&engine, name, &page)) {
                failures.push(format!("{} {name}: {problem}", engine.folder));
            }
        }
    }
    assert!(failures.is_empty(), "{}\n{} pages are wrong", failures.join("\n"), failures.len());
}

fn check_examples(engine: &Engine, name: &str, page: &Page) -> Result<(), String> {
    let lint = (engine.is_lint)(name);
    let check = |source: &str| (engine.diagnostics)(source, &page.options, lint);
    let summarize = |source: &str| {
        let lines: Vec<_> =
            check(source).unwrap_or_default().iter().map(|diagnostic| diagnostic_line(source, diagnostic)).collect();
        let mut text = lines.join("\n    ");
        if let Some((end, _)) = text.char_indices().nth(1000) {
            text.truncate(end);
        }
        text
    };
    let mut diagnostics = check(&page.bad)?;
    if name == code::TOO_MANY_DIAGNOSTICS {
        diagnostics.drain(..diagnostics.len() - 1);
    }
    let [only] = diagnostics.as_slice() else {
        return Err(format!("the bad example has {} diagnostics\n    {}", diagnostics.len(), summarize(&page.bad)));
    };
    if only.code != name {
        return Err(format!("the bad example has a different diagnostic\n    {}", summarize(&page.bad)));
    }
    if let Some(fix) = only.fixes.first() {
        let fixed = apply_fix(&page.bad, fix);
        if fixed != page.good {
            return Err(format!("the fix does not yield the good example\n    {fixed}"));
        }
    }
    match check(&page.good)?.len() {
        0 => Ok(()),
        _ => Err(format!("the good example has diagnostics\n    {}", summarize(&page.good))),
    }
}
