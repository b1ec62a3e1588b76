//! A forgotten password: `/api/auth/password/forgot`, `/api/auth/password/reset`.

use super::{LinkBody, read_mail_request};
use crate::{
    identity::{BODY_LIMIT, Identity, success},
    web::{ApiRequest, ApiResponse, Message, csrf::Binding},
};
use domain::shared::Fault;
use services::identity::{links::request_password_reset, redeem};

/// Mails a link to set a new password. The answer is always the same, whether there is such an account or not.
pub(super) async fn forgot(identity: Identity, _: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let email = read_mail_request(&mut request).await?;
    request_password_reset(&identity.ctx, &identity.request_context(&request), &email).await?;
    ApiResponse::ok(&success(&request, Message::ResetLinkSentIfKnown))
}

/// Sets a new password by a mailed link. It starts no session: the person signs in with the new password.
pub(super) async fn reset(identity: Identity, _: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let LinkBody { token, new_password } = request.json_fields(BODY_LIMIT).await?;
    let hash = super::token(token.as_deref())?;
    let reset = redeem::reset_password(&identity.ctx, &identity.request_context(&request), hash, new_password).await?;
    reset.ok_or_else(redeem::stale_link)?;
    ApiResponse::ok(&success(&request, Message::PasswordReset))
}
