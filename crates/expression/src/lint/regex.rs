//! Lints on regular expressions: redundant ones, and those that match more or less than they seem to.

use super::{
    Linter, excerpt,
    pattern::{self, RegexShape},
    presence,
    subject::form_of,
    text, value_form,
};
use crate::{code, resolved::Comparison, schema::ValueForm};
use regex_syntax::ast::{Ast, LiteralKind};
use zonewright_diagnostic::{Applicability, Diagnostic, Edit, Span};

/// File extensions before which an unescaped dot is probably meant literally.
const FILE_EXTENSIONS: [&str; 24] = [
    "asp", "aspx", "cgi", "css", "env", "gif", "html", "htm", "ico", "ini", "jpg", "js", "json", "jsp", "log", "php",
    "png", "sql", "svg", "txt", "xml", "yaml", "yml", "zip",
];

/// The plain test that replaces a pattern.
#[derive(Clone, Copy)]
enum PlainTest {
    In,
    Equal,
    StartsWith,
    EndsWith,
    Contains,
}

impl PlainTest {
    fn word(self) -> &'static str {
        match self {
            PlainTest::In => "in",
            PlainTest::Equal => "eq",
            PlainTest::StartsWith => "starts_with",
            PlainTest::EndsWith => "ends_with",
            PlainTest::Contains => "contains",
        }
    }
}

impl Linter<'_> {
    /// Lints a regular expression.
    pub(super) fn lint_regex(&mut self, comparison: &Comparison, pattern: &str, span: Span) {
        if self.lint_doubled_backslash(comparison, pattern) {
            return;
        }
        let Some((ast, hir)) = pattern::parse_regex(pattern) else { return };
        let left = &comparison.left;
        let mismatch = pattern::required_substrings(&hir).iter().find_map(|text| self.find_case_mismatch(left, text));
        let mismatch = mismatch
            .or_else(|| pattern::common_prefix(&hir).and_then(|text| value_form::check_prefix(left, &text)))
            .filter(|mismatch| mismatch.code == code::NEVER_MATCHES);
        if let Some(mismatch) = mismatch {
            let reason = format!("this never matches: {}", mismatch.reason);
            self.report(Diagnostic::warning(code::NEVER_MATCHES, comparison.right_span, reason));
            return;
        }
        // `.` does not match line breaks, so the value must be a single line.
        let is_line = form_of(left).is_some_and(|(form, _)| form.is_line());
        match RegexShape::from_hir(&hir).filter(|shape| is_line || !shape.assumes_single_line) {
            Some(shape) if shape.matches_all() => self.report_matches_everything(comparison, span),
            Some(shape) => self.lint_needless_regex(comparison, &shape, span),
            None => self.lint_imprecise_pattern(comparison, pattern, &ast),
        }
    }

    fn report_matches_everything(&mut self, comparison: &Comparison, span: Span) {
        if presence::is_certainly_present(&comparison.left) {
            let reason = "the pattern matches any text";
            self.report(Diagnostic::warning(code::ALWAYS_MATCHES, span, format!("this is always true: {reason}")));
        }
    }

    fn lint_needless_regex(&mut self, comparison: &Comparison, shape: &RegexShape, span: Span) {
        let left = &comparison.left;
        let [first, other_texts @ ..] = shape.texts.as_slice() else { return };
        let test = match (shape.at_start, shape.at_end) {
            (true, true) if !other_texts.is_empty() => PlainTest::In,
            (true, true) => PlainTest::Equal,
            (true, false) => PlainTest::StartsWith,
            (false, true) => PlainTest::EndsWith,
            (false, false) => PlainTest::Contains,
        };
        let operator = test.word();
        let needs_lower = shape.folded && !text::is_lowercased(left);
        let name = if needs_lower { format!("{operator}` on `lower(…)") } else { operator.to_owned() };
        let diagnostic = Diagnostic::hint(code::NEEDLESS_REGEX, span, format!("`{name}` can replace this pattern"))
            .with_help("plain comparisons work on every plan; regular expressions require Business or Enterprise");
        let needs_nesting = matches!(test, PlainTest::StartsWith | PlainTest::EndsWith) || needs_lower;
        if needs_nesting && (left.each || !self.can_nest) {
            self.report(diagnostic);
            return;
        }
        let value = self.text(left.span);
        let value = if needs_lower { format!("lower({value})") } else { value.to_owned() };
        let first = excerpt::quote(first);
        let comparison_text = match test {
            PlainTest::In => {
                let items: Vec<String> = shape.texts.iter().map(|text| excerpt::quote(text)).collect();
                format!("{value} in {{{}}}", items.join(" "))
            }
            PlainTest::StartsWith | PlainTest::EndsWith => format!("{operator}({value}, {first})"),
            PlainTest::Equal | PlainTest::Contains => format!("{value} {operator} {first}"),
        };
        let applicability = if shape.assumes_single_line { Applicability::Unsafe } else { Applicability::Safe };
        let diagnostic = self.with_fix(
            diagnostic,
            format!("use `{operator}`"),
            vec![Edit::replace(span, comparison_text)],
            applicability,
        );
        self.report(diagnostic);
    }

    /// Reports unescaped dots, and patterns for hosts that also match longer names.
    fn lint_imprecise_pattern(&mut self, comparison: &Comparison, pattern: &str, ast: &Ast) {
        let Some((form, _)) = form_of(&comparison.left) else { return };
        if !matches!(form, ValueForm::Host | ValueForm::Path | ValueForm::Uri | ValueForm::FullUri) {
            return;
        }
        let mut dots = Vec::new();
        collect_dots(ast, form, &mut dots);
        if let Some(first) = dots.first() {
            // Searching for the pattern once per dot would take quadratic time.
            let pattern_span = self.pattern_span(comparison.right_span, pattern);
            let span =
                pattern_span.map(|pattern_span| Span::new(pattern_span.start + first, pattern_span.start + first + 1));
            let diagnostic = Diagnostic::warning(
                code::UNESCAPED_DOT,
                span.unwrap_or(comparison.right_span),
                "`.` matches any character here, but a literal dot seems to be meant",
            );
            let edits: Option<Vec<Edit>> =
                dots.iter().map(|dot| Some(Edit::insert(pattern_span?.start + dot, "\\"))).collect();
            let diagnostic = match edits {
                Some(edits) => self.with_fix(diagnostic, "write `\\.`", edits, Applicability::Unsafe),
                None => diagnostic,
            };
            self.report(diagnostic);
        }
        if form == ValueForm::Host && ends_in_domain(ast) {
            let span = self.pattern_span(comparison.right_span, pattern);
            let diagnostic = Diagnostic::warning(
                code::UNANCHORED_END,
                span.unwrap_or(comparison.right_span),
                "the pattern does not end with `$`, so it also matches longer hostnames",
            );
            let diagnostic = match span {
                Some(span) => self.with_fix(
                    diagnostic,
                    "add `$` at the end",
                    vec![Edit::insert(span.end, "$")],
                    Applicability::Unsafe,
                ),
                None => diagnostic,
            };
            self.report(diagnostic);
        }
    }

    /// Reports `\\.` in a pattern, which matches a backslash and any character. Returns whether there is a report.
    fn lint_doubled_backslash(&mut self, comparison: &Comparison, pattern: &str) -> bool {
        let is_line = form_of(&comparison.left).is_some_and(|(form, _)| form.is_line());
        if !is_line || !pattern.contains("\\\\") {
            return false;
        }
        let bytes = pattern.as_bytes();
        let (mut index, mut escapes) = (0, 0);
        while let Some(byte) = bytes.get(index) {
            match (byte, bytes.get(index + 1), bytes.get(index + 2)) {
                // A single escape shows that doubled backslashes are intended.
                (b'\\', Some(next), _) if *next != b'\\' => return false,
                (b'\\', Some(_), Some(after)) => {
                    escapes += usize::from(b".dwsbDWS/?+*()[]{}$^|-".contains(after));
                    index += 2;
                }
                (b'\\', ..) => index += 2,
                _ => index += 1,
            }
        }
        if escapes == 0 {
            return false;
        }
        let span = comparison.right_span;
        let diagnostic = Diagnostic::warning(
            code::DOUBLED_BACKSLASH,
            span,
            "`\\\\` matches a backslash here, so the next character is not escaped",
        )
        .with_help("after `matches`, use single backslashes; the doubling comes from JSON or HCL");
        let diagnostic = match self.pattern_span(span, pattern) {
            Some(span) => {
                let edits = vec![Edit::replace(span, pattern.replace("\\\\", "\\"))];
                self.with_fix(diagnostic, "use single backslashes", edits, Applicability::Unsafe)
            }
            None => diagnostic,
        };
        self.report(diagnostic);
        true
    }

    /// Returns the span of the pattern inside its quotes, if the literal contains the pattern without escapes.
    fn pattern_span(&self, literal: Span, pattern: &str) -> Option<Span> {
        let text = self.text(literal);
        let quote = text.find('"')? + 1;
        text.get(quote..)?.starts_with(pattern).then(|| {
            let start = literal.start + quote;
            Span::new(start, start + pattern.len())
        })
    }
}

/// Collects the offsets of unescaped dots that are probably meant literally.
fn collect_dots(ast: &Ast, form: ValueForm, dots: &mut Vec<usize>) {
    match ast {
        Ast::Concat(row) => {
            for (index, part) in row.asts.iter().enumerate() {
                match part {
                    Ast::Dot(span) if is_literal_dot_intended(&row.asts, index, form) => dots.push(span.start.offset),
                    other => collect_dots(other, form, dots),
                }
            }
        }
        Ast::Alternation(choices) => choices.asts.iter().for_each(|choice| collect_dots(choice, form, dots)),
        Ast::Group(group) => collect_dots(&group.ast, form, dots),
        _ => {}
    }
}

/// Returns whether the dot at this index is probably literal: in a host between labels, in a path before a file
/// extension.
fn is_literal_dot_intended(row: &[Ast], index: usize, form: ValueForm) -> bool {
    let follows_name = index.checked_sub(1).and_then(|previous| row.get(previous)).is_some_and(is_name);
    let following: String = row.iter().skip(index + 1).map_while(literal_letter).collect();
    let is_end = row.get(index + 1 + following.len()).is_none_or(|next| matches!(next, Ast::Assertion(_)));
    match form {
        ValueForm::Host => follows_name && !following.is_empty(),
        _ => follows_name && is_end && FILE_EXTENSIONS.contains(&following.as_str()),
    }
}

/// Returns the literal letter, digit or hyphen that a part matches.
fn literal_letter(ast: &Ast) -> Option<char> {
    match ast {
        Ast::Literal(literal) if literal.c.is_ascii_alphanumeric() || literal.c == '-' => Some(literal.c),
        _ => None,
    }
}

/// Returns whether a part matches characters of a name, as a literal or a class.
fn is_name(ast: &Ast) -> bool {
    match ast {
        Ast::Repetition(repetition) => is_name(&repetition.ast),
        Ast::ClassBracketed(_) | Ast::ClassPerl(_) | Ast::Group(_) => true,
        other => literal_letter(other).is_some(),
    }
}

/// Returns whether a pattern ends in a dot and two or more letters, as `example\.com` does.
fn ends_in_domain(ast: &Ast) -> bool {
    let Ast::Concat(row) = ast else { return false };
    let letters = row.asts.iter().rev().map_while(literal_letter).take_while(char::is_ascii_alphabetic).count();
    let Some(dot) = row.asts.len().checked_sub(letters + 1).and_then(|index| row.asts.get(index)) else {
        return false;
    };
    let is_dot = match dot {
        Ast::Dot(_) => true,
        Ast::Literal(literal) => literal.c == '.' && literal.kind != LiteralKind::Verbatim,
        _ => false,
    };
    letters >= 2 && is_dot
}
