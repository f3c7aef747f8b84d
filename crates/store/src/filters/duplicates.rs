//! Finds filters with the same expression. A zone has each expression once (assumption duplicate-filter).

use crate::error::Error;
use crate::secret::digest;
use crate::statements::{BatchResults, StatementBatch};
use std::collections::{HashMap, HashSet};
use zonewright_api::{ErrorMeta, ErrorObject, error_code};
use zonewright_firewall::Batch;

/// A filter that duplicates an existing one, or an earlier item of the same request.
pub(crate) struct Duplicate {
    /// The index of the item in the request.
    pub(crate) index: usize,
    original: Original,
}

enum Original {
    Stored { id: String },
    Earlier { index: usize },
}

impl Duplicate {
    /// Returns the message: the observed text, or a similar one for an earlier item.
    pub(crate) fn message(&self) -> String {
        match &self.original {
            Original::Stored { .. } => "config duplicates an already existing config".to_owned(),
            Original::Earlier { index } => format!("config duplicates the config at index {index} of this request"),
        }
    }

    pub(crate) fn into_error(self, code: u32, message: String, pointer: String) -> ErrorObject {
        let error = ErrorObject::new(code, message).with_pointer(pointer);
        match self.original {
            Original::Stored { id } => error.with_meta(ErrorMeta { id: Some(id), filter_id: None }),
            Original::Earlier { .. } => error,
        }
    }
}

/// Rejects a request for filters that contains duplicates.
pub(crate) fn refuse_duplicates<T>(batch: &Batch<T>, duplicates: Vec<Duplicate>) -> Result<(), Error> {
    if duplicates.is_empty() {
        return Ok(());
    }
    let errors = duplicates.into_iter().map(|duplicate| {
        let pointer = format!("{}/expression", batch.pointer(duplicate.index));
        let message = duplicate.message();
        duplicate.into_error(error_code::DUPLICATE_FILTER, message, pointer)
    });
    Err(Error::Refused(errors.collect()))
}

/// The digests of the expressions in a request, each with the index of its item.
pub(crate) struct DigestedExpressions(Vec<(usize, String)>);

impl DigestedExpressions {
    pub(crate) fn new<'a>(expressions: impl Iterator<Item = (usize, &'a str)>) -> DigestedExpressions {
        DigestedExpressions(expressions.map(|(index, expression)| (index, expression_digest(expression))).collect())
    }

    /// Adds queries for filters of the zone with these expressions. [`DigestedExpressions::duplicates`] reads the
    /// results.
    pub(crate) fn query(&self, statements: &mut StatementBatch, zone: &str) {
        for (number, (_, digest)) in self.0.iter().enumerate() {
            let same = "select id from filters where zone_id = $1 and expression_digest = $2";
            statements.select_value(&column_name(number), same).bind(zone.to_owned()).bind(digest.clone());
        }
    }

    /// Returns the items whose expression another filter has (assumption duplicate-filter). Filters that the request
    /// changes do not count.
    pub(crate) fn duplicates(&self, results: &BatchResults, changed: &[&str]) -> Result<Vec<Duplicate>, Error> {
        let mut duplicates = Vec::new();
        let mut first: HashMap<&str, usize> = HashMap::new();
        let changed: HashSet<&str> = changed.iter().copied().collect();
        for (number, (index, digest)) in self.0.iter().enumerate() {
            let (index, stored) = (*index, results.value::<Option<String>>(&column_name(number))?);
            if let Some(earlier) = first.get(&**digest) {
                duplicates.push(Duplicate { index, original: Original::Earlier { index: *earlier } });
                continue;
            }
            if let Some(id) = stored.filter(|id| !changed.contains(id.as_str())) {
                duplicates.push(Duplicate { index, original: Original::Stored { id } });
            }
            first.insert(digest, index);
        }
        Ok(duplicates)
    }
}

/// Returns the name of the value query for the digest with this number.
fn column_name(number: usize) -> String {
    format!("duplicate_{number}")
}

/// Returns the digest that identifies equal filters. Surrounding whitespace does not count, because the engine ignores
/// it.
pub(crate) fn expression_digest(expression: &str) -> String {
    digest(expression.trim())
}
