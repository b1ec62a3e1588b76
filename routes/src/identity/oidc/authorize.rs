//! `/oidc/authorize`: begins an authorization, and goes on with it after a person has signed in or consented
//! (`/oidc/authorize/{uid}`).

use super::response::to_client;
use crate::{
    identity::{BODY_LIMIT, Identity},
    web::{
        Anonymous, ApiRequest, ApiResponse,
        cookie::{self, Keep},
    },
};
use domain::{identity::one_time::Kind, shared::Fault};
use http::header;
use secrecy::ExposeSecret;
use services::identity::oidc::authorize::{self, AuthorizeOutcome, Browser, StartedInteraction};

/// 303 to the client with a code or an error, or to the page that the person has to see. Where client or
/// redirect URI are wrong: 400, no redirect.
pub(super) async fn begin(identity: Identity, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let parameters = request.query()?;
    let context = identity.request_context(&request);
    let outcome = authorize::authorize(&identity.oidc, &context, browser(&identity, &request), &parameters).await?;
    respond(&identity, outcome)
}

/// The same by a form: 303 to the GET. A browser sends no session with a form of another site (SameSite=Lax),
/// but with a GET that it is sent to.
pub(super) async fn begin_by_form(_: Identity, _: Anonymous, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let parameters = request.form(BODY_LIMIT).await?;
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(parameters.pairs());
    ApiResponse::see_other(&format!("/oidc/authorize?{}", query.finish()))
}

/// Goes on with an interaction, as [`begin`].
pub(super) async fn resume(identity: Identity, _: Anonymous, uid: String, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let context = identity.request_context(&request);
    let outcome = authorize::resume(&identity.oidc, &context, browser(&identity, &request), &uid).await?;
    respond(&identity, outcome)
}

/// The browser of a request.
pub(crate) fn browser<'a>(identity: &Identity, request: &'a ApiRequest) -> Browser<'a> {
    Browser {
        session: identity.sessions.claimed(request),
        interaction_cookie: cookie::find(&request.headers, identity.sessions.cookies().interaction()),
    }
}

fn respond(identity: &Identity, outcome: AuthorizeOutcome) -> Result<ApiResponse, Fault> {
    match outcome {
        AuthorizeOutcome::Respond { target, parameters } => to_client(&target, &parameters),
        AuthorizeOutcome::Interact(StartedInteraction { uid, cookie, .. }) => {
            let response = ApiResponse::see_other(&format!("/interaction/{uid}"))?;
            let Some(cookie) = cookie else { return Ok(response) };
            let cookies = identity.sessions.cookies();
            let keep = Keep::For(Kind::Interaction.lifetime());
            Ok(response.with(header::SET_COOKIE, cookies.set(cookies.interaction(), cookie.expose_secret(), keep)?))
        }
    }
}
