//! Lints on suffixes of hostnames that unrelated hostnames have too.

use super::{
    Linter,
    atom::Test,
    excerpt,
    subject::{Case, form_of},
};
use crate::{code, resolved::Operand, schema::ValueForm};
use zonewright_diagnostic::{Applicability, Diagnostic, Edit, Span};

/// Top-level domains that rarely occur elsewhere in a name.
const TOP_LEVEL_DOMAINS: [&str; 7] = ["com", "edu", "gov", "info", "io", "net", "org"];

/// First labels of public suffixes under country domains: `co.uk`.
const SECOND_LEVEL_LABELS: [&str; 8] = ["ac", "co", "com", "edu", "gov", "ne", "net", "org"];

impl Linter<'_> {
    /// Reports `ends_with(http.host, "example.com")`, which `evilexample.com` also matches.
    pub(super) fn lint_unanchored_suffix(&mut self, subject: &Operand, test: &Test<'_>, span: Span) {
        let (text, is_end) = match test {
            Test::Suffix(text, _) => (*text, true),
            Test::Contains(text, _) => (*text, false),
            _ => return,
        };
        let is_host = matches!(form_of(subject), Some((ValueForm::Host, Case::Unchanged | Case::Lower)));
        if !is_host || !is_domain(text, is_end) {
            return;
        }
        let example = excerpt::quote_excerpt(&[b"evil", text].concat());
        let diagnostic = match is_end {
            true => Diagnostic::warning(code::UNANCHORED_START, span, format!("{example} also ends with this")),
            false => Diagnostic::hint(code::UNANCHORED_START, span, format!("{example} also contains this")),
        };
        let diagnostic = diagnostic.with_help("with a leading dot, only subdomains match");
        let (value, name) = (self.text(subject.span), excerpt::quote(text));
        let names = excerpt::quote(&[b".", text].concat());
        let either = format!("{value} eq {name} or ends_with({value}, {names})");
        let either = if self.is_whole_group(span) { either } else { format!("({either})") };
        let edits = vec![Edit::replace(span, either)];
        let diagnostic = match self.can_nest {
            true => self.with_fix(diagnostic, "match the domain and its subdomains", edits, Applicability::Unsafe),
            false => diagnostic,
        };
        self.report(diagnostic);
    }

    /// Returns whether a condition is the whole expression, or the whole content of parentheses.
    fn is_whole_group(&self, span: Span) -> bool {
        let prefix = self.source.get(..span.start).unwrap_or_default().trim_end();
        let suffix = self.source.get(span.end..).unwrap_or_default().trim_start();
        (prefix.is_empty() && suffix.is_empty()) || (prefix.ends_with('(') && suffix.starts_with(')'))
    }
}

/// Returns whether the text is a whole domain name: `example.com`. A text that begins with `.` or `-` is deliberate.
/// Unless the text is the end of a name (`is_end`), only common top-level domains count.
fn is_domain(text: &[u8], is_end: bool) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let labels: Vec<&str> = text.split('.').collect();
    let ([.., _, last], [first, rest @ ..]) = (labels.as_slice(), labels.as_slice()) else { return false };
    let is_label_byte = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_label = |label: &&str| !label.is_empty() && !label.starts_with('-') && label.bytes().all(is_label_byte);
    let is_country_suffix = rest.len() == 1 && last.len() == 2 && SECOND_LEVEL_LABELS.contains(first);
    labels.iter().all(is_label)
        && last.len() > 1
        && last.bytes().all(|byte| byte.is_ascii_lowercase())
        && !is_country_suffix
        && (is_end || TOP_LEVEL_DOMAINS.contains(last))
}
