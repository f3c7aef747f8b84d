//! Types of rulesets (§2.6, §4.5; the rest is observed).
//!
//! Start with [`Ruleset`] and [`RulesetRule`]. `parameters` has the parameters of actions, `managed` the managed
//! rulesets.

mod managed;
mod parameters;

pub use managed::{ManagedRuleDetails, ManagedRulesetDetails};
pub use parameters::{ActionParameters, CategoryOverride, MatchedData, Overrides, RuleOverride, SensitivityLevel};

use crate::string_enum::string_enum;
use serde::{Deserialize, Serialize};

string_enum! {
    /// What a rule of a ruleset does.
    RulesetAction {
        /// Refuses the request.
        Block = "block",
        /// Asks for an interactive challenge.
        Challenge = "challenge",
        /// Asks for a JavaScript challenge.
        JsChallenge = "js_challenge",
        /// Asks for the challenge that fits the visitor.
        ManagedChallenge = "managed_challenge",
        /// Only records the request.
        Log = "log",
        /// Runs another ruleset (§2.6).
        Execute = "execute",
        /// Passes over rules, rulesets, phases or products.
        Skip = "skip",
        /// Adds to the score of the request.
        Score = "score",
        /// Changes path, query or headers.
        Rewrite = "rewrite",
        /// Sends the visitor elsewhere.
        Redirect = "redirect",
        /// Sends the request to another origin.
        Route = "route",
        /// Changes settings of the zone for the request.
        SetConfig = "set_config",
        /// Changes what is cached, and for how long.
        SetCacheSettings = "set_cache_settings",
        /// Changes the directives of the header `Cache-Control`.
        SetCacheControl = "set_cache_control",
        /// Changes the tags by which a cached answer is found.
        SetCacheTags = "set_cache_tags",
        /// Chooses how an answer is compressed.
        CompressResponse = "compress_response",
        /// Answers an error with a page of one's own.
        ServeError = "serve_error",
        /// Puts more fields into the log.
        LogCustomField = "log_custom_field",
        /// Lets the protection against denial of service choose; in overrides only.
        DdosDynamic = "ddos_dynamic",
        /// Closes the connection; in overrides only.
        ForceConnectionClose = "force_connection_close",
    }
}

string_enum! {
    /// Whose a ruleset is, and how it comes to run.
    RulesetKind {
        /// The provider's.
        Managed = "managed",
        /// An account's, run by a rule that executes it.
        Custom = "custom",
        /// The entry point of a phase in an account.
        Root = "root",
        /// The entry point of a phase in a zone.
        Zone = "zone",
    }
}

/// A ruleset as the service answers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ruleset {
    /// Identifier: 32 lower-case hexadecimal digits.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Remark for people.
    #[serde(default)]
    pub description: String,
    /// One of [`RulesetKind`]: `zone` for an entry point of a zone.
    pub kind: String,
    /// When it runs: `http_request_firewall_managed`.
    pub phase: String,
    /// A number as a string, from `1`, one more with every change.
    pub version: String,
    /// RFC 3339 time of the last change.
    pub last_updated: String,
    /// Its rules, in the order they run.
    #[serde(default)]
    pub rules: Vec<RulesetRule>,
}

/// A ruleset as lists have it: without its rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulesetSummary {
    /// Identifier: 32 lower-case hexadecimal digits.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Remark for people.
    #[serde(default)]
    pub description: String,
    /// One of [`RulesetKind`]: `zone` for an entry point of a zone.
    pub kind: String,
    /// When it runs.
    pub phase: String,
    /// A number as a string.
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

/// The new configuration: body of the update of an entry point (§2.6, §4.5).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EntryPoint {
    /// Name for people.
    pub name: String,
    /// Remark for people; left out when unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its rules, in the order they run.
    pub rules: Vec<RulesetRule>,
}

/// A rule of a ruleset (§2.6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulesetRule {
    /// Identifier: 32 lower-case hexadecimal digits, or empty in a new configuration.
    #[serde(default)]
    pub id: String,
    /// A number as a string, or empty in a new configuration.
    #[serde(default)]
    pub version: String,
    /// What it does.
    pub action: RulesetAction,
    /// For which requests.
    pub expression: String,
    /// Remark for people.
    #[serde(default)]
    pub description: String,
    /// The client's own name for it.
    #[serde(default, rename = "ref")]
    pub reference: String,
    /// Whether it is in effect.
    #[serde(default = "enabled")]
    pub enabled: bool,
    /// What the action needs to know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action_parameters: Option<ActionParameters>,
    /// How often it may match before it acts; rules of the phase `http_ratelimit` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratelimit: Option<RateLimit>,
    /// What is recorded of it; `skip` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logging: Option<Logging>,
    /// Where the credentials are that are held against leaked ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exposed_credential_check: Option<ExposedCredentialCheck>,
    /// RFC 3339 time of the last change; in answers only.
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

/// How often a rule may match before it acts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RateLimit {
    /// Values that tell requests apart: each combination has a counter of its own, as of `ip.src` or
    /// `http.request.headers["x-key"]`.
    pub characteristics: Vec<String>,
    /// Length of the counting period in seconds.
    pub period: u64,
    /// Number of counted requests in a period from which the rule acts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_per_period: Option<u64>,
    /// Score in a period from which the rule acts, instead of a number of requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_per_period: Option<u64>,
    /// Name of the response header that holds the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_response_header_name: Option<String>,
    /// Seconds for which the rule acts after that.
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

/// What is recorded of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Logging {
    /// Whether requests that it matches are.
    pub enabled: bool,
}

/// Where the credentials of a request are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExposedCredentialCheck {
    /// Gives the name.
    pub username_expression: String,
    /// Gives the password.
    pub password_expression: String,
}

/// A ruleset to create.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewRuleset {
    /// Name for people.
    pub name: String,
    /// Remark for people.
    #[serde(default)]
    pub description: String,
    /// `zone` in a zone, `root` or `custom` in an account.
    pub kind: RulesetKind,
    /// When it runs.
    pub phase: String,
    /// Its rules, in the order they run.
    pub rules: Vec<RulesetRule>,
}

/// What an update changes of a ruleset; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulesetUpdate {
    /// Name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Remark for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// All of its rules, in the order they run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<RulesetRule>>,
}

fn enabled() -> bool {
    true
}
