//! Lowers the tokens between two brackets to the members of an object or the items of a list.

use super::{
    Lowering, errors,
    token::{Token, TokenKind, TokenRow},
};
use crate::{
    ast::{Json, JsonKind, Member, StringLiteral},
    code,
};
use std::collections::BTreeMap;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

impl Lowering<'_> {
    /// Lowers the tokens of an object.
    pub(super) fn lower_object(&mut self, mut row: TokenRow, container: Span) -> JsonKind {
        self.repair(&mut row, container);
        if row.single().is_some_and(Token::is_object) {
            let inner = row.next();
            self.report_doubled_braces(container);
            return inner.and_then(Token::into_json).unwrap_or(JsonKind::Invalid);
        }
        let is_item = |token: &Token| token.is_object() || matches!(token.kind, TokenKind::Comma);
        if row.first().is_some_and(Token::is_object) && row.has_only(is_item) {
            if !self.recovered.contains(&container.start) {
                self.report(container.start, |_| {
                    Diagnostic::error(code::NOT_A_LIST, opening_bracket(container), "a list must be in brackets")
                        .with_fix(Fix::safe_edits("use brackets", replace_brackets(container, "[", "]")))
                });
            }
            return self.lower_items(row, container);
        }
        self.lower_members(row, container)
    }

    /// Reports semicolons and replaces them with commas. Stores the first string with a missing quote in
    /// `quote_mismatch`, and replaces the tokens from there on with an invalid one, because the parser swaps strings
    /// and other text there.
    fn repair(&mut self, row: &mut TokenRow, container: Span) {
        for token in row.0.iter_mut().filter(|token| matches!(token.kind, TokenKind::Semicolon)) {
            self.report(token.span.start, |_| {
                Diagnostic::error(code::MISSING_COMMA, token.span, "expected a comma")
                    .with_fix(Fix::safe_edits("use a comma", vec![Edit::replace(token.span, ",")]))
            });
            token.kind = TokenKind::Comma;
        }
        let is_quoted =
            |token: &Token| matches!(token.kind, TokenKind::String(_)) && token.has_straight_quotes(self.text);
        let is_word = |token: &Token| matches!(token.kind, TokenKind::Word);
        let mismatch_index = row.0.iter().zip(row.0.iter().skip(1)).position(|(left, right)| {
            left.span.end == right.span.start
                && (is_quoted(left) && is_word(right) || is_word(left) && is_quoted(right))
        });
        let Some(token) = mismatch_index.and_then(|index| row.0.get(index)) else { return };
        let span = token.span;
        if self.quote_mismatch.as_ref().is_none_or(|first| span.start < first.span.start) {
            self.quote_mismatch = Some(match token.kind {
                TokenKind::Word => missing_quote_before_error(span, self.text),
                _ => errors::open_string_error(Span::new(span.start, span.end - 1), self.text),
            });
        }
        self.is_truncated = true;
        self.recovered.insert(container.start);
        row.0.truncate(mismatch_index.unwrap_or_default());
        row.push(Token { kind: TokenKind::Invalid, span });
    }

    fn report_doubled_braces(&mut self, container: Span) {
        if self.recovered.contains(&container.start) {
            return;
        }
        self.report(container.start, |_| {
            Diagnostic::error(code::DOUBLED_BRACES, opening_bracket(container), "doubled braces around an object")
                .with_fix(Fix::safe_edits("remove the outer braces", replace_brackets(container, "", "")))
        });
    }

    /// Lowers the tokens of a list.
    pub(super) fn lower_array(&mut self, mut row: TokenRow, container: Span) -> JsonKind {
        self.repair(&mut row, container);
        if !row.has(Token::is_colon_or_equals) {
            return self.lower_items(row, container);
        }
        if !self.recovered.contains(&container.start) {
            self.report(container.start, |_| {
                Diagnostic::error(code::LIST_WITH_NAMES, opening_bracket(container), "named members must be in braces")
                    .with_fix(Fix::safe_edits("use braces", replace_brackets(container, "{", "}")))
            });
        }
        self.lower_members(row, container)
    }

    /// Reports unexpected text, once for each pair of brackets.
    fn report_unexpected(&mut self, span: Span, container: Span) {
        if self.recovered.insert(container.start) {
            self.report(span.start, |text| errors::unexpected_text_error(span, text));
        }
    }

    fn lower_items(&mut self, mut row: TokenRow, container: Span) -> JsonKind {
        let mut items = Vec::new();
        let mut comma = None;
        let mut last_end = None;
        while let Some(token) = row.next() {
            match token.kind {
                TokenKind::Comma if last_end.is_none() || comma.is_some() => {
                    self.report(token.span.start, |_| errors::stray_comma_error(token.span));
                    continue;
                }
                TokenKind::Comma => comma = Some(token.span),
                TokenKind::TooDeep => items.push(Json { kind: JsonKind::Invalid, span: token.span }),
                _ if token.is_value() => {
                    if let Some(end) = last_end.filter(|_| comma.is_none()) {
                        self.report(end, |_| errors::missing_comma_error(end));
                    }
                    comma = None;
                    // An unterminated string may contain the comma.
                    last_end = Some(token.span.end).filter(|_| !matches!(token.kind, TokenKind::Invalid));
                    let item = self.lower_value(token, &mut row);
                    items.push(item);
                }
                _ => self.report_unexpected(token.span, container),
            }
        }
        self.report_trailing_comma(comma, container);
        JsonKind::Array(items)
    }

    fn report_trailing_comma(&mut self, comma: Option<Span>, container: Span) {
        if let Some(comma) = comma.filter(|_| !self.is_unclosed_at_end(container)) {
            self.report(comma.start, |_| errors::trailing_comma_error(comma));
        }
    }

    /// Returns whether the text ends inside these brackets, so that the text after a comma may be missing.
    fn is_unclosed_at_end(&self, container: Span) -> bool {
        container.end == self.text.len() && self.recovered.contains(&container.start)
    }

    /// Lowers a value. A word includes the words that follow it on the same line.
    fn lower_value(&mut self, token: Token, row: &mut TokenRow) -> Json {
        let mut span = token.span;
        let kind = match token.kind {
            TokenKind::String(text) => JsonKind::String(text),
            TokenKind::Value(kind) => kind,
            TokenKind::Word => {
                while row.matches_at(0, |next| matches!(next.kind, TokenKind::Word))
                    && !row.matches_at(1, Token::is_colon_or_equals)
                {
                    let Some(next) = row.first().map(|next| next.span) else { break };
                    let between = Span::new(span.end, next.start).text(self.text);
                    if between.is_empty() || between.contains('\n') {
                        break;
                    }
                    span = span.to(next);
                    row.next();
                }
                self.lower_word(span)
            }
            _ => JsonKind::Invalid,
        };
        Json { kind, span }
    }

    fn lower_members(&mut self, mut row: TokenRow, container: Span) -> JsonKind {
        let mut members = MemberList::default();
        while let Some(token) = row.next() {
            let is_comma_at =
                |row: &TokenRow, index| row.matches_at(index, |next| matches!(next.kind, TokenKind::Comma));
            let is_name = matches!(token.kind, TokenKind::String(_) | TokenKind::Word);
            let has_colon = row.matches_at(0, Token::is_colon_or_equals);
            let lacks_colon = row.matches_at(0, Token::is_value) && (row.0.len() == 1 || is_comma_at(&row, 1));
            match token.kind {
                TokenKind::Comma if members.last_end.is_none() || members.comma.is_some() => {
                    self.report(token.span.start, |_| errors::stray_comma_error(token.span));
                }
                TokenKind::Comma => members.comma = Some(token.span),
                TokenKind::TooDeep | TokenKind::Invalid => {}
                _ if is_name && (has_colon || lacks_colon) => {
                    if let Some(end) = members.last_end.filter(|_| members.comma.is_none()) {
                        self.report(end, |_| errors::missing_comma_error(end));
                    }
                    members.comma = None;
                    self.lower_member(token, &mut row, &mut members);
                }
                TokenKind::CloseBracket => {
                    members.skip(&token);
                    if self.recovered.insert(container.start) {
                        self.report(token.span.start, |text| {
                            errors::unopened_bracket_error(token.span, token.span.text(text))
                        });
                    }
                }
                _ if is_name
                    && (row.first().is_none() || is_comma_at(&row, 0))
                    && !self.is_unclosed_at_end(container) =>
                {
                    members.skip(&token);
                    if self.recovered.insert(container.start) {
                        self.report(token.span.start, |_| {
                            Diagnostic::error(
                                code::MISSING_VALUE,
                                token.span,
                                "a name must be followed by a colon and a value",
                            )
                            .with_label("this name has no value")
                        });
                    }
                }
                _ if self.is_unclosed_at_end(container) && row.first().is_none() => members.skip(&token),
                _ => {
                    members.skip(&token);
                    self.report_unexpected(token.span, container);
                }
            }
        }
        self.report_trailing_comma(members.comma, container);
        JsonKind::Object(members.list)
    }

    /// Lowers a name and its value, with or without a colon.
    fn lower_member(&mut self, token: Token, row: &mut TokenRow, members: &mut MemberList) {
        let name = self.lower_name(token);
        match row.first() {
            Some(sign) if matches!(sign.kind, TokenKind::Equals) => {
                self.report(sign.span.start, |_| {
                    Diagnostic::error(code::EQUALS_SIGN, sign.span, "expected a colon between a name and its value")
                        .with_fix(Fix::safe_edits("use a colon", vec![Edit::replace(sign.span, ":")]))
                });
            }
            Some(sign) if sign.is_colon_or_equals() => {}
            _ => self.report(name.span.end, |_| {
                Diagnostic::error(code::MISSING_COLON, Span::empty(name.span.end), "missing colon")
                    .with_label("here")
                    .with_fix(Fix::safe_edits("insert a colon", vec![Edit::insert(name.span.end, ":")]))
            }),
        }
        let mut end = name.span.end;
        if let Some(sign) = row.next_if(Token::is_colon_or_equals) {
            end = sign.span.end;
        }
        while let Some(again) = row.next_if(Token::is_colon_or_equals) {
            end = again.span.end;
            self.report(again.span.start, |text| errors::unexpected_text_error(again.span, text));
        }
        let value = match row.next_if(Token::is_value) {
            Some(token) => {
                let is_invalid = matches!(token.kind, TokenKind::Invalid);
                let value = self.lower_value(token, row);
                // An unterminated string may contain the comma.
                members.last_end = Some(value.span.end).filter(|_| !is_invalid);
                value
            }
            None => {
                if !row.matches_at(0, |next| matches!(next.kind, TokenKind::TooDeep))
                    && (row.first().is_some() || !self.is_at_end(end))
                {
                    self.report(name.span.start, |_| {
                        Diagnostic::error(
                            code::MISSING_VALUE,
                            name.span,
                            format!("`{}` has no value", errors::excerpt(&name.text)),
                        )
                        .with_label("expected a value after the colon")
                    });
                }
                members.last_end = Some(end);
                Json { kind: JsonKind::Invalid, span: Span::empty(end) }
            }
        };
        if let Some(first) = members.names.get(&name.text) {
            self.report(name.span.start, |_| {
                Diagnostic::error(
                    code::DUPLICATE_MEMBER,
                    name.span,
                    format!("duplicate member `{}`", errors::excerpt(&name.text)),
                )
                .with_related(*first, "the first one")
                .with_help("only one of them takes effect; put conditions in a list, each in its own braces")
            });
            return;
        }
        members.names.insert(name.text.clone(), name.span);
        members.list.push(Member { name, value });
    }

    /// Returns whether only whitespace follows in the whole text.
    fn is_at_end(&self, end: usize) -> bool {
        // `trim_start` stops at the first character that is not whitespace. A search from the end would scan long
        // trailing whitespace again for each value.
        self.text.get(end..).unwrap_or_default().trim_start().is_empty()
    }

    fn lower_name(&mut self, token: Token) -> StringLiteral {
        let span = token.span;
        let TokenKind::String(text) = token.kind else {
            let word = span.text(self.text);
            self.report(span.start, |_| {
                Diagnostic::error(
                    code::UNQUOTED_NAME,
                    span,
                    format!("the name `{}` must be in double quotes", errors::excerpt(word)),
                )
                .with_fix(Fix::safe_edits("add quotes", vec![Edit::replace(span, super::string::quoted(word))]))
            });
            return StringLiteral { text: word.to_owned(), span };
        };
        StringLiteral { text, span }
    }
}

/// The members that have been lowered so far.
#[derive(Default)]
struct MemberList {
    list: Vec<Member>,
    names: BTreeMap<String, Span>,
    /// The comma after the last member.
    comma: Option<Span>,
    /// The end of the last member.
    last_end: Option<usize>,
}

impl MemberList {
    /// Skips a token that is not part of a member.
    fn skip(&mut self, token: &Token) {
        self.comma = None;
        self.last_end = Some(token.span.end);
    }
}

fn missing_quote_before_error(span: Span, text: &str) -> Diagnostic {
    let message = format!("missing quote before `{}`", errors::excerpt(span.text(text)));
    Diagnostic::error(code::MISSING_QUOTES, span, message)
        .with_fix(Fix::unsafe_edits("insert a quote", vec![Edit::insert(span.start, "\"")]))
}

/// Returns the span of the opening bracket.
fn opening_bracket(container: Span) -> Span {
    Span::new(container.start, container.start + 1)
}

/// Returns edits that replace the brackets.
fn replace_brackets(container: Span, open: &str, close: &str) -> Vec<Edit> {
    vec![
        Edit::replace(opening_bracket(container), open),
        Edit::replace(Span::new(container.end.saturating_sub(1), container.end), close),
    ]
}
