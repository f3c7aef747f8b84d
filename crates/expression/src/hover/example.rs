//! How a field is used.

use crate::{
    Container, Scalar, Type,
    schema::{Field, known_values},
};

/// A condition on the field.
pub(super) fn example(field: &Field) -> String {
    let name = field.name;
    match name {
        "http.host" => return "http.host eq \"www.example.com\"".to_owned(),
        "http.request.uri.path" => return "starts_with(http.request.uri.path, \"/admin/\")".to_owned(),
        "http.request.uri.query" => return "http.request.uri.query contains \"debug=\"".to_owned(),
        "http.user_agent" => return "lower(http.user_agent) contains \"bot\"".to_owned(),
        "http.referer" => return "not http.referer contains \"example.com\"".to_owned(),
        "http.request.full_uri" => {
            return "http.request.full_uri wildcard \"https://*.example.com/files/*\"".to_owned();
        }
        "ip.src.country" => return "ip.src.country in {\"DE\" \"FR\"}".to_owned(),
        "ip.src.asnum" => return "ip.src.asnum in {64496 64511}".to_owned(),
        "http.request.headers" => return "any(http.request.headers[\"accept\"][*] contains \"text/html\")".to_owned(),
        "http.request.headers.names" => {
            return "any(lower(http.request.headers.names[*])[*] eq \"x-api-key\")".to_owned();
        }
        "http.request.timestamp.sec" => return "http.request.timestamp.sec lt 1893456000".to_owned(),
        _ => {}
    }
    let (left, quantified) = elements(field);
    let condition = match field.ty.scalar {
        Scalar::Boolean => left,
        Scalar::Ip => format!("{left} in {{192.0.2.0/24}}"),
        Scalar::Integer => format!("{left} {}", integer(name)),
        Scalar::String | Scalar::Bytes => match known_values(name).first().and_then(|row| row.first()) {
            Some((value, _)) => format!("{left} eq \"{value}\""),
            None => format!("{left} contains \"text\""),
        },
    };
    if quantified { format!("any({condition})") } else { condition }
}

/// The field down to its single values, and whether that is many.
fn elements(field: &Field) -> (String, bool) {
    let mut left = field.name.to_owned();
    let mut ty: Type = field.ty;
    let mut many = false;
    while let Some(container) = ty.container() {
        left.push_str(if container == Container::Array { "[*]" } else { "[\"name\"]" });
        many |= container == Container::Array;
        ty = ty.element();
    }
    (left, many)
}

fn integer(name: &str) -> String {
    match known_values(name).first().and_then(|row| row.first()) {
        _ if name.contains("score") => "lt 30".to_owned(),
        Some((value, _)) => format!("eq {value}"),
        None => "gt 100".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, check, schema::FIELDS};

    #[test]
    fn examples_are_expressions() {
        for field in FIELDS {
            let text = example(field);
            let checked = check(&text, &Options::default());
            assert!(checked.program.is_some() && text.contains(field.name), "{text}: {:?}", checked.diagnostics);
        }
    }
}
