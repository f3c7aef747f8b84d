//! Errors that many operations share, each described once.

use super::{ServerKind, set_member};
use super::{has_body, is_beside, is_open};
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
    about: String,
}

/// All shared errors of a server.
pub(super) struct ErrorResponses(Vec<ErrorResponse>);

/// Returns the schema of every error.
pub(super) fn schema() -> Value {
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
        let mut all: Vec<ErrorResponse> = COMMON_ERRORS
            .iter()
            .map(|(status, name, about)| ErrorResponse { status: *status, name, about: (*about).to_owned() })
            .collect();
        let (relays, keeps) = (server != ServerKind::Service, server == ServerKind::CredentialRelay);
        let more = RELAY_ERRORS.iter().map(|one| (relays, one)).chain(SESSION_ERRORS.iter().map(|one| (keeps, one)));
        for (_, (status, name, about)) in more.filter(|(has, _)| *has) {
            match all.iter_mut().find(|one| one.name == *name) {
                Some(known) => known.about = format!("{}; {about}", known.about),
                None => all.push(ErrorResponse { status: *status, name, about: (*about).to_owned() }),
            }
        }
        ErrorResponses(all)
    }

    /// Returns the shared response objects of the document.
    pub(super) fn responses(&self, examples: &Value) -> Value {
        let described = self.0.iter().map(|ErrorResponse { status, name, about }| {
            let mut content = json!({"schema": {"$ref": "#/components/schemas/Failure"}});
            if let Some(example) = examples.get("errors").and_then(|errors| errors.get(status.to_string())) {
                set_member(&mut content, "example", example.clone());
            }
            ((*name).to_owned(), json!({"description": about, "content": {"application/json": content}}))
        });
        Value::Object(described.collect::<Map<_, _>>())
    }

    /// Returns the errors that an operation may have.
    pub(super) fn for_operation(&self, path: &str, operation: &Value) -> impl Iterator<Item = &ErrorResponse> {
        let (body, open, beside) = (has_body(operation), is_open(operation), is_beside(operation));
        let conditional = parameters(operation).any(|(name, place)| (name, place) == ("If-Match", "header"));
        let (part, legacy) = (path.contains('{'), path.contains("/firewall/waf/"));
        self.0.iter().filter(move |one| match one.status {
            400 | 401 | 403 | 502 | 503 | 504 => !open,
            404 => part,
            408 | 413 | 415 => body,
            410 => legacy,
            412 => conditional,
            // Only the API has a rate limit.
            429 => !beside,
            _ => true,
        })
    }
}

impl ErrorResponse {
    /// Adds the error to the responses of an operation, after the operation's description of the same status.
    pub(super) fn add(&self, responses: &mut Value) {
        if responses.get(self.status.to_string()).is_some() {
            append_description(responses, self.status, &self.about);
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
    let query = parameters(operation).any(|(_, place)| place == "query");
    let query = query.then_some("10015: a parameter has an invalid value; 10014: the query is malformed");
    body.into_iter().chain(query).collect()
}

/// Iterates over the names and locations of the parameters of an operation.
fn parameters(operation: &Value) -> impl Iterator<Item = (&str, &str)> {
    let all = operation.get("parameters").and_then(Value::as_array).into_iter().flatten();
    all.filter_map(|one| Some((one.get("name")?.as_str()?, one.get("in")?.as_str()?)))
}

/// Appends to the description of a status of an operation.
pub(super) fn append_description(responses: &mut Value, status: u16, about: &str) {
    let Some(responses) = responses.as_object_mut() else { return };
    let own = responses.entry(status.to_string()).or_insert_with(|| json!({}));
    let description = own.get("description").and_then(Value::as_str).map(|text| format!("{text}; {about}"));
    set_member(own, "description", json!(description.unwrap_or_else(|| about.to_owned())));
}
