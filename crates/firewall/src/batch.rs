//! Reads the items of a request body, and reports the errors of all items up to a limit.
//!
//! Start with [`Batch`]. A batch exists only if all of its items are valid.

use serde_json::Value;
use zonewright_api::{ValidationError, check_no_nul, describe_value, prefix_pointers, shape_error};

/// The maximum number of items in one request: the largest quota of rules (assumption batch-limits). Updates of rules
/// have a lower limit.
pub const MAX_ITEMS: usize = 1000;
/// The number of errors after which the rest of a request is not validated. This bounds the cost of a hostile request
/// (assumption batch-limits).
const MAX_ERRORS: usize = 100;

/// The items of a request body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch<T> {
    /// The items in the order of the body; at least one.
    pub items: Vec<T>,
    form: BodyForm,
}

/// The shape of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BodyForm {
    /// An array of items.
    Array,
    /// One object instead of an array, as generated clients send it.
    Object,
    /// One object for the item that the path identifies.
    PathId,
}

impl<T> Batch<T> {
    /// Creates the batch of a request whose path identifies the only item.
    pub(crate) fn for_path_id(item: T) -> Self {
        Batch { items: vec![item], form: BodyForm::PathId }
    }

    /// Returns whether the path of the request identifies the only item.
    pub fn has_path_id(&self) -> bool {
        self.form == BodyForm::PathId
    }

    /// Returns the JSON pointer to an item of the body.
    pub fn pointer(&self, index: usize) -> String {
        item_pointer(self.form, index)
    }

    /// Reads a body of at most `max_items` items: an array, or one object as an array of one. `purpose` is the verb of
    /// the request for messages, such as `create`.
    pub(crate) fn read(
        body: &Value,
        purpose: &str,
        max_items: usize,
        mut read: impl FnMut(&Value) -> Result<T, Vec<ValidationError>>,
    ) -> Result<Batch<T>, Vec<ValidationError>> {
        let (values, form) = match body {
            Value::Array(values) if values.is_empty() => {
                return shape_error(format!("the array is empty: there is nothing to {purpose}"));
            }
            Value::Array(values) if values.len() > max_items => {
                return shape_error(format!("the array has {} items; at most {max_items} are allowed", values.len()));
            }
            Value::Array(values) => (values.as_slice(), BodyForm::Array),
            Value::Object(_) => (std::slice::from_ref(body), BodyForm::Object),
            other => {
                return shape_error(format!("the body must be an array of objects, not {}", describe_value(other)));
            }
        };
        let mut items = Vec::new();
        let mut errors = Vec::new();
        for (index, value) in values.iter().enumerate() {
            if errors.len() >= MAX_ERRORS {
                let message = "too many errors; the remaining items were not validated";
                errors.push(ValidationError::invalid_shape(item_pointer(form, index), message));
                break;
            }
            match read(value) {
                Ok(item) => items.push(item),
                Err(found) => errors.extend(prefix_pointers(&item_pointer(form, index), found)),
            }
        }
        if errors.is_empty() { Ok(Batch { items, form }) } else { Err(errors) }
    }
}

fn item_pointer(form: BodyForm, index: usize) -> String {
    if form == BodyForm::Array { format!("/{index}") } else { String::new() }
}

/// Validates the two free texts of filters and rules (limits observed).
pub(crate) fn check_texts(description: Option<&str>, reference: Option<&str>) -> Vec<ValidationError> {
    let limits = [("description", description, 500), ("ref", reference, 50)];
    let mut errors = Vec::new();
    for (name, text, limit) in limits {
        let text = text.unwrap_or_default();
        let length = text.chars().count();
        if length > limit {
            let message = format!("`{name}` has {length} characters; at most {limit} are allowed");
            errors.push(ValidationError::invalid_value(format!("/{name}"), message));
        }
        errors.extend(check_no_nul(name, text));
    }
    errors
}
