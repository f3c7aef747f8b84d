//! The members of a filter's objects, with their aliases.

use super::errors::excerpt;
use crate::{
    ast::{JsonKind, Member, StringLiteral},
    code,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span, find_similar};

/// The members of objects inside a filter, and of the filter itself.
pub(super) const MEMBERS: [&str; 6] = ["key", "operator", "value", "and", "or", "where"];
/// The names of members in other languages.
const MEMBER_ALIASES: [(&str, &str); 11] = [
    ("field", "key"),
    ("name", "key"),
    ("column", "key"),
    ("op", "operator"),
    ("comparison", "operator"),
    ("val", "value"),
    ("values", "value"),
    ("all", "and"),
    ("any", "or"),
    ("$and", "and"),
    ("$or", "or"),
];

/// Returns the member that a name means.
pub(super) fn resolve_member(name: &str) -> Option<&'static str> {
    let folded = name.trim().to_ascii_lowercase();
    let other = MEMBER_ALIASES.iter().find(|(other, _)| *other == folded).map(|(_, name)| *name);
    MEMBERS
        .into_iter()
        .find(|known| *known == folded)
        .or(other)
        .or_else(|| find_similar(&folded, MEMBERS).first().copied())
}

/// Reports a member that conditions do not have (assumption filter-members).
pub(super) fn unknown_member(name: &StringLiteral, intended: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        code::UNKNOWN_MEMBER,
        name.span,
        format!("unknown member `{}` of a condition", excerpt(&name.text)),
    );
    match intended {
        Some(intended) => {
            let edits = vec![Edit::replace(name.span, format!("\"{intended}\""))];
            let title = format!("use `{intended}`");
            let same = name.text.trim().eq_ignore_ascii_case(intended);
            diagnostic.with_fix(if same { Fix::safe_edits(title, edits) } else { Fix::unsafe_edits(title, edits) })
        }
        None if name.text.eq_ignore_ascii_case("not") || name.text == "$not" => {
            diagnostic.with_help("there is no `not`; negate the operator with `!`, such as `!eq`")
        }
        None => diagnostic.with_help("the members are `key`, `operator` and `value`, or one of `and` and `or`"),
    }
}

/// Reports a whole job in the position of its filter.
pub(super) fn pasted_job_error(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error(code::PASTED_JOB, span, message).with_help("use only the value of the `filter` member")
}

pub(super) fn whole_job_error(span: Span, job: &Member, text: &str) -> Diagnostic {
    let filter = match &job.value.kind {
        JsonKind::String(inner) => inner.clone(),
        _ => job.value.span.text(text).to_owned(),
    };
    let diagnostic = pasted_job_error(job.name.span, "this is a whole job, not a filter");
    if filter.trim().is_empty() {
        return diagnostic;
    }
    diagnostic.with_fix(Fix::safe_edits("keep only the filter", vec![Edit::replace(span, filter)]))
}
