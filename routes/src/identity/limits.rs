//! The rate limits that endpoints name in their tables, each by the address of the client. They come before
//! any other check of a request, and count nothing: the use case counts, once the CSRF token and the form are
//! right.

use super::Identity;
use crate::web::ApiRequest;
use domain::shared::Fault;

/// Limits logins, both their passwords and their second factors.
pub(super) fn login_from(identity: &Identity, request: &ApiRequest) -> Result<(), Fault> {
    identity.ctx.limits.peek_login_from(request.meta.ip)
}

/// Limits registrations.
pub(super) fn register_from(identity: &Identity, request: &ApiRequest) -> Result<(), Fault> {
    identity.ctx.limits.peek_register_from(request.meta.ip)
}

/// Limits registrations of and sign-ins with passkeys; the start and the finish of a ceremony count as one
/// each.
pub(super) fn passkey_from(identity: &Identity, request: &ApiRequest) -> Result<(), Fault> {
    identity.ctx.limits.peek_passkey_from(request.meta.ip)
}

/// Limits requests that send a mail to the address that they name.
pub(super) fn mail_from(identity: &Identity, request: &ApiRequest) -> Result<(), Fault> {
    identity.ctx.limits.peek_mail_from(request.meta.ip)
}
