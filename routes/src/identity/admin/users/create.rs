//! `POST /api/admin/users`: makes an account.

use super::AdminUser;
use crate::{
    identity::{BODY_LIMIT, Identity},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{identity::admin::NewUserRequest, shared::Fault};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use services::identity::admin::users::create_user;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct NewUserBody {
    email: Option<String>,
    first_name: Option<String>,
    last_name: Option<String>,
    locale: Option<String>,
    is_admin: Option<bool>,
    password_mode: Option<String>,
    password: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Created {
    user: AdminUser,
    #[serde(skip_serializing_if = "Option::is_none")]
    invite_link: Option<String>,
}

/// 201 with the account, and with the link of its invitation if it has one.
pub(in crate::identity::admin) async fn create(
    identity: Identity,
    signed_in: SignedIn,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let sent = request.strict_json::<NewUserBody>(BODY_LIMIT).await?;
    // `false` and `null` ask for what is so anyway.
    if sent.sent("isAdmin").is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false))) {
        identity.sessions.check_proved(&signed_in).await?;
    }
    let body = sent.read()?;
    let NewUserBody { email, first_name, last_name, locale, is_admin, password_mode, password } = body;
    let password = password.map(Into::into);
    let new = NewUserRequest { email, first_name, last_name, locale, is_admin, password_mode, password };
    let created = create_user(identity.acting(&identity.request_context(&request), signed_in.claims()), new).await?;
    let invite_link = created.invite_link.map(|link| link.expose_secret().to_owned());
    ApiResponse::created(&Created { user: created.account.into(), invite_link })
}
