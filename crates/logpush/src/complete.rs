//! Completions at a cursor.

use crate::{
    Field, FieldType, Operator, Options,
    cursor::{self, Container, CursorContext, Role, SemanticTokenKind, TolerantSyntax},
    descriptions::{describe_member, describe_operator, field_title},
    known_values::known_values,
    parse::{string::quoted, unwrap::UnwrappedSource, within_size_limit},
};
use zonewright_diagnostic::Span;
use zonewright_expression::{Completion, CompletionKind, Completions};

/// The fields that filters compare most often, the most frequent first.
const COMMON_FIELDS: [&str; 10] = [
    "ClientRequestHost",
    "ClientRequestPath",
    "EdgeResponseStatus",
    "ClientIP",
    "ClientCountry",
    "ClientRequestMethod",
    "ClientRequestUserAgent",
    "BotScore",
    "ScriptName",
    "Outcome",
];

/// Returns the completions at the byte `offset` of `source`, which may be an unfinished text. An offset past the end
/// counts as the end.
pub fn complete(source: &str, offset: usize, options: &Options) -> Completions {
    let read = UnwrappedSource::new(within_size_limit(source));
    let mut offset = read.to_inner_offset(offset.min(source.len()));
    while !read.text.is_char_boundary(offset) {
        offset -= 1;
    }
    let cursor = cursor::parse_tolerant(&read.text, Some(offset));
    let Some(context) = cursor.context else { return Completions { span: Span::empty(offset), items: Vec::new() } };
    let (span, in_string) = match context.token.map(|token| (token.kind, token.span)) {
        Some((SemanticTokenKind::String(content), _)) => (content, true),
        Some((_, span)) => (span, false),
        None => (Span::empty(offset), false),
    };
    let typed = Span::new(span.start, offset).text(&read.text);
    let completer = Completer { cursor: &cursor, context, options, in_string };
    let mut items = rank_matches(completer.candidates(), typed);
    for item in &mut items {
        let before = read.escape_text(item.insert.get(..item.cursor).unwrap_or_default().to_owned());
        item.cursor = before.len();
        item.insert = read.escape_text(std::mem::take(&mut item.insert));
    }
    Completions { span: read.span(span), items }
}

/// Keeps the candidates that contain the typed text. Those that start with it come first.
fn rank_matches(candidates: Vec<Completion>, typed: &str) -> Vec<Completion> {
    let fold = |text: &str| text.replace('_', "").to_ascii_lowercase();
    let typed = fold(typed);
    let rank = |item: &Completion| fold(&item.label).find(&typed).map(|index| usize::from(index > 0));
    let mut items: Vec<_> = candidates.into_iter().filter_map(|item| Some((rank(&item)?, item))).collect();
    items.sort_by_key(|(rank, _)| *rank);
    items.into_iter().map(|(_, item)| item).collect()
}

struct Completer<'a> {
    cursor: &'a TolerantSyntax,
    context: CursorContext,
    options: &'a Options,
    /// Whether the cursor is inside a string, so that the quotes exist already.
    in_string: bool,
}

impl Completer<'_> {
    fn candidates(&self) -> Vec<Completion> {
        let object = self.cursor.enclosing_object(self.context.frame);
        match (self.context.role, object) {
            (Role::Name, Some(object)) => self.names(object),
            (Role::Value, None) if self.cursor.frames.is_empty() => self.whole_filter_snippets(),
            (Role::Value, Some(object)) => {
                let field = object.member("key").and_then(|key| self.options.dataset.field(key));
                match self.cursor.member_name(self.context.frame, self.context.member) {
                    "where" | "and" | "or" => self.nodes(),
                    "key" => self.keys(),
                    "operator" => self.operators(field),
                    "value" => self.values(object, field),
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// Returns snippets of whole filters for an empty text.
    fn whole_filter_snippets(&self) -> Vec<Completion> {
        let condition = "{\"where\":{\"key\":\"\",\"operator\":\"\",\"value\":\"\"}}";
        vec![
            snippet("filter", condition, "{\"where\":{\"key\":\"".len(), "one condition"),
            snippet(
                "filter with and",
                "{\"where\":{\"and\":[]}}",
                "{\"where\":{\"and\":[".len(),
                "all conditions must match",
            ),
            snippet(
                "filter with or",
                "{\"where\":{\"or\":[]}}",
                "{\"where\":{\"or\":[".len(),
                "at least one condition must match",
            ),
        ]
    }

    fn nodes(&self) -> Vec<Completion> {
        if self.in_string {
            return Vec::new();
        }
        let is_list =
            self.cursor.frames.get(self.context.frame.unwrap_or(usize::MAX)).is_some_and(|frame| !frame.is_object);
        let under = self.cursor.member_name(self.context.frame, self.context.member);
        // Between `and` and its conditions, only a list is valid.
        if under != "where" && !is_list {
            return vec![snippet("[]", "[]", 1, "a list of conditions")];
        }
        vec![
            snippet(
                "condition",
                "{\"key\":\"\",\"operator\":\"\",\"value\":\"\"}",
                "{\"key\":\"".len(),
                "key, operator and value",
            ),
            snippet("and", "{\"and\":[]}", "{\"and\":[".len(), "all of these conditions must match"),
            snippet("or", "{\"or\":[]}", "{\"or\":[".len(), "at least one of these conditions must match"),
        ]
    }

    fn names(&self, object: &Container) -> Vec<Completion> {
        let has = |name: &str| {
            let mut others = object
                .members
                .iter()
                .enumerate()
                .filter(|(context, _)| *context != self.context.member || self.context.token.is_none());
            others.any(|(_, (found, _))| found == name)
        };
        let parts = ["key", "operator", "value"];
        let names: Vec<&str> = match object.parent {
            None => vec!["where"],
            Some(_) if parts.iter().any(|name| has(name)) => parts.to_vec(),
            Some(_) if has("and") || has("or") => Vec::new(),
            Some(_) => vec!["key", "operator", "value", "and", "or"],
        };
        let field = object.member("key").and_then(|key| self.options.dataset.field(key));
        let takes_list = object.member("operator").and_then(Operator::from_name).is_some_and(Operator::takes_list);
        let missing = names.into_iter().filter(|name| !has(name));
        missing
            .map(|name| {
                let note = describe_member(name).unwrap_or_default();
                if self.context.before_colon {
                    let text = if self.in_string { name.to_owned() } else { quoted(name) };
                    return plain_completion(name, &text, CompletionKind::Value, "member", note);
                }
                let (open, close) = match name {
                    "where" => ("{", "}"),
                    "and" | "or" => ("[", "]"),
                    "value" if takes_list => ("[", "]"),
                    "value"
                        if field
                            .is_some_and(|field| field.ty != FieldType::String && field.ty != FieldType::Strings) =>
                    {
                        ("", "")
                    }
                    _ => ("\"", "\""),
                };
                // Inside a string, its closing quote follows the cursor, so only the name is inserted.
                let insert = if self.in_string { name.to_owned() } else { format!("\"{name}\":{open}{close}") };
                let cursor = insert.len() - if self.in_string { 0 } else { close.len() };
                Completion {
                    cursor,
                    retrigger: !self.in_string,
                    ..plain_completion(name, &insert, CompletionKind::Value, "member", note)
                }
            })
            .collect()
    }

    fn keys(&self) -> Vec<Completion> {
        let fields = self.options.dataset.fields.iter().filter(|field| field.filterable);
        let (old, mut new): (Vec<&Field>, Vec<&Field>) = fields.partition(|field| field.deprecated);
        let item = |field: &Field| {
            let note = if field.deprecated {
                format!("{}; deprecated", field_title(field.name))
            } else {
                field_title(field.name)
            };
            plain_completion(field.name, &self.text(field.name), CompletionKind::Field, field.ty.name(), &note)
        };
        // The sort is stable: common fields come first, and the others keep their order by name.
        new.sort_by_key(|field| {
            COMMON_FIELDS.iter().position(|name| *name == field.name).unwrap_or(COMMON_FIELDS.len())
        });
        new.into_iter().chain(old).map(item).collect()
    }

    fn operators(&self, field: Option<&Field>) -> Vec<Completion> {
        let fitting =
            Operator::ALL.into_iter().filter(|operator| field.is_none_or(|field| operator.supports(field.ty)));
        fitting
            .map(|operator| {
                let note = describe_operator(operator, field.map(|field| field.ty));
                plain_completion(
                    operator.name(),
                    &self.text(operator.name()),
                    CompletionKind::Operator,
                    "operator",
                    note,
                )
            })
            .collect()
    }

    fn values(&self, object: &Container, field: Option<&Field>) -> Vec<Completion> {
        let Some(field) = field else { return Vec::new() };
        let takes_list = object.member("operator").and_then(Operator::from_name).is_some_and(Operator::takes_list);
        let is_list =
            self.cursor.frames.get(self.context.frame.unwrap_or(usize::MAX)).is_some_and(|frame| !frame.is_object);
        if takes_list && !is_list && !self.in_string {
            let is_text = field.ty == FieldType::String;
            let (text, cursor) = if is_text { ("[\"\"]", 2) } else { ("[]", 1) };
            return vec![snippet(text, text, cursor, "a list of values")];
        }
        let known = known_values(field).into_iter();
        let is_text = matches!(field.ty, FieldType::String | FieldType::Strings);
        known
            .map(|(value, note)| {
                let text = if is_text { self.text(&value) } else { value.clone() };
                plain_completion(&value, &text, CompletionKind::Value, field.ty.name(), &note)
            })
            .collect()
    }

    /// Adds quotes if the cursor is not inside a string.
    fn text(&self, text: &str) -> String {
        if self.in_string { text.to_owned() } else { quoted(text) }
    }
}

fn plain_completion(label: &str, insert: &str, kind: CompletionKind, detail: &str, note: &str) -> Completion {
    Completion {
        label: label.to_owned(),
        insert: insert.to_owned(),
        cursor: insert.len(),
        retrigger: false,
        kind,
        detail: detail.to_owned(),
        note: note.to_owned(),
    }
}

fn snippet(label: &str, insert: &str, cursor: usize, note: &str) -> Completion {
    Completion { cursor, retrigger: true, ..plain_completion(label, insert, CompletionKind::Value, "", note) }
}
