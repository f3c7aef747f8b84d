//! Prints trees as text.

use crate::{
    ast::{Json, JsonKind, Node, NodeKind},
    parse::string::quoted,
};

/// The indentation of the content of a bracket, in spaces.
const INDENT_SPACES: usize = 2;

/// A JSON value with its width.
pub(super) struct Doc {
    kind: DocKind,
    /// The width on one line in characters, including spaces.
    width: usize,
}

enum DocKind {
    Scalar(String),
    /// Members as their encoded names and their values.
    Object(Vec<(String, Doc)>),
    Array(Vec<Doc>),
}

/// Builds the document of the whole filter.
pub(super) fn filter(node: &Node) -> Doc {
    object(vec![("\"where\"".to_owned(), self::node(node))])
}

/// Builds the document of a node.
pub(super) fn node(node: &Node) -> Doc {
    let group =
        |name: &str, nodes: &[Node]| object(vec![(quoted(name), array(nodes.iter().map(self::node).collect()))]);
    match &node.kind {
        NodeKind::And(nodes) => group("and", nodes),
        NodeKind::Or(nodes) => group("or", nodes),
        NodeKind::Condition(condition) => {
            let texts = [("key", &condition.key), ("operator", &condition.operator)];
            let texts = texts.into_iter().filter_map(|(name, text)| Some((name, word(quoted(&text.as_ref()?.text)))));
            let value = condition.value.iter().map(|value| ("value", json(value)));
            object(texts.chain(value).map(|(name, doc)| (quoted(name), doc)).collect())
        }
        NodeKind::Invalid => object(Vec::new()),
    }
}

fn json(json: &Json) -> Doc {
    match &json.kind {
        JsonKind::Null | JsonKind::Invalid => word("null".to_owned()),
        JsonKind::Bool(flag) => word(flag.to_string()),
        JsonKind::Number(number) => word(number.clone()),
        JsonKind::String(text) => word(quoted(text)),
        JsonKind::Array(items) => array(items.iter().map(self::json).collect()),
        JsonKind::Object(members) => {
            object(members.iter().map(|member| (quoted(&member.name.text), self::json(&member.value))).collect())
        }
    }
}

fn word(text: String) -> Doc {
    Doc { width: text.chars().count(), kind: DocKind::Scalar(text) }
}

fn object(members: Vec<(String, Doc)>) -> Doc {
    let flat_width: usize = members.iter().map(|(name, doc)| name.chars().count() + doc.width + ": , ".len()).sum();
    Doc { width: flat_width + "{ }".len(), kind: DocKind::Object(members) }
}

fn array(items: Vec<Doc>) -> Doc {
    let flat_width: usize = items.iter().map(|item| item.width + ", ".len()).sum();
    Doc { width: flat_width + "[]".len(), kind: DocKind::Array(items) }
}

/// Prints the fewest bytes.
pub(super) fn compact(doc: &Doc) -> String {
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
pub(super) fn pretty(doc: &Doc, width: usize) -> String {
    let mut printer = Printer { out: String::new(), column: 0, width };
    printer.doc(doc, 0, 0);
    printer.out
}

struct Printer {
    out: String,
    column: usize,
    width: usize,
}

impl Printer {
    /// Prints a value whose lines start at `indent`. `trailing_width` more characters follow on its last line.
    fn doc(&mut self, doc: &Doc, indent: usize, trailing_width: usize) {
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
                    self.newline(inner);
                    self.write(name);
                    self.write(": ");
                    let comma = if index + 1 < members.len() { "," } else { "" };
                    self.doc(doc, inner, comma.len());
                    self.write(comma);
                }
                self.newline(indent);
                self.write("}");
            }
            DocKind::Array(items) => self.array(items, indent),
        }
    }

    /// Prints an array. Scalars fill lines; any other item has a separate line.
    fn array(&mut self, items: &[Doc], indent: usize) {
        let inner = indent + INDENT_SPACES;
        self.write("[");
        let mut fresh = true;
        for (index, item) in items.iter().enumerate() {
            let comma = if index + 1 < items.len() { "," } else { "" };
            let is_word = matches!(item.kind, DocKind::Scalar(_));
            let fits = self.column + 1 + item.width + comma.len() <= self.width;
            if fresh || !is_word || !fits {
                self.newline(inner);
            } else {
                self.write(" ");
            }
            fresh = !is_word;
            self.doc(item, inner, comma.len());
            self.write(comma);
        }
        if !items.is_empty() {
            self.newline(indent);
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

    fn newline(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }
}
