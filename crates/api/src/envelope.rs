//! The envelope of every response (`zone-security-service` §2.1).
//!
//! Start with [`Envelope`] and [`ErrorObject`].

use serde::{Deserialize, Deserializer, Serialize};

/// A response: `result` on success, `errors` on failure.
///
/// The service always sends the first four members, and `result_info` only with paginated lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Envelope<T> {
    /// The requested result; `null` on failure.
    pub result: Option<T>,
    /// Whether the request succeeded.
    pub success: bool,
    /// The errors; empty on success, never empty on failure.
    #[serde(default, deserialize_with = "null_as_empty")]
    pub errors: Vec<ErrorObject>,
    /// Messages; usually empty.
    #[serde(default, deserialize_with = "null_as_empty")]
    pub messages: Vec<ErrorObject>,
    /// Pagination of a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_info: Option<ResultInfo>,
}

impl<T> Envelope<T> {
    /// Creates the envelope of a successful call.
    pub fn success(result: T) -> Self {
        Envelope { result: Some(result), success: true, errors: Vec::new(), messages: Vec::new(), result_info: None }
    }

    /// Creates the envelope of a failed call.
    pub fn failure(errors: Vec<ErrorObject>) -> Self {
        Envelope { result: None, success: false, errors, messages: Vec::new(), result_info: None }
    }
}

/// Pagination of a list (observed; cursors are not used).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ResultInfo {
    /// Number of this page, from 1.
    pub page: u64,
    /// Maximum number of items per page.
    pub per_page: u64,
    /// Number of items on this page.
    pub count: u64,
    /// Number of items on all pages.
    pub total_count: u64,
    /// Number of pages; 0 if there are no items.
    #[serde(default)]
    pub total_pages: u64,
}

/// An element of `errors` or `messages`. The specification does not define its shape; this shape is observed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(description = "An error or a message"))]
pub struct ErrorObject {
    /// One of [`error_code`](crate::error_code); at least 1000.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = true, minimum = 1000))]
    pub code: u32,
    /// Message for the user; may have several lines.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub message: String,
    /// URL of a page about the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documentation_url: Option<String>,
    /// Part of the request that caused the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<ErrorSource>,
    /// Underlying errors; only present in authentication errors.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "null_as_empty")]
    pub error_chain: Vec<ErrorCause>,
    /// Objects that the error is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<ErrorMeta>,
}

impl ErrorObject {
    /// Creates an error with this code and message only.
    pub fn new(code: u32, message: impl Into<String>) -> Self {
        ErrorObject { code, message: message.into(), ..ErrorObject::default() }
    }

    /// Sets a JSON pointer (RFC 6901) into the request body, such as `/0/filter/expression`.
    #[must_use]
    pub fn with_pointer(mut self, pointer: impl Into<String>) -> Self {
        self.source = Some(ErrorSource { pointer: pointer.into() });
        self
    }

    /// Sets the objects that the error is about.
    #[must_use]
    pub fn with_meta(mut self, meta: ErrorMeta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// Part of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorSource {
    /// JSON pointer (RFC 6901) into the request body.
    #[serde(default)]
    pub pointer: String,
}

/// An element of [`ErrorObject::error_chain`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorCause {
    /// One of [`error_code`](crate::error_code).
    pub code: u32,
    /// Message for the user.
    pub message: String,
}

/// Objects that an error is about; each member is an ID.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorMeta {
    /// The object that already exists (observed with duplicate filters).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The filter that was created although its rule was rejected (specification §3 rule 6).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter_id: Option<String>,
}

/// Reads `null` as an empty list, because the real API sends `null` (observed).
fn null_as_empty<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn envelope_serializes_required_members_and_omits_empty_optional_members() {
        let cases = [
            (Envelope::success(1), r#"{"result":1,"success":true,"errors":[],"messages":[]}"#),
            (
                Envelope::failure(vec![ErrorObject::new(7000, "No route")]),
                r#"{"result":null,"success":false,"errors":[{"code":7000,"message":"No route"}],"messages":[]}"#,
            ),
        ];
        for (envelope, expected) in cases {
            assert_eq!(serde_json::to_string(&envelope).unwrap(), expected);
        }
    }

    #[test]
    fn null_lists_are_read_as_empty() {
        let text = r#"{"result":null,"success":false,"errors":[{"message":"x"}],"messages":null}"#;
        let parsed: Envelope<u8> = serde_json::from_str(text).unwrap();
        assert_eq!(parsed.errors, [ErrorObject::new(0, "x")]);
        assert!(parsed.messages.is_empty());
    }
}
