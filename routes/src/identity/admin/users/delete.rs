//! `DELETE /api/admin/users/{id}`: deletes an account.

use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::{Fault, UserId};
use serde::Serialize;
use services::identity::admin::users::delete_user;

#[derive(Serialize)]
struct Deleted {
    deleted: bool,
}

/// 200 when the account is gone.
pub(in crate::identity::admin) async fn delete(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    delete_user(identity.acting(&identity.request_context(&request), signed_in.claims()), id).await?;
    ApiResponse::ok(&Deleted { deleted: true })
}
