//! Conversions of values in rows that several files share.

use crate::error::Error;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Converts a count of the database, which is never negative.
pub(crate) fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

/// Returns the error for a stored name that this program does not know, such as that of an action.
pub(crate) fn unknown_name(noun: &str, name: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("unknown {noun} {name}").into())
}

/// Reads a column that contains JSON.
pub(crate) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| Error::Internal(error.into()))
}

/// Returns a value in the format of a column that contains JSON.
pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::Internal(error.into()))
}
