//! The codes of all diagnostics, each with its page.
//!
//! A code reads well after "allow …" and never names the fix. The pages are in `codes/`, and tests check their
//! examples. An error that also exists in the Rules language has the same code there, but a separate page. [`page`]
//! looks up the pages for filters.

macro_rules! codes {
    ($($(#[$doc:meta])* $constant:ident = $name:literal;)*) => {
        $($(#[$doc])* pub const $constant: &str = $name;)*

        /// All codes with their pages, in the order of this file.
        pub const ALL: &[(&str, &str)] = &[$(($name, include_str!(concat!("../codes/", $name, ".md"))),)*];

        /// The names of all codes, in the order of this file.
        pub const NAMES: &[&str] = &[$($name),*];
    };
}

codes! {
    // The text as a whole.
    /// The text is empty or whitespace.
    EMPTY_FILTER = "empty-filter";
    /// The text is larger than the parser accepts (1 MiB).
    SOURCE_TOO_LARGE = "source-too-large";
    /// Objects and lists are nested deeper than 128 levels.
    NESTING_TOO_DEEP = "nesting-too-deep";
    /// There are more problems than the list of diagnostics shows.
    TOO_MANY_DIAGNOSTICS = "too-many-diagnostics";
    /// The text is not JSON.
    NOT_JSON = "not-json";
    /// The text is JSON, but not an object.
    NOT_AN_OBJECT = "not-an-object";
    /// `{\"where\":…}` without the quotes of the string around it.
    ESCAPED_QUOTES = "escaped-quotes";
    /// A JSON string inside a JSON string.
    DOUBLY_ESCAPED = "doubly-escaped";
    /// `"{"where":…}"`: an object in quotes.
    QUOTED_OBJECT = "quoted-object";
    /// A whole job, or one of its members, instead of the filter.
    PASTED_JOB = "pasted-job";
    /// `"where":{…}` without the braces around it.
    MISSING_BRACES = "missing-braces";
    /// `{{…}}`.
    DOUBLED_BRACES = "doubled-braces";
    /// Text after the filter.
    TRAILING_TEXT = "trailing-text";

    // JSON.
    /// Text that does not belong to a JSON value.
    UNEXPECTED_TEXT = "unexpected-text";
    /// A bracket that is never closed.
    UNCLOSED_DELIMITER = "unclosed-delimiter";
    /// A bracket that closes nothing.
    UNOPENED_DELIMITER = "unopened-delimiter";
    /// `[` around named members, which need `{`.
    LIST_WITH_NAMES = "list-with-names";
    /// A string without its closing quote.
    UNTERMINATED_STRING = "unterminated-string";
    /// `'a'`, or a string in backticks.
    SINGLE_QUOTES = "single-quotes";
    /// `“a”` and other typographic quotes.
    SMART_QUOTES = "smart-quotes";
    /// `{key: …}`.
    UNQUOTED_NAME = "unquoted-name";
    /// `"value": abc`.
    MISSING_QUOTES = "missing-quotes";
    /// A comma before a closing bracket.
    TRAILING_COMMA = "trailing-comma";
    /// A comma without an item before it.
    STRAY_COMMA = "stray-comma";
    /// Two members or items without a comma between them.
    MISSING_COMMA = "missing-comma";
    /// A name and a value without a colon between them.
    MISSING_COLON = "missing-colon";
    /// `key = …`.
    EQUALS_SIGN = "equals-sign";
    /// `// …`, `# …`, `/* … */`.
    COMMENT = "comment";
    /// Whitespace that JSON does not allow, or a byte order mark.
    UNEXPECTED_WHITESPACE = "unexpected-whitespace";
    /// A literal of another language: `NaN`, `True`, `None`.
    NON_JSON_LITERAL = "non-json-literal";
    /// `01`, `+1`, `.5`.
    MALFORMED_NUMBER = "malformed-number";
    /// An escape that JSON does not have.
    UNKNOWN_ESCAPE = "unknown-escape";
    /// One half of a surrogate pair.
    LONE_SURROGATE = "lone-surrogate";
    /// A line break or another control character in a string.
    CONTROL_CHARACTER = "control-character";
    /// A name that occurs twice in an object.
    DUPLICATE_MEMBER = "duplicate-member";

    // The shape of a filter.
    /// The filter has no `where`.
    MISSING_WHERE = "missing-where";
    /// A condition without `where` around it.
    BARE_CONDITION = "bare-condition";
    /// `where` inside `where`.
    MISPLACED_WHERE = "misplaced-where";
    /// A value other than an object in the position of a condition.
    NOT_A_CONDITION = "not-a-condition";
    /// A value other than a list under `and` or `or`.
    NOT_A_LIST = "not-a-list";
    /// `and`, `or` and the members of a condition in one object.
    MIXED_MEMBERS = "mixed-members";
    /// `{}` in the position of a condition.
    EMPTY_CONDITION = "empty-condition";
    /// `"and":[]`.
    EMPTY_GROUP = "empty-group";
    /// A condition without `key`.
    MISSING_KEY = "missing-key";
    /// A condition without `operator`.
    MISSING_OPERATOR = "missing-operator";
    /// A condition without `value`, or a name without its value.
    MISSING_VALUE = "missing-value";
    /// `"value":null`.
    NULL_VALUE = "null-value";
    /// A member that filters do not have.
    UNKNOWN_MEMBER = "unknown-member";
    /// A `key` or `operator` that is not a string.
    MEMBER_TYPE = "member-type";

    // Keys.
    /// A key that is not a field of any dataset.
    UNKNOWN_KEY = "unknown-key";
    /// A key that is a field of another dataset only.
    KEY_OF_OTHER_DATASET = "key-of-other-dataset";
    /// A path into an object.
    NESTED_KEY = "nested-key";
    /// A field that filters do not support.
    UNFILTERABLE_FIELD = "unfilterable-field";
    /// A deprecated field.
    DEPRECATED_FIELD = "deprecated-field";

    // Operators.
    /// A name that is not an operator.
    UNKNOWN_OPERATOR = "unknown-operator";
    /// An operator that the field's type does not support.
    OPERATOR_TYPE = "operator-type";

    // Values.
    /// A single value for `in` or `!in`.
    SCALAR_FOR_IN = "scalar-for-in";
    /// A list for an operator that takes one value.
    LIST_FOR_VALUE = "list-for-value";
    /// `"value":[]`.
    EMPTY_LIST = "empty-list";
    /// A list with items of several types.
    MIXED_LIST = "mixed-list";
    /// A value whose type is not the field's.
    VALUE_TYPE = "value-type";
    /// A number for a string field.
    NUMBER_FOR_STRING = "number-for-string";
    /// A number with a fraction for an integer field.
    FRACTION = "fraction";
    /// A negative number for a field that is never negative.
    NEGATIVE_NUMBER = "negative-number";
    /// A number that does not fit in 64 bits.
    NUMBER_OUT_OF_RANGE = "number-out-of-range";

    // Limits.
    /// More conditions than the limit.
    TOO_MANY_OPERATORS = "too-many-operators";
    /// More bytes than the limit.
    FILTER_TOO_LONG = "filter-too-long";

    // Lints: conditions considered together.
    /// A condition that no line matches.
    NEVER_MATCHES = "never-matches";
    /// A condition that every line matches.
    ALWAYS_MATCHES = "always-matches";
    /// Several values of one key excluded with `or`.
    EXCLUSION_UNDER_OR = "exclusion-under-or";
    /// A condition that occurs twice.
    DUPLICATE_CONDITION = "duplicate-condition";
    /// A condition that another one implies.
    REDUNDANT_CONDITION = "redundant-condition";
    /// One key compared several times, where one list is equivalent.
    REPEATED_COMPARISON = "repeated-comparison";
    /// A list that has no effect.
    REDUNDANT_NESTING = "redundant-nesting";

    // Lints: values.
    /// A list of one value.
    SINGLE_ITEM = "single-item";
    /// A value that occurs twice in a list.
    DUPLICATE_ITEM = "duplicate-item";
    /// A `*` as in a pattern, which filters compare literally.
    LITERAL_STAR = "literal-star";
    /// A condition that also matches lines without a value.
    ZERO_VALUE = "zero-value";
}

/// The codes that only lints report, in the order of this file.
pub const LINTS: &[&str] = &[
    NEVER_MATCHES,
    ALWAYS_MATCHES,
    EXCLUSION_UNDER_OR,
    DUPLICATE_CONDITION,
    REDUNDANT_CONDITION,
    REPEATED_COMPARISON,
    REDUNDANT_NESTING,
    SINGLE_ITEM,
    DUPLICATE_ITEM,
    LITERAL_STAR,
    ZERO_VALUE,
];

/// Returns whether the code is that of a lint.
pub fn is_lint(code: &str) -> bool {
    LINTS.contains(&code)
}

/// Returns the page of a code of filters: Markdown with the problem, an invalid and a valid example, and the reason.
pub fn page(code: &str) -> Option<&'static str> {
    ALL.iter().find(|(name, _)| *name == code).map(|(_, page)| *page)
}
