//! Making tokens. Nothing is written while they are made: the caller stores the rows of the response, in its
//! transaction.

use super::token_type;
use crate::identity::oidc::{OidcContext, jwt_access::Confirmation};
use crypto::opaque_token;
use domain::{
    identity::oidc::{Client, IdTokenClaims, Scope, TokenType, acr, lifetimes, roles, scope, user_claims::Person},
    shared::Fault,
};
use futures_util::try_join;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use serde::{Serialize, Serializer};
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

/// Whom and what tokens are for.
pub(super) struct TokenGrant<'a> {
    pub(super) client: &'a Client,
    /// The grant, and the person as it is now; `None` for a client that acts for itself.
    pub(super) live: Option<&'a LiveGrant>,
    /// What the access token is for.
    pub(super) scope: &'a Scope,
    /// What a refresh token is for, if there is to be one.
    pub(super) refresh_scope: Option<&'a Scope>,
    /// The resource that the access token is for.
    pub(super) resource: Option<&'a str>,
    pub(super) at: Timestamp,
    /// The thumbprint of the key that the tokens are bound to.
    pub(super) dpop_jkt: Option<&'a str>,
}

/// What a client is given (RFC 6749, section 5.1), and the rows that make it valid.
#[derive(Serialize)]
pub struct TokenResponse {
    #[serde(serialize_with = "exposed")]
    access_token: SecretString,
    /// How it is used: `Bearer`, or `DPoP` when it is bound to a key.
    token_type: &'static str,
    /// For how many seconds it is valid.
    expires_in: u64,
    scope: String,
    /// Where `openid` was granted.
    #[serde(serialize_with = "exposed_if", skip_serializing_if = "Option::is_none")]
    id_token: Option<SecretString>,
    /// Where `offline_access` was granted.
    #[serde(serialize_with = "exposed_if", skip_serializing_if = "Option::is_none")]
    refresh_token: Option<SecretString>,
    #[serde(skip)]
    access_row: Option<NewAccessToken>,
    #[serde(skip)]
    refresh_row: Option<NewRefreshToken>,
}

fn exposed<S: Serializer>(secret: &SecretString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(secret.expose_secret())
}

#[expect(clippy::ref_option, reason = "serde calls it so")]
fn exposed_if<S: Serializer>(secret: &Option<SecretString>, serializer: S) -> Result<S::Ok, S::Error> {
    secret.as_ref().map(ExposeSecret::expose_secret).serialize(serializer)
}

impl TokenResponse {
    /// The row of an opaque access token.
    pub(super) fn access_row(&self) -> Option<&NewAccessToken> {
        self.access_row.as_ref()
    }

    pub(super) fn refresh_row(&self) -> Option<&NewRefreshToken> {
        self.refresh_row.as_ref()
    }

    /// Stores the rows.
    pub(super) async fn store(&self, tx: &Tx<'_>) -> StoreResult<()> {
        let access = async {
            match &self.access_row {
                Some(row) => access_tokens::insert(tx, row).await,
                None => Ok(()),
            }
        };
        let refresh = async {
            match &self.refresh_row {
                Some(row) => refresh_tokens::insert(tx, row).await,
                None => Ok(()),
            }
        };
        try_join!(access, refresh).map(|_| ())
    }
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

/// An access token, its row if it is opaque, and for how long it is valid.
type Access = (SecretString, Option<NewAccessToken>, Duration);

impl TokenGrant<'_> {
    /// Makes an access token, an ID token where the scope has `openid`, and a refresh token if there is to be
    /// one.
    pub(super) async fn issue(&self, ctx: &OidcContext) -> Result<TokenResponse, Fault> {
        let person = self.live.map(|live| {
            let roles = roles::effective(self.client, &live.roles_in(self.client.role_group()));
            Person { roles, ..live.person.clone() }
        });
        let (access_token, access_row, expires_in) = match self.resource {
            Some(resource) => self.jwt(ctx, resource, person.as_ref()).await?,
            None => self.opaque(ctx)?,
        };
        let id_token = match (self.live, &person) {
            (Some(live), Some(person)) if self.scope.has(scope::OPENID) => {
                Some(self.id_token(ctx, &live.grant, person, access_token.expose_secret()).await?)
            }
            _ => None,
        };
        let refresh = self.live.zip(self.refresh_scope).map(|(live, scope)| self.refresh_token(ctx, &live.grant, scope));
        let (refresh_token, refresh_row) = refresh.unzip();
        Ok(TokenResponse {
            access_token,
            token_type: token_type(self.dpop_jkt),
            expires_in: expires_in.as_secs(),
            scope: self.scope.to_string(),
            id_token,
            refresh_token,
            access_row,
            refresh_row,
        })
    }

    /// A token for this server itself.
    fn opaque(&self, ctx: &OidcContext) -> Result<Access, Fault> {
        let expires_in = match self.live {
            Some(_) => ctx.settings.access_token_ttl(self.client),
            None => ctx.settings.client_access_token_ttl(self.client),
        };
        let (token, hash) = opaque_token::generate(ctx.identity.entropy.as_ref());
        let expires_at = self.at.checked_add(expires_in).map_err(|error| Fault::internal(format!("token expiry: {error}")))?;
        let row = NewAccessToken {
            hash,
            grant: self.live.map(|live| live.grant.id),
            client_id: self.client.id.clone(),
            scope: self.scope.clone(),
            issued_at: self.at,
            expires_at,
            dpop_jkt: self.dpop_jkt.map(str::to_owned),
        };
        Ok((token, Some(row), expires_in))
    }

    /// A token for a resource (RFC 9068).
    async fn jwt(&self, ctx: &OidcContext, resource: &str, person: Option<&Person>) -> Result<Access, Fault> {
        let expires_in = ctx.settings.jwt_access_token_ttl(self.client);
        let grant = self.live.map(|live| &live.grant);
        let sub = person.map(|person| person.id.to_string());
        let claims = AccessClaims {
            iss: &ctx.settings.issuer,
            sub: sub.as_deref().unwrap_or(&self.client.id),
            aud: resource,
            client_id: &self.client.id,
            scope: self.scope.to_string(),
            jti: jti(ctx, grant.map(|grant| grant.id)),
            iat: self.at.as_second(),
            exp: self.at.as_second() + seconds(expires_in),
            cnf: self.dpop_jkt.map(|jkt| Confirmation { jkt: jkt.to_owned() }),
            person: grant.map(AuthenticationClaims::of),
            roles: person.filter(|_| self.scope.has(scope::ROLES)).map(|person| person.roles.as_slice()),
        };
        let token = ctx.keys.sign(self.client.id_token_alg, TokenType::Access, &claims).await?;
        Ok((token.into(), None, expires_in))
    }

    async fn id_token(&self, ctx: &OidcContext, grant: &Grant, person: &Person, access_token: &str) -> Result<SecretString, Fault> {
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
        Ok(ctx.keys.sign(self.client.id_token_alg, TokenType::Id, &claims).await?.into())
    }

    /// A refresh token expires after the client's time without use, and with the family at the latest. One of
    /// a public client lives no longer than the first of its family: a thief who took it from a browser loses
    /// it in the end.
    fn refresh_token(&self, ctx: &OidcContext, grant: &Grant, scope: &Scope) -> (SecretString, NewRefreshToken) {
        let (token, hash) = opaque_token::generate(ctx.identity.entropy.as_ref());
        let counts_from = if self.client.is_public() { grant.created_at } else { self.at };
        let idle_end = counts_from.checked_add(self.client.refresh_token_ttl).unwrap_or(Timestamp::MAX);
        let row = NewRefreshToken {
            hash,
            grant: grant.id,
            scope: scope.clone(),
            issued_at: self.at,
            expires_at: idle_end.min(grant.expires_at),
            // A confidential client proves by its authentication that the token is its own (RFC 9449, section
            // 5).
            dpop_jkt: self.dpop_jkt.filter(|_| self.client.is_public()).map(str::to_owned),
        };
        (token, row)
    }
}

/// The id of a JWT access token: its grant, so that an introspection sees that the grant was revoked, and 128
/// random bits.
fn jti(ctx: &OidcContext, grant: Option<Uuid>) -> String {
    format!("{}.{}", grant.unwrap_or_default().simple(), ctx.identity.entropy.uuid().simple())
}

fn seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX)
}
