//! Checks keys: the names of fields.

use super::Checker;
use crate::{
    ast::StringLiteral,
    code,
    datasets::{Dataset, Field, FieldType},
    field_mapping::log_field,
    parse::{errors::excerpt, string::quoted},
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, find_similar};

/// The maximum number of datasets that one message lists.
const MAX_LISTED_DATASETS: usize = 4;
/// The number of bytes of a key that are compared with field names, which are much shorter.
const MAX_COMPARED_KEY_BYTES: usize = 128;

impl Checker<'_> {
    /// Returns the field that a key names, if filters may compare it. Otherwise, reports the reason. A deprecated field
    /// is reported and returned.
    pub(super) fn check_key(&mut self, key: &StringLiteral) -> Option<&'static Field> {
        let dataset = self.options.dataset;
        let Some(field) = dataset.field(&key.text) else {
            let problem = self.diagnose_unknown_key(key, dataset);
            self.report(problem);
            return None;
        };
        if !field.filterable {
            self.report(unfilterable_field_error(key, field, dataset));
            return None;
        }
        if field.deprecated {
            self.report(
                Diagnostic::warning(code::DEPRECATED_FIELD, key.span, format!("`{}` is deprecated", field.name))
                    .with_help("it is kept for older jobs and may be empty"),
            );
        }
        Some(field)
    }

    fn diagnose_unknown_key(&mut self, key: &StringLiteral, dataset: &'static Dataset) -> Diagnostic {
        let name = key.text.as_str();
        let name_excerpt = excerpt(name);
        if name.trim().is_empty() {
            return Diagnostic::error(code::UNKNOWN_KEY, key.span, "the key is empty")
                .with_help(format!("use the name of a field of `{}`", dataset.name));
        }
        if self.remaining_lookups == 0 {
            return unknown_key_error(key, dataset);
        }
        self.remaining_lookups -= 1;
        if let Some(diagnostic) = diagnose_path_key(key, dataset) {
            return diagnostic;
        }
        let use_field = |field: &str| vec![Edit::replace(key.span, quoted(field))];
        if let Some(field) = find_field_by_folded_name(name, dataset) {
            return Diagnostic::error(
                code::UNKNOWN_KEY,
                key.span,
                format!("unknown field `{name_excerpt}`; the field is named `{}`", field.name),
            )
            .with_fix(Fix::safe_edits(format!("use `{}`", field.name), use_field(field.name)));
        }
        let filterable = dataset.fields.iter().filter(|field| field.filterable && !field.deprecated);
        let names = filterable.map(|field| field.name);
        let similar = find_similar(&name.replace(['_', '.', ' '], ""), names);
        // `http.host` resembles `HTTPHost`, but the author of `http.host` means the field of the Rules language.
        let is_rules_field = zonewright_expression::schema::field(name).is_some();
        let others: Vec<_> = Dataset::all()
            .iter()
            .filter(|other| !is_rules_field && find_field_by_folded_name(name, other).is_some())
            .collect();
        let mut diagnostic = match others.as_slice() {
            [] => unknown_key_error(key, dataset),
            others => Diagnostic::error(
                code::KEY_OF_OTHER_DATASET,
                key.span,
                format!("`{name_excerpt}` is a field of {}, not of `{}`", format_dataset_names(others), dataset.name),
            )
            .with_help("use a field of the job's dataset"),
        };
        for field in similar {
            diagnostic = diagnostic.with_fix(Fix::unsafe_edits(format!("use `{field}`"), use_field(field)));
        }
        diagnostic
    }
}

fn unknown_key_error(key: &StringLiteral, dataset: &'static Dataset) -> Diagnostic {
    let message = format!("`{}` has no field `{}`", dataset.name, excerpt(&key.text));
    let diagnostic = Diagnostic::error(code::UNKNOWN_KEY, key.span, message);
    if zonewright_expression::schema::field(&key.text).is_none() {
        return diagnostic;
    }
    let diagnostic = diagnostic.with_help("this is a field of the Rules language; log fields have different names");
    match log_field(&key.text, dataset) {
        Some(field) => diagnostic.with_fix(Fix::unsafe_edits(
            format!("use `{}`", field.name),
            vec![Edit::replace(key.span, quoted(field.name))],
        )),
        None => diagnostic,
    }
}

/// Returns the error for a path into an object: `RequestHeaders.host`, `$.Logs.Message[0]`.
fn diagnose_path_key(key: &StringLiteral, dataset: &Dataset) -> Option<Diagnostic> {
    let path = key.text.trim_start_matches('$').trim_start_matches('.');
    let first = path.split(['.', '[', '/']).next()?;
    let field = if first.len() == path.len() && path.len() == key.text.len() {
        None
    } else {
        find_field_by_folded_name(first, dataset)
    };
    let is_path = key.text.starts_with('$') || field.is_some();
    if !is_path {
        return None;
    }
    let diagnostic = Diagnostic::error(
        code::NESTED_KEY,
        key.span,
        format!("`{}` is a path, but a key must be a field name", excerpt(&key.text)),
    );
    Some(match field {
        Some(field) if matches!(field.ty, FieldType::Object | FieldType::Objects) => diagnostic.with_help(format!(
            "`{}` has the type `{}`; filters cannot compare members of objects",
            field.name,
            field.ty.name()
        )),
        Some(field) => diagnostic.with_fix(Fix::unsafe_edits(
            format!("use `{}`", field.name),
            vec![Edit::replace(key.span, quoted(field.name))],
        )),
        None => diagnostic.with_help("filters cannot compare members of objects"),
    })
}

fn unfilterable_field_error(key: &StringLiteral, field: &Field, dataset: &Dataset) -> Diagnostic {
    let message = format!("`{}` cannot be used in a filter", field.name);
    let diagnostic = Diagnostic::error(code::UNFILTERABLE_FIELD, key.span, message);
    match field.ty {
        FieldType::Object | FieldType::Objects => diagnostic
            .with_label(format!("its type is `{}`", field.ty.name()))
            .with_help("filters cannot compare members of objects"),
        _ => diagnostic.with_help(format!("filters on `{}` do not support this field", dataset.name)),
    }
}

/// Returns the only field whose name differs at most in case and separators: `client_request_host` names
/// `ClientRequestHost`.
fn find_field_by_folded_name(name: &str, dataset: &Dataset) -> Option<&'static Field> {
    let fold = |name: &str| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    let folded = fold(name.get(..MAX_COMPARED_KEY_BYTES.min(name.len())).unwrap_or(name));
    let mut matches = Dataset::from_name(dataset.name)?.fields.iter().filter(|field| fold(field.name) == folded);
    let first = matches.next()?;
    // If several fields match, the intended one is unknown.
    matches.next().is_none().then_some(first)
}

fn format_dataset_names(datasets: &[&Dataset]) -> String {
    let names: Vec<_> =
        datasets.iter().take(MAX_LISTED_DATASETS).map(|dataset| format!("`{}`", dataset.name)).collect();
    match datasets.len().saturating_sub(MAX_LISTED_DATASETS) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
