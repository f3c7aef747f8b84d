//! Reads the form of a sample request.

use super::{
    ArgumentErrors, excerpt, read_entries, read_enum_value, read_members, read_non_negative_integer, read_text,
};
use std::collections::BTreeMap;
use wasm_bindgen::JsValue;
use zonewright_expression::MissingPolicy;

/// A sample request as a user enters it in a form.
#[derive(Default)]
pub(crate) struct SampleForm {
    /// A request in any format; empty for none.
    pub(crate) request: String,
    /// The index of the request in a HAR file.
    pub(crate) entry: usize,
    /// The texts of fields and of lists (named with `$`), which replace the values of the request.
    pub(crate) values: BTreeMap<String, String>,
    /// The value of fields that have neither.
    pub(crate) missing: MissingPolicy,
}

/// Reads a form.
pub(crate) fn read_sample_form(value: &JsValue) -> Result<SampleForm, ArgumentErrors> {
    let mut form = SampleForm::default();
    read_members(value, "the form", &["request", "entry", "values", "missing"], |name, value| {
        let label = format!("`{name}` of the form");
        match name {
            "request" => form.request = read_text(value, &label)?,
            "entry" => {
                form.entry = usize::try_from(read_non_negative_integer(value, &label)?).unwrap_or(usize::MAX);
            }
            "values" => {
                for (name, value) in read_entries(value, &label)? {
                    let text = read_text(&value, &format!("`values.{}` of the form", excerpt(&name)))?;
                    form.values.insert(name, text);
                }
            }
            _ => {
                let policies = MissingPolicy::ALL.map(|policy| (policy.name(), policy));
                form.missing = read_enum_value(&label, value, policies)?;
            }
        }
        Ok(())
    })?;
    Ok(form)
}
