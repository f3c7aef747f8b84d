//! Checks that the work of every function is linear in the length of its text, whatever token the text repeats. Work
//! is counted in steps (`steps.rs`), because times depend on the machine. `tests/npm/growth.test.mjs` does the same for
//! the WebAssembly of the npm package.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod steps;
mod verbs;

use serde_json::Value;
use std::process::ExitCode;
use steps::count_steps;
use verbs::{EXPRESSIONS, FILTERS, FIX_EXPRESSION, FIX_FILTER, FixPair, MeasuredFunction, REQUESTS};

/// The factor between the two lengths. A quadratic function takes sixteen times the steps for four times the text.
const LENGTH_FACTOR: usize = 4;
/// Sorting, and patterns that are long enough for further analysis, take slightly more than linear work.
const TOLERANCE: f64 = 1.25;
/// Below this number of steps, constant work dominates.
const MIN_STEPS: u64 = 20_000;
/// Rounds of fixes, each with a check, plus the first check.
const MAX_CHECKS: f64 = 21.0;
/// Length of the longer of two texts, in bytes.
const TEXT_BYTES: usize = 8 * 1024;
/// The same for the first function of each group. This length also reveals quadratic work with a small constant.
const LONG_TEXT_BYTES: usize = 64 * 1024;
/// The same for tokens inside another text.
const FRAMED_TEXT_BYTES: usize = 3 * 1024;

fn main() -> ExitCode {
    if count_steps(|| drop(zonewright_expression::parse("ssl"))) == 0 {
        eprintln!("growth: no steps are counted; `./run test` compiles this program with the pass that counts them");
        return ExitCode::from(2);
    }
    let samples: [(&str, &str, &[MeasuredFunction], Option<FixPair>); 3] = [
        ("expressions", include_str!("expressions.json"), EXPRESSIONS, Some(FIX_EXPRESSION)),
        ("filters", include_str!("filters.json"), FILTERS, Some(FIX_FILTER)),
        ("requests", include_str!("requests.json"), REQUESTS, None),
    ];
    let (mut measured, mut failures) = (0, Vec::new());
    for (name, json, verbs, fix) in samples {
        let samples: Value = serde_json::from_str(json).expect("the samples are JSON");
        let pieces: Vec<&str> = string_list(&samples["pieces"]);
        for (index, (verb, call)) in verbs.iter().enumerate() {
            let length = if index == 0 { LONG_TEXT_BYTES } else { TEXT_BYTES };
            for piece in &pieces {
                measured += 1;
                failures.extend(
                    find_superlinear(*call, ["", ""], piece, length).map(|found| format!("{name}, {verb}: {found}")),
                );
            }
        }
        for chain in samples["chains"].as_array().expect("chains are a list") {
            let chain = string_list(chain);
            for (verb, call) in verbs {
                measured += 1;
                let found = find_superlinear(*call, [chain[0], chain[2]], chain[1], TEXT_BYTES);
                failures.extend(found.map(|found| format!("{name}, {verb}: {found}")));
            }
        }
        if let Some(fix) = fix {
            for piece in &pieces {
                measured += 1;
                failures.extend(find_excess_rounds(fix, piece).map(|found| format!("{name}, fix: {found}")));
            }
        }
        let (verb, call) = verbs[0];
        for frame in samples["frames"].as_array().expect("frames are a list") {
            let frame = string_list(frame);
            for piece in &pieces {
                measured += 1;
                let found = find_superlinear(call, [frame[0], frame[1]], &format!("{piece}\n"), FRAMED_TEXT_BYTES);
                failures.extend(found.map(|found| format!("{name}, {verb}: {found}")));
            }
        }
    }
    for line in &failures {
        eprintln!("{line}");
    }
    println!("growth: {measured} texts measured, {} with superlinear work", failures.len());
    ExitCode::from(u8::from(!failures.is_empty()))
}

fn string_list(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list of texts").iter().map(|text| text.as_str().expect("a text")).collect()
}

/// Describes the excess when a function takes superlinear steps for a longer text. Reaching a limit, such as the
/// number of suggestions, looks like superlinear work once; so a second pair of longer texts must confirm it.
fn find_superlinear(call: fn(&str, usize), frame: [&str; 2], piece: &str, length: usize) -> Option<String> {
    excess(call, frame, piece, length).and_then(|_| excess(call, frame, piece, LENGTH_FACTOR * length))
}

fn excess(call: fn(&str, usize), frame: [&str; 2], piece: &str, length: usize) -> Option<String> {
    // An even count, because a quote closes the previous one.
    let count = 2 * (length / LENGTH_FACTOR / 2).div_ceil(piece.len());
    let measure = |count: usize| {
        let text = format!("{}{}{}", frame[0], piece.repeat(count), frame[1]);
        let middle = frame[0].len() + count / 2 * piece.len();
        count_steps(|| call(&text, middle))
    };
    let steps_at_factor = measure(LENGTH_FACTOR * count);
    if steps_at_factor < MIN_STEPS {
        return None;
    }
    let few = measure(count);
    let max_steps = LENGTH_FACTOR as f64 * TOLERANCE * few as f64;
    (steps_at_factor as f64 > max_steps)
        .then(|| format!("{frame:?} around {count} times {piece:?}: {few} steps, then {steps_at_factor}"))
}

/// Describes the excess when fixing takes more steps than the limit of rounds allows.
fn find_excess_rounds((fix, check): FixPair, piece: &str) -> Option<String> {
    let text = piece.repeat(TEXT_BYTES.div_ceil(piece.len()));
    let (fix, check) = (count_steps(|| fix(&text)), count_steps(|| check(&text)));
    (fix as f64 > 1.5 * MAX_CHECKS * check as f64).then(|| format!("{piece:?}: {fix} steps, one check {check}"))
}
