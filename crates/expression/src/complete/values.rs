//! Completions of values: known values, keys, flags, sets and named lists.

use super::{Candidate, Completion, CompletionContext, CompletionKind};
use crate::{
    Container, ListKind, Type,
    ast::ComparisonOperator as Op,
    check::is_list_compatible,
    cursor::{Expectation, OpenCall, OpenDelimiterKind, OperandInfo},
    schema::{Constraint, Field, Function, FunctionId, KnownValue, MANAGED_LISTS, Param},
};

/// Returns the known values of a field.
fn known_field_values(field: &Field) -> Vec<&'static KnownValue> {
    field.help().values.iter().copied().flatten().collect()
}

/// Returns the literals for the right side of an operator.
pub(super) fn complete_right_operand(
    context: &CompletionContext<'_>,
    operator: Op,
    left: OperandInfo,
) -> Vec<Candidate> {
    let Some(ty) = left.ty else { return Vec::new() };
    let is_text = ty.is_text();
    match operator {
        Op::In => complete_in_operands(context, left, ty),
        Op::Matches => vec![
            snippet("\"…\"", "\"\"", 1, "String", "regular expression", 0),
            snippet("r\"…\"", "r\"\"", 1, "String", "regular expression that can contain quotes: r#\"…\"#", 1),
        ],
        Op::Wildcard | Op::StrictWildcard => vec![snippet("\"…\"", "\"\"", 1, "String", "wildcard pattern", 0)],
        Op::Contains => vec![snippet("\"…\"", "\"\"", 1, "String", "substring", 0)],
        Op::BitwiseAnd => Vec::new(),
        Op::Equal | Op::NotEqual | Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual => {
            let mut candidates = complete_field_values(left, is_text);
            if is_text {
                candidates.push(snippet("\"…\"", "\"\"", 1, "String", "text", 400));
            }
            candidates
        }
    }
}

/// Returns the items that a set does not contain yet.
pub(super) fn complete_set_items(context: &CompletionContext<'_>, left: OperandInfo) -> Vec<Candidate> {
    let open = context.cursor.open_delimiters.last().map_or(0, |delimiter| delimiter.open_offset);
    let preceding = Some(open + 1..context.typed.start).and_then(|range| context.source.get(range)).unwrap_or_default();
    let existing: Vec<&str> = preceding.split(['"', ' ', '\n', '\r']).collect();
    let is_text = left.ty.is_some_and(Type::is_text);
    let mut candidates = complete_field_values(left, is_text);
    candidates.retain(|candidate| !existing.contains(&candidate.item.label.as_str()));
    if is_text {
        candidates.push(snippet("\"…\"", "\"\"", 1, "String", "text", 400));
    }
    candidates
}

/// Returns the completions inside a string.
pub(super) fn complete_string(context: &CompletionContext<'_>, is_closed: bool) -> Vec<Candidate> {
    let is_text = |left: OperandInfo| left.ty.is_some_and(Type::is_text);
    let known = match (context.cursor.innermost_delimiter(), context.cursor.expectation) {
        (Some(OpenDelimiterKind::Index(subject, None)), _) => known_map_keys(subject).iter().collect(),
        (Some(OpenDelimiterKind::Set(left)), _) if is_text(left) => {
            left.field.map(known_field_values).unwrap_or_default()
        }
        (_, Expectation::RightOperand(Op::Equal | Op::NotEqual, left)) if is_text(left) => {
            left.field.map(known_field_values).unwrap_or_default()
        }
        (Some(OpenDelimiterKind::Call(call)), Expectation::Operand) => match (call.function, call.param()) {
            (Some(function), Some(param)) => known_argument_strings(function, param, &call),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    let closing_quote = if is_closed { "" } else { "\"" };
    let item = |(value, description): &KnownValue| Completion {
        label: (*value).to_owned(),
        insert: format!("{value}{closing_quote}"),
        cursor: value.len() + closing_quote.len(),
        retrigger: false,
        kind: CompletionKind::Value,
        detail: String::new(),
        note: (*description).to_owned(),
    };
    with_ranks(known.into_iter().map(item))
}

/// Returns the literals for a parameter.
pub(super) fn complete_literals(function: &Function, param: &Param, call: &OpenCall) -> Vec<Candidate> {
    let mut candidates = with_ranks(
        known_argument_strings(function, param, call).into_iter().map(|suggestion| value_completion(suggestion, true)),
    );
    let first = call.first.ty;
    match param.constraint {
        Some(Constraint::Flags(_)) => {}
        Some(Constraint::Range(1, 32)) => candidates
            .extend(with_ranks(IPV4_PREFIX_LENGTHS.iter().map(|suggestion| value_completion(suggestion, false)))),
        Some(Constraint::Range(1, 128)) if function.id != FunctionId::Split => {
            candidates
                .extend(with_ranks(IPV6_PREFIX_LENGTHS.iter().map(|suggestion| value_completion(suggestion, false))));
        }
        _ if super::parameter_accepts(param, Type::STRING, first) => {
            let description = match param.constraint {
                Some(Constraint::Regex) => "regular expression",
                Some(Constraint::Wildcard) => "wildcard pattern",
                Some(Constraint::Replacement) => "text with references to matches, such as `${1}`",
                Some(Constraint::NonEmpty) => "non-empty text",
                _ => "text",
            };
            candidates.push(snippet(
                "\"…\"",
                "\"\"",
                1,
                "String",
                description,
                if call.argument == 0 { 40 } else { 0 },
            ));
        }
        _ => {}
    }
    candidates
}

const IPV4_PREFIX_LENGTHS: &[KnownValue] =
    &[("24", "256 addresses"), ("16", "65,536 addresses"), ("8", ""), ("32", "one address")];
const IPV6_PREFIX_LENGTHS: &[KnownValue] =
    &[("64", "one subnet"), ("48", "often one site"), ("56", ""), ("32", ""), ("128", "one address")];

/// Returns the strings that a parameter is known to accept.
fn known_argument_strings(function: &Function, param: &Param, call: &OpenCall) -> Vec<&'static KnownValue> {
    match (param.constraint, function.id) {
        (Some(Constraint::Flags(flags)), _) => flags.iter().collect(),
        (_, FunctionId::HasKey) => known_map_keys(call.first).iter().collect(),
        (_, FunctionId::HasValue) => call.first.field.map(known_field_values).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Returns the known keys of a map.
fn known_map_keys(subject: OperandInfo) -> &'static [KnownValue] {
    let has_type = |field: &Field| subject.ty.is_some_and(|ty| ty == field.ty);
    subject.field.filter(|field| has_type(field)).map_or(&[], |field| field.help().keys)
}

/// Returns the indexes between `[` and `]`.
pub(super) fn complete_index(subject: OperandInfo) -> Vec<Candidate> {
    let Some(container) = subject.ty.and_then(Type::container) else { return Vec::new() };
    let map_each = snippet("*", "*", 0, "all elements", "every element, for `any(…)` and `all(…)`", 30);
    if container == Container::Array {
        return vec![snippet("0", "0", 0, "number", "the first element", 0), map_each];
    }
    let mut candidates =
        with_ranks(known_map_keys(subject).iter().map(|suggestion| value_completion(suggestion, true)));
    candidates.push(snippet("\"…\"", "\"\"", 1, "key", "the element with this key", 29));
    candidates.push(map_each);
    candidates
}

/// Returns the known values of the field on the left side, as literals.
fn complete_field_values(left: OperandInfo, quoted: bool) -> Vec<Candidate> {
    let known = left.field.map(known_field_values).unwrap_or_default();
    with_ranks(known.into_iter().map(|known| value_completion(known, quoted)))
}

fn value_completion((text, description): &KnownValue, quoted: bool) -> Completion {
    let insert = if quoted { format!("\"{text}\"") } else { (*text).to_owned() };
    Completion {
        label: (*text).to_owned(),
        cursor: insert.len(),
        insert,
        retrigger: false,
        kind: CompletionKind::Value,
        detail: String::new(),
        note: (*description).to_owned(),
    }
}

fn with_ranks(items: impl Iterator<Item = Completion>) -> Vec<Candidate> {
    (0..).zip(items).map(|(rank, item)| Candidate { item, rank, alias: None }).collect()
}

/// Returns a placeholder candidate. The cursor is placed `cursor_offset` bytes before the end.
fn snippet(label: &str, insert: &str, cursor_offset: usize, detail: &str, note: &str, rank: u16) -> Candidate {
    let item = Completion {
        label: label.to_owned(),
        insert: insert.to_owned(),
        cursor: insert.len() - cursor_offset,
        retrigger: false,
        kind: CompletionKind::Value,
        detail: detail.to_owned(),
        note: note.to_owned(),
    };
    Candidate { item, rank, alias: None }
}

fn complete_in_operands(context: &CompletionContext<'_>, left: OperandInfo, ty: Type) -> Vec<Candidate> {
    let (insert, cursor_offset) = if ty.is_text() { ("{\"\"}", 2) } else { ("{}", 1) };
    let mut set = snippet("{…}", insert, cursor_offset, "set", "values separated by spaces", 0);
    set.item.retrigger = left.field.is_some_and(|field| !known_field_values(field).is_empty());
    [set].into_iter().chain(list_candidates(context, ty)).collect()
}

/// Returns whether a named list may follow `in`.
pub(super) fn has_lists(context: &CompletionContext<'_>, ty: Type) -> bool {
    !list_candidates(context, ty).is_empty()
}

fn list_candidates(context: &CompletionContext<'_>, ty: Type) -> Vec<Candidate> {
    let account_lists = context.options.lists.iter().flatten().filter(|(_, kind)| is_list_compatible(**kind, ty));
    let account_lists = account_lists.map(|(name, kind)| list_completion(name, *kind, "named list"));
    let managed = MANAGED_LISTS.iter().filter(|_| is_list_compatible(ListKind::Ip, ty));
    let managed = managed.map(|(name, description)| {
        list_completion(name, ListKind::Ip, &format!("{description}; managed, requires Enterprise"))
    });
    let mut candidates = with_ranks(account_lists.chain(managed));
    for candidate in &mut candidates {
        candidate.rank = candidate.rank.saturating_add(1);
    }
    candidates
}

fn list_completion(name: &str, kind: ListKind, note: &str) -> Completion {
    let insert = format!("${name}");
    Completion {
        label: insert.clone(),
        cursor: insert.len(),
        insert,
        retrigger: false,
        kind: CompletionKind::List,
        detail: kind.name().to_owned(),
        note: note.to_owned(),
    }
}
