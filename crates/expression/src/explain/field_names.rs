//! Wording of fields. It comes from the row of the field, or else from the beginning of the field's documentation.

use crate::schema::{Field, Wording};

/// The wording of a field with many values.
#[derive(Clone)]
pub(super) struct Collection {
    /// One element, without an article.
    pub(super) item: String,
    /// All elements.
    pub(super) items: String,
    /// The words between the noun and a key; without them the key precedes the noun.
    pub(super) before_key: Option<&'static str>,
}

/// Returns the field as a noun phrase: `the host`.
pub(super) fn field_noun(field: &'static Field) -> String {
    let help = field.current().help();
    match help.wording {
        Wording::Noun(noun) => format!("the {noun}"),
        Wording::Doc | Wording::Statement(..) | Wording::Collection { .. } => {
            format!("the {}", summary(help.doc.strip_prefix("the ").unwrap_or(help.doc)))
        }
    }
}

/// Returns the statement of a Boolean field, affirmative and negated.
pub(super) fn boolean_phrases(field: &'static Field) -> (String, String) {
    let help = field.current().help();
    if let Wording::Statement(yes, no) = help.wording {
        return (yes.to_owned(), no.to_owned());
    }
    let yes = summary(help.doc.strip_prefix("whether ").unwrap_or(help.doc));
    let first_verb = VERBS.iter().filter_map(|(verb, not)| Some((yes.find(verb)?, verb, not))).min();
    let no = match first_verb {
        Some((_, verb, not)) => yes.replacen(verb, not, 1),
        None => format!("it is not true that {yes}"),
    };
    (yes.to_owned(), no)
}

/// Returns the wording of an array or map.
pub(super) fn collection_noun(field: &Field) -> Collection {
    let help = field.help();
    match help.wording {
        Wording::Collection { item, items, before_key } => {
            Collection { item: item.to_owned(), items: items.to_owned(), before_key }
        }
        Wording::Doc | Wording::Noun(_) | Wording::Statement(..) => {
            let doc = summary(help.doc);
            Collection { item: format!("one of the {doc}"), items: doc.to_owned(), before_key: Some(" for ") }
        }
    }
}

/// Returns the beginning of a documentation text, before its details.
fn summary(doc: &str) -> &str {
    let ends = [", ", "; ", ": ", " (", " from 1 ", " such as "];
    let end = ends.iter().filter_map(|end| doc.find(end)).min().unwrap_or(doc.len());
    doc.get(..end).unwrap_or(doc)
}

/// Verbs of documentation texts, and their negations.
const VERBS: &[(&str, &str)] = &[
    (" are ", " are not "),
    (" carries ", " does not carry "),
    (" comes ", " does not come "),
    (" connects ", " does not connect "),
    (" contains ", " does not contain "),
    (" has ", " has not "),
    (" have ", " have not "),
    (" is ", " is not "),
    (" violates ", " does not violate "),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Type, schema::FIELDS};

    #[test]
    fn every_field_has_usable_wording() {
        for field in FIELDS {
            if field.ty == Type::BOOLEAN {
                let (yes, no) = boolean_phrases(field);
                assert!(
                    yes != no && !no.starts_with("it is not true") && !yes.starts_with("whether"),
                    "{}",
                    field.name
                );
            } else if field.ty.is_scalar() {
                let noun = field_noun(field);
                let is_malformed = ["former", "`", "the the"].iter().any(|text| noun.contains(text));
                assert!(noun.len() < 80 && !is_malformed, "{noun}");
            } else {
                assert!(!collection_noun(field).item.starts_with("one of"), "{}", field.name);
            }
        }
    }
}
