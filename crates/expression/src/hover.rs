//! Hover information: the documentation of the token at a cursor. Start with [`hover`] and [`Hover`].

mod example;
mod literal;
mod names;

use crate::{
    ListKind, Options, Type,
    ast::ComparisonOperator as Op,
    cursor::{
        self, CursorContext, Expectation, OpenDelimiterKind, OperandInfo,
        token::{Token, TokenKind},
    },
    schema::{self, LOGICAL_OPERATORS, MANAGED_LISTS, Operator},
};
use zonewright_diagnostic::Span;

/// The documentation of one token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The span of the token.
    pub span: Span,
    /// The text of the token, or the signature of a function. Long strings are shortened.
    pub title: String,
    /// The type of the token, or its role.
    pub detail: String,
    /// The lines of documentation, most important first, with code between backticks.
    pub text: Vec<String>,
    /// A complete expression that shows the usage, for fields.
    pub example: Option<String>,
}

/// Returns the documentation of the token that contains the byte `offset` or ends there. The source may be incomplete.
pub fn hover(source: &str, offset: usize, options: &Options) -> Option<Hover> {
    let offset = cursor::floor_char_boundary(source, offset);
    hover_at_token(source, offset, options, |token| token.span.end > offset)
        .or_else(|| hover_at_token(source, offset, options, |token| token.span.end >= offset))
}

/// Returns the documentation of the first token for which `stop` returns true, if that token touches `offset`.
fn hover_at_token(source: &str, offset: usize, options: &Options, stop: impl Fn(Token) -> bool) -> Option<Hover> {
    let cursor = cursor::scan_until(source, stop);
    let token = cursor.token.filter(|token| token.span.contains_inclusive(offset))?;
    let context = HoverContext { source, text: token.span.text(source), cursor, token, options };
    match token.kind {
        TokenKind::Word => context.hover_word(),
        TokenKind::List => context.hover_list(),
        TokenKind::Text { content, .. } => context.hover_string(content),
        TokenKind::Symbol => context.hover_symbol(),
    }
}

/// The token under the cursor, with its syntactic context.
struct HoverContext<'s> {
    source: &'s str,
    cursor: CursorContext<'s>,
    token: Token,
    text: &'s str,
    options: &'s Options,
}

impl HoverContext<'_> {
    /// Builds the hover of the token.
    fn build_hover(&self, detail: impl Into<String>, text: Vec<String>) -> Hover {
        Hover { span: self.token.span, title: self.text.to_owned(), detail: detail.into(), text, example: None }
    }

    fn hover_word(&self) -> Option<Hover> {
        match (self.cursor.innermost_delimiter(), self.cursor.expectation) {
            (Some(OpenDelimiterKind::Index(subject, None)), _) => return self.hover_index(subject),
            (Some(OpenDelimiterKind::Index(..)), _) => return None,
            (Some(OpenDelimiterKind::Set(left)), _) => return literal::hover_word(self, left, true),
            _ => {}
        }
        if let Expectation::AfterValue(_) = self.cursor.expectation
            && let Some(operator) = cursor::parse_comparison_operator(self.text)
        {
            return Some(self.hover_operator(operator.description()));
        }
        if let Some(operator) = LOGICAL_OPERATORS.iter().find(|operator| operator.name == self.text) {
            return Some(self.hover_operator(operator));
        }
        if let Some(field) = schema::field(self.text) {
            return Some(names::hover_field(self, field));
        }
        if let Some(function) = schema::function(self.text) {
            return Some(names::hover_function(self, function));
        }
        if self.text == "true" {
            return Some(self.build_hover(
                "Boolean",
                vec!["matches every request; only allowed as the whole expression".to_owned()],
            ));
        }
        match self.cursor.expectation {
            Expectation::RightOperand(_, left) => literal::hover_word(self, left, false),
            Expectation::Operand => literal::hover_word(self, OperandInfo::default(), false),
            _ => None,
        }
    }

    fn hover_symbol(&self) -> Option<Hover> {
        if let Some(operator) = LOGICAL_OPERATORS.iter().find(|operator| operator.symbol == Some(self.text)) {
            return Some(self.hover_operator(operator));
        }
        match self.cursor.expectation {
            Expectation::AfterValue(_) => {
                cursor::parse_comparison_operator(self.text).map(|operator| self.hover_operator(operator.description()))
            }
            _ => None,
        }
    }

    fn hover_operator(&self, operator: &Operator) -> Hover {
        let mut text = vec![operator.doc.to_owned()];
        let left = match self.cursor.expectation {
            Expectation::AfterValue(subject) => subject.ty,
            _ => None,
        };
        let text_note = operator.text_note.filter(|_| left.is_none_or(Type::is_text));
        let address_note = operator.address_note.filter(|_| left.is_none_or(|ty| ty.is_compatible_with(Type::IP)));
        let notes = operator.notes.iter().copied().chain(text_note).chain(address_note);
        text.extend(notes.map(str::to_owned));
        let alternative = operator
            .symbol
            .filter(|symbol| *symbol != self.text)
            .or((operator.name != self.text).then_some(operator.name));
        let detail =
            alternative.map_or_else(|| "operator".to_owned(), |spelling| format!("operator, also written {spelling}"));
        self.build_hover(detail, text)
    }

    fn hover_index(&self, subject: OperandInfo) -> Option<Hover> {
        let ty = subject.ty.map(|ty| ty.element().to_string());
        let line = match self.text {
            "*" => "every element; reduce the results with `any(…)` or `all(…)`".to_owned(),
            number => {
                let number = crate::number::parse_element_index(number)?;
                format!("element {number}, counted from 0; missing if the array is shorter")
            }
        };
        Some(self.build_hover(ty.unwrap_or_else(|| "index".to_owned()), vec![line]))
    }

    fn hover_list(&self) -> Option<Hover> {
        let name = self.text.get(1..)?;
        if let Some((_, description)) = MANAGED_LISTS.iter().find(|(list, _)| *list == name) {
            let lines = vec![
                (*description).to_owned(),
                "managed list, available in every zone; requires Enterprise".to_owned(),
            ];
            return Some(self.build_hover("list of IP addresses", lines));
        }
        let Some(lists) = &self.options.lists else {
            return Some(self.build_hover(
                "named list",
                vec!["account list; the lists of the account were not provided".to_owned()],
            ));
        };
        let kind = match lists.get(name)? {
            ListKind::Ip => "list of IP addresses",
            ListKind::Hostname => "list of hostnames",
            ListKind::Asn => "list of AS numbers",
        };
        Some(self.build_hover(kind, vec!["account list".to_owned()]))
    }

    fn hover_string(&self, content: Span) -> Option<Hover> {
        let content_text = content.text(self.source);
        let (pattern, left) = match (self.cursor.innermost_delimiter(), self.cursor.expectation) {
            (Some(OpenDelimiterKind::Index(subject, None)), _) => return Some(self.hover_key(subject, content_text)),
            (Some(OpenDelimiterKind::Set(left)), _) => (None, left),
            (_, Expectation::RightOperand(operator, left)) => (Some(operator), left),
            (Some(OpenDelimiterKind::Call(call)), Expectation::Operand) => {
                return Some(literal::hover_argument(self, &call, content_text));
            }
            _ => (None, OperandInfo::default()),
        };
        Some(match pattern {
            Some(Op::Matches) => literal::hover_regex(self),
            Some(Op::Wildcard) => literal::hover_wildcard(self, "case-insensitive"),
            Some(Op::StrictWildcard) => literal::hover_wildcard(self, "case-sensitive"),
            _ => literal::hover_string(self, content_text, left),
        })
    }

    fn hover_key(&self, subject: OperandInfo, hovered_key: &str) -> Hover {
        let ty = subject.ty.map(|ty| ty.element().to_string());
        let known = subject.field.map_or(&[][..], |field| field.help().keys);
        let mut text: Vec<String> = known
            .iter()
            .filter(|(key, _)| *key == hovered_key)
            .map(|(_, description)| (*description).to_owned())
            .collect();
        text.push("missing if the map lacks the key; every comparison with a missing value is false".to_owned());
        self.build_hover(ty.unwrap_or_else(|| "key".to_owned()), text)
    }
}

#[cfg(test)]
mod tests;
