//! Log push filters generated from sequences of choices, and common user errors in them.

use crate::generate::Choices;
use serde_json::{Value, json};
use zonewright_logpush::{Dataset, Field, FieldType, Operator};

const TEXTS: &[&str] = &["", "a", "example.com", "/a\"b\\c", "é🦀", "200,201", "\n\t", "“x”", "true", "403"];
const NUMBERS: &[u64] = &[0, 1, 200, 403, 99_999, u64::MAX];

/// A filter that the dataset allows, as a tree without formatting.
pub fn filter(choices: &mut Choices<'_>, dataset: &Dataset) -> Value {
    json!({ "where": node(choices, dataset, 3) })
}

fn node(choices: &mut Choices<'_>, dataset: &Dataset, depth: usize) -> Value {
    match choices.index_below(if depth == 0 { 1 } else { 4 }) {
        0 | 1 => condition(choices, dataset),
        choice => {
            let name = if choice == 2 { "and" } else { "or" };
            let nodes: Vec<_> = (0..=choices.index_below(3)).map(|_| node(choices, dataset, depth - 1)).collect();
            json!({ name: nodes })
        }
    }
}

fn condition(choices: &mut Choices<'_>, dataset: &Dataset) -> Value {
    let fields: Vec<&Field> = dataset.fields.iter().filter(|field| field.filterable).collect();
    let field = choices.pick(&fields);
    let operators: Vec<_> = Operator::ALL.into_iter().filter(|operator| operator.supports(field.ty)).collect();
    let operator = choices.pick(&operators);
    let value = if operator.takes_list() {
        let quoted = choices.index_below(2) == 0;
        Value::Array((0..=choices.index_below(3)).map(|_| value(choices, field.ty, quoted)).collect())
    } else {
        let quoted = choices.index_below(2) == 0;
        value(choices, field.ty, quoted)
    };
    json!({ "key": field.name, "operator": operator.name(), "value": value })
}

fn value(choices: &mut Choices<'_>, ty: FieldType, quoted: bool) -> Value {
    let plain = match ty {
        FieldType::String | FieldType::Strings => return json!(choices.pick(TEXTS)),
        FieldType::Bool => json!(choices.index_below(2) == 0),
        FieldType::Float if choices.index_below(2) == 0 => json!(1.5),
        _ => json!(choices.pick(NUMBERS)),
    };
    if quoted { json!(plain.to_string()) } else { plain }
}

/// User errors that a safe fix repairs: each turns a valid compact filter into an invalid one.
pub const MISTAKES: &[fn(&str) -> String] = &[
    |text| text.replace("]}", ",]}"),
    |text| text.replacen('{', "{,", 1),
    |text| text.replace("\"key\":", "key:"),
    |text| text.replace("\"value\":", "\"value\"="),
    |text| text.replace("\"operator\":\"!eq\"", "\"operator\":\"neq\""),
    |text| text.replace("\"operator\":\"geq\"", "\"operator\":\">=\""),
    |text| text.replace("\"operator\":\"!in\"", "\"operator\":\"not in\""),
    |text| text.replace(":{\"key\"", ":/* why */{\"Key\""),
    |text| text.replace("\"operator\":\"eq\"", "'operator':“eq”"),
    |text| text.replace(",\"operator\"", ";\"operator\""),
    |text| text.trim_start_matches("{\"where\":").trim_end_matches('}').to_owned() + &closing(text),
    |text| format!("{text},"),
    |text| format!("{{{text}}}"),
    |text| text.trim_start_matches('{').to_owned().trim_end_matches('}').to_owned() + &closing(text),
    |text| format!("\u{feff}{text}"),
    |text| format!("{{\"name\":\"a\",\"filter\":{}}}", json!(text)),
    |text| json!(json!(text).to_string()).to_string(),
    |text| json!(text).to_string().trim_matches('"').to_owned(),
    |text| text.replace("{\"where\":", "{\"where\":{\"where\":") + "}",
    |text| format!("jsonencode({text})"),
];

/// The closing braces at the end of the text, without the outermost one.
fn closing(text: &str) -> String {
    let braces = text.len() - text.trim_end_matches('}').len();
    "}".repeat(braces.saturating_sub(1))
}
