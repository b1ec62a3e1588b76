//! `POST /api/admin/email/test`: sends a mail with sample values, once.

use super::{locale, template};
use crate::{
    identity::{BODY_LIMIT, Identity},
    web::{ApiRequest, ApiResponse, SignedIn, Translations},
};
use actors::identity::mail_diagnostics;
use domain::{
    identity::email,
    shared::{Fault, Kind},
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use services::identity::admin::email_test;

/// The code of the error when the mail server refuses.
const SEND_FAILED: &str = "smtp_send_failed";

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Body {
    to: Option<String>,
    template: Option<String>,
    locale: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SentView<'a> {
    ok: bool,
    message_id: String,
    duration_ms: u128,
    to: &'a str,
    template: &'static str,
    locale: &'a str,
}

/// What the mail server has against it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SmtpView {
    code: &'static str,
    response_code: Option<u16>,
    response: String,
    command: &'static str,
}

/// 200 when the server has accepted it, 502 `smtp_send_failed` with the server's own error, 409 `smtp_not_configured` without `APP_SMTP_HOST`, 429 after ten
/// in ten minutes.
pub(in crate::identity::admin) async fn send(
    identity: Identity,
    signed_in: SignedIn,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let body: Body = request.json_fields_or_default(BODY_LIMIT).await?;
    let to = email::parse_field("to", body.to.as_deref()).map_err(|detail| Fault::fields("validation", vec![detail]))?;
    let template = template(body.template.as_deref())?;
    let locale = locale(&identity, body.locale.as_deref())?;
    if !identity.mail.is_on() {
        return Err(mail_diagnostics::not_configured());
    }
    email_test::acquire(&identity.ctx, signed_in.user).await?;
    let sent = identity.mail.send_test(template, to.clone(), locale).await?;
    let refusal = sent.as_ref().err().map(|refused| refused.code);
    email_test::record(&identity.ctx, &identity.request_context(&request), signed_in.claims(), template, refusal).await?;
    match sent {
        Ok(sent) => ApiResponse::ok(&SentView {
            ok: true,
            message_id: sent.message_id,
            duration_ms: sent.took.as_millis(),
            to: to.as_str(),
            template: template.name(),
            locale,
        }),
        Err(refused) => {
            let smtp = SmtpView {
                code: refused.code,
                response_code: refused.reply_code,
                response: refused.response,
                command: refused.command,
            };
            let refusal =
                Fault::new(Kind::Unavailable, SEND_FAILED, "The mail server did not accept the mail; its own words are in smtp");
            let message = request.meta.language.error_message(&refusal);
            let body =
                json!({ "error": SEND_FAILED, "message": message, "smtp": smtp, "requestId": request.meta.request_id.to_string() });
            ApiResponse::json(StatusCode::BAD_GATEWAY, &body)
        }
    }
}
