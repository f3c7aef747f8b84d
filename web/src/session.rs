//! What the pages share. Small on purpose: all else is derived or belongs to one page.

use crate::analyzed::Analyzed;
use crate::commands::{Deed, Way};
use crate::components::toast::Message;
use crate::connection::{Connection, Link};
use crate::draft::Draft;
use crate::job::JobDraft;
use crate::log_filter::LogFilter;
use crate::pages::expressions::ToolPanel;
use crate::pages::expressions::sample::SampleInput;
use crate::pages::migration::MigrationDesk;
use crate::scope::Scope;
use crate::storage;
use crate::theme::Theme;
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_api::zone::Zone;
use zonewright_expression::schema::Tier;

/// What a first visit shows: a real rule with one mistake, the commonest of all.
pub(crate) const EXAMPLE: &str = r#"(http.host eq 'shop.example.com' and starts_with(http.request.uri.path, "/admin"))
and not ip.src in {192.0.2.0/24 2001:db8::/32}"#;

/// What the pages share.
#[derive(Clone, Copy)]
pub(crate) struct Session {
    /// The expression of the first page.
    pub(crate) source: RwSignal<String>,
    /// What it is checked against.
    pub(crate) scope: RwSignal<Scope>,
    /// What the engine says about it.
    pub(crate) analyzed: Memo<Arc<Analyzed>>,
    /// The tool beside the editor that is shown.
    pub(crate) panel: RwSignal<ToolPanel>,
    /// The request that the expression is tried on.
    pub(crate) sample: SampleInput,
    /// The expression that it is compared with.
    pub(crate) other: RwSignal<String>,
    /// The rules of which some may never fire, as text.
    pub(crate) rule_list: RwSignal<String>,
    /// The test cases.
    pub(crate) cases: RwSignal<String>,
    /// The log push filter being written.
    pub(crate) log_filter: LogFilter,
    /// The log push job being written.
    pub(crate) job: JobDraft,
    /// The migration being looked at.
    pub(crate) migration: MigrationDesk,
    /// The rule being written.
    pub(crate) draft: Draft,
    /// How to reach the service.
    pub(crate) connection: RwSignal<Connection>,
    /// What is known of the connection.
    pub(crate) link: RwSignal<Link>,
    /// The zones the service has shown.
    pub(crate) zones: RwSignal<Vec<Zone>>,
    /// The look.
    pub(crate) theme: RwSignal<Theme>,
    /// What the app says for some seconds.
    pub(crate) toast: RwSignal<Option<Message>>,
    /// How the page that is shown does what the palette asks for.
    pub(crate) ways: RwSignal<Option<Callback<Deed, Way>>>,
}

impl Session {
    /// The session of this visit, with what the last one left, for all components below.
    pub(crate) fn provide() -> Self {
        let source = RwSignal::new(storage::get(storage::SOURCE).unwrap_or_else(|| EXAMPLE.to_owned()));
        let scope = RwSignal::new(Scope::remembered());
        let base_url = storage::get(storage::BASE_URL).unwrap_or_default();
        let session = Session {
            source,
            scope,
            analyzed: Analyzed::follow(source, Signal::derive(move || scope.get().options())),
            panel: RwSignal::new(ToolPanel::default()),
            sample: SampleInput::new(),
            other: RwSignal::new(String::new()),
            rule_list: RwSignal::new(String::new()),
            cases: RwSignal::new(storage::get(storage::CASES).unwrap_or_default()),
            log_filter: LogFilter::remembered(),
            job: JobDraft::new(),
            migration: MigrationDesk::new(),
            draft: Draft::new(),
            connection: RwSignal::new(Connection { base_url, ..Connection::default() }),
            link: RwSignal::new(Link::Offline),
            zones: RwSignal::new(Vec::new()),
            theme: RwSignal::new(Theme::remembered()),
            toast: RwSignal::new(None),
            ways: RwSignal::new(None),
        };
        // A filter or a job of one zone is none of another.
        Effect::new(move |before: Option<(String, String)>| {
            let place = session.connection.with(|one| (one.base_url.clone(), one.zone.clone()));
            if before.is_some_and(|before| before != place) {
                session.draft.leave_zone();
                session.job.created.set(None);
                session.migration.leave_zone();
                if session.job.present.read_untracked().is_some() {
                    session.job.clear();
                }
            }
            place
        });
        Effect::new(move || storage::set(storage::SOURCE, &source.read()));
        Effect::new(move || storage::set(storage::CASES, &session.cases.read()));
        Effect::new(move || scope.get().remember());
        Effect::new(move || session.theme.get().apply());
        provide_context(session);
        session
    }

    /// The session of this visit.
    pub(crate) fn get() -> Self {
        use_context().unwrap_or_else(Session::provide)
    }

    /// Takes a zone, and its plan with it: what its plan refuses shows at once.
    pub(crate) fn choose_zone(self, id: &str) {
        self.connection.update(|connection| id.clone_into(&mut connection.zone));
        let tier = untrack(move || self.zone_tier());
        if tier.is_some() {
            self.scope.update(|scope| scope.tier = tier);
        }
    }

    /// The plan of the zone, where the service has shown it.
    pub(crate) fn zone_tier(self) -> Option<Tier> {
        let (connection, zones) = (self.connection.read(), self.zones.read());
        let zone = zones.iter().find(|zone| zone.id == connection.zone)?;
        Tier::from_name(&zone.plan.legacy_id)
    }
}
