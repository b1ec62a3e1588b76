//! `POST /api/me/email`: another mail address, at once while mail is off, and otherwise once the link that is mailed to it is redeemed.

use crate::{
    identity::{BODY_LIMIT, Identity, reauth_body::ReauthBody, session_cookies, success},
    web::{ApiRequest, ApiResponse, Message, SignedIn},
};
use domain::shared::Fault;
use http::StatusCode;
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::Value;
use services::identity::address_change::{self, AddressChangeOutcome};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Body {
    new_email: Option<String>,
    #[serde(default, deserialize_with = "crate::identity::auth::password")]
    password: Option<SecretString>,
    challenge: Option<String>,
    credential: Option<Value>,
}

/// 202 when a link was mailed; 200 while mail is off.
pub(super) async fn change(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let Body { new_email, password, challenge, credential } = request.strict_json(BODY_LIMIT).await?.read()?;
    let reauth = ReauthBody { password, challenge, credential };
    let (context, credential) = (identity.request_context(&request), |has_password| reauth.required(has_password));
    match address_change::request(&identity.ctx, &context, signed_in.claims(), new_email.as_deref(), credential).await? {
        AddressChangeOutcome::LinkSent => ApiResponse::json(StatusCode::ACCEPTED, &success(&request, Message::AddressLinkSent)),
        AddressChangeOutcome::Changed(times) => {
            let response = ApiResponse::ok(&success(&request, Message::AddressChanged))?;
            session_cookies::reissue(&identity, signed_in, times, response)
        }
    }
}
