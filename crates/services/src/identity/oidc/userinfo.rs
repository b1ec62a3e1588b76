//! The userinfo endpoint (OpenID Connect Core 1.0, section 5.3).

use super::OidcContext;
use crypto::opaque_token;
use domain::{
    identity::oidc::{
        Client,
        error::{insufficient_scope, invalid_token},
        roles,
        scope::OPENID,
    },
    shared::Fault,
};
use serde_json::{Map, Value};
use std::sync::Arc;
use storage::identity::oidc::access_tokens;

/// What is answered.
#[derive(Debug)]
pub struct Userinfo {
    /// The client that the token was issued to.
    pub client: Arc<Client>,
    /// The claims.
    pub claims: Map<String, Value>,
}

/// The claims about the person of an access token. 401 `invalid_token` for a token that is not valid here, also a JWT, which is for another resource; 403
/// `insufficient_scope` for one without the scope `openid`, as one of a client that acts for itself.
pub async fn userinfo(ctx: &OidcContext, token: &str) -> Result<Userinfo, Fault> {
    let hash = opaque_token::hash(token).ok_or_else(invalid_token)?;
    let connection = ctx.identity.store.shared("oidc.find_access_token").await?;
    let found = access_tokens::find_valid(&connection, &hash, ctx.identity.clock.now()).await?.ok_or_else(invalid_token)?;
    let client = ctx.clients.find(&found.client_id).cloned().ok_or_else(invalid_token)?;
    let without_openid = || insufficient_scope("The access token was issued without the scope openid");
    let live = found.grant.filter(|_| found.scope.has(OPENID)).ok_or_else(without_openid)?;
    let mut person = live.person.clone();
    person.roles = roles::effective(&client, &live.roles_in(client.role_group()));
    Ok(Userinfo { claims: person.userinfo(&found.scope, &live.grant.claims), client })
}
