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

/// A job to create. Without `dataset` it pushes requests; `destination_conf` has to be there.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewJob {
    #[serde(flatten)]
    settings: JobSettings,
    /// What an ownership challenge has written to the destination; some kinds of destinations need it.
    ownership_challenge: Option<String>,
}

/// What to change of a job: what is left out stays. `dataset` and `kind` never change.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobChange {
    #[serde(flatten)]
    settings: JobSettings,
    /// As of a new job, when the destination changes.
    ownership_challenge: Option<String>,
}

/// A destination to look at.
#[derive(Serialize, ToSchema)]
pub(crate) struct DestinationToCheck {
    /// Its address.
    destination_conf: String,
}

/// A challenge that was read at a destination.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChallengeQuery {
    /// The address of the destination.
    destination_conf: String,
    /// What the file of the challenge has.
    ownership_challenge: String,
}

/// The older form of output options, to look at.
#[derive(Serialize, ToSchema)]
pub(crate) struct LogpullOptionsQuery {
    /// Fields, timestamps and more, as a query: `fields=RayID,ClientIP&timestamps=rfc3339`.
    logpull_options: String,
    /// Of which dataset the fields are; of requests, when it is left out.
    dataset: Option<String>,
}

/// A session of instant logs.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewInstantLogs {
    /// Names of fields with commas between them.
    fields: Option<String>,
    /// The filter, as of a job.
    filter: Option<String>,
    /// `instant-logs`.
    kind: Option<String>,
    /// One line of so many is sent.
    #[schema(minimum = 1)]
    sample: Option<u64>,
}

/// A session of instant logs that is there; this service never has one.
#[derive(Serialize, ToSchema)]
pub(crate) struct InstantLogs {
    /// Where its lines are.
    destination_conf: String,
}

/// A page rule to create, or what one becomes.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewPageRule {
    /// One pattern.
    #[schema(min_items = 1, max_items = 1)]
    targets: Vec<PageRuleTarget>,
    /// At least one setting.
    #[schema(min_items = 1)]
    actions: Vec<PageRuleAction>,
    /// Place among the page rules, large first; 1 when it is left out.
    priority: Option<i64>,
    /// `disabled` when it is left out.
    status: Option<PageRuleStatus>,
}

/// What to change of a page rule: what is left out stays.
#[derive(Serialize, ToSchema)]
pub(crate) struct PageRuleChange {
    /// One pattern.
    #[schema(min_items = 1, max_items = 1)]
    targets: Option<Vec<PageRuleTarget>>,
    /// The settings.
    #[schema(min_items = 1)]
    actions: Option<Vec<PageRuleAction>>,
    /// Place among the page rules, large first.
    priority: Option<i64>,
    /// Whether it is in effect.
    status: Option<PageRuleStatus>,
}

/// What a setting becomes.
#[derive(Serialize, ToSchema)]
pub(crate) struct SettingChange {
    /// Its value.
    value: Switch,
}

/// What to change of a package of the previous managed rules.
#[derive(Serialize, ToSchema)]
pub(crate) struct PackageChange {
    /// From which score it acts.
    sensitivity: Option<Sensitivity>,
    /// What it does then.
    action_mode: Option<ActionMode>,
}

/// What to change of a group of the previous managed rules.
#[derive(Serialize, ToSchema)]
pub(crate) struct GroupChange {
    /// Whether its rules are in effect.
    mode: Switch,
}

/// What to change of a rule of the previous managed rules.
#[derive(Serialize, ToSchema)]
pub(crate) struct WafRuleChange {
    /// What it does: one of its `allowed_modes`.
    mode: RuleMode,
}

/// An override to create; it has rules or groups.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewOverride {
    /// Hosts with paths, no scheme, `*` for anything.
    #[schema(min_items = 1)]
    urls: Vec<String>,
    /// What groups do for these URLs, by their identifiers.
    groups: Option<BTreeMap<String, RuleMode>>,
    /// What rules do for these URLs, by their identifiers.
    rules: Option<BTreeMap<String, RuleMode>>,
    /// What is done instead of an action.
    rewrite_action: Option<BTreeMap<String, RuleMode>>,
    /// Place among the overrides, small first; 1 when it is left out.
    #[schema(minimum = -1_000_000_000, maximum = 1_000_000_000)]
    priority: Option<i64>,
    /// Remark for people; at most 1,024 characters.
    description: Option<String>,
    /// Whether it does nothing for now.
    paused: Option<bool>,
}

/// What an override becomes.
#[derive(Serialize, ToSchema)]
pub(crate) struct OverrideUpdate {
    /// Its identifier, as in the address.
    id: String,
    /// Hosts with paths, no scheme, `*` for anything.
    #[schema(min_items = 1)]
    urls: Vec<String>,
    /// What rules do for these URLs, by their identifiers.
    rules: BTreeMap<String, RuleMode>,
    /// What is done instead of an action.
    rewrite_action: BTreeMap<String, RuleMode>,
    /// What groups do for these URLs, by their identifiers.
    groups: Option<BTreeMap<String, RuleMode>>,
    /// Place among the overrides, small first; 1 when it is left out.
    #[schema(minimum = -1_000_000_000, maximum = 1_000_000_000)]
    priority: Option<i64>,
    /// Remark for people; at most 1,024 characters.
    description: Option<String>,
    /// Whether it does nothing for now.
    paused: Option<bool>,
}

/// A ruleset to create.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewRulesetBody {
    /// Name for people.
    name: String,
    /// Remark for people; at most 500 characters.
    description: Option<String>,
    /// `zone` in a zone, `root` or `custom` in an account.
    kind: RulesetKind,
    /// When it runs.
    phase: String,
    /// Its rules, in the order they run.
    rules: Option<Vec<RulesetRule>>,
}

/// What to change of a ruleset: what is left out stays, and one of these is there.
#[derive(Serialize, ToSchema)]
pub(crate) struct RulesetChange {
    /// Name for people.
    name: Option<String>,
    /// Remark for people; at most 500 characters.
    description: Option<String>,
    /// All of its rules, in the order they run; one with the `id` of a present rule goes on as that.
    rules: Option<Vec<RulesetRule>>,
}

/// A rule for a ruleset, and where it goes.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewRulesetRule {
    #[serde(flatten)]
    rule: RulesetRule,
    /// Where it goes; to the end, when it is left out.
    position: Option<RulePosition>,
}

/// What a rule of a ruleset becomes: a definition with `action` and `expression` replaces the present one; `enabled` or
/// `position` alone change only that.
#[derive(Serialize, ToSchema)]
pub(crate) struct RuleChange {
    /// What it does.
    action: Option<RulesetAction>,
    /// For which requests.
    expression: Option<String>,
    /// Remark for people.
    description: Option<String>,
    /// The client's own name for it.
    #[serde(rename = "ref")]
    reference: Option<String>,
    /// Whether it is in effect.
    enabled: Option<bool>,
    /// What the action needs to know.
    action_parameters: Option<ActionParameters>,
    /// How often it may match before it acts; rules of the phase `http_ratelimit` only.
    ratelimit: Option<RateLimit>,
    /// What is recorded of it; `skip` only.
    logging: Option<Logging>,
    /// Where the credentials are that are held against leaked ones.
    exposed_credential_check: Option<ExposedCredentialCheck>,
    /// Where it goes.
    position: Option<RulePosition>,
}

/// A place among the rules of a ruleset; one of these is there.
#[derive(Serialize, ToSchema)]
pub(crate) struct RulePosition {
    /// Before the rule of this identifier; to the beginning, when it is empty.
    before: Option<String>,
    /// After the rule of this identifier; to the end, when it is empty.
    after: Option<String>,
    /// To this place; the first one is 1.
    #[schema(minimum = 1)]
    index: Option<u64>,
}

/// A ruleset of the owner, or a managed one with what is known of its rules.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "nobody makes one")]
pub(crate) enum AnyRuleset {
    /// One of the owner.
    Own(Ruleset),
    /// A managed one.
    Managed(ManagedRulesetDetails),
}
