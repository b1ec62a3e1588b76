//! `POST /api/admin/users/{id}/suspend` and `/unsuspend`.

use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::{Fault, UserId};
use serde::Serialize;
use services::identity::admin::users as use_cases;

#[derive(Serialize)]
struct Suspension {
    suspended: bool,
}

/// 200 when nobody can sign in to the account.
pub(in crate::identity::admin) async fn suspend(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    use_cases::suspend(identity.acting(&identity.request_context(&request), signed_in.claims()), id).await?;
    ApiResponse::ok(&Suspension { suspended: true })
}

/// 200 when its owner can sign in again.
pub(in crate::identity::admin) async fn unsuspend(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    use_cases::unsuspend(identity.acting(&identity.request_context(&request), signed_in.claims()), id).await?;
    ApiResponse::ok(&Suspension { suspended: false })
}
