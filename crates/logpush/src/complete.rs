//! Completes a filter at the cursor.

use crate::{
    Field, FieldType, Operator, Options,
    cursor::{self, Container, CursorContext, Role, TokenKind, TolerantSyntax},
    descriptions::{describe_member, describe_operator, field_title},
    known_values::known_values,
    member_name::{ConditionMember, GroupName, MemberName},
    parse::{string::quoted, unwrap::UnwrappedSource, within_size_limit},
};
use zonewright_diagnostic::{Span, sort_by_key};
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
    let unwrapped = UnwrappedSource::new(within_size_limit(source));
    let mut offset = unwrapped.to_inner_offset(offset.min(source.len()));
    while !unwrapped.text.is_char_boundary(offset) {
        offset -= 1;
    }
    let syntax = cursor::parse_tolerant(&unwrapped.text, Some(offset));
    let Some(context) = syntax.context else { return Completions { span: Span::empty(offset), items: Vec::new() } };
    let (span, is_in_string) = match context.token.map(|token| (token.kind, token.span)) {
        Some((TokenKind::String(content), _)) => (content, true),
        Some((_, span)) => (span, false),
        None => (Span::empty(offset), false),
    };
    let typed = Span::new(span.start, offset).text(&unwrapped.text);
    let completer = Completer { syntax: &syntax, context, options, is_in_string };
    let mut items = rank_matches(completer.candidates(), typed);
    for item in &mut items {
        let before = unwrapped.escape_text(item.insert.get(..item.cursor).unwrap_or_default().to_owned());
        item.cursor = before.len();
        item.insert = unwrapped.escape_text(std::mem::take(&mut item.insert));
    }
    Completions { span: unwrapped.to_outer_span(span), items }
}

/// Keeps the candidates that contain the typed text. Those that start with it come first.
fn rank_matches(candidates: Vec<Completion>, typed: &str) -> Vec<Completion> {
    let fold = |text: &str| text.replace('_', "").to_ascii_lowercase();
    let typed = fold(typed);
    let rank = |item: &Completion| fold(&item.label).find(&typed).map(|index| usize::from(index > 0));
    let mut items: Vec<_> = candidates.into_iter().filter_map(|item| Some((rank(&item)?, item))).collect();
    sort_by_key(&mut items, |(rank, _)| *rank);
    items.into_iter().map(|(_, item)| item).collect()
}

struct Completer<'a> {
    syntax: &'a TolerantSyntax,
    context: CursorContext,
    options: &'a Options,
    /// Whether the cursor is inside a string, so that its quotes exist already.
    is_in_string: bool,
}

impl Completer<'_> {
    fn candidates(&self) -> Vec<Completion> {
        let object = self.syntax.enclosing_object(self.context.container);
        match (self.context.role, object) {
            (Role::Name, Some(object)) => self.complete_names(object),
            (Role::Value, None) if self.syntax.containers.is_empty() => self.complete_whole_filter(),
            (Role::Value, Some(object)) => {
                let field = object.member(ConditionMember::Key).and_then(|key| self.options.dataset.field(key));
                match MemberName::from_name(self.syntax.member_name(self.context.container, self.context.member)) {
                    Some(MemberName::Group(group)) => self.complete_nodes(group),
                    Some(MemberName::Condition(ConditionMember::Key)) => self.complete_keys(),
                    Some(MemberName::Condition(ConditionMember::Operator)) => self.complete_operators(field),
                    Some(MemberName::Condition(ConditionMember::Value)) => self.complete_values(object, field),
                    None => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// Returns snippets of whole filters for an empty text.
    fn complete_whole_filter(&self) -> Vec<Completion> {
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

    fn complete_nodes(&self, group: GroupName) -> Vec<Completion> {
        if self.is_in_string {
            return Vec::new();
        }
        let is_list = self
            .syntax
            .containers
            .get(self.context.container.unwrap_or(usize::MAX))
            .is_some_and(|container| !container.is_object);
        // Between `and` and its conditions, only a list is valid.
        if group != GroupName::Where && !is_list {
            return vec![snippet("[]", "[]", 1, "a list of conditions")];
        }
        vec![
            snippet(
                "condition",
                "{\"key\":\"\",\"operator\":\"\",\"value\":\"\"}",
                "{\"key\":\"".len(),
                "key, operator, and value",
            ),
            snippet("and", "{\"and\":[]}", "{\"and\":[".len(), "all of these conditions must match"),
            snippet("or", "{\"or\":[]}", "{\"or\":[".len(), "at least one of these conditions must match"),
        ]
    }

    fn complete_names(&self, object: &Container) -> Vec<Completion> {
        // The member at the cursor does not count, so that its name can be replaced.
        let has = |member: MemberName| {
            let mut others = object
                .members
                .iter()
                .enumerate()
                .filter(|(index, _)| *index != self.context.member || self.context.token.is_none());
            others.any(|(_, (name, _))| name == member.name())
        };
        let condition = ConditionMember::ALL.map(MemberName::Condition);
        let members: Vec<MemberName> = match object.parent {
            None => vec![MemberName::WHERE],
            Some(_) if condition.into_iter().any(has) => condition.to_vec(),
            Some(_) if has(MemberName::AND) || has(MemberName::OR) => Vec::new(),
            Some(_) => condition.into_iter().chain([MemberName::AND, MemberName::OR]).collect(),
        };
        let field = object.member(ConditionMember::Key).and_then(|key| self.options.dataset.field(key));
        let takes_list =
            object.member(ConditionMember::Operator).and_then(Operator::from_name).is_some_and(Operator::takes_list);
        let missing = members.into_iter().filter(|member| !has(*member));
        missing
            .map(|member| {
                let (name, note) = (member.name(), describe_member(member));
                if self.context.is_before_colon {
                    let text = if self.is_in_string { name.to_owned() } else { quoted(name) };
                    return plain_completion(name, &text, CompletionKind::Value, "member", note);
                }
                let is_string = field.is_none_or(|field| matches!(field.ty, FieldType::String | FieldType::Strings));
                let (open, close) = match member {
                    MemberName::Group(GroupName::Where) => ("{", "}"),
                    MemberName::Group(GroupName::And | GroupName::Or) => ("[", "]"),
                    MemberName::Condition(ConditionMember::Value) if takes_list => ("[", "]"),
                    MemberName::Condition(ConditionMember::Value) if !is_string => ("", ""),
                    MemberName::Condition(_) => ("\"", "\""),
                };
                // Inside a string, its closing quote follows the cursor, so only the name is inserted.
                let insert = if self.is_in_string { name.to_owned() } else { format!("\"{name}\":{open}{close}") };
                let cursor = insert.len() - if self.is_in_string { 0 } else { close.len() };
                Completion {
                    cursor,
                    retrigger: !self.is_in_string,
                    ..plain_completion(name, &insert, CompletionKind::Value, "member", note)
                }
            })
            .collect()
    }

    fn complete_keys(&self) -> Vec<Completion> {
        let fields = self.options.dataset.fields.iter().filter(|field| field.filterable);
        let (deprecated, mut current): (Vec<&Field>, Vec<&Field>) = fields.partition(|field| field.deprecated);
        let item = |field: &Field| {
            let note = if field.deprecated {
                format!("{}; deprecated", field_title(field.name))
            } else {
                field_title(field.name)
            };
            plain_completion(
                field.name,
                &self.quote_outside_string(field.name),
                CompletionKind::Field,
                field.ty.name(),
                &note,
            )
        };
        // The sort is stable: common fields come first, and the others keep their order by name.
        sort_by_key(&mut current, |field| {
            COMMON_FIELDS.iter().position(|name| *name == field.name).unwrap_or(COMMON_FIELDS.len())
        });
        current.into_iter().chain(deprecated).map(item).collect()
    }

    fn complete_operators(&self, field: Option<&Field>) -> Vec<Completion> {
        let supported =
            Operator::ALL.into_iter().filter(|operator| field.is_none_or(|field| operator.supports(field.ty)));
        supported
            .map(|operator| {
                let note = describe_operator(operator, field.map(|field| field.ty));
                plain_completion(
                    operator.name(),
                    &self.quote_outside_string(operator.name()),
                    CompletionKind::Operator,
                    "operator",
                    note,
                )
            })
            .collect()
    }

    fn complete_values(&self, object: &Container, field: Option<&Field>) -> Vec<Completion> {
        let Some(field) = field else { return Vec::new() };
        let takes_list =
            object.member(ConditionMember::Operator).and_then(Operator::from_name).is_some_and(Operator::takes_list);
        let is_list = self
            .syntax
            .containers
            .get(self.context.container.unwrap_or(usize::MAX))
            .is_some_and(|container| !container.is_object);
        if takes_list && !is_list && !self.is_in_string {
            let is_text = field.ty == FieldType::String;
            let (text, cursor) = if is_text { ("[\"\"]", 2) } else { ("[]", 1) };
            return vec![snippet(text, text, cursor, "a list of values")];
        }
        let known = known_values(field).into_iter();
        let is_text = matches!(field.ty, FieldType::String | FieldType::Strings);
        known
            .map(|(value, note)| {
                let text = if is_text { self.quote_outside_string(&value) } else { value.clone() };
                plain_completion(&value, &text, CompletionKind::Value, field.ty.name(), &note)
            })
            .collect()
    }

    /// Adds quotes if the cursor is not inside a string.
    fn quote_outside_string(&self, text: &str) -> String {
        if self.is_in_string { text.to_owned() } else { quoted(text) }
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
