//! Authorization requests: `/oidc/authorize`, and going on after a person has signed in or consented.
//!
//! ```text
//! parameters -> request -> next_step -> Issue:  grant and code, in one transaction      -> Respond
//!                              |------> Ask:    an interaction is stored                -> Interact, a page
//!                              |------> Refuse: the client is told                      -> Respond
//! ```

mod code;
pub(super) mod interactions;

use super::{OidcContext, misdirected, pushed};
use crate::identity::RequestContext;
use code::IssueCode;
use domain::{
    identity::oidc::{
        AuthorizationRequest, Client, ResponseTarget, authorization_request,
        error::invalid_request,
        interaction::InteractionProgress,
        policy::{AuthorizationStep, next_step},
        roles,
    },
    shared::{Fault, Parameters},
};
pub use interactions::StartedInteraction;
use interactions::StoredInteraction;
use std::sync::Arc;
use storage::{
    identity::oidc::authorization::{self, SignedInPerson},
    shared::sessions::SessionClaims,
};

/// The browser that a request comes from.
#[derive(Debug, Clone, Copy, Default)]
pub struct Browser<'a> {
    /// The session that its cookie claims, active or not.
    pub session: Option<SessionClaims>,
    /// The value of its interaction cookie.
    pub interaction_cookie: Option<&'a str>,
}

/// What the browser is answered.
#[derive(Debug)]
pub enum AuthorizeOutcome {
    /// A response for the client.
    Respond { target: ResponseTarget, parameters: Vec<(&'static str, String)> },
    /// A page for the person.
    Interact(StartedInteraction),
}

/// Answers an authorization request. A fault is for the person, on a page: client or redirect URI are wrong,
/// so that the client cannot be told.
pub async fn authorize(
    ctx: &OidcContext,
    request: &RequestContext,
    browser: Browser<'_>,
    parameters: &Parameters,
) -> Result<AuthorizeOutcome, Fault> {
    if let Some(uri) = parameters.text("request_uri").filter(|uri| pushed::is_reference(uri)) {
        let (client, authorization) = pushed::take(ctx, uri, parameters.text("client_id"), request.at()).await?;
        return proceed(ctx, request, browser, &client, authorization, None).await;
    }
    let (client, target) = match authorization_request::target(parameters, &ctx.clients) {
        Ok(named) => named,
        Err(fault) => return Err(misdirected::record_misdirected(ctx, request, fault).await),
    };
    if client.requires_pushed_requests {
        return Ok(respond_refused(ctx, &target, &invalid_request("The client has to push its authorization requests")));
    }
    let read = match authorization_request::read(parameters, &client, target, &ctx.settings.resource_audiences) {
        Ok(authorization) => ctx.with_hint(authorization, parameters).await?,
        refused => refused,
    };
    let authorization = match read {
        Ok(authorization) => authorization,
        Err(refused) => return Ok(respond_refused(ctx, &refused.target, &refused.fault)),
    };
    proceed(ctx, request, browser, &client, authorization, None).await
}

/// Goes on with an interaction, once the person has done what its page asks for. 404 `interactionNotFound`
/// when there is no such interaction, it has expired or was finished; 403 when another browser began it.
pub async fn resume(
    ctx: &OidcContext,
    request: &RequestContext,
    browser: Browser<'_>,
    uid: &str,
) -> Result<AuthorizeOutcome, Fault> {
    let stored = interactions::find(ctx, uid, browser.interaction_cookie, request.at()).await?;
    let client = interactions::client_of(ctx, &stored)?;
    let authorization = stored.interaction.request.clone();
    proceed(ctx, request, browser, &client, authorization, Some(stored)).await
}

async fn proceed(
    ctx: &OidcContext,
    request: &RequestContext,
    browser: Browser<'_>,
    client: &Arc<Client>,
    authorization: AuthorizationRequest,
    stored: Option<StoredInteraction>,
) -> Result<AuthorizeOutcome, Fault> {
    let person = find_person(ctx, browser, client, request).await?;
    let progress: Option<&InteractionProgress> = stored.as_ref().map(|stored| &stored.interaction.progress);
    let facts = person.as_ref().map(|(person, _)| &person.facts);
    match (next_step(&authorization, client, facts, progress, request.at()), person) {
        (AuthorizationStep::Issue, Some((person, session))) => {
            let target = authorization.target.clone();
            let code = IssueCode::new(ctx, client, authorization, &person, session, stored, request)?;
            let token = code.run(ctx).await?;
            let parameters = target.success(&token, &ctx.settings.issuer);
            Ok(AuthorizeOutcome::Respond { target, parameters })
        }
        (AuthorizationStep::Refuse(fault), _) => {
            if let Some(stored) = &stored {
                interactions::finish(ctx, stored, request.at()).await?;
            }
            Ok(respond_refused(ctx, &authorization.target, &fault))
        }
        (AuthorizationStep::Ask(prompt, _), _) => {
            let started = match stored {
                Some(stored) => StartedInteraction { uid: stored.uid, prompt, cookie: None },
                None => interactions::start(ctx, authorization, prompt, browser.interaction_cookie, request.at()).await?,
            };
            Ok(AuthorizeOutcome::Interact(started))
        }
        (AuthorizationStep::Issue, None) => Err(Fault::internal("a code would be issued without a person")),
    }
}

/// The person who is signed in, as far as the client is concerned.
pub(super) async fn find_person(
    ctx: &OidcContext,
    browser: Browser<'_>,
    client: &Client,
    request: &RequestContext,
) -> Result<Option<(SignedInPerson, SessionClaims)>, Fault> {
    let Some(claimed) = browser.session else { return Ok(None) };
    let connection = ctx.identity.store.shared("oidc.find_person").await?;
    let found = authorization::find_person(
        &connection,
        claimed,
        request.device.hash.as_ref(),
        &client.id,
        client.role_group(),
        request.at(),
    )
    .await?;
    Ok(found.map(|mut person| {
        person.facts.roles = roles::effective(client, &person.facts.roles);
        (person, claimed)
    }))
}

fn respond_refused(ctx: &OidcContext, target: &ResponseTarget, fault: &Fault) -> AuthorizeOutcome {
    AuthorizeOutcome::Respond { target: target.clone(), parameters: target.failure(fault, &ctx.settings.issuer) }
}
