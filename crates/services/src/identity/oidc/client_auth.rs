//! Authenticating clients: at the token endpoint, and wherever else a client has to say who it is.

use super::OidcContext;
use crate::identity::RequestContext;
use crypto::oidc::jws::Unverified;
use domain::{
    identity::oidc::{
        Client, ClientAuth,
        client_assertion::{ASSERTION_TYPE, AssertionClaims},
        error::{invalid_client, invalid_request},
    },
    shared::{Challenge, Fault},
};
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;
use storage::identity::oidc::client_assertions;

/// How a client authenticates itself in a request, as it was sent.
#[derive(Debug, Clone, Default)]
pub struct ClientCredentials {
    /// Id and secret of `Authorization: Basic`, decoded (`client_secret_basic`).
    pub basic: Option<(String, SecretString)>,
    /// `client_id` of the body.
    pub client_id: Option<String>,
    /// `client_secret` of the body (`client_secret_post`).
    pub client_secret: Option<SecretString>,
    /// `client_assertion_type`.
    pub assertion_type: Option<String>,
    /// `client_assertion` (`private_key_jwt`).
    pub assertion: Option<SecretString>,
}

/// Finds out which client a request comes from.
///
/// 400 `invalid_request` when the request has several proofs, contradicts itself, or names no client. 401
/// `invalid_client`, the same for every reason: the client is unknown, its proof is wrong, or it is of
/// another kind than the client is configured for. 429 when too many requests for the client from this
/// address had wrong proofs; secrets that come at the same time are compared one after the other. Clients
/// that do not exist are counted together, so their 429 tells them from others; the names of clients are no
/// secret.
pub async fn authenticate(
    ctx: &OidcContext,
    request: &RequestContext,
    credentials: &ClientCredentials,
) -> Result<Arc<Client>, Fault> {
    let (id, proof) = read(credentials)?;
    let limits = &ctx.identity.limits;
    let client = ctx.clients.find(&id);
    let known = client.map(|client| client.id.as_str());
    let _lock = match (known, &proof) {
        (Some(id), Proof::Basic(_) | Proof::Post(_)) => limits.lock_client(id, request.ip).await?,
        // Nothing that could be guessed.
        _ => None,
    };
    limits.check_client(&ctx.identity.store, known, request.ip).await?;
    let is_proved = match (client, &proof) {
        (Some(client), proof) => prove(ctx, request, client, proof).await?,
        (None, _) => false,
    };
    match client {
        Some(client) if is_proved => Ok(Arc::clone(client)),
        _ => {
            limits.client_failed(&ctx.identity.store, known, request.ip).await?;
            // RFC 6749, section 5.2: in answer to a header, the scheme of that header.
            Err(match proof {
                Proof::Basic(_) => unauthenticated(ctx),
                _ => invalid_client(),
            })
        }
    }
}

/// The same for a request that the server stores. 429 as well for an address that sends many of those for
/// public clients, whose requests prove nothing.
pub async fn authenticate_to_store(
    ctx: &OidcContext,
    request: &RequestContext,
    credentials: &ClientCredentials,
) -> Result<Arc<Client>, Fault> {
    let client = authenticate(ctx, request, credentials).await?;
    if client.is_public() {
        ctx.identity.limits.public_client_from(request.ip)?;
    }
    Ok(client)
}

/// 401 for a request that does not authenticate its client, with the scheme that it can use.
pub fn unauthenticated(ctx: &OidcContext) -> Fault {
    invalid_client().challenged(Challenge::Basic).in_realm(&ctx.settings.issuer)
}

/// What a request proves its client with.
enum Proof<'a> {
    /// A secret, in the header.
    Basic(&'a SecretString),
    /// A secret, in the body.
    Post(&'a SecretString),
    Assertion(Box<(Unverified<'a>, AssertionClaims)>),
    /// An assertion that cannot be read.
    Unreadable,
    None,
}

/// The client that a request names, and how it proves that. An error is `invalid_request`.
fn read(credentials: &ClientCredentials) -> Result<(String, Proof<'_>), Fault> {
    let ClientCredentials { basic, client_id, client_secret, assertion_type, assertion } = credentials;
    if [basic.is_some(), client_secret.is_some(), assertion.is_some()].iter().filter(|is_there| **is_there).count() > 1 {
        return Err(invalid_request("The request authenticates the client in more than one way"));
    }
    if assertion.is_some() != assertion_type.is_some() || assertion_type.as_deref().is_some_and(|kind| kind != ASSERTION_TYPE) {
        return Err(invalid_request(format!("client_assertion goes with client_assertion_type={ASSERTION_TYPE}")));
    }
    let (named, proof) = match (basic, client_secret, assertion) {
        (Some((id, secret)), _, _) => (Some(id.clone()), Proof::Basic(secret)),
        (_, Some(secret), _) => (None, Proof::Post(secret)),
        (_, _, Some(assertion)) => {
            let parsed = Unverified::parse(assertion.expose_secret());
            match parsed.and_then(|token| token.claims::<AssertionClaims>().map(|claims| (token, claims))) {
                Some((token, claims)) => (Some(claims.sub.clone()), Proof::Assertion(Box::new((token, claims)))),
                None => (None, Proof::Unreadable),
            }
        }
        _ => (None, Proof::None),
    };
    match (named, client_id) {
        (Some(named), Some(sent)) if named != *sent => {
            Err(invalid_request("client_id is not the client that authenticates itself"))
        }
        (Some(named), _) => Ok((named, proof)),
        (None, Some(sent)) => Ok((sent.clone(), proof)),
        (None, None) if matches!(proof, Proof::Unreadable) => Err(invalid_client()),
        (None, None) => Err(invalid_request("The request names no client")),
    }
}

/// Whether the request comes from this client. Which way of proving it is right is the client's
/// configuration, never the request's choice.
async fn prove(ctx: &OidcContext, request: &RequestContext, client: &Client, proof: &Proof<'_>) -> Result<bool, Fault> {
    Ok(match (&client.auth, proof) {
        (ClientAuth::Secret, Proof::Basic(secret) | Proof::Post(secret)) => {
            ctx.secrets.accepts(client, secret.expose_secret(), request.at())
        }
        (ClientAuth::PrivateKeyJwt(keys), Proof::Assertion(assertion)) => {
            let (token, claims) = &**assertion;
            let is_named = |kid: Option<&String>| token.header.kid.is_none() || kid.is_none() || kid == token.header.kid.as_ref();
            if !keys.iter().any(|key| is_named(key.kid.as_ref()) && token.is_signed_by(key)) {
                return Ok(false);
            }
            if let Err(what) = claims.check(&client.id, &ctx.settings.assertion_audiences(), request.at()) {
                tracing::info!(client.id = %client.id, reason = what, "client assertion refused");
                return Ok(false);
            }
            is_first_use(ctx, client, claims).await?
        }
        (ClientAuth::None, Proof::None) => true,
        _ => false,
    })
}

/// Uses the assertion up. Signature and claims were right: others could otherwise use up the `jti`s of a
/// client.
async fn is_first_use(ctx: &OidcContext, client: &Client, claims: &AssertionClaims) -> Result<bool, Fault> {
    let connection = ctx.identity.store.connection("client.assertion").await?;
    let hash = crypto::digest::sha256(claims.jti.as_bytes());
    Ok(client_assertions::record(&connection, &client.id, &hash, claims.remembered_until()).await?)
}
