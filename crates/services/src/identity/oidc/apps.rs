//! The applications that a person has signed in to, and withdrawing what they may do.

use crate::identity::{IdentityContext, RequestContext};
use domain::{
    identity::oidc::Scope,
    shared::{Fault, UserId},
};
use jiff::Timestamp;
use serde_json::json;
use storage::{
    identity::{
        audit,
        oidc::{consents, grants, remembered_consents},
        sessions,
    },
    shared::sessions::SessionClaims,
    transact,
};

/// An application that a person has signed in to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct App {
    pub client_id: String,
    /// The scopes that the person consented to, and those of grants that are valid.
    pub scope: Scope,
    pub since: Timestamp,
}

/// The applications of a person, by client.
pub async fn list(ctx: &IdentityContext, user: UserId) -> Result<Vec<App>, Fault> {
    let connection = ctx.store.connection("oidc.list_apps").await?;
    let consents = consents::list(&connection, user).await?;
    let grants = grants::list_active(&connection, user, ctx.clock.now(), grants::NEWEST).await?.items;
    let consented = consents.into_iter().map(|consent| (consent.client_id, consent.scope, consent.created_at));
    let granted = grants.into_iter().map(|grant| (grant.client_id, grant.scope, grant.created_at));
    let mut apps: Vec<App> = Vec::new();
    for (client_id, scope, since) in consented.chain(granted) {
        match apps.iter_mut().find(|app| app.client_id == client_id) {
            Some(app) => {
                scope.names().iter().for_each(|name| app.scope.add(name));
                app.since = app.since.min(since);
            }
            None => apps.push(App { client_id, scope, since }),
        }
    }
    apps.sort_by(|a, b| a.client_id.cmp(&b.client_id));
    Ok(apps)
}

/// Withdraws what a person has allowed a client: the consent, and every grant with its tokens. Nothing
/// happens for a client that has neither. 401 when the session ended since the request began.
pub async fn withdraw(ctx: &IdentityContext, request: &RequestContext, owner: SessionClaims, client_id: &str) -> Result<(), Fault> {
    transact!(ctx, "oidc.withdraw", async |tx| {
        let (user, at) = (owner.user, request.source.at);
        sessions::lock_signed_in(tx, owner, at).await?;
        remembered_consents::forget(tx, user, client_id).await?;
        let had_consent = consents::remove(tx, user, client_id).await?;
        let revoked = grants::revoke_of_client(tx, user, client_id, at).await?;
        if !had_consent && revoked == 0 {
            return Ok(());
        }
        let details = json!({ "clientId": client_id });
        audit::record_with(tx, audit::Event::OidcConsentWithdrawn, &details, request.source.attempt(Some(user)).client(client_id))
            .await
    })
    .await
}
