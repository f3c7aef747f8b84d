//! Configuration and options that the properties share.

use proptest::prelude::ProptestConfig;
use zonewright_expression::{Kind, LintOptions, Options};

/// A configuration with this number of cases, multiplied by `ZONEWRIGHT_SOAK`.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    let times = std::env::var("ZONEWRIGHT_SOAK").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    ProptestConfig { cases: cases.saturating_mul(times), failure_persistence: None, ..ProptestConfig::default() }
}

/// Options without a length limit.
pub(crate) fn options(kind: Kind) -> Options {
    Options { kind, max_length: usize::MAX, ..Options::default() }
}

/// The same with all lints.
pub(crate) fn with_lints(kind: Kind) -> Options {
    Options { lint: Some(LintOptions::default()), ..options(kind) }
}
