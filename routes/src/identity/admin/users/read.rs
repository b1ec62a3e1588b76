//! `GET /api/admin/users/{id}`: one account.

use super::find;
use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::{Fault, UserId};

/// 200 with the account.
pub(in crate::identity::admin) async fn read(
    identity: Identity,
    _: SignedIn,
    id: UserId,
    _: ApiRequest,
) -> Result<ApiResponse, Fault> {
    ApiResponse::ok(&find(&identity, id).await?)
}
