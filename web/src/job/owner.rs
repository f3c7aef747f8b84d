//! The owner of jobs: a zone, or the account that the zone belongs to.

use crate::connection::Connection;
use zonewright_api::zone::Zone;
use zonewright_logpush::{Dataset, JobScope};

/// An owner of jobs; without an identifier while it is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JobOwner {
    scope: JobScope,
    id: String,
    /// Its name, where the service has shown it.
    pub(crate) name: String,
}

impl JobOwner {
    /// The selected zone, or its account if the service returned the zone.
    pub(crate) fn new(scope: JobScope, connection: &Connection, zones: &[Zone]) -> Self {
        let zone = zones.iter().find(|zone| zone.id == connection.zone);
        let (id, name) = match (scope, zone) {
            (JobScope::Zone, zone) => (connection.zone.clone(), zone.map(|zone| zone.name.clone())),
            (JobScope::Account, Some(zone)) => (zone.account.id.clone(), Some(zone.account.name.clone())),
            (JobScope::Account, None) => (String::new(), None),
        };
        JobOwner { scope, id, name: name.unwrap_or_default() }
    }

    /// The setting that is missing before its jobs can be listed.
    pub(crate) fn missing_setting(&self, connection: &Connection) -> Option<&'static str> {
        connection.missing_setting().or((self.id.is_empty())
            .then_some("The account is not known: test the connection in Settings, which finds the zone's account."))
    }

    /// Its place in addresses.
    pub(crate) fn path(&self) -> String {
        format!("/{}/{}", self.collection(), js_sys::encode_uri_component(&self.id))
    }

    /// The same for a shell, with a variable while it is not known.
    pub(crate) fn path_for_shell(&self) -> String {
        let variable = match self.scope {
            JobScope::Zone => "$ZONE_ID",
            JobScope::Account => "$ACCOUNT_ID",
        };
        format!("/{}/{}", self.collection(), if self.id.is_empty() { variable } else { &self.id })
    }

    /// Its identifier with the name of its member in other tools; empty while it is not known.
    pub(crate) fn member(&self) -> (&'static str, &str) {
        match self.scope {
            JobScope::Zone => ("zone_id", &self.id),
            JobScope::Account => ("account_id", &self.id),
        }
    }

    fn collection(&self) -> &'static str {
        match self.scope {
            JobScope::Zone => "zones",
            JobScope::Account => "accounts",
        }
    }
}

/// Whether an owner can have jobs of a dataset.
pub(crate) fn can_have(scope: JobScope, dataset: &Dataset) -> bool {
    match scope {
        JobScope::Zone => dataset.is_zone(),
        JobScope::Account => dataset.is_account(),
    }
}
