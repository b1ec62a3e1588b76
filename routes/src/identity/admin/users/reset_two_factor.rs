//! `POST /api/admin/users/{id}/reset-two-factor`: removes the second factors of somebody who lost them.

use crate::{
    identity::{Identity, session_cookies},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::{Fault, UserId};
use serde::Serialize;
use services::identity::admin::user_access::reset_two_factor;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Cleared {
    cleared_totp: bool,
    cleared_passkeys: u64,
}

/// 200 with what was removed. An administrator who resets their own factors gets a new cookie.
pub(in crate::identity::admin) async fn reset(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let cleared = reset_two_factor(identity.acting(&identity.request_context(&request), signed_in.claims()), id).await?;
    let answer = ApiResponse::ok(&Cleared { cleared_totp: cleared.totp, cleared_passkeys: cleared.passkeys })?;
    session_cookies::reissue_if_kept(&identity, signed_in, cleared.kept, answer)
}
