//! Checks that the prose of the project uses the words of `docs/glossary.md`.
//!
//! Comments, documents and texts for users must not contain two marks of unclear prose: retired words of the glossary,
//! and sentences that begin with "Who", "Whoever", "What" or "Whatever" without being questions.
//! `PROSE_UNDER=crates/store cargo test -p zonewright-tests --test prose` reads one folder only.

#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

use proc_macro2::{TokenStream, TokenTree};
use std::path::Path;
use std::process::Command;
use std::str::FromStr;

/// Files with a reason to break the rules.
const EXCEPTIONS: &[(&str, &str)] =
    &[("docs/glossary.md", "lists the retired words"), ("tests/prose.rs", "names the rules")];
/// Folders of files that must not change.
const IGNORED_FOLDERS: &[(&str, &str)] = &[
    ("crates/store/src/migrations/", "the database remembers a checksum of each file"),
    ("crates/cli/tests/faults/samples/", "dumps of former databases"),
];
/// Folders whose prose is not rewritten yet.
const PENDING_FOLDERS: &[&str] = &[];
const TEXT_EXTENSIONS: &[&str] =
    &["rs", "md", "mjs", "js", "ts", "css", "sql", "toml", "pest", "html", "yml", "yaml", "json", "service", "sh", ""];
/// Words that begin a nominal relative clause, or a question.
const OPENERS: [&str; 4] = ["Who", "Whoever", "What", "Whatever"];

/// A sentence or a word that breaks a rule.
struct Violation {
    path: String,
    line: usize,
    text: String,
}

#[test]
fn retired_words_are_not_used() {
    let retired = retired_words(&read("docs/glossary.md"));
    assert!(retired.len() > 20, "{retired:?}");
    let mut found = Vec::new();
    for path in files() {
        let text = read(&path);
        for (index, line) in text.lines().enumerate() {
            let lower = line.to_lowercase();
            for word in retired.iter().filter(|word| has_word(&lower, word)) {
                found.push(Violation { path: path.clone(), line: index + 1, text: format!("{word}: {}", line.trim()) });
            }
        }
    }
    report(&found);
}

#[test]
fn sentences_name_their_subject() {
    let mut found = Vec::new();
    for path in files() {
        let text = read(&path);
        let paragraphs = match extension(&path) {
            "rs" => [comment_paragraphs(&text, &["//!", "///", "//"]), string_literals(&path, &text)].concat(),
            "md" => comment_paragraphs(&text, &[""]),
            "mjs" | "js" | "ts" => comment_paragraphs(&text, &["///", "//", "/**", "/*", "*"]),
            "css" | "html" => comment_paragraphs(&text, &["/*", "*", "<!--"]),
            "sql" => comment_paragraphs(&text, &["--"]),
            "pest" => comment_paragraphs(&text, &["///", "//!", "//"]),
            "json" => Vec::new(),
            _ => comment_paragraphs(&text, &["#"]),
        };
        for (line, paragraph) in paragraphs {
            for sentence in split_sentences(&paragraph).filter(|sentence| has_unclear_subject(sentence)) {
                found.push(Violation { path: path.clone(), line, text: sentence.to_owned() });
            }
        }
    }
    report(&found);
}

#[test]
fn violations_are_found_in_comments_and_literals() {
    assert_eq!(
        retired_words(
            "# A\n| `kept` | x |\n\n## Retired words\n\n| Retired | Use |\n|---|---|\n| `told`, `tells of` | x |"
        ),
        ["told", "tells of"]
    );
    assert!(has_word("nobody is told.", "told") && !has_word("untold", "told"));
    let text = "/// Who waits, waits.\n/// And more.\nfn f() {}\n// Is it so? What is it? What waits is late";
    let paragraphs = comment_paragraphs(text, &["///", "//"]);
    let unclear = paragraphs.iter().flat_map(|(line, text)| {
        split_sentences(text).filter(|sentence| has_unclear_subject(sentence)).map(move |sentence| (*line, sentence))
    });
    assert_eq!(unclear.collect::<Vec<_>>(), [(1, "Who waits, waits."), (4, "What waits is late")]);
    let strings = string_literals("x.rs", "fn f() { g(\"What is left out\", format!(\"{a}: {}\", \"Who\")) }");
    assert_eq!(
        strings.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(),
        ["What is left out", "{a}: {}", "Who"]
    );
}

/// The first column of the last table of the glossary.
fn retired_words(glossary: &str) -> Vec<String> {
    let (_, table) = glossary.split_once("## Retired words").unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| ")?.split('|').next());
    rows.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Whether the text has the word, and not only a longer one that contains it.
fn has_word(text: &str, word: &str) -> bool {
    let is_word_char = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.match_indices(word).any(|(index, _)| {
        let before = text.get(..index).and_then(|before| before.chars().next_back());
        let after = text.get(index + word.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(is_word_char) && !after.is_some_and(is_word_char)
    })
}

/// The paragraphs of lines that begin with one of the marks, without the mark, each with the number of its first line.
fn comment_paragraphs(text: &str, marks: &[&str]) -> Vec<(usize, String)> {
    let mut paragraphs: Vec<(usize, String)> = Vec::new();
    let mut is_open = false;
    for (index, line) in text.lines().enumerate() {
        let comment = marks.iter().find_map(|mark| line.trim_start().strip_prefix(mark)).map(str::trim);
        match comment.filter(|comment| !comment.is_empty() && !comment.starts_with("```")) {
            Some(comment) if is_open && !comment.starts_with(['-', '#', '|', '@']) => {
                let (_, paragraph) = paragraphs.last_mut().unwrap();
                paragraph.push(' ');
                paragraph.push_str(comment);
            }
            Some(comment) => paragraphs.push((index + 1, comment.to_owned())),
            None => {}
        }
        is_open = comment.is_some_and(|comment| !comment.is_empty());
    }
    paragraphs
}

/// The string literals of Rust code, including those in macros. Documentation is a comment, not a literal.
fn string_literals(path: &str, text: &str) -> Vec<(usize, String)> {
    let code: String = text
        .lines()
        .map(|line| if line.trim_start().starts_with("//") { "\n" } else { line }.to_owned() + "\n")
        .collect();
    let tokens = TokenStream::from_str(&code).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (mut found, mut pending) = (Vec::new(), vec![tokens]);
    while let Some(tokens) = pending.pop() {
        for token in tokens {
            match token {
                TokenTree::Group(group) => pending.push(group.stream()),
                TokenTree::Literal(literal) => {
                    let line = literal.span().start().line;
                    let text = literal.to_string();
                    if let Some(text) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
                        found.push((line, text.to_owned()));
                    }
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }
    found
}

/// The sentences of a paragraph: each ends with a full stop, a question mark or a colon before a space.
fn split_sentences(paragraph: &str) -> impl Iterator<Item = &str> {
    let mut rest = paragraph;
    std::iter::from_fn(move || {
        let is_end = |index: usize| rest.get(..index).is_some_and(|before| before.ends_with(['.', '?', '!', ':']));
        let end = rest.match_indices(' ').map(|(index, _)| index).find(|index| is_end(*index));
        let (sentence, after) = end.map_or((rest, ""), |index| rest.split_at(index));
        rest = after.trim_start();
        (!sentence.is_empty()).then_some(sentence)
    })
}

/// Whether the sentence begins with a nominal relative clause.
fn has_unclear_subject(sentence: &str) -> bool {
    let sentence = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
    let first = sentence.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    OPENERS.contains(&first)
        && sentence.len() > first.len()
        && !sentence.trim_end_matches(['`', '"', '*', ')', '|', ' ']).ends_with('?')
}

fn report(found: &[Violation]) {
    let lines: Vec<_> = found.iter().map(|Violation { path, line, text }| format!("{path}:{line}: {text}")).collect();
    assert!(found.is_empty(), "{} times:\n{}", found.len(), lines.join("\n"));
}

/// The text files that git tracks or would track, without the exceptions.
fn files() -> Vec<String> {
    let under = std::env::var("PROSE_UNDER").unwrap_or_default();
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let files = String::from_utf8(output.stdout).unwrap();
    let is_excepted = |path: &str| EXCEPTIONS.iter().any(|(file, _)| *file == path);
    let is_pending = |path: &str| under.is_empty() && PENDING_FOLDERS.iter().any(|folder| path.starts_with(folder));
    let is_ignored =
        |path: &str| is_pending(path) || IGNORED_FOLDERS.iter().any(|(folder, _)| path.starts_with(folder));
    let is_text = |path: &str| TEXT_EXTENSIONS.contains(&extension(path)) && !path.ends_with("package-lock.json");
    let files = files.split_terminator('\0').filter(|path| path.starts_with(&under));
    let files = files.filter(|path| is_text(path) && !is_excepted(path) && !is_ignored(path));
    files.filter(|path| root().join(path).is_file()).map(str::to_owned).collect()
}

/// The extension of a file; empty if its name has no dot.
fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}
