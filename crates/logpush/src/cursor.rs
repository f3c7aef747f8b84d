//! What stands where in a filter that is being typed.
//!
//! Colours, completion and hovers ask this while the text is broken: its pieces are read once from the
//! left, brackets go on a stack, and each piece gets the role that it plays. What an object has behind
//! the cursor is known too, since `operator` may stand before `key`.

use zonewright_diagnostic::Span;

/// A piece of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) span: Span,
    pub(crate) kind: TokenKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TokenKind {
    /// A string, with what stands between its quotes.
    Text(Span),
    /// A number, a literal, a name without quotes.
    Word,
    /// `{`, `}`, `[`, `]`, `:`, `,`.
    Sign(char),
}

/// The role that a piece plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Role {
    /// The name of a member.
    Name,
    /// Between a name and its value.
    Colon,
    /// A value: that of the last member of the object, or an item of a list.
    Value,
    /// Behind a value.
    Behind,
}

/// An object or a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) is_object: bool,
    /// The frame around it.
    pub(crate) parent: Option<usize>,
    /// The object and its member that it belongs to, also when lists are between; none for the whole.
    owner: Option<(usize, usize)>,
    /// Names with their values, where these are strings or words.
    pub(crate) members: Vec<(String, String)>,
}

impl Frame {
    /// The value of a member.
    pub(crate) fn member(&self, name: &str) -> Option<&str> {
        self.members.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

/// A piece with the role that it plays; signs are left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoleToken {
    pub(crate) token: Token,
    pub(crate) role: Role,
    pub(crate) frame: Option<usize>,
    /// Which member of the frame it is, or belongs to.
    pub(crate) member: usize,
}

/// What stands around the cursor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CursorContext {
    /// The piece at the cursor, if it is a string or a word.
    pub(crate) token: Option<Token>,
    pub(crate) role: Role,
    pub(crate) frame: Option<usize>,
    pub(crate) member: usize,
    /// Whether a colon comes next.
    pub(crate) before_colon: bool,
}

/// A text taken apart.
#[derive(Default)]
pub(crate) struct Cursor {
    pub(crate) frames: Vec<Frame>,
    pub(crate) tokens: Vec<RoleToken>,
    pub(crate) context: Option<CursorContext>,
}

impl Cursor {
    /// The name of the member whose value, or an item of whose value, stands somewhere.
    pub(crate) fn name_of(&self, frame: Option<usize>, member: usize) -> &str {
        self.owner(frame, member)
            .and_then(|(frame, member)| self.frames.get(frame)?.members.get(member))
            .map_or("", |(name, _)| name)
    }

    /// The object and its member that something in a frame belongs to.
    fn owner(&self, frame: Option<usize>, member: usize) -> Option<(usize, usize)> {
        let context = frame?;
        let frame = self.frames.get(context)?;
        let is_member = frame.is_object && member < frame.members.len();
        if is_member { Some((context, member)) } else { frame.owner }
    }

    /// The object whose member, or an item of whose member, stands in a frame.
    pub(crate) fn object_of(&self, frame: Option<usize>) -> Option<&Frame> {
        let mut frame = self.frames.get(frame?)?;
        while !frame.is_object {
            frame = self.frames.get(frame.parent?)?;
        }
        Some(frame)
    }
}

/// Takes a text apart, and looks for the cursor at `offset`.
pub(crate) fn read(text: &str, offset: Option<usize>) -> Cursor {
    let mut reader = Reader { cursor: Cursor::default(), stack: Vec::new(), role: Role::Value };
    let mut at = 0;
    while let Some(token) = next(text, at) {
        at = token.span.end;
        reader.look(token, offset);
        reader.take(token, text);
    }
    reader.end(offset);
    reader.cursor
}

struct Reader {
    cursor: Cursor,
    /// Open frames.
    stack: Vec<usize>,
    role: Role,
}

impl Reader {
    fn frame(&mut self) -> Option<&mut Frame> {
        self.cursor.frames.get_mut(*self.stack.last()?)
    }

    /// The member of the frame that what comes next belongs to.
    fn member(&mut self) -> usize {
        let role = self.role;
        self.frame().map_or(0, |frame| match role {
            Role::Name => frame.members.len(),
            _ => frame.members.len().saturating_sub(1),
        })
    }

    /// Finds the cursor: in this piece, or before it.
    fn look(&mut self, token: Token, offset: Option<usize>) {
        let Some(offset) = offset else { return };
        if let Some(context) = self.cursor.context.as_mut() {
            if token.span.start >= offset && matches!(token.kind, TokenKind::Sign(':')) && context.role == Role::Name {
                context.before_colon |=
                    self.cursor.tokens.last().is_none_or(|role_token| role_token.token.span.touches(offset));
            }
            return;
        }
        let is_sign = matches!(token.kind, TokenKind::Sign(_));
        let inside = match token.kind {
            TokenKind::Text(content) => content.touches(offset),
            _ => !is_sign && token.span.touches(offset),
        };
        if inside || token.span.start >= offset {
            let member = self.member();
            let (role, frame) = (self.role, self.stack.last().copied());
            let before_colon = matches!(token.kind, TokenKind::Sign(':')) && role == Role::Name;
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

    fn take(&mut self, token: Token, text: &str) {
        let content = match token.kind {
            TokenKind::Sign(sign) => return self.sign(sign),
            TokenKind::Text(content) => content.text(text),
            TokenKind::Word => token.span.text(text),
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
                self.role = Role::Behind;
            }
            _ => self.role = Role::Behind,
        }
    }

    fn sign(&mut self, sign: char) {
        match sign {
            '{' | '[' => {
                let (frame, member) = (self.stack.last().copied(), self.member());
                let owner = self.cursor.owner(frame, member);
                let is_object = sign == '{';
                self.stack.push(self.cursor.frames.len());
                self.cursor.frames.push(Frame { is_object, parent: frame, owner, members: Vec::new() });
                self.role = if is_object { Role::Name } else { Role::Value };
            }
            '}' | ']' => {
                self.stack.pop();
                self.role = Role::Behind;
            }
            ':' => self.role = Role::Value,
            _ => {
                let is_object = self.frame().is_some_and(|frame| frame.is_object);
                self.role = if is_object { Role::Name } else { Role::Value };
            }
        }
    }
}

/// The first piece that begins at `at` or behind.
fn next(text: &str, at: usize) -> Option<Token> {
    let rest = text.get(at..)?;
    let start = at + rest.find(|c: char| !c.is_whitespace() && c != '\u{feff}')?;
    let rest = text.get(start..)?;
    let first = rest.chars().next()?;
    let behind = start + first.len_utf8();
    Some(match first {
        '{' | '}' | '[' | ']' | ':' | ',' => Token { span: Span::new(start, behind), kind: TokenKind::Sign(first) },
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
            Token { span: Span::new(start, end), kind: TokenKind::Text(content) }
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
    fn places_know_their_part() {
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
            ("{\"where\":{\"key\":\"a\"|}", Role::Behind, "key", Some("a")),
            ("{\"where\"|", Role::Colon, "where", None),
        ];
        for (marked, role, name, key) in cases {
            let offset = marked.find('|').unwrap();
            let cursor = read(&marked.replacen('|', "", 1), Some(offset));
            let context = cursor.context.unwrap();
            let found = (context.role, cursor.name_of(context.frame, context.member));
            assert_eq!(found, (role, name), "{marked}");
            assert_eq!(cursor.object_of(context.frame).and_then(|frame| frame.member("key")), key, "{marked}");
        }
    }
}
