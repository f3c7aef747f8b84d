//! The names of all diagnostics, each with its page.
//!
//! A name reads well after "allow …" and never contains the remedy. The pages stand in `codes/`;
//! their examples are tests. A mistake that the Rules language knows too has the same name in both, and a
//! page in each, so whoever looks for a page has to know the language: [`page`].

macro_rules! codes {
    ($($(#[$doc:meta])* $constant:ident = $name:literal;)*) => {
        $($(#[$doc])* pub const $constant: &str = $name;)*

        /// Every code with its page, in the order of this file.
        pub const ALL: &[(&str, &str)] = &[$(($name, include_str!(concat!("../codes/", $name, ".md"))),)*];
    };
}

codes! {
    // The text as a whole.
    /// There is nothing but white space.
    EMPTY_FILTER = "empty-filter";
    /// The text is above the size that is read at all (1 MiB).
    SOURCE_TOO_LARGE = "source-too-large";
    /// Objects and lists are nested deeper than 128.
    NESTING_TOO_DEEP = "nesting-too-deep";
    /// There are more problems than anybody reads.
    TOO_MANY_PROBLEMS = "too-many-problems";
    /// The text is not JSON at all.
    NOT_JSON = "not-json";
    /// JSON, but no object: a list, a string, a number.
    NOT_AN_OBJECT = "not-an-object";
    /// `{\"where\":…}` without the quotes of the string around it.
    ESCAPED_QUOTES = "escaped-quotes";
    /// A string in a string.
    DOUBLY_ESCAPED = "doubly-escaped";
    /// `"{"where":…}"`: quotes around an object.
    QUOTED_OBJECT = "quoted-object";
    /// A job, or a member of one, instead of its filter.
    PASTED_JOB = "pasted-job";
    /// `"where":{…}` without the braces around it.
    MISSING_BRACES = "missing-braces";
    /// `{{…}}`.
    DOUBLED_BRACES = "doubled-braces";
    /// Something behind the filter.
    TRAILING_TEXT = "trailing-text";

    // JSON.
    /// Text that belongs to nothing.
    UNEXPECTED_TEXT = "unexpected-text";
    /// A bracket that is opened and never closed.
    UNCLOSED_BRACKET = "unclosed-bracket";
    /// A bracket that closes nothing.
    UNOPENED_BRACKET = "unopened-bracket";
    /// `[` where names stand, which need `{`.
    LIST_WITH_NAMES = "list-with-names";
    /// A string without its closing quote.
    UNTERMINATED_STRING = "unterminated-string";
    /// `'a'`, and the same with backticks.
    SINGLE_QUOTES = "single-quotes";
    /// `“a”` and its kin.
    SMART_QUOTES = "smart-quotes";
    /// `{key: …}`.
    UNQUOTED_NAME = "unquoted-name";
    /// `"value": abc`.
    MISSING_QUOTES = "missing-quotes";
    /// A comma before a closing bracket.
    TRAILING_COMMA = "trailing-comma";
    /// A comma with nothing before it.
    STRAY_COMMA = "stray-comma";
    /// Two members or items with nothing between.
    MISSING_COMMA = "missing-comma";
    /// A name and its value with nothing between.
    MISSING_COLON = "missing-colon";
    /// `key = …`.
    EQUALS_SIGN = "equals-sign";
    /// `// …`, `# …`, `/* … */`.
    COMMENT = "comment";
    /// A blank that JSON does not know, or a byte order mark.
    STRAY_BLANK = "stray-blank";
    /// `NaN`, `True`, `None`.
    FOREIGN_LITERAL = "foreign-literal";
    /// `01`, `+1`, `.5`.
    MALFORMED_NUMBER = "malformed-number";
    /// An escape that JSON does not have.
    UNKNOWN_ESCAPE = "unknown-escape";
    /// Half of a character.
    LONE_SURROGATE = "lone-surrogate";
    /// A line break or another control character in a string.
    CONTROL_CHARACTER = "control-character";
    /// The same name twice in an object.
    DUPLICATE_MEMBER = "duplicate-member";

    // The shape of a filter.
    /// There is no `where`.
    MISSING_WHERE = "missing-where";
    /// A condition without `where` around it.
    BARE_CONDITION = "bare-condition";
    /// `where` inside `where`.
    MISPLACED_WHERE = "misplaced-where";
    /// Something else than an object where a condition belongs.
    NOT_A_CONDITION = "not-a-condition";
    /// Something else than a list under `and` or `or`.
    NOT_A_LIST = "not-a-list";
    /// `and`, `or` and the members of a condition in one object.
    MIXED_MEMBERS = "mixed-members";
    /// `{}` where a condition belongs.
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
    /// A member that a filter does not have.
    UNKNOWN_MEMBER = "unknown-member";
    /// A `key` or `operator` that is no string.
    MEMBER_TYPE = "member-type";

    // Keys.
    /// No dataset has such a field.
    UNKNOWN_KEY = "unknown-key";
    /// Another dataset has such a field.
    FOREIGN_KEY = "foreign-key";
    /// A path into an object.
    DOTTED_KEY = "dotted-key";
    /// A field that no filter may ask for.
    UNFILTERABLE_FIELD = "unfilterable-field";
    /// A field that is kept for old jobs only.
    DEPRECATED_FIELD = "deprecated-field";

    // Operators.
    /// No operator has this name.
    UNKNOWN_OPERATOR = "unknown-operator";
    /// An operator that the field's type does not take.
    OPERATOR_TYPE = "operator-type";

    // Values.
    /// One value for `in`.
    SCALAR_FOR_IN = "scalar-for-in";
    /// A list for an operator that takes one value.
    LIST_FOR_VALUE = "list-for-value";
    /// `"value":[]`.
    EMPTY_LIST = "empty-list";
    /// A list with items of several types.
    MIXED_LIST = "mixed-list";
    /// A value of another type than the field's.
    VALUE_TYPE = "value-type";
    /// A number where the field has text.
    NUMBER_FOR_TEXT = "number-for-text";
    /// A number with a fraction where the field has whole ones.
    FRACTION = "fraction";
    /// A number below zero where the field has none.
    NEGATIVE_NUMBER = "negative-number";
    /// A number that does not fit 64 bits.
    NUMBER_OUT_OF_RANGE = "number-out-of-range";

    // Limits.
    /// More conditions than a filter may have.
    TOO_MANY_OPERATORS = "too-many-operators";
    /// More bytes than a filter may have.
    FILTER_TOO_LONG = "filter-too-long";

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

/// The page of a code of filters: Markdown with what is wrong, a bad and a good example, and why.
pub fn page(code: &str) -> Option<&'static str> {
    ALL.iter().find(|(name, _)| *name == code).map(|(_, page)| *page)
}
