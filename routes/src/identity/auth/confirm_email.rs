//! `POST /api/auth/confirm-email`: changes the address of an account to the one that the link was mailed to. The caller need not be signed in,
//! but then has to send the password of the account, if there is one.

use crate::{
    identity::{BODY_LIMIT, Identity, session_cookies, success},
    web::{ApiRequest, ApiResponse, Message, csrf::Binding},
};
use domain::shared::{Fault, Kind};
use secrecy::SecretString;
use serde::Deserialize;
use services::identity::{address_change, redeem::stale_link};

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Body {
    token: Option<String>,
    #[serde(default, deserialize_with = "super::password")]
    password: Option<SecretString>,
}

/// 200, with a new cookie for the session that is kept.
pub(super) async fn confirm(identity: Identity, _: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body: Body = request.json_fields(BODY_LIMIT).await?;
    let hash = super::token(body.token.as_deref())?;
    let signed_in = match identity.sessions.signed_in(&request).await {
        Ok(signed_in) => Some(signed_in),
        Err(fault) if fault.kind() == Kind::Unauthorized => None,
        Err(fault) => return Err(fault),
    };
    let owner = signed_in.map(|signed_in| signed_in.claims());
    let context = identity.request_context(&request);
    let confirmed = Box::pin(address_change::confirm(&identity.ctx, &context, hash, owner, body.password)).await?;
    let confirmed = confirmed.ok_or_else(stale_link)?;
    let response = ApiResponse::ok(&success(&request, Message::AddressChanged))?;
    match (signed_in, confirmed.session) {
        (Some(signed_in), Some(times)) => session_cookies::reissue(&identity, signed_in, times, response),
        _ => Ok(response),
    }
}
