//! The token endpoint (RFC 6749, section 3.2): each grant type in a file of its own.
//!
//! Nothing is used up before everything that the response needs was read and signed: a code or refresh token
//! that is refused, or whose request fails, can be used again. The transaction that uses it up stores the new
//! tokens, and is committed before the client is answered.
//!
//! ```text
//! TokenRequest -> TokenGrant (whom and what the tokens are for) -> TokenResponse (the tokens, with the rows that make them valid)
//! ```

mod authorization_code;
mod client_credentials;
mod device_code;
mod issue;
mod refresh;

use super::OidcContext;
use crate::identity::RequestContext;
use domain::{
    identity::oidc::{
        Client, GrantType, Scope,
        error::{invalid_dpop_proof, invalid_request, invalid_target, unauthorized_client, unsupported_grant_type},
        roles,
        scope::OFFLINE_ACCESS,
    },
    shared::{Fault, Parameters},
};
pub use issue::TokenResponse;
use storage::identity::oidc::grants::LiveGrant;

/// A token request of a client that has authenticated.
#[derive(Clone, Copy)]
pub struct TokenRequest<'a> {
    pub context: &'a RequestContext,
    pub client: &'a Client,
    pub parameters: &'a Parameters,
    /// The thumbprint of the key that the client has proved to hold (RFC 9449, section 5): the tokens are
    /// bound to it.
    pub dpop_jkt: Option<&'a str>,
}

impl TokenRequest<'_> {
    /// A parameter; 400 without it.
    fn required(&self, name: &'static str) -> Result<&str, Fault> {
        self.parameters.text(name).ok_or_else(|| invalid_request(format!("{name} is missing")))
    }

    /// Whether what a code or a refresh token is bound to is the key of this request.
    fn has_key_of(&self, bound: Option<&str>) -> bool {
        bound.is_none() || bound == self.dpop_jkt
    }

    /// Whether the person of a grant has one of the roles that the client demands, if it demands any.
    fn may_sign_in(&self, live: &LiveGrant) -> bool {
        roles::may_sign_in(self.client, &roles::effective(self.client, &live.roles_in(self.client.role_group())))
    }

    /// Whether a grant comes with a refresh token.
    fn wants_refresh(&self, granted: &Scope) -> bool {
        granted.has(OFFLINE_ACCESS) && self.client.allows_grant(GrantType::RefreshToken)
    }
}

/// How an access token is used that is bound to a key, or to none.
pub(super) fn token_type(dpop_jkt: Option<&str>) -> &'static str {
    if dpop_jkt.is_some() { "DPoP" } else { "Bearer" }
}

/// Answers a token request. The faults are those of RFC 6749, section 5.2.
pub async fn token(ctx: &OidcContext, request: TokenRequest<'_>) -> Result<TokenResponse, Fault> {
    let name = request.required("grant_type")?;
    let grant_type = name.parse::<GrantType>().map_err(|_| unsupported_grant_type())?;
    if !request.client.allows_grant(grant_type) {
        return Err(unauthorized_client("The client may not use this grant type"));
    }
    if request.client.requires_dpop && request.dpop_jkt.is_none() {
        return Err(invalid_dpop_proof("The client has to send a DPoP proof"));
    }
    let response = match grant_type {
        GrantType::AuthorizationCode => authorization_code::redeem(ctx, request).await,
        GrantType::RefreshToken => refresh::refresh(ctx, request).await,
        GrantType::ClientCredentials => client_credentials::grant(ctx, request).await,
        GrantType::DeviceCode => device_code::redeem(ctx, request).await,
    }?;
    ctx.counters.issued(grant_type);
    Ok(response)
}

/// The resource that an access token is for (RFC 8707, section 2.2): the one that is asked for, else the one
/// that was granted. `granted` are those that the grant allows. With several granted and none asked for, the
/// token is for this server's own userinfo endpoint.
fn resource<'a>(parameters: &'a Parameters, granted: &'a [String]) -> Result<Option<&'a str>, Fault> {
    let mut asked = parameters.pairs().filter(|(name, value)| *name == "resource" && !value.is_empty()).map(|(_, value)| value);
    match (asked.next(), asked.next(), granted) {
        (Some(_), Some(_), _) => Err(invalid_target("An access token is for one resource; ask for one at a time")),
        (Some(asked), None, granted) if granted.iter().any(|granted| granted == asked) => Ok(Some(asked)),
        (Some(_), None, _) => Err(invalid_target("The resource was not granted")),
        (None, _, [only]) => Ok(Some(only)),
        (None, ..) => Ok(None),
    }
}
