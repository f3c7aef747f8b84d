//! What fields are called in a sentence: as their row says, or else as their documentation begins.

use crate::schema::{Field, Wording};

/// How a field that holds many values is called.
#[derive(Clone)]
pub(super) struct Collection {
    /// One of them, without an article.
    pub(super) item: String,
    /// All of them.
    pub(super) items: String,
    /// What stands between the noun and a key; without it the key precedes the noun.
    pub(super) before_key: Option<&'static str>,
}

/// The field in a sentence: `the host`.
pub(super) fn noun(field: &'static Field) -> String {
    let field = field.current();
    match field.wording {
        Wording::Noun(noun) => format!("the {noun}"),
        Wording::Doc | Wording::Statement(..) | Wording::Collection { .. } => {
            format!("the {}", first_part(field.doc.strip_prefix("the ").unwrap_or(field.doc)))
        }
    }
}

/// What a true or false field says, and what it says when it is not true.
pub(super) fn statement(field: &'static Field) -> (String, String) {
    let field = field.current();
    if let Wording::Statement(yes, no) = field.wording {
        return (yes.to_owned(), no.to_owned());
    }
    let yes = first_part(field.doc.strip_prefix("whether ").unwrap_or(field.doc));
    let found = VERBS.iter().filter_map(|(verb, not)| Some((yes.find(verb)?, verb, not))).min();
    let no = match found {
        Some((_, verb, not)) => yes.replacen(verb, not, 1),
        None => format!("it does not hold that {yes}"),
    };
    (yes.to_owned(), no)
}

/// How an array or a map is called.
pub(super) fn collection(field: &Field) -> Collection {
    match field.wording {
        Wording::Collection { item, items, before_key } => {
            Collection { item: item.to_owned(), items: items.to_owned(), before_key }
        }
        Wording::Doc | Wording::Noun(_) | Wording::Statement(..) => {
            let doc = first_part(field.doc);
            Collection { item: format!("one of the {doc}"), items: doc.to_owned(), before_key: Some(" for ") }
        }
    }
}

/// A documentation's beginning, up to where it goes into details.
fn first_part(doc: &str) -> &str {
    let ends = [", ", "; ", ": ", " (", " from 1 ", " such as "];
    let end = ends.iter().filter_map(|end| doc.find(end)).min().unwrap_or(doc.len());
    doc.get(..end).unwrap_or(doc)
}

/// Verbs of documentations, and their negations.
const VERBS: &[(&str, &str)] = &[
    (" are ", " are not "),
    (" breaks ", " does not break "),
    (" carries ", " does not carry "),
    (" comes ", " does not come "),
    (" connects ", " does not connect "),
    (" departs ", " does not depart "),
    (" holds ", " does not hold "),
    (" is ", " is not "),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Type, schema::FIELDS};

    #[test]
    fn every_field_has_a_good_name() {
        for field in FIELDS {
            if field.ty == Type::BOOLEAN {
                let (yes, no) = statement(field);
                assert!(yes != no && !no.starts_with("it does not") && !yes.starts_with("whether"), "{}", field.name);
            } else if field.ty.is_scalar() {
                let noun = noun(field);
                let is_odd = ["former", "`", "the the"].iter().any(|odd| noun.contains(odd));
                assert!(noun.len() < 80 && !is_odd, "{noun}");
            } else {
                assert!(!collection(field).item.starts_with("one of"), "{}", field.name);
            }
        }
    }
}
