//! Converts doc comments to descriptions for users of the API.

use serde_json::{Value, json};

/// Beginnings of notes about the source of a fact.
const SOURCE_NOTE_PREFIXES: [&str; 5] = [" (§", " (observed", " (assumption", " (specification", " (documented"];

/// Removes notes for readers of the code from all descriptions. Also replaces `oneOf` by `anyOf`, because a value may
/// match several alternatives.
pub(super) fn simplify_descriptions(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(simplify_descriptions),
        Value::Object(members) => {
            if let Some(choices) = members.remove("oneOf") {
                members.insert("anyOf".to_owned(), choices);
            }
            for (name, member) in members {
                match member {
                    Value::String(text) if name == "description" || name == "summary" => {
                        *member = json!(strip_source_notes(text))
                    }
                    // Recorded responses stay unchanged.
                    _ if name == "example" => {}
                    _ => simplify_descriptions(member),
                }
            }
        }
        _ => {}
    }
}

fn strip_source_notes(text: &str) -> String {
    // Lines of a paragraph are joined; paragraphs stay separate.
    let text = text.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect::<Vec<_>>().join("\n\n");
    let mut rest = text.as_str();
    let mut plain = String::new();
    while let Some(at) = SOURCE_NOTE_PREFIXES.iter().filter_map(|note| rest.find(note)).min() {
        let (before, note) = rest.split_at(at);
        let Some((_, after)) = note.split_once(')') else { break };
        plain.push_str(before);
        rest = after;
    }
    plain.push_str(rest);
    // Links within the code have no target in the document.
    let plain = plain.replace("[`", "`").replace("`](crate::error_code)", "`").replace("`]", "`");
    plain.strip_suffix('.').filter(|sentence| !sentence.contains(". ")).unwrap_or(&plain).to_owned()
}

#[cfg(test)]
mod tests {
    use super::strip_source_notes;

    #[test]
    fn source_notes_are_stripped_from_descriptions() {
        let cases = [
            ("A filter, as it is (§2.5).", "A filter, as it is"),
            ("Lists them (observed; see there), all. One of [`Kind`].", "Lists them, all. One of `Kind`."),
            ("It is (also)\nso", "It is (also) so"),
            ("It is\n(§3 rule 2)\n\nand more", "It is\n\nand more"),
            ("It is (§2", "It is (§2"),
        ];
        for (text, expected) in cases {
            assert_eq!(strip_source_notes(text), expected);
        }
    }
}
