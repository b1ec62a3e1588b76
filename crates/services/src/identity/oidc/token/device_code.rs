//! `grant_type=urn:ietf:params:oauth:grant-type:device_code` (RFC 8628, section 3.4): a device asks for tokens until a person has decided.

use super::{
    TokenResponse,
    issue::{Issue, Issued, IssuedRefresh, store},
    resource,
};
use crate::identity::{RequestContext, oidc::OidcContext};
use crypto::opaque_token;
use domain::{
    identity::oidc::{
        Client, GrantType,
        device_code::{Poll, denied, refused},
        error::{invalid_grant, invalid_request},
        roles,
        scope::OFFLINE_ACCESS,
    },
    shared::{Fault, Parameters},
};
use jiff::Timestamp;
use storage::{
    Result as StoreResult, Tx, TxOperation,
    identity::{
        oidc::{device_codes, grants},
        one_time::Hash,
    },
};
use uuid::Uuid;

/// Exchanges a device code for tokens, once. Before the person has decided: `authorization_pending`, or `slow_down` for a client that asks too often.
pub(super) async fn redeem(
    ctx: &OidcContext,
    request: &RequestContext,
    client: &Client,
    parameters: &Parameters,
    dpop_jkt: Option<&str>,
) -> Result<TokenResponse, Fault> {
    let code = parameters.text("device_code").ok_or_else(|| invalid_request("device_code is missing"))?;
    let device_hash = opaque_token::hash(code).ok_or_else(refused)?;
    let at = request.at();
    let poll = PollDeviceCode { device_hash, client_id: &client.id, dpop_jkt, at };
    let id = ctx.identity.store.transact(&poll).await??;
    let connection = ctx.identity.store.connection("oidc.find_device_grant").await?;
    // The session in which it was allowed may have ended, and the person may have withdrawn it.
    let live = grants::find_in_session(&connection, id).await?.ok_or_else(denied)?;
    drop(connection);
    if !roles::may_sign_in(client, &roles::effective(client, &live.roles_in(client.role_group()))) {
        return Err(denied());
    }
    let resource = resource(parameters, &live.grant.resources)?;
    let scope = live.grant.scope.clone();
    let issue = Issue { client, live: &live, scope: &scope, resource, at, dpop_jkt };
    let issued = issue.tokens(ctx).await?;
    let wants_refresh = scope.has(OFFLINE_ACCESS) && client.allows_grant(GrantType::RefreshToken);
    let refresh = wants_refresh.then(|| issue.refresh_token(ctx, &scope));
    let redeem = RedeemDeviceCode { id, issued: &issued, refresh: refresh.as_ref(), at };
    if !ctx.identity.store.transact(&redeem).await? {
        // Another request redeemed it at this moment.
        return Err(refused());
    }
    Ok(issued.into_response(scope, refresh.map(|refresh| refresh.token)))
}

struct PollDeviceCode<'a> {
    device_hash: Hash,
    client_id: &'a str,
    /// The thumbprint of the key that the client has proved to hold.
    dpop_jkt: Option<&'a str>,
    at: Timestamp,
}

impl TxOperation for PollDeviceCode<'_> {
    /// The request, if tokens can be issued for it. A refusal is no error of the transaction: that the client asked is written.
    type Output = Result<Uuid, Fault>;

    const NAME: &'static str = "oidc.poll_device_code";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<Self::Output> {
        let Some((request, state)) = device_codes::lock(tx, &self.device_hash).await? else { return Ok(Err(refused())) };
        if request.client_id != self.client_id {
            return Ok(Err(refused()));
        }
        if request.dpop_jkt.is_some() && request.dpop_jkt.as_deref() != self.dpop_jkt {
            return Ok(Err(invalid_grant("The device code is bound to another DPoP key")));
        }
        match state.poll(self.at) {
            Poll::Allowed => Ok(Ok(request.id)),
            Poll::Refused(fault) => Ok(Err(fault)),
            Poll::Again { fault, interval } => {
                device_codes::note_poll(tx, request.id, interval, self.at).await?;
                Ok(Err(fault))
            }
        }
    }
}

struct RedeemDeviceCode<'a> {
    id: Uuid,
    issued: &'a Issued,
    refresh: Option<&'a IssuedRefresh>,
    at: Timestamp,
}

impl TxOperation for RedeemDeviceCode<'_> {
    /// Whether the code was still unused.
    type Output = bool;

    const NAME: &'static str = "oidc.redeem_device_code";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<bool> {
        // Used up first: of two requests at once, the second stores no tokens.
        if !device_codes::consume(tx, self.id, self.at).await? {
            return Ok(false);
        }
        store(tx, self.issued, self.refresh).await.map(|()| true)
    }
}
