//! `/logout`: asks before the session ends, because a GET must not end it, and says that it is over. An application that asked for it gets the person back
//! (OpenID Connect RP-Initiated Logout 1.0, section 2).

use super::{Form, Pages, Visitor, account::apps::client_name};
use crate::{
    identity::oidc::session_end::uri_of,
    web::{ApiRequest, ApiResponse},
};
use domain::shared::Fault;
use pages::sign_out as view;
use services::identity::{
    oidc::logout::{PostLogout, confirmed_target},
    sessions,
};

/// The question, or, without a session, that the person is signed out.
pub(super) async fn show(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let target = confirmed_target(&pages.identity.oidc, &request.query()?)?;
    if !visitor.is_signed_in() {
        let back = target.as_ref().map(|target| (client_name(&pages, &target.client_id), uri_of(target)));
        let back = back.as_ref().map(|(client, uri)| (client.as_str(), uri.as_str()));
        return Ok(visitor.ok(&pages, |frame| view::done_page(frame, back)));
    }
    let fields = target.as_ref().map(fields).unwrap_or_default();
    let visitor = match &target {
        Some(target) => visitor.leading_to(&target.uri),
        None => visitor,
    };
    Ok(visitor.ok(&pages, |frame| view::question_page(frame, &fields)))
}

/// The fields that name where to go.
fn fields(target: &PostLogout) -> Vec<(&'static str, &str)> {
    let state = target.state.as_deref().map(|state| ("state", state));
    [("client_id", target.client_id.as_str()), ("post_logout_redirect_uri", target.uri.as_str())].into_iter().chain(state).collect()
}

/// Ends the session, in the database and in the browser.
pub(super) async fn sign_out(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let identity = &pages.identity;
    let target = confirmed_target(&identity.oidc, form.parameters())?;
    let response = ApiResponse::see_other(&target.as_ref().map_or_else(|| "/logout".to_owned(), uri_of))?;
    if !visitor.is_signed_in() {
        return Ok(response);
    }
    let signed_in = identity.sessions.signed_in(&request).await?;
    sessions::sign_out(&identity.ctx, &identity.request_context(&request), signed_in.claims()).await?;
    Ok(identity.sessions.clear_cookies(response))
}
