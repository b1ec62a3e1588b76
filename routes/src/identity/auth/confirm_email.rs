//! `POST /api/auth/confirm-email`: puts the address that the link was mailed to in the place of the account's. The caller need not be
//! signed in; every session of the account ends but the one of this browser.

use crate::{
    identity::{BODY_LIMIT, Identity, session_cookies, success},
    web::{ApiRequest, ApiResponse, Message, csrf::Binding},
};
use domain::shared::{Fault, Kind};
use serde::Deserialize;
use storage::identity::links::{ConfirmAddress, Confirmed};

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Body {
    token: Option<String>,
}

/// 200, with a new cookie for the session that is kept.
pub(super) async fn confirm(identity: Identity, _: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body: Body = request.json_fields(BODY_LIMIT).await?;
    let hash = super::token(body.token.as_deref())?;
    let signed_in = match identity.sessions.signed_in(&request).await {
        Ok(signed_in) => Some(signed_in),
        Err(fault) if fault.kind == Kind::Unauthorized => None,
        Err(fault) => return Err(fault),
    };
    let spared = signed_in.map(|signed_in| (signed_in.user, identity.request_context(&request).keep_session(signed_in.session)));
    let confirmed = match hash {
        Some(hash) => identity.ctx.store.transact(&ConfirmAddress { hash, spared, source: identity.source(&request) }).await?,
        None => Confirmed::Not,
    };
    let Confirmed::Now(kept) = confirmed else {
        identity.ctx.limits.link_from(request.meta.ip)?;
        return Err(super::invalid_token());
    };
    let answer = ApiResponse::ok(&success(&request, Message::AddressChanged))?;
    match (signed_in, kept) {
        (Some(signed_in), Some(kept)) => session_cookies::reissue(&identity, signed_in, kept, answer),
        _ => Ok(answer),
    }
}
