//! `POST /api/admin/users/{id}/force-logout`: ends every session of an account.

use crate::{
    identity::{Identity, session_cookies},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::{Fault, UserId};
use serde::Serialize;
use services::identity::admin::force_logout as use_cases;

#[derive(Serialize)]
struct LoggedOut {
    affected: u32,
}

/// 200 when the sessions have ended. An administrator who logs out their own account keeps the session of the request, which gets a new cookie.
pub(in crate::identity::admin) async fn force_logout(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let kept = use_cases::force_logout(&identity.ctx, &identity.request_context(&request), signed_in.claims(), id).await?;
    session_cookies::reissue_if_kept(&identity, signed_in, kept, ApiResponse::ok(&LoggedOut { affected: 1 })?)
}
