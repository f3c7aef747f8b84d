//! Prints syntax trees as JSON.

use crate::{
    ast::{Json, JsonKind, Node, NodeKind},
    parse::string::quoted,
};

/// The indentation of the content of a bracket, in spaces.
const INDENT_SPACES: usize = 2;

/// A JSON value with its width.
pub(super) struct Doc {
    kind: DocKind,
    /// An upper bound of the width on one line in characters. It counts a separator after the last member or item too.
    width: usize,
}

enum DocKind {
    Scalar(String),
    /// Members as their encoded names and their values.
    Object(Vec<(String, Doc)>),
    Array(Vec<Doc>),
}

/// Builds the document of the whole filter.
pub(super) fn build_filter(node: &Node) -> Doc {
    build_object(vec![("\"where\"".to_owned(), build_node(node))])
}

/// Builds the document of a node.
pub(super) fn build_node(node: &Node) -> Doc {
    let group = |name: &str, nodes: &[Node]| {
        build_object(vec![(quoted(name), build_array(nodes.iter().map(build_node).collect()))])
    };
    match &node.kind {
        NodeKind::And(nodes) => group("and", nodes),
        NodeKind::Or(nodes) => group("or", nodes),
        NodeKind::Condition(condition) => {
            let texts = [("key", &condition.key), ("operator", &condition.operator)];
            let texts =
                texts.into_iter().filter_map(|(name, text)| Some((name, build_scalar(quoted(&text.as_ref()?.text)))));
            let value = condition.value.iter().map(|value| ("value", build_json(value)));
            build_object(texts.chain(value).map(|(name, doc)| (quoted(name), doc)).collect())
        }
        NodeKind::Invalid => build_object(Vec::new()),
    }
}

fn build_json(json: &Json) -> Doc {
    match &json.kind {
        JsonKind::Null | JsonKind::Invalid => build_scalar("null".to_owned()),
        JsonKind::Bool(flag) => build_scalar(flag.to_string()),
        JsonKind::Number(number) => build_scalar(number.clone()),
        JsonKind::String(text) => build_scalar(quoted(text)),
        JsonKind::Array(items) => build_array(items.iter().map(build_json).collect()),
        JsonKind::Object(members) => {
            build_object(members.iter().map(|member| (quoted(&member.name.text), build_json(&member.value))).collect())
        }
    }
}

fn build_scalar(text: String) -> Doc {
    Doc { width: text.chars().count(), kind: DocKind::Scalar(text) }
}

fn build_object(members: Vec<(String, Doc)>) -> Doc {
    let flat_width: usize = members.iter().map(|(name, doc)| name.chars().count() + doc.width + ": , ".len()).sum();
    Doc { width: flat_width + "{ }".len(), kind: DocKind::Object(members) }
}

fn build_array(items: Vec<Doc>) -> Doc {
    let flat_width: usize = items.iter().map(|item| item.width + ", ".len()).sum();
    Doc { width: flat_width + "[]".len(), kind: DocKind::Array(items) }
}

/// Prints the fewest bytes.
pub(super) fn print_compact(doc: &Doc) -> String {
    let mut out = String::new();
    write_compact(doc, &mut out);
    out
}

fn write_compact(doc: &Doc, out: &mut String) {
    match &doc.kind {
        DocKind::Scalar(text) => out.push_str(text),
        DocKind::Object(members) => {
            out.push('{');
            for (index, (name, doc)) in members.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                out.push_str(name);
                out.push(':');
                write_compact(doc, out);
            }
            out.push('}');
        }
        DocKind::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                write_compact(item, out);
            }
            out.push(']');
        }
    }
}

/// Prints lines of at most `width` characters where they can be broken.
pub(super) fn print_pretty(doc: &Doc, width: usize) -> String {
    let mut printer = Printer { out: String::new(), column: 0, width };
    printer.print_doc(doc, 0, 0);
    printer.out
}

struct Printer {
    out: String,
    column: usize,
    width: usize,
}

impl Printer {
    /// Prints a value whose lines start at `indent`. `trailing_width` more characters follow on its last line.
    fn print_doc(&mut self, doc: &Doc, indent: usize, trailing_width: usize) {
        if self.column + doc.width + trailing_width <= self.width {
            return self.write_flat(doc);
        }
        let inner = indent + INDENT_SPACES;
        match &doc.kind {
            DocKind::Scalar(text) => self.write(text),
            DocKind::Object(members) if members.is_empty() => self.write("{}"),
            DocKind::Object(members) => {
                self.write("{");
                for (index, (name, doc)) in members.iter().enumerate() {
                    self.start_line(inner);
                    self.write(name);
                    self.write(": ");
                    let comma = if index + 1 < members.len() { "," } else { "" };
                    self.print_doc(doc, inner, comma.len());
                    self.write(comma);
                }
                self.start_line(indent);
                self.write("}");
            }
            DocKind::Array(items) => self.print_array(items, indent),
        }
    }

    /// Prints an array. Scalars fill lines; any other item has a separate line.
    fn print_array(&mut self, items: &[Doc], indent: usize) {
        let inner = indent + INDENT_SPACES;
        self.write("[");
        let mut needs_new_line = true;
        for (index, item) in items.iter().enumerate() {
            let comma = if index + 1 < items.len() { "," } else { "" };
            let is_scalar = matches!(item.kind, DocKind::Scalar(_));
            let fits = self.column + 1 + item.width + comma.len() <= self.width;
            if needs_new_line || !is_scalar || !fits {
                self.start_line(inner);
            } else {
                self.write(" ");
            }
            needs_new_line = !is_scalar;
            self.print_doc(item, inner, comma.len());
            self.write(comma);
        }
        if !items.is_empty() {
            self.start_line(indent);
        }
        self.write("]");
    }

    fn write_flat(&mut self, doc: &Doc) {
        match &doc.kind {
            DocKind::Scalar(text) => self.write(text),
            DocKind::Object(members) if members.is_empty() => self.write("{}"),
            DocKind::Object(members) => {
                for (index, (name, doc)) in members.iter().enumerate() {
                    self.write(if index > 0 { ", " } else { "{ " });
                    self.write(name);
                    self.write(": ");
                    self.write_flat(doc);
                }
                self.write(" }");
            }
            DocKind::Array(items) => {
                self.write("[");
                for (index, item) in items.iter().enumerate() {
                    self.write(if index > 0 { ", " } else { "" });
                    self.write_flat(item);
                }
                self.write("]");
            }
        }
    }

    fn write(&mut self, text: &str) {
        self.column += text.chars().count();
        self.out.push_str(text);
    }

    fn start_line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }
}
