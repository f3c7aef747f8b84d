//! Finds the context of the cursor in an unfinished filter.
//!
//! Highlighting, completion and hovers use [`TolerantSyntax`], which exists for invalid text too. One pass reads tokens
//! from left to right, stores open containers on a stack, and assigns a role to each token. Members after the cursor
//! are included, because `operator` may precede `key`.

use crate::member_name::ConditionMember;
use zonewright_diagnostic::Span;

/// A token of the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) span: Span,
    pub(crate) kind: TokenKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TokenKind {
    /// A string, with the span between its quotes.
    String(Span),
    /// A number, a literal, or a name without quotes.
    Word,
    /// One of `{`, `}`, `[`, `]`, `:`, `,`.
    Punctuation(char),
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
    /// The index of the enclosing container.
    pub(crate) parent: Option<usize>,
    /// The indexes of the object and of its member that contain this container, directly or through lists; `None` for
    /// the outermost container.
    owner: Option<(usize, usize)>,
    /// The names of members with their values. A value that is neither a string nor a word is empty.
    pub(crate) members: Vec<(String, String)>,
}

impl Container {
    /// Returns the value of a member.
    pub(crate) fn member(&self, member: ConditionMember) -> Option<&str> {
        self.members.iter().find(|(name, _)| name == member.name()).map(|(_, value)| value.as_str())
    }
}

/// A string or a word with its role. Punctuation is not stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoleToken {
    pub(crate) token: Token,
    pub(crate) role: Role,
    /// The index of the innermost container.
    pub(crate) container: Option<usize>,
    /// The index of the member of the container that contains the token.
    pub(crate) member: usize,
}

/// The context of the cursor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CursorContext {
    /// The token at the cursor, if it is a string or a word.
    pub(crate) token: Option<Token>,
    pub(crate) role: Role,
    pub(crate) container: Option<usize>,
    pub(crate) member: usize,
    /// Whether a colon follows.
    pub(crate) is_before_colon: bool,
}

/// The tokens and containers of a text, and the context of the cursor.
#[derive(Default)]
pub(crate) struct TolerantSyntax {
    pub(crate) containers: Vec<Container>,
    pub(crate) tokens: Vec<RoleToken>,
    pub(crate) context: Option<CursorContext>,
}

impl TolerantSyntax {
    /// Returns the name of the member that contains a position. Both indexes are those of a [`RoleToken`].
    pub(crate) fn member_name(&self, container: Option<usize>, member: usize) -> &str {
        self.owner(container, member)
            .and_then(|(container, member)| self.containers.get(container)?.members.get(member))
            .map_or("", |(name, _)| name)
    }

    /// Returns the indexes of the object and of its member that contain a position.
    fn owner(&self, container: Option<usize>, member: usize) -> Option<(usize, usize)> {
        let index = container?;
        let container = self.containers.get(index)?;
        let is_member = container.is_object && member < container.members.len();
        if is_member { Some((index, member)) } else { container.owner }
    }

    /// Returns the object that contains a container, or the container itself if it is an object.
    pub(crate) fn enclosing_object(&self, container: Option<usize>) -> Option<&Container> {
        let mut container = self.containers.get(container?)?;
        while !container.is_object {
            container = self.containers.get(container.parent?)?;
        }
        Some(container)
    }
}

/// Reads the tokens of a text, and finds the context of the cursor at `offset`, if there is one.
pub(crate) fn parse_tolerant(text: &str, offset: Option<usize>) -> TolerantSyntax {
    let mut reader = Reader { syntax: TolerantSyntax::default(), stack: Vec::new(), role: Role::Value };
    let mut read_to = 0;
    while let Some(token) = next_token(text, read_to) {
        read_to = token.span.end;
        reader.locate_cursor(token, offset);
        reader.push_token(token, text);
    }
    reader.locate_cursor_at_end(offset);
    reader.syntax
}

struct Reader {
    syntax: TolerantSyntax,
    /// The indexes of the open containers.
    stack: Vec<usize>,
    role: Role,
}

impl Reader {
    /// Returns the innermost open container.
    fn container(&mut self) -> Option<&mut Container> {
        self.syntax.containers.get_mut(*self.stack.last()?)
    }

    /// Returns the index of the member that the next token belongs to.
    fn member(&mut self) -> usize {
        let role = self.role;
        self.container().map_or(0, |container| match role {
            Role::Name => container.members.len(),
            _ => container.members.len().saturating_sub(1),
        })
    }

    /// Sets the context if the cursor is in this token, or before it. A later call records whether the token at the
    /// cursor is a name before a colon.
    fn locate_cursor(&mut self, token: Token, offset: Option<usize>) {
        let Some(offset) = offset else { return };
        if let Some(context) = self.syntax.context.as_mut() {
            if token.span.start >= offset
                && matches!(token.kind, TokenKind::Punctuation(':'))
                && context.role == Role::Name
            {
                context.is_before_colon |=
                    self.syntax.tokens.last().is_none_or(|role_token| role_token.token.span.contains_inclusive(offset));
            }
            return;
        }
        let is_punctuation = matches!(token.kind, TokenKind::Punctuation(_));
        let is_inside = match token.kind {
            TokenKind::String(content) => content.contains_inclusive(offset),
            _ => !is_punctuation && token.span.contains_inclusive(offset),
        };
        if is_inside || token.span.start >= offset {
            let member = self.member();
            let (role, container) = (self.role, self.stack.last().copied());
            let is_before_colon = matches!(token.kind, TokenKind::Punctuation(':')) && role == Role::Name;
            self.syntax.context = Some(CursorContext {
                token: Some(token).filter(|_| is_inside),
                role,
                container,
                member,
                is_before_colon,
            });
        }
    }

    fn locate_cursor_at_end(&mut self, offset: Option<usize>) {
        if offset.is_some() && self.syntax.context.is_none() {
            let member = self.member();
            let (role, container) = (self.role, self.stack.last().copied());
            self.syntax.context = Some(CursorContext { token: None, role, container, member, is_before_colon: false });
        }
    }

    fn push_token(&mut self, token: Token, text: &str) {
        let content = match token.kind {
            TokenKind::Punctuation(sign) => return self.push_sign(sign),
            TokenKind::String(content) => content.text(text),
            TokenKind::Word => token.span.text(text),
        };
        let role_token =
            RoleToken { token, role: self.role, container: self.stack.last().copied(), member: self.member() };
        self.syntax.tokens.push(role_token);
        let role = self.role;
        let container = self.container();
        match (role, container) {
            (Role::Name, Some(container)) => {
                container.members.push((content.to_owned(), String::new()));
                self.role = Role::Colon;
            }
            (Role::Value, Some(container)) => {
                if let Some((_, value)) = container.members.last_mut().filter(|_| container.is_object) {
                    content.clone_into(value);
                }
                self.role = Role::AfterValue;
            }
            _ => self.role = Role::AfterValue,
        }
    }

    fn push_sign(&mut self, sign: char) {
        match sign {
            '{' | '[' => {
                let (container, member) = (self.stack.last().copied(), self.member());
                let owner = self.syntax.owner(container, member);
                let is_object = sign == '{';
                self.stack.push(self.syntax.containers.len());
                self.syntax.containers.push(Container { is_object, parent: container, owner, members: Vec::new() });
                self.role = if is_object { Role::Name } else { Role::Value };
            }
            '}' | ']' => {
                self.stack.pop();
                self.role = Role::AfterValue;
            }
            ':' => self.role = Role::Value,
            _ => {
                let is_object = self.container().is_some_and(|container| container.is_object);
                self.role = if is_object { Role::Name } else { Role::Value };
            }
        }
    }
}

/// Returns the first token that starts at `offset` or later.
fn next_token(text: &str, offset: usize) -> Option<Token> {
    let rest = text.get(offset..)?;
    let start = offset + rest.find(|c: char| !c.is_whitespace() && c != '\u{feff}')?;
    let rest = text.get(start..)?;
    let first = rest.chars().next()?;
    let after = start + first.len_utf8();
    Some(match first {
        '{' | '}' | '[' | ']' | ':' | ',' => {
            Token { span: Span::new(start, after), kind: TokenKind::Punctuation(first) }
        }
        '"' | '\'' => {
            let mut is_escaped = false;
            let body = text.get(after..)?;
            let length = body.find(|c: char| {
                let ends = (c == first && !is_escaped) || c == '\n';
                is_escaped = c == '\\' && !is_escaped;
                ends
            });
            let content = Span::new(after, after + length.unwrap_or(body.len()));
            let is_closed = text.get(content.end..).is_some_and(|rest| rest.starts_with(first));
            let end = content.end + usize::from(is_closed);
            Token { span: Span::new(start, end), kind: TokenKind::String(content) }
        }
        _ => {
            let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | '[' | ']' | ':' | ',' | '"' | '\'');
            let length = rest.find(ends).unwrap_or(rest.len());
            Token { span: Span::new(start, start + length.max(first.len_utf8())), kind: TokenKind::Word }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursor_positions_have_roles() {
        // The text with `|` as the cursor, its role, the member that contains it, and the key of its object.
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
            let syntax = parse_tolerant(&marked.replacen('|', "", 1), Some(offset));
            let context = syntax.context.unwrap();
            let found = (context.role, syntax.member_name(context.container, context.member));
            assert_eq!(found, (role, name), "{marked}");
            assert_eq!(
                syntax.enclosing_object(context.container).and_then(|container| container.member(ConditionMember::Key)),
                key,
                "{marked}"
            );
        }
    }
}
