//! `/oidc/session/end` (OpenID Connect RP-Initiated Logout 1.0), by GET and by POST.

use super::response::with_query;
use crate::{
    identity::{BODY_LIMIT, Identity},
    web::{Anonymous, ApiRequest, ApiResponse},
};
use domain::shared::{Fault, Parameters};
use services::identity::oidc::logout::{self, LogoutOutcome, PostLogout};
use url::form_urlencoded::Serializer;

/// The page that says so, for a person whom a client has sent without a place to return to.
pub(crate) const PATH_FROM_CLIENT: &str = "/logout?from=client";

/// 303: to the client, or to the page that says that one is signed out, or that asks first. 400 for an ID
/// token of another server and an unregistered URI.
pub(super) async fn end(identity: Identity, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let parameters = request.query()?;
    respond(&identity, &request, &parameters, false).await
}

/// The same by a form. From another site it comes without the browser's cookies, so the ID token names the
/// session.
pub(super) async fn end_by_form(identity: Identity, _: Anonymous, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let parameters = request.form(BODY_LIMIT).await?;
    respond(&identity, &request, &parameters, true).await
}

async fn respond(identity: &Identity, request: &ApiRequest, parameters: &Parameters, is_post: bool) -> Result<ApiResponse, Fault> {
    let context = identity.request_context(request);
    let session = identity.sessions.claimed(request);
    let outcome = logout::end_session(&identity.oidc, &context, session, is_post, parameters).await?;
    Ok(match outcome {
        LogoutOutcome::Redirect(target) => identity.sessions.clear_cookies(ApiResponse::see_other(&uri_of(&target))?),
        LogoutOutcome::SignedOut => identity.sessions.clear_cookies(ApiResponse::see_other(PATH_FROM_CLIENT)?),
        LogoutOutcome::Confirm(target) => ApiResponse::see_other(&confirm_page(target.as_ref()))?,
    })
}

/// The URI that a person goes to after signing out.
pub(crate) fn uri_of(target: &PostLogout) -> String {
    match &target.state {
        Some(state) => with_query(&target.uri, &Serializer::new(String::new()).append_pair("state", state).finish()),
        None => target.uri.clone(),
    }
}

/// The page that asks, with where to go on.
fn confirm_page(target: Option<&PostLogout>) -> String {
    let Some(PostLogout { client_id, uri, state }) = target else { return PATH_FROM_CLIENT.to_owned() };
    let mut query = Serializer::new(String::new());
    query.append_pair("client_id", client_id).append_pair("post_logout_redirect_uri", uri);
    if let Some(state) = state {
        query.append_pair("state", state);
    }
    format!("/logout?{}", query.finish())
}
