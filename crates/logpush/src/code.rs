//! The names of all diagnostics, each with its page.
//!
//! A name reads well after "allow …" and never contains the remedy. The pages stand in `codes/`;
//! their examples are tests.

macro_rules! codes {
    ($($(#[$doc:meta])* $constant:ident = $name:literal;)*) => {
        $($(#[$doc])* pub const $constant: &str = $name;)*

        /// Every code with its page, in the order of this file.
        pub const ALL: &[(&str, &str)] = &[$(($name, include_str!(concat!("../codes/", $name, ".md"))),)*];
    };
}

codes! {
    // The document.
    /// The text is not JSON.
    NOT_JSON = "not-json";
    /// There is no `where`.
    MISSING_WHERE = "missing-where";

    // Conditions.
    /// The dataset has no such field.
    UNKNOWN_KEY = "unknown-key";

    // Lints: what conditions say together.
    /// No line passes.
    NEVER_MATCHES = "never-matches";
    /// Every line passes.
    ALWAYS_MATCHES = "always-matches";
    /// Several values of one key are refused, with `or` between.
    EXCLUSION_UNDER_OR = "exclusion-under-or";
    /// The same condition twice.
    DUPLICATE_CONDITION = "duplicate-condition";
    /// A condition that another one implies.
    COVERED_CONDITION = "covered-condition";
    /// One key compared several times where a list does the same.
    REPEATED_COMPARISON = "repeated-comparison";
    /// A list that changes nothing.
    REDUNDANT_NESTING = "redundant-nesting";

    // Lints: values.
    /// A list of one value.
    SINGLE_ITEM = "single-item";
    /// The same value in a list twice.
    DUPLICATE_ITEM = "duplicate-item";
    /// A star as in a pattern.
    LITERAL_STAR = "literal-star";
    /// A condition that lines without a value pass.
    ZERO_VALUE = "zero-value";
}

/// The codes that only lints report, in the order of this file.
pub const LINTS: &[&str] = &[
    NEVER_MATCHES,
    ALWAYS_MATCHES,
    EXCLUSION_UNDER_OR,
    DUPLICATE_CONDITION,
    COVERED_CONDITION,
    REPEATED_COMPARISON,
    REDUNDANT_NESTING,
    SINGLE_ITEM,
    DUPLICATE_ITEM,
    LITERAL_STAR,
    ZERO_VALUE,
];

/// Whether the code is that of a lint.
pub fn is_lint(code: &str) -> bool {
    LINTS.contains(&code)
}
