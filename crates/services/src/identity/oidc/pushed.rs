//! Pushed authorization requests (RFC 9126): the client sends the parameters itself and gets a reference for
//! the browser, so that no party in between can read or change them, and whatever is wrong is found before a
//! person is sent anywhere.

use super::OidcContext;
use crypto::opaque_token;
use domain::{
    identity::{
        oidc::{
            AuthorizationRequest, Client, authorization_request,
            error::{invalid_dpop_proof, invalid_request},
        },
        one_time::Kind,
    },
    shared::{Code, Fault, Parameters},
};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use std::{sync::Arc, time::Duration};
use storage::{
    identity::one_time::{self, NewOneTime},
    transact,
};

/// What references to pushed requests begin with (RFC 9126, section 2.2).
const PREFIX: &str = "urn:ietf:params:oauth:request_uri:";

/// A request that was stored.
#[derive(Debug)]
pub struct PushedRequest {
    /// What the client sends to the authorization endpoint as `request_uri`.
    pub request_uri: SecretString,
    pub expires_in: Duration,
}

/// Checks a request of a client that has authenticated, and stores it. The faults are those of the
/// authorization endpoint, all of them told to the client.
///
/// `dpop_jkt` is the thumbprint of the key whose proof came with the request, if any: the code is bound to it
/// (RFC 9449, section 10.1).
pub async fn push(
    ctx: &OidcContext,
    client: &Client,
    parameters: &Parameters,
    dpop_jkt: Option<String>,
    now: Timestamp,
) -> Result<PushedRequest, Fault> {
    if parameters.text("request_uri").is_some() {
        return Err(invalid_request("A pushed request cannot refer to another one"));
    }
    let named = named(parameters, client);
    let (client, target) = authorization_request::target(&named, &ctx.clients).map_err(|fault| invalid_request(fault.message))?;
    let read = authorization_request::read(&named, &client, target, &ctx.settings.resource_audiences);
    let authorization = ctx.with_hint(read.map_err(|refused| refused.fault)?, &named).await?.map_err(|refused| refused.fault)?;
    let authorization = bound(authorization, dpop_jkt)?;
    let payload = serde_json::to_value(&authorization).map_err(|error| Fault::internal(format!("pushed request: {error}")))?;
    let (token, hash) = opaque_token::generate(ctx.identity.entropy.as_ref());
    let id = ctx.identity.entropy.uuid();
    let stored = &NewOneTime::without_account(Kind::PushedRequest, hash, id, payload, now);
    transact!(ctx.identity, "oidc.push_request", async |tx| { one_time::add(tx, stored).await }).await?;
    let request_uri = format!("{PREFIX}{}", token.expose_secret()).into();
    Ok(PushedRequest { request_uri, expires_in: Kind::PushedRequest.lifetime() })
}

/// Whether a `request_uri` is a reference to a pushed request. Other ones are not supported.
pub(super) fn is_reference(request_uri: &str) -> bool {
    request_uri.starts_with(PREFIX)
}

/// Takes a request that was pushed; it is used up. `invalid_request_uri` when there is none, it has expired
/// or was used before, or it is that of another client, which does not use it up: all of it for the person,
/// on a page, because without the request there is no place to redirect to.
pub(super) async fn take(
    ctx: &OidcContext,
    request_uri: &str,
    client_id: Option<&str>,
    now: Timestamp,
) -> Result<(Arc<Client>, AuthorizationRequest), Fault> {
    let refused = || Fault::new(Code::InvalidRequestUri, "This request_uri is unknown, has expired or was used before");
    let hash = request_uri.strip_prefix(PREFIX).and_then(opaque_token::hash).ok_or_else(refused)?;
    let client = client_id.and_then(|id| ctx.clients.find(id)).ok_or_else(refused)?;
    let authorization = transact!(ctx.identity, "oidc.take_pushed_request", async |tx| {
        let Some(stored) = one_time::find(tx, Kind::PushedRequest, &hash).await? else { return Ok(None) };
        let pushed: AuthorizationRequest =
            serde_json::from_value(stored.token.payload).map_err(|error| Fault::internal(format!("pushed request: {error}")))?;
        if pushed.client_id != client.id {
            return Ok(None);
        }
        let taken = one_time::consume(tx, Kind::PushedRequest, &hash, now).await?;
        Ok(taken.map(|_| pushed))
    })
    .await?
    .ok_or_else(refused)?;
    Ok((Arc::clone(client), authorization))
}

/// The request with the key that it was proved by.
fn bound(authorization: AuthorizationRequest, proved: Option<String>) -> Result<AuthorizationRequest, Fault> {
    if proved.is_some() && authorization.dpop_jkt.is_some() && authorization.dpop_jkt != proved {
        return Err(invalid_dpop_proof("dpop_jkt is not the thumbprint of the key of the DPoP proof"));
    }
    let dpop_jkt = authorization.dpop_jkt.or(proved);
    Ok(AuthorizationRequest { dpop_jkt, ..authorization })
}

/// The parameters with `client_id`, which a client may leave out that names itself by the way it
/// authenticates.
fn named(parameters: &Parameters, client: &Client) -> Parameters {
    let name = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let mut pairs: Vec<(String, String)> = parameters.pairs().map(name).collect();
    if parameters.text("client_id").is_none() {
        pairs.retain(|(name, _)| name != "client_id");
        pairs.push(("client_id".to_owned(), client.id.clone()));
    }
    Parameters::new(pairs)
}
