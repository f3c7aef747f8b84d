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
}
