//! Checks that the job form of the app has a control for every member, and a field and a message for every batch limit.

use super::{files, text};

/// Members that other controls show: `destination_conf` has one for each part, `enabled` is a checkbox
/// without an ID, because no error refers to it, and
/// `output_options` has one for each option.
const MEMBERS_WITHOUT_CONTROL: [&str; 3] = ["destination_conf", "enabled", "output_options"];

/// Returns the texts in the array of this name.
fn texts_in_array(path: &str, name: &str) -> Vec<String> {
    let source = text(path);
    let array = source.split_once(&format!("const {name}: ")).and_then(|(_, rest)| rest.split_once("];")).unwrap().0;
    array.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn job_form_has_a_control_for_every_member() {
    let controls = [("web/src/job.rs", "BATCH_LIMITS"), ("web/src/job/output.rs", "RECORD_FORMAT_MEMBERS")];
    let repeated: Vec<String> = controls.into_iter().flat_map(|(path, name)| texts_in_array(path, name)).collect();
    let pages: String =
        files().into_iter().filter(|path| path.starts_with("web/src/pages/jobs/")).map(|path| text(&path)).collect();
    let members =
        [("crates/logpush/src/job/read.rs", "WRITABLE_MEMBERS"), ("crates/logpush/src/output_options.rs", "MEMBERS")];
    let mut members: Vec<String> = members.into_iter().flat_map(|(path, name)| texts_in_array(path, name)).collect();
    members.retain(|name| !MEMBERS_WITHOUT_CONTROL.contains(&name.as_str()));
    assert!(members.len() > 20, "{members:?}");
    members.retain(|name| {
        let attributes = [format!("id=\"job-{name}\""), format!("name=\"{name}\"")];
        !repeated.contains(name) && !attributes.iter().any(|attribute| pages.contains(attribute))
    });
    assert!(members.is_empty(), "no control in web/src/pages/jobs has the ID `job-…` of {members:?}");
}

#[test]
fn every_batch_limit_has_a_field_and_a_message() {
    let limits = texts_in_array("web/src/job.rs", "BATCH_LIMITS");
    let pointers: Vec<String> = limits.iter().map(|name| format!("/{name}")).collect();
    for (path, name) in [
        ("web/src/pages/jobs/batching.rs", "BATCH_LIMIT_FIELDS"),
        ("web/src/pages/jobs/submit.rs", "BATCH_LIMIT_MESSAGES"),
    ] {
        let mut rows = texts_in_array(path, name);
        rows.retain(|text| text.starts_with('/'));
        assert!(rows.starts_with(&pointers), "{name} in {path} has other rows than `BATCH_LIMITS`: {rows:?}");
    }
}
