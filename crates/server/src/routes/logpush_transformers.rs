//! `/accounts/{account_id}/logpush/transformers`: transformers, which this service does not have (assumption
//! job-transformers).

use super::ApiResult;
use crate::error::Error;
use zonewright_store::Owner;

/// Rejects every request with the documented message.
#[utoipa::path(
    method(get, post),
    path = "/",
    tag = "Log push",
    responses((status = 403, description = "10501: transformers are not available"))
)]
pub(crate) async fn refuse(_: Owner) -> ApiResult<()> {
    Err(Error::NotAvailable("transformer feature is not available for this account"))
}
