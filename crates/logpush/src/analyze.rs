//! Analyzes a filter for an editor: one call of [`analyze`] returns diagnostics, semantic tokens and the usage of
//! limits.

use crate::{
    Options,
    ast::Encoding,
    check::{check_parsed, condition_spans},
    cursor::{self, Role, TokenKind},
    member_name::MemberName,
    parse::{parse_unwrapped, unwrap::UnwrappedSource, within_size_limit},
};
use zonewright_diagnostic::{Diagnostic, Span};

/// The result of [`analyze`].
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Whether there are no errors; warnings and hints are allowed.
    pub ok: bool,
    /// The encoding of the source.
    pub encoding: Encoding,
    /// All diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// The semantic tokens, in source order and without overlap.
    pub tokens: Vec<SemanticToken>,
    /// The usage of the limits.
    pub usage: Usage,
}

/// A semantic token: a span with the role of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    /// The span in the source.
    pub span: Span,
    /// The role.
    pub kind: SemanticTokenKind,
}

/// The role of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemanticTokenKind {
    /// The name of a member: `"where"`.
    Member,
    /// The name of a field.
    Key,
    /// The name of an operator.
    Operator,
    /// Any other string.
    String,
    /// A number, or any other word without quotes.
    Number,
    /// `true`, `false`, `null`.
    Literal,
}

impl SemanticTokenKind {
    /// Returns the name for JSON and for styles.
    pub fn as_str(self) -> &'static str {
        match self {
            SemanticTokenKind::Member => "member",
            SemanticTokenKind::Key => "key",
            SemanticTokenKind::Operator => "operator",
            SemanticTokenKind::String => "string",
            SemanticTokenKind::Number => "number",
            SemanticTokenKind::Literal => "literal",
        }
    }
}

/// The usage of the limits (assumption filter-limits).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The number of conditions.
    pub operators: usize,
    /// The maximum number of conditions.
    pub max_operators: usize,
    /// The length of the filter string in bytes of UTF-8, without the escapes of an escaped filter.
    pub bytes: usize,
    /// The maximum length in bytes.
    pub max_bytes: usize,
}

/// Analyzes a filter for an editor.
pub fn analyze(source: &str, options: &Options) -> Analysis {
    let unwrapped = UnwrappedSource::new(within_size_limit(source));
    let parsed = parse_unwrapped(source, &unwrapped);
    let operators = parsed.ast.as_ref().map_or(0, |ast| condition_spans(&ast.condition).len());
    let checked = check_parsed(&unwrapped, parsed, options);
    // A text above the size limit was not unwrapped, so its own length counts.
    let bytes = if source.len() == within_size_limit(source).len() { unwrapped.text.len() } else { source.len() };
    Analysis {
        ok: !checked.diagnostics.iter().any(Diagnostic::is_error),
        encoding: unwrapped.encoding,
        diagnostics: checked.diagnostics,
        tokens: semantic_tokens(&unwrapped),
        usage: Usage { operators, max_operators: options.max_operators, bytes, max_bytes: options.max_bytes },
    }
}

/// Returns the semantic tokens; the text may be invalid.
fn semantic_tokens(unwrapped: &UnwrappedSource<'_>) -> Vec<SemanticToken> {
    let syntax = cursor::parse_tolerant(&unwrapped.text, None);
    let kind = |role_token: &cursor::RoleToken| {
        let word = role_token.token.span.text(&unwrapped.text);
        match (role_token.role, role_token.token.kind) {
            (Role::Name, _) => SemanticTokenKind::Member,
            (_, TokenKind::String(_)) => {
                match MemberName::from_name(syntax.member_name(role_token.container, role_token.member)) {
                    Some(MemberName::KEY) => SemanticTokenKind::Key,
                    Some(MemberName::OPERATOR) => SemanticTokenKind::Operator,
                    Some(MemberName::VALUE | MemberName::Group(_)) | None => SemanticTokenKind::String,
                }
            }
            _ if matches!(word, "true" | "false" | "null") => SemanticTokenKind::Literal,
            _ => SemanticTokenKind::Number,
        }
    };
    let is_shown = |role_token: &&cursor::RoleToken| {
        role_token.role == Role::Name
            || matches!(role_token.token.kind, TokenKind::String(_))
            || role_token.token.span.text(&unwrapped.text).starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-')
    };
    let shown = syntax.tokens.iter().filter(is_shown);
    shown
        .map(|role_token| SemanticToken {
            span: unwrapped.to_outer_span(role_token.token.span),
            kind: kind(role_token),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_ordered_and_cover_their_text() {
        let plain = r#"{"where":{"and":[{"key":"BotScore","operator":"in","value":[1,"2"]},{"key":"A","operator":"eq","value":true}]}}"#;
        let expected = "member \"where\" member \"and\" member \"key\" key \"BotScore\" member \"operator\" \
            operator \"in\" member \"value\" number 1 string \"2\" member \"key\" key \"A\" member \"operator\" \
            operator \"eq\" member \"value\" literal true";
        let shown = |source: &str| {
            let tokens = analyze(source, &Options::default()).tokens.into_iter();
            tokens
                .map(|token| format!("{} {}", token.kind.as_str(), token.span.text(source)))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(shown(plain), expected);
        let escaped = crate::parse::string::quoted(plain);
        assert_eq!(shown(&escaped), expected.replace('"', "\\\""));
        assert_eq!(shown("{\"where\": {\"key\": \"a"), "member \"where\" member \"key\" key \"a");
    }

    #[test]
    fn usage_counts_operators_and_unescaped_bytes() {
        let source = "\"{\\\"where\\\":{\\\"key\\\":\\\"\\u00e9\\\"}}\"";
        let usage = analyze(source, &Options::default()).usage;
        assert_eq!((usage.operators, usage.bytes), (1, "{\"where\":{\"key\":\"é\"}}".len()));
    }
}
