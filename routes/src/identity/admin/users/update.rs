//! `PATCH /api/admin/users/{id}`: changes an account.

use super::{AdminUser, find};
use crate::{
    identity::{BODY_LIMIT, Identity, present},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{
    identity::{ProfileRequest, admin::UserChangeRequest},
    shared::{Fault, UserId},
};
use serde::Deserialize;
use services::identity::admin::users::update_user;

/// Changes of an account. The address is not among them: only its owner can prove another one.
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
    email_verified: Option<bool>,
    is_admin: Option<bool>,
}

/// The members that give or take a right: a change of one needs a recent proof.
const RIGHTS: [&str; 2] = ["isAdmin", "emailVerified"];

/// 200 with the account as it is then.
pub(in crate::identity::admin) async fn update(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let sent = request.strict_json::<UserBody>(BODY_LIMIT).await?;
    let before = find(&identity, id).await?;
    if sent.would_change(&RIGHTS, &before)? {
        identity.sessions.check_proved(&signed_in).await?;
    }
    let body = sent.read_beside(&before)?;
    let profile = ProfileRequest {
        first_name: body.first_name,
        last_name: body.last_name,
        display_name: body.display_name,
        locale: body.locale,
    };
    let changes = UserChangeRequest { profile, email_verified: body.email_verified, is_admin: body.is_admin };
    let account = update_user(identity.acting(&identity.request_context(&request), signed_in.claims()), id, changes).await?;
    ApiResponse::ok(&AdminUser::from(account))
}
