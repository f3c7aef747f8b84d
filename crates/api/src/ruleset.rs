//! Types of rulesets (§2.6, §4.5; the rest is observed).
//!
//! Start with [`Ruleset`] and [`RulesetRule`]. The module `parameters` has the parameters of actions, and `managed` has
//! the managed rulesets.

mod managed;
mod parameters;

pub use managed::{ManagedRuleDetails, ManagedRulesetDetails};
pub use parameters::{ActionParameters, CategoryOverride, MatchedData, Overrides, RuleOverride, SensitivityLevel};

use crate::string_enum::string_enum;
use serde::{Deserialize, Serialize};

string_enum! {
    /// Action of a rule of a ruleset.
    RulesetAction {
        /// Blocks the request.
        Block = "block",
        /// Presents an interactive challenge.
        Challenge = "challenge",
        /// Presents a JavaScript challenge.
        JsChallenge = "js_challenge",
        /// Presents a challenge that is chosen for the visitor.
        ManagedChallenge = "managed_challenge",
        /// Only logs the request.
        Log = "log",
        /// Runs another ruleset (§2.6).
        Execute = "execute",
        /// Skips rules, rulesets, phases or products.
        Skip = "skip",
        /// Adds to the score of the request.
        Score = "score",
        /// Changes the path, the query or headers.
        Rewrite = "rewrite",
        /// Redirects the visitor.
        Redirect = "redirect",
        /// Sends the request to another origin.
        Route = "route",
        /// Changes settings of the zone for the request.
        SetConfig = "set_config",
        /// Changes whether and for how long the response is cached.
        SetCacheSettings = "set_cache_settings",
        /// Changes the directives of the header `Cache-Control`.
        SetCacheControl = "set_cache_control",
        /// Changes the tags of a cached response.
        SetCacheTags = "set_cache_tags",
        /// Selects the compression of the response.
        CompressResponse = "compress_response",
        /// Serves a custom error page.
        ServeError = "serve_error",
        /// Adds custom fields to the log.
        LogCustomField = "log_custom_field",
        /// Lets the DDoS protection choose the action; in overrides only.
        DdosDynamic = "ddos_dynamic",
        /// Closes the connection; in overrides only.
        ForceConnectionClose = "force_connection_close",
    }
}

string_enum! {
    /// Kind of a ruleset: its owner, and how it is run.
    RulesetKind {
        /// A ruleset of the provider.
        Managed = "managed",
        /// A ruleset of an account; execute rules run it.
        Custom = "custom",
        /// The entry point of a phase in an account.
        Root = "root",
        /// The entry point of a phase in a zone.
        Zone = "zone",
    }
}

/// A ruleset, as the service returns it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ruleset {
    /// ID: 32 lowercase hexadecimal digits.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Description.
    #[serde(default)]
    pub description: String,
    /// One of [`RulesetKind`]: `zone` for an entry point of a zone.
    pub kind: String,
    /// Phase in which the ruleset runs, such as `http_request_firewall_managed`.
    pub phase: String,
    /// Version number as a string; starts at `1` and increases by one with every change.
    pub version: String,
    /// RFC 3339 time of the last change.
    pub last_updated: String,
    /// Rules, in evaluation order.
    #[serde(default)]
    pub rules: Vec<RulesetRule>,
}

/// A ruleset without its rules, as lists return it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulesetSummary {
    /// ID: 32 lowercase hexadecimal digits.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Description.
    #[serde(default)]
    pub description: String,
    /// One of [`RulesetKind`]: `zone` for an entry point of a zone.
    pub kind: String,
    /// Phase in which the ruleset runs.
    pub phase: String,
    /// Version number as a string.
    pub version: String,
    /// RFC 3339 time of the last change.
    pub last_updated: String,
}

impl From<Ruleset> for RulesetSummary {
    fn from(ruleset: Ruleset) -> Self {
        let Ruleset { id, name, description, kind, phase, version, last_updated, rules: _ } = ruleset;
        RulesetSummary { id, name, description, kind, phase, version, last_updated }
    }
}

/// The body of a request that updates an entry point (§2.6, §4.5). A migration plan contains one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EntryPoint {
    /// Display name.
    pub name: String,
    /// Description; omitted if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Rules, in evaluation order.
    pub rules: Vec<RulesetRule>,
}

/// A rule of a ruleset (§2.6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulesetRule {
    /// ID: 32 lowercase hexadecimal digits, or empty before the service has saved the rule.
    #[serde(default)]
    pub id: String,
    /// Version number as a string, or empty before the service has saved the rule.
    #[serde(default)]
    pub version: String,
    /// Action of the rule.
    pub action: RulesetAction,
    /// Expression that selects the requests.
    pub expression: String,
    /// Description.
    #[serde(default)]
    pub description: String,
    /// Reference chosen by the client.
    #[serde(default, rename = "ref")]
    pub reference: String,
    /// Whether the rule is enabled.
    #[serde(default = "enabled_by_default")]
    pub enabled: bool,
    /// Action parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action_parameters: Option<ActionParameters>,
    /// Rate limit after which the rule acts; only for rules of the phase `http_ratelimit`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratelimit: Option<RateLimit>,
    /// Logging options; `skip` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logging: Option<Logging>,
    /// Expressions that read the credentials of a request, which are compared with leaked credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exposed_credential_check: Option<ExposedCredentialCheck>,
    /// RFC 3339 time of the last change; in responses only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_updated: Option<String>,
}

impl RulesetRule {
    /// Creates an enabled rule with this action and expression, and with default values otherwise.
    pub fn new(action: RulesetAction, expression: impl Into<String>) -> Self {
        RulesetRule {
            id: String::new(),
            version: String::new(),
            action,
            expression: expression.into(),
            description: String::new(),
            reference: String::new(),
            enabled: true,
            action_parameters: None,
            ratelimit: None,
            logging: None,
            exposed_credential_check: None,
            last_updated: None,
        }
    }
}

/// Rate limit after which a rule acts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RateLimit {
    /// Values by which requests are counted separately, such as `ip.src` or `http.request.headers["x-key"]`: each
    /// combination has its own counter.
    pub characteristics: Vec<String>,
    /// Counting period in seconds.
    pub period: u64,
    /// Number of requests per period that triggers the rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_per_period: Option<u64>,
    /// Score per period that triggers the rule, instead of a number of requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_per_period: Option<u64>,
    /// Name of the response header that contains the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_response_header_name: Option<String>,
    /// Seconds for which the rule acts once the limit is reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mitigation_timeout: Option<u64>,
    /// Expression that selects the requests to count. By default, the rule counts the requests that it matches. This
    /// expression can read the response, which the rule's own expression cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counting_expression: Option<String>,
    /// Whether the rule counts only requests that reach the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_to_origin: Option<bool>,
}

/// Logging options of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Logging {
    /// Whether requests that the rule matches are logged.
    pub enabled: bool,
}

/// Expressions that read the credentials of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExposedCredentialCheck {
    /// Expression that returns the username.
    pub username_expression: String,
    /// Expression that returns the password.
    pub password_expression: String,
}

/// A ruleset to create.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewRuleset {
    /// Display name.
    pub name: String,
    /// Description.
    #[serde(default)]
    pub description: String,
    /// `zone` in a zone, `root` or `custom` in an account.
    pub kind: RulesetKind,
    /// Phase in which the ruleset runs.
    pub phase: String,
    /// Rules, in evaluation order.
    pub rules: Vec<RulesetRule>,
}

/// An update of a ruleset; omitted members are not changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulesetUpdate {
    /// Display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// All rules, in evaluation order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<RulesetRule>>,
}

fn enabled_by_default() -> bool {
    true
}
