//! The connection as a dot and a word.

use crate::connection::Connection;
use crate::route::Route;
use crate::state::service::ConnectionStatus;
use crate::state::service::ServiceContext;
use leptos::prelude::*;
use web_sys::Url;
use zonewright_api::zone::Zone;

/// The name of the account of a demo service.
const DEMO_ACCOUNT: &str = "Demo";

/// Shows whether the app is connected, and to which service. The indicator links to the settings.
#[component]
pub(crate) fn ConnectionIndicator() -> impl IntoView {
    let service = ServiceContext::get();
    let label = move || match service.status.get() {
        ConnectionStatus::NotConnected => "Offline".to_owned(),
        ConnectionStatus::Connected => service_name(&service.connection.read(), &service.zones.read()),
        ConnectionStatus::Failed => "Disconnected".to_owned(),
    };
    let class = move || match service.status.get() {
        ConnectionStatus::NotConnected => "dot",
        ConnectionStatus::Connected => "dot on",
        ConnectionStatus::Failed => "dot failed",
    };
    view! {
        <a class="link-state" href=Route::Settings.href() title=label>
            <span class=class aria-hidden="true"></span>
            <span class="visually-hidden">"Connection: "</span>
            <span class="link-word">{label}</span>
        </a>
    }
}

/// Returns the name of the service: the demo service, or the host. Only a service on this machine can be the demo,
/// because a real account may have any name.
fn service_name(connection: &Connection, zones: &[Zone]) -> String {
    let url = window().location().href().and_then(|here| Url::new_with_base(&connection.root(), &here));
    let Ok(url) = url else { return "Connected".to_owned() };
    let name = url.hostname();
    let is_local = name == "localhost" || name.ends_with(".localhost") || name.starts_with("127.") || name == "[::1]";
    // Without zones, an empty base URL is the only evidence: the service also serves this app.
    let is_demo = if zones.is_empty() {
        connection.base_url.trim().is_empty()
    } else {
        zones.iter().all(|zone| zone.account.name == DEMO_ACCOUNT)
    };
    if is_local && is_demo { "Demo service".to_owned() } else { url.host() }
}
