//! Trees written as text.

use crate::{
    ast::{Json, JsonKind, Node, NodeKind},
    parse::string::quoted,
};

/// Blanks that each open bracket moves the lines inside it to the right.
const INDENT: usize = 2;

/// A piece of JSON that knows how wide it is on one line.
pub(super) struct Piece {
    kind: Kind,
    /// Characters on one line, with blanks.
    width: usize,
}

enum Kind {
    Word(String),
    /// Names, as they are written, with what they have.
    Object(Vec<(String, Piece)>),
    Array(Vec<Piece>),
}

/// The whole filter.
pub(super) fn filter(node: &Node) -> Piece {
    object(vec![("\"where\"".to_owned(), self::node(node))])
}

/// What stands under `where`, or in a list.
pub(super) fn node(node: &Node) -> Piece {
    let group =
        |name: &str, nodes: &[Node]| object(vec![(quoted(name), array(nodes.iter().map(self::node).collect()))]);
    match &node.kind {
        NodeKind::And(nodes) => group("and", nodes),
        NodeKind::Or(nodes) => group("or", nodes),
        NodeKind::Condition(condition) => {
            let texts = [("key", &condition.key), ("operator", &condition.operator)];
            let texts = texts.into_iter().filter_map(|(name, text)| Some((name, word(quoted(&text.as_ref()?.text)))));
            let value = condition.value.iter().map(|value| ("value", json(value)));
            object(texts.chain(value).map(|(name, piece)| (quoted(name), piece)).collect())
        }
        NodeKind::Invalid => object(Vec::new()),
    }
}

fn json(json: &Json) -> Piece {
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

fn word(text: String) -> Piece {
    Piece { width: text.chars().count(), kind: Kind::Word(text) }
}

fn object(members: Vec<(String, Piece)>) -> Piece {
    let inside: usize = members.iter().map(|(name, piece)| name.chars().count() + piece.width + ": , ".len()).sum();
    Piece { width: inside + "{ }".len(), kind: Kind::Object(members) }
}

fn array(items: Vec<Piece>) -> Piece {
    let inside: usize = items.iter().map(|item| item.width + ", ".len()).sum();
    Piece { width: inside + "[]".len(), kind: Kind::Array(items) }
}

/// The text in as few bytes as possible.
pub(super) fn compact(piece: &Piece) -> String {
    let mut out = String::new();
    write_compact(piece, &mut out);
    out
}

fn write_compact(piece: &Piece, out: &mut String) {
    match &piece.kind {
        Kind::Word(text) => out.push_str(text),
        Kind::Object(members) => {
            out.push('{');
            for (place, (name, piece)) in members.iter().enumerate() {
                out.push_str(if place > 0 { "," } else { "" });
                out.push_str(name);
                out.push(':');
                write_compact(piece, out);
            }
            out.push('}');
        }
        Kind::Array(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                out.push_str(if place > 0 { "," } else { "" });
                write_compact(item, out);
            }
            out.push(']');
        }
    }
}

/// The text in lines of at most `width` characters where it can be broken.
pub(super) fn pretty(piece: &Piece, width: usize) -> String {
    let mut printer = Printer { out: String::new(), column: 0, width };
    printer.piece(piece, 0, 0);
    printer.out
}

struct Printer {
    out: String,
    column: usize,
    width: usize,
}

impl Printer {
    /// Writes a piece whose lines begin at `indent`; `behind` more characters follow on its last line.
    fn piece(&mut self, piece: &Piece, indent: usize, behind: usize) {
        if self.column + piece.width + behind <= self.width {
            return self.flat(piece);
        }
        let inner = indent + INDENT;
        match &piece.kind {
            Kind::Word(text) => self.put(text),
            Kind::Object(members) if members.is_empty() => self.put("{}"),
            Kind::Object(members) => {
                self.put("{");
                for (place, (name, piece)) in members.iter().enumerate() {
                    self.line(inner);
                    self.put(name);
                    self.put(": ");
                    let comma = if place + 1 < members.len() { "," } else { "" };
                    self.piece(piece, inner, comma.len());
                    self.put(comma);
                }
                self.line(indent);
                self.put("}");
            }
            Kind::Array(items) => self.array(items, indent),
        }
    }

    /// Words fill lines; anything else has a line of its own.
    fn array(&mut self, items: &[Piece], indent: usize) {
        let inner = indent + INDENT;
        self.put("[");
        let mut fresh = true;
        for (place, item) in items.iter().enumerate() {
            let comma = if place + 1 < items.len() { "," } else { "" };
            let is_word = matches!(item.kind, Kind::Word(_));
            let fits = self.column + 1 + item.width + comma.len() <= self.width;
            if fresh || !is_word || !fits {
                self.line(inner);
            } else {
                self.put(" ");
            }
            fresh = !is_word;
            self.piece(item, inner, comma.len());
            self.put(comma);
        }
        if !items.is_empty() {
            self.line(indent);
        }
        self.put("]");
    }

    fn flat(&mut self, piece: &Piece) {
        match &piece.kind {
            Kind::Word(text) => self.put(text),
            Kind::Object(members) if members.is_empty() => self.put("{}"),
            Kind::Object(members) => {
                for (place, (name, piece)) in members.iter().enumerate() {
                    self.put(if place > 0 { ", " } else { "{ " });
                    self.put(name);
                    self.put(": ");
                    self.flat(piece);
                }
                self.put(" }");
            }
            Kind::Array(items) => {
                self.put("[");
                for (place, item) in items.iter().enumerate() {
                    self.put(if place > 0 { ", " } else { "" });
                    self.flat(item);
                }
                self.put("]");
            }
        }
    }

    fn put(&mut self, text: &str) {
        self.column += text.chars().count();
        self.out.push_str(text);
    }

    fn line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }
}
