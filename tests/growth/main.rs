//! The work of every function is linear in the length of its text, whatever token the text repeats. Work is counted
//! in steps (`steps.rs`), because times depend on the machine. `tests/npm/growth.test.mjs` asks the same of the
//! WebAssembly of the npm package.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod steps;
mod verbs;

use serde_json::Value;
use std::process::ExitCode;
use steps::steps;
use verbs::{EXPRESSIONS, FILTERS, FIX_EXPRESSION, FIX_FILTER, Fix, REQUESTS, Verb};

/// A quadratic function takes sixteen times the steps for four times the text.
const GROWTH: usize = 4;
/// Sorting, and patterns that are long enough for a closer look, take a little more than linear work.
const TOLERANCE: f64 = 1.25;
/// In fewer steps than this nothing of interest happens.
const LEAST_STEPS: u64 = 20_000;
/// Rounds of fixes, each with a check, and the first check.
const MOST_CHECKS: f64 = 21.0;
/// Length of the longer one of two texts, in bytes.
const LENGTH: usize = 8 * 1024;
/// The same for the first function of each group, in which quadratic work of few steps shows too.
const LONG: usize = 64 * 1024;
/// The same, of tokens inside another text.
const FRAMED_LENGTH: usize = 3 * 1024;

fn main() -> ExitCode {
    if steps(|| drop(zonewright_expression::parse("ssl"))) == 0 {
        eprintln!("growth: no steps are counted; `./run test` compiles this program with the pass that counts them");
        return ExitCode::from(2);
    }
    let samples: [(&str, &str, &[Verb], Option<Fix>); 3] = [
        ("expressions", include_str!("expressions.json"), EXPRESSIONS, Some(FIX_EXPRESSION)),
        ("filters", include_str!("filters.json"), FILTERS, Some(FIX_FILTER)),
        ("requests", include_str!("requests.json"), REQUESTS, None),
    ];
    let (mut measured, mut wrong) = (0, Vec::new());
    for (name, json, verbs, fix) in samples {
        let samples: Value = serde_json::from_str(json).expect("the samples are JSON");
        let pieces: Vec<&str> = texts(&samples["pieces"]);
        for (place, (verb, call)) in verbs.iter().enumerate() {
            let length = if place == 0 { LONG } else { LENGTH };
            for piece in &pieces {
                measured += 1;
                wrong.extend(growth(*call, ["", ""], piece, length).map(|found| format!("{name}, {verb}: {found}")));
            }
        }
        for chain in samples["chains"].as_array().expect("chains are a list") {
            let chain = texts(chain);
            for (verb, call) in verbs {
                measured += 1;
                let found = growth(*call, [chain[0], chain[2]], chain[1], LENGTH);
                wrong.extend(found.map(|found| format!("{name}, {verb}: {found}")));
            }
        }
        if let Some(fix) = fix {
            for piece in &pieces {
                measured += 1;
                wrong.extend(rounds(fix, piece).map(|found| format!("{name}, fix: {found}")));
            }
        }
        let (verb, call) = verbs[0];
        for frame in samples["frames"].as_array().expect("frames are a list") {
            let frame = texts(frame);
            for piece in &pieces {
                measured += 1;
                let found = growth(call, [frame[0], frame[1]], &format!("{piece}\n"), FRAMED_LENGTH);
                wrong.extend(found.map(|found| format!("{name}, {verb}: {found}")));
            }
        }
    }
    for line in &wrong {
        eprintln!("{line}");
    }
    println!("growth: {measured} texts measured, {} with more than linear work", wrong.len());
    ExitCode::from(u8::from(!wrong.is_empty()))
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list of texts").iter().map(|text| text.as_str().expect("a text")).collect()
}

/// What is wrong when a function takes more than proportionally many steps for a longer text. A bound that a longer
/// text reaches, such as one on suggestions, looks like growth once; so the texts are made longer again.
fn growth(call: fn(&str, usize), frame: [&str; 2], piece: &str, length: usize) -> Option<String> {
    excess(call, frame, piece, length).and_then(|_| excess(call, frame, piece, GROWTH * length))
}

fn excess(call: fn(&str, usize), frame: [&str; 2], piece: &str, length: usize) -> Option<String> {
    // An even count, because a quote closes the one before it.
    let count = 2 * (length / GROWTH / 2).div_ceil(piece.len());
    let measure = |count: usize| {
        let text = format!("{}{}{}", frame[0], piece.repeat(count), frame[1]);
        let middle = frame[0].len() + count / 2 * piece.len();
        steps(|| call(&text, middle))
    };
    let many = measure(GROWTH * count);
    if many < LEAST_STEPS {
        return None;
    }
    let few = measure(count);
    let most = GROWTH as f64 * TOLERANCE * few as f64;
    (many as f64 > most).then(|| format!("{frame:?} around {count} times {piece:?}: {few} steps, then {many}"))
}

/// What is wrong when fixing takes more steps than its bound on rounds allows.
fn rounds((fix, check): Fix, piece: &str) -> Option<String> {
    let text = piece.repeat(LENGTH.div_ceil(piece.len()));
    let (fix, check) = (steps(|| fix(&text)), steps(|| check(&text)));
    (fix as f64 > 1.5 * MOST_CHECKS * check as f64).then(|| format!("{piece:?}: {fix} steps, one check {check}"))
}
