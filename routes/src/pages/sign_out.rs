//! `/logout`: asks before the session ends, because a GET must not end it, and says that it is over.

use super::{Form, Pages, Visitor};
use crate::web::{ApiRequest, ApiResponse};
use domain::shared::Fault;
use pages::sign_out as view;
use services::identity::sessions;

/// The question, or, without a session, that the person is signed out.
pub(super) async fn show(pages: Pages, visitor: Visitor, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let page = if visitor.is_signed_in() { view::question_page } else { view::done_page };
    Ok(visitor.ok(&pages, page))
}

/// Ends the session, in the database and in the browser.
pub(super) async fn sign_out(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    Form::read(&pages, &visitor, &mut request).await?;
    let identity = &pages.identity;
    let response = ApiResponse::see_other("/logout")?;
    if !visitor.is_signed_in() {
        return Ok(response);
    }
    let signed_in = identity.sessions.signed_in(&request).await?;
    sessions::sign_out(&identity.ctx, &identity.request_context(&request), signed_in.claims()).await?;
    Ok(identity.sessions.clear_cookies(response))
}
