//! Schemas of bodies, and of responses with several shapes, for the OpenAPI document only. The engines read the bodies
//! and check more than the schemas express (`openapi.rs`).

use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;
use zonewright_api::legacy_waf::{ActionMode, RuleMode, Sensitivity, Switch};
use zonewright_api::logpush::JobSettings;
use zonewright_api::page_rule::{PageRuleAction, PageRuleStatus, PageRuleTarget};
use zonewright_api::ruleset::{
    ActionParameters, ExposedCredentialCheck, Logging, ManagedRulesetDetails, RateLimit, Ruleset, RulesetAction,
    RulesetKind, RulesetRule,
};

/// A job to create. Without `dataset` it delivers `http_requests`; `destination_conf` is required.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewJob {
    #[serde(flatten)]
    settings: JobSettings,
    /// The contents of the ownership challenge at the destination; required for some kinds of destinations.
    ownership_challenge: Option<String>,
}

/// A change of a job: omitted members keep their values. `dataset` and `kind` cannot be changed.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobChange {
    #[serde(flatten)]
    settings: JobSettings,
    /// The ownership challenge, as for a new job, if the destination changes.
    ownership_challenge: Option<String>,
}

/// A destination to check.
#[derive(Serialize, ToSchema)]
pub(crate) struct DestinationToCheck {
    /// The destination.
    destination_conf: String,
}

/// An ownership challenge that was read from a destination.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChallengeQuery {
    /// The destination.
    destination_conf: String,
    /// The contents of the challenge file.
    ownership_challenge: String,
}

/// Output options in the older format, to check.
#[derive(Serialize, ToSchema)]
pub(crate) struct LogpullOptionsQuery {
    /// Fields, timestamps and other options, as a query string: `fields=RayID,ClientIP&timestamps=rfc3339`.
    logpull_options: String,
    /// The dataset of the fields; default `http_requests`.
    dataset: Option<String>,
}

/// An instant logs session.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewInstantLogs {
    /// Field names, separated by commas.
    fields: Option<String>,
    /// The filter, in the format of a job.
    filter: Option<String>,
    /// The kind, which is `instant-logs`.
    kind: Option<String>,
    /// One line out of this many is sent.
    #[schema(minimum = 1)]
    sample: Option<u64>,
}

/// An existing instant logs session; this service never has any.
#[derive(Serialize, ToSchema)]
pub(crate) struct InstantLogs {
    /// The URL of its lines.
    destination_conf: String,
}

/// A page rule to create, or the new definition of one.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewPageRule {
    /// One pattern.
    #[schema(min_items = 1, max_items = 1)]
    targets: Vec<PageRuleTarget>,
    /// At least one setting.
    #[schema(min_items = 1)]
    actions: Vec<PageRuleAction>,
    /// Priority; larger numbers apply first; default 1.
    priority: Option<i64>,
    /// The status; default `disabled`.
    status: Option<PageRuleStatus>,
}

/// A change of a page rule: omitted members keep their values.
#[derive(Serialize, ToSchema)]
pub(crate) struct PageRuleChange {
    /// One pattern.
    #[schema(min_items = 1, max_items = 1)]
    targets: Option<Vec<PageRuleTarget>>,
    /// The settings.
    #[schema(min_items = 1)]
    actions: Option<Vec<PageRuleAction>>,
    /// Priority; larger numbers apply first.
    priority: Option<i64>,
    /// Whether it is enabled.
    status: Option<PageRuleStatus>,
}

/// A change of a setting.
#[derive(Serialize, ToSchema)]
pub(crate) struct SettingChange {
    /// The new value.
    value: Switch,
}

/// A change of a package of the previous managed rules.
#[derive(Serialize, ToSchema)]
pub(crate) struct PackageChange {
    /// The score from which the package acts.
    sensitivity: Option<Sensitivity>,
    /// The action from that score on.
    action_mode: Option<ActionMode>,
}

/// A change of a group of the previous managed rules.
#[derive(Serialize, ToSchema)]
pub(crate) struct GroupChange {
    /// Whether the rules of the group are enabled.
    mode: Switch,
}

/// A change of a rule of the previous managed rules.
#[derive(Serialize, ToSchema)]
pub(crate) struct WafRuleChange {
    /// The mode: one of `allowed_modes` of the rule.
    mode: RuleMode,
}

/// An override to create; it must have rules or groups.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewOverride {
    /// Hosts with paths, without a scheme; `*` is a wildcard.
    #[schema(min_items = 1)]
    urls: Vec<String>,
    /// Modes of groups for these URLs, by group ID.
    groups: Option<BTreeMap<String, RuleMode>>,
    /// Modes of rules for these URLs, by rule ID.
    rules: Option<BTreeMap<String, RuleMode>>,
    /// Replacements of actions.
    rewrite_action: Option<BTreeMap<String, RuleMode>>,
    /// Priority; smaller numbers apply first; default 1.
    #[schema(minimum = -1_000_000_000, maximum = 1_000_000_000)]
    priority: Option<i64>,
    /// Description; at most 1,024 characters.
    description: Option<String>,
    /// Whether it is paused.
    paused: Option<bool>,
}

/// The new definition of an override.
#[derive(Serialize, ToSchema)]
pub(crate) struct OverrideUpdate {
    /// The ID, which must be the one in the path.
    id: String,
    /// Hosts with paths, without a scheme; `*` is a wildcard.
    #[schema(min_items = 1)]
    urls: Vec<String>,
    /// Modes of rules for these URLs, by rule ID.
    rules: BTreeMap<String, RuleMode>,
    /// Replacements of actions.
    rewrite_action: BTreeMap<String, RuleMode>,
    /// Modes of groups for these URLs, by group ID.
    groups: Option<BTreeMap<String, RuleMode>>,
    /// Priority; smaller numbers apply first; default 1.
    #[schema(minimum = -1_000_000_000, maximum = 1_000_000_000)]
    priority: Option<i64>,
    /// Description; at most 1,024 characters.
    description: Option<String>,
    /// Whether it is paused.
    paused: Option<bool>,
}

/// A ruleset to create.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewRulesetBody {
    /// Human-readable name.
    name: String,
    /// Description; at most 500 characters.
    description: Option<String>,
    /// The kind: `zone` in a zone, `root` or `custom` in an account.
    kind: RulesetKind,
    /// The phase in which it runs.
    phase: String,
    /// The rules, in evaluation order.
    rules: Option<Vec<RulesetRule>>,
}

/// A change of a ruleset: omitted members keep their values. At least one member is required.
#[derive(Serialize, ToSchema)]
pub(crate) struct RulesetChange {
    /// Human-readable name.
    name: Option<String>,
    /// Description; at most 500 characters.
    description: Option<String>,
    /// All rules, in evaluation order; a rule with the `id` of an existing rule replaces that rule.
    rules: Option<Vec<RulesetRule>>,
}

/// A rule to add to a ruleset, with its position.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewRulesetRule {
    #[serde(flatten)]
    rule: RulesetRule,
    /// The position; default: at the end.
    position: Option<RulePosition>,
}

/// A change of a rule of a ruleset. A definition with `action` and `expression` replaces the existing one. Without a
/// definition, only `enabled` and `position` can change.
#[derive(Serialize, ToSchema)]
pub(crate) struct RuleChange {
    /// The action.
    action: Option<RulesetAction>,
    /// The expression that selects requests.
    expression: Option<String>,
    /// Description.
    description: Option<String>,
    /// A reference that the client chooses.
    #[serde(rename = "ref")]
    reference: Option<String>,
    /// Whether it is enabled.
    enabled: Option<bool>,
    /// The parameters of the action.
    action_parameters: Option<ActionParameters>,
    /// The rate limit; only for rules of the phase `http_ratelimit`.
    ratelimit: Option<RateLimit>,
    /// The logging settings; only for the action `skip`.
    logging: Option<Logging>,
    /// The location of the credentials that are compared with leaked credentials.
    exposed_credential_check: Option<ExposedCredentialCheck>,
    /// The position.
    position: Option<RulePosition>,
}

/// A position among the rules of a ruleset; exactly one member is required.
#[derive(Serialize, ToSchema)]
pub(crate) struct RulePosition {
    /// Before the rule with this ID; at the beginning if empty.
    before: Option<String>,
    /// After the rule with this ID; at the end if empty.
    after: Option<String>,
    /// At this position; the first is 1.
    #[schema(minimum = 1)]
    index: Option<u64>,
}

/// A ruleset of the owner, or a managed ruleset with the known properties of its rules.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "it only describes a schema")]
pub(crate) enum AnyRuleset {
    /// A ruleset of the owner.
    Own(Ruleset),
    /// A managed ruleset.
    Managed(ManagedRulesetDetails),
}
