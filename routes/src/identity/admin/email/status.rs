//! `GET /api/admin/email/status`: connects to the mail server as the mail sender does, and says what it saw.
//! The password is never part of it.

use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use actors::identity::mail_diagnostics::MailStatus;
use domain::shared::Fault;
use serde::Serialize;
use serde_json::json;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a member of the JSON")]
struct StatusView {
    configured: bool,
    ok: bool,
    duration_ms: u128,
    host: String,
    port: u16,
    /// Whether TLS begins with the connection.
    secure: bool,
    from: String,
    auth_configured: bool,
    tls: TlsView,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TlsView {
    mode: &'static str,
    encrypted: bool,
    authorized: Option<bool>,
    protocol: Option<&'static str>,
    require_tls: bool,
    reject_unauthorized: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl From<MailStatus> for StatusView {
    fn from(status: MailStatus) -> Self {
        Self {
            configured: true,
            ok: status.problem.is_none(),
            duration_ms: status.took.as_millis(),
            host: status.host,
            port: status.port,
            secure: status.mode == "implicit",
            from: status.from,
            auth_configured: status.has_credentials,
            tls: TlsView {
                mode: status.mode,
                encrypted: status.protocol.is_some(),
                authorized: status.is_authorized,
                protocol: status.protocol,
                require_tls: status.mode != "none",
                reject_unauthorized: status.verify_certificate,
                error: status.tls_problem,
            },
            error: status.problem,
        }
    }
}

/// 200, also when the server cannot be reached; `configured` is false without `APP_SMTP_HOST`.
pub(in crate::identity::admin) async fn status(identity: Identity, _: SignedIn, _: ApiRequest) -> Result<ApiResponse, Fault> {
    match identity.mail.status().await? {
        Some(status) => ApiResponse::ok(&StatusView::from(status)),
        None => ApiResponse::ok(&json!({ "configured": false, "ok": false })),
    }
}
