//! `PATCH /api/admin/users/{id}`: changes an account.

use super::AdminUser;
use crate::{
    identity::{BODY_LIMIT, Identity, present},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{
    identity::{ProfileRequest, admin::UserChangeRequest},
    shared::{Fault, UserId},
};
use serde::{Deserialize, de::IgnoredAny};
use services::identity::admin::update_user::update_user;

/// Changes of an account. The address is named, so that a change of it is refused and not ignored: only its owner can prove another one.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct UserBody {
    #[serde(default, deserialize_with = "present")]
    first_name: Option<Option<String>>,
    #[serde(default, deserialize_with = "present")]
    last_name: Option<Option<String>>,
    #[serde(default, deserialize_with = "present")]
    display_name: Option<Option<String>>,
    #[serde(default, deserialize_with = "present")]
    locale: Option<Option<String>>,
    #[serde(default, deserialize_with = "present")]
    email: Option<Option<IgnoredAny>>,
    email_verified: Option<bool>,
    is_admin: Option<bool>,
}

/// 200 with the account as it is then.
pub(in crate::identity::admin) async fn update(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let body: UserBody = request.json_fields(BODY_LIMIT).await?;
    let profile = ProfileRequest {
        first_name: body.first_name,
        last_name: body.last_name,
        display_name: body.display_name,
        locale: body.locale,
        read_only: body.email.iter().map(|_| "email").collect(),
    };
    let changes = UserChangeRequest { profile, email_verified: body.email_verified, is_admin: body.is_admin };
    let account = update_user(&identity.ctx, &identity.request_context(&request), signed_in.claims(), id, changes).await?;
    ApiResponse::ok(&AdminUser::from(account))
}
