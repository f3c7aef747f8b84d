//! The measured functions, each as a call with a text and an offset in its middle.

use std::hint::black_box;
use zonewright_expression as rules;
use zonewright_expression::{Kind, LintOptions, MissingPolicy, Record};
use zonewright_logpush as logpush;

/// The name of a function, and a call of it with a text and an offset in the middle of the text.
pub type MeasuredFunction = (&'static str, fn(&str, usize));

fn options() -> rules::Options {
    rules::Options { max_length: 1 << 20, lint: Some(LintOptions::default()), ..rules::Options::default() }
}

fn filter_options() -> logpush::Options {
    let (max_bytes, max_operators) = (1 << 20, 1 << 20);
    logpush::Options { max_bytes, max_operators, lint: Some(LintOptions::default()), ..logpush::Options::default() }
}

pub const EXPRESSIONS: &[MeasuredFunction] = &[
    ("check", |text, _| drop(black_box(rules::check(text, &options())))),
    ("value", |text, _| drop(black_box(rules::check(text, &rules::Options { kind: Kind::Value, ..options() })))),
    ("analyze", |text, _| drop(black_box(rules::analyze(text, &options())))),
    ("format", |text, _| drop(black_box(rules::format(text, &rules::FormatOptions::default())))),
    ("explain", |text, _| drop(black_box(rules::explain(text, &options())))),
    ("evaluate", |text, _| {
        if let Some(program) = rules::check(text, &options()).program {
            black_box(program.trace(&Record::new(MissingPolicy::Unknown)));
        }
    }),
    ("complete", |text, _| drop(black_box(rules::complete(text, text.len(), &options())))),
    ("complete in the middle", |text, middle| drop(black_box(rules::complete(text, middle, &options())))),
    ("hover", |text, _| drop(black_box(rules::hover(text, text.len(), &options())))),
    ("hover in the middle", |text, middle| drop(black_box(rules::hover(text, middle, &options())))),
    ("signature", |text, _| drop(black_box(rules::signature(text, text.len())))),
];

pub const FILTERS: &[MeasuredFunction] = &[
    ("check", |text, _| drop(black_box(logpush::check(text, &filter_options())))),
    ("analyze", |text, _| drop(black_box(logpush::analyze(text, &filter_options())))),
    ("format", |text, _| drop(black_box(logpush::format(text, &logpush::FormatOptions::default())))),
    ("explain", |text, _| drop(black_box(logpush::explain(text, &filter_options())))),
    ("simplify", |text, _| {
        if let Some(program) = logpush::check(text, &filter_options()).program {
            black_box(logpush::simplify(&program));
        }
    }),
    ("convert", |text, _| {
        if let Some(program) = logpush::check(text, &filter_options()).program {
            black_box(logpush::to_expression(&program));
        }
    }),
    ("complete", |text, _| drop(black_box(logpush::complete(text, text.len(), &filter_options())))),
    ("complete in the middle", |text, middle| drop(black_box(logpush::complete(text, middle, &filter_options())))),
    ("hover", |text, _| drop(black_box(logpush::hover(text, text.len(), &filter_options())))),
    ("hover in the middle", |text, middle| drop(black_box(logpush::hover(text, middle, &filter_options())))),
];

pub const REQUESTS: &[MeasuredFunction] = &[
    ("request", |text, _| {
        drop(black_box(zonewright_request::read_input(text.as_bytes(), &mut Record::new(MissingPolicy::Unknown))))
    }),
    ("cases", |text, _| drop(black_box(zonewright_cases::run_tests(text, &mut |_| Err("no such file".to_owned()))))),
    ("line", |text, _| {
        const FILTER: &str = r#"{"where":{"key":"ClientRequestHost","operator":"eq","value":"a"}}"#;
        if let Some(program) = logpush::check(FILTER, &filter_options()).program {
            let _ = black_box(program.evaluate(text.as_bytes(), MissingPolicy::Unknown));
        }
    }),
    ("zone", |text, _| {
        if let Ok(document) = serde_json::from_str(text) {
            let _ = black_box(zonewright_migration::read_config(&document));
        }
    }),
    ("secrets", |text, _| drop(black_box(zonewright_request::secrets::find_secrets([text])))),
    ("distinct secrets", |text, _| {
        // A repeated token is one secret, so the text is replaced by generated addresses, about one for each word.
        let address = |n: usize| format!("81.{}.{}.{}", n >> 16 & 255, n >> 8 & 255, n & 255);
        drop(black_box(zonewright_request::secrets::find_secrets((0..text.len() / 4).map(address))));
    }),
];

/// Applies all safe fixes to a text, and checks it once.
pub type FixPair = (fn(&str), fn(&str));

pub const FIX_EXPRESSION: FixPair = (
    |text| {
        let check = |text: &str| rules::check(text, &options()).diagnostics;
        drop(black_box(zonewright_diagnostic::fix_all(text, check(text), check)));
    },
    |text| drop(black_box(rules::check(text, &options()))),
);

pub const FIX_FILTER: FixPair = (
    |text| {
        let check = |text: &str| logpush::check(text, &filter_options()).diagnostics;
        drop(black_box(zonewright_diagnostic::fix_all(text, check(text), check)));
    },
    |text| drop(black_box(logpush::check(text, &filter_options()))),
);
