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

/// An access token as it was sent.
#[derive(Debug, Clone, Copy)]
pub struct PresentedToken<'a> {
    pub token: &'a str,
    /// The thumbprint of the key that the sender has proved to hold, if it was sent with the scheme `DPoP`.
    pub dpop_jkt: Option<&'a str>,
}

/// What is answered.
#[derive(Debug)]
pub struct Userinfo {
    /// The client that the token was issued to.
    pub client: Arc<Client>,
    pub claims: Map<String, Value>,
}

/// The claims about the person of an access token. 401 `invalid_token` for a token that is not valid here,
/// also a JWT, which is for another resource; 403 `insufficient_scope` for one without the scope `openid`, as
/// one of a client that acts for itself.
///
/// A token that is bound to a key is valid with a proof of that key only, and one that is not bound without
/// any (RFC 9449, section 7.1).
pub async fn userinfo(ctx: &OidcContext, presented: PresentedToken<'_>) -> Result<Userinfo, Fault> {
    let hash = opaque_token::hash(presented.token).ok_or_else(invalid_token)?;
    let connection = ctx.identity.store.shared("oidc.find_access_token").await?;
    let found = access_tokens::find_valid(&connection, &hash, ctx.identity.clock.now()).await?.ok_or_else(invalid_token)?;
    if found.dpop_jkt.as_deref() != presented.dpop_jkt {
        return Err(invalid_token());
    }
    let client = ctx.clients.find(&found.client_id).cloned().ok_or_else(invalid_token)?;
    let without_openid = || insufficient_scope("The access token was issued without the scope openid");
    let live = found.grant.filter(|_| found.scope.has(OPENID)).ok_or_else(without_openid)?;
    let mut person = live.person.clone();
    person.roles = roles::effective(&client, &live.roles_in(client.role_group()));
    Ok(Userinfo { claims: person.userinfo(&found.scope, &live.grant.claims), client })
}
