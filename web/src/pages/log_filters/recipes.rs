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
        "Server errors of one host",
        "The status that visitors got; `OriginResponseStatus` is the one that the origin gave.",
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
        "All but health checks and static files",
        "What is left out stands under `and`: every condition must hold for a line to be sent.",
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
        "What the firewall acted on",
        "Add `log` to see what rules would have done.",
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
        "A score of 0 was not computed: without the first condition such lines would be sent too.",
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
        "One of both is enough under `or`.",
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
        "Firewall events of some countries",
        "Countries are two letters in lower case.",
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
        "DNS answers that are errors",
        "Response code 0 is no error, 3 is a name that does not exist.",
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
        "Workers that failed",
        "Logs and exceptions are lists of objects, which no filter can look into.",
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
