//! Parses a test file.
//!
//! [`parse_file`] returns a [`TestFile`] with all parts that have no errors. A case inherits the input of its test, and
//! a test inherits the input of the file.

use crate::toml_table::{StrictTable, file_error, span_of, to_json, type_error};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::rc::Rc;
use toml::de::DeTable;
use zonewright_diagnostic::{Problems, Span, find_similar, sort_by_key};
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Kind, ListItem, MissingPolicy, Options};

/// A test file.
#[derive(Default)]
pub(crate) struct TestFile {
    pub(crate) tests: Vec<Test>,
}

/// An expression with its cases.
pub(crate) struct Test {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) expression: ExpressionSource,
    pub(crate) options: Options,
    pub(crate) cases: Vec<Case>,
}

/// The source of the expression of a test.
pub(crate) enum ExpressionSource {
    Inline {
        text: String,
        span: Span,
    },
    /// The source is in the file with this name.
    File {
        name: String,
        span: Span,
    },
    /// The expression is missing, ambiguous or not a string; the error was reported.
    Missing,
}

/// A request with the expected result.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) input: CaseInput,
    pub(crate) expected: ExpectedResult,
}

/// The expected result of an expression.
pub(crate) enum ExpectedResult {
    Match,
    NoMatch,
    Value(Json),
    NoValue,
}

/// The input from which the request of a case is built. Cases share the large parts.
#[derive(Clone, Default)]
pub(crate) struct CaseInput {
    pub(crate) missing: MissingPolicy,
    pub(crate) request: Option<(Rc<str>, Span)>,
    pub(crate) fields: Map<String, Json>,
    pub(crate) lists: BTreeMap<String, Rc<[ListItem]>>,
}

const INPUT_KEYS: [&str; 5] = ["missing", "request", "fields", "absent", "lists"];
const FILE_KEYS: [&str; 3] = ["phase", "plan", "test"];
const TEST_KEYS: [&str; 9] = ["name", "expression", "file", "kind", "phase", "plan", "match", "miss", "returns"];
const CASE_KEYS: [&str; 1] = ["name"];
const VALUE_CASE_KEYS: [&str; 3] = ["name", "value", "no_value"];

/// Maximum number of TOML errors that are listed. Further errors are only counted.
const MAX_SYNTAX_ERRORS: usize = 20;

/// Parses a file and reports its errors.
pub(crate) fn parse_file(source: &str, problems: &mut Problems) -> TestFile {
    let (document, errors) = DeTable::parse_recoverable(source);
    if !errors.is_empty() {
        // A single missing quote may cause many errors.
        for error in errors.iter().take(MAX_SYNTAX_ERRORS) {
            let span = error.span().map_or(Span::empty(0), |span| Span::new(span.start, span.end));
            let message = error.message().lines().collect::<Vec<_>>().join(", ");
            problems.push(file_error(span, format!("invalid TOML: {message}")));
        }
        problems.count_errors(errors.len().saturating_sub(MAX_SYNTAX_ERRORS));
        return TestFile::default();
    }
    let table = StrictTable::new(document.get_ref(), &[&FILE_KEYS[..], &INPUT_KEYS].concat(), problems);
    let options = parse_options(&table, &Options::default(), problems);
    let input = parse_input(&table, &CaseInput::default(), problems);
    let tests: Vec<Test> = table
        .tables("test", problems)
        .into_iter()
        .enumerate()
        .map(|(index, (table, span))| parse_test(index, table, span, &options, &input, problems))
        .collect();
    if tests.is_empty() && problems.is_empty() {
        problems.push(file_error(Span::empty(0), "the file has no tests").with_help(
            "start a test with `[[test]]`, and give it a `name`, an `expression` and cases such as `[[test.match]]`",
        ));
    }
    TestFile { tests }
}

fn parse_test<'t>(
    index: usize,
    table: &'t DeTable<'t>,
    span: Span,
    file_options: &Options,
    file_input: &CaseInput,
    problems: &mut Problems,
) -> Test {
    let table = StrictTable::new(table, &[&TEST_KEYS[..], &INPUT_KEYS].concat(), problems);
    let name = table.text("name", problems).map_or_else(|| format!("test {}", index + 1), |(name, _)| name.to_owned());
    let mut options = parse_options(&table, file_options, problems);
    let kind = parse_kind(&table, problems);
    let input = parse_input(&table, file_input, problems);
    let expression = parse_expression(&table, span, problems);
    let mut cases = Vec::new();
    for key in ["match", "miss", "returns"] {
        for (index, (table, span)) in table.tables(key, problems).into_iter().enumerate() {
            cases.extend(parse_case(key, index, table, span, &input, problems));
        }
    }
    if let Some(item) = table.get("returns") {
        options.kind = Kind::Value;
        if let Some((_, span)) = kind.filter(|(kind, _)| *kind != Kind::Value) {
            problems.push(
                file_error(span, "a test with `returns` must have the kind `value`")
                    .with_help("remove `kind`, or use `match` and `miss` instead of `returns`"),
            );
        }
        if table.get("match").or(table.get("miss")).is_some() {
            problems.push(
                file_error(span_of(item), "a test cannot have `returns` together with `match` or `miss`")
                    .with_help("a value expression returns a value, so it cannot match a request"),
            );
        }
    }
    if let (None, Some((kind, span))) = (table.get("returns"), kind) {
        options.kind = kind;
        if kind == Kind::Value {
            problems.push(
                file_error(span, "a test of the kind `value` needs `returns`")
                    .with_help("a value expression returns a value, so it cannot match a request"),
            );
        }
    }
    // TOML groups the tables by key; the report has the order of the file.
    sort_by_key(&mut cases, |case| case.span.start);
    let has_cases = ["match", "miss", "returns"].iter().any(|key| table.get(key).is_some());
    if !has_cases {
        problems.push(
            file_error(span, format!("the test `{name}` has no cases"))
                .with_help("add `[[test.match]]` or `[[test.miss]]` with a `request` or `fields`"),
        );
    }
    Test { name, span, expression, options, cases }
}

/// Parses the kind of the expression, if the test has one.
fn parse_kind(table: &StrictTable<'_>, problems: &mut Problems) -> Option<(Kind, Span)> {
    let (name, span) = table.text("kind", problems)?;
    let kind = Kind::from_name(name);
    if kind.is_none() {
        problems.push(unknown_name_error("kind", name, &Kind::ALL.map(Kind::name), span));
    }
    kind.map(|kind| (kind, span))
}

fn parse_expression(table: &StrictTable<'_>, span: Span, problems: &mut Problems) -> ExpressionSource {
    let inline = table.text("expression", problems);
    let file = table.text("file", problems);
    match (inline, file) {
        (Some((text, span)), None) => ExpressionSource::Inline { text: text.to_owned(), span },
        (None, Some((name, span))) => ExpressionSource::File { name: name.to_owned(), span },
        (Some(_), Some((_, span))) => {
            problems.push(file_error(span, "a test cannot have both `expression` and `file`"));
            ExpressionSource::Missing
        }
        (None, None) => {
            if table.get("expression").or(table.get("file")).is_none() {
                let help = "add `expression = '…'`, or `file = \"…\"` for an expression in a separate file";
                problems.push(file_error(span, "the test has no expression").with_help(help));
            }
            ExpressionSource::Missing
        }
    }
}

fn parse_case<'t>(
    key: &str,
    index: usize,
    table: &'t DeTable<'t>,
    span: Span,
    test_input: &CaseInput,
    problems: &mut Problems,
) -> Option<Case> {
    let known: &[&str] = if key == "returns" { &VALUE_CASE_KEYS } else { &CASE_KEYS };
    let table = StrictTable::new(table, &[known, &INPUT_KEYS].concat(), problems);
    let name = table.text("name", problems).map_or_else(|| format!("{key} {}", index + 1), |(name, _)| name.to_owned());
    let input = parse_input(&table, test_input, problems);
    let expected = match key {
        "match" => ExpectedResult::Match,
        "miss" => ExpectedResult::NoMatch,
        _ => parse_expected_value(&table, span, problems)?,
    };
    Some(Case { name, span, input, expected })
}

fn parse_expected_value(table: &StrictTable<'_>, span: Span, problems: &mut Problems) -> Option<ExpectedResult> {
    let no_value = table.get("no_value").filter(|item| {
        let truth = item.get_ref().as_bool();
        if truth.is_none() {
            problems.push(type_error("no_value", "true or false", item));
        }
        truth == Some(true)
    });
    match (table.get("value"), no_value) {
        (Some(item), None) => to_json(item).map_err(|error| problems.push(*error)).ok().map(ExpectedResult::Value),
        (None, Some(_)) => Some(ExpectedResult::NoValue),
        (Some(_), Some(item)) => {
            problems.push(file_error(span_of(item), "a case cannot have both `value` and `no_value = true`"));
            None
        }
        (None, None) => {
            let help = "add `value = …`, or `no_value = true` if the expression must have no value";
            problems.push(file_error(span, "the case has no expected value").with_help(help));
            None
        }
    }
}

fn parse_options(table: &StrictTable<'_>, outer: &Options, problems: &mut Problems) -> Options {
    let mut options = outer.clone();
    if let Some((name, span)) = table.text("phase", problems) {
        options.phase = Phase::from_name(name);
        if options.phase.is_none() {
            let known: Vec<&str> = Phase::ALL.iter().map(|phase| phase.name()).collect();
            problems.push(unknown_name_error("phase", name, &known, span));
        }
    }
    if let Some((name, span)) = table.text("plan", problems) {
        options.plan = Tier::from_name(name);
        if options.plan.is_none() {
            problems.push(unknown_name_error("plan", name, &Tier::ALL.map(Tier::name), span));
        }
    }
    options
}

fn parse_input(table: &StrictTable<'_>, outer: &CaseInput, problems: &mut Problems) -> CaseInput {
    let mut input = outer.clone();
    if let Some((name, span)) = table.text("missing", problems) {
        match MissingPolicy::from_name(name) {
            Some(missing) => input.missing = missing,
            None => problems.push(unknown_name_error(
                "value of `missing`:",
                name,
                &MissingPolicy::ALL.map(MissingPolicy::name),
                span,
            )),
        }
    }
    if let Some((text, span)) = table.text("request", problems) {
        input.request = Some((text.into(), span));
    }
    if let Some((fields, _)) = table.members("fields", problems) {
        input.fields.extend(fields);
    }
    if let Some(item) = table.get("absent") {
        match to_json(item) {
            Ok(Json::Array(names)) if names.iter().all(Json::is_string) => {
                let names = names.iter().filter_map(Json::as_str);
                input.fields.extend(names.map(|name| (name.to_owned(), Json::Null)));
            }
            Ok(_) => problems.push(type_error("absent", "an array of field names", item)),
            Err(error) => problems.push(*error),
        }
    }
    if let Some((lists, span)) = table.members("lists", problems) {
        match zonewright_request::parse_lists(&lists) {
            Ok(lists) => input.lists.extend(lists.into_iter().map(|(name, items)| (name, items.into()))),
            Err(error) => {
                let help = error.help.unwrap_or_else(|| "all items of a list must have the same type".to_owned());
                problems.push(file_error(span, error.message).with_help(help));
            }
        }
    }
    input
}

fn unknown_name_error(
    subject: &str,
    name: &str,
    known: &[&'static str],
    span: Span,
) -> zonewright_diagnostic::Diagnostic {
    let similar = find_similar(name, known.iter().copied());
    let help = match similar.first() {
        Some(similar) => format!("did you mean `{similar}`?"),
        None => format!("expected one of {}", known.join(", ")),
    };
    file_error(span, format!("unknown {subject} `{name}`")).with_help(help)
}
