//! Export of an expression or a log push filter to other languages, with their quotes and escapes.

use serde_json::{Value, json};

/// Quotes an expression as a JSON string.
pub(crate) fn to_json_string(expression: &str) -> String {
    serde_json::Value::from(expression).to_string()
}

/// Quotes an expression as an HCL (Terraform) string on one line.
pub(crate) fn to_hcl_string(expression: &str) -> String {
    let mut quoted = String::with_capacity(expression.len() + 2);
    quoted.push('"');
    for letter in escape_hcl_templates(expression).chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            other if other.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(other))),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// Writes an expression as an HCL heredoc; `chomp` removes the line break that a heredoc adds.
pub(crate) fn to_hcl_heredoc(expression: &str) -> String {
    let mut mark = "EOT".to_owned();
    while expression.lines().any(|line| line.trim() == mark) {
        mark.push('_');
    }
    format!("chomp(<<{mark}\n{}\n{mark}\n)", escape_hcl_templates(expression))
}

/// Escapes `${` and `%{`, which start templates in HCL.
fn escape_hcl_templates(expression: &str) -> String {
    expression.replace("${", "$${").replace("%{", "%%{")
}

/// Writes the YAML member `expression`: a block scalar if that preserves the text, otherwise a quoted string.
pub(crate) fn to_yaml_scalar(expression: &str) -> String {
    let is_plain = |letter: char| letter == '\n' || !letter.is_control();
    // A block derives its indentation from the first line and drops trailing line breaks.
    let fits_block = !expression.is_empty()
        && expression.chars().all(is_plain)
        && !expression.starts_with([' ', '\n'])
        && !expression.ends_with('\n');
    if !fits_block {
        return format!("expression: {}", to_json_string(expression));
    }
    let lines: Vec<String> =
        expression.split('\n').map(|line| if line.is_empty() { String::new() } else { format!("  {line}") }).collect();
    format!("expression: |-\n{}", lines.join("\n"))
}

/// Returns a curl command for a POSIX shell that creates a rule with the expression.
pub(crate) fn to_curl_command(expression: &str, root: &str, zone: &str) -> String {
    let body = json!([{ "action": "block", "filter": { "expression": expression } }]).to_string();
    let zone = if zone.is_empty() { "$ZONE_ID" } else { zone };
    format!(
        "curl --request POST \"{root}/zones/{zone}/firewall/rules\" \\\n  \
         --header \"Authorization: Bearer $TOKEN\" \\\n  \
         --header \"Content-Type: application/json\" \\\n  \
         --data {}",
        quote_for_shell(&body)
    )
}

/// Quotes a text as one literal word of a POSIX shell.
pub(crate) fn quote_for_shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Largest length of a list that is written on one line, in bytes of its JSON.
const MAX_INLINE_LIST_BYTES: usize = 72;

/// Writes a JSON value as HCL, indented by `depth` levels. The recursion is bounded, because the parser bounds the
/// depth of a filter.
pub(crate) fn to_hcl_value(value: &Value, depth: usize) -> String {
    let (inner, outer) = ("  ".repeat(depth + 1), "  ".repeat(depth));
    let is_name = |name: &str| {
        name.starts_with(|char: char| char.is_ascii_alphabetic())
            && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_')
    };
    match value {
        // A condition fits on one line.
        Value::Object(members) if members.contains_key("key") && !members.values().any(Value::is_object) => {
            let members = members.iter().map(|(name, value)| format!("{name} = {}", to_hcl_value(value, depth)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Object(members) => {
            let line = |(name, value): (&String, &Value)| {
                let name = if is_name(name) { name.clone() } else { to_hcl_string(name) };
                format!("{inner}{name} = {}\n", to_hcl_value(value, depth + 1))
            };
            format!("{{\n{}{outer}}}", members.iter().map(line).collect::<String>())
        }
        Value::Array(items)
            if !items.iter().any(Value::is_object) && value.to_string().len() <= MAX_INLINE_LIST_BYTES =>
        {
            format!("[{}]", items.iter().map(|item| to_hcl_value(item, depth)).collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            let line = |item: &Value| format!("{inner}{},\n", to_hcl_value(item, depth + 1));
            format!("[\n{}{outer}]", items.iter().map(line).collect::<String>())
        }
        Value::String(text) => to_hcl_string(text),
        other => other.to_string(),
    }
}
