//! Describes the token at the cursor.

use crate::{
    Field, FieldType, Operator, Options,
    cursor::{self, CursorContext, Role, TokenKind, TolerantSyntax},
    descriptions::{describe_member, describe_operator, field_title},
    known_values::known_values,
    member_name::{ConditionMember, MemberName},
    parse::{unwrap::UnwrappedSource, within_size_limit},
};
use zonewright_expression::Hover;

/// Returns the description of the token at the byte `offset`, or directly before it. The text may be unfinished.
pub fn hover(source: &str, offset: usize, options: &Options) -> Option<Hover> {
    let unwrapped = UnwrappedSource::new(within_size_limit(source));
    let syntax = cursor::parse_tolerant(&unwrapped.text, Some(unwrapped.to_inner_offset(offset)));
    let context = syntax.context?;
    let token = context.token?;
    let text = match token.kind {
        TokenKind::String(content) => content.text(&unwrapped.text),
        _ => token.span.text(&unwrapped.text),
    };
    let hover = describe_token(text, &syntax, &context, options)?;
    Some(Hover { span: unwrapped.to_outer_span(token.span), ..hover })
}

fn describe_token(text: &str, syntax: &TolerantSyntax, context: &CursorContext, options: &Options) -> Option<Hover> {
    if context.role == Role::Name {
        let lines = vec![describe_member(MemberName::from_name(text)?).to_owned()];
        return Some(build_hover(text, "filter member", lines));
    }
    if context.role != Role::Value {
        return None;
    }
    let object = syntax.enclosing_object(context.container)?;
    let field = object.member(ConditionMember::Key).and_then(|key| options.dataset.field(key));
    let name = MemberName::from_name(syntax.member_name(context.container, context.member))?;
    let MemberName::Condition(member) = name else { return None };
    match member {
        ConditionMember::Key => {
            let field = options.dataset.field(text)?;
            Some(build_hover(field.name, field.ty.name(), field_details(field, options)))
        }
        ConditionMember::Operator => {
            let operator = Operator::from_name(text)?;
            let mut lines = vec![describe_operator(operator, field.map(|field| field.ty)).to_owned()];
            if field.is_some_and(|field| !operator.supports(field.ty)) {
                lines.push("not supported by the type of this field".to_owned());
            }
            Some(build_hover(text, "operator", lines))
        }
        ConditionMember::Value => {
            let field = field?;
            let known = known_values(field).into_iter().find(|(value, _)| value == text);
            let note = known.map(|(_, note)| note).filter(|note| !note.is_empty());
            let lines = note.into_iter().chain([format!("compared with {}", field_title(field.name))]).collect();
            Some(build_hover(text, field.ty.name(), lines))
        }
    }
}

fn build_hover(title: &str, detail: &str, text: Vec<String>) -> Hover {
    Hover { span: Default::default(), title: title.to_owned(), detail: detail.to_owned(), text, example: None }
}

fn field_details(field: &Field, options: &Options) -> Vec<String> {
    let mut lines = vec![field_title(field.name)];
    if field.deprecated {
        lines.push("deprecated: kept for older jobs".to_owned());
    }
    if field.filterable {
        let names = Operator::ALL.into_iter().filter(|operator| operator.supports(field.ty)).map(Operator::name);
        lines.push(format!("operators: {}", names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")));
    } else {
        lines.push("cannot be used in filters".to_owned());
    }
    if field.ty == FieldType::Timestamp {
        lines.push("Unix time in nanoseconds".to_owned());
    }
    lines.push(format!("field of `{}`", options.dataset.name));
    lines
}
