//! `/accounts/{account_id}/logpush/transformers`: transformers, which this service does not have (assumption
//! job-transformers).

use super::Answer;
use crate::error::Error;
use zonewright_store::Owner;

/// Refuses whatever is asked, with the documented message.
#[utoipa::path(
    method(get, post),
    path = "/",
    tag = "Log push",
    responses((status = 403, description = "10501: there are no transformers here"))
)]
pub(crate) async fn refuse(_: Owner) -> Answer<()> {
    Err(Error::NotAvailable("transformer feature is not available for this account"))
}
