//! `POST /api/admin/email/test`: sends a mail with sample values, once.

use super::{locale, template};
use crate::{
    identity::{BODY_LIMIT, Identity},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use actors::identity::mail_diagnostics::{self, RefusedTest, SentTest};
use domain::{
    identity::{Email, email, mail::Template},
    shared::{Code, Fault},
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use services::identity::{RequestContext, admin::mails};
use storage::shared::sessions::SessionClaims;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct TestMailBody {
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

/// A test mail that was tried.
pub(crate) struct Tested<'a> {
    to: Email,
    template: Template,
    locale: &'a str,
    /// What the mail server said.
    pub(crate) outcome: Result<SentTest, RefusedTest>,
}

/// Sends a test mail, once, and records that: `to`, `template` and `locale` as they were sent. 400
/// `validation`, `unsupportedLocale`, 409 `smtp_not_configured` without `APP_SMTP_HOST`, 429 after ten in ten
/// minutes.
pub(crate) async fn send_test<'a>(
    identity: &'a Identity,
    context: &RequestContext,
    administrator: SessionClaims,
    [to, template_name, locale_name]: [Option<&str>; 3],
) -> Result<Tested<'a>, Fault> {
    let to = email::parse_field("to", to).map_err(|detail| Fault::fields(Code::Validation, vec![detail]))?;
    let template = template(template_name)?;
    let locale = locale(identity, locale_name)?;
    if !identity.mail.is_on() {
        return Err(mail_diagnostics::not_configured());
    }
    mails::acquire(&identity.ctx, administrator.user).await?;
    let outcome = identity.mail.send_test(template, to.clone(), locale).await?;
    let refusal = outcome.as_ref().err().map(|refused| refused.code);
    mails::record(identity.acting(context, administrator), template, refusal).await?;
    Ok(Tested { to, template, locale, outcome })
}

/// 200 when the server has accepted it, 502 `smtp_send_failed` with the server's own error, and what
/// [`send_test`] refuses.
pub(in crate::identity::admin) async fn send(
    identity: Identity,
    signed_in: SignedIn,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let body = request.strict_json_or_empty::<TestMailBody>(BODY_LIMIT).await?.read()?;
    let sent = [body.to.as_deref(), body.template.as_deref(), body.locale.as_deref()];
    let context = identity.request_context(&request);
    let Tested { to, template, locale, outcome } = send_test(&identity, &context, signed_in.claims(), sent).await?;
    match outcome {
        Ok(sent) => ApiResponse::ok(&SentView {
            ok: true,
            message_id: sent.message_id,
            duration_ms: sent.took.as_millis(),
            to: to.as_str(),
            template: template.into_str(),
            locale,
        }),
        Err(refused) => {
            let smtp = SmtpView {
                code: refused.code,
                response_code: refused.reply_code,
                response: refused.response,
                command: refused.command,
            };
            let refusal = Fault::of(Code::SmtpSendFailed);
            let message = pages::fault_text::message(request.meta.language, &refusal);
            let body = json!({ "error": refusal.code.name(), "message": message, "smtp": smtp, "requestId": request.meta.request_id.to_string() });
            ApiResponse::json(StatusCode::BAD_GATEWAY, &body)
        }
    }
}
