//! What stands between two brackets, taken apart: members of an object, items of a list.

use super::{Lowering, mistake};
use crate::{
    ast::{Json, JsonKind, Member, Text},
    code,
};
use std::collections::{BTreeMap, VecDeque};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// A part of a row.
pub(super) struct Piece {
    pub(super) kind: PieceKind,
    pub(super) span: Span,
}

pub(super) enum PieceKind {
    /// A string.
    Text(String),
    /// A word without quotes, whose meaning depends on its place.
    Word,
    /// An object or a list.
    Value(JsonKind),
    /// What was reported already, and stands for a value.
    Invalid,
    /// What was too deep to be read.
    Deep,
    Colon,
    Equals,
    Comma,
    Closer,
}

impl Piece {
    pub(super) fn is_colon(&self) -> bool {
        matches!(self.kind, PieceKind::Colon | PieceKind::Equals)
    }

    /// Whether it can stand where a value does.
    fn is_value(&self) -> bool {
        matches!(self.kind, PieceKind::Text(_) | PieceKind::Word | PieceKind::Value(_) | PieceKind::Invalid)
    }

    fn is_object(&self) -> bool {
        matches!(self.kind, PieceKind::Value(JsonKind::Object(_)))
    }

    /// An object or a list as what it is.
    pub(super) fn into_json(&self) -> Option<JsonKind> {
        match &self.kind {
            PieceKind::Value(kind) => Some(kind.clone()),
            _ => None,
        }
    }
}

/// The pieces between two brackets.
#[derive(Default)]
pub(super) struct Row(VecDeque<Piece>);

impl Row {
    pub(super) fn push(&mut self, piece: Piece) {
        self.0.push_back(piece);
    }

    pub(super) fn next(&mut self) -> Option<Piece> {
        self.0.pop_front()
    }

    pub(super) fn first(&self) -> Option<&Piece> {
        self.0.front()
    }

    pub(super) fn last(&self) -> Option<&Piece> {
        self.0.back()
    }

    pub(super) fn only(&self) -> Option<&Piece> {
        self.0.front().filter(|_| self.0.len() == 1)
    }

    pub(super) fn position(&self, test: impl Fn(&Piece) -> bool) -> Option<usize> {
        self.0.iter().position(test)
    }

    pub(super) fn has(&self, test: impl Fn(&Piece) -> bool) -> bool {
        self.0.iter().any(test)
    }

    pub(super) fn has_only(&self, test: impl Fn(&Piece) -> bool) -> bool {
        self.0.iter().all(test)
    }

    /// The first pieces, which go.
    pub(super) fn take(&mut self, count: usize) -> Vec<Piece> {
        self.0.drain(..count.min(self.0.len())).collect()
    }

    /// Whether the piece at a place is so.
    fn is(&self, place: usize, test: impl Fn(&Piece) -> bool) -> bool {
        self.0.get(place).is_some_and(test)
    }
}

impl Lowering<'_> {
    /// An object from its row.
    pub(super) fn object(&mut self, mut row: Row, whole: Span) -> JsonKind {
        if row.only().is_some_and(Piece::is_object) {
            let inner = row.next();
            self.doubled_braces(whole);
            return inner.and_then(|inner| inner.into_json()).unwrap_or(JsonKind::Invalid);
        }
        let items = |piece: &Piece| piece.is_object() || matches!(piece.kind, PieceKind::Comma);
        if row.first().is_some_and(Piece::is_object) && row.has_only(items) {
            if !self.damaged.contains(&whole.start) {
                self.report(
                    Diagnostic::error(code::NOT_A_LIST, whole_open(whole), "a list stands between `[` and `]`")
                        .with_fix(Fix::safe("use brackets", brackets(whole, "[", "]"))),
                );
            }
            return self.items(row, whole);
        }
        self.members(row, whole)
    }

    fn doubled_braces(&mut self, whole: Span) {
        self.report(
            Diagnostic::error(code::DOUBLED_BRACES, whole_open(whole), "braces stand around an object once more")
                .with_fix(Fix::safe("take the outer braces away", brackets(whole, "", ""))),
        );
    }

    /// A list from its row.
    pub(super) fn array(&mut self, row: Row, whole: Span) -> JsonKind {
        if !row.has(Piece::is_colon) {
            return self.items(row, whole);
        }
        if !self.damaged.contains(&whole.start) {
            self.report(
                Diagnostic::error(code::LIST_WITH_NAMES, whole_open(whole), "members with names stand between braces")
                    .with_fix(Fix::safe("use braces", brackets(whole, "{", "}"))),
            );
        }
        self.members(row, whole)
    }

    /// Reports text that belongs to nothing, once for all brackets that it stands in.
    fn unexpected(&mut self, span: Span, whole: Span) {
        if self.damaged.insert(whole.start) {
            self.report(mistake::unexpected(span, self.text));
        }
    }

    fn items(&mut self, mut row: Row, whole: Span) -> JsonKind {
        let mut items = Vec::new();
        let mut comma = None;
        let mut behind = None;
        while let Some(piece) = row.next() {
            match piece.kind {
                PieceKind::Comma if behind.is_none() || comma.is_some() => {
                    self.report(mistake::stray_comma(piece.span));
                    continue;
                }
                PieceKind::Comma => comma = Some(piece.span),
                PieceKind::Deep => items.push(Json { kind: JsonKind::Invalid, span: piece.span }),
                _ if piece.is_value() => {
                    if let Some(end) = behind.filter(|_| comma.is_none()) {
                        self.report(mistake::missing_comma(end));
                    }
                    comma = None;
                    // A broken string has swallowed its comma.
                    behind = Some(piece.span.end).filter(|_| !matches!(piece.kind, PieceKind::Invalid));
                    let item = self.value(piece, &mut row);
                    items.push(item);
                }
                _ => self.unexpected(piece.span, whole),
            }
        }
        self.trailing(comma, whole);
        JsonKind::Array(items)
    }

    fn trailing(&mut self, comma: Option<Span>, whole: Span) {
        if let Some(comma) = comma.filter(|_| !self.open_at_end(whole)) {
            self.report(mistake::trailing_comma(comma));
        }
    }

    /// Whether the text ends inside these brackets, and so perhaps before what follows a comma.
    fn open_at_end(&self, whole: Span) -> bool {
        whole.end == self.text.len() && self.damaged.contains(&whole.start)
    }

    /// The value that a piece is; words on one line that follow a word belong to it.
    fn value(&mut self, piece: Piece, row: &mut Row) -> Json {
        let mut span = piece.span;
        let kind = match piece.kind {
            PieceKind::Text(text) => JsonKind::String(text),
            PieceKind::Value(kind) => kind,
            PieceKind::Word => {
                while row.is(0, |next| matches!(next.kind, PieceKind::Word)) && !row.is(1, Piece::is_colon) {
                    let Some(next) = row.first().map(|next| next.span) else { break };
                    let between = Span::new(span.end, next.start).text(self.text);
                    if between.is_empty() || between.contains('\n') {
                        break;
                    }
                    span = span.to(next);
                    row.next();
                }
                self.literal(span)
            }
            _ => JsonKind::Invalid,
        };
        Json { kind, span }
    }

    fn members(&mut self, mut row: Row, whole: Span) -> JsonKind {
        let mut members = Members::default();
        while let Some(piece) = row.next() {
            let follows = |row: &Row, place| row.is(place, |next| matches!(next.kind, PieceKind::Comma));
            let is_name = matches!(piece.kind, PieceKind::Text(_) | PieceKind::Word);
            let with_colon = row.is(0, Piece::is_colon);
            let without_colon = row.is(0, Piece::is_value) && (row.0.len() == 1 || follows(&row, 1));
            match piece.kind {
                PieceKind::Comma if members.behind.is_none() || members.comma.is_some() => {
                    self.report(mistake::stray_comma(piece.span));
                }
                PieceKind::Comma => members.comma = Some(piece.span),
                PieceKind::Deep | PieceKind::Invalid => {}
                _ if is_name && (with_colon || without_colon) => {
                    if let Some(end) = members.behind.filter(|_| members.comma.is_none()) {
                        self.report(mistake::missing_comma(end));
                    }
                    members.comma = None;
                    self.member(piece, &mut row, &mut members);
                }
                PieceKind::Closer => {
                    if self.damaged.insert(whole.start) {
                        self.report(mistake::unopened(piece.span, piece.span.text(self.text)));
                    }
                }
                _ if is_name && (row.first().is_none() || follows(&row, 0)) && !self.open_at_end(whole) => {
                    if self.damaged.insert(whole.start) {
                        self.report(
                            Diagnostic::error(code::MISSING_VALUE, piece.span, "a name needs a colon and a value")
                                .with_label("nothing belongs to it"),
                        );
                    }
                }
                _ if self.open_at_end(whole) && row.first().is_none() => {}
                _ => self.unexpected(piece.span, whole),
            }
        }
        self.trailing(members.comma, whole);
        JsonKind::Object(members.list)
    }

    /// A name that is followed by its value, with or without a colon between.
    fn member(&mut self, piece: Piece, row: &mut Row, members: &mut Members) {
        let name = self.name(piece);
        match row.first() {
            Some(sign) if matches!(sign.kind, PieceKind::Equals) => {
                self.report(
                    Diagnostic::error(code::EQUALS_SIGN, sign.span, "a colon stands between a name and its value")
                        .with_fix(Fix::safe("use a colon", vec![Edit::replace(sign.span, ":")])),
                );
            }
            Some(sign) if sign.is_colon() => {}
            _ => self.report(
                Diagnostic::error(code::MISSING_COLON, Span::at(name.span.end), "a colon is missing")
                    .with_label("here")
                    .with_fix(Fix::safe("put a colon", vec![Edit::insert(name.span.end, ":")])),
            ),
        }
        let mut end = name.span.end;
        if row.is(0, Piece::is_colon) {
            end = row.next().map_or(end, |sign| sign.span.end);
        }
        let value = match row.next_value() {
            Some(piece) => {
                let broken = matches!(piece.kind, PieceKind::Invalid);
                let value = self.value(piece, row);
                // A broken string has swallowed its comma.
                members.behind = Some(value.span.end).filter(|_| !broken);
                value
            }
            None => {
                if !row.is(0, |next| matches!(next.kind, PieceKind::Deep))
                    && (row.first().is_some() || !self.at_end(end))
                {
                    self.report(
                        Diagnostic::error(
                            code::MISSING_VALUE,
                            name.span,
                            format!("`{}` has no value", mistake::short(&name.text)),
                        )
                        .with_label("nothing stands behind its colon"),
                    );
                }
                members.behind = Some(end);
                Json { kind: JsonKind::Invalid, span: Span::at(end) }
            }
        };
        if let Some(first) = members.names.get(&name.text) {
            self.report(
                Diagnostic::error(
                    code::DUPLICATE_MEMBER,
                    name.span,
                    format!("`{}` stands twice in one object", mistake::short(&name.text)),
                )
                .with_related(*first, "the first one")
                .with_help("only one of them would count; conditions stand in a list, each in its own braces"),
            );
            return;
        }
        members.names.insert(name.text.clone(), name.span);
        members.list.push(Member { name, value });
    }

    /// Whether nothing follows in the whole text.
    fn at_end(&self, end: usize) -> bool {
        self.text.get(end..).unwrap_or_default().trim().is_empty()
    }

    fn name(&mut self, piece: Piece) -> Text {
        let span = piece.span;
        let PieceKind::Text(text) = piece.kind else {
            let word = span.text(self.text);
            self.report(
                Diagnostic::error(
                    code::UNQUOTED_NAME,
                    span,
                    format!("the name `{}` needs double quotes", mistake::short(word)),
                )
                .with_fix(Fix::safe("put quotes around it", vec![Edit::replace(span, super::string::quoted(word))])),
            );
            return Text { text: word.to_owned(), span };
        };
        Text { text, span }
    }
}

impl Row {
    /// The next piece, if it can be a value.
    fn next_value(&mut self) -> Option<Piece> {
        if self.is(0, Piece::is_value) { self.next() } else { None }
    }
}

/// The members that were read so far.
#[derive(Default)]
struct Members {
    list: Vec<Member>,
    names: BTreeMap<String, Span>,
    /// The comma behind the last one.
    comma: Option<Span>,
    /// Where the last one ends.
    behind: Option<usize>,
}

/// The opening bracket.
fn whole_open(whole: Span) -> Span {
    Span::new(whole.start, whole.start + 1)
}

/// Other brackets around the same.
fn brackets(whole: Span, open: &str, close: &str) -> Vec<Edit> {
    vec![
        Edit::replace(whole_open(whole), open),
        Edit::replace(Span::new(whole.end.saturating_sub(1), whole.end), close),
    ]
}
