//! `/`: leads to where a person can do something.

use super::{Pages, Visitor};
use crate::web::{ApiRequest, ApiResponse};
use domain::shared::Fault;
use pages::studio;
use storage::{identity::accounts, shared::member_spaces};

/// To the studio or the account of a person who is signed in; to the registration while there is no account
/// at all; else to the page to sign in with.
pub(super) async fn start(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    if visitor.is_signed_in() {
        return ApiResponse::see_other(if has_space(&pages, &request).await? { studio::HOME } else { "/account" });
    }
    let is_new = pages.identity.ctx.settings.registration_enabled && has_no_account(&pages).await?;
    ApiResponse::see_other(if is_new { "/register" } else { "/login" })
}

/// Whether there is something for the person in the studio.
async fn has_space(pages: &Pages, request: &ApiRequest) -> Result<bool, Fault> {
    if !pages.has_studio {
        return Ok(false);
    }
    let user = pages.identity.sessions.signed_in(request).await?.user;
    let connection = pages.identity.ctx.store.shared("member.has_any").await?;
    Ok(member_spaces::has_any(&connection, user).await?)
}

/// Whether the next account is the first one.
pub(super) async fn has_no_account(pages: &Pages) -> Result<bool, Fault> {
    let connection = pages.identity.ctx.store.connection("account.exists").await?;
    Ok(!accounts::exists_any(&connection).await?)
}
