//! The page of every diagnostic code: its form, and that its examples do what they say.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;
use std::path::Path;
use zonewright_diagnostic::apply_fix;
use zonewright_expression::{Lint, code};
use zonewright_tests::expression::{diagnostics, line, options};
use zonewright_tests::markdown::{Block, Piece, read};

/// The parts of a page.
struct Page {
    options: String,
    bad: String,
    good: String,
}

/// Reads a page of exactly the one form.
fn page(name: &str, text: &str) -> Result<Page, String> {
    let pieces: Vec<_> =
        read(text).into_iter().filter(|piece| !matches!(piece, Piece::Line(line) if line.is_empty())).collect();
    let mut pieces = pieces.into_iter().peekable();
    let heading = |pieces: &mut dyn Iterator<Item = Piece>, level, title: &str| match pieces.next() {
        Some(Piece::Heading(found, text)) if (found, text.as_str()) == (level, title) => Ok(()),
        other => Err(format!("`{title}` expected, not {other:?}")),
    };
    let line = |piece: Option<Piece>| match piece {
        Some(Piece::Line(line)) => Ok(line),
        other => Err(format!("a paragraph on one line expected, not {other:?}")),
    };
    let block = |piece: Option<Piece>| match piece {
        Some(Piece::Block(block)) if block.holds == "expression" => Ok(block),
        other => Err(format!("an expression expected, not {other:?}")),
    };
    heading(&mut pieces, 1, name)?;
    line(pieces.next())?;
    heading(&mut pieces, 2, "Bad")?;
    let options = match pieces.next_if(|piece| matches!(piece, Piece::Line(_))) {
        Some(Piece::Line(line)) => line.strip_prefix("Options: ").ok_or("options expected")?.to_owned(),
        _ => String::new(),
    };
    let bad = source(&block(pieces.next())?);
    heading(&mut pieces, 2, "Good")?;
    let good = source(&block(pieces.next())?);
    heading(&mut pieces, 2, "Why")?;
    line(pieces.next())?;
    match pieces.next() {
        None => Ok(Page { options, bad, good }),
        Some(piece) => Err(format!("the end expected, not {piece:?}")),
    }
}

/// The text of an example; one that is too long for a page is made here.
fn source(block: &Block) -> String {
    match block.options.strip_prefix("generated=") {
        None => block.text.clone(),
        Some("nesting-too-deep") => format!("{}ssl{}", "(".repeat(129), ")".repeat(129)),
        Some("source-too-large") => "ssl or ".repeat(1 << 18) + "ssl",
        Some("too-many-problems") => ")".repeat(1_002),
        Some("too-many-hashes") => format!("http.host eq r{0}\"a\"{0}", "#".repeat(256)),
        Some(other) => panic!("nothing generates `{other}`"),
    }
}

#[test]
fn every_code_has_a_page_and_the_reverse() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/expression/codes");
    let pages: BTreeSet<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let codes: BTreeSet<_> = code::ALL.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(pages, codes);
}

#[test]
fn examples_do_what_they_say() {
    let mut failures = Vec::new();
    for (name, text) in code::ALL {
        if let Err(problem) = page(name, text).and_then(|page| examples(name, &page)) {
            failures.push(format!("{name}: {problem}"));
        }
    }
    assert!(failures.is_empty(), "{}\n{} pages are wrong", failures.join("\n"), failures.len());
}

fn examples(name: &str, page: &Page) -> Result<(), String> {
    let mut options = options(&page.options)?;
    options.lint = code::is_lint(name).then(Lint::default);
    let all = |source: &str| {
        let lines: Vec<_> = diagnostics(source, &options).iter().map(|found| line(source, found)).collect();
        let mut text = lines.join("\n    ");
        if let Some((end, _)) = text.char_indices().nth(1000) {
            text.truncate(end);
        }
        text
    };
    let mut found = diagnostics(&page.bad, &options);
    if name == code::TOO_MANY_PROBLEMS {
        found.drain(..found.len() - 1);
    }
    let [only] = found.as_slice() else {
        return Err(format!("the bad example has {} diagnostics\n    {}", found.len(), all(&page.bad)));
    };
    if only.code != name {
        return Err(format!("the bad example has another diagnostic\n    {}", all(&page.bad)));
    }
    if let Some(fix) = only.fixes.first() {
        let mended = apply_fix(&page.bad, fix);
        if mended != page.good {
            return Err(format!("the fix gives something else than the good example\n    {mended}"));
        }
    }
    match diagnostics(&page.good, &options).len() {
        0 => Ok(()),
        _ => Err(format!("the good example has diagnostics\n    {}", all(&page.good))),
    }
}
