//! Readiness: whether requests should be sent to this process.

use super::Ops;
use crate::web::{Anonymous, ApiRequest, ApiResponse};
use domain::shared::Fault;
use http::StatusCode;
use serde::Serialize;

/// The part of the configuration that a login page needs before it shows a form.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "they are the fields of the wire")]
pub struct Facts {
    pub version: &'static str,
    /// Whether registration is open.
    pub registration_enabled: bool,
    /// Whether mail is sent.
    pub smtp_enabled: bool,
    /// Whether cookies are sent over HTTPS only.
    pub cookie_secure: bool,
    /// Whether people can sign in to a client: there is one, and this process holds the keys that tokens are
    /// signed with.
    pub oidc_configured: bool,
    /// The rules that a new password has to meet.
    pub password_rules: PasswordRules,
}

/// The rules that a new password has to meet.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "they are the fields of the wire")]
pub struct PasswordRules {
    /// The shortest, in characters.
    pub min_length: usize,
    /// The longest, in characters.
    pub max_length: usize,
    /// It needs an upper-case letter.
    pub require_uppercase: bool,
    /// It needs a lower-case letter.
    pub require_lowercase: bool,
    /// It needs a digit.
    pub require_digit: bool,
    /// It needs another character.
    pub require_symbol: bool,
    /// It must not be one of the passwords known from breaches.
    pub breached_check: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View<'a> {
    status: &'static str,
    database: bool,
    disk_full: bool,
    data_directory: bool,
    #[serde(flatten)]
    facts: &'a Facts,
}

/// 200, or 503 with the same body while the server is stopping, the database does not answer, or the data
/// directory is gone: what is written then is lost with the process. A full disk is shown and decides
/// nothing: as long as the database answers, reads are served.
pub(super) async fn read(ops: Ops, _: Anonymous, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let database = matches!(tokio::time::timeout(ops.database_timeout, ops.store.ping()).await, Ok(Ok(())));
    let draining = *ops.draining.borrow();
    let data_directory = (ops.data_is_there)();
    let is_ready = database && data_directory && !draining;
    let (code, status) = if is_ready { (StatusCode::OK, "ok") } else { (StatusCode::SERVICE_UNAVAILABLE, "error") };
    let disk_full = ops.is_disk_full();
    ApiResponse::json(code, &View { status, database, disk_full, data_directory, facts: &ops.facts })
}
