//! Recognizes regular expressions that a plain comparison can replace.

use regex_syntax::{
    ast::{Ast, parse::Parser},
    hir::{Class, Dot, Hir, HirKind, Look, translate::TranslatorBuilder},
};

/// The maximum number of texts to which a pattern is expanded.
const MAX_ALTERNATIVES: usize = 20;
/// The maximum number of characters of a class that is expanded to a choice of texts.
const MAX_CLASS_CHARS: usize = 3;
/// The maximum length of a pattern that is analyzed, in bytes.
const MAX_PATTERN_BYTES: usize = 4096;

/// The plain comparison that a pattern expresses.
pub(super) struct RegexShape {
    pub(super) at_start: bool,
    pub(super) at_end: bool,
    /// The texts that the pattern matches; several only if it is anchored at both ends.
    pub(super) texts: Vec<Vec<u8>>,
    /// Whether the match is case-insensitive; if so, the texts are lowercase.
    pub(super) folded: bool,
    /// Whether the shape, unlike the pattern, also matches values with line breaks.
    pub(super) assumes_single_line: bool,
}

/// Returns the syntax tree and the meaning of a pattern, as the engine reads it: on bytes, with Unicode only where the
/// pattern enables it.
pub(super) fn parse_regex(pattern: &str) -> Option<(Ast, Hir)> {
    let pattern = Some(pattern).filter(|pattern| pattern.len() <= MAX_PATTERN_BYTES)?;
    let ast = Parser::new().parse(pattern).ok()?;
    let hir = TranslatorBuilder::new().unicode(false).utf8(false).build().translate(pattern, &ast).ok()?;
    Some((ast, hir))
}

impl RegexShape {
    /// Returns the shape of a pattern that needs no regular expression.
    pub(super) fn from_hir(hir: &Hir) -> Option<Self> {
        let mut parts = Vec::new();
        flatten(hir, &mut parts);
        let mut parts = parts.as_slice();
        let (mut at_start, mut at_end, mut assumes_single_line) = (false, false, false);
        if let [first, rest @ ..] = parts
            && is_look(first, Look::Start)
        {
            (at_start, parts) = (true, rest);
        }
        if let [rest @ .., last] = parts
            && is_look(last, Look::End)
        {
            (at_end, parts) = (true, rest);
        }
        // Without an anchor, an optional part at an end is dropped. With an anchor, `.*` is dropped together with it.
        while let [first, rest @ ..] = parts
            && let Some(tail) = OptionalEdge::classify(first, at_start)
        {
            assumes_single_line |= tail == OptionalEdge::Line;
            (at_start, parts) = (false, rest);
        }
        while let [rest @ .., last] = parts
            && let Some(tail) = OptionalEdge::classify(last, at_end)
        {
            assumes_single_line |= tail == OptionalEdge::Line;
            (at_end, parts) = (false, rest);
        }
        let is_anchored = at_start && at_end;
        let (texts, folded) = match enumerate_texts(parts) {
            Some(texts) if texts.len() == 1 || is_anchored => (texts, false),
            _ => (vec![case_insensitive_text(parts)?], true),
        };
        Some(RegexShape { at_start, at_end, texts, folded, assumes_single_line })
    }

    /// Returns whether the shape matches every value.
    pub(super) fn matches_all(&self) -> bool {
        !(self.at_start && self.at_end) && self.texts.iter().all(Vec::is_empty)
    }
}

/// An optional part at the start or the end of a pattern.
#[derive(PartialEq, Eq)]
enum OptionalEdge {
    /// A part at an end without an anchor; it may match nothing.
    Free,
    /// A part that matches any remaining text of the value.
    AnyText,
    /// A part that matches any remaining text of the line.
    Line,
}

impl OptionalEdge {
    fn classify(part: &Hir, is_anchored: bool) -> Option<OptionalEdge> {
        let HirKind::Repetition(repetition) = part.kind() else { return None };
        if repetition.min != 0 {
            return None;
        }
        match repetition.sub.kind() {
            _ if !is_anchored => Some(OptionalEdge::Free),
            HirKind::Class(_) if repetition.max.is_none() => {
                if *repetition.sub == Hir::dot(Dot::AnyByte) {
                    Some(OptionalEdge::AnyText)
                } else {
                    (*repetition.sub == Hir::dot(Dot::AnyByteExceptLF)).then_some(OptionalEdge::Line)
                }
            }
            _ => None,
        }
    }
}

/// Collects the parts of a concatenation, including those of nested groups.
fn flatten<'h>(hir: &'h Hir, parts: &mut Vec<&'h Hir>) {
    match hir.kind() {
        HirKind::Concat(row) => row.iter().for_each(|part| flatten(part, parts)),
        HirKind::Capture(capture) => flatten(&capture.sub, parts),
        HirKind::Empty => {}
        _ => parts.push(hir),
    }
}

fn is_look(hir: &Hir, look: Look) -> bool {
    matches!(hir.kind(), HirKind::Look(actual) if *actual == look)
}

/// Returns all texts that a concatenation matches, if they are few.
fn enumerate_texts(parts: &[&Hir]) -> Option<Vec<Vec<u8>>> {
    let mut texts = vec![Vec::new()];
    for part in parts {
        let ends = enumerate_part(part)?;
        if texts.len() * ends.len() > MAX_ALTERNATIVES {
            return None;
        }
        texts = texts.iter().flat_map(|start| ends.iter().map(|end| [start.as_slice(), end].concat())).collect();
    }
    Some(texts)
}

fn enumerate_part(hir: &Hir) -> Option<Vec<Vec<u8>>> {
    match hir.kind() {
        HirKind::Literal(literal) => Some(vec![literal.0.to_vec()]),
        HirKind::Capture(capture) => enumerate_part(&capture.sub),
        HirKind::Concat(row) => enumerate_texts(&row.iter().collect::<Vec<_>>()),
        HirKind::Alternation(choices) => {
            let mut texts = Vec::new();
            for choice in choices {
                texts.extend(enumerate_part(choice)?);
                if texts.len() > MAX_ALTERNATIVES {
                    return None;
                }
            }
            Some(texts)
        }
        // `(a|b)` is parsed as a class; wider classes are not expanded.
        HirKind::Class(class) if !is_folded(hir) => {
            let bytes: Vec<u8> = match class {
                Class::Bytes(class) => class.ranges().iter().flat_map(|range| range.start()..=range.end()).collect(),
                Class::Unicode(class) => {
                    class.to_byte_class()?.ranges().iter().flat_map(|range| range.start()..=range.end()).collect()
                }
            };
            let is_list = bytes.len() <= MAX_CLASS_CHARS && bytes.is_ascii();
            is_list.then(|| bytes.into_iter().map(|byte| vec![byte]).collect())
        }
        _ => None,
    }
}

/// Returns the lowercase text of a concatenation in which every letter matches in both cases.
fn case_insensitive_text(parts: &[&Hir]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    for part in parts {
        match part.kind() {
            HirKind::Literal(literal) if !literal.0.iter().any(u8::is_ascii_alphabetic) => {
                text.extend_from_slice(&literal.0);
            }
            HirKind::Class(Class::Bytes(class)) if is_folded(part) => text.push(class.ranges().last()?.start()),
            _ => return None,
        }
    }
    Some(text)
}

/// Returns whether the part is one letter in both cases.
fn is_folded(hir: &Hir) -> bool {
    let HirKind::Class(Class::Bytes(class)) = hir.kind() else { return false };
    match class.ranges() {
        [upper, lower] => {
            upper.start() == upper.end()
                && lower.start() == lower.end()
                && upper.start().is_ascii_uppercase()
                && upper.start().to_ascii_lowercase() == lower.start()
        }
        _ => false,
    }
}

/// Returns the literal that follows a leading `^`; every matching value begins with it.
pub(super) fn common_prefix(hir: &Hir) -> Option<Vec<u8>> {
    let mut parts = Vec::new();
    flatten(hir, &mut parts);
    match parts.as_slice() {
        [start, text, ..] if is_look(start, Look::Start) => match text.kind() {
            HirKind::Literal(literal) => Some(literal.0.to_vec()),
            _ => None,
        },
        _ => None,
    }
}

/// Returns texts that every match contains.
pub(super) fn required_substrings(hir: &Hir) -> Vec<Vec<u8>> {
    let mut parts = Vec::new();
    flatten(hir, &mut parts);
    let literal = |part: &&Hir| match part.kind() {
        HirKind::Literal(literal) => Some(literal.0.to_vec()),
        _ => None,
    };
    parts.iter().filter_map(literal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(pattern: &str) -> String {
        let Some(shape) = parse_regex(pattern).and_then(|(_, hir)| RegexShape::from_hir(&hir)) else {
            return "needed".to_owned();
        };
        let texts: Vec<String> = shape.texts.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect();
        let mark = |is_set: bool, mark: &'static str| if is_set { mark } else { "" };
        format!(
            "{}{}{}{}{}",
            mark(shape.at_start, "^"),
            texts.join("|"),
            mark(shape.at_end, "$"),
            mark(shape.folded, " folded"),
            mark(shape.assumes_single_line, " lines"),
        )
    }

    #[test]
    fn regex_shape_is_recognized_only_for_plain_patterns() {
        let cases = [
            ("a", "a"),
            ("^/a", "^/a"),
            (r"\.php$", ".php$"),
            (r"^www\.example\.com$", "^www.example.com$"),
            ("", ""),
            ("^$", "^$"),
            (".*", ""),
            ("^.*$", "$ lines"),
            ("(?s)^.*$", "$"),
            (".*a", "a"),
            ("a.*", "a"),
            ("^a.*", "^a"),
            ("^a.*$", "^a lines"),
            ("(?s)^.*a$", "a$"),
            ("^[a-z]*b", "needed"),
            ("[a-z]*b", "b"),
            ("a?b", "b"),
            ("ab?c", "needed"),
            ("^(GET|POST)$", "^GET|POST$"),
            ("^/(a|b)$", "^/a|/b$"),
            ("(GET|POST)", "needed"),
            ("^[ab]c$", "^ac|bc$"),
            ("^[a-z]$", "needed"),
            ("(?i)bot", "bot folded"),
            ("(?i)^a-1$", "^a-1$ folded"),
            ("[Aa]b", "needed"),
            ("a.c", "needed"),
            ("(?m)^a$", "needed"),
            (r"\ba", "needed"),
            (r"^\d$", "needed"),
            ("é", "é"),
            ("a|b", "needed"),
            ("a+", "needed"),
            ("a{2}", "needed"),
            ("(?-s:.)*a", "a"),
        ];
        for (pattern, expected) in cases {
            assert_eq!(shape(pattern), expected, "{pattern}");
        }
    }
}
