//! Answers about migrations. A document with mistakes gives an answer without anything but its refusals.

use super::{diagnostics, refusal};
use crate::arguments::migration::Request;
use crate::arguments::{Document, Refusal as Wrong};
use crate::types::{self, Js};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use wasm_bindgen::JsValue;
use zonewright_api::firewall::FirewallRule;
use zonewright_api::ruleset::{EntryPoint, Ruleset};
use zonewright_api::{Refusal, described};
use zonewright_expression::schema::Tier;
use zonewright_migration::{self as engine, ChangeKind, Phase, ReportFormat, Runs, Warning, ZoneConfig, read_config};

type Refusals = Vec<types::Refusal>;

/// Answer of `plan`.
pub(crate) fn planned(config: Document, tier: Option<Tier>) -> types::Planned {
    match read(config, tier) {
        Ok(config) => {
            let plan = engine::plan(&config);
            types::Planned {
                compatible: engine::eligibility(&config, Phase::Two).is_empty(),
                ruleset: Some(plan.entry_point),
                findings: plan.findings,
                warnings: plan.warnings,
                ..types::Planned::default()
            }
        }
        Err(refusals) => types::Planned { refusals, ..types::Planned::default() },
    }
}

/// Answer of `check`.
pub(crate) fn checked(config: Document, tier: Option<Tier>, phase: Phase) -> types::CheckedZone {
    match read(config, tier) {
        Ok(config) => {
            let mut findings = engine::eligibility(&config, phase);
            let compatible = findings.is_empty();
            findings.extend(engine::support(&config));
            let warnings = engine::warnings(&config);
            types::CheckedZone { compatible, findings, warnings, ..types::CheckedZone::default() }
        }
        Err(refusals) => types::CheckedZone { refusals, ..types::CheckedZone::default() },
    }
}

/// Answer of `report`.
pub(crate) fn reported(config: Document, tier: Option<Tier>, format: ReportFormat) -> types::Report {
    match read(config, tier) {
        Ok(config) => {
            let text = engine::report(&config, &engine::plan(&config), format);
            types::Report { text: Some(text), ..types::Report::default() }
        }
        Err(refusals) => types::Report { refusals, ..types::Report::default() },
    }
}

/// Answer of `convert`.
pub(crate) fn converted(rules: &Document, tier: Option<Tier>) -> types::ConvertedRules {
    let rules = rules.as_ref().map_err(|repeated| vec![refusal(repeated)]);
    match rules.and_then(|rules| items::<FirewallRule>(unwrapped(rules), "")) {
        Ok(rules) => {
            let converted = zonewright_firewall::convert(&rules, tier.unwrap_or(Tier::Enterprise));
            types::ConvertedRules {
                rules: Some(converted.rules),
                findings: converted.findings,
                ..types::ConvertedRules::default()
            }
        }
        Err(refusals) => types::ConvertedRules { refusals, ..types::ConvertedRules::default() },
    }
}

/// Answer of `diff`.
pub(crate) fn differences(current: Option<Document>, new: Document) -> types::Differences {
    let current: Result<Option<Ruleset>, _> =
        current.map(|document| item(unwrapped(&under(document, "/current")?), "/current")).transpose();
    match (current, entry_point(new)) {
        (Ok(current), Ok(new)) => {
            let changes = engine::diff(current.as_ref(), &new).into_iter().map(change).collect();
            let warnings = current.iter().flat_map(|current| unlisted(current, "/current"));
            let warnings = warnings.chain(unlisted(&new, "/ruleset")).collect();
            types::Differences { changes: Some(changes), warnings, ..types::Differences::default() }
        }
        (current, new) => {
            let refusals = current.err().map(|wrong| refusal(&wrong)).into_iter();
            let refusals = refusals.chain(new.err().unwrap_or_default()).collect();
            types::Differences { refusals, ..types::Differences::default() }
        }
    }
}

fn change(change: engine::Change) -> types::Change {
    let kind = match change.kind {
        ChangeKind::Added => "added",
        ChangeKind::Removed => "removed",
        ChangeKind::Changed => "changed",
        ChangeKind::Moved => "moved",
    };
    types::Change { kind, from: change.from, to: change.to, members: change.members }
}

/// Answer of `rehearse`; without a new configuration, by the planned one.
pub(crate) fn rehearsal(
    config: Document,
    tier: Option<Tier>,
    new: Option<Document>,
    requests: Vec<Request>,
) -> types::Rehearsal {
    let (config, new) = match (read(config, tier), new.map(entry_point).transpose()) {
        (Ok(config), Ok(new)) => (config, new),
        (config, new) => {
            let refusals = config.err().into_iter().chain(new.err()).flatten().collect();
            return types::Rehearsal { refusals, ..types::Rehearsal::default() };
        }
    };
    let of_new = new.iter().flat_map(|new| unlisted(new, "/ruleset"));
    let warnings = engine::warnings(&config).into_iter().chain(of_new).collect();
    let new = new.unwrap_or_else(|| engine::plan(&config).entry_point);
    let (records, notes): (Vec<_>, Vec<_>) =
        requests.into_iter().map(|(record, notes)| ((String::new(), record), notes)).unzip();
    let rehearsed = engine::rehearse(&config, &new, &records).into_iter().zip(notes);
    let requests = rehearsed.map(|(one, notes)| types::Rehearsed {
        differs: runs(one.differs()),
        before: side(one.before),
        after: side(one.after),
        notes,
    });
    types::Rehearsal { requests: Some(requests.collect()), warnings, ..types::Rehearsal::default() }
}

/// What a ruleset of the call names and the catalogue does not list.
fn unlisted(ruleset: &impl Serialize, prefix: &str) -> Vec<Warning> {
    engine::unlisted_references(&json!(ruleset)).into_iter().map(|warning| warning.under(prefix)).collect()
}

fn side(side: engine::Side) -> types::Side {
    types::Side { managed: runs(side.managed), core: runs(side.core), decided: side.decided }
}

fn runs(runs: Runs) -> Js {
    Js(match runs {
        Runs::Yes => JsValue::TRUE,
        Runs::No => JsValue::FALSE,
        Runs::Unknown => JsValue::from_str("unknown"),
    })
}

/// Answer of `rehearse` to a wrong call: problems with the places of the requests that they are about.
pub(crate) fn refused(wrong: impl Iterator<Item = (Option<usize>, Wrong)>) -> types::Rehearsal {
    let of_one = |(request, problems): (Option<usize>, Wrong)| {
        let told = diagnostics("", &problems).into_iter();
        told.map(move |diagnostic| types::RequestDiagnostic { request, diagnostic })
    };
    types::Rehearsal { diagnostics: wrong.flat_map(of_one).collect(), ..types::Rehearsal::default() }
}

/// The configuration; a plan that is given beside it counts.
fn read(config: Document, tier: Option<Tier>) -> Result<ZoneConfig, Refusals> {
    let mut config = config.map_err(|repeated| vec![refusal(&repeated)])?;
    if let (Some(tier), Json::Object(members)) = (tier, &mut config) {
        members.insert("plan".to_owned(), tier.name().into());
    }
    read_config(&config).map_err(|refusals| refusals.iter().map(refusal).collect())
}

/// A new configuration. Mistakes in it are below `/ruleset`.
fn entry_point(new: Document) -> Result<EntryPoint, Refusals> {
    let new = under(new, "/ruleset").map_err(|repeated| vec![refusal(&repeated)])?;
    let value = unwrapped(&new);
    // Rules are read one by one before, for the places of their mistakes.
    if let Some(rules) = value.get("rules") {
        items::<zonewright_api::ruleset::RulesetRule>(rules, "/ruleset/rules")?;
    }
    item(value, "/ruleset").map_err(|wrong| vec![refusal(&wrong)])
}

fn items<T: for<'a> Deserialize<'a>>(value: &Json, pointer: &str) -> Result<Vec<T>, Refusals> {
    let Json::Array(values) = value else {
        let message = format!("must be an array, not {}", described(value));
        return Err(vec![refusal(&Refusal::shape(pointer, message))]);
    };
    let (mut read, mut refusals) = (Vec::with_capacity(values.len()), Vec::new());
    for (place, value) in values.iter().enumerate() {
        match item(value, &format!("{pointer}/{place}")) {
            Ok(item) => read.push(item),
            Err(wrong) => refusals.push(refusal(&wrong)),
        }
    }
    if refusals.is_empty() { Ok(read) } else { Err(refusals) }
}

fn item<T: for<'a> Deserialize<'a>>(value: &Json, pointer: &str) -> Result<T, Refusal> {
    // Serde reads an array as an object's members in their order.
    let read = match value {
        Json::Object(_) => T::deserialize(value).map_err(|error| error.to_string()),
        other => Err(format!("must be an object, not {}", described(other))),
    };
    read.map_err(|message| Refusal::shape(pointer, message))
}

/// A repeated member is told with its place in the whole call.
fn under(document: Document, prefix: &str) -> Document {
    document.map_err(|repeated| repeated.under(prefix))
}

/// What is in an envelope.
fn unwrapped(value: &Json) -> &Json {
    value.get("result").unwrap_or(value)
}
