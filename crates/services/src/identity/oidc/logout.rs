//! Signing out at the wish of a client (OpenID Connect RP-Initiated Logout 1.0).
//!
//! Only an ID token of the person who is signed in proves that the wish is that person's; without one the
//! person is asked, because any page can send a browser here.

use super::{OidcContext, context::IdTokenHint, misdirected};
use crate::identity::{RequestContext, sessions};
use domain::{
    identity::oidc::{Client, error::invalid_request, misdirected::not_registered},
    shared::{Fault, Kind, Parameters},
};
use std::sync::Arc;
use storage::shared::sessions::{SessionClaims, find_active};

/// What the browser is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogoutOutcome {
    /// The session has ended, or there was none: back to the client.
    Redirect(PostLogout),
    /// The session has ended, or there was none: the person is told so.
    SignedOut,
    /// The person has to be asked, and then goes to the client, if there is one.
    Confirm(Option<PostLogout>),
}

/// Where a person goes after signing out: a URI that the client has registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostLogout {
    pub client_id: String,
    pub uri: String,
    /// The client's `state`, answered as it was sent.
    pub state: Option<String>,
}

/// Answers a logout request. A fault is for the person, on a page: the client cannot be trusted with the
/// browser. `is_cross_site_post` says that the request may have come without the browser's cookies; then the
/// session that the ID token names ends.
pub async fn end_session(
    ctx: &OidcContext,
    request: &RequestContext,
    session: Option<SessionClaims>,
    is_cross_site_post: bool,
    parameters: &Parameters,
) -> Result<LogoutOutcome, Fault> {
    parameters.refuse_repeated(&[])?;
    let hint = read_hint(ctx, parameters).await?;
    let target = post_logout(ctx, request, hint.as_ref(), parameters).await?;
    let Some(session) = active(ctx, request, session).await? else {
        if let (Some(hint), true) = (&hint, is_cross_site_post) {
            end_named(ctx, request, hint).await?;
        }
        return Ok(match (hint, target) {
            (Some(_), Some(target)) => LogoutOutcome::Redirect(target),
            _ => LogoutOutcome::SignedOut,
        });
    };
    if !hint.is_some_and(|hint| is_about(&hint, session)) {
        return Ok(LogoutOutcome::Confirm(target));
    }
    sessions::sign_out(&ctx.identity, request, session).await?;
    Ok(target.map_or(LogoutOutcome::SignedOut, LogoutOutcome::Redirect))
}

/// Where a person goes who has confirmed: as the parameters say, if the client has registered that.
pub async fn confirmed_target(
    ctx: &OidcContext,
    request: &RequestContext,
    parameters: &Parameters,
) -> Result<Option<PostLogout>, Fault> {
    post_logout(ctx, request, None, parameters).await
}

async fn read_hint(ctx: &OidcContext, parameters: &Parameters) -> Result<Option<IdTokenHint>, Fault> {
    let Some(hint) = parameters.text("id_token_hint") else { return Ok(None) };
    let wrong = || invalid_request("id_token_hint is not an ID token of this server");
    let hint = ctx.read_id_token_hint(hint).await?.ok_or_else(wrong)?;
    if parameters.text("client_id").is_some_and(|sent| sent != hint.client_id) {
        return Err(invalid_request("client_id is not the client of id_token_hint"));
    }
    if ctx.clients.find(&hint.client_id).is_none() { Err(wrong()) } else { Ok(Some(hint)) }
}

/// The registered URI that the request names. Without a known client a URI means nothing.
async fn post_logout(
    ctx: &OidcContext,
    request: &RequestContext,
    hint: Option<&IdTokenHint>,
    parameters: &Parameters,
) -> Result<Option<PostLogout>, Fault> {
    let id = hint.map(|hint| hint.client_id.as_str()).or_else(|| parameters.text("client_id"));
    let client: Option<&Arc<Client>> = id.and_then(|id| ctx.clients.find(id));
    let (Some(client), Some(uri)) = (client, parameters.text("post_logout_redirect_uri")) else { return Ok(None) };
    if !client.allows_post_logout_redirect(uri) {
        let fault = not_registered(client, "post_logout_redirect_uri", uri);
        return Err(misdirected::record_misdirected(ctx, request, fault).await);
    }
    let state = parameters.text("state").map(str::to_owned);
    Ok(Some(PostLogout { client_id: client.id.clone(), uri: uri.to_owned(), state }))
}

async fn active(
    ctx: &OidcContext,
    request: &RequestContext,
    session: Option<SessionClaims>,
) -> Result<Option<SessionClaims>, Fault> {
    let Some(claimed) = session else { return Ok(None) };
    let connection = ctx.identity.store.shared("session.find").await?;
    Ok(find_active(&connection, claimed, request.at()).await?.map(|_| claimed))
}

/// Whether an ID token is of this session's person, and, where it names a session, of this session.
fn is_about(hint: &IdTokenHint, session: SessionClaims) -> bool {
    hint.user == session.user && hint.session.is_none_or(|named| named == session.session)
}

/// Ends the session that an ID token names, if it is active.
async fn end_named(ctx: &OidcContext, request: &RequestContext, hint: &IdTokenHint) -> Result<(), Fault> {
    let Some(session) = hint.session else { return Ok(()) };
    match sessions::revoke(&ctx.identity, request, hint.user, session).await {
        Err(fault) if fault.kind() == Kind::NotFound => Ok(()),
        outcome => outcome,
    }
}
