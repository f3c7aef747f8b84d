//! Combines fields, named lists and a request into one record.
//!
//! [`RequestInput`] sets explicit fields first, so they take precedence over the request.

use crate::{Error, json, read_input, set_lists};
use serde_json::{Map, Value as Json};
use zonewright_expression::{Outcome, Record, Truth};

/// The parts of a request; each is optional.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestInput<'a> {
    /// Fields with their values, as [`json::set_fields`] reads them. They take precedence over the request.
    pub fields: Option<&'a Map<String, Json>>,
    /// Named lists with their items, as [`crate::parse_lists`] reads them.
    pub lists: Option<&'a Map<String, Json>>,
    /// A request in any format that [`read_input`] detects.
    pub request: Option<&'a [u8]>,
}

impl RequestInput<'_> {
    /// Sets the fields and lists of a record, and every field under its deprecated and its current name. Returns notes
    /// about assumptions and changes.
    ///
    /// # Errors
    /// Returns the first error. Some fields may have been set.
    pub fn write_to(&self, record: &mut Record) -> Result<Vec<String>, Error> {
        if let Some(fields) = self.fields {
            json::set_fields(fields, record)?;
        }
        if let Some(lists) = self.lists {
            set_lists(lists, record)?;
        }
        let notes = match self.request {
            Some(request) => read_input(request, record)?.notes,
            None => Vec::new(),
        };
        json::add_deprecated_names(record);
        Ok(notes)
    }
}

/// Returns the name of an outcome in JSON: `match`, `no-match`, `unknown`, `value` or `absent`.
pub fn outcome_name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::True => "match",
        Outcome::False => "no-match",
        Outcome::Unknown { .. } => "unknown",
        Outcome::Value(_) => "value",
        Outcome::Absent => "absent",
    }
}

/// Returns the name of the truth of a condition in JSON.
pub fn truth_name(truth: Truth) -> &'static str {
    match truth {
        Truth::True => "true",
        Truth::False => "false",
        Truth::Unknown => "unknown",
        Truth::NotReached => "not-reached",
        Truth::Absent => "absent",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]
    use super::*;
    use serde_json::json;
    use zonewright_expression::Value;

    #[test]
    fn explicit_fields_override_the_request_and_get_deprecated_names() {
        let mut record = Record::default();
        let (fields, lists) = (json!({"ip.geoip.country": "DE", "ssl": false}), json!({"office": ["192.0.2.0/24"]}));
        let input = RequestInput {
            fields: fields.as_object(),
            lists: lists.as_object(),
            request: Some(b"https://a.example/b"),
        };
        assert_eq!(input.write_to(&mut record), Ok(Vec::new()));
        assert_eq!(record.get("ssl"), Some(&Value::Boolean(false)));
        assert_eq!(record.get("http.host"), Some(&Value::Text(b"a.example".to_vec())));
        assert_eq!(record.get("ip.src.country"), Some(&Value::Text(b"DE".to_vec())));
        assert_eq!(record.list("office").map(<[_]>::len), Some(1));
    }

    #[test]
    fn each_invalid_part_is_rejected() {
        let invalid = json!({"a": 1});
        for input in [
            RequestInput { fields: invalid.as_object(), ..RequestInput::default() },
            RequestInput { lists: invalid.as_object(), ..RequestInput::default() },
            RequestInput { request: Some(b"a"), ..RequestInput::default() },
        ] {
            assert!(input.write_to(&mut Record::default()).is_err(), "{input:?}");
        }
    }
}
