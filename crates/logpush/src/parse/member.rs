//! Resolves the names of a filter's members, with their aliases, and builds the errors for unknown members and for
//! jobs.

use super::errors::excerpt;
use crate::{
    ast::{JsonKind, Member, StringLiteral},
    code,
    member_name::MemberName,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span, find_similar};

/// Names that other languages use for these members.
const MEMBER_ALIASES: [(&str, MemberName); 11] = [
    ("field", MemberName::KEY),
    ("name", MemberName::KEY),
    ("column", MemberName::KEY),
    ("op", MemberName::OPERATOR),
    ("comparison", MemberName::OPERATOR),
    ("val", MemberName::VALUE),
    ("values", MemberName::VALUE),
    ("all", MemberName::AND),
    ("any", MemberName::OR),
    ("$and", MemberName::AND),
    ("$or", MemberName::OR),
];

/// Returns the member that a name means.
pub(super) fn resolve_member(name: &str) -> Option<MemberName> {
    let folded = name.trim().to_ascii_lowercase();
    let find_alias = || MEMBER_ALIASES.iter().find(|(alias, _)| *alias == folded).map(|(_, member)| *member);
    let find_misspelled =
        || MemberName::from_name(find_similar(&folded, MemberName::ALL.map(MemberName::name)).first()?);
    MemberName::from_name(&folded).or_else(find_alias).or_else(find_misspelled)
}

/// Returns the error for a member that conditions do not have (assumption filter-members).
pub(super) fn unknown_member_error(name: &StringLiteral, intended: Option<MemberName>) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        code::UNKNOWN_MEMBER,
        name.span,
        format!("unknown member `{}` of a condition", excerpt(&name.text)),
    );
    match intended {
        Some(intended) => {
            let intended = intended.name();
            let edits = vec![Edit::replace(name.span, format!("\"{intended}\""))];
            let title = format!("use `{intended}`");
            let is_same = name.text.trim().eq_ignore_ascii_case(intended);
            diagnostic.with_fix(if is_same { Fix::safe_edits(title, edits) } else { Fix::unsafe_edits(title, edits) })
        }
        None if name.text.eq_ignore_ascii_case("not") || name.text == "$not" => {
            diagnostic.with_help("there is no `not`; negate the operator with `!`, such as `!eq`")
        }
        None => diagnostic.with_help("the members are `key`, `operator`, and `value`, or one of `and` and `or`"),
    }
}

/// Returns the error for a job, or a member of one, in the position of the filter.
pub(super) fn pasted_job_error(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error(code::PASTED_JOB, span, message).with_help("use only the value of the `filter` member")
}

/// Returns the error for a whole job in the position of its filter, with a fix that keeps the filter.
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
