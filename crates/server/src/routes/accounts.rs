//! `/accounts`: the account of the principal, which clients look up first (assumption own-account).

use super::{ApiResult, page_response, success_response};
use crate::app::App;
use crate::error::Error;
use crate::request::{QueryParams, SortDirection};
use axum::extract::State;
use zonewright_api::Envelope;
use zonewright_api::account::AccountDetails;
use zonewright_api::zone::Account;
use zonewright_store::{Owner, Principal};

/// Lists the accounts of the client: only the account that the credentials belong to.
#[utoipa::path(get, path = "/accounts", tag = "Accounts",
    params(
        ("name" = Option<String>, Query, description = "Only the account with exactly this name"),
        ("direction" = Option<String>, Query, description = "Sort order: `asc` or `desc`; the list has at most one \
            account"),
        ("page" = Option<u64>, Query, description = "Page number, starting at 1; pages after the last one are empty", minimum = 1, example = 1),
        ("per_page" = Option<u64>, Query, description = "Maximum number of accounts per page; default 20", minimum = 5, maximum = 50, example = 20)),
    responses((status = 200, description = "A page of the accounts", body = Envelope<Vec<AccountDetails>>)))]
pub(crate) async fn list(
    principal: Principal,
    State(app): State<App>,
    mut query: QueryParams,
) -> ApiResult<Vec<AccountDetails>> {
    let page = query.page(20, 5..=50);
    let name = query.text("name");
    query.choice("direction", &SortDirection::CHOICES);
    query.finish()?;
    let account = app.store.account(&principal.account_id).await?;
    let accounts: Vec<_> =
        account.filter(|account| name.is_empty() || account.name == name).into_iter().map(account_details).collect();
    let total = accounts.len() as u64;
    page_response((page.select(accounts), total), page)
}

/// Returns one account.
#[utoipa::path(get, path = "/", tag = "Accounts", responses((status = 200, description = "The account", body = Envelope<AccountDetails>)))]
pub(crate) async fn get(owner: Owner, State(app): State<App>) -> ApiResult<AccountDetails> {
    let id = owner.columns().1.unwrap_or_default();
    let account = app.store.account(&id).await?;
    success_response(account_details(account.ok_or(Error::AccountNotFound(id))?))
}

fn account_details(Account { id, name }: Account) -> AccountDetails {
    AccountDetails { id, name, kind: "standard".to_owned() }
}
