//! Checks of named lists, and of other right sides of `in`.

use super::{Checker, condition::excerpt, literal::string_text};
use crate::{
    ListKind, Type,
    ast::{Literal, LiteralKind},
    code, number, schema,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// The maximum length of a list name, in bytes (documented).
const MAX_LIST_NAME_BYTES: usize = 50;

/// Returns whether a list can have this name, written without the `$`.
pub fn is_list_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'.'))
        && name.len() <= MAX_LIST_NAME_BYTES
        && !name.starts_with('.')
        && !name.ends_with('.')
}

impl Checker<'_> {
    /// Checks that a named list exists and that its items can be compared with the left side.
    pub(super) fn check_list(&mut self, name: &str, span: Span, left: Type) {
        if !is_list_name(name) {
            let diagnostic = Diagnostic::error(
                code::MALFORMED_LIST,
                span,
                format!("`${}` is not a valid list name", excerpt(name)),
            )
            .with_help(
                "list names have at most 50 lowercase letters, digits, and underscores, such as `$office_networks`",
            );
            let normalized = name.to_ascii_lowercase().replace('-', "_");
            let fix =
                Fix::unsafe_edits(format!("use `${normalized}`"), vec![Edit::replace(span, format!("${normalized}"))]);
            self.report(if is_list_name(&normalized) { diagnostic.with_fix(fix) } else { diagnostic });
            return;
        }
        let is_managed = schema::MANAGED_LISTS.iter().any(|(list, _)| *list == name);
        let kind = match &self.options.lists {
            _ if is_managed => Some(ListKind::Ip),
            None => None,
            Some(lists) => match lists.get(name) {
                Some(kind) => Some(*kind),
                None => {
                    let names =
                        lists.keys().map(String::as_str).chain(schema::MANAGED_LISTS.iter().map(|(list, _)| *list));
                    let similar = self.find_similar_names(name, names);
                    self.report(unknown_list_error(name, span, &similar));
                    return;
                }
            },
        };
        if let Some(kind) = kind.filter(|kind| !is_list_compatible(*kind, left)) {
            let items = match kind {
                ListKind::Ip => "IP addresses",
                ListKind::Hostname => "hostnames",
                ListKind::Asn => "AS numbers",
            };
            self.report(
                Diagnostic::error(code::LIST_TYPE, span, format!("the list `${name}` contains {items}"))
                    .with_label(format!("the left side is {left}")),
            );
        }
    }
}

/// Returns whether values of the type can be looked up in lists of this kind.
pub(crate) fn is_list_compatible(kind: ListKind, left: Type) -> bool {
    match kind {
        ListKind::Ip => left.is_compatible_with(Type::IP),
        ListKind::Hostname => left.is_text(),
        ListKind::Asn => left.is_compatible_with(Type::INTEGER),
    }
}

impl Checker<'_> {
    /// Reports a value after `in` that is neither a set nor a list.
    ///
    /// If the left side is a string, no fix is safe, because `contains` may be meant instead. If it is a number or an
    /// IP address, only a set or a list is possible.
    pub(super) fn report_in_without_set(&mut self, operator: Span, literal: &Literal, left: Type) {
        let text = string_text(literal);
        let span = literal.span;
        if let Some(name) = text.strip_prefix('$') {
            let edits = vec![Edit::replace(span, text.as_str())];
            let title = format!("use `{text}`");
            self.report(
                Diagnostic::error(code::IN_WITHOUT_SET, span, "list names are written without quotes").with_fix(
                    match is_list_name(name) && !left.is_text() {
                        true => Fix::safe_edits(title, edits),
                        false => Fix::unsafe_edits(title, edits),
                    },
                ),
            );
            return;
        }
        let is_word = matches!(literal.kind, LiteralKind::Unquoted(_));
        let item = match &literal.kind {
            LiteralKind::Unquoted(word) if left.is_text() && number::parse_bytes(word).is_none() => {
                format!("\"{word}\"")
            }
            LiteralKind::Unquoted(word) => word.to_string(),
            LiteralKind::Quoted(_) if !left.is_text() => text.clone(),
            LiteralKind::Invalid => String::new(),
            _ => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
        };
        let found = excerpt(self.text(span));
        let mut diagnostic = Diagnostic::error(
            code::IN_WITHOUT_SET,
            span,
            format!("expected a set `{{…}}` or a list `$name` after `in`, found `{found}`"),
        );
        let is_name = is_word && text.starts_with(|c: char| c.is_ascii_lowercase()) && is_list_name(&text);
        if is_name && !text.contains('.') {
            // If the left side is a string, the word may also be an item. Otherwise it can only be the declared list.
            let is_declared = self.options.lists.as_ref().is_some_and(|lists| lists.contains_key(text.as_str()));
            let edits = vec![Edit::replace(span, format!("${text}"))];
            let title = format!("use `${text}`");
            diagnostic =
                diagnostic.with_help("list names start with `$`").with_fix(match is_declared && !left.is_text() {
                    true => Fix::safe_edits(title, edits),
                    false => Fix::unsafe_edits(title, edits),
                });
            if !left.is_text() {
                self.report(diagnostic);
                return;
            }
        }
        let is_clear = self.is_whole_literal(span) && is_unambiguous_item(&item, is_word, left);
        let edits = vec![Edit::replace(span, format!("{{{item}}}"))];
        diagnostic = diagnostic.with_fix(match is_clear {
            true => Fix::safe_edits("wrap it in braces", edits),
            false => Fix::unsafe_edits("wrap it in braces", edits),
        });
        if left.is_text() && !is_word {
            let edits = vec![Edit::replace(operator, "contains")];
            diagnostic = diagnostic.with_fix(Fix::unsafe_edits("use `contains`", edits));
        }
        self.report(diagnostic);
    }
}

/// Returns whether the text can only mean a set with this item. A quoted number with a leading zero would become octal,
/// which may not be meant.
fn is_unambiguous_item(item: &str, is_word: bool, left: Type) -> bool {
    if left.is_compatible_with(Type::IP) {
        return number::parse_address_literal(item).is_ok();
    }
    left.is_compatible_with(Type::INTEGER)
        && number::parse_integer(item).is_ok()
        && (is_word || item == "0" || !item.starts_with('0'))
}

fn unknown_list_error(name: &str, span: Span, names: &[&str]) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(code::UNKNOWN_LIST, span, format!("unknown list `${name}`"));
    for name in names {
        diagnostic = diagnostic
            .with_fix(Fix::unsafe_edits(format!("use `${name}`"), vec![Edit::replace(span, format!("${name}"))]));
    }
    diagnostic
}
