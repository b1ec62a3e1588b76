//! `/`: leads to where a person can do something.

use super::{Pages, Visitor};
use crate::web::{ApiRequest, ApiResponse};
use domain::shared::Fault;
use storage::identity::accounts;

/// To the account of a person who is signed in; to the registration while there is no account at all; else to
/// the page to sign in with.
pub(super) async fn start(pages: Pages, visitor: Visitor, _: ApiRequest) -> Result<ApiResponse, Fault> {
    if visitor.is_signed_in() {
        return ApiResponse::see_other("/account");
    }
    let is_new = pages.identity.ctx.settings.registration_enabled && has_no_account(&pages).await?;
    ApiResponse::see_other(if is_new { "/register" } else { "/login" })
}

/// Whether the next account is the first one.
pub(super) async fn has_no_account(pages: &Pages) -> Result<bool, Fault> {
    let connection = pages.identity.ctx.store.connection("account.exists").await?;
    Ok(!accounts::exists_any(&connection).await?)
}
