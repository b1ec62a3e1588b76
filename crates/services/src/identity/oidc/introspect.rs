//! Token introspection (RFC 7662): what a token is good for, for servers that are shown it.

use super::{
    OidcContext,
    jwt_access::{Confirmation, JwtAccess},
    token::token_type,
};
use crypto::opaque_token;
use domain::{
    identity::oidc::{Client, TokenType, acr, error::invalid_client, scope},
    shared::Fault,
};
use jiff::Timestamp;
use serde::Serialize;
use storage::identity::oidc::introspection::{self, ActiveToken, TokenKind};

/// The answer. A token that is not valid has `active: false` and nothing else, whatever the reason (RFC 7662,
/// section 2.2).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Introspection {
    /// Whether the token can be used.
    pub active: bool,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// The client that it was issued to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    /// The mail address of the person, where the scope has `email`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// How an access token is used; a refresh token has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_type: Option<&'static str>,
    /// When it expires, in Unix seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exp: Option<i64>,
    /// When it was issued.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iat: Option<i64>,
    /// Since when it can be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nbf: Option<i64>,
    /// The person, or the client that acts for itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub: Option<String>,
    /// The resource that a JWT is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aud: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iss: Option<String>,
    /// The id of a JWT.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jti: Option<String>,
    /// The session in which the person gave the grant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sid: Option<String>,
    /// The key that the token is bound to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cnf: Option<Confirmation>,
    /// How strongly the person authenticated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acr: Option<String>,
    /// When the person authenticated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth_time: Option<i64>,
}

/// The claims of a signed answer (RFC 9701, section 5).
#[derive(Serialize)]
struct SignedIntrospection<'a> {
    iss: &'a str,
    aud: &'a str,
    iat: i64,
    token_introspection: &'a Introspection,
}

/// What a token of this server is good for, for a confidential client; of a token that it may not introspect
/// it learns nothing. 401 `invalid_client` for a public one, which could be anybody.
pub async fn introspect(ctx: &OidcContext, client: &Client, token: &str, now: Timestamp) -> Result<Introspection, Fault> {
    if client.is_public() {
        return Err(invalid_client());
    }
    let found = match opaque_token::hash(token) {
        Some(hash) => {
            let connection = ctx.identity.store.shared("oidc.introspect").await?;
            let found = introspection::find_active(&connection, &hash, now).await?;
            found.map(|token| of_stored(ctx, token))
        }
        None => of_jwt(ctx, token, now).await?,
    };
    let may_know =
        |found: &Introspection| found.client_id.as_deref().is_some_and(|owner| client.may_introspect(owner, found.aud.as_deref()));
    Ok(found.filter(may_know).unwrap_or_default())
}

/// The same answer as a JWT that the client can keep as a proof (RFC 9701), signed by the algorithm that it
/// is configured for.
pub async fn signed(ctx: &OidcContext, client: &Client, introspection: &Introspection, now: Timestamp) -> Result<String, Fault> {
    let claims = SignedIntrospection {
        iss: &ctx.settings.issuer,
        aud: &client.id,
        iat: now.as_second(),
        token_introspection: introspection,
    };
    ctx.keys.sign(client.introspection_alg, TokenType::Introspection, &claims).await
}

fn of_stored(ctx: &OidcContext, token: ActiveToken) -> Introspection {
    let person = token.person.as_ref();
    Introspection {
        active: true,
        username: person.filter(|_| token.scope.has(scope::EMAIL)).map(|person| person.email.clone()),
        token_type: (token.kind == TokenKind::Access).then_some(token_type(token.dpop_jkt.as_deref())),
        cnf: token.dpop_jkt.map(|jkt| Confirmation { jkt }),
        exp: Some(token.expires_at.as_second()),
        iat: Some(token.issued_at.as_second()),
        nbf: Some(token.issued_at.as_second()),
        sub: Some(person.map_or_else(|| token.client_id.clone(), |person| person.id.to_string())),
        iss: Some(ctx.settings.issuer.clone()),
        sid: person.and_then(|person| person.session).map(|session| session.0.simple().to_string()),
        acr: person.map(|person| acr::of_methods(&person.methods).to_owned()),
        auth_time: person.map(|person| person.auth_at.as_second()),
        scope: Some(token.scope.to_string()),
        client_id: Some(token.client_id),
        ..Introspection::default()
    }
}

async fn of_jwt(ctx: &OidcContext, token: &str, now: Timestamp) -> Result<Option<Introspection>, Fault> {
    let Some(claims) = JwtAccess::read(ctx, token, now).await? else { return Ok(None) };
    let connection = ctx.identity.store.shared("oidc.introspect").await?;
    let state = introspection::find_jwt_state(&connection, &claims.jti, claims.grant()).await?;
    if !state.is_valid {
        return Ok(None);
    }
    let has_email = claims.scope.split(' ').any(|name| name == scope::EMAIL);
    Ok(Some(Introspection {
        active: true,
        username: state.email.filter(|_| has_email),
        token_type: Some(token_type(claims.cnf.as_ref().map(|cnf| cnf.jkt.as_str()))),
        cnf: claims.cnf,
        exp: Some(claims.exp),
        iat: Some(claims.iat),
        nbf: Some(claims.iat),
        iss: Some(ctx.settings.issuer.clone()),
        scope: Some(claims.scope),
        client_id: Some(claims.client_id),
        sub: Some(claims.sub),
        aud: Some(claims.aud),
        jti: Some(claims.jti),
        sid: claims.sid,
        acr: claims.acr,
        auth_time: claims.auth_time,
    }))
}
