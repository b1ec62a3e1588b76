//! `POST /api/me/reauthenticate`: proves who the signed-in person is, for what asks for a recent proof.

use crate::{
    identity::{BODY_LIMIT, Identity, reauth_body::ReauthBody},
    web::{ApiRequest, ApiResponse, Message, SignedIn},
};
use domain::shared::{Fault, timestamp};
use jiff::Timestamp;
use serde::Serialize;
use services::identity::prove::{Purpose, prove};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Proved {
    message: &'static str,
    /// `null` where no proof is ever asked for.
    #[serde(serialize_with = "timestamp::option::serialize")]
    proved_until: Option<Timestamp>,
}

/// 200 when the password, or what a passkey answered to `/api/me/password-reauth`, was right.
pub(super) async fn reauthenticate(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body = request.strict_json::<ReauthBody>(BODY_LIMIT).await?.read()?;
    let context = identity.request_context(&request);
    prove(&identity.ctx, &context, signed_in.claims(), |_| body.one(), Purpose::Session).await?;
    let proved_until = identity.sessions.proofs().recent_until(context.at());
    ApiResponse::ok(&Proved { message: Message::Proved.in_language(request.meta.language), proved_until })
}
