//! `/logout`: asks before the session ends, because a GET must not end it, and says that it is over. An
//! application that asked for it gets the person back (OpenID Connect RP-Initiated Logout 1.0, section 2);
//! the window may be a popup of the application, so it is not cut off from it.

use super::{Form, Pages, Visitor, account::apps::client_name};
use crate::{
    identity::oidc::session_end::{PATH_FROM_CLIENT, uri_of},
    web::{ApiRequest, ApiResponse, headers::KeptOpener},
};
use domain::shared::{Fault, Parameters};
use pages::sign_out as view;
use services::identity::{
    oidc::logout::{PostLogout, confirmed_target},
    sessions,
};
use warp::reply::Response;

/// The parameter that says that a client has sent the person here without a place to return to.
const FROM_CLIENT: (&str, &str) = ("from", "client");

/// The question, or, without a session, that the person is signed out.
pub(super) async fn show(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<Response, Fault> {
    let context = pages.identity.request_context(&request);
    let query = request.query()?;
    let target = confirmed_target(&pages.identity.oidc, &context, &query).await?;
    let is_from_client = is_from_client(&query, target.as_ref());
    Ok(keep_opener(is_from_client, signed_out_page(&pages, visitor, is_from_client, target.as_ref())))
}

fn signed_out_page(pages: &Pages, visitor: Visitor, is_from_client: bool, target: Option<&PostLogout>) -> ApiResponse {
    if !visitor.is_signed_in() {
        let back = target.map(|target| (client_name(pages, &target.client_id), uri_of(target)));
        let back = back.as_ref().map(|(client, uri)| (client.as_str(), uri.as_str()));
        return visitor.ok(pages, |frame| view::done_page(frame, back));
    }
    let fields = target.map_or_else(|| is_from_client.then_some(FROM_CLIENT).into_iter().collect(), fields);
    let visitor = match target {
        Some(target) => visitor.leading_to(&target.uri),
        None => visitor,
    };
    visitor.ok(pages, |frame| view::question_page(frame, &fields))
}

/// Whether a client has sent the person.
fn is_from_client(parameters: &Parameters, target: Option<&PostLogout>) -> bool {
    target.is_some() || parameters.get(FROM_CLIENT.0) == Some(FROM_CLIENT.1)
}

/// The response, which leaves a window that a client has opened its link to the client.
fn keep_opener(is_from_client: bool, response: ApiResponse) -> Response {
    let mut response = Response::from(response);
    if is_from_client {
        response.extensions_mut().insert(KeptOpener);
    }
    response
}

/// The fields that name where to go.
fn fields(target: &PostLogout) -> Vec<(&'static str, &str)> {
    let state = target.state.as_deref().map(|state| ("state", state));
    [("client_id", target.client_id.as_str()), ("post_logout_redirect_uri", target.uri.as_str())].into_iter().chain(state).collect()
}

/// Ends the session, in the database and in the browser.
pub(super) async fn sign_out(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<Response, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let identity = &pages.identity;
    let context = identity.request_context(&request);
    let target = confirmed_target(&identity.oidc, &context, form.parameters()).await?;
    let is_from_client = is_from_client(form.parameters(), target.as_ref());
    let done = if is_from_client { PATH_FROM_CLIENT } else { "/logout" };
    let response = ApiResponse::see_other(&target.as_ref().map_or_else(|| done.to_owned(), uri_of))?;
    if !visitor.is_signed_in() {
        return Ok(keep_opener(is_from_client, response));
    }
    let signed_in = identity.sessions.signed_in(&request).await?;
    sessions::sign_out(&identity.ctx, &context, signed_in.claims()).await?;
    Ok(keep_opener(is_from_client, identity.sessions.clear_cookies(response)))
}
