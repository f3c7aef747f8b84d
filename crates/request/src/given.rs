//! What a program gives of a request, as one record: fields first, as they count before the rest.

use crate::{Error, json, read, set_lists};
use serde_json::{Map, Value as Json};
use zonewright_expression::{Outcome, Record, Truth};

/// What is given of a request; nothing of it must be.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// Fields with their values, as [`json::set_fields`] reads them. They count before the request.
    pub fields: Option<&'a Map<String, Json>>,
    /// Named lists with their items, as [`crate::lists`] reads them.
    pub lists: Option<&'a Map<String, Json>>,
    /// A request in any of the forms that [`read`] knows.
    pub request: Option<&'a [u8]>,
}

impl Given<'_> {
    /// Puts it into a record, and gives what was assumed, one sentence each.
    ///
    /// # Errors
    /// When a part of it is wrong. The record may have some of the fields then.
    pub fn write(&self, record: &mut Record) -> Result<Vec<String>, Error> {
        if let Some(fields) = self.fields {
            json::set_fields(fields, record)?;
        }
        if let Some(lists) = self.lists {
            set_lists(lists, record)?;
        }
        let notes = match self.request {
            Some(request) => read(request, record)?.notes,
            None => Vec::new(),
        };
        json::add_former_names(record);
        Ok(notes)
    }
}

/// The word for an outcome in JSON: `match`, `no-match`, `unknown`, `value` or `absent`.
pub fn outcome_name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::True => "match",
        Outcome::False => "no-match",
        Outcome::Unknown { .. } => "unknown",
        Outcome::Value(_) => "value",
        Outcome::Absent => "absent",
    }
}

/// The word for the truth of a condition in JSON.
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
    fn fields_count_before_the_request_and_former_names_follow() {
        let mut record = Record::default();
        let (fields, lists) = (json!({"ip.geoip.country": "DE", "ssl": false}), json!({"office": ["192.0.2.0/24"]}));
        let given =
            Given { fields: fields.as_object(), lists: lists.as_object(), request: Some(b"https://a.example/b") };
        assert_eq!(given.write(&mut record), Ok(Vec::new()));
        assert_eq!(record.get("ssl"), Some(&Value::Boolean(false)));
        assert_eq!(record.get("http.host"), Some(&Value::Text(b"a.example".to_vec())));
        assert_eq!(record.get("ip.src.country"), Some(&Value::Text(b"DE".to_vec())));
        assert_eq!(record.list("office").map(<[_]>::len), Some(1));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = json!({"a": 1});
        for given in [
            Given { fields: wrong.as_object(), ..Given::default() },
            Given { lists: wrong.as_object(), ..Given::default() },
            Given { request: Some(b"a"), ..Given::default() },
        ] {
            assert!(given.write(&mut Record::default()).is_err(), "{given:?}");
        }
    }
}
