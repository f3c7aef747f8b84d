//! Checks the placeholder `{DATE}` in paths.

use crate::excerpt::escaped_excerpt;

/// The placeholder for the day of a batch (documented).
pub(super) const DATE_PLACEHOLDER: &str = "{DATE}";

/// Returns the error in the braces of a path, if there is one.
pub(super) fn check(path: &str) -> Option<String> {
    let rest = path.replace(DATE_PLACEHOLDER, "");
    let open = rest.find(['{', '}'])?;
    let inner = rest.get(open + 1..).unwrap_or_default();
    let is_name =
        |name: &&str| name.len() <= 20 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match inner.split_once('}').map(|(name, _)| name).filter(is_name) {
        Some(name) => Some(format!(
            "unknown placeholder `{{{}}}`; the only placeholder is `{DATE_PLACEHOLDER}`, the day as `20240217`",
            escaped_excerpt(name)
        )),
        None => Some(format!("braces are only allowed in the placeholder `{DATE_PLACEHOLDER}`")),
    }
}
