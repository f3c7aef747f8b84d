//! What stands at a place.

use crate::{
    Field, FieldType, Operator, Options,
    cursor::{self, Cursor, Place, Role, TokenKind},
    explain::words::noun,
    parse::{limited, source::Source},
};
use zonewright_expression::Hover;

/// What stands at the byte `offset`, or right before it; the text may be broken.
pub fn hover(source: &str, offset: usize, options: &Options) -> Option<Hover> {
    let read = Source::read(limited(source));
    let cursor = cursor::read(&read.text, Some(read.inside(offset)));
    let place = cursor.place?;
    let token = place.token?;
    let text = match token.kind {
        TokenKind::Text(content) => content.text(&read.text),
        _ => token.span.text(&read.text),
    };
    let found = about(text, &cursor, &place, options)?;
    Some(Hover { span: read.span(token.span), ..found })
}

fn about(text: &str, cursor: &Cursor, place: &Place, options: &Options) -> Option<Hover> {
    if place.role == Role::Name {
        let lines = vec![member(text)?.to_owned()];
        return Some(shown(text, "member of a filter", lines));
    }
    if place.role != Role::Value {
        return None;
    }
    let object = cursor.object_of(place.frame)?;
    let field = object.member("key").and_then(|key| options.dataset.field(key));
    match cursor.name_of(place.frame, place.member) {
        "key" => {
            let field = options.dataset.field(text)?;
            Some(shown(field.name, field.ty.name(), about_field(field, options)))
        }
        "operator" => {
            let operator = Operator::named(text)?;
            let mut lines = vec![described(operator, field.map(|field| field.ty)).to_owned()];
            if field.is_some_and(|field| !operator.takes(field.ty)) {
                lines.push("the field's type does not take it".to_owned());
            }
            Some(shown(text, "operator", lines))
        }
        "value" => {
            let field = field?;
            let known = crate::complete::known_values(field).into_iter().find(|(value, _)| value == text);
            let words = known.map(|(_, words)| words).filter(|words| !words.is_empty());
            let lines = words.into_iter().chain([format!("compared with {}", title(field.name))]).collect();
            Some(shown(text, field.ty.name(), lines))
        }
        _ => None,
    }
}

fn shown(title: &str, detail: &str, text: Vec<String>) -> Hover {
    Hover { span: Default::default(), title: title.to_owned(), detail: detail.to_owned(), text, example: None }
}

fn about_field(field: &Field, options: &Options) -> Vec<String> {
    let mut lines = vec![title(field.name)];
    if field.deprecated {
        lines.push("deprecated: kept for old jobs".to_owned());
    }
    if field.filterable {
        let names = Operator::ALL.into_iter().filter(|operator| operator.takes(field.ty)).map(Operator::name);
        lines.push(format!("takes {}", names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")));
    } else {
        lines.push("no filter can ask for it".to_owned());
    }
    if field.ty == FieldType::Timestamp {
        lines.push("nanoseconds since 1970".to_owned());
    }
    lines.push(format!("of `{}`", options.dataset.name));
    lines
}

/// What a member is for.
pub(crate) fn member(name: &str) -> Option<&'static str> {
    Some(match name {
        "where" => "the condition that a line has to meet to be sent",
        "and" => "all of these conditions hold",
        "or" => "at least one of these conditions holds",
        "key" => "the field that is compared, of the job's dataset",
        "operator" => "how it is compared",
        "value" => "what it is compared with; a list for `in` and `!in`",
        _ => return None,
    })
}

/// What an operator asks, of a field of this type.
pub(crate) fn described(operator: Operator, ty: Option<FieldType>) -> &'static str {
    let is_list = matches!(ty, Some(FieldType::Strings | FieldType::Ints));
    match operator {
        Operator::Equal => "is the same; capitals matter",
        Operator::NotEqual => "is not the same; capitals matter",
        Operator::Less => "is less than the number",
        Operator::LessOrEqual => "is at most the number",
        Operator::Greater => "is more than the number",
        Operator::GreaterOrEqual => "is at least the number",
        Operator::StartsWith => "begins with the text",
        Operator::NotStartsWith => "does not begin with the text",
        Operator::EndsWith => "ends with the text",
        Operator::NotEndsWith => "does not end with the text",
        Operator::Contains if is_list => "has the value among its elements",
        Operator::NotContains if is_list => "does not have the value among its elements",
        Operator::Contains => "has the text somewhere in it",
        Operator::NotContains => "does not have the text anywhere in it",
        Operator::In => "is one of the list",
        Operator::NotIn => "is none of the list",
    }
}

/// What a field is called: `client request host`.
pub(crate) fn title(name: &str) -> String {
    let noun = noun(name);
    noun.strip_prefix("the ").unwrap_or(&noun).to_owned()
}
