//! From text to syntax.

use crate::{
    ast::{Condition, Filter, Form, Json, JsonKind, Member, Node, NodeKind, Text},
    code,
};
use pest::{Parser as _, iterators::Pair};
use pest_derive::Parser;
use zonewright_diagnostic::{Diagnostic, Span};

#[derive(Parser)]
#[grammar = "filter.pest"]
struct Grammar;

/// The result of [`parse()`].
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The filter; `None` when nothing can be made of the text.
    pub ast: Option<Filter>,
    /// Whether it came as an object or as an escaped string.
    pub form: Form,
    /// Every problem of the syntax, in the order of the source.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a filter: its JSON object, or the escaped string that a job holds.
pub fn parse(source: &str) -> Parsed {
    let whole = Span::new(0, source.len());
    let json = Grammar::parse(Rule::document, source).ok().and_then(|mut pairs| pairs.next()?.into_inner().next());
    let Some(json) = json.map(value) else {
        let problem = Diagnostic::error(code::NOT_JSON, whole, "the filter is not JSON");
        return Parsed { ast: None, form: Form::Object, diagnostics: vec![problem] };
    };
    let JsonKind::Object(members) = json.kind else {
        let problem = Diagnostic::error(code::NOT_JSON, whole, "the filter is no object");
        return Parsed { ast: None, form: Form::Object, diagnostics: vec![problem] };
    };
    let condition = members.into_iter().find(|member| member.name.text == "where").map(|member| node(member.value));
    let diagnostics = match condition {
        Some(_) => Vec::new(),
        None => vec![Diagnostic::error(code::MISSING_WHERE, whole, "`where` is missing")],
    };
    let ast = condition.map(|condition| Filter { condition, span: json.span });
    Parsed { ast, form: Form::Object, diagnostics }
}

fn span(pair: &Pair<'_, Rule>) -> Span {
    let span = pair.as_span();
    Span::new(span.start(), span.end())
}

fn string(pair: &Pair<'_, Rule>) -> Text {
    Text { text: serde_json::from_str(pair.as_str()).unwrap_or_default(), span: span(pair) }
}

fn value(pair: Pair<'_, Rule>) -> Json {
    let span = span(&pair);
    let kind = match pair.as_rule() {
        Rule::object => JsonKind::Object(pair.into_inner().filter_map(member).collect()),
        Rule::array => JsonKind::Array(pair.into_inner().map(value).collect()),
        Rule::string => JsonKind::String(string(&pair).text),
        Rule::number => JsonKind::Number(pair.as_str().to_owned()),
        _ => match pair.as_str() {
            "true" => JsonKind::Bool(true),
            "false" => JsonKind::Bool(false),
            _ => JsonKind::Null,
        },
    };
    Json { kind, span }
}

fn member(pair: Pair<'_, Rule>) -> Option<Member> {
    let mut inner = pair.into_inner();
    Some(Member { name: string(&inner.next()?), value: value(inner.next()?) })
}

fn node(json: Json) -> Node {
    let JsonKind::Object(members) = json.kind else { return Node { kind: NodeKind::Invalid, span: json.span } };
    let mut condition = Condition { key: None, operator: None, value: None };
    for member in members {
        let text = |value: &Json| match &value.kind {
            JsonKind::String(text) => Some(Text { text: text.clone(), span: value.span }),
            _ => None,
        };
        match (member.name.text.as_str(), member.value) {
            ("and", Json { kind: JsonKind::Array(items), .. }) => {
                return Node { kind: NodeKind::And(items.into_iter().map(node).collect()), span: json.span };
            }
            ("or", Json { kind: JsonKind::Array(items), .. }) => {
                return Node { kind: NodeKind::Or(items.into_iter().map(node).collect()), span: json.span };
            }
            ("key", value) => condition.key = text(&value),
            ("operator", value) => condition.operator = text(&value),
            ("value", value) => condition.value = Some(value),
            _ => {}
        }
    }
    Node { kind: NodeKind::Condition(Box::new(condition)), span: json.span }
}
