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
    // The source as a whole.
    /// There is nothing but white space.
    EMPTY_EXPRESSION = "empty-expression";
    /// The source is above the size that is read at all (1 MiB).
    SOURCE_TOO_LARGE = "source-too-large";
    /// The expression has more characters than a rule may have.
    EXPRESSION_TOO_LONG = "expression-too-long";
    /// There are more problems than anybody reads.
    TOO_MANY_PROBLEMS = "too-many-problems";
    /// Brackets, `not` and calls are nested deeper than 128.
    NESTING_TOO_DEEP = "nesting-too-deep";

    // Structure.
    /// Text that belongs to nothing: `ssl @@`.
    UNEXPECTED_TEXT = "unexpected-text";
    /// A logical operator without a condition beside it: `ssl and`.
    MISSING_OPERAND = "missing-operand";
    /// Two conditions side by side: `ssl ssl`.
    MISSING_LOGICAL_OPERATOR = "missing-logical-operator";
    /// A field beside a value with nothing that compares them: `http.host "a"`.
    MISSING_COMPARISON_OPERATOR = "missing-comparison-operator";
    /// A comparison without anything to compare with: `http.host eq`.
    MISSING_VALUE = "missing-value";
    /// A comparison operator where a condition starts: `eq "a"`, or a second one after a comparison.
    MISPLACED_OPERATOR = "misplaced-operator";
    /// A bracket that is opened and never closed.
    UNCLOSED_BRACKET = "unclosed-bracket";
    /// A bracket that closes nothing.
    UNOPENED_BRACKET = "unopened-bracket";
    /// `()`.
    EMPTY_GROUP = "empty-group";
    /// A placeholder that a template did not fill in: `{{ host }}`, `${var.host}`.
    TEMPLATE_PLACEHOLDER = "template-placeholder";
    /// A whole expression in quotes, a code fence, a setting or an `if`.
    WRAPPED_EXPRESSION = "wrapped-expression";
    /// A string without its closing quote.
    UNTERMINATED_STRING = "unterminated-string";

    // Known mistakes.
    /// `'a'`.
    SINGLE_QUOTES = "single-quotes";
    /// `“a”` and its kin.
    SMART_QUOTES = "smart-quotes";
    /// `` `a` ``.
    BACKTICK_QUOTES = "backtick-quotes";
    /// `=` for `==`.
    SINGLE_EQUALS = "single-equals";
    /// A comparison operator of some other language: `equals`, `===`, `<>`, `=~`, `startsWith`.
    UNKNOWN_OPERATOR = "unknown-operator";
    /// `AND`, `Or`, `NOT`, `EQ`.
    UPPERCASE_OPERATOR = "uppercase-operator";
    /// `&` or `|` between conditions.
    LONE_AMPERSAND = "lone-ampersand";
    /// A comma between the items of a set.
    COMMA_IN_SET = "comma-in-set";
    /// `not in`, `not contains`.
    NOT_BEFORE_OPERATOR = "not-before-operator";
    /// `eq {…}`: a set after an operator that takes one value.
    SET_AFTER_COMPARISON = "set-after-comparison";
    /// `in "a"`, `in (…)`: something else than a set or list after `in`.
    IN_WITHOUT_SET = "in-without-set";
    /// `ip.src eq 10.0.0.0/8`.
    NETWORK_AFTER_COMPARISON = "network-after-comparison";
    /// `ip.src eq "1.2.3.4"`.
    QUOTED_ADDRESS = "quoted-address";
    /// `tcp.dstport eq "80"`.
    QUOTED_INTEGER = "quoted-integer";
    /// An unquoted word where a string belongs: `http.host eq example.com`.
    MISSING_QUOTES = "missing-quotes";
    /// A tab or another blank that the language does not know.
    STRAY_BLANK = "stray-blank";
    /// `# …` or `// …`.
    COMMENT = "comment";
    /// `ssl eq true`.
    BOOLEAN_COMPARISON = "boolean-comparison";
    /// `true` or `false` as a part of an expression.
    BOOLEAN_LITERAL = "boolean-literal";
    /// `"a" eq http.host`.
    LITERAL_ON_LEFT = "literal-on-left";
    /// `(http.host) eq "a"`.
    BRACKETS_AROUND_VALUE = "brackets-around-value";
    /// `headers ["a"]`.
    BLANK_BEFORE_INDEX = "blank-before-index";
    /// `strict  wildcard` with more than one space.
    SPLIT_OPERATOR = "split-operator";
    /// `tcp.dstport eq80`, `notssl`: accepted, though hard to read.
    GLUED_OPERATOR = "glued-operator";
    /// `{80-90}`: set items without a space between them.
    TOUCHING_ITEMS = "touching-items";

    // Names.
    /// No field has this name.
    UNKNOWN_FIELD = "unknown-field";
    /// No function has this name.
    UNKNOWN_FUNCTION = "unknown-function";
    /// A field that is called: `ssl(…)`.
    FIELD_CALLED = "field-called";
    /// A function that is not called: `lower eq "a"`.
    FUNCTION_NOT_CALLED = "function-not-called";
    /// `http..host`, `http.host.`.
    MALFORMED_NAME = "malformed-name";
    /// A field or function that is out of use.
    DEPRECATED = "deprecated";
    /// A name that the public documentation does not list.
    UNDOCUMENTED = "undocumented";
    /// A list name that cannot be one.
    MALFORMED_LIST = "malformed-list";
    /// No list has this name.
    UNKNOWN_LIST = "unknown-list";

    // Types.
    /// The expression is not a condition: `http.host`.
    NOT_A_CONDITION = "not-a-condition";
    /// The expression is not a value: `ssl and ssl` where a value is computed.
    NOT_A_VALUE = "not-a-value";
    /// An operator that the left side's type does not have.
    OPERATOR_TYPE = "operator-type";
    /// A right side of another type than the left side.
    VALUE_TYPE = "value-type";
    /// A list whose items cannot be compared with the left side.
    LIST_TYPE = "list-type";
    /// A comparison of many values that nothing reduces to one answer.
    UNREDUCED_ARRAY = "unreduced-array";
    /// Conditions of different shapes under one operator.
    MIXED_OPERANDS = "mixed-operands";
    /// An index that does not fit the value.
    INDEX_TYPE = "index-type";
    /// An index that is not written as an index is.
    MALFORMED_INDEX = "malformed-index";
    /// `[*]` where the language does not allow it.
    MISPLACED_MAP_EACH = "misplaced-map-each";

    // Literals.
    /// An escape that strings do not have.
    UNKNOWN_ESCAPE = "unknown-escape";
    /// A raw string with more than 255 `#`.
    TOO_MANY_HASHES = "too-many-hashes";
    /// A number that is none.
    MALFORMED_INTEGER = "malformed-integer";
    /// A number that does not fit 64 bits.
    INTEGER_OUT_OF_RANGE = "integer-out-of-range";
    /// An address that is none.
    MALFORMED_ADDRESS = "malformed-address";
    /// `{192.0}`: an address without its last octets, which the engine reads as zeros.
    SHORT_ADDRESS = "short-address";
    /// A network whose address has bits behind the prefix.
    HOST_BITS = "host-bits";
    /// A range whose ends do not fit.
    MALFORMED_RANGE = "malformed-range";
    /// A byte literal that is none.
    MALFORMED_BYTES = "malformed-bytes";
    /// A regular expression that is none.
    MALFORMED_REGEX = "malformed-regex";
    /// A regular expression that compiles too large.
    REGEX_TOO_LARGE = "regex-too-large";
    /// A wildcard pattern that is none.
    MALFORMED_WILDCARD = "malformed-wildcard";

    // Calls.
    /// Too few or too many arguments.
    ARGUMENT_COUNT = "argument-count";
    /// An argument of the wrong type.
    ARGUMENT_TYPE = "argument-type";
    /// A literal where a field belongs, or the reverse.
    ARGUMENT_KIND = "argument-kind";
    /// A literal argument that the function does not take.
    ARGUMENT_VALUE = "argument-value";
    /// `any(a and b)`: several conditions in one argument without brackets.
    COMPOUND_ARGUMENT = "compound-argument";
    /// An empty place between commas, or a comma too many.
    MISSING_ARGUMENT = "missing-argument";
    /// Two arguments without a comma between: `concat("a" "b")`.
    MISSING_COMMA = "missing-comma";
    /// A function used more often than an expression may.
    REPEATED_FUNCTION = "repeated-function";

    // Phase and plan.
    /// A field or function that the phase does not have.
    NOT_IN_PHASE = "not-in-phase";
    /// A field, function or operator that the plan does not have.
    NOT_IN_PLAN = "not-in-plan";

    // Lints.
    /// Something that is never true.
    NEVER_MATCHES = "never-matches";
    /// Something that is always true.
    ALWAYS_MATCHES = "always-matches";
    /// `a and b or c` without brackets.
    IMPLICIT_PRECEDENCE = "implicit-precedence";
    /// `((a))`.
    REDUNDANT_BRACKETS = "redundant-brackets";
    /// `not not a`.
    DOUBLE_NEGATION = "double-negation";
    /// The same condition twice in a chain.
    DUPLICATE_OPERAND = "duplicate-operand";
    /// A condition of a chain that another one makes needless.
    COVERED_OPERAND = "covered-operand";
    /// `a eq 1 or a eq 2`.
    REPEATED_COMPARISON = "repeated-comparison";
    /// The same item twice in a set.
    DUPLICATE_ITEM = "duplicate-item";
    /// An item of a set that lies inside another one.
    COVERED_ITEM = "covered-item";
    /// Ranges of a set that overlap.
    OVERLAPPING_RANGES = "overlapping-ranges";
    /// A set that takes most of the expression.
    LONG_SET = "long-set";
    /// A header name with capitals where they are in lower case.
    HEADER_CASE = "header-case";
    /// A host name with capitals.
    HOST_CASE = "host-case";
    /// A client's name in another spelling than its own.
    AGENT_CASE = "agent-case";
    /// A query string with the question mark before it.
    LEADING_QUESTION_MARK = "leading-question-mark";
    /// `contains` where the beginning seems to be meant.
    LOOSE_CONTAINS = "loose-contains";
    /// A regular expression that says no more than a plain comparison.
    NEEDLESS_REGEX = "needless-regex";
    /// `www.example.com` as a pattern.
    UNESCAPED_DOT = "unescaped-dot";
    /// A pattern for a host that lets the host go on.
    OPEN_END = "open-end";
    /// The end of a host that other hosts have, too.
    OPEN_START = "open-start";
    /// A star that is compared as it is.
    LITERAL_STAR = "literal-star";
    /// `\\.` in a pattern.
    DOUBLED_BACKSLASH = "doubled-backslash";
    /// `ne` of a value that may be missing.
    NE_OF_MISSING = "ne-of-missing";
    /// The length 0 of what has none when it is missing.
    LENGTH_OF_MISSING = "length-of-missing";
    /// `all` over what may be empty.
    ALL_OF_NOTHING = "all-of-nothing";
    /// `any(… ne …)` over many values.
    ANY_THAT_DIFFERS = "any-that-differs";
    /// A text with marks of the place that it was copied from.
    PASTED_TEXT = "pasted-text";
}

/// The codes that only [`lint`](crate::lint()) reports, in the order of this file.
pub const LINTS: &[&str] = &[
    NEVER_MATCHES,
    ALWAYS_MATCHES,
    IMPLICIT_PRECEDENCE,
    REDUNDANT_BRACKETS,
    DOUBLE_NEGATION,
    DUPLICATE_OPERAND,
    COVERED_OPERAND,
    REPEATED_COMPARISON,
    DUPLICATE_ITEM,
    COVERED_ITEM,
    OVERLAPPING_RANGES,
    LONG_SET,
    HEADER_CASE,
    HOST_CASE,
    AGENT_CASE,
    LEADING_QUESTION_MARK,
    LOOSE_CONTAINS,
    NEEDLESS_REGEX,
    UNESCAPED_DOT,
    OPEN_END,
    OPEN_START,
    LITERAL_STAR,
    DOUBLED_BACKSLASH,
    NE_OF_MISSING,
    LENGTH_OF_MISSING,
    ALL_OF_NOTHING,
    ANY_THAT_DIFFERS,
    PASTED_TEXT,
];

/// Whether the code is that of a lint.
pub fn is_lint(code: &str) -> bool {
    LINTS.contains(&code)
}

/// The page of a code: Markdown with what is wrong, a bad and a good example, and why.
pub fn page(code: &str) -> Option<&'static str> {
    ALL.iter().find(|(name, _)| *name == code).map(|(_, page)| *page)
}
