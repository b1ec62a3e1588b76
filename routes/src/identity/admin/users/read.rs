//! `GET /api/admin/users/{id}`: one account.

use super::AdminUser;
use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::{Fault, UserId};
use storage::identity::accounts;

/// 200 with the account.
pub(in crate::identity::admin) async fn read(
    identity: Identity,
    _: SignedIn,
    id: UserId,
    _: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let connection = identity.ctx.store.connection("account.find").await?;
    let account = accounts::find(&connection, id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&AdminUser::from(account))
}
