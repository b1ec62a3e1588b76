//! `POST /api/admin/users/{id}/force-logout`: ends every session of an account.

use crate::{
    identity::{BODY_LIMIT, Identity, session_cookies},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::{Fault, UserId};
use serde::{Deserialize, Serialize};
use services::identity::admin::user_access as use_cases;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Body {
    revoke_tokens: Option<bool>,
}

#[derive(Serialize)]
struct LoggedOut {
    affected: u32,
}

/// 200 when the sessions have ended; with `revokeTokens` the tokens that act for the person too. An administrator who logs out their own account keeps the session of the request, which gets a new cookie.
pub(in crate::identity::admin) async fn force_logout(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let body = request.strict_json_or_empty::<Body>(BODY_LIMIT).await?.read()?;
    let whom = (id, body.revoke_tokens.unwrap_or_default());
    let kept = use_cases::force_logout(identity.acting(&identity.request_context(&request), signed_in.claims()), whom).await?;
    session_cookies::reissue_if_kept(&identity, signed_in, kept, ApiResponse::ok(&LoggedOut { affected: 1 })?)
}
