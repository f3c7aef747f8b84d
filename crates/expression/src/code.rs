//! The diagnostic codes and their documentation pages.
//!
//! [`ALL`] lists every code. A code reads well after "allow …" and never contains the fix. The pages are in `codes/`,
//! and their examples are tests.

macro_rules! codes {
    ($($(#[$doc:meta])* $constant:ident = $name:literal;)*) => {
        $($(#[$doc])* pub const $constant: &str = $name;)*

        /// Every code with its page, in the order of this file.
        pub const ALL: &[(&str, &str)] = &[$(($name, include_str!(concat!("../codes/", $name, ".md"))),)*];

        /// The names of all codes, in the order of this file.
        pub const NAMES: &[&str] = &[$($name),*];
    };
}

codes! {
    // The source as a whole.
    /// The source contains nothing but whitespace.
    EMPTY_EXPRESSION = "empty-expression";
    /// The source is larger than the maximum that is parsed (1 MiB).
    SOURCE_TOO_LARGE = "source-too-large";
    /// The expression has more characters than a rule may have.
    EXPRESSION_TOO_LONG = "expression-too-long";
    /// The source has more problems than are listed.
    TOO_MANY_DIAGNOSTICS = "too-many-diagnostics";
    /// Parentheses, `not` and calls are nested deeper than 128.
    NESTING_TOO_DEEP = "nesting-too-deep";

    // Structure.
    /// Text that fits nowhere in the syntax: `ssl @@`.
    UNEXPECTED_TEXT = "unexpected-text";
    /// A logical operator without a condition next to it: `ssl and`.
    MISSING_OPERAND = "missing-operand";
    /// Two adjacent conditions: `ssl ssl`.
    MISSING_LOGICAL_OPERATOR = "missing-logical-operator";
    /// A field next to a value, without an operator between them: `http.host "a"`.
    MISSING_COMPARISON_OPERATOR = "missing-comparison-operator";
    /// A comparison without a right side: `http.host eq`.
    MISSING_VALUE = "missing-value";
    /// A comparison operator where a condition starts (`eq "a"`), or a second one after a comparison.
    MISPLACED_OPERATOR = "misplaced-operator";
    /// An opening delimiter without its closing one.
    UNCLOSED_DELIMITER = "unclosed-delimiter";
    /// A closing delimiter without its opening one.
    UNOPENED_DELIMITER = "unopened-delimiter";
    /// Empty parentheses: `()`.
    EMPTY_GROUP = "empty-group";
    /// A placeholder that a template did not replace: `{{ host }}`, `${var.host}`.
    TEMPLATE_PLACEHOLDER = "template-placeholder";
    /// A whole expression inside quotes, a code fence, a setting or an `if`.
    WRAPPED_EXPRESSION = "wrapped-expression";
    /// A string without its closing quote.
    UNTERMINATED_STRING = "unterminated-string";

    // Known mistakes of syntax.
    /// Single quotes: `'a'`.
    SINGLE_QUOTES = "single-quotes";
    /// Typographic quotes: `“a”`.
    SMART_QUOTES = "smart-quotes";
    /// Backtick quotes: `` `a` ``.
    BACKTICK_QUOTES = "backtick-quotes";
    /// `=` instead of `==`.
    SINGLE_EQUALS = "single-equals";
    /// A comparison operator of another language: `equals`, `===`, `<>`, `=~`, `startsWith`.
    UNKNOWN_OPERATOR = "unknown-operator";
    /// An operator in uppercase or mixed case: `AND`, `Or`, `NOT`, `EQ`.
    UPPERCASE_OPERATOR = "uppercase-operator";
    /// `&`, `|` or `^` between conditions.
    SINGLE_AMPERSAND = "single-ampersand";
    /// A comma between the items of a set.
    COMMA_IN_SET = "comma-in-set";
    /// A negated operator: `not in`, `not contains`.
    NOT_BEFORE_OPERATOR = "not-before-operator";
    /// A set after an operator that requires one value: `eq {…}`.
    SET_AFTER_COMPARISON = "set-after-comparison";
    /// A right side of `in` that is neither a set nor a list: `in "a"`, `in (…)`.
    IN_WITHOUT_SET = "in-without-set";
    /// A network after an operator that requires one address: `ip.src eq 10.0.0.0/8`.
    NETWORK_AFTER_COMPARISON = "network-after-comparison";
    /// An IP address in quotes: `ip.src eq "1.2.3.4"`.
    QUOTED_ADDRESS = "quoted-address";
    /// An integer in quotes: `tcp.dstport eq "80"`.
    QUOTED_INTEGER = "quoted-integer";
    /// An unquoted word where a string is required: `http.host eq example.com`.
    MISSING_QUOTES = "missing-quotes";
    /// A tab or other whitespace that the language does not accept.
    UNEXPECTED_WHITESPACE = "unexpected-whitespace";
    /// A comment: `# …`, `// …` or `/* … */`.
    COMMENT = "comment";
    /// A comparison of a Boolean: `ssl eq true`.
    BOOLEAN_COMPARISON = "boolean-comparison";
    /// `true` or `false` as a part of an expression.
    BOOLEAN_LITERAL = "boolean-literal";
    /// A literal on the left of an operator: `"a" eq http.host`.
    LITERAL_ON_LEFT = "literal-on-left";
    /// Parentheses around a compared value: `(http.host) eq "a"`.
    PARENTHESIZED_VALUE = "parenthesized-value";
    /// Whitespace between a value and its index: `headers ["a"]`.
    SPACE_BEFORE_INDEX = "space-before-index";
    /// `strict` and `wildcard` with more than one space or with a line break between them.
    OPERATOR_SPACING = "operator-spacing";
    /// An operator that touches an operand: `tcp.dstport eq80`, `notssl`. It is valid, but hard to read.
    UNSPACED_OPERATOR = "unspaced-operator";
    /// Set items without a space between them: `{80-90}`.
    UNSPACED_ITEMS = "unspaced-items";

    // Names.
    /// No field has this name.
    UNKNOWN_FIELD = "unknown-field";
    /// No function has this name.
    UNKNOWN_FUNCTION = "unknown-function";
    /// A field with arguments: `ssl(…)`.
    CALLED_FIELD = "called-field";
    /// A function without arguments: `lower eq "a"`.
    UNCALLED_FUNCTION = "uncalled-function";
    /// A name with an extra dot: `http..host`, `http.host.`.
    MALFORMED_NAME = "malformed-name";
    /// A deprecated field.
    DEPRECATED = "deprecated";
    /// A name that the public documentation does not list.
    UNDOCUMENTED = "undocumented";
    /// A list name with invalid syntax.
    MALFORMED_LIST = "malformed-list";
    /// No list has this name.
    UNKNOWN_LIST = "unknown-list";

    // Types.
    /// The expression is not a condition: `http.host`.
    NOT_A_CONDITION = "not-a-condition";
    /// The expression is not a value: `ssl and ssl` in a value expression.
    NOT_A_VALUE = "not-a-value";
    /// An operator that does not apply to the type of the left side.
    OPERATOR_TYPE = "operator-type";
    /// A right side whose type differs from that of the left side.
    VALUE_TYPE = "value-type";
    /// A list whose items cannot be compared with the left side.
    LIST_TYPE = "list-type";
    /// A comparison of many values that is not reduced to one Boolean.
    UNREDUCED_ARRAY = "unreduced-array";
    /// Conditions of different types under one operator: one Boolean and many.
    MIXED_OPERANDS = "mixed-operands";
    /// An index that does not fit the type of the value.
    INDEX_TYPE = "index-type";
    /// An index with invalid syntax.
    MALFORMED_INDEX = "malformed-index";
    /// `[*]` where the language does not allow it.
    MISPLACED_MAP_EACH = "misplaced-map-each";

    // Literals.
    /// An escape that strings do not have.
    UNKNOWN_ESCAPE = "unknown-escape";
    /// A raw string with more than 255 `#`.
    TOO_MANY_HASHES = "too-many-hashes";
    /// A word that is not an integer, where one is required.
    MALFORMED_INTEGER = "malformed-integer";
    /// An integer that does not fit in 64 bits.
    INTEGER_OUT_OF_RANGE = "integer-out-of-range";
    /// A word that is not an IP address, where one is required.
    MALFORMED_ADDRESS = "malformed-address";
    /// An IPv4 address without its last octets, which the engine reads as zeros: `{192.0}`.
    SHORT_ADDRESS = "short-address";
    /// A network whose address has bits set after the prefix.
    HOST_BITS = "host-bits";
    /// A range with a missing, reversed or mismatched end, or outside a set.
    MALFORMED_RANGE = "malformed-range";
    /// A word that is not a byte literal, where one is required.
    MALFORMED_BYTES = "malformed-bytes";
    /// A regular expression with invalid syntax.
    MALFORMED_REGEX = "malformed-regex";
    /// A regular expression whose compiled form is too large.
    REGEX_TOO_LARGE = "regex-too-large";
    /// A wildcard pattern with invalid syntax.
    MALFORMED_WILDCARD = "malformed-wildcard";

    // Calls.
    /// Too few or too many arguments.
    ARGUMENT_COUNT = "argument-count";
    /// An argument of the wrong type.
    ARGUMENT_TYPE = "argument-type";
    /// A literal where a field is required, or the reverse.
    ARGUMENT_KIND = "argument-kind";
    /// A literal argument that the function does not accept.
    ARGUMENT_VALUE = "argument-value";
    /// Several conditions in one argument without parentheses: `any(a and b)`.
    COMPOUND_ARGUMENT = "compound-argument";
    /// A missing argument between two commas, or an extra comma.
    MISSING_ARGUMENT = "missing-argument";
    /// Two arguments without a comma between them: `concat("a" "b")`.
    MISSING_COMMA = "missing-comma";
    /// A second call of a function that an expression may use only once, or a call inside another such call.
    REPEATED_FUNCTION = "repeated-function";

    // Phase and plan.
    /// A field or function that is not available in the phase.
    NOT_IN_PHASE = "not-in-phase";
    /// A field, function or operator that is not available in the plan.
    NOT_IN_PLAN = "not-in-plan";

    // Lints.
    /// A condition that is never true.
    NEVER_MATCHES = "never-matches";
    /// A condition that is always true.
    ALWAYS_MATCHES = "always-matches";
    /// `a and b or c` without parentheses.
    IMPLICIT_PRECEDENCE = "implicit-precedence";
    /// Redundant parentheses: `((a))`.
    REDUNDANT_PARENTHESES = "redundant-parentheses";
    /// A double negation: `not not a`.
    DOUBLE_NEGATION = "double-negation";
    /// The same condition twice in a chain.
    DUPLICATE_OPERAND = "duplicate-operand";
    /// A condition of a chain that another condition makes redundant.
    REDUNDANT_OPERAND = "redundant-operand";
    /// Comparisons that one set can replace: `a eq 1 or a eq 2`.
    REPEATED_COMPARISON = "repeated-comparison";
    /// The same item twice in a set.
    DUPLICATE_ITEM = "duplicate-item";
    /// An item of a set that another item contains.
    REDUNDANT_ITEM = "redundant-item";
    /// Overlapping ranges in a set.
    OVERLAPPING_RANGES = "overlapping-ranges";
    /// A set that makes up most of the expression.
    LONG_SET = "long-set";
    /// An uppercase letter in a header name, where header names are lowercase.
    HEADER_CASE = "header-case";
    /// A hostname with uppercase letters.
    HOST_CASE = "host-case";
    /// The name of a client in a different case than the client sends.
    USER_AGENT_CASE = "user-agent-case";
    /// A query string with a leading question mark.
    LEADING_QUESTION_MARK = "leading-question-mark";
    /// `contains` where a prefix is probably meant.
    UNANCHORED_CONTAINS = "unanchored-contains";
    /// A regular expression that a plain comparison can replace.
    NEEDLESS_REGEX = "needless-regex";
    /// An unescaped dot in a pattern: `www.example.com`.
    UNESCAPED_DOT = "unescaped-dot";
    /// A pattern for a host that also matches longer hostnames.
    UNANCHORED_END = "unanchored-end";
    /// A host suffix that other hosts also have.
    UNANCHORED_START = "unanchored-start";
    /// A `*` that is compared literally.
    LITERAL_STAR = "literal-star";
    /// A doubled backslash in a pattern: `\\.`.
    DOUBLED_BACKSLASH = "doubled-backslash";
    /// `ne` on a value that may be missing.
    NE_OF_MISSING = "ne-of-missing";
    /// A comparison of the length with 0 on a value that may be missing.
    LENGTH_OF_MISSING = "length-of-missing";
    /// `all` over values that may be empty.
    VACUOUS_ALL = "vacuous-all";
    /// `any(… ne …)` over many values.
    ANY_NOT_EQUAL = "any-not-equal";
    /// A string with remnants of the source that it was copied from.
    PASTED_TEXT = "pasted-text";
}

/// The codes that only [`lint`](crate::lint()) reports, in the order of this file.
pub const LINTS: &[&str] = &[
    NEVER_MATCHES,
    ALWAYS_MATCHES,
    IMPLICIT_PRECEDENCE,
    REDUNDANT_PARENTHESES,
    DOUBLE_NEGATION,
    DUPLICATE_OPERAND,
    REDUNDANT_OPERAND,
    REPEATED_COMPARISON,
    DUPLICATE_ITEM,
    REDUNDANT_ITEM,
    OVERLAPPING_RANGES,
    LONG_SET,
    HEADER_CASE,
    HOST_CASE,
    USER_AGENT_CASE,
    LEADING_QUESTION_MARK,
    UNANCHORED_CONTAINS,
    NEEDLESS_REGEX,
    UNESCAPED_DOT,
    UNANCHORED_END,
    UNANCHORED_START,
    LITERAL_STAR,
    DOUBLED_BACKSLASH,
    NE_OF_MISSING,
    LENGTH_OF_MISSING,
    VACUOUS_ALL,
    ANY_NOT_EQUAL,
    PASTED_TEXT,
];

/// Returns whether a lint has this code.
pub fn is_lint(code: &str) -> bool {
    LINTS.contains(&code)
}

/// Returns the page of a code: Markdown with a description, a bad and a good example, and the reason.
pub fn documentation(code: &str) -> Option<&'static str> {
    ALL.iter().find(|(name, _)| *name == code).map(|(_, page)| *page)
}
