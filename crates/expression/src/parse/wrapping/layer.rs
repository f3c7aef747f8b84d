//! Recognizes one layer around an expression: quotes, a code fence, a key, JSON or an `if`.

use crate::parse::operator::parse_operator;
use serde_json::Value as Json;
use zonewright_diagnostic::Span;

/// Names of expressions in settings, rules and programs.
const EXPRESSION_KEYS: [&str; 9] =
    ["expression", "expr", "filter", "rule", "condition", "when", "if", "match", "where"];

/// The confidence that a text is wrapped, before the text inside is parsed. The maximum of all layers counts: a certain
/// layer confirms likely quotes, and an unconfirmed layer leaves all layers unconfirmed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Confidence {
    /// Quotes around the whole text, which may also be a plain string.
    Likely,
    /// A name, a fence or an `if`, with which no expression begins.
    Certain,
    /// A quote at both ends and quotes between them, which may belong to two strings.
    Unconfirmed,
}

/// The outermost layer of a text.
pub(super) struct Layer {
    pub(super) message: String,
    /// The span of the inner text, without whitespace at its ends.
    pub(super) inner: Span,
    /// The inner text with its escapes decoded, if it is not a substring of the text.
    pub(super) unescaped: Option<String>,
    pub(super) confidence: Confidence,
    /// Whether parentheses around the inner text belong to the layer.
    pub(super) is_bracketed: bool,
    /// Whether an object has other members than the expression.
    pub(super) loses_members: bool,
}

/// Returns the outermost layer of a trimmed text.
pub(super) fn read_layer(text: &str) -> Option<Layer> {
    strip_code_fence(text)
        .or_else(|| strip_key(text))
        .or_else(|| strip_quotes(text))
        .or_else(|| strip_json_object(text))
        .or_else(|| strip_conditional(text))
}

/// Returns whether a word begins a conditional statement in other languages.
pub(super) fn is_conditional(word: &str) -> bool {
    word.eq_ignore_ascii_case("if") || word.eq_ignore_ascii_case("when")
}

impl Layer {
    /// Creates a layer around a part of the text.
    fn enclosing(text: &str, start: usize, end: usize, message: String) -> Option<Layer> {
        let inner_text = text.get(start..end)?;
        let trimmed = inner_text.trim_start();
        let start = end - trimmed.len();
        let inner = Span::new(start, start + trimmed.trim_end().len());
        let confidence = Confidence::Certain;
        Some(Layer { message, inner, unescaped: None, confidence, is_bracketed: false, loses_members: false })
    }
}

/// Reads a Markdown code fence: ```` ``` ```` lines.
fn strip_code_fence(text: &str) -> Option<Layer> {
    const FENCE: &str = "```";
    let rest = text.strip_prefix(FENCE)?;
    let end = rest.strip_suffix(FENCE).unwrap_or(rest).len();
    let body = rest.get(..end)?;
    if body.contains(FENCE) {
        return None;
    }
    // The opening fence may be followed by the name of a language.
    let name = body.lines().next().filter(|line| line.len() < body.len() && !line.trim().contains(' ')).unwrap_or("");
    let start = FENCE.len() + name.len();
    Layer::enclosing(text, start, FENCE.len() + end, "the expression is inside a code fence".into())
}

fn strip_quotes(text: &str) -> Option<Layer> {
    let hashes = text.strip_prefix('r').map(|rest| rest.len() - rest.trim_start_matches('#').len());
    let open = hashes.map_or(0, |hashes| hashes + 1);
    let mut characters = text.get(open..)?.chars();
    let (first, last) = (characters.next()?, text.trim_end_matches('#').chars().next_back()?);
    let is_pair = match first {
        '"' => last == '"',
        '\'' | '`' if open == 0 => last == first,
        '\u{2018}'..='\u{201F}' | '\u{AB}' | '\u{BB}' if open == 0 => {
            matches!(last, '\u{2018}'..='\u{201F}' | '\u{AB}' | '\u{BB}' | '"')
        }
        _ => false,
    };
    let closing = hashes.unwrap_or_default() + last.len_utf8();
    let (start, end) = (open + first.len_utf8(), text.len().checked_sub(closing)?);
    let body = text.get(start..end).filter(|body| is_pair && !body.trim().is_empty())?;
    let mut layer = Layer::enclosing(text, start, end, "the whole expression is in quotes".into())?;
    layer.confidence = match hashes.is_none() && has_quote(body, &[first, last])? {
        true => Confidence::Unconfirmed,
        false => Confidence::Likely,
    };
    if first == '"' && hashes.is_none() && layer.confidence == Confidence::Likely && body.contains('\\') {
        layer.unescaped = Some(serde_json::from_str(text).unwrap_or_else(|_| unescape_quotes(body)));
    }
    Some(layer)
}

/// Returns whether the body contains one of the quotes without a backslash. Returns `None` if a backslash escapes the
/// closing quote.
fn has_quote(body: &str, quotes: &[char]) -> Option<bool> {
    let mut is_escaped = false;
    let mut found = false;
    for character in body.chars() {
        found |= !is_escaped && quotes.contains(&character);
        is_escaped = character == '\\' && !is_escaped;
    }
    (!is_escaped).then_some(found)
}

/// Decodes a string that is not valid JSON: removes only the backslashes before quotes and backslashes.
fn unescape_quotes(body: &str) -> String {
    let mut text = String::with_capacity(body.len());
    let mut characters = body.chars().peekable();
    while let Some(character) = characters.next() {
        match characters.peek() {
            Some(next @ ('"' | '\\')) if character == '\\' => {
                text.push(*next);
                characters.next();
            }
            _ => text.push(character),
        }
    }
    text
}

/// Reads a rule or filter in JSON.
fn strip_json_object(text: &str) -> Option<Layer> {
    if !(text.starts_with('{') && text.ends_with('}')) {
        return None;
    }
    find_expression_member(&serde_json::from_str(text).ok()?, text)
}

/// Returns the layer of the expression that a JSON object contains.
fn find_expression_member(object: &Json, text: &str) -> Option<Layer> {
    let parent = Some(object).filter(|object| object.get("expression").is_some()).or_else(|| object.get("filter"))?;
    let expression = parent.get("expression").unwrap_or(parent).as_str()?;
    let members = |json: &Json| json.as_object().map_or(1, serde_json::Map::len);
    let mut layer = Layer::enclosing(text, 1, text.len() - 1, "the expression is inside a JSON object".into())?;
    layer.inner.end = layer.inner.start;
    layer.unescaped = Some(expression.to_owned());
    layer.loses_members = members(object) > 1 || members(parent) > 1;
    Some(layer)
}

/// Reads a key with its value: `expression: …`, `expression = …`, `"expression": …`.
fn strip_key(text: &str) -> Option<Layer> {
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''));
    let name_start = quote.map_or(0, char::len_utf8);
    let rest = text.get(name_start..)?;
    let name = rest.get(..rest.find(|c: char| !c.is_ascii_alphabetic())?)?;
    if !EXPRESSION_KEYS.iter().any(|key| key.eq_ignore_ascii_case(name)) {
        return None;
    }
    let rest = rest.strip_prefix(name)?;
    let rest = quote.map_or(Some(rest), |quote| rest.strip_prefix(quote))?.trim_start();
    let value = [":=", "=>", ":", "="].iter().find_map(|sign| rest.strip_prefix(sign))?;
    if value.starts_with(['=', '~', ':']) {
        return None;
    }
    if quote.is_some() {
        // The text may be the members of an object whose braces were not copied.
        let wrapped = format!("{{{}}}", text.trim_end_matches([',', ';']));
        if let Some(mut layer) =
            serde_json::from_str(&wrapped).ok().and_then(|object| find_expression_member(&object, text))
        {
            layer.message = key_message(name);
            layer.inner = Span::empty(text.len() - value.trim_start().len());
            return Some(layer);
        }
    }
    let (value_start, end) = find_block_bounds(value.trim_start());
    let start = text.len() - value.trim_start().len();
    let end = start + end;
    let end = text.get(..end)?.trim_end().trim_end_matches([',', ';']).len();
    Layer::enclosing(text, start + value_start, end.max(start + value_start), key_message(name))
}

fn key_message(name: &str) -> String {
    format!("`{name}` is the name of a setting, not part of the expression")
}

/// Returns the start and end offsets of the lines of a block: `|` and `>-` of YAML, `<<EOT` of Terraform. Returns those
/// of the whole value if it is not a block.
fn find_block_bounds(value: &str) -> (usize, usize) {
    let (first, body) = value.split_once('\n').unwrap_or((value, ""));
    let start = value.len() - body.len();
    let marker = first.trim_end();
    if body.is_empty() {
        return (0, value.len());
    }
    if let Some(word) = marker.strip_prefix("<<") {
        let word = word.trim_start_matches('-').trim_matches('"');
        let end = value.strip_suffix(word).map_or(value.len(), str::len);
        return (start, end.max(start));
    }
    let is_block = marker.starts_with(['|', '>']) && marker.trim_start_matches(['|', '>', '-', '+']).is_empty();
    (if is_block { start } else { 0 }, value.len())
}

/// Reads a conditional statement: `if (…) { block }`, `if … then …`, `when …`.
fn strip_conditional(text: &str) -> Option<Layer> {
    let word = text.get(..text.find(|c: char| !c.is_ascii_alphabetic())?)?;
    let rest =
        text.strip_prefix(word).filter(|rest| is_conditional(word) && rest.starts_with([' ', '\n', '\r', '(']))?;
    let statement = rest.trim();
    let start = text.len() - rest.trim_start().len();
    let condition = strip_action(statement).trim_end();
    let message = format!("`{word}` is not part of an expression");
    let layer = Layer::enclosing(text, start, start + condition.len(), message)?;
    (layer.inner.start < layer.inner.end).then_some(Layer { is_bracketed: true, ..layer })
}

/// Returns the condition of a statement, without the action that follows it.
fn strip_action(statement: &str) -> &str {
    let is_word = |text: &str| {
        let text = text.trim().trim_end_matches(';');
        let word = text.strip_suffix("()").unwrap_or(text);
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && parse_operator(word).is_none()
    };
    let braced = statement.trim_end_matches([';', ' ']).strip_suffix('}').and_then(|rest| rest.rsplit_once('{'));
    if let Some((condition, _)) = braced {
        let condition = condition.trim_end();
        let is_set =
            condition.strip_suffix("in").is_some_and(|prefix| !prefix.ends_with(|c: char| c.is_alphanumeric()));
        return if is_set { statement } else { condition };
    }
    let lowercase = statement.to_ascii_lowercase();
    let then = lowercase.rfind("then").filter(|index| {
        let is_separator = |c: char| c.is_whitespace() || matches!(c, '(' | ')');
        let suffix = statement.get(index + "then".len()..).unwrap_or_default();
        statement.get(..*index).is_some_and(|prefix| prefix.ends_with(is_separator))
            && (suffix.is_empty() || suffix.starts_with(is_separator))
            && !suffix.contains('"')
    });
    if let Some(index) = then {
        return statement.get(..index).unwrap_or(statement);
    }
    if let Some((condition, action)) = statement.rsplit_once(':')
        && (action.trim().is_empty() || action.starts_with(' ') && is_word(action))
    {
        return condition;
    }
    match find_closing_bracket(statement).and_then(|close| statement.split_at_checked(close + 1)) {
        Some((condition, action)) if is_word(action) => condition,
        _ => statement,
    }
}

/// Returns the offset of the delimiter that closes the parenthesis at the start of a text.
fn find_closing_bracket(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let (mut is_string, mut is_escaped) = (false, false);
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'"' if !is_escaped => is_string = !is_string,
            b'(' if !is_string => depth += 1,
            b')' if !is_string => depth = depth.checked_sub(1)?,
            _ => {}
        }
        is_escaped = byte == b'\\' && !is_escaped;
        if depth == 0 {
            return (index > 0).then_some(index);
        }
    }
    None
}
