//! An update as it was confirmed. All that is sent, and where to, is taken down when the button is pressed: whatever
//! happens to the page while the service is asked again, nothing else is sent, and nowhere else.

use super::desk::Seen;
use super::reading::Understood;
use super::source::document;
use crate::api::{Client, Problem};
use crate::connection::Connection;
use crate::session::Session;
use leptos::prelude::*;
use serde_json::Value;
use web_sys::AbortController;
use zonewright_api::ruleset::{EntryPoint, Ruleset};
use zonewright_api::waf_migration::MigrationState;
use zonewright_migration::diff;

/// An update and what it rests on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dispatch {
    connection: Connection,
    /// What the zone is called.
    pub(super) name: String,
    /// What the update leads to.
    pub(super) target: MigrationState,
    body: Value,
    entry_point: EntryPoint,
    tag: String,
    page: Page,
    seen: MigrationState,
}

/// What was looked at on the page.
#[derive(Clone, Debug, PartialEq)]
struct Page {
    zone: Option<String>,
    fingerprint: String,
    entry_point: Option<(String, String)>,
    text: String,
}

impl Page {
    fn now(session: Session) -> Option<Page> {
        let desk = session.migration;
        untrack(move || {
            let text = desk.judged.read().text.clone();
            let zone = desk.of_zone.get();
            desk.with(|one| Page {
                zone,
                fingerprint: one.fingerprint.clone(),
                entry_point: one.entry_point_version(),
                text,
            })
        })
    }
}

/// Why an update was not sent.
pub(super) enum Halt {
    /// Another zone or connection was chosen meanwhile.
    Left,
    /// Something is not as it was looked at.
    Stopped(String),
    /// A call failed.
    Failed(Problem),
}

/// What could be found out about an update that nobody answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It was done.
    Done,
    /// The zone has got there, and has something else saved than what was sent.
    Other,
    /// The zone is as it was before, or on its way in another state.
    NotYet(MigrationState),
}

impl Dispatch {
    /// What is on the page now; none when there is nothing that could be sent.
    pub(super) fn take(session: Session, target: MigrationState) -> Option<Dispatch> {
        let desk = session.migration;
        let connection = session.connection.get_untracked();
        let page = Page::now(session).filter(|page| page.zone.as_ref() == Some(&connection.zone))?;
        let judged = desk.judged.get_untracked();
        let Seen { state, proposal, .. } = desk.seen.get_untracked()?;
        Some(Dispatch {
            name: untrack(move || desk.with(Understood::zone_name)).unwrap_or_default(),
            target,
            body: judged.body.clone()?,
            entry_point: judged.entry_point.clone()?,
            tag: proposal?.tag?,
            page,
            seen: state,
            connection,
        })
    }

    /// Whether another zone or connection is chosen now.
    pub(super) fn is_left(&self, session: Session) -> bool {
        session.connection.get_untracked() != self.connection
    }

    /// Stops unless zone, connection and page are what they were.
    fn still(&self, session: Session) -> Result<(), Halt> {
        if self.is_left(session) {
            return Err(Halt::Left);
        }
        if Page::now(session).as_ref() == Some(&self.page) {
            return Ok(());
        }
        let words = "what is on this page was changed while the service was asked again: look at it, and send it then";
        Err(Halt::Stopped(words.to_owned()))
    }

    /// A client of the zone that was confirmed, with its own time.
    fn client(&self) -> Result<Client, Halt> {
        let controller = AbortController::new().map_err(|_| Halt::Failed(Problem::Cancelled))?;
        Ok(Client::new(self.connection.clone(), &controller.signal()))
    }

    /// Asks for everything again, and stops unless all of it is what was looked at.
    pub(super) async fn look_again(&self, session: Session) -> Result<(), Halt> {
        let desk = session.migration;
        let client = self.client()?;
        let verdict = client.migration_check().await.map_err(Halt::Failed)?;
        self.still(session)?;
        let compatible = verdict.compatibility.compatible;
        desk.seen.update(|seen| {
            if let Some(seen) = seen {
                seen.verdict = verdict;
            }
        });
        if !compatible {
            let words = "the service says now that the zone is not compatible: look at the check again";
            return Err(Halt::Stopped(words.to_owned()));
        }
        let document = document(session, &self.connection.zone, &client).await.map_err(Halt::Failed)?;
        self.still(session)?;
        let proposal = client.proposal().await.map_err(Halt::Failed)?;
        self.still(session)?;
        let state = client.migration_status().await.map_err(Halt::Failed)?.migration_state;
        self.still(session)?;
        self.compare(document, proposal.tag.as_deref(), state)
    }

    /// Holds what the service says now against what was looked at.
    fn compare(&self, document: Value, tag: Option<&str>, state: MigrationState) -> Result<(), Halt> {
        let stopped = |words: String| Err(Halt::Stopped(words));
        if state != self.seen {
            let (was, is) = (self.seen.name(), state.name());
            return stopped(format!(
                "the migration has moved on since the zone was read, from {was} to {is}: read it again"
            ));
        }
        let present = Understood::of(document).ok();
        let same =
            |take: fn(&Understood) -> String, before: &String| present.as_ref().map(take).as_ref() == Some(before);
        if !same(|one| one.fingerprint.clone(), &self.page.fingerprint) {
            let words = "the configuration of the zone has changed since it was read: read it again and review it";
            return stopped(words.to_owned());
        }
        if present.and_then(|one| one.entry_point_version()) != self.page.entry_point {
            let words = "the saved entry point has changed since the zone was read: read it again and review it";
            return stopped(words.to_owned());
        }
        if tag != Some(&self.tag) {
            let words =
                "the service says that something has changed since the zone was read: read it again and review it";
            return stopped(words.to_owned());
        }
        Ok(())
    }

    /// Sends it, once.
    pub(super) async fn send(&self, parameter: &str) -> Result<(), Problem> {
        let Ok(client) = self.client() else { return Err(Problem::Cancelled) };
        client.migrate(parameter, &self.body, &self.tag).await
    }

    /// Asks how far the zone is and what is saved, after no answer came.
    pub(super) async fn find_out(&self) -> Result<(zonewright_api::waf_migration::MigrationStatus, Outcome), Problem> {
        let Ok(client) = self.client() else { return Err(Problem::Cancelled) };
        let status = client.migration_status().await?;
        let saved = client.entry_point().await?;
        let state = status.migration_state;
        let outcome = if state < self.target {
            Outcome::NotYet(state)
        } else if saved.as_ref().is_some_and(|saved| self.is_saved_as(saved)) {
            Outcome::Done
        } else if state == self.seen {
            Outcome::NotYet(state)
        } else {
            Outcome::Other
        };
        Ok((status, outcome))
    }

    /// Reads the entry point that is saved now.
    pub(super) async fn read_saved(&self) -> Result<Option<Ruleset>, Problem> {
        let Ok(client) = self.client() else { return Err(Problem::Cancelled) };
        client.entry_point().await
    }

    fn is_saved_as(&self, saved: &Ruleset) -> bool {
        let version = Some((saved.id.clone(), saved.version.clone()));
        version != self.page.entry_point && diff(Some(saved), &self.entry_point).is_empty()
    }
}
