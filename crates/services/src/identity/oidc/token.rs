//! The token endpoint (RFC 6749, section 3.2): each grant type in a file of its own.
//!
//! Nothing is used up before everything that the response needs was read and signed: a code or refresh token that is refused, or whose request fails, can be
//! used again. The transaction that uses it up stores the new tokens, and is committed before the client is answered.

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
    },
    shared::{Fault, Parameters},
};
use secrecy::SecretString;
use std::time::Duration;

/// What a client is given.
#[derive(Debug)]
pub struct TokenResponse {
    pub access_token: SecretString,
    /// How it is used: `Bearer`, or `DPoP` when it is bound to a key.
    pub token_type: &'static str,
    /// How long it is valid.
    pub expires_in: Duration,
    /// What it is for.
    pub scope: Scope,
    /// The ID token, where `openid` was granted.
    pub id_token: Option<SecretString>,
    /// The refresh token, where `offline_access` was granted.
    pub refresh_token: Option<SecretString>,
}

/// How an access token is used that is bound to a key, or to none.
pub(super) fn token_type(dpop_jkt: Option<&str>) -> &'static str {
    if dpop_jkt.is_some() { "DPoP" } else { "Bearer" }
}

/// Answers a token request of a client that has authenticated. With `dpop_jkt`, the thumbprint of a key that the client has proved to hold, the tokens are bound
/// to that key (RFC 9449, section 5). The faults are those of RFC 6749, section 5.2.
pub async fn token(
    ctx: &OidcContext,
    request: &RequestContext,
    client: &Client,
    parameters: &Parameters,
    dpop_jkt: Option<&str>,
) -> Result<TokenResponse, Fault> {
    let name = parameters.text("grant_type").ok_or_else(|| invalid_request("grant_type is missing"))?;
    let grant_type = GrantType::from_name(name).ok_or_else(unsupported_grant_type)?;
    if !client.allows_grant(grant_type) {
        return Err(unauthorized_client("The client may not use this grant type"));
    }
    if client.requires_dpop && dpop_jkt.is_none() {
        return Err(invalid_dpop_proof("The client has to send a DPoP proof"));
    }
    let response = match grant_type {
        GrantType::AuthorizationCode => authorization_code::redeem(ctx, request, client, parameters, dpop_jkt).await,
        GrantType::RefreshToken => refresh::refresh(ctx, request, client, parameters, dpop_jkt).await,
        GrantType::ClientCredentials => client_credentials::grant(ctx, client, parameters, dpop_jkt).await,
        GrantType::DeviceCode => device_code::redeem(ctx, request, client, parameters, dpop_jkt).await,
    }?;
    ctx.counters.issued(grant_type);
    Ok(response)
}

/// The resource that an access token is for (RFC 8707, section 2.2): the one that is asked for, else the one that was granted. `granted` are those that the
/// grant allows. With several granted and none asked for, the token is for this server's own userinfo endpoint.
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
