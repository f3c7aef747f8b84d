//! Builds the tree of conditions from JSON.

use super::{
    Lowering,
    errors::excerpt,
    member::{MEMBERS, resolve_member, unknown_member, whole_job_error},
};
use crate::{
    ast::{Condition, Filter, Json, JsonKind, Member, Node, NodeKind, StringLiteral},
    code,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// The members of a condition.
const CONDITION_MEMBERS: [&str; 3] = ["key", "operator", "value"];
impl Lowering<'_> {
    /// Builds the filter of an object.
    pub(super) fn filter(&mut self, json: Json) -> Option<Filter> {
        let span = json.span;
        let JsonKind::Object(mut members) = json.kind else { return self.list_as_filter(json) };
        if let Some(index) = members.iter().position(|member| member.name.text == "where") {
            let found = members.remove(index);
            members.iter().for_each(|member| self.report_extra_member(member));
            let condition = self.node(found.value);
            return Some(Filter { condition, span });
        }
        if self.recovered.contains(&span.start) {
            return None;
        }
        if let Some(job) = members.iter().find(|member| member.name.text == "filter") {
            self.report(job.name.span.start, |text| whole_job_error(span, job, text));
            return None;
        }
        if let Some(index) = members.iter().position(|member| resolve_member(&member.name.text) == Some("where")) {
            let found = members.remove(index);
            let name = &found.name;
            let edits = vec![Edit::replace(name.span, "\"where\"")];
            let is_same = name.text.trim().eq_ignore_ascii_case("where");
            let fix = if is_same { Fix::safe_edits } else { Fix::unsafe_edits };
            self.report(name.span.start, |_| {
                Diagnostic::error(
                    code::MISSING_WHERE,
                    name.span,
                    format!("expected `where`, found `{}`", excerpt(&name.text)),
                )
                .with_fix(fix("use `where`".to_owned(), edits))
            });
            let condition = self.node(found.value);
            return Some(Filter { condition, span });
        }
        if members.iter().any(|member| resolve_member(&member.name.text).is_some()) {
            let first = members.first().map_or(span, |member| member.name.span);
            self.report(first.start, |_| {
                Diagnostic::error(code::BARE_CONDITION, first, "the condition must be under `where`")
                    .with_help("the outermost object of a filter must have the member `where`")
                    .with_fix(Self::wrap("wrap it in `where`", span, "{\"where\":", "}"))
            });
            let condition = self.node(Json { kind: JsonKind::Object(members), span });
            return Some(Filter { condition, span });
        }
        let span = members.first().map_or(span, |member| member.name.span);
        self.report(span.start, |_| {
            Diagnostic::error(code::MISSING_WHERE, span, "the filter has no member `where`")
                .with_help("a filter looks like `{\"where\":{\"key\":…,\"operator\":…,\"value\":…}}`")
        });
        None
    }

    /// Builds the filter whose `where` has this value, without the braces around it.
    pub(super) fn lower_where_value(&mut self, json: Json) -> Filter {
        let span = json.span;
        Filter { condition: self.node(json), span }
    }

    /// Reports a list in the position of the filter.
    fn list_as_filter(&mut self, json: Json) -> Option<Filter> {
        let span = json.span;
        let JsonKind::Array(items) = json.kind else { return None };
        let is_conditions = items.iter().all(|item| matches!(item.kind, JsonKind::Object(_))) && !items.is_empty();
        let diagnostic = Diagnostic::error(
            code::NOT_AN_OBJECT,
            Span::new(span.start, span.start + 1),
            "the filter is a list, not an object",
        )
        .with_help("put the list of conditions under `and` or `or`, inside `where`");
        if !is_conditions {
            self.report(span.start, |_| diagnostic);
            return None;
        }
        let wrap = |word: &str| {
            let edits =
                vec![Edit::insert(span.start, format!("{{\"where\":{{\"{word}\":")), Edit::insert(span.end, "}}")];
            Fix::unsafe_edits(format!("wrap it in `{word}`"), edits)
        };
        self.report(span.start, |_| diagnostic.with_fix(wrap("and")).with_fix(wrap("or")));
        let nodes = items.into_iter().map(|item| self.node(item)).collect();
        Some(Filter { condition: Node { kind: NodeKind::And(nodes), span }, span })
    }

    fn report_extra_member(&mut self, member: &Member) {
        let name = &member.name;
        self.report(name.span.start, |_| {
            Diagnostic::error(
                code::UNKNOWN_MEMBER,
                name.span,
                format!("unexpected member `{}` next to `where`", excerpt(&name.text)),
            )
            .with_help("the outermost object must have only the member `where`; put conditions inside it")
        });
    }

    fn node(&mut self, json: Json) -> Node {
        let span = json.span;
        let kind = match json.kind {
            JsonKind::Object(members) => self.object_node(members, span),
            JsonKind::Invalid => NodeKind::Invalid,
            JsonKind::Array(items) if self.recovered.contains(&span.start) => {
                NodeKind::And(items.into_iter().map(|item| self.node(item)).collect())
            }
            JsonKind::Array(items) => {
                let wrap = |word: &str| {
                    let edits = vec![Edit::insert(span.start, format!("{{\"{word}\":")), Edit::insert(span.end, "}")];
                    Fix::unsafe_edits(format!("wrap it in `{word}`"), edits)
                };
                let open = Span::new(span.start, span.start + 1);
                self.report(span.start, |_| {
                    Diagnostic::error(code::NOT_A_CONDITION, open, "expected a condition, found a list")
                        .with_help("put the list of conditions under `and` or `or`")
                        .with_fix(wrap("and"))
                        .with_fix(wrap("or"))
                });
                NodeKind::And(items.into_iter().map(|item| self.node(item)).collect())
            }
            other => {
                self.report(span.start, |_| {
                    Diagnostic::error(
                        code::NOT_A_CONDITION,
                        span,
                        format!("expected a condition, found {}", json_kind_name(&other)),
                    )
                    .with_help("a condition must be an object with `key`, `operator` and `value`")
                });
                NodeKind::Invalid
            }
        };
        Node { kind, span }
    }

    fn object_node(&mut self, members: Vec<Member>, span: Span) -> NodeKind {
        let damaged = self.recovered.contains(&span.start);
        let is_empty = members.is_empty();
        let mut parts = SortedMembers::default();
        for member in members {
            self.sort_member(member, &mut parts);
        }
        if is_empty && !damaged {
            self.report(span.start, |_| {
                Diagnostic::error(code::EMPTY_CONDITION, span, "the condition is empty")
                    .with_help("add `key`, `operator` and `value`")
            });
            return NodeKind::Invalid;
        }
        let first = parts.groups.first().or(parts.parts.first()).map(|member| member.name.span);
        if parts.groups.len() + usize::from(!parts.parts.is_empty()) > 1 {
            return self.mixed(parts, first.unwrap_or(span));
        }
        if let Some(group) = parts.groups.pop() {
            return self.group(group, span);
        }
        if parts.parts.is_empty() {
            return NodeKind::Invalid;
        }
        let unknown = parts.unknown;
        self.condition(parts.parts, span, damaged || unknown)
    }

    /// Sorts a member by its name, or by the name that an unknown name probably means.
    fn sort_member(&mut self, mut member: Member, parts: &mut SortedMembers) {
        let name = member.name.text.as_str();
        let intended = match MEMBERS.iter().find(|known| **known == name) {
            Some(known) => known,
            None => {
                let intended = resolve_member(name);
                self.report(member.name.span.start, |_| unknown_member(&member.name, intended));
                let Some(intended) = intended else {
                    parts.unknown = true;
                    return;
                };
                intended
            }
        };
        member.name.text = intended.to_owned();
        if CONDITION_MEMBERS.contains(&intended) { parts.parts.push(member) } else { parts.groups.push(member) }
    }

    fn mixed(&mut self, parts: SortedMembers, first: Span) -> NodeKind {
        let mut others = parts.groups.iter().chain(&parts.parts).map(|member| &member.name);
        let second = others.nth(1).map_or(first, |name| name.span);
        let names: Vec<&str> =
            parts.groups.iter().chain(&parts.parts).map(|member| member.name.text.as_str()).collect();
        let listed = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        self.report(second.start, |_|
            Diagnostic::error(code::MIXED_MEMBERS, second, format!("{listed} cannot be combined in one object"))
                .with_help("an object has only `and`, only `or`, or `key`, `operator` and `value`; move the others to separate objects")
                .with_related(first, "the first one"),
        );
        let mut nodes = Vec::new();
        for group in parts.groups {
            let span = group.value.span;
            let node = match group.name.text.as_str() {
                "where" => self.node(group.value),
                _ => Node { kind: self.group(group, span), span },
            };
            nodes.push(node);
        }
        let span = parts.parts.first().map_or(first, |member| member.value.span);
        if !parts.parts.is_empty() {
            let kind = self.condition(parts.parts, span, true);
            nodes.push(Node { kind, span });
        }
        NodeKind::And(nodes)
    }

    /// Builds `and`, `or`, or a misplaced `where`. `span` is that of the enclosing object.
    fn group(&mut self, member: Member, span: Span) -> NodeKind {
        let Member { name, value } = member;
        if name.text == "where" {
            let before = Edit::delete(Span::new(span.start, value.span.start));
            let after = Edit::delete(Span::new(value.span.end, span.end));
            self.report(name.span.start, |_| {
                Diagnostic::error(code::MISPLACED_WHERE, name.span, "nested `where`")
                    .with_help("use `where` only once, in the outermost object")
                    .with_fix(Fix::safe_edits("remove it", vec![before, after]))
            });
            return self.node(value).kind;
        }
        let value_span = value.span;
        let items = match value.kind {
            JsonKind::Array(items) => items,
            JsonKind::Invalid => return NodeKind::Invalid,
            JsonKind::Object(members) if members.is_empty() => Vec::new(),
            JsonKind::Object(members) => {
                self.report(value_span.start, |_| {
                    Diagnostic::error(
                        code::NOT_A_LIST,
                        Span::new(value_span.start, value_span.start + 1),
                        format!("expected a list under `{}`, found one object", name.text),
                    )
                    .with_fix(Self::wrap("add brackets", value_span, "[", "]"))
                });
                vec![Json { kind: JsonKind::Object(members), span: value_span }]
            }
            other => {
                self.report(value_span.start, |_| {
                    Diagnostic::error(
                        code::NOT_A_LIST,
                        value_span,
                        format!("expected a list under `{}`, found {}", name.text, self::json_kind_name(&other)),
                    )
                    .with_help("the list must contain conditions, or objects with `and` or `or`")
                });
                return NodeKind::Invalid;
            }
        };
        if items.is_empty() {
            if self.recovered.contains(&value_span.start) {
                return NodeKind::Invalid;
            }
            self.report(value_span.start, |_| {
                Diagnostic::error(code::EMPTY_GROUP, value_span, format!("the list of `{}` is empty", name.text))
                    .with_help("add at least one condition; to send every line, omit the filter from the job")
            });
            return NodeKind::Invalid;
        }
        let nodes = items.into_iter().map(|item| self.node(item)).collect();
        if name.text == "and" { NodeKind::And(nodes) } else { NodeKind::Or(nodes) }
    }

    /// Builds a condition; `quiet` suppresses the diagnostic about missing members.
    fn condition(&mut self, members: Vec<Member>, span: Span, quiet: bool) -> NodeKind {
        let mut condition = Condition { key: None, operator: None, value: None };
        let missing: Vec<&str> = CONDITION_MEMBERS
            .into_iter()
            .filter(|name| members.iter().all(|member| member.name.text != *name))
            .collect();
        if let Some(first) = missing.first().filter(|_| !quiet) {
            let code = match *first {
                "key" => code::MISSING_KEY,
                "operator" => code::MISSING_OPERATOR,
                _ => code::MISSING_VALUE,
            };
            let listed = missing.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and no ");
            self.report(span.start, |_| Diagnostic::error(code, span, format!("the condition has no {listed}")));
        }
        for member in members {
            match member.name.text.as_str() {
                "key" => condition.key = condition.key.or(self.text_member(member)),
                "operator" => condition.operator = condition.operator.or(self.text_member(member)),
                _ => condition.value = condition.value.or(self.value_member(member)),
            }
        }
        NodeKind::Condition(Box::new(condition))
    }

    fn text_member(&mut self, member: Member) -> Option<StringLiteral> {
        let span = member.value.span;
        let found = match member.value.kind {
            JsonKind::String(text) => return Some(StringLiteral { text, span }),
            JsonKind::Invalid => return None,
            other => other,
        };
        let name = member.name.text;
        self.report(span.start, |_| {
            Diagnostic::error(
                code::MEMBER_TYPE,
                span,
                format!("`{name}` must be a string, not {}", json_kind_name(&found)),
            )
            .with_help(match name.as_str() {
                "key" => "use the name of a field, such as `\"ClientRequestHost\"`",
                _ => "use the name of an operator, such as `\"eq\"`",
            })
        });
        None
    }

    fn value_member(&mut self, member: Member) -> Option<Json> {
        match member.value.kind {
            JsonKind::Invalid => None,
            JsonKind::Null => {
                self.report(member.value.span.start, |_| {
                    Diagnostic::error(code::NULL_VALUE, member.value.span, "a field cannot be compared with `null`")
                        .with_help("compare with the empty value `\"\"`, `0` or `false` instead")
                });
                None
            }
            _ => Some(member.value),
        }
    }
}

/// The members of an object by kind.
#[derive(Default)]
struct SortedMembers {
    /// `and`, `or` and `where`.
    groups: Vec<Member>,
    /// `key`, `operator` and `value`.
    parts: Vec<Member>,
    /// Whether there was a member with an unknown name.
    unknown: bool,
}

/// Returns the kind of a value for messages.
pub(crate) fn json_kind_name(kind: &JsonKind) -> &'static str {
    match kind {
        JsonKind::Null => "`null`",
        JsonKind::Bool(_) => "a Boolean",
        JsonKind::Number(_) => "a number",
        JsonKind::String(_) => "a string",
        JsonKind::Array(_) => "a list",
        JsonKind::Object(_) => "an object",
        JsonKind::Invalid => "an invalid value",
    }
}
