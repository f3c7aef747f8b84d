//! Lowers sets and reports wrong delimiters and separators.

use super::{
    Lowering, Pair, Rule, child_pairs, errors, invalid_expr, trivia::begins_comment,
    whitespace::is_unsupported_whitespace,
};
use crate::{
    ast::{Expr, ExprKind, List, Literal, LiteralKind},
    code,
};
use std::net::Ipv4Addr;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

impl<'i> Lowering<'i> {
    /// Lowers a set `{…}`, or `(…)` or `[…]` where a set belongs.
    pub(super) fn lower_set(&mut self, pair: Pair<'i>) -> Expr {
        let span = self.span(&pair);
        let is_bracketed = pair.as_rule() == Rule::bracketed_set;
        let mut items = Vec::new();
        let mut commas = Vec::new();
        let mut is_closed = true;
        for item in child_pairs(pair) {
            let item_start = self.span(&item).start;
            match item.as_rule() {
                Rule::set_words | Rule::set_run | Rule::bracket_words => {
                    self.split_items(item.as_str(), item_start, &mut items, &mut commas)
                }
                Rule::unclosed => is_closed = false,
                _ => items.extend(self.lower_string(&item)),
            }
        }
        if !is_closed || !is_bracketed && items.iter().any(opens_set) {
            self.report_unclosed_set(span, &items);
            return invalid_expr(span);
        }
        if let [Literal { kind: LiteralKind::Unquoted(word), .. }] = items.as_slice()
            && let Some(name) = word.strip_prefix('$')
        {
            self.report(bracketed_list_error(span, word));
            return Expr { kind: ExprKind::List(List { name: name.to_owned() }), span };
        }
        if is_bracketed {
            self.report(wrong_set_delimiter_error(span, &items, &commas, self.source));
        } else if let Some(first) = commas.first() {
            self.report(commas_in_set_error(*first, &items, &commas, self.source));
        }
        Expr { kind: ExprKind::Set(items), span }
    }

    /// Reports an unclosed set: it lacks its closing delimiter or contains another opening brace. The grammar read the
    /// text that follows as items of the set, even closing delimiters of the text around it.
    fn report_unclosed_set(&mut self, span: Span, items: &[Literal]) {
        let text = span.text(self.source);
        let (bracket, closing) = match text.get(..1) {
            Some("(") => ("(", ")"),
            Some("[") => ("[", "]"),
            _ => ("{", "}"),
        };
        match guess_set_end(span, items).filter(|_| !self.is_cut_short) {
            Some(end) => {
                let open = Span::new(span.start, span.start + bracket.len());
                self.report(errors::unclosed_set_error(open, end, bracket, closing));
            }
            None => self.report_unclosed(span, bracket, closing),
        }
        self.is_cut_short = true;
    }

    /// Splits a text into the words of a set, each with its span, and the commas between them. Sets `has_trivia` if the
    /// text may contain unsupported whitespace or comments.
    fn split_items(&mut self, text: &str, start: usize, items: &mut Vec<Literal>, commas: &mut Vec<Span>) {
        let mut offset = 0;
        while let Some(rest) = text.get(offset..).filter(|rest| !rest.is_empty()) {
            let at = start + offset;
            let length = word_length(rest);
            if length > 0 {
                let span = Span::new(at, at + length);
                let word = rest.get(..length).unwrap_or_default();
                self.has_trivia |= begins_comment(word);
                items.push(Literal { kind: LiteralKind::Unquoted(self.strip_trivia(word, span)), span });
                offset += length;
                continue;
            }
            let Some(separator) = rest.chars().next() else { return };
            let span = Span::new(at, at + separator.len_utf8());
            if separator == ',' {
                commas.push(span);
            }
            self.has_trivia |= is_unsupported_whitespace(separator);
            offset += separator.len_utf8();
        }
    }
}

/// Returns the length in bytes of the word at the beginning of the text.
fn word_length(text: &str) -> usize {
    let ascii_end =
        text.bytes().position(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b',' | b'\t') || !byte.is_ascii());
    match ascii_end {
        Some(end) if text.as_bytes().get(end).is_some_and(|byte| !byte.is_ascii()) => text
            .find(|c: char| matches!(c, ',' | ' ' | '\n' | '\r') || is_unsupported_whitespace(c))
            .unwrap_or(text.len()),
        Some(end) => end,
        None => text.len(),
    }
}

/// Returns whether a word of a set opens another set.
fn opens_set(item: &Literal) -> bool {
    matches!(&item.kind, LiteralKind::Unquoted(word) if word.contains('{'))
}

/// Returns the probable end of an unclosed set: before the first closing parenthesis or logical operator among its
/// items.
fn guess_set_end(span: Span, items: &[Literal]) -> Option<usize> {
    let mut end = span.start + 1;
    for item in items {
        if let LiteralKind::Unquoted(word) = &item.kind {
            if let Some(at) = word.find(')') {
                return Some(if at == 0 { end } else { item.span.start + at });
            }
            if matches!(word.as_ref(), "and" | "or" | "xor" | "&&" | "||" | "^^") {
                return Some(end);
            }
        }
        end = item.span.end;
    }
    None
}

/// Returns whether spaces separate some words and commas separate others. A space may then belong to a text:
/// `{New York, Berlin}`.
pub(crate) fn has_mixed_separators(items: &[Literal], source: &str) -> bool {
    let is_word = |item: &Literal| matches!(&item.kind, LiteralKind::Unquoted(word) if !word.contains([':', '$']) && word.starts_with(char::is_alphabetic));
    let (mut commas, mut spaces) = (false, false);
    for pair in items.windows(2) {
        let [first, second] = pair else { continue };
        let has_comma = Span::new(first.span.end, second.span.start).text(source).contains(',');
        commas |= has_comma;
        spaces |= !has_comma && is_word(first) && is_word(second);
    }
    commas && spaces
}

/// Returns whether a comma may group the digits of one number: `1,000`.
fn has_thousands_separators(commas: &[Span], source: &str) -> bool {
    let bytes = source.as_bytes();
    let are_digits =
        |range: std::ops::Range<usize>| bytes.get(range).is_some_and(|group| group.iter().all(u8::is_ascii_digit));
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    commas.iter().any(|comma| {
        let groups_thousands = are_digits(comma.end..comma.end + 3) && !is_digit(comma.end + 3);
        let follows_digit = comma.start.checked_sub(1).is_some_and(is_digit);
        // `80,443` is two numbers: ports and status codes have at least two digits and no leading zero.
        let follows_single_digit = !comma.start.checked_sub(2).is_some_and(is_digit);
        groups_thousands && follows_digit && (follows_single_digit || bytes.get(comma.end) == Some(&b'0'))
    })
}

/// Returns whether a comma may be a mistyped dot of an IPv4 address: `192,0.2.0/24`.
fn has_mistyped_dot(commas: &[Span], source: &str) -> bool {
    let is_address_char = |c: char| c.is_ascii_digit() || c == '.';
    commas.iter().any(|comma| {
        let (before, after) = (source.get(..comma.start).unwrap_or(""), source.get(comma.end..).unwrap_or(""));
        let start = before.trim_end_matches(is_address_char).len();
        let end = after.find(|c| !is_address_char(c)).unwrap_or(after.len());
        let (left, right) = (before.get(start..).unwrap_or(""), after.get(..end).unwrap_or(""));
        format!("{left}.{right}").parse::<Ipv4Addr>().is_ok()
    })
}

fn commas_in_set_error(first: Span, items: &[Literal], commas: &[Span], source: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error(code::COMMA_IN_SET, first, "set items are separated by spaces, not commas");
    let edits = remove_comma_edits(commas, source);
    if has_mixed_separators(items, source) || has_mistyped_dot(commas, source) {
        return diagnostic.with_fix(Fix::unsafe_edits("remove the commas", edits));
    }
    if !has_thousands_separators(commas, source) {
        return diagnostic.with_fix(Fix::safe_edits("remove the commas", edits));
    }
    let joined = commas.iter().map(|comma| Edit::delete(*comma)).collect();
    diagnostic
        .with_help("write numbers without commas: `1000`")
        .with_fix(Fix::unsafe_edits("separate the items with spaces", edits))
        .with_fix(Fix::unsafe_edits("join the digits", joined))
}

fn bracketed_list_error(span: Span, list: &str) -> Diagnostic {
    Diagnostic::error(code::IN_WITHOUT_SET, span, "a list name takes no parentheses, brackets or braces")
        .with_fix(Fix::safe_edits(format!("use `{list}`"), vec![Edit::replace(span, list)]))
}

fn wrong_set_delimiter_error(span: Span, items: &[Literal], commas: &[Span], source: &str) -> Diagnostic {
    let (open, close) = (Span::new(span.start, span.start + 1), Span::new(span.end - 1, span.end));
    let mut edits = vec![Edit::replace(open, "{")];
    edits.extend(remove_comma_edits(commas, source));
    edits.push(Edit::replace(close, "}"));
    let (left, right) = (open.text(source), close.text(source));
    let is_pair = matches!((left, right), ("(", ")") | ("[", "]"));
    let has_brackets = |item: &Literal| matches!(&item.kind, LiteralKind::Unquoted(word) if word.contains(['(', ')', '[', ']', '{', '}']));
    let is_clear = is_pair
        && !items.iter().any(has_brackets)
        && !has_thousands_separators(commas, source)
        && !has_mistyped_dot(commas, source)
        && !has_mixed_separators(items, source);
    Diagnostic::error(code::IN_WITHOUT_SET, span, format!("a set needs braces: `{{…}}`, found `{left}…{right}`"))
        .with_fix(if is_clear { Fix::safe_edits("use braces", edits) } else { Fix::unsafe_edits("use braces", edits) })
}

fn remove_comma_edits(commas: &[Span], source: &str) -> Vec<Edit> {
    let precedes_separator =
        |span: &Span| source.get(span.end..).is_some_and(|rest| rest.starts_with([' ', '\n', '\r', '}']));
    commas.iter().map(|span| Edit::replace(*span, if precedes_separator(span) { "" } else { " " })).collect()
}
