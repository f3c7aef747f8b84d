//! Lowers pairs to tokens, and the document to a filter.

use super::{
    Lowering, MAX_PROBLEMS, Pair, Rule, errors, span,
    string::decode,
    token::{Token, TokenKind, TokenRow},
    unwrap::shift_diagnostic,
};
use crate::{
    ast::{Filter, Json, JsonKind},
    code,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

impl<'i> Lowering<'i> {
    /// Lowers the whole text, which must be one object.
    pub(super) fn lower_document(&mut self, pair: Pair<'i>) -> Option<Filter> {
        let mut row = self.lower_tokens(pair, 0);
        let index = row.position(|token| matches!(token.kind, TokenKind::Value(JsonKind::Object(_))));
        let Some(index) = index.or_else(|| row.position(|token| matches!(token.kind, TokenKind::Value(_)))) else {
            return self.report_missing_object(&mut row);
        };
        let before = row.take(index);
        let object = row.next()?;
        let span = object.span;
        let json = Json { kind: object.into_json()?, span };
        match self.name_before(&before, &row) {
            Some("where") => {
                let name = before.first().map_or(json.span, |name| name.span);
                self.report(name.start, |_| {
                    Diagnostic::error(code::MISSING_BRACES, name, "missing braces around `where`")
                        .with_fix(replace_surroundings("add braces", &before, &json, &row, "{\"where\":", "}"))
                });
                return Some(self.lower_where_value(json));
            }
            Some("filter") => {
                let name = before.first().map_or(json.span, |name| name.span);
                let fix = replace_surroundings("remove the name", &before, &json, &row, "", "");
                self.report(name.start, |_| {
                    super::member::pasted_job_error(name, "this is a member of a job, not a filter").with_fix(fix)
                });
                return self.lower_filter(json);
            }
            _ if self.report_call(&before, &row) => return self.lower_filter(json),
            _ => {}
        }
        if let (Some(first), Some(last)) = (before.first(), before.last()) {
            let deletion = Edit::delete(Span::new(first.span.start, json.span.start));
            let problem = errors::unexpected_text_error(first.span.to(last.span), self.text);
            self.report(first.span.start, |_| problem.with_fixes(vec![Fix::unsafe_edits("remove it", vec![deletion])]));
        }
        if let (Some(first), Some(last)) = (row.first(), row.last()) {
            let rest = first.span.to(last.span);
            let problem = match first.kind {
                TokenKind::CloseBracket => errors::unopened_bracket_error(first.span, first.span.text(self.text)),
                _ => errors::trailing_text_error(rest, rest.text(self.text)),
            };
            self.report(first.span.start, |_| problem);
        }
        self.lower_filter(json)
    }

    /// Reports a text without an object or a list. An unterminated string has a diagnostic already.
    fn report_missing_object(&mut self, row: &mut TokenRow) -> Option<Filter> {
        if self.is_truncated || row.has(|token| matches!(token.kind, TokenKind::Invalid)) {
            return None;
        }
        let span = row.first()?.span.to(row.last()?.span);
        let text = span.text(self.text);
        let is_json = row.single().is_some_and(|only| match only.kind {
            TokenKind::String(_) => true,
            _ => matches!(text, "true" | "false" | "null") || super::literal::is_number(text),
        });
        let problem = if is_json {
            Diagnostic::error(code::NOT_AN_OBJECT, span, "the filter is not an object")
                .with_help("a filter looks like `{\"where\":{\"key\":…,\"operator\":…,\"value\":…}}`")
        } else {
            not_json_error(span, text)
        };
        // `"filter": "{\"where\":…}"`: a member of a job.
        let before = row.take(2);
        let value = row.next();
        let is_text = value.as_ref().is_some_and(|value| matches!(value.kind, TokenKind::String(_)));
        match (self.name_before(&before, row), value) {
            (Some("filter"), Some(value)) if is_text => {
                let json = Json { kind: JsonKind::Invalid, span: value.span };
                let fix = replace_surroundings("remove the name", &before, &json, row, "", "");
                let name = before.first().map_or(span, |name| name.span);
                self.report(name.start, |_| {
                    super::member::pasted_job_error(name, "this is a member of a job, not a filter").with_fix(fix)
                });
            }
            _ => self.report(span.start, |_| problem),
        }
        None
    }

    /// Returns the name before the only value of a text: `"where": {…}`, `filter = {…}`.
    fn name_before<'p>(&self, before: &'p [Token], after: &TokenRow) -> Option<&'p str>
    where
        'i: 'p,
    {
        let [name, sign] = before else { return None };
        let is_alone = sign.is_colon_or_equals() && after.has_only(|token| matches!(token.kind, TokenKind::Comma));
        match &name.kind {
            TokenKind::String(text) if is_alone => Some(text),
            TokenKind::Word if is_alone => Some(name.span.text(self.text)),
            _ => None,
        }
    }

    /// Reports a call around the filter, such as `jsonencode({…})`, and returns whether there is one.
    fn report_call(&mut self, before: &[Token], after: &TokenRow) -> bool {
        let ([call], Some(end)) = (before, after.single()) else { return false };
        if call.span.text(self.text) != "jsonencode(" || end.span.text(self.text) != ")" {
            return false;
        }
        let edits = vec![Edit::delete(call.span), Edit::delete(end.span)];
        self.report(call.span.start, |_| {
            Diagnostic::error(code::UNEXPECTED_TEXT, call.span, "the filter is wrapped in a function call")
                .with_help(
                    "in a configuration file, the call converts the object to JSON; here, only the JSON is expected",
                )
                .with_fix(Fix::safe_edits("remove the call", edits))
        });
        true
    }

    /// Lowers the tokens between two brackets. `open_bytes` is the length of the opening bracket; 0 for the
    /// document.
    fn lower_tokens(&mut self, pair: Pair<'i>, open_bytes: usize) -> TokenRow {
        let row_span = span(&pair);
        let mut row = TokenRow::default();
        for token in pair.into_inner() {
            if token.as_rule() == Rule::unclosed {
                let bracket = Span::new(row_span.start, row_span.start + open_bytes);
                match span(&token).start {
                    start if start == self.text.len() => self.open.push(bracket),
                    _ => {
                        let end = row.last().map_or(bracket.end, |last| last.span.end);
                        let text = bracket.text(self.text);
                        self.report(bracket.start, |_| errors::unclosed_bracket_error(bracket, end, text));
                    }
                }
                self.recovered.insert(row_span.start);
                continue;
            }
            if let Some(kind) = self.lower_token(&token, row_span.start) {
                row.push(Token { kind, span: trim(span(&token), self.text) });
            }
        }
        row
    }

    /// Lowers a pair to a token; `None` for trivia. `parent` is the offset of the enclosing bracket.
    fn lower_token(&mut self, pair: &Pair<'i>, parent: usize) -> Option<TokenKind> {
        let span = span(pair);
        let found = pair.as_str();
        let body = || found.chars().next().and_then(|quote| found.strip_prefix(quote)).unwrap_or_default();
        Some(match pair.as_rule() {
            Rule::object | Rule::element => {
                let row = self.lower_tokens(pair.clone(), 1);
                TokenKind::Value(self.lower_object(row, span))
            }
            Rule::array => {
                let row = self.lower_tokens(pair.clone(), 1);
                TokenKind::Value(self.lower_array(row, span))
            }
            Rule::string | Rule::long_string => TokenKind::String(self.decode_string(body(), span.start + 1)),
            Rule::single_quoted | Rule::smart_quoted => {
                let mut chars = body().chars();
                chars.next_back();
                let text = unescaped(chars.as_str());
                let (code, kind) = match found.chars().next() {
                    Some('\'') => (code::SINGLE_QUOTES, "single quotes"),
                    Some('`') => (code::SINGLE_QUOTES, "backticks"),
                    _ => (code::SMART_QUOTES, "typographic quotes"),
                };
                let is_clear = !has_ambiguous_escape(chars.as_str());
                self.report(span.start, |_| errors::invalid_quotes_error(span, code, kind, &text, is_clear));
                TokenKind::String(text)
            }
            Rule::open_string | Rule::open_quote => {
                self.report(span.start, |text| errors::open_string_error(trim(span, text), text));
                // Brackets inside the unterminated string are not missing.
                self.is_truncated = true;
                self.recovered.insert(parent);
                TokenKind::Invalid
            }
            Rule::colon => TokenKind::Colon,
            Rule::equals => TokenKind::Equals,
            Rule::comma => TokenKind::Comma,
            Rule::semicolon => TokenKind::Semicolon,
            Rule::closer => TokenKind::CloseBracket,
            Rule::word => TokenKind::Word,
            Rule::comment => {
                self.report(span.start, |text| errors::comment_error(trim(span, text), found.trim_end()));
                return None;
            }
            Rule::invalid_whitespace => {
                self.report(span.start, |text| errors::invalid_whitespace_error(span, text));
                return None;
            }
            Rule::too_deep => {
                self.report(parent, |_| errors::nesting_too_deep_error(Span::new(parent, parent + 1)));
                self.is_truncated = true;
                self.recovered.insert(parent);
                TokenKind::TooDeep
            }
            _ => return None,
        })
    }

    /// Decodes the content of a string, with its closing quote. The content starts at `start`.
    fn decode_string(&mut self, body: &str, start: usize) -> String {
        let body = body.strip_suffix('"').unwrap_or(body);
        if !body.bytes().any(|byte| byte == b'\\' || byte < b' ') {
            return body.to_owned();
        }
        let decoded = decode(body, if start < self.list_limit { MAX_PROBLEMS } else { 0 });
        self.unlisted += decoded.unlisted;
        self.diagnostics.extend(decoded.problems.into_iter().map(|problem| shift_diagnostic(problem, start)));
        self.drop_excess_problems();
        decoded.text
    }
}

/// Returns a fix that replaces the text before and after a value.
fn replace_surroundings(title: &str, before: &[Token], json: &Json, after: &TokenRow, open: &str, close: &str) -> Fix {
    let start = before.first().map_or(json.span.start, |first| first.span.start);
    let end = after.last().map_or(json.span.end, |last| last.span.end);
    let edits = [(Span::new(start, json.span.start), open), (Span::new(json.span.end, end), close)];
    let edits = edits.into_iter().filter(|(span, text)| span.start < span.end || !text.is_empty());
    Fix::safe_edits(title, edits.map(|(span, text)| Edit::replace(span, text)).collect())
}

fn not_json_error(span: Span, text: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error(code::NOT_JSON, span, "the filter is not JSON");
    let is_expression = [" eq ", " ne ", " in {", " contains ", "http.", "=="].iter().any(|mark| text.contains(mark));
    diagnostic.with_help(if is_expression {
        "this looks like an expression of the Rules language; convert it to a filter first"
    } else {
        "a filter looks like `{\"where\":{\"key\":…,\"operator\":…,\"value\":…}}`"
    })
}

/// Decodes a string in single or typographic quotes. Only escaped quotes and backslashes are decoded.
fn unescaped(body: &str) -> String {
    let mut text = String::with_capacity(body.len());
    let mut chars = body.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(next @ ('"' | '\'' | '\\')) if c == '\\' => {
                text.push(*next);
                chars.next();
            }
            _ => text.push(c),
        }
    }
    text
}

/// Returns whether a backslash precedes anything but a quote. Languages disagree about the meaning of such an escape.
fn has_ambiguous_escape(body: &str) -> bool {
    let mut tokens = body.split('\\');
    tokens.next();
    tokens.any(|after| !after.starts_with(['"', '\'']))
}

/// Returns the span without trailing whitespace.
fn trim(span: Span, source: &str) -> Span {
    Span::new(span.start, span.start + span.text(source).trim_end().len())
}
