//! The owner of jobs: a zone, or the account that the zone belongs to.

use crate::connection::Connection;
use zonewright_api::zone::Zone;
use zonewright_logpush::{Dataset, JobScope};

/// An owner of jobs. The ID is empty while it is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JobOwner {
    scope: JobScope,
    id: String,
    /// The name of the owner; empty while it is unknown.
    pub(crate) name: String,
}

impl JobOwner {
    /// Creates the owner for a scope: the selected zone, or its account, which is unknown unless the service listed the
    /// zone.
    pub(crate) fn new(scope: JobScope, connection: &Connection, zones: &[Zone]) -> Self {
        let zone = zones.iter().find(|zone| zone.id == connection.zone);
        let (id, name) = match (scope, zone) {
            (JobScope::Zone, zone) => (connection.zone.clone(), zone.map(|zone| zone.name.clone())),
            (JobScope::Account, Some(zone)) => (zone.account.id.clone(), Some(zone.account.name.clone())),
            (JobScope::Account, None) => (String::new(), None),
        };
        JobOwner { scope, id, name: name.unwrap_or_default() }
    }

    /// Returns a message about the setting that is missing before the jobs can be listed.
    pub(crate) fn missing_setting(&self, connection: &Connection) -> Option<&'static str> {
        connection.missing_setting().or((self.id.is_empty())
            .then_some("The account is unknown. Test the connection in Settings to look up the zone's account."))
    }

    /// Returns the path of the owner in API URLs.
    pub(crate) fn path(&self) -> String {
        format!("/{}/{}", self.collection(), js_sys::encode_uri_component(&self.id))
    }

    /// Returns the path for a shell, with a variable instead of an unknown ID.
    pub(crate) fn path_for_shell(&self) -> String {
        let variable = match self.scope {
            JobScope::Zone => "$ZONE_ID",
            JobScope::Account => "$ACCOUNT_ID",
        };
        format!("/{}/{}", self.collection(), if self.id.is_empty() { variable } else { &self.id })
    }

    /// Returns the name of the ID's member in other tools, and the ID; the ID is empty while it is unknown.
    pub(crate) fn id_member(&self) -> (&'static str, &str) {
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

/// Returns whether an owner can have jobs of a dataset.
pub(crate) fn supports_dataset(scope: JobScope, dataset: &Dataset) -> bool {
    match scope {
        JobScope::Zone => dataset.has_zone_scope(),
        JobScope::Account => dataset.has_account_scope(),
    }
}
