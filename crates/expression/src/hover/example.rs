//! Builds example expressions for fields.

use crate::{Container, Scalar, Type, schema::Field};

/// Returns a condition on the field.
pub(super) fn build_example(field: &Field) -> String {
    if let Some(example) = field.help().example {
        return example.to_owned();
    }
    let (left, needs_quantifier) = index_to_scalar(field);
    let condition = match field.ty.scalar {
        Scalar::Boolean => left,
        Scalar::Ip => format!("{left} in {{192.0.2.0/24}}"),
        Scalar::Integer => format!("{left} {}", build_integer_predicate(field)),
        Scalar::String | Scalar::Bytes => match likeliest_value(field) {
            Some(value) => format!("{left} eq \"{value}\""),
            None => format!("{left} contains \"text\""),
        },
    };
    if needs_quantifier { format!("any({condition})") } else { condition }
}

/// Indexes the field until a scalar remains. Returns the text and whether it represents many values.
fn index_to_scalar(field: &Field) -> (String, bool) {
    let mut left = field.name.to_owned();
    let mut ty: Type = field.ty;
    let mut is_many = false;
    while let Some(container) = ty.container() {
        left.push_str(if container == Container::Array { "[*]" } else { "[\"name\"]" });
        is_many |= container == Container::Array;
        ty = ty.element();
    }
    (left, is_many)
}

/// Returns an operator with its right side.
fn build_integer_predicate(field: &Field) -> String {
    match likeliest_value(field) {
        Some(value) => format!("eq {value}"),
        None => "gt 100".to_owned(),
    }
}

/// Returns the most likely value.
fn likeliest_value(field: &Field) -> Option<&'static str> {
    field.help().values.first()?.first().map(|(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, check, schema::FIELDS};

    #[test]
    fn examples_are_valid_and_contain_their_field() {
        for field in FIELDS {
            let text = build_example(field);
            let checked = check(&text, &Options::default());
            assert!(checked.program.is_some() && text.contains(field.name), "{text}: {:?}", checked.diagnostics);
        }
    }
}
