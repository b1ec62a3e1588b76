//! `GET /api/ready`: whether requests should be sent here. 503 while the server is stopping and while the database is away.

use super::Ops;
use crate::web::{Anonymous, ApiRequest, ApiResponse};
use domain::shared::Fault;
use http::StatusCode;
use serde::Serialize;
use std::time::Duration;

/// How long the database may take to answer.
const PATIENCE: Duration = Duration::from_secs(1);

/// What a login page wants to know of the configuration before it asks for anything.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    /// The server's version.
    pub version: &'static str,
    /// Whether anybody may register.
    pub registration_enabled: bool,
    /// Whether mail is sent.
    pub smtp_enabled: bool,
    /// Whether cookies are sent over HTTPS only.
    pub cookie_secure: bool,
    /// What a password must have.
    pub password_rules: PasswordRules,
}

/// What a password must have.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "they are the fields of the wire")]
pub struct PasswordRules {
    /// In characters.
    pub min_length: usize,
    /// In characters.
    pub max_length: usize,
    /// An upper-case letter.
    pub require_uppercase: bool,
    /// A lower-case letter.
    pub require_lowercase: bool,
    /// A digit.
    pub require_digit: bool,
    /// Something else.
    pub require_symbol: bool,
    /// Not one of the passwords that are known from breaches.
    pub breached_check: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View<'a> {
    status: &'static str,
    database: bool,
    oidc_configured: bool,
    #[serde(flatten)]
    facts: &'a Facts,
}

/// 200 or 503, with the same body.
pub(super) async fn read(ops: Ops, _: Anonymous, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let database = matches!(tokio::time::timeout(PATIENCE, ops.store.ping()).await, Ok(Ok(())));
    let draining = *ops.draining.borrow();
    let (code, status) = if database && !draining { (StatusCode::OK, "ok") } else { (StatusCode::SERVICE_UNAVAILABLE, "error") };
    // There are no OIDC clients yet, whatever the configuration.
    ApiResponse::json(code, &View { status, database, oidc_configured: false, facts: &ops.facts })
}
