//! Temporary printer.
use crate::ast::*;
/// How.
#[derive(Clone, Copy, Debug)]
pub enum Style {
    /// Short.
    Compact,
}
fn q(t: &str) -> String {
    serde_json::Value::from(t).to_string()
}
fn json(j: &Json) -> String {
    match &j.kind {
        JsonKind::Null => "null".into(),
        JsonKind::Bool(b) => b.to_string(),
        JsonKind::Number(n) => n.clone(),
        JsonKind::String(s) => q(s),
        JsonKind::Array(a) => format!("[{}]", a.iter().map(json).collect::<Vec<_>>().join(",")),
        _ => String::new(),
    }
}
/// Node.
pub(crate) fn print_node(n: &Node, _s: Style) -> String {
    let many = |v: &Vec<Node>| v.iter().map(|n| print_node(n, Style::Compact)).collect::<Vec<_>>().join(",");
    match &n.kind {
        NodeKind::And(v) => format!("{{\"and\":[{}]}}", many(v)),
        NodeKind::Or(v) => format!("{{\"or\":[{}]}}", many(v)),
        NodeKind::Condition(c) => format!(
            "{{\"key\":{},\"operator\":{},\"value\":{}}}",
            q(c.key.as_ref().map_or("", |t| t.text.as_str())),
            q(c.operator.as_ref().map_or("", |t| t.text.as_str())),
            c.value.as_ref().map_or(String::new(), json)
        ),
        NodeKind::Invalid => String::new(),
    }
}
/// Whole.
pub fn print(n: &Node, s: Style) -> String {
    format!("{{\"where\":{}}}", print_node(n, s))
}
