//! `/accounts/{account_id}/logpush/transformers`: transformers, which this service does not have
//! (assumption job-transformers).

use super::Answer;
use crate::auth::Owner;
use crate::error::Error;

/// Refuses whatever is asked, with the documented message.
pub(crate) async fn refuse(_: Owner) -> Answer<()> {
    Err(Error::NotAvailable("transformer feature is not available for this account"))
}
