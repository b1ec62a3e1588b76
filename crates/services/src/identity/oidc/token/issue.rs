//! Making tokens. Nothing is written while they are made: the caller stores what has to be stored, in its transaction.

use super::{TokenResponse, token_type};
use crate::identity::oidc::{OidcContext, introspect::Confirmation};
use crypto::opaque_token;
use domain::{
    identity::oidc::{
        Client, IdTokenClaims, Scope, SigningAlgorithm, TokenType, acr, lifetimes, roles, scope, user_claims::Person,
    },
    shared::Fault,
};
use futures_util::try_join;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde_json::{Map, Value};
use std::time::Duration;
use storage::{
    Result as StoreResult, Tx,
    identity::oidc::{
        access_tokens::{self, NewAccessToken},
        grants::{Grant, LiveGrant},
        refresh_tokens::{self, NewRefreshToken},
    },
};
use uuid::Uuid;

/// What tokens are made of.
pub(super) struct Issue<'a> {
    pub(super) client: &'a Client,
    /// The grant, and the person as it is now.
    pub(super) live: &'a LiveGrant,
    /// What the access token is for.
    pub(super) scope: &'a Scope,
    /// The resource that the access token is for.
    pub(super) resource: Option<&'a str>,
    pub(super) at: Timestamp,
    /// The thumbprint of the key that the tokens are bound to.
    pub(super) dpop_jkt: Option<&'a str>,
}

/// Tokens, and the rows that make them valid.
pub(super) struct Issued {
    pub(super) access_token: SecretString,
    /// The row of an opaque access token.
    pub(super) row: Option<NewAccessToken>,
    pub(super) expires_in: Duration,
    pub(super) token_type: &'static str,
    pub(super) id_token: Option<SecretString>,
}

/// A refresh token and its row.
pub(super) struct IssuedRefresh {
    pub(super) token: SecretString,
    pub(super) row: NewRefreshToken,
}

#[derive(Serialize)]
struct AccessClaims<'a> {
    iss: &'a str,
    sub: &'a str,
    aud: &'a str,
    client_id: &'a str,
    scope: String,
    jti: String,
    iat: i64,
    exp: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cnf: Option<Confirmation>,
    #[serde(flatten)]
    person: Option<AuthenticationClaims<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    roles: Option<&'a [String]>,
}

/// How and in which session the person authenticated.
#[derive(Serialize)]
struct AuthenticationClaims<'a> {
    auth_time: i64,
    acr: &'static str,
    amr: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    sid: Option<String>,
}

#[derive(Serialize)]
struct IdClaims<'a> {
    iss: &'a str,
    sub: String,
    aud: &'a str,
    exp: i64,
    iat: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    nonce: Option<&'a str>,
    at_hash: String,
    #[serde(flatten)]
    authentication: AuthenticationClaims<'a>,
    #[serde(flatten)]
    person: Map<String, Value>,
}

impl<'a> AuthenticationClaims<'a> {
    fn of(grant: &'a Grant) -> Self {
        Self {
            auth_time: grant.auth_at.as_second(),
            acr: acr::of_methods(&grant.methods),
            amr: &grant.methods,
            sid: grant.session.map(|session| session.0.simple().to_string()),
        }
    }
}

impl Issue<'_> {
    /// Makes an access token, and an ID token where the scope has `openid`.
    pub(super) async fn tokens(&self, ctx: &OidcContext) -> Result<Issued, Fault> {
        let mut person = self.live.person.clone();
        person.roles = roles::effective(self.client, &self.live.roles_in(self.client.role_group()));
        let sub = person.id.to_string();
        let access = NewToken {
            client: self.client,
            subject: &sub,
            grant: Some(&self.live.grant),
            scope: self.scope,
            roles: &person.roles,
            resource: self.resource,
            at: self.at,
            dpop_jkt: self.dpop_jkt,
        };
        let Access { token, row, expires_in } = access.make(ctx).await?;
        let id_token = if self.scope.has(scope::OPENID) {
            Some(self.id_token(ctx, &person, token.expose_secret()).await?.into())
        } else {
            None
        };
        Ok(Issued { access_token: token, row, expires_in, token_type: token_type(self.dpop_jkt), id_token })
    }

    async fn id_token(&self, ctx: &OidcContext, person: &Person, access_token: &str) -> Result<String, Fault> {
        let grant = &self.live.grant;
        let has_all = self.client.id_token_claims == IdTokenClaims::All;
        let claims = IdClaims {
            iss: &ctx.settings.issuer,
            sub: person.id.to_string(),
            aud: &self.client.id,
            exp: self.at.as_second() + seconds(lifetimes::ID_TOKEN),
            iat: self.at.as_second(),
            nonce: grant.nonce.as_deref(),
            at_hash: crypto::oidc::token_hash(self.client.id_token_alg, access_token),
            authentication: AuthenticationClaims::of(grant),
            person: person.id_token(&grant.scope, &grant.claims, has_all),
        };
        ctx.keys.sign(self.client.id_token_alg, TokenType::Id, &claims).await
    }

    /// Makes a refresh token, which expires after the client's time without use, and with the family at the latest. One of a public client lives no longer
    /// than the first of its family: who stole it from a browser loses it in the end.
    pub(super) fn refresh_token(&self, ctx: &OidcContext, scope: &Scope) -> IssuedRefresh {
        let grant = &self.live.grant;
        let (token, hash) = opaque_token::generate(ctx.identity.entropy.as_ref());
        let counts_from = if self.client.is_public() { grant.created_at } else { self.at };
        let idle_end = counts_from.checked_add(self.client.refresh_token_ttl).unwrap_or(Timestamp::MAX);
        let row = NewRefreshToken {
            hash,
            grant: grant.id,
            scope: scope.clone(),
            issued_at: self.at,
            expires_at: idle_end.min(grant.expires_at),
            // A confidential client proves by its authentication that the token is its own (RFC 9449, section 5).
            dpop_jkt: self.dpop_jkt.filter(|_| self.client.is_public()).map(str::to_owned),
        };
        IssuedRefresh { token, row }
    }
}

impl Issued {
    /// The response with these tokens.
    pub(super) fn into_response(self, scope: Scope, refresh_token: Option<SecretString>) -> TokenResponse {
        let Self { access_token, token_type, expires_in, id_token, .. } = self;
        TokenResponse { access_token, token_type, expires_in, scope, id_token, refresh_token }
    }
}

/// Stores what makes tokens valid: the row of an opaque access token, and that of the refresh token, if there is one.
pub(super) async fn store(tx: &Tx<'_>, issued: &Issued, refresh: Option<&IssuedRefresh>) -> StoreResult<()> {
    let store_access = async {
        match &issued.row {
            Some(row) => access_tokens::insert(tx, row).await,
            None => Ok(()),
        }
    };
    let store_refresh = async {
        match refresh {
            Some(refresh) => refresh_tokens::insert(tx, &refresh.row).await,
            None => Ok(()),
        }
    };
    try_join!(store_access, store_refresh).map(|_| ())
}

/// An access token that is to be made.
pub(super) struct NewToken<'a> {
    pub(super) client: &'a Client,
    /// The person, or the client that acts for itself.
    pub(super) subject: &'a str,
    /// The grant; `None` for a client that acts for itself.
    pub(super) grant: Option<&'a Grant>,
    pub(super) scope: &'a Scope,
    pub(super) roles: &'a [String],
    pub(super) resource: Option<&'a str>,
    pub(super) at: Timestamp,
    /// The thumbprint of the key that the token is bound to.
    pub(super) dpop_jkt: Option<&'a str>,
}

/// An access token, with its row if it is opaque.
pub(super) struct Access {
    pub(super) token: SecretString,
    pub(super) row: Option<NewAccessToken>,
    pub(super) expires_in: Duration,
}

impl NewToken<'_> {
    /// Makes a JWT (RFC 9068) for a resource, and an opaque token for this server itself.
    pub(super) async fn make(&self, ctx: &OidcContext) -> Result<Access, Fault> {
        match self.resource {
            Some(resource) => self.jwt(ctx, resource).await,
            None => self.opaque(ctx),
        }
    }

    fn opaque(&self, ctx: &OidcContext) -> Result<Access, Fault> {
        let expires_in = match self.grant {
            Some(_) => ctx.settings.access_token_ttl(self.client),
            None => ctx.settings.client_access_token_ttl(self.client),
        };
        let (token, hash) = opaque_token::generate(ctx.identity.entropy.as_ref());
        let expires_at = self.at.checked_add(expires_in).map_err(|error| Fault::internal(format!("token expiry: {error}")))?;
        let row = NewAccessToken {
            hash,
            grant: self.grant.map(|grant| grant.id),
            client_id: self.client.id.clone(),
            scope: self.scope.clone(),
            issued_at: self.at,
            expires_at,
            dpop_jkt: self.dpop_jkt.map(str::to_owned),
        };
        Ok(Access { token, row: Some(row), expires_in })
    }

    async fn jwt(&self, ctx: &OidcContext, resource: &str) -> Result<Access, Fault> {
        let expires_in = ctx.settings.jwt_access_token_ttl(self.client);
        let claims = AccessClaims {
            iss: &ctx.settings.issuer,
            sub: self.subject,
            aud: resource,
            client_id: &self.client.id,
            scope: self.scope.to_string(),
            jti: jti(ctx, self.grant.map(|grant| grant.id)),
            iat: self.at.as_second(),
            exp: self.at.as_second() + seconds(expires_in),
            cnf: self.dpop_jkt.map(|jkt| Confirmation { jkt: jkt.to_owned() }),
            person: self.grant.map(AuthenticationClaims::of),
            roles: (self.grant.is_some() && self.scope.has(scope::ROLES)).then_some(self.roles),
        };
        let algorithm: SigningAlgorithm = self.client.id_token_alg;
        let token = ctx.keys.sign(algorithm, TokenType::Access, &claims).await?;
        Ok(Access { token: token.into(), row: None, expires_in })
    }
}

/// The id of a JWT access token: its grant, so that an introspection sees that the grant was revoked, and 128 random bits.
fn jti(ctx: &OidcContext, grant: Option<Uuid>) -> String {
    format!("{}.{}", grant.unwrap_or_default().simple(), ctx.identity.entropy.uuid().simple())
}

fn seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX)
}
