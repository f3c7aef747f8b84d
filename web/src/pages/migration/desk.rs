//! What the page works on; kept in memory while other pages are looked at.

use super::samples;
use crate::api::waf::{Proposal, Verdict};
use crate::session::Session;
use leptos::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;
use zonewright_api::Refusal;
use zonewright_api::finding::{Fate, Finding};
use zonewright_api::ruleset::EntryPoint;
use zonewright_api::waf_migration::{MigrationState, MigrationStatus};
use zonewright_expression::schema::Tier;
use zonewright_migration::read::read_entry_point;
use zonewright_migration::{Phase, Plan, ZoneConfig, eligibility, fingerprint, plan, read_config, support};

/// A step of the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Whether the zone can migrate.
    #[default]
    Check,
    /// What the zone has now, kept in a file.
    Configuration,
    /// What becomes of it.
    Review,
    /// Old and new side by side.
    Validation,
    /// Through the door.
    Finish,
    /// What the service says.
    Status,
}

impl Stage {
    /// All of them, in their order.
    pub(super) const ALL: [(Stage, &'static str); 6] = [
        (Stage::Check, "Check"),
        (Stage::Configuration, "Configuration"),
        (Stage::Review, "Review"),
        (Stage::Validation, "Validation"),
        (Stage::Finish, "Finish"),
        (Stage::Status, "Status"),
    ];
}

/// What the text of the configuration is.
#[derive(Clone, Debug)]
pub(super) enum Reading {
    /// There is none.
    Empty,
    /// It cannot be read.
    Wrong(Vec<Refusal>),
    /// It can.
    Right(Box<Understood>),
}

/// A configuration with all that follows from it.
#[derive(Clone, Debug)]
pub(super) struct Understood {
    pub(super) document: Value,
    pub(super) config: ZoneConfig,
    pub(super) plan: Plan,
    /// What stands in the way.
    pub(super) blocked: Vec<Finding>,
    /// What stood in the way in the first phase, for those who are still in it.
    pub(super) phase_one: Vec<Finding>,
    /// What only support can carry over.
    pub(super) support: Vec<Finding>,
    pub(super) fingerprint: String,
}

impl Understood {
    pub(super) fn of(document: Value) -> Result<Understood, Vec<Refusal>> {
        let config = read_config(&document)?;
        Ok(Understood {
            plan: plan(&config),
            blocked: eligibility(&config, Phase::Two),
            phase_one: eligibility(&config, Phase::One),
            support: support(&config),
            fingerprint: fingerprint(&config),
            config,
            document,
        })
    }

    /// What is not carried over and has to be looked at one by one.
    pub(super) fn losses(&self) -> Vec<Finding> {
        let lost = |one: &&Finding| matches!(one.fate, Fate::Lost | Fate::NeedsSupport) && !one.is_quiet();
        self.plan.findings.iter().filter(lost).cloned().collect()
    }

    /// The name of the zone, or its identifier.
    pub(super) fn zone_name(&self) -> String {
        let ZoneConfig { name, zone_id, .. } = &self.config;
        if name.is_empty() { zone_id.clone() } else { name.clone() }
    }

    /// The name for files.
    pub(super) fn file_name(&self) -> String {
        let safe = |letter: char| if letter.is_ascii_alphanumeric() || letter == '.' { letter } else { '-' };
        let name: String = self.zone_name().chars().map(safe).collect();
        if name.is_empty() { "zone".to_owned() } else { name }
    }
}

/// The new configuration as it stands, with what is wrong with it.
#[derive(Clone, Debug, Default)]
pub(super) struct Judged {
    pub(super) text: String,
    pub(super) body: Option<Value>,
    pub(super) entry_point: Option<EntryPoint>,
    pub(super) problems: Vec<Refusal>,
}

/// What happens to the update.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Sending {
    /// Nothing yet.
    Idle,
    /// Check and fingerprint are asked for again.
    Checking,
    /// The update is on its way.
    Sent,
    /// Something is not as it was looked at; nothing was sent.
    Stopped(String),
    /// A call before the update failed; nothing was sent.
    NotSent(crate::api::Problem),
    /// The service refused the update.
    Refused(crate::api::Problem),
    /// Whether the service did it is not known.
    Unknown,
}

/// The state of the page.
#[derive(Clone, Copy)]
pub(crate) struct MigrationDesk {
    /// The configuration as JSON.
    pub(super) source: RwSignal<String>,
    /// The zone it was read from, unless it was pasted.
    pub(super) of_zone: RwSignal<Option<String>>,
    pub(super) reading: Memo<Arc<Reading>>,
    pub(super) stage: RwSignal<Stage>,
    /// The new configuration, once it was edited.
    pub(super) edited: RwSignal<Option<String>>,
    pub(super) judged: Memo<Arc<Judged>>,
    pub(super) status: RwSignal<Option<MigrationStatus>>,
    pub(super) proposal: RwSignal<Option<Proposal>>,
    pub(super) verdict: RwSignal<Option<Verdict>>,
    /// Fingerprint of the configuration that was kept in a file.
    pub(super) backup: RwSignal<Option<String>>,
    /// Pointers to the losses that were ticked.
    pub(super) ticked: RwSignal<BTreeSet<String>>,
    pub(super) typed: RwSignal<String>,
    pub(super) sending: RwSignal<Sending>,
    /// The requests that are rehearsed.
    pub(super) requests: RwSignal<String>,
}

impl MigrationDesk {
    /// An empty desk.
    pub(crate) fn new() -> Self {
        let source = RwSignal::new(String::new());
        let edited = RwSignal::new(None::<String>);
        // Every run has new input: comparing two would be wasted work.
        let reading = Memo::new_with_compare(move |_| Arc::new(read(&source.read())), |_, _| true);
        let judged = Memo::new_with_compare(move |_| Arc::new(judge(&reading.read(), &edited.read())), |_, _| true);
        MigrationDesk {
            source,
            of_zone: RwSignal::new(None),
            reading,
            stage: RwSignal::new(Stage::Check),
            edited,
            judged,
            status: RwSignal::new(None),
            proposal: RwSignal::new(None),
            verdict: RwSignal::new(None),
            backup: RwSignal::new(None),
            ticked: RwSignal::new(BTreeSet::new()),
            typed: RwSignal::new(String::new()),
            sending: RwSignal::new(Sending::Idle),
            requests: RwSignal::new(samples::REQUESTS.to_owned()),
        }
    }

    /// The one of this visit.
    pub(super) fn get() -> Self {
        Session::get().migration
    }

    /// Takes another configuration: what was done about the last one does not count for it.
    pub(super) fn take(self, text: String, zone: Option<String>) {
        self.source.set(text);
        self.of_zone.set(zone);
        self.edited.set(None);
        self.backup.set(None);
        self.ticked.set(BTreeSet::new());
        self.typed.set(String::new());
        self.sending.set(Sending::Idle);
    }

    /// Forgets what belongs to a zone of the service.
    pub(crate) fn leave_zone(self) {
        if self.of_zone.get_untracked().is_some() {
            self.take(String::new(), None);
        }
        self.stage.set(Stage::Check);
        self.status.set(None);
        self.proposal.set(None);
        self.verdict.set(None);
        self.sending.set(Sending::Idle);
    }

    /// Something of the configuration; `None` while there is none that can be read.
    pub(super) fn with<T>(self, take: impl FnOnce(&Understood) -> T) -> Option<T> {
        match &**self.reading.read() {
            Reading::Right(understood) => Some(take(understood)),
            _ => None,
        }
    }

    /// How far the migration is.
    pub(super) fn state(self) -> MigrationState {
        self.status.read().as_ref().map_or(MigrationState::Start, |status| status.migration_state)
    }

    /// Whether the zone has the step of validation.
    pub(super) fn validates(self) -> bool {
        self.with(|one| one.config.tier == Tier::Enterprise)
            .or_else(|| Session::get().zone_tier().map(|tier| tier == Tier::Enterprise))
            .unwrap_or(true)
    }

    /// Whether the configuration is the one of the zone that the service is asked about.
    pub(super) fn is_of_zone(self) -> bool {
        let zone = self.of_zone.read();
        zone.as_ref().is_some_and(|zone| *zone == Session::get().connection.read().zone)
    }
}

fn read(text: &str) -> Reading {
    if text.trim().is_empty() {
        return Reading::Empty;
    }
    match parse(text).and_then(Understood::of) {
        Ok(understood) => Reading::Right(Box::new(understood)),
        Err(problems) => Reading::Wrong(problems),
    }
}

fn parse(text: &str) -> Result<Value, Vec<Refusal>> {
    serde_json::from_str(text).map_err(|error| vec![Refusal::shape("", format!("this is no JSON: {error}"))])
}

/// The new configuration: the plan's, or what was made of it.
fn judge(reading: &Reading, edited: &Option<String>) -> Judged {
    let Reading::Right(understood) = reading else { return Judged::default() };
    let text = match edited {
        Some(text) => text.clone(),
        None => serde_json::to_string_pretty(&understood.plan.entry_point).unwrap_or_default(),
    };
    let body = match parse(&text) {
        Ok(body) => body,
        Err(problems) => return Judged { text, problems, ..Judged::default() },
    };
    // What has problems is shown as far as it can be read.
    let (entry_point, problems) = match read_entry_point(&body, understood.config.tier) {
        Ok(read) => (Some(read), Vec::new()),
        Err(problems) => (serde_json::from_value(body.clone()).ok(), problems),
    };
    Judged { text, body: Some(body), entry_point, problems }
}
