//! What a page, or a login page of the operator's own, does with an interaction: shows it, and writes what
//! the person has done.

use super::{
    OidcContext,
    authorize::{
        Browser, find_person,
        interactions::{self, StoredInteraction},
    },
};
use crate::identity::RequestContext;
use domain::{
    identity::oidc::{
        Client, Scope,
        interaction::{Confirmation, InteractionProgress},
        policy::{AuthorizationStep, Prompt, Reason, next_step},
        roles,
        user_claims::needed_scopes,
    },
    shared::{Code, Fault},
};
use jiff::Timestamp;
use std::sync::Arc;
use storage::identity::oidc::authorization::SignedInPerson;

/// An interaction as its page shows it.
#[derive(Debug)]
pub struct InteractionView {
    pub uid: String,
    /// What the person has to do, and why; `None` when nothing is left but to go on.
    pub pending: Option<(Prompt, Reason)>,
    pub client: Arc<Client>,
    /// Where the client's response goes: forms of a page may lead there.
    pub redirect_uri: String,
    /// Every scope that is asked for, also those of claims that are asked for by name.
    pub scope: Scope,
    /// Those that the person has not consented to; all of them for a client that asks each time.
    pub missing_scope: Scope,
    /// Whether the person can be asked to have a consent remembered on this browser, for requests that may
    /// show no page.
    pub can_remember: bool,
    /// The address to sign in with, as the client sent it: it may be any text.
    pub login_hint: Option<String>,
    /// The languages that the client wishes for.
    pub ui_locales: Vec<String>,
    /// The authentication context classes that the client wishes for.
    pub acr_values: Vec<String>,
    /// Who is signed in.
    pub person: Option<SignedInPerson>,
    /// When the interaction expires.
    pub expires_at: Timestamp,
}

/// What the person did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Went on, as the one who is signed in.
    Continue,
    /// Consented to scopes; to all that are asked for when none is named.
    Consent {
        scope: Option<Scope>,
        /// Whether the browser is to remember it. It counts only where [`InteractionView::can_remember`].
        remember: bool,
    },
    Abort,
}

/// Shows an interaction. 404 when there is none, 403 in another browser.
pub async fn view(ctx: &OidcContext, request: &RequestContext, browser: Browser<'_>, uid: &str) -> Result<InteractionView, Fault> {
    let stored = interactions::find(ctx, uid, browser.interaction_cookie, request.at()).await?;
    let client = interactions::client_of(ctx, &stored)?;
    let person = find_person(ctx, browser, &client, request).await?.map(|(person, _)| person);
    let StoredInteraction { uid, interaction, token, .. } = stored;
    let asked = interaction.request;
    let facts = person.as_ref().map(|person| &person.facts);
    let step = next_step(&asked, &client, facts, Some(&interaction.progress), request.at());
    let scope = needed_scopes(&asked.scope, &asked.claims);
    let asks_each_time = client.asks_each_time(&asked.target.redirect_uri);
    let consented = facts.filter(|_| !asks_each_time).map(|facts| facts.consented.clone()).unwrap_or_default();
    Ok(InteractionView {
        uid,
        pending: if let AuthorizationStep::Ask(prompt, reason) = step { Some((prompt, reason)) } else { None },
        missing_scope: scope.filtered(|name| !consented.has(name)),
        scope,
        can_remember: asks_each_time && person.as_ref().is_some_and(|person| person.is_browser_known),
        redirect_uri: asked.target.redirect_uri,
        login_hint: asked.login_hint,
        ui_locales: asked.ui_locales,
        acr_values: asked.acr_values,
        client,
        person,
        expires_at: token.expires_at,
    })
}

/// What came of a decision.
#[derive(Debug)]
pub enum Decided {
    /// It is written.
    Written,
    /// Nothing is: the person has none of the roles that the client demands.
    RoleRequired(Arc<Client>),
}

/// Writes what the person did; then the interaction can be resumed. 401 when no person is signed in, 400 for
/// scopes that were not asked for. Refusing is always possible.
pub async fn finish(
    ctx: &OidcContext,
    request: &RequestContext,
    browser: Browser<'_>,
    uid: &str,
    action: Action,
) -> Result<Decided, Fault> {
    let stored = interactions::find(ctx, uid, browser.interaction_cookie, request.at()).await?;
    let progress = stored.interaction.progress.clone();
    if action == Action::Abort {
        interactions::save(ctx, &stored, InteractionProgress { is_refused: true, ..progress }).await?;
        return Ok(Decided::Written);
    }
    let client = interactions::client_of(ctx, &stored)?;
    let (person, _) = find_person(ctx, browser, &client, request).await?.ok_or_else(Fault::unauthorized)?;
    if !roles::may_sign_in(&client, &person.facts.roles) {
        return Ok(Decided::RoleRequired(client));
    }
    let user = person.facts.user;
    let confirmed = match action {
        Action::Consent { scope, remember } => Confirmation { user, granted: Some(consented(&stored, scope)?), remember },
        Action::Continue | Action::Abort => progress.confirmed_by(user).cloned().unwrap_or_else(|| Confirmation::of(user)),
    };
    interactions::save(ctx, &stored, InteractionProgress { confirmed: Some(confirmed), ..progress }).await?;
    Ok(Decided::Written)
}

/// The scopes that a person consents to. 400 for one that was not asked for.
fn consented(stored: &StoredInteraction, scope: Option<Scope>) -> Result<Scope, Fault> {
    let asked = needed_scopes(&stored.interaction.request.scope, &stored.interaction.request.claims);
    match scope {
        None => Ok(asked),
        Some(scope) if scope.is_within(&asked) => Ok(scope),
        Some(_) => Err(Fault::new(Code::Validation, "grantedScopes has a scope that the client did not ask for")),
    }
}

/// 403 for a person who has none of the roles that a client demands. The person stays signed in.
pub fn role_required(client: &Client) -> Fault {
    let message = format!("Your account has no role that lets you sign in to {}; ask an administrator for one", client.name);
    Fault::new(Code::LoginRoleRequired, message)
}
