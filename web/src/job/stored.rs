//! The part of the form that the browser stores.

use super::output::OutputForm;
use super::providers::Provider;
use super::{BATCH_LIMITS, DestinationAddress, JobForm, LegacyOutputOptions};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use zonewright_api::logpush::{JobFrequency, JobKind};
use zonewright_logpush::JobScope;

/// A form without secrets: the destination has only the parts that are safe to show, and the ownership challenge is
/// omitted.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct StoredJobForm {
    is_of_account: bool,
    name: String,
    dataset: String,
    enabled: bool,
    destination: StoredDestination,
    output: OutputForm,
    legacy_output: Option<LegacyOutputOptions>,
    batch_limits: [String; BATCH_LIMITS.len()],
    frequency: JobFrequency,
    kind: JobKind,
    exclude_attack_traffic: bool,
    subrequest_merging: bool,
    transformer: String,
}

#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct StoredDestination {
    /// Whether nothing of the destination was omitted.
    is_whole: bool,
    raw: Option<String>,
    provider: String,
    values: BTreeMap<String, String>,
}

impl Default for StoredJobForm {
    fn default() -> Self {
        Self::from(&JobForm::new(JobScope::Zone))
    }
}

impl From<&JobForm> for StoredJobForm {
    fn from(form: &JobForm) -> Self {
        // Without `..`, so that a new member does not compile until it is stored or omitted.
        let JobForm {
            scope,
            name,
            dataset,
            enabled,
            destination,
            ownership_challenge: _,
            output,
            legacy_output,
            batch_limits,
            frequency,
            kind,
            exclude_attack_traffic,
            subrequest_merging,
            transformer,
        } = form;
        StoredJobForm {
            is_of_account: *scope == JobScope::Account,
            name: name.clone(),
            dataset: dataset.clone(),
            enabled: *enabled,
            destination: StoredDestination::from(destination),
            output: output.clone(),
            legacy_output: legacy_output.clone(),
            batch_limits: batch_limits.clone(),
            frequency: *frequency,
            kind: *kind,
            exclude_attack_traffic: *exclude_attack_traffic,
            subrequest_merging: *subrequest_merging,
            transformer: transformer.clone(),
        }
    }
}

impl StoredJobForm {
    /// Returns whether nothing of the destination was omitted.
    pub(crate) fn has_whole_destination(&self) -> bool {
        self.destination.is_whole
    }

    /// Returns the form with another destination, or with the stored part of its own.
    pub(crate) fn into_form(self, destination: Option<DestinationAddress>) -> JobForm {
        let scope = if self.is_of_account { JobScope::Account } else { JobScope::Zone };
        JobForm {
            name: self.name,
            dataset: self.dataset,
            enabled: self.enabled,
            destination: destination.unwrap_or_else(|| self.destination.into_address()),
            output: self.output,
            legacy_output: self.legacy_output,
            batch_limits: self.batch_limits,
            frequency: self.frequency,
            kind: self.kind,
            exclude_attack_traffic: self.exclude_attack_traffic,
            subrequest_merging: self.subrequest_merging,
            transformer: self.transformer,
            ..JobForm::new(scope)
        }
    }
}

impl From<&DestinationAddress> for StoredDestination {
    fn from(address: &DestinationAddress) -> Self {
        let public = address.without_secrets();
        StoredDestination {
            is_whole: public == *address,
            raw: public.raw,
            provider: public.provider.to_owned(),
            values: public.values.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
        }
    }
}

impl StoredDestination {
    fn into_address(self) -> DestinationAddress {
        let provider = Provider::by_id(&self.provider);
        let field = |key: &str| provider.fields.iter().find(|field| field.key == key).map(|field| field.key);
        let values = self.values.into_iter().filter_map(|(key, value)| Some((field(&key)?, value))).collect();
        DestinationAddress { raw: self.raw, provider: provider.id, values, ..DestinationAddress::default() }
    }
}
