//! What a file of test cases says.

use crate::table::{Table, json, place, problem, wrong};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::rc::Rc;
use toml::de::DeTable;
use zonewright_diagnostic::{Problems, Span, similar};
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Kind, ListItem, Missing, Options};

/// A file.
#[derive(Default)]
pub(crate) struct File {
    pub(crate) tests: Vec<Test>,
}

/// A test.
pub(crate) struct Test {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) expression: Expression,
    pub(crate) options: Options,
    pub(crate) cases: Vec<Case>,
}

/// Where a test has its expression from.
pub(crate) enum Expression {
    Here {
        text: String,
        span: Span,
    },
    File {
        name: String,
        span: Span,
    },
    /// Nowhere, which was reported.
    Missing,
}

/// A case.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) given: Given,
    pub(crate) expected: Expected,
}

/// What an expression must give.
pub(crate) enum Expected {
    Match,
    Miss,
    Value(Json),
    Nothing,
}

/// What is known of the request of a case. Cases share what is large.
#[derive(Clone, Default)]
pub(crate) struct Given {
    pub(crate) missing: Missing,
    pub(crate) request: Option<(Rc<str>, Span)>,
    pub(crate) fields: Map<String, Json>,
    pub(crate) lists: BTreeMap<String, Rc<[ListItem]>>,
}

const GIVEN: [&str; 5] = ["missing", "request", "fields", "absent", "lists"];
const FILE: [&str; 3] = ["phase", "plan", "test"];
const TEST: [&str; 9] = ["name", "expression", "file", "kind", "phase", "plan", "match", "miss", "gives"];
const CASE: [&str; 1] = ["name"];
const GIVES: [&str; 3] = ["name", "value", "nothing"];

/// Most errors of the TOML that are listed; the others are counted.
const MOST_SYNTAX_ERRORS: usize = 20;

/// Reads a file; what is wrong with it is added to the problems.
pub(crate) fn read(source: &str, problems: &mut Problems) -> File {
    let (document, errors) = DeTable::parse_recoverable(source);
    if !errors.is_empty() {
        // One missing quote brings about many errors.
        for error in errors.iter().take(MOST_SYNTAX_ERRORS) {
            let span = error.span().map_or(Span::at(0), |span| Span::new(span.start, span.end));
            let message = error.message().lines().collect::<Vec<_>>().join(", ");
            problems.push(problem(span, format!("not TOML: {message}")));
        }
        problems.count_errors(errors.len().saturating_sub(MOST_SYNTAX_ERRORS));
        return File::default();
    }
    let table = Table::new(document.get_ref(), &[&FILE[..], &GIVEN].concat(), problems);
    let options = options(&table, &Options::default(), problems);
    let given = given(&table, &Given::default(), problems);
    let tests: Vec<Test> = table
        .tables("test", problems)
        .into_iter()
        .enumerate()
        .map(|(index, (table, span))| test(index, table, span, &options, &given, problems))
        .collect();
    if tests.is_empty() && problems.is_empty() {
        problems.push(problem(Span::at(0), "the file has no tests").with_help(
            "a test begins with `[[test]]` and has a `name`, an `expression`, and cases such as `[[test.match]]`",
        ));
    }
    File { tests }
}

fn test<'t>(
    index: usize,
    table: &'t DeTable<'t>,
    span: Span,
    options_of_file: &Options,
    given_by_file: &Given,
    problems: &mut Problems,
) -> Test {
    let table = Table::new(table, &[&TEST[..], &GIVEN].concat(), problems);
    let name = table.text("name", problems).map_or_else(|| format!("test {}", index + 1), |(name, _)| name.to_owned());
    let mut options = options(&table, options_of_file, problems);
    let kind = kind(&table, problems);
    let given = given(&table, given_by_file, problems);
    let expression = expression(&table, span, problems);
    let mut cases = Vec::new();
    for cases_kind in ["match", "miss", "gives"] {
        for (index, (table, span)) in table.tables(cases_kind, problems).into_iter().enumerate() {
            cases.extend(case(cases_kind, index, table, span, &given, problems));
        }
    }
    if let Some(item) = table.get("gives") {
        options.kind = Kind::Value;
        if let Some((_, span)) = kind.filter(|(kind, _)| *kind != Kind::Value) {
            problems.push(
                problem(span, "a test with `gives` is of the kind `value`")
                    .with_help("leave `kind` out, or use `match` and `miss`"),
            );
        }
        if table.get("match").or(table.get("miss")).is_some() {
            problems.push(
                problem(place(item), "a test has either `gives` or `match` and `miss`")
                    .with_help("a value expression gives a value and matches nothing"),
            );
        }
    }
    if let (None, Some((kind, span))) = (table.get("gives"), kind) {
        options.kind = kind;
        if kind == Kind::Value {
            problems.push(
                problem(span, "a test of the kind `value` has `gives`")
                    .with_help("a value expression gives a value and matches nothing"),
            );
        }
    }
    // The tables of one kind stand together in TOML's order, but people read the file's.
    cases.sort_by_key(|case| case.span.start);
    let any = ["match", "miss", "gives"].iter().any(|kind| table.get(kind).is_some());
    if !any {
        problems.push(
            problem(span, format!("the test `{name}` has no cases"))
                .with_help("add `[[test.match]]` or `[[test.miss]]` with a `request` or `fields`"),
        );
    }
    Test { name, span, expression, options, cases }
}

/// The kind of the expression, if the test names one.
fn kind(table: &Table<'_>, problems: &mut Problems) -> Option<(Kind, Span)> {
    let (name, span) = table.text("kind", problems)?;
    let kind = Kind::from_name(name);
    if kind.is_none() {
        problems.push(unknown("kind", name, &Kind::ALL.map(Kind::name), span));
    }
    kind.map(|kind| (kind, span))
}

fn expression(table: &Table<'_>, span: Span, problems: &mut Problems) -> Expression {
    let here = table.text("expression", problems);
    let file = table.text("file", problems);
    match (here, file) {
        (Some((text, span)), None) => Expression::Here { text: text.to_owned(), span },
        (None, Some((name, span))) => Expression::File { name: name.to_owned(), span },
        (Some(_), Some((_, span))) => {
            problems.push(problem(span, "a test has either an `expression` or a `file`"));
            Expression::Missing
        }
        (None, None) => {
            if table.get("expression").or(table.get("file")).is_none() {
                let help = "write `expression = '…'`, or `file = \"…\"` for one in a file of its own";
                problems.push(problem(span, "the test has no expression").with_help(help));
            }
            Expression::Missing
        }
    }
}

fn case<'t>(
    kind: &str,
    index: usize,
    table: &'t DeTable<'t>,
    span: Span,
    given_by_test: &Given,
    problems: &mut Problems,
) -> Option<Case> {
    let known: &[&str] = if kind == "gives" { &GIVES } else { &CASE };
    let table = Table::new(table, &[known, &GIVEN].concat(), problems);
    let name =
        table.text("name", problems).map_or_else(|| format!("{kind} {}", index + 1), |(name, _)| name.to_owned());
    let given = given(&table, given_by_test, problems);
    let expected = match kind {
        "match" => Expected::Match,
        "miss" => Expected::Miss,
        _ => value(&table, span, problems)?,
    };
    Some(Case { name, span, given, expected })
}

fn value(table: &Table<'_>, span: Span, problems: &mut Problems) -> Option<Expected> {
    let nothing = table.get("nothing").filter(|item| {
        let truth = item.get_ref().as_bool();
        if truth.is_none() {
            problems.push(wrong("nothing", "true or false", item));
        }
        truth == Some(true)
    });
    match (table.get("value"), nothing) {
        (Some(item), None) => json(item).map_err(|problem| problems.push(*problem)).ok().map(Expected::Value),
        (None, Some(_)) => Some(Expected::Nothing),
        (Some(_), Some(item)) => {
            problems.push(problem(place(item), "a case has either a `value` or `nothing = true`"));
            None
        }
        (None, None) => {
            let help = "write `value = …`, or `nothing = true` when the value must be missing";
            problems.push(problem(span, "the case does not say what the expression must give").with_help(help));
            None
        }
    }
}

fn options(table: &Table<'_>, outer: &Options, problems: &mut Problems) -> Options {
    let mut options = outer.clone();
    if let Some((name, span)) = table.text("phase", problems) {
        options.phase = Phase::from_name(name);
        if options.phase.is_none() {
            let known: Vec<&str> = Phase::ALL.iter().map(|phase| phase.name()).collect();
            problems.push(unknown("phase", name, &known, span));
        }
    }
    if let Some((name, span)) = table.text("plan", problems) {
        options.plan = Tier::from_name(name);
        if options.plan.is_none() {
            problems.push(unknown("plan", name, &Tier::ALL.map(Tier::name), span));
        }
    }
    options
}

fn given(table: &Table<'_>, outer: &Given, problems: &mut Problems) -> Given {
    let mut given = outer.clone();
    if let Some((name, span)) = table.text("missing", problems) {
        match Missing::from_name(name) {
            Some(missing) => given.missing = missing,
            None => problems.push(unknown("missing", name, &Missing::ALL.map(Missing::name), span)),
        }
    }
    if let Some((text, span)) = table.text("request", problems) {
        given.request = Some((text.into(), span));
    }
    if let Some((fields, _)) = table.members("fields", problems) {
        given.fields.extend(fields);
    }
    if let Some(item) = table.get("absent") {
        match json(item) {
            Ok(Json::Array(names)) if names.iter().all(Json::is_string) => {
                let names = names.iter().filter_map(Json::as_str);
                given.fields.extend(names.map(|name| (name.to_owned(), Json::Null)));
            }
            Ok(_) => problems.push(wrong("absent", "an array of field names", item)),
            Err(problem) => problems.push(*problem),
        }
    }
    if let Some((lists, span)) = table.members("lists", problems) {
        match zonewright_request::parse_lists(&lists) {
            Ok(lists) => given.lists.extend(lists.into_iter().map(|(name, items)| (name, items.into()))),
            Err(error) => {
                let help = error.help.unwrap_or_else(|| "the items of a list are of one kind".to_owned());
                problems.push(problem(span, error.message).with_help(help));
            }
        }
    }
    given
}

fn unknown(what: &str, name: &str, known: &[&'static str], span: Span) -> zonewright_diagnostic::Diagnostic {
    let close = similar(name, known.iter().copied());
    let help = match close.first() {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("expected one of {}", known.join(", ")),
    };
    problem(span, format!("unknown {what} `{name}`")).with_help(help)
}
