//! The context of a cursor in an unfinished filter.
//!
//! Highlighting, completion and hovers use [`TolerantSyntax`], which exists for invalid text too. One pass reads tokens
//! from left to right, keeps open brackets on a stack, and assigns a role to each token. Members after the cursor are
//! included, because `operator` may precede `key`.

use crate::member_name::ConditionMember;
use zonewright_diagnostic::Span;

/// A token of the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SemanticToken {
    pub(crate) span: Span,
    pub(crate) kind: SemanticTokenKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SemanticTokenKind {
    /// A string, with the span between its quotes.
    String(Span),
    /// A number, a literal, or a name without quotes.
    Word,
    /// One of `{`, `}`, `[`, `]`, `:`, `,`.
    Punct(char),
}

/// The role of a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Role {
    /// The name of a member.
    Name,
    /// Between a name and its value.
    Colon,
    /// A value: that of the last member of the object, or an item of a list.
    Value,
    /// After a value.
    AfterValue,
}

/// An object or a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Container {
    pub(crate) is_object: bool,
    /// The enclosing frame.
    pub(crate) parent: Option<usize>,
    /// The object and the index of the member that contains this frame, also through lists; `None` for the outermost.
    owner: Option<(usize, usize)>,
    /// The names of members with their values, if these are strings or words.
    pub(crate) members: Vec<(String, String)>,
}

impl Container {
    /// Returns the value of a member.
    pub(crate) fn member(&self, member: ConditionMember) -> Option<&str> {
        self.members.iter().find(|(name, _)| name == member.name()).map(|(_, value)| value.as_str())
    }
}

/// A string or a word with its role. Signs have no role tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoleToken {
    pub(crate) token: SemanticToken,
    pub(crate) role: Role,
    pub(crate) frame: Option<usize>,
    /// The index of the member of the frame that contains the token.
    pub(crate) member: usize,
}

/// The context of the cursor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CursorContext {
    /// The token at the cursor, if it is a string or a word.
    pub(crate) token: Option<SemanticToken>,
    pub(crate) role: Role,
    pub(crate) frame: Option<usize>,
    pub(crate) member: usize,
    /// Whether a colon follows.
    pub(crate) before_colon: bool,
}

/// The tokens and frames of a text, and the context of the cursor.
#[derive(Default)]
pub(crate) struct TolerantSyntax {
    pub(crate) frames: Vec<Container>,
    pub(crate) tokens: Vec<RoleToken>,
    pub(crate) context: Option<CursorContext>,
}

impl TolerantSyntax {
    /// Returns the name of the member that contains this position of a frame.
    pub(crate) fn member_name(&self, frame: Option<usize>, member: usize) -> &str {
        self.owner(frame, member)
            .and_then(|(frame, member)| self.frames.get(frame)?.members.get(member))
            .map_or("", |(name, _)| name)
    }

    /// Returns the object and the member that contain this position of a frame.
    fn owner(&self, frame: Option<usize>, member: usize) -> Option<(usize, usize)> {
        let context = frame?;
        let frame = self.frames.get(context)?;
        let is_member = frame.is_object && member < frame.members.len();
        if is_member { Some((context, member)) } else { frame.owner }
    }

    /// Returns the object that contains a frame, or the frame itself if it is an object.
    pub(crate) fn enclosing_object(&self, frame: Option<usize>) -> Option<&Container> {
        let mut frame = self.frames.get(frame?)?;
        while !frame.is_object {
            frame = self.frames.get(frame.parent?)?;
        }
        Some(frame)
    }
}

/// Reads the tokens of a text, and finds the context of the cursor at `offset`.
pub(crate) fn parse_tolerant(text: &str, offset: Option<usize>) -> TolerantSyntax {
    let mut reader = Reader { cursor: TolerantSyntax::default(), stack: Vec::new(), role: Role::Value };
    let mut at = 0;
    while let Some(token) = next_token(text, at) {
        at = token.span.end;
        reader.locate_cursor(token, offset);
        reader.push_token(token, text);
    }
    reader.end(offset);
    reader.cursor
}

struct Reader {
    cursor: TolerantSyntax,
    /// The indexes of the open frames.
    stack: Vec<usize>,
    role: Role,
}

impl Reader {
    fn frame(&mut self) -> Option<&mut Container> {
        self.cursor.frames.get_mut(*self.stack.last()?)
    }

    /// Returns the index of the member that the next token belongs to.
    fn member(&mut self) -> usize {
        let role = self.role;
        self.frame().map_or(0, |frame| match role {
            Role::Name => frame.members.len(),
            _ => frame.members.len().saturating_sub(1),
        })
    }

    /// Sets the context if the cursor is in this token, or before it.
    fn locate_cursor(&mut self, token: SemanticToken, offset: Option<usize>) {
        let Some(offset) = offset else { return };
        if let Some(context) = self.cursor.context.as_mut() {
            if token.span.start >= offset
                && matches!(token.kind, SemanticTokenKind::Punct(':'))
                && context.role == Role::Name
            {
                context.before_colon |=
                    self.cursor.tokens.last().is_none_or(|role_token| role_token.token.span.contains_inclusive(offset));
            }
            return;
        }
        let is_sign = matches!(token.kind, SemanticTokenKind::Punct(_));
        let inside = match token.kind {
            SemanticTokenKind::String(content) => content.contains_inclusive(offset),
            _ => !is_sign && token.span.contains_inclusive(offset),
        };
        if inside || token.span.start >= offset {
            let member = self.member();
            let (role, frame) = (self.role, self.stack.last().copied());
            let before_colon = matches!(token.kind, SemanticTokenKind::Punct(':')) && role == Role::Name;
            self.cursor.context =
                Some(CursorContext { token: Some(token).filter(|_| inside), role, frame, member, before_colon });
        }
    }

    fn end(&mut self, offset: Option<usize>) {
        if offset.is_some() && self.cursor.context.is_none() {
            let member = self.member();
            let (role, frame) = (self.role, self.stack.last().copied());
            self.cursor.context = Some(CursorContext { token: None, role, frame, member, before_colon: false });
        }
    }

    fn push_token(&mut self, token: SemanticToken, text: &str) {
        let content = match token.kind {
            SemanticTokenKind::Punct(sign) => return self.sign(sign),
            SemanticTokenKind::String(content) => content.text(text),
            SemanticTokenKind::Word => token.span.text(text),
        };
        let role_token = RoleToken { token, role: self.role, frame: self.stack.last().copied(), member: self.member() };
        self.cursor.tokens.push(role_token);
        let role = self.role;
        let frame = self.frame();
        match (role, frame) {
            (Role::Name, Some(frame)) => {
                frame.members.push((content.to_owned(), String::new()));
                self.role = Role::Colon;
            }
            (Role::Value, Some(frame)) => {
                if let Some((_, value)) = frame.members.last_mut().filter(|_| frame.is_object) {
                    content.clone_into(value);
                }
                self.role = Role::AfterValue;
            }
            _ => self.role = Role::AfterValue,
        }
    }

    fn sign(&mut self, sign: char) {
        match sign {
            '{' | '[' => {
                let (frame, member) = (self.stack.last().copied(), self.member());
                let owner = self.cursor.owner(frame, member);
                let is_object = sign == '{';
                self.stack.push(self.cursor.frames.len());
                self.cursor.frames.push(Container { is_object, parent: frame, owner, members: Vec::new() });
                self.role = if is_object { Role::Name } else { Role::Value };
            }
            '}' | ']' => {
                self.stack.pop();
                self.role = Role::AfterValue;
            }
            ':' => self.role = Role::Value,
            _ => {
                let is_object = self.frame().is_some_and(|frame| frame.is_object);
                self.role = if is_object { Role::Name } else { Role::Value };
            }
        }
    }
}

/// Returns the first token that starts at `at` or later.
fn next_token(text: &str, at: usize) -> Option<SemanticToken> {
    let rest = text.get(at..)?;
    let start = at + rest.find(|c: char| !c.is_whitespace() && c != '\u{feff}')?;
    let rest = text.get(start..)?;
    let first = rest.chars().next()?;
    let behind = start + first.len_utf8();
    Some(match first {
        '{' | '}' | '[' | ']' | ':' | ',' => {
            SemanticToken { span: Span::new(start, behind), kind: SemanticTokenKind::Punct(first) }
        }
        '"' | '\'' => {
            let mut escaped = false;
            let body = text.get(behind..)?;
            let length = body.find(|c: char| {
                let ends = (c == first && !escaped) || c == '\n';
                escaped = c == '\\' && !escaped;
                ends
            });
            let content = Span::new(behind, behind + length.unwrap_or(body.len()));
            let closed = text.get(content.end..).is_some_and(|rest| rest.starts_with(first));
            let end = content.end + usize::from(closed);
            SemanticToken { span: Span::new(start, end), kind: SemanticTokenKind::String(content) }
        }
        _ => {
            let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | '[' | ']' | ':' | ',' | '"' | '\'');
            let length = rest.find(ends).unwrap_or(rest.len());
            SemanticToken {
                span: Span::new(start, start + length.max(first.len_utf8())),
                kind: SemanticTokenKind::Word,
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursor_positions_have_roles() {
        // The text with the cursor, then its role, the member it belongs to, and the key of its object.
        let cases = [
            ("|", Role::Value, "", None),
            ("{|", Role::Name, "", None),
            ("{\"wh|", Role::Name, "wh", None),
            ("{\"where\":{|", Role::Name, "where", None),
            ("{\"where\":{\"key\":\"a\",\"operator\":\"|\"}}", Role::Value, "operator", Some("a")),
            ("{\"where\":{\"operator\":\"|\",\"key\":\"a\"}}", Role::Value, "operator", Some("a")),
            ("{\"where\":{\"key\":\"a\",\"value\":[1,|]}}", Role::Value, "value", Some("a")),
            ("{\"where\":{\"and\":[{\"key\":\"b\"},{\"key\":|", Role::Value, "key", Some("")),
            ("{\"where\":{\"and\":[|", Role::Value, "and", None),
            ("{\"where\":{\"key\":\"a\"|}", Role::AfterValue, "key", Some("a")),
            ("{\"where\"|", Role::Colon, "where", None),
        ];
        for (marked, role, name, key) in cases {
            let offset = marked.find('|').unwrap();
            let cursor = parse_tolerant(&marked.replacen('|', "", 1), Some(offset));
            let context = cursor.context.unwrap();
            let found = (context.role, cursor.member_name(context.frame, context.member));
            assert_eq!(found, (role, name), "{marked}");
            assert_eq!(
                cursor.enclosing_object(context.frame).and_then(|frame| frame.member(ConditionMember::Key)),
                key,
                "{marked}"
            );
        }
    }
}
