//! The syntactic context of a cursor, derived from the source before it.
//!
//! Start with [`before`] and [`Cursor`]. Completion, signature help and hover use it while the source is incomplete.
//! The module reads tokens from left to right in one pass. It pushes open delimiters on a stack and tracks types as far
//! as they are clear.

pub(crate) mod token;

use crate::{
    Type,
    ast::ComparisonOperator as Op,
    number,
    parse::MAX_SOURCE,
    schema::{self, Field, Function, Param, Returns},
};
use token::{Token, TokenKind};
use zonewright_diagnostic::Span;

/// The state of the tokenizer at a cursor.
pub(crate) struct Cursor<'s> {
    source: &'s str,
    /// The open delimiters, outermost first.
    pub(crate) frames: Vec<Frame>,
    /// The kind of syntax that may follow.
    pub(crate) expect: Expect,
    /// The token at the cursor or after it.
    pub(crate) token: Option<Token>,
    /// The span of the last token, if it is a name that `(` would make a call.
    name: Option<Span>,
}

/// The syntax that may follow.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expect {
    /// A condition, a value or an argument.
    Operand,
    /// After a value: an index, an operator or the end.
    Left(Subject),
    /// After a comparison operator: its right side.
    Right(Op, Subject),
    /// After a value on the right side: an index, or the end of the condition.
    RightValue(Subject),
    /// After a literal where a value may begin.
    Literal(Type),
    /// After a complete condition.
    Done,
}

/// A value with its known properties.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Subject {
    /// The type of the value, or of one element if `each` is set; `None` if unknown.
    pub(crate) ty: Option<Type>,
    /// Whether an index `[*]` makes it represent many values.
    pub(crate) each: bool,
    /// The field that the value is, or is a part of.
    pub(crate) field: Option<&'static Field>,
}

/// An open delimiter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) kind: FrameKind,
    /// The byte offset of the delimiter.
    pub(crate) open: usize,
    /// Whether it is on the right side of a comparison.
    right: bool,
}

/// The syntax that a delimiter opens.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FrameKind {
    Group,
    Call(OpenCall),
    Index(Subject, Option<IndexKind>),
    Set(Subject),
}

/// An unfinished call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenCall {
    pub(crate) name: Span,
    pub(crate) function: Option<&'static Function>,
    /// The index of the argument at the cursor, from 0.
    pub(crate) argument: usize,
    /// The first argument, once a comma follows it.
    pub(crate) first: Subject,
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
    One,
    Each,
}

impl FrameKind {
    fn closing(self) -> char {
        match self {
            FrameKind::Group | FrameKind::Call(_) => ')',
            FrameKind::Index(..) => ']',
            FrameKind::Set(_) => '}',
        }
    }
}

/// Reads the tokens from the start of the source, up to the first one for which `stop` returns true.
pub(crate) fn before(source: &str, stop: impl Fn(Token) -> bool) -> Cursor<'_> {
    let mut cursor = Cursor { source, frames: Vec::new(), expect: Expect::Operand, token: None, name: None };
    let mut at = 0;
    // A source that the parser rejects because of its size is not read here either.
    while let Some(token) = Some(source).filter(|source| source.len() <= MAX_SOURCE).and_then(|source| {
        let pattern = matches!(cursor.expect, Expect::Right(Op::Matches, _));
        token::next(source, at, pattern)
    }) {
        if stop(token) {
            cursor.token = Some(token);
            break;
        }
        cursor.read(token);
        at = token.span.end;
    }
    cursor
}

/// Returns the nearest character boundary at or before `offset`.
pub(crate) fn boundary(source: &str, offset: usize) -> usize {
    let mut offset = offset.min(source.len());
    while !source.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

impl Cursor<'_> {
    /// Returns the innermost open delimiter.
    pub(crate) fn inside(&self) -> Option<FrameKind> {
        self.frames.last().map(|frame| frame.kind)
    }

    fn read(&mut self, token: Token) {
        let text = token.span.text(self.source);
        let name = self.name.take();
        match (self.frames.last_mut().map(|frame| &mut frame.kind), token.kind) {
            (Some(FrameKind::Index(_, index)), TokenKind::Word | TokenKind::Text { .. }) => {
                *index = Some(if text == "*" { IndexKind::Each } else { IndexKind::One });
            }
            (Some(FrameKind::Set(_)), TokenKind::Word | TokenKind::Text { .. } | TokenKind::List) => {}
            (_, TokenKind::Word) => self.word(token.span, text),
            (_, TokenKind::Text { .. }) => self.literal(Type::STRING),
            (_, TokenKind::List) => self.expect = Expect::Done,
            (_, TokenKind::Symbol) => self.symbol(token.span, text, name),
        }
    }

    fn word(&mut self, span: Span, text: &str) {
        match text {
            "and" | "AND" | "or" | "OR" | "xor" | "XOR" => return self.expect = Expect::Operand,
            // `not in` is an error. The operator after it is read as if `not` were absent.
            "not" | "NOT" if matches!(self.expect, Expect::Left(_)) => return,
            "not" | "NOT" => return self.expect = Expect::Operand,
            _ => {}
        }
        if let Expect::Left(subject) = self.expect
            && let Some(operator) = comparison(text)
        {
            return self.expect = Expect::Right(operator, subject);
        }
        let known = schema::field(text);
        let is_name = known.is_some() || schema::function(text).is_some() || looks_like_name(text);
        if !is_name {
            return self.literal(literal_type(text));
        }
        let subject = Subject { ty: known.map(|field| field.ty), each: false, field: known };
        self.name = Some(span);
        self.expect = match self.expect {
            Expect::Right(..) => Expect::RightValue(subject),
            // A word that is not an operator may be a misspelled one, so the value before it remains.
            Expect::Left(left) if known.is_none() && schema::function(text).is_none() => Expect::Left(left),
            _ => Expect::Left(subject),
        };
    }

    fn literal(&mut self, ty: Type) {
        self.expect = match self.expect {
            Expect::Operand if matches!(self.inside(), Some(FrameKind::Call(_))) => Expect::Literal(ty),
            _ => Expect::Done,
        };
    }

    fn symbol(&mut self, span: Span, text: &str, name: Option<Span>) {
        match text {
            "(" => self.open_round(span.start, name),
            "[" => self.open(span.start, FrameKind::Index(self.subject(), None)),
            "{" => self.open(span.start, FrameKind::Set(self.left())),
            ")" | "]" | "}" => self.close(text),
            "," => self.comma(),
            "!" | "&&" | "||" | "^^" | "|" | "^" => self.expect = Expect::Operand,
            _ => match (self.expect, comparison(text)) {
                (Expect::Left(subject), Some(operator)) => self.expect = Expect::Right(operator, subject),
                (_, Some(_)) if text == "&" => self.expect = Expect::Operand,
                _ => {}
            },
        }
    }

    /// Returns the value that an index would apply to.
    fn subject(&self) -> Subject {
        match self.expect {
            Expect::Left(subject) | Expect::RightValue(subject) => subject,
            _ => Subject::default(),
        }
    }

    /// Returns the left side of the comparison.
    fn left(&self) -> Subject {
        match self.expect {
            Expect::Right(_, subject) => subject,
            _ => Subject::default(),
        }
    }

    fn open(&mut self, open: usize, kind: FrameKind) {
        let right = matches!(self.expect, Expect::Right(..) | Expect::RightValue(_));
        self.frames.push(Frame { kind, open, right });
        self.expect = Expect::Operand;
    }

    fn open_round(&mut self, open: usize, name: Option<Span>) {
        let kind = match (name, self.expect) {
            (Some(name), _) => {
                let function = schema::function(name.text(self.source));
                FrameKind::Call(OpenCall { name, function, argument: 0, first: Subject::default() })
            }
            _ => FrameKind::Group,
        };
        self.open(open, kind);
    }

    /// Closes the innermost delimiter of this kind, and all unclosed delimiters inside it.
    fn close(&mut self, closing: &str) {
        let fits = |frame: &Frame| closing.starts_with(frame.kind.closing());
        // An unmatched closing delimiter would search the whole stack each time. The search is bounded by the maximum
        // depth, so that the total work stays linear.
        if !self.frames.iter().rev().take(crate::ast::MAX_DEPTH).any(fits) {
            return;
        }
        while let Some(frame) = self.frames.pop() {
            if !fits(&frame) {
                continue;
            }
            let result = match frame.kind {
                FrameKind::Group | FrameKind::Set(_) => return self.expect = Expect::Done,
                FrameKind::Call(call) => self.result(&call),
                FrameKind::Index(subject, index) => indexed(subject, index),
            };
            return self.expect = if frame.right { Expect::RightValue(result) } else { Expect::Left(result) };
        }
    }

    fn result(&self, call: &OpenCall) -> Subject {
        let first = if call.argument == 0 { self.argument() } else { call.first };
        let ty = call.function.and_then(|function| match function.returns {
            Returns::Type(ty) => Some(ty),
            Returns::SameAsFirst => first.ty,
        });
        let each = first.each && call.function.is_some_and(|function| function.maps_each);
        Subject { ty: ty.map(|ty| if each { ty.array() } else { ty }), each: false, field: None }
    }

    fn comma(&mut self) {
        let argument = self.argument();
        if let Some(Frame { kind: FrameKind::Call(call), .. }) = self.frames.last_mut() {
            if call.argument == 0 {
                call.first = argument;
            }
            call.argument += 1;
        }
        self.expect = Expect::Operand;
    }

    /// Returns the argument that ends here.
    fn argument(&self) -> Subject {
        match self.expect {
            Expect::Left(subject) => subject,
            Expect::Literal(ty) => Subject { ty: Some(ty), ..Subject::default() },
            Expect::Done | Expect::RightValue(_) => Subject { ty: Some(Type::BOOLEAN), ..Subject::default() },
            Expect::Operand | Expect::Right(..) => Subject::default(),
        }
    }
}

fn indexed(subject: Subject, index: Option<IndexKind>) -> Subject {
    let each = subject.each || index == Some(IndexKind::Each);
    Subject { ty: subject.ty.map(Type::element), each, ..subject }
}

/// Returns the comparison operator of a spelling, including spellings of other languages.
pub(crate) fn comparison(text: &str) -> Option<Op> {
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
    if number::integer(word).is_ok() {
        Type::INTEGER
    } else if number::addresses(word).is_ok() {
        Type::IP
    } else {
        Type::BYTES
    }
}
