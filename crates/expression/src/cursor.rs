//! The syntactic context of a cursor, derived from the source before it.
//!
//! Start with [`scan_until`] and [`CursorContext`]. Completion, signature help and hover use it while the source is
//! incomplete. The module reads tokens from left to right in one pass. It pushes open delimiters on a stack and tracks
//! types as far as they are clear.

pub(crate) mod token;

use crate::{
    Type,
    ast::ComparisonOperator as Op,
    number,
    parse::MAX_SOURCE_BYTES,
    schema::{self, Field, Function, Param, ReturnType},
};
use token::{Token, TokenKind};
use zonewright_diagnostic::Span;

/// The syntactic context at a cursor.
pub(crate) struct CursorContext<'s> {
    source: &'s str,
    /// The open delimiters, outermost first.
    pub(crate) open_delimiters: Vec<OpenDelimiter>,
    /// The kind of syntax that may follow.
    pub(crate) expectation: Expectation,
    /// The token at the cursor or after it.
    pub(crate) token: Option<Token>,
    /// The span of the last token, if it is a name. A following `(` then opens a call.
    name: Option<Span>,
}

/// The syntax that may follow.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expectation {
    /// A condition, a value or an argument.
    Operand,
    /// After a value: an index, an operator or the end.
    AfterValue(OperandInfo),
    /// After a comparison operator: its right side.
    RightOperand(Op, OperandInfo),
    /// After a value on the right side: an index, or the end of the condition.
    AfterRightValue(OperandInfo),
    /// After a literal argument of a call.
    AfterLiteral(Type),
    /// After a complete condition.
    AfterCondition,
}

/// A value with its known properties.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OperandInfo {
    /// The type of the value, or of one element if `each` is set; `None` if unknown.
    pub(crate) ty: Option<Type>,
    /// Whether the value represents many values because of an index `[*]`.
    pub(crate) each: bool,
    /// The field of which the value is the whole or a part.
    pub(crate) field: Option<&'static Field>,
}

/// An open delimiter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenDelimiter {
    pub(crate) kind: OpenDelimiterKind,
    /// The byte offset of the delimiter.
    pub(crate) open_offset: usize,
    /// Whether the delimiter is on the right side of a comparison.
    is_right_operand: bool,
}

/// The syntax that a delimiter opens.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OpenDelimiterKind {
    Group,
    Call(OpenCall),
    Index(OperandInfo, Option<IndexKind>),
    Set(OperandInfo),
}

/// An unfinished call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenCall {
    pub(crate) name: Span,
    pub(crate) function: Option<&'static Function>,
    /// The index of the argument at the cursor, from 0.
    pub(crate) argument: usize,
    /// The first argument, once a comma follows it.
    pub(crate) first: OperandInfo,
}

impl OpenCall {
    /// Returns the parameter for the argument at the cursor.
    pub(crate) fn param(&self) -> Option<&'static Param> {
        let params = self.function?.params;
        params.get(self.argument).or(params.last().filter(|param| param.variadic))
    }
}

/// The kind of an index, as far as types depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexKind {
    Single,
    Each,
}

impl OpenDelimiterKind {
    fn closing(self) -> char {
        match self {
            OpenDelimiterKind::Group | OpenDelimiterKind::Call(_) => ')',
            OpenDelimiterKind::Index(..) => ']',
            OpenDelimiterKind::Set(_) => '}',
        }
    }
}

/// Reads the tokens from the start of the source, up to the first one for which `stop` returns true.
pub(crate) fn scan_until(source: &str, stop: impl Fn(Token) -> bool) -> CursorContext<'_> {
    let mut cursor = CursorContext {
        source,
        open_delimiters: Vec::new(),
        expectation: Expectation::Operand,
        token: None,
        name: None,
    };
    let mut offset = 0;
    // The parser rejects larger sources, so they are not read here either.
    while let Some(token) = Some(source).filter(|source| source.len() <= MAX_SOURCE_BYTES).and_then(|source| {
        let is_pattern = matches!(cursor.expectation, Expectation::RightOperand(Op::Matches, _));
        token::next_token(source, offset, is_pattern)
    }) {
        if stop(token) {
            cursor.token = Some(token);
            break;
        }
        cursor.consume(token);
        offset = token.span.end;
    }
    cursor
}

/// Returns the nearest character boundary at or before `offset`.
pub(crate) fn floor_char_boundary(source: &str, offset: usize) -> usize {
    let mut offset = offset.min(source.len());
    while !source.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

impl CursorContext<'_> {
    /// Returns the innermost open delimiter.
    pub(crate) fn innermost_delimiter(&self) -> Option<OpenDelimiterKind> {
        self.open_delimiters.last().map(|delimiter| delimiter.kind)
    }

    fn consume(&mut self, token: Token) {
        let text = token.span.text(self.source);
        let name = self.name.take();
        match (self.open_delimiters.last_mut().map(|delimiter| &mut delimiter.kind), token.kind) {
            (Some(OpenDelimiterKind::Index(_, index)), TokenKind::Word | TokenKind::Text { .. }) => {
                *index = Some(if text == "*" { IndexKind::Each } else { IndexKind::Single });
            }
            (Some(OpenDelimiterKind::Set(_)), TokenKind::Word | TokenKind::Text { .. } | TokenKind::List) => {}
            (_, TokenKind::Word) => self.consume_word(token.span, text),
            (_, TokenKind::Text { .. }) => self.consume_literal(Type::STRING),
            (_, TokenKind::List) => self.expectation = Expectation::AfterCondition,
            (_, TokenKind::Symbol) => self.consume_symbol(token.span, text, name),
        }
    }

    fn consume_word(&mut self, span: Span, text: &str) {
        // The grammar also reads the words in uppercase and in mixed case.
        if ["and", "or", "xor"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
            return self.expectation = Expectation::Operand;
        }
        if text.eq_ignore_ascii_case("not") {
            // `not in` is an error. The operator after it is read as if `not` were absent.
            if !matches!(self.expectation, Expectation::AfterValue(_)) {
                self.expectation = Expectation::Operand;
            }
            return;
        }
        if let Expectation::AfterValue(subject) = self.expectation
            && let Some(operator) = parse_comparison_operator(text)
        {
            return self.expectation = Expectation::RightOperand(operator, subject);
        }
        let known = schema::field(text);
        let is_name = known.is_some() || schema::function(text).is_some() || looks_like_name(text);
        if !is_name {
            return self.consume_literal(literal_type(text));
        }
        let subject = OperandInfo { ty: known.map(|field| field.ty), each: false, field: known };
        self.name = Some(span);
        self.expectation = match self.expectation {
            Expectation::RightOperand(..) => Expectation::AfterRightValue(subject),
            // An unknown word may be a misspelled operator, so the value before it remains current.
            Expectation::AfterValue(left) if known.is_none() && schema::function(text).is_none() => {
                Expectation::AfterValue(left)
            }
            _ => Expectation::AfterValue(subject),
        };
    }

    fn consume_literal(&mut self, ty: Type) {
        self.expectation = match self.expectation {
            Expectation::Operand if matches!(self.innermost_delimiter(), Some(OpenDelimiterKind::Call(_))) => {
                Expectation::AfterLiteral(ty)
            }
            _ => Expectation::AfterCondition,
        };
    }

    fn consume_symbol(&mut self, span: Span, text: &str, name: Option<Span>) {
        match text {
            "(" => self.open_parenthesis(span.start, name),
            "[" => self.open(span.start, OpenDelimiterKind::Index(self.current_operand(), None)),
            "{" => self.open(span.start, OpenDelimiterKind::Set(self.left_operand())),
            ")" | "]" | "}" => self.close(text),
            "," => self.consume_comma(),
            "!" | "&&" | "||" | "^^" | "|" | "^" => self.expectation = Expectation::Operand,
            _ => match (self.expectation, parse_comparison_operator(text)) {
                (Expectation::AfterValue(subject), Some(operator)) => {
                    self.expectation = Expectation::RightOperand(operator, subject)
                }
                (_, Some(_)) if text == "&" => self.expectation = Expectation::Operand,
                _ => {}
            },
        }
    }

    /// Returns the value that an index would apply to.
    fn current_operand(&self) -> OperandInfo {
        match self.expectation {
            Expectation::AfterValue(subject) | Expectation::AfterRightValue(subject) => subject,
            _ => OperandInfo::default(),
        }
    }

    /// Returns the left side of the comparison.
    fn left_operand(&self) -> OperandInfo {
        match self.expectation {
            Expectation::RightOperand(_, subject) => subject,
            _ => OperandInfo::default(),
        }
    }

    fn open(&mut self, open_offset: usize, kind: OpenDelimiterKind) {
        let is_right_operand =
            matches!(self.expectation, Expectation::RightOperand(..) | Expectation::AfterRightValue(_));
        self.open_delimiters.push(OpenDelimiter { kind, open_offset, is_right_operand });
        self.expectation = Expectation::Operand;
    }

    fn open_parenthesis(&mut self, open_offset: usize, name: Option<Span>) {
        let kind = match (name, self.expectation) {
            (Some(name), _) => {
                let function = schema::function(name.text(self.source));
                OpenDelimiterKind::Call(OpenCall { name, function, argument: 0, first: OperandInfo::default() })
            }
            _ => OpenDelimiterKind::Group,
        };
        self.open(open_offset, kind);
    }

    /// Closes the innermost delimiter of this kind, and all unclosed delimiters inside it.
    fn close(&mut self, closing: &str) {
        let fits = |delimiter: &OpenDelimiter| closing.starts_with(delimiter.kind.closing());
        // An unmatched closing delimiter would search the whole stack each time. The search is bounded by the maximum
        // depth, so that the total work stays linear.
        if !self.open_delimiters.iter().rev().take(crate::ast::MAX_NESTING_DEPTH).any(fits) {
            return;
        }
        while let Some(delimiter) = self.open_delimiters.pop() {
            if !fits(&delimiter) {
                continue;
            }
            let result = match delimiter.kind {
                OpenDelimiterKind::Group | OpenDelimiterKind::Set(_) => {
                    return self.expectation = Expectation::AfterCondition;
                }
                OpenDelimiterKind::Call(call) => self.infer_call_result(&call),
                OpenDelimiterKind::Index(subject, index) => apply_index(subject, index),
            };
            return self.expectation = if delimiter.is_right_operand {
                Expectation::AfterRightValue(result)
            } else {
                Expectation::AfterValue(result)
            };
        }
    }

    fn infer_call_result(&self, call: &OpenCall) -> OperandInfo {
        let first = if call.argument == 0 { self.current_argument() } else { call.first };
        let ty = call.function.and_then(|function| match function.returns {
            ReturnType::Type(ty) => Some(ty),
            ReturnType::SameAsFirst => first.ty,
        });
        let each = first.each && call.function.is_some_and(|function| function.maps_each);
        OperandInfo { ty: ty.map(|ty| if each { ty.array() } else { ty }), each: false, field: None }
    }

    fn consume_comma(&mut self) {
        let argument = self.current_argument();
        if let Some(OpenDelimiter { kind: OpenDelimiterKind::Call(call), .. }) = self.open_delimiters.last_mut() {
            if call.argument == 0 {
                call.first = argument;
            }
            call.argument += 1;
        }
        self.expectation = Expectation::Operand;
    }

    /// Returns the argument that ends here.
    fn current_argument(&self) -> OperandInfo {
        match self.expectation {
            Expectation::AfterValue(subject) => subject,
            Expectation::AfterLiteral(ty) => OperandInfo { ty: Some(ty), ..OperandInfo::default() },
            Expectation::AfterCondition | Expectation::AfterRightValue(_) => {
                OperandInfo { ty: Some(Type::BOOLEAN), ..OperandInfo::default() }
            }
            Expectation::Operand | Expectation::RightOperand(..) => OperandInfo::default(),
        }
    }
}

fn apply_index(subject: OperandInfo, index: Option<IndexKind>) -> OperandInfo {
    let each = subject.each || index == Some(IndexKind::Each);
    OperandInfo { ty: subject.ty.map(Type::element), each, ..subject }
}

/// Returns the comparison operator of a spelling, including spellings of other languages.
pub(crate) fn parse_comparison_operator(text: &str) -> Option<Op> {
    Some(match text {
        "eq" | "==" | "=" | "===" => Op::Equal,
        "ne" | "!=" | "!==" | "<>" => Op::NotEqual,
        "lt" | "<" => Op::Less,
        "le" | "<=" => Op::LessOrEqual,
        "gt" | ">" => Op::Greater,
        "ge" | ">=" | "=>" => Op::GreaterOrEqual,
        "contains" => Op::Contains,
        "matches" | "~" | "=~" | "~=" => Op::Matches,
        "wildcard" => Op::Wildcard,
        "strict wildcard" => Op::StrictWildcard,
        "in" => Op::In,
        "bitwise_and" | "&" => Op::BitwiseAnd,
        _ => return None,
    })
}

fn looks_like_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && !text.contains([':', '/'])
}

/// Returns the type of an unquoted literal.
pub(crate) fn literal_type(word: &str) -> Type {
    if number::parse_integer(word).is_ok() {
        Type::INTEGER
    } else if number::parse_address_literal(word).is_ok() {
        Type::IP
    } else {
        Type::BYTES
    }
}
