//! The fuzz targets on stable: spoiled cases of `spec/`, and the bad inputs that have names.
//!
//! `ZONEWRIGHT_SOAK=100` runs a hundred times as many. `ZONEWRIGHT_CORPUS=FOLDER` writes the seeds
//! into a folder, for a fuzzer to start from.

#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

use serde_json::{Value, json};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use zonewright_expression::Options;
use zonewright_tests::fuzz;
use zonewright_tests::markdown::{Piece, read};

/// The stack of the npm package, in which all has to fit, in a debug build too.
const STACK: usize = 1 << 20;
/// A guard against work that grows faster than the text, which takes hours. Linear work takes a few
/// seconds at most.
const PATIENCE: Duration = Duration::from_secs(120);
/// Most bytes that are read at all.
const MOST_BYTES: usize = 1 << 20;
/// Spoiled texts made of every seed.
const SPOILED: usize = 6;

#[test]
fn spoiled_expressions_are_answered() {
    let seeds = seeds();
    assert!(seeds.len() > 500, "only {} seeds", seeds.len());
    if let Some(folder) = std::env::var_os("ZONEWRIGHT_CORPUS") {
        for (number, seed) in seeds.iter().enumerate() {
            std::fs::write(Path::new(&folder).join(format!("seed-{number}")), seed).unwrap();
        }
    }
    run_spoiled(&seeds, fuzz::check);
}

#[test]
fn spoiled_bodies_are_answered() {
    let bodies: Vec<Vec<u8>> = seeds().iter().flat_map(|seed| bodies(&String::from_utf8_lossy(seed))).collect();
    run_spoiled(&bodies, fuzz::filters_json);
}

#[test]
fn json_of_every_shape_is_answered() {
    let mut random = Random(11);
    for _ in 0..500 * soak() {
        let body = random.json(4);
        fuzz::filters_json(body.to_string().as_bytes());
    }
}

/// Every named bad input: its text and the first code that is found.
#[test]
fn named_bad_inputs_are_answered() {
    let unreadable = [
        ("empty", String::new(), "empty-expression"),
        ("one blank", " ".to_owned(), "empty-expression"),
        ("1 MiB of blanks", " ".repeat(MOST_BYTES), "empty-expression"),
        ("1 MiB of one name", "a".repeat(MOST_BYTES), "unknown-field"),
        ("above 1 MiB", "a".repeat(MOST_BYTES + 1), "source-too-large"),
        ("NUL", "\0".to_owned(), "stray-blank"),
        ("NUL in a text", "ssl and\0http.host eq \"a\"".to_owned(), "stray-blank"),
        ("1 MiB of NUL", "\0".repeat(MOST_BYTES), "stray-blank"),
        ("10,000 (", "(".repeat(10_000), "nesting-too-deep"),
        ("10,000 not", "not ".repeat(10_000), "nesting-too-deep"),
        ("10,000 !", "!".repeat(10_000), "nesting-too-deep"),
        ("10,000 [", "[".repeat(10_000), "unexpected-text"),
        ("10,000 [ behind a field", format!("ssl{}", "[".repeat(10_000)), "malformed-index"),
        ("10,000 {", "{".repeat(10_000), "unexpected-text"),
        ("10,000 calls", "lower(".repeat(10_000), "nesting-too-deep"),
        ("an open string", "http.host eq \"a".to_owned(), "unterminated-string"),
        ("an open raw string", "http.host eq r##\"a\"#".to_owned(), "unterminated-string"),
        ("an open regex", "http.host matches \"[a\"".to_owned(), "unterminated-string"),
        ("a large regex", "http.host matches \"((a{100}){100}){100}\"".to_owned(), "regex-too-large"),
        ("1 MiB of double quotes", "\"".repeat(MOST_BYTES), "literal-on-left"),
        ("1 MiB of single quotes", "'".repeat(MOST_BYTES), "single-quotes"),
        ("1 MiB of a(", "a(".repeat(MOST_BYTES / 2), "nesting-too-deep"),
    ];
    for (name, source, code) in unreadable {
        let first = in_small_stack(name, move || {
            let found = fuzz::answer(&source, &Options::default());
            let next = fuzz::answer("ssl", &Options::default());
            assert!(next.is_empty(), "{next:?}");
            fuzz::check(source.as_bytes());
            found.iter().map(|one| one.code).collect::<Vec<_>>()
        });
        assert!(first.contains(&code), "{name}: {:?} found, {code} expected", first.iter().take(5).collect::<Vec<_>>());
    }
}
