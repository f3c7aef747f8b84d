//! An expression inside other languages, with the quotes and escapes each of them needs.

use serde_json::json;

/// A string of JSON.
pub(crate) fn json_string(expression: &str) -> String {
    serde_json::Value::from(expression).to_string()
}

/// A quoted string of HCL (Terraform), on one line.
pub(crate) fn hcl_string(expression: &str) -> String {
    let mut quoted = String::with_capacity(expression.len() + 2);
    quoted.push('"');
    for letter in without_templates(expression).chars() {
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

/// A heredoc of HCL, without the line break that a heredoc ends with.
pub(crate) fn hcl_heredoc(expression: &str) -> String {
    let mut mark = "EOT".to_owned();
    while expression.lines().any(|line| line.trim() == mark) {
        mark.push('_');
    }
    format!("chomp(<<{mark}\n{}\n{mark}\n)", without_templates(expression))
}

/// HCL reads `${` and `%{` as its own.
fn without_templates(expression: &str) -> String {
    expression.replace("${", "$${").replace("%{", "%%{")
}

/// A scalar of YAML: a block where that keeps the text, a quoted string where not.
pub(crate) fn yaml(expression: &str) -> String {
    let is_plain = |letter: char| letter == '\n' || !letter.is_control();
    // A block takes its indentation from the first line and drops line breaks at the end.
    let fits = !expression.is_empty()
        && expression.chars().all(is_plain)
        && !expression.starts_with([' ', '\n'])
        && !expression.ends_with('\n');
    if !fits {
        return format!("expression: {}", json_string(expression));
    }
    let lines: Vec<String> =
        expression.split('\n').map(|line| if line.is_empty() { String::new() } else { format!("  {line}") }).collect();
    format!("expression: |-\n{}", lines.join("\n"))
}

/// A call of the service that creates a rule with the expression, for a POSIX shell.
pub(crate) fn curl(expression: &str, root: &str, zone: &str) -> String {
    let body = json!([{ "action": "block", "filter": { "expression": expression } }]).to_string();
    let zone = if zone.is_empty() { "$ZONE_ID" } else { zone };
    format!(
        "curl --request POST \"{root}/zones/{zone}/firewall/rules\" \\\n  \
         --header \"Authorization: Bearer $TOKEN\" \\\n  \
         --header \"Content-Type: application/json\" \\\n  \
         --data {}",
        shell_string(&body)
    )
}

/// A word of a POSIX shell in which nothing is special.
pub(crate) fn shell_string(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
