//! Errors that many operations share, each described once.

use super::{ServerKind, set_member};
use super::{has_body, is_outside_api, is_public};
use serde_json::{Map, Value, json};

/// Status, name among the responses of the document, description.
const COMMON_ERRORS: [(u16, &str, &str); 12] = [
    (
        400,
        "BadCredentials",
        "9106: missing credentials; 6003: malformed credentials, see `error_chain`; 10421: not exactly one `Host` header",
    ),
    (403, "Forbidden", "10000, 9103: unknown credentials; 10000, 9109: missing permission"),
    (
        404,
        "NotFound",
        "7003: the client has no such zone or account; 7003 and 7000: unknown path, or malformed ID in the path",
    ),
    (408, "BodyTooSlow", "10408: the body did not arrive in time"),
    (410, "Gone", "10410: the zone has migrated, and its previous managed rules were removed"),
    (412, "Stale", "10412: `If-Match` does not match the current state"),
    (413, "BodyTooLarge", "10413: the body is too large or has too many values"),
    (415, "Unreadable", "10415: unsupported encoding of the body"),
    (421, "WrongHost", "10421: the `Host` header names another host"),
    (429, "TooManyRequests", "10971: the client has sent too many requests; retry after `Retry-After` seconds"),
    (500, "Failed", "10500: internal error; 10504: it is unknown whether the change was saved, check before you retry"),
    (
        503,
        "Unavailable",
        "10503: the database is unavailable or busy, or too many large request bodies are being processed; nothing was changed, retry after `Retry-After` seconds",
    ),
];

/// Errors of a relay in addition to those of its upstream.
const RELAY_ERRORS: [(u16, &str, &str); 4] = [
    (403, "Forbidden", "10403: a page of another site sent the request"),
    (
        502,
        "UpstreamFailed",
        "10502: the upstream could not be reached, or its response cannot be forwarded; the message says whether a change may have been made",
    ),
    (503, "Unavailable", "10505: too many concurrent requests to the upstream, so this one was not sent"),
    (
        504,
        "UpstreamSlow",
        "10506: the upstream did not respond in time; the message says whether a change may have been made",
    ),
];

/// Errors of a relay that stores the credentials.
const SESSION_ERRORS: [(u16, &str, &str); 2] = [
    (401, "NoSession", "10401: not logged in"),
    (403, "Forbidden", "10403: the header `X-CSRF-Token` is missing or does not match the session"),
];

/// An error that many operations share.
pub(super) struct ErrorResponse {
    status: u16,
    name: &'static str,
    description: String,
}

/// All shared errors of a server.
pub(super) struct ErrorResponses(Vec<ErrorResponse>);

/// Returns the schema of all error responses.
pub(super) fn error_schema() -> Value {
    json!({
        "type": "object",
        "description": "Error response",
        "required": ["result", "success", "errors", "messages"],
        "properties": {
            "result": {"type": "null", "description": "Always `null`"},
            "success": {"type": "boolean", "const": false, "description": "Always false"},
            "errors": {
                "type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/ErrorObject"},
                "description": "The errors"
            },
            "messages": {
                "type": "array", "items": {"$ref": "#/components/schemas/ErrorObject"},
                "description": "Notes, for example about objects that were created despite the error; usually empty"
            }
        }
    })
}

impl ErrorResponses {
    /// Returns the errors of a server.
    pub(super) fn for_server(server: ServerKind) -> ErrorResponses {
        let response = |(status, name, description): &(u16, &'static str, &str)| ErrorResponse {
            status: *status,
            name,
            description: (*description).to_owned(),
        };
        let mut responses: Vec<ErrorResponse> = COMMON_ERRORS.iter().map(response).collect();
        let relay_errors = RELAY_ERRORS.iter().filter(|_| server != ServerKind::Service);
        let session_errors = SESSION_ERRORS.iter().filter(|_| server == ServerKind::CredentialRelay);
        for error in relay_errors.chain(session_errors) {
            let (_, name, description) = error;
            match responses.iter_mut().find(|response| response.name == *name) {
                Some(existing) => existing.description = format!("{}; {description}", existing.description),
                None => responses.push(response(error)),
            }
        }
        ErrorResponses(responses)
    }

    /// Returns the shared response objects of the document.
    pub(super) fn responses(&self, examples: &Value) -> Value {
        let responses = self.0.iter().map(|ErrorResponse { status, name, description }| {
            let mut content = json!({"schema": {"$ref": "#/components/schemas/Failure"}});
            if let Some(example) = examples.get("errors").and_then(|errors| errors.get(status.to_string())) {
                set_member(&mut content, "example", example.clone());
            }
            ((*name).to_owned(), json!({"description": description, "content": {"application/json": content}}))
        });
        Value::Object(responses.collect::<Map<_, _>>())
    }

    /// Returns the errors that an operation may have.
    pub(super) fn for_operation(&self, path: &str, operation: &Value) -> impl Iterator<Item = &ErrorResponse> {
        let (has_body, is_public, is_outside_api) =
            (has_body(operation), is_public(operation), is_outside_api(operation));
        let is_conditional = parameters(operation).any(|parameter| parameter == ("If-Match", "header"));
        let (has_parameter, is_legacy) = (path.contains('{'), path.contains("/firewall/waf/"));
        self.0.iter().filter(move |error| match error.status {
            400 | 401 | 403 | 502 | 503 | 504 => !is_public,
            404 => has_parameter,
            408 | 413 | 415 => has_body,
            410 => is_legacy,
            412 => is_conditional,
            // Only the API has a rate limit.
            429 => !is_outside_api,
            _ => true,
        })
    }
}

impl ErrorResponse {
    /// Adds the error to the responses of an operation, after the operation's description of the same status.
    pub(super) fn add_to(&self, responses: &mut Value) {
        if responses.get(self.status.to_string()).is_some() {
            append_description(responses, self.status, &self.description);
        } else if let Some(responses) = responses.as_object_mut() {
            let reference = json!({"$ref": format!("#/components/responses/{}", self.name)});
            responses.insert(self.status.to_string(), reference);
        }
    }
}

/// Returns the further meanings of status 400 for operations with a body or a query.
pub(super) fn request_error_descriptions(operation: &Value) -> Vec<&'static str> {
    let body =
        has_body(operation).then_some("10019: the body is not valid JSON; 10014: the body has a repeated member");
    let query = parameters(operation).any(|(_, location)| location == "query");
    let query = query.then_some("10015: a parameter has an invalid value; 10014: the query is malformed");
    body.into_iter().chain(query).collect()
}

/// Iterates over the names and locations of the parameters of an operation.
fn parameters(operation: &Value) -> impl Iterator<Item = (&str, &str)> {
    let all = operation.get("parameters").and_then(Value::as_array).into_iter().flatten();
    all.filter_map(|parameter| Some((parameter.get("name")?.as_str()?, parameter.get("in")?.as_str()?)))
}

/// Appends to the description of a status of an operation.
pub(super) fn append_description(responses: &mut Value, status: u16, addition: &str) {
    let Some(responses) = responses.as_object_mut() else { return };
    let response = responses.entry(status.to_string()).or_insert_with(|| json!({}));
    let description = response.get("description").and_then(Value::as_str).map(|text| format!("{text}; {addition}"));
    set_member(response, "description", json!(description.unwrap_or_else(|| addition.to_owned())));
}
