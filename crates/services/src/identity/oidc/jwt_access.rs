//! JWT access tokens (RFC 9068) that come back to this server.

use super::OidcContext;
use domain::{identity::oidc::TokenType, shared::Fault};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What a token is bound to (RFC 9449, section 6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmation {
    /// The thumbprint of the key.
    pub jkt: String,
}

/// The claims of an access token that are read again.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct JwtAccess {
    pub(super) sub: String,
    pub(super) aud: String,
    pub(super) client_id: String,
    pub(super) scope: String,
    pub(super) jti: String,
    pub(super) iat: i64,
    pub(super) exp: i64,
    pub(super) auth_time: Option<i64>,
    pub(super) acr: Option<String>,
    pub(super) sid: Option<String>,
    pub(super) cnf: Option<Confirmation>,
}

impl JwtAccess {
    /// The claims of a token, if this server signed it as an access token and it has not expired.
    pub(super) async fn read(ctx: &OidcContext, token: &str, now: Timestamp) -> Result<Option<Self>, Fault> {
        let claims: Option<Self> = ctx.keys.verify(token, TokenType::Access).await?;
        Ok(claims.filter(|claims| claims.exp > now.as_second()))
    }

    /// The grant, which is the first part of `jti`; `None` when the client acts for itself.
    pub(super) fn grant(&self) -> Option<Uuid> {
        let grant = self.jti.split('.').next().and_then(|grant| Uuid::try_parse(grant).ok());
        grant.filter(|grant| !grant.is_nil())
    }
}
