//! `/zones/{zone_id}/settings/{setting}`: settings of a zone (observed). The only setting is `waf`, which turns all
//! previous managed rules on or off.

use super::bodies::SettingChange;
use super::{ApiResult, success_response};
use crate::app::App;
use crate::error::Error;
use crate::request::{JsonBody, path_parameter};
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use zonewright_api::legacy_waf::ZoneSetting;
use zonewright_api::{Envelope, ErrorObject, error_code};
use zonewright_migration::read::read_waf_setting;
use zonewright_store::Zone;

/// The path parameter `setting`, which has to be `waf`.
pub(crate) struct WafSetting;

impl<S: Send + Sync> FromRequestParts<S> for WafSetting {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        match path_parameter(parts, "setting").await.unwrap_or_default() {
            name if name == "waf" => Ok(WafSetting),
            name => {
                let shown: String = name.chars().take(64).collect();
                // The beginning of the message is observed.
                let message = format!("Undefined zone setting: {shown}; this service supports only `waf`");
                Err(Error::Invalid(vec![ErrorObject::new(error_code::UNKNOWN_SETTING, message)]))
            }
        }
    }
}

/// Returns the setting.
#[utoipa::path(
    get,
    path = "/settings/{setting}",
    tag = "Settings",
    responses(
        (status = 200, description = "The setting", body = Envelope<ZoneSetting>),
        (status = 400, description = "1003: setting not found"),
    )
)]
pub(crate) async fn get(zone: Zone, _: WafSetting, State(app): State<App>) -> ApiResult<ZoneSetting> {
    success_response(app.store.waf_switch(&zone).await?)
}

/// Changes the setting.
#[utoipa::path(
    patch,
    path = "/settings/{setting}",
    tag = "Settings",
    request_body(content = SettingChange, example = json!({"value": "off"})),
    responses(
        (status = 200, description = "The changed setting", body = Envelope<ZoneSetting>),
        (status = 400, description = "1003: setting not found; 1007: invalid value; 1015: the setting cannot be changed on the Free plan or after the migration of the zone; 10014: invalid body; 10303: the migration of the zone does not allow the change"),
    )
)]
pub(crate) async fn edit(
    zone: Zone,
    _: WafSetting,
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> ApiResult<ZoneSetting> {
    let switch = read_waf_setting(&body, zone.tier)?;
    success_response(app.store.set_waf(&zone, switch).await?.switch(zone.tier))
}
