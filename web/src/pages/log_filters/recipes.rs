//! The recipes of log filters.

/// A filter with its purpose.
pub(super) struct Recipe {
    /// The lines that the filter selects.
    pub(super) title: &'static str,
    /// The values to adapt, and caveats.
    pub(super) note: &'static str,
    /// The dataset of the filter.
    pub(super) dataset: &'static str,
    /// The filter.
    pub(super) text: &'static str,
}

const fn recipe(title: &'static str, note: &'static str, dataset: &'static str, text: &'static str) -> Recipe {
    Recipe { title, note, dataset, text }
}

/// The recipes, in the order of the gallery.
pub(super) const RECIPES: [Recipe; 8] = [
    recipe(
        "Server errors for one host",
        "`EdgeResponseStatus` is the status sent to the visitor; `OriginResponseStatus` is the status from the origin.",
        "http_requests",
        r#"{
  "where": {
    "and": [
      { "key": "ClientRequestHost", "operator": "eq", "value": "shop.example.com" },
      { "key": "EdgeResponseStatus", "operator": "geq", "value": 500 }
    ]
  }
}"#,
    ),
    recipe(
        "Exclude health checks and static files",
        "Exclusions go under `and`: a line is sent only if it matches every condition.",
        "http_requests",
        r#"{
  "where": {
    "and": [
      { "key": "ClientRequestPath", "operator": "!startsWith", "value": "/health" },
      { "key": "ClientRequestPath", "operator": "!startsWith", "value": "/static/" },
      { "key": "ClientRequestPath", "operator": "!in", "value": ["/favicon.ico", "/robots.txt"] }
    ]
  }
}"#,
    ),
    recipe(
        "Requests with a firewall action",
        "Add `log` to include requests that rules only logged.",
        "http_requests",
        r#"{
  "where": {
    "key": "SecurityAction",
    "operator": "in",
    "value": ["block", "challenge", "jschallenge", "managed_challenge"]
  }
}"#,
    ),
    recipe(
        "Likely bots on the login page",
        "A score of 0 means that no score was computed; the first condition excludes such lines.",
        "http_requests",
        r#"{
  "where": {
    "and": [
      { "key": "BotScore", "operator": "gt", "value": 0 },
      { "key": "BotScore", "operator": "lt", "value": 30 },
      { "key": "ClientRequestPath", "operator": "startsWith", "value": "/login" }
    ]
  }
}"#,
    ),
    recipe(
        "Slow or failing origin",
        "With `or`, one matching condition is enough.",
        "http_requests",
        r#"{
  "where": {
    "or": [
      { "key": "OriginResponseDurationMs", "operator": "geq", "value": 2000 },
      { "key": "OriginResponseStatus", "operator": "in", "value": [502, 503, 504] }
    ]
  }
}"#,
    ),
    recipe(
        "Firewall events from some countries",
        "Country codes are two lowercase letters.",
        "firewall_events",
        r#"{
  "where": {
    "and": [
      { "key": "ClientCountry", "operator": "in", "value": ["at", "ch", "de"] },
      { "key": "ClientRequestPath", "operator": "startsWith", "value": "/api/" }
    ]
  }
}"#,
    ),
    recipe(
        "DNS error responses",
        "Response code 0 means no error; 3 means that the name does not exist.",
        "dns_logs",
        r#"{
  "where": {
    "and": [
      { "key": "ResponseCode", "operator": "!in", "value": [0, 3] },
      { "key": "QueryName", "operator": "endsWith", "value": "example.com" }
    ]
  }
}"#,
    ),
    recipe(
        "Failed Workers",
        "Logs and exceptions are lists of objects, which filters cannot inspect.",
        "workers_trace_events",
        r#"{
  "where": {
    "and": [
      { "key": "Outcome", "operator": "!eq", "value": "ok" },
      { "key": "ScriptName", "operator": "startsWith", "value": "shop-" }
    ]
  }
}"#,
    ),
];
