//! Runs the fuzz targets on stable: mutated cases of `spec/`, and named hostile inputs.
//!
//! `ZONEWRIGHT_SOAK=100` runs a hundred times as many mutations. `ZONEWRIGHT_CORPUS=DIRECTORY` writes the seeds into
//! a directory, as the initial corpus of a fuzzer.

#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

use serde_json::{Value, json};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use zonewright_expression::{LintOptions, Options, check};
use zonewright_tests::hostile::hostile_filters;
use zonewright_tests::markdown::{MarkdownElement, read};
use zonewright_tests::{fuzz, fuzz_filter};

/// The stack of a thread in the service and in these tests. `npm/` tests the 1 MiB stack of the npm package, where
/// the code is optimized.
const STACK_BYTES: usize = 2 << 20;
/// Detects superlinear work, which takes hours. Linear work takes a few seconds at most.
const TIMEOUT: Duration = Duration::from_secs(120);
/// The size limit of a text, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// Mutations of each seed.
const MUTATIONS_PER_SEED: usize = 2;

#[test]
fn mutated_expressions_never_panic() {
    let seeds = seeds();
    assert!(seeds.len() > 500, "only {} seeds", seeds.len());
    if let Some(folder) = std::env::var_os("ZONEWRIGHT_CORPUS") {
        std::fs::create_dir_all(&folder).unwrap();
        for (number, seed) in seeds.iter().enumerate() {
            std::fs::write(Path::new(&folder).join(format!("seed-{number}")), seed).unwrap();
        }
    }
    run_mutated(&seeds, fuzz::check);
}

#[test]
fn mutated_bodies_never_panic() {
    let bodies: Vec<Vec<u8>> = seeds().iter().flat_map(|seed| bodies(&String::from_utf8_lossy(seed))).collect();
    run_mutated(&bodies, fuzz::filters_json);
}

#[test]
fn json_of_any_shape_never_panics() {
    let mut random = Random(11);
    for _ in 0..500 * soak_factor() {
        let body = random.json(4);
        fuzz::filters_json(body.to_string().as_bytes());
    }
}

#[test]
fn mutated_filters_never_panic() {
    let seeds = seeds_in("spec/logpush", &["filter"], &["filters", "rejected", "suspicious"]);
    assert!(seeds.len() > 200, "only {} seeds", seeds.len());
    run_mutated(&seeds, fuzz_filter::filter);
}

/// Each hostile filter produces its expected codes, in a small stack and in linear time.
#[test]
fn hostile_filters_report_expected_codes() {
    for (name, source, expected) in hostile_filters() {
        let found = in_small_stack(name, move || {
            let start = std::time::Instant::now();
            let options =
                zonewright_logpush::Options { max_operators: usize::MAX, max_bytes: usize::MAX, ..Default::default() };
            let found = fuzz_filter::check_and_assert(&source, &options);
            fuzz_filter::assert_editor_services_at(&source, source.len() / 2, &options);
            fuzz_filter::assert_editor_services_at(&source, source.len(), &options);
            println!("{:?}", start.elapsed());
            let mut codes: Vec<_> = found.iter().map(|diagnostic| diagnostic.code).collect();
            codes.dedup();
            codes.truncate(9);
            codes
        });
        println!("{name}: {found:?}");
        assert!(expected.iter().all(|code| found.contains(code)), "{name}: {found:?}, not {expected:?}");
    }
}

/// Each hostile expression produces exactly its expected codes, in a small stack and in linear time.
#[test]
fn hostile_expressions_report_expected_codes() {
    let inputs: [(&str, String, &[&str]); 32] = [
        ("empty", String::new(), &["empty-expression"]),
        ("one space", " ".to_owned(), &["empty-expression"]),
        ("1 MiB of spaces", " ".repeat(MAX_BYTES), &["empty-expression"]),
        ("1 MiB of one name", "a".repeat(MAX_BYTES), &["unknown-field"]),
        ("above 1 MiB", "a".repeat(MAX_BYTES + 1), &["source-too-large"]),
        ("NUL", "\0".to_owned(), &["unexpected-text"]),
        ("NUL between words", "ssl and\0ssl".to_owned(), &["unexpected-text"]),
        ("NUL in a string", "http.host eq \"\0\"".to_owned(), &[]),
        ("1 MiB of NUL", "\0".repeat(MAX_BYTES), &["unexpected-text"]),
        ("the deepest parentheses", format!("{}ssl{}", "(".repeat(128), ")".repeat(128)), &[]),
        ("the deepest not", format!("{}ssl", "not ".repeat(128)), &[]),
        ("the deepest mixture", format!("{}ssl{}", "not (".repeat(64), ")".repeat(64)), &[]),
        ("the deepest calls", format!("{}http.host{} eq \"a\"", "lower(".repeat(128), ")".repeat(128)), &[]),
        ("10,000 (", "(".repeat(10_000), &["nesting-too-deep"]),
        ("10,000 not", "not ".repeat(10_000), &["nesting-too-deep"]),
        ("10,000 !", "!".repeat(10_000), &["nesting-too-deep"]),
        ("10,000 [", "[".repeat(10_000), &["unexpected-text", "too-many-diagnostics"]),
        ("10,000 [ after a field", format!("ssl{}", "[".repeat(10_000)), &["unclosed-delimiter"]),
        ("10,000 {", "{".repeat(10_000), &["unclosed-delimiter"]),
        ("10,000 calls", "lower(".repeat(10_000), &["nesting-too-deep"]),
        (
            "10,000 commas",
            "ssl,".repeat(10_000),
            &["unexpected-text", "missing-logical-operator", "too-many-diagnostics"],
        ),
        (
            "10,000 closing parentheses",
            "ssl)".repeat(10_000),
            &["unopened-delimiter", "missing-logical-operator", "too-many-diagnostics"],
        ),
        ("an open string", "http.host eq \"a".to_owned(), &["unterminated-string"]),
        ("an open raw string", "http.host eq r##\"a\"#".to_owned(), &["unterminated-string"]),
        ("an open regex", "http.host matches \"[a\"".to_owned(), &["unterminated-string"]),
        ("a large regex", "http.host matches \"((a{100}){100}){100}\"".to_owned(), &["regex-too-large"]),
        ("20,000 regexes", regexes(20_000), &[]),
        ("1 MiB of double quotes", "\"".repeat(MAX_BYTES), &["not-a-condition", "missing-logical-operator"]),
        (
            "1 MiB of single quotes",
            "'".repeat(MAX_BYTES),
            &["single-quotes", "not-a-condition", "missing-logical-operator", "too-many-diagnostics"],
        ),
        ("1 MiB of a(", "a(".repeat(MAX_BYTES / 2), &["nesting-too-deep"]),
        ("1 MiB of an open set", "ssl {".repeat(MAX_BYTES / 5), &["unclosed-delimiter"]),
        (
            "1 MiB of calls",
            "lower(a) ".repeat(MAX_BYTES / 9),
            &["unknown-field", "missing-logical-operator", "too-many-diagnostics"],
        ),
    ];
    let mut failures = Vec::new();
    for (name, source, expected) in inputs {
        // Run with --nocapture: after a stack overflow, the last printed name is the culprit.
        println!("{name}");
        let found = in_small_stack(name, move || {
            let found = fuzz::check_and_assert(&source, &Options { max_length: usize::MAX, ..Options::default() });
            if source.len() < MAX_BYTES / 16 {
                fuzz::check(source.as_bytes());
            }
            let next = fuzz::check_and_assert("ssl", &Options::default());
            assert!(next.is_empty(), "the next call gives {next:?}");
            let mut codes: Vec<_> = Vec::new();
            for diagnostic in found {
                if !codes.contains(&diagnostic.code) {
                    codes.push(diagnostic.code);
                }
            }
            codes
        });
        if found != expected {
            failures.push(format!("{name}: {found:?}, not {expected:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Superlinear comparisons between conditions would show here.
#[test]
fn lints_of_large_expressions_finish_in_seconds() {
    let chain = |condition: &dyn Fn(usize) -> String, between: &str| {
        let mut text = condition(0);
        for n in 1.. {
            let next = format!("{between}{}", condition(n));
            if text.len() + next.len() > MAX_BYTES - 200 {
                return text;
            }
            text.push_str(&next);
        }
        text
    };
    let nested =
        |inner: &str, times: usize| (0..times).fold(inner.to_owned(), |text, _| format!("(ssl or {text} or ssl)"));
    let inputs = [
        ("one field with many values", chain(&|n| format!("http.host eq \"{n}\""), " or ")),
        ("one field with many excluded values", chain(&|n| format!("http.host ne \"{n}\""), " and ")),
        ("substrings of one field", chain(&|n| format!("http.host contains \"{n}\""), " or ")),
        ("excluded substrings of one field", chain(&|n| format!("not http.host contains \"{n}\""), " and ")),
        ("bounds of one field", chain(&|n| format!("cf.edge.server_port ge {n}"), " and ")),
        ("small sets", chain(&|n| format!("http.host in {{\"{n}\" \"a\" \"a\"}}"), " and ")),
        ("one condition many times", chain(&|_| "ssl".to_owned(), " or ")),
        ("adjacent operators", chain(&|n| format!("ssl and tcp.dstport eq {n}"), " or ")),
        ("user agents", chain(&|_| "http.user_agent contains \"bot\"".to_owned(), " xor ")),
        ("patterns", chain(&|n| format!("http.host matches \"^[a-z].example.{n}(a|b)\""), " or ")),
        ("a long pattern", format!("http.host matches \"[a-z]{}\"", ".a".repeat(2_000))),
        ("a set with duplicates", format!("http.host in {{{}}}", chain(&|n| format!("\"{}\"", n % 999), " "))),
        ("overlapping ranges", format!("tcp.dstport in {{{}}}", chain(&|n| format!("{n}..{}", n + 9), " "))),
        (
            "networks in networks",
            format!("ip.src in {{0.0.0.0/0 {}}}", chain(&|n| format!("10.{}.0.0/16", n % 256), " ")),
        ),
        ("deep chains", nested(&nested("http.host eq \"a\"", 60), 60)),
    ];
    let options = Options { max_length: usize::MAX, lint: Some(LintOptions::default()), ..Options::default() };
    for (name, source) in inputs {
        let options = options.clone();
        let (found, took) = in_small_stack(name, move || {
            let start = std::time::Instant::now();
            let found = check(&source, &options);
            assert!(found.program.is_some(), "{:?}", found.diagnostics.first());
            (found.diagnostics.len(), start.elapsed())
        });
        println!("{name}: {found} in {took:?}");
        // At most 1,000 diagnostics, and one that counts the omitted ones.
        assert!(found <= 1001, "{name}: {found}");
        assert!(took.as_secs() < 30, "{name}: {took:?}");
    }
}

/// Distinct patterns that take long to compile.
fn regexes(times: usize) -> String {
    let patterns: Vec<_> = (0..times).map(|n| format!("http.host matches \"([a-z]{{100}}){{200}}{n}\"")).collect();
    patterns.join(" or ")
}

/// Runs a target on every seed, unchanged and with several mutations.
fn run_mutated(seeds: &[Vec<u8>], target: fn(&[u8])) {
    let mut random = Random(7);
    for seed in seeds {
        run_and_report(seed, target);
        for _ in 0..MUTATIONS_PER_SEED * soak_factor() {
            run_and_report(&random.mutate(seed, seeds), target);
        }
    }
}

/// Runs a target, and prints its input when it fails.
fn run_and_report(data: &[u8], target: fn(&[u8])) {
    struct InputPrinter<'a>(&'a [u8]);
    impl Drop for InputPrinter<'_> {
        fn drop(&mut self) {
            if std::thread::panicking() {
                eprintln!("the failing input: \"{}\"", self.0.escape_ascii());
            }
        }
    }
    let _printer = InputPrinter(data);
    target(data);
}

fn soak_factor() -> usize {
    std::env::var("ZONEWRIGHT_SOAK").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// Expressions of the case files, valid and invalid.
fn seeds() -> Vec<Vec<u8>> {
    seeds_in("spec", &["expression"], &["expressions", "rejected", "suspicious"])
}

/// Returns the seeds in the case files of a directory. A block of a kind in `block_kinds` is one seed. In a block of a
/// kind in `line_kinds`, each line is one seed, without its expected result.
fn seeds_in(folder: &str, block_kinds: &[&str], line_kinds: &[&str]) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "md") && !path.ends_with("README.md"));
    paths.sort();
    let mut seeds = Vec::new();
    for element in paths.iter().flat_map(|path| read(&std::fs::read_to_string(path).unwrap())) {
        let MarkdownElement::Block(block) = element else { continue };
        match block.kind.as_str() {
            kind if block_kinds.contains(&kind) => seeds.push(block.text.into_bytes()),
            kind if line_kinds.contains(&kind) => {
                seeds.extend(block.text.lines().filter_map(|line| line.split(" ⇒").next()).map(Vec::from));
            }
            _ => {}
        }
    }
    seeds
}

/// Request bodies with this expression.
fn bodies(source: &str) -> Vec<Vec<u8>> {
    let filter = json!({"expression": source, "paused": false, "description": "why", "ref": "r"});
    let rule = json!({"filter": filter, "action": "bypass", "products": ["waf"], "priority": 1});
    [json!([filter]), json!([rule])].iter().map(|body| body.to_string().into_bytes()).collect()
}

/// Runs work in a small stack, and fails when it does not terminate in time.
fn in_small_stack<T: Send + 'static>(name: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = channel();
    let started = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || drop(sender.send(work())));
    let thread = started.unwrap();
    match receiver.recv_timeout(TIMEOUT) {
        Ok(answer) => answer,
        Err(RecvTimeoutError::Timeout) => panic!("{name}: no result after {TIMEOUT:?}"),
        Err(RecvTimeoutError::Disconnected) => panic!("{name}: {:?}", thread.join().map_err(panic_text)),
    }
}

fn panic_text(panic: Box<dyn std::any::Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

/// Bytes with a meaning in the language, and some without.
const INTERESTING_BYTES: &[u8] = b" \"'()[]{}\\,.*&|!=~$#/\t\n\0\xff0z";

/// A pseudo-random number generator (xorshift) with the same sequence in every run.
struct Random(u64);

impl Random {
    fn index_below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit.max(1)
    }

    /// Returns a seed after one to four mutations. Each one removes, inserts, or repeats bytes, truncates the text, or
    /// replaces bytes with the end of a seed.
    fn mutate(&mut self, seed: &[u8], seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut text = seed.to_vec();
        for _ in 0..=self.index_below(4) {
            let start = self.index_below(text.len() + 1);
            let end = text.len().min(start + self.index_below(9));
            let segment = text[start..end].to_vec();
            match self.index_below(5) {
                0 => drop(text.drain(start..end)),
                1 => text.insert(start, INTERESTING_BYTES[self.index_below(INTERESTING_BYTES.len())]),
                2 => drop(text.splice(start..start, segment.repeat(1 + self.index_below(20)))),
                3 => text.truncate(start),
                _ => {
                    let other = &seeds[self.index_below(seeds.len())];
                    let from = self.index_below(other.len() + 1);
                    text.splice(start..end, other[from..].iter().copied());
                }
            }
        }
        text
    }

    /// JSON of any shape, with the members of filters and rules among others.
    fn json(&mut self, depth: usize) -> Value {
        const NAMES: &[&str] = &[
            "filter",
            "expression",
            "action",
            "priority",
            "paused",
            "description",
            "ref",
            "products",
            "id",
            "a/b~c",
            "",
        ];
        const TEXTS: &[&str] = &["ssl", "ssl and", "block", "bypass", "waf", "", "\0", "é🦀"];
        match self.index_below(if depth == 0 { 5 } else { 12 }) {
            0 => Value::Null,
            1 => json!(self.index_below(2) == 0),
            2 => json!(self.index_below(9)),
            3 => json!(-1.5e300),
            4 => json!(TEXTS[self.index_below(TEXTS.len())]),
            5..=7 => (0..self.index_below(5)).map(|_| self.json(depth - 1)).collect(),
            _ => {
                let mut object = serde_json::Map::new();
                for _ in 0..self.index_below(6) {
                    object.insert(NAMES[self.index_below(NAMES.len())].to_owned(), self.json(depth - 1));
                }
                Value::Object(object)
            }
        }
    }
}
