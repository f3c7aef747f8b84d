//! Builds the tree of conditions from JSON.

use super::{
    Lowering,
    errors::excerpt,
    member::{resolve_member, unknown_member_error, whole_job_error},
};
use crate::{
    ast::{Condition, Filter, Json, JsonKind, Member, Node, NodeKind, StringLiteral},
    code,
    member_name::{ConditionMember, GroupName, MemberName},
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

impl Lowering<'_> {
    /// Builds a filter from the JSON of the whole text.
    pub(super) fn lower_filter(&mut self, json: Json) -> Option<Filter> {
        let span = json.span;
        let JsonKind::Object(mut members) = json.kind else { return self.lower_list_as_filter(json) };
        if let Some(index) = members.iter().position(|member| member.name.text == GroupName::Where.name()) {
            let where_member = members.remove(index);
            members.iter().for_each(|member| self.report_extra_member(member));
            let condition = self.lower_node(where_member.value);
            return Some(Filter { condition, span });
        }
        if self.recovered.contains(&span.start) {
            return None;
        }
        if let Some(job) = members.iter().find(|member| member.name.text == "filter") {
            self.report(job.name.span.start, |text| whole_job_error(span, job, text));
            return None;
        }
        if let Some(index) =
            members.iter().position(|member| resolve_member(&member.name.text) == Some(MemberName::WHERE))
        {
            let where_member = members.remove(index);
            let name = &where_member.name;
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
            let condition = self.lower_node(where_member.value);
            return Some(Filter { condition, span });
        }
        if members.iter().any(|member| resolve_member(&member.name.text).is_some()) {
            let first = members.first().map_or(span, |member| member.name.span);
            self.report(first.start, |_| {
                Diagnostic::error(code::BARE_CONDITION, first, "the condition must be under `where`")
                    .with_help("the outermost object of a filter must have the member `where`")
                    .with_fix(Self::wrap("wrap it in `where`", span, "{\"where\":", "}"))
            });
            let condition = self.lower_node(Json { kind: JsonKind::Object(members), span });
            return Some(Filter { condition, span });
        }
        let span = members.first().map_or(span, |member| member.name.span);
        self.report(span.start, |_| {
            Diagnostic::error(code::MISSING_WHERE, span, "the filter has no member `where`")
                .with_help("a filter looks like `{\"where\":{\"key\":…,\"operator\":…,\"value\":…}}`")
        });
        None
    }

    /// Builds a filter from the value of a `where` that has no braces around it.
    pub(super) fn lower_where_value(&mut self, json: Json) -> Filter {
        let span = json.span;
        Filter { condition: self.lower_node(json), span }
    }

    /// Reports a list in the position of the filter. A list of objects is lowered as if it were under `and`.
    fn lower_list_as_filter(&mut self, json: Json) -> Option<Filter> {
        let span = json.span;
        let JsonKind::Array(items) = json.kind else { return None };
        let has_only_objects = items.iter().all(|item| matches!(item.kind, JsonKind::Object(_))) && !items.is_empty();
        let diagnostic = Diagnostic::error(
            code::NOT_AN_OBJECT,
            Span::new(span.start, span.start + 1),
            "the filter is a list, not an object",
        )
        .with_help("put the list of conditions under `and` or `or`, inside `where`");
        if !has_only_objects {
            self.report(span.start, |_| diagnostic);
            return None;
        }
        let wrap = |word: &str| {
            let edits =
                vec![Edit::insert(span.start, format!("{{\"where\":{{\"{word}\":")), Edit::insert(span.end, "}}")];
            Fix::unsafe_edits(format!("wrap it in `{word}`"), edits)
        };
        self.report(span.start, |_| diagnostic.with_fix(wrap("and")).with_fix(wrap("or")));
        let nodes = items.into_iter().map(|item| self.lower_node(item)).collect();
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

    fn lower_node(&mut self, json: Json) -> Node {
        let span = json.span;
        let kind = match json.kind {
            JsonKind::Object(members) => self.lower_object_node(members, span),
            JsonKind::Invalid => NodeKind::Invalid,
            JsonKind::Array(items) if self.recovered.contains(&span.start) => {
                NodeKind::And(items.into_iter().map(|item| self.lower_node(item)).collect())
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
                NodeKind::And(items.into_iter().map(|item| self.lower_node(item)).collect())
            }
            other => {
                self.report(span.start, |_| {
                    Diagnostic::error(
                        code::NOT_A_CONDITION,
                        span,
                        format!("expected a condition, found {}", json_kind_name(&other)),
                    )
                    .with_help("a condition must be an object with `key`, `operator`, and `value`")
                });
                NodeKind::Invalid
            }
        };
        Node { kind, span }
    }

    fn lower_object_node(&mut self, members: Vec<Member>, span: Span) -> NodeKind {
        let is_recovered = self.recovered.contains(&span.start);
        let is_empty = members.is_empty();
        let mut sorted = SortedMembers::default();
        for member in members {
            self.sort_member(member, &mut sorted);
        }
        if is_empty && !is_recovered {
            self.report(span.start, |_| {
                Diagnostic::error(code::EMPTY_CONDITION, span, "the condition is empty")
                    .with_help("add `key`, `operator`, and `value`")
            });
            return NodeKind::Invalid;
        }
        if sorted.groups.len() + usize::from(!sorted.condition.is_empty()) > 1 {
            return self.lower_mixed_members(sorted, span);
        }
        if let Some((group, member)) = sorted.groups.pop() {
            return self.lower_group(group, member, span);
        }
        if sorted.condition.is_empty() {
            return NodeKind::Invalid;
        }
        self.lower_condition(sorted.condition, span, is_recovered || sorted.has_unknown)
    }

    /// Sorts a member by its name, or by the name that an unknown name probably means.
    fn sort_member(&mut self, member: Member, sorted: &mut SortedMembers) {
        let name = member.name.text.as_str();
        let intended = MemberName::from_name(name).or_else(|| {
            let intended = resolve_member(name);
            self.report(member.name.span.start, |_| unknown_member_error(&member.name, intended));
            intended
        });
        match intended {
            Some(MemberName::Group(group)) => sorted.groups.push((group, member)),
            Some(MemberName::Condition(part)) => sorted.condition.push((part, member)),
            None => sorted.has_unknown = true,
        }
    }

    /// Reports members that exclude each other, and combines them with `and`. `span` is that of the enclosing object.
    fn lower_mixed_members(&mut self, sorted: SortedMembers, span: Span) -> NodeKind {
        let groups = sorted.groups.iter().map(|(group, member)| (group.name(), member.name.span));
        let condition = sorted.condition.iter().map(|(part, member)| (part.name(), member.name.span));
        let (names, spans): (Vec<&str>, Vec<Span>) = groups.chain(condition).unzip();
        let first = spans.first().copied().unwrap_or(span);
        let second = spans.get(1).copied().unwrap_or(first);
        let listed = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        self.report(second.start, |_|
            Diagnostic::error(code::MIXED_MEMBERS, second, format!("{listed} cannot be combined in one object"))
                .with_help("an object has only `and`, only `or`, or `key`, `operator`, and `value`; move the others to separate objects")
                .with_related(first, "the first one"),
        );
        let mut nodes = Vec::new();
        for (group, member) in sorted.groups {
            let span = member.value.span;
            let node = match group {
                GroupName::Where => self.lower_node(member.value),
                GroupName::And | GroupName::Or => Node { kind: self.lower_group(group, member, span), span },
            };
            nodes.push(node);
        }
        if let Some((_, member)) = sorted.condition.first() {
            let span = member.value.span;
            let kind = self.lower_condition(sorted.condition, span, true);
            nodes.push(Node { kind, span });
        }
        NodeKind::And(nodes)
    }

    /// Builds `and`, `or`, or a misplaced `where`. `span` is that of the enclosing object.
    fn lower_group(&mut self, group: GroupName, member: Member, span: Span) -> NodeKind {
        let Member { name, value } = member;
        let combine: fn(Vec<Node>) -> NodeKind = match group {
            GroupName::And => NodeKind::And,
            GroupName::Or => NodeKind::Or,
            GroupName::Where => {
                let delete_start = Edit::delete(Span::new(span.start, value.span.start));
                let delete_end = Edit::delete(Span::new(value.span.end, span.end));
                self.report(name.span.start, |_| {
                    Diagnostic::error(code::MISPLACED_WHERE, name.span, "nested `where`")
                        .with_help("use `where` only once, in the outermost object")
                        .with_fix(Fix::safe_edits("remove it", vec![delete_start, delete_end]))
                });
                return self.lower_node(value).kind;
            }
        };
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
                        format!("expected a list under `{}`, found one object", group.name()),
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
                        format!("expected a list under `{}`, found {}", group.name(), json_kind_name(&other)),
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
                Diagnostic::error(code::EMPTY_GROUP, value_span, format!("the list of `{}` is empty", group.name()))
                    .with_help("add at least one condition; to send every line, omit the filter from the job")
            });
            return NodeKind::Invalid;
        }
        combine(items.into_iter().map(|item| self.lower_node(item)).collect())
    }

    /// Builds a condition. `is_quiet` suppresses the diagnostic about missing members.
    fn lower_condition(&mut self, members: Vec<(ConditionMember, Member)>, span: Span, is_quiet: bool) -> NodeKind {
        let mut condition = Condition { key: None, operator: None, value: None };
        let missing: Vec<ConditionMember> = ConditionMember::ALL
            .into_iter()
            .filter(|part| members.iter().all(|(existing, _)| existing != part))
            .collect();
        if let Some(first) = missing.first().filter(|_| !is_quiet) {
            let code = match first {
                ConditionMember::Key => code::MISSING_KEY,
                ConditionMember::Operator => code::MISSING_OPERATOR,
                ConditionMember::Value => code::MISSING_VALUE,
            };
            let names = missing.iter().map(|part| format!("`{}`", part.name()));
            let listed = names.collect::<Vec<_>>().join(" and no ");
            self.report(span.start, |_| Diagnostic::error(code, span, format!("the condition has no {listed}")));
        }
        for (part, Member { value, .. }) in members {
            match part {
                ConditionMember::Key => {
                    let help = "use the name of a field, such as `\"ClientRequestHost\"`";
                    condition.key = condition.key.or(self.lower_string_value(part, value, help));
                }
                ConditionMember::Operator => {
                    let help = "use the name of an operator, such as `\"eq\"`";
                    condition.operator = condition.operator.or(self.lower_string_value(part, value, help));
                }
                ConditionMember::Value => condition.value = condition.value.or(self.lower_compared_value(value)),
            }
        }
        NodeKind::Condition(Box::new(condition))
    }

    /// Returns the string of `key` or `operator`, or reports a value of another type.
    fn lower_string_value(&mut self, part: ConditionMember, value: Json, help: &str) -> Option<StringLiteral> {
        let span = value.span;
        let kind = match value.kind {
            JsonKind::String(text) => return Some(StringLiteral { text, span }),
            JsonKind::Invalid => return None,
            kind => kind,
        };
        self.report(span.start, |_| {
            let message = format!("`{}` must be a string, not {}", part.name(), json_kind_name(&kind));
            Diagnostic::error(code::MEMBER_TYPE, span, message).with_help(help)
        });
        None
    }

    /// Returns the value of `value`, or reports `null`.
    fn lower_compared_value(&mut self, value: Json) -> Option<Json> {
        match value.kind {
            JsonKind::Invalid => None,
            JsonKind::Null => {
                self.report(value.span.start, |_| {
                    Diagnostic::error(code::NULL_VALUE, value.span, "a field cannot be compared with `null`")
                        .with_help("compare with the empty value `\"\"`, `0` or `false` instead")
                });
                None
            }
            _ => Some(value),
        }
    }
}

/// The members of an object by kind.
#[derive(Default)]
struct SortedMembers {
    groups: Vec<(GroupName, Member)>,
    condition: Vec<(ConditionMember, Member)>,
    /// Whether there was a member with an unknown name.
    has_unknown: bool,
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
