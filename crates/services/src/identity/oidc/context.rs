//! What the use cases of the provider work with.

use super::{KeyRing, TokenCounters};
use crate::identity::IdentityContext;
use crypto::oidc::{DpopNonces, client_secrets::ClientSecrets};
use domain::{
    identity::oidc::{
        AuthorizationRequest, Client, Clients, TokenType, authorization_request::RefusedRequest, error::invalid_request, lifetimes,
    },
    shared::{Fault, Parameters, SessionId, UserId},
};
use serde::Deserialize;
use std::{sync::Arc, time::Duration};

/// Everything that a use case of the provider needs beside the request that causes it. Cheap to clone.
#[derive(Clone)]
pub struct OidcContext {
    /// What the use cases of accounts work with.
    pub identity: IdentityContext,
    pub clients: Arc<Clients>,
    /// The secrets of clients.
    pub secrets: Arc<ClientSecrets>,
    /// Gives out the nonces of DPoP proofs.
    pub dpop_nonces: Arc<DpopNonces>,
    /// The keys that tokens are signed with.
    pub keys: KeyRing,
    /// What the operator configured.
    pub settings: Arc<OidcSettings>,
    /// The metrics of tokens.
    pub counters: TokenCounters,
}

/// Settings of the provider.
#[derive(Debug, Clone)]
pub struct OidcSettings {
    /// The issuer of every token: the base URL, without a slash at its end.
    pub issuer: String,
    /// `APP_OIDC_RESOURCE_AUDIENCE`: the resources that JWT access tokens are issued for.
    pub resource_audiences: Vec<String>,
    /// `APP_OIDC_JWT_ACCESS_TTL`: how long JWT access tokens last, which their resources accept without
    /// asking this server.
    pub jwt_access_ttl: Duration,
    /// `APP_OIDC_REFRESH_GRACE`: for how long after its use a refresh token may be used again.
    pub refresh_grace: Duration,
}

impl OidcSettings {
    /// How long an opaque access token of a person lasts.
    pub fn access_token_ttl(&self, client: &Client) -> Duration {
        client.access_token_ttl.unwrap_or(lifetimes::ACCESS_TOKEN)
    }

    /// How long an opaque access token of a client lasts that acts for itself.
    pub fn client_access_token_ttl(&self, client: &Client) -> Duration {
        client.access_token_ttl.unwrap_or(lifetimes::CLIENT_ACCESS_TOKEN)
    }

    /// How long a JWT access token lasts.
    pub fn jwt_access_token_ttl(&self, client: &Client) -> Duration {
        client.access_token_ttl.unwrap_or(self.jwt_access_ttl)
    }

    /// The audiences of client assertions: this server by its issuer or, as older clients do, by its token
    /// endpoint.
    pub fn assertion_audiences(&self) -> [String; 2] {
        [self.issuer.clone(), format!("{}/oidc/token", self.issuer)]
    }
}

/// What an ID token of this server says that comes back as `id_token_hint`. It may have expired.
#[derive(Debug, Clone)]
pub struct IdTokenHint {
    pub user: UserId,
    /// The client that it was issued to.
    pub client_id: String,
    pub session: Option<SessionId>,
}

#[derive(Deserialize)]
struct HintClaims {
    iss: String,
    sub: UserId,
    aud: String,
    #[serde(default)]
    sid: Option<SessionId>,
}

impl OidcContext {
    /// Reads an `id_token_hint`; `None` when it is no ID token of this server. The time of its end does not
    /// matter (OpenID Connect RP-Initiated Logout 1.0, section 2).
    pub async fn read_id_token_hint(&self, hint: &str) -> Result<Option<IdTokenHint>, Fault> {
        let claims = self.keys.verify::<HintClaims>(hint, TokenType::Id).await?;
        let ours = claims.filter(|claims| claims.iss == self.settings.issuer);
        Ok(ours.map(|claims| IdTokenHint { user: claims.sub, client_id: claims.aud, session: claims.sid }))
    }

    /// Adds whom `id_token_hint` names.
    pub(super) async fn with_hint(
        &self,
        request: AuthorizationRequest,
        parameters: &Parameters,
    ) -> Result<Result<AuthorizationRequest, Box<RefusedRequest>>, Fault> {
        let Some(hint) = parameters.text("id_token_hint").filter(|_| request.is_openid()) else { return Ok(Ok(request)) };
        Ok(match self.read_id_token_hint(hint).await? {
            Some(hint) => Ok(AuthorizationRequest { hinted_user: Some(hint.user), ..request }),
            None => Err(Box::new(RefusedRequest {
                target: request.target,
                fault: invalid_request("id_token_hint is not an ID token of this server"),
            })),
        })
    }
}
