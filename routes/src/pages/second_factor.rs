//! `/login/2fa`: the second factor of a sign-in. The cookie of the pending login says whose it is.

use super::{Form, Pages, Visitor, interaction, refuse, return_to, sign_in};
use crate::{
    identity::auth,
    web::{ApiRequest, ApiResponse, cookie},
};
use domain::{
    identity::{ReturnTo, second_factor::Method},
    shared::Fault,
};
use http::{StatusCode, header};
use pages::{
    Problems, Text, Words,
    second_factor::{self as view, FactorPrompt, SecondFactorView},
};
use services::identity::second_factor::{self, PendingFactor, VerificationOutcome};

/// The page; without a pending login, back to where one begins.
pub(super) async fn show(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let return_to = return_to(&pages, &request, query.get("return_to"));
    let Some((_, pending)) = find(&pages, &request).await? else { return sign_in::redirect("expired", return_to.as_ref()) };
    let asked = asked(pending, query.get("with") == Some("backup"));
    let was_resent = query.get("sent") == Some("1");
    let behind = interaction::behind(&pages, &request, return_to.as_ref()).await?;
    let view = SecondFactorView { asked, problems: Problems::default(), was_resent, return_to: return_to.as_ref() };
    Ok(interaction::on_the_way(&pages, visitor, behind.as_ref()).ok(&pages, |frame| view::second_factor_page(frame, &view)))
}

/// The pending login of the cookie, if it can still be finished, and its token.
async fn find(pages: &Pages, request: &ApiRequest) -> Result<Option<(String, PendingFactor)>, Fault> {
    let name = pages.identity.sessions.cookies().login_pending();
    let Some(token) = cookie::find(&request.headers, name).map(str::to_owned) else { return Ok(None) };
    let pending = second_factor::pending_factor(&pages.identity.ctx, &token).await?;
    Ok(pending.map(|pending| (token, pending)))
}

fn asked(pending: PendingFactor, with_backup_code: bool) -> FactorPrompt {
    match (pending.method, with_backup_code) {
        (Method::Totp, false) => FactorPrompt::AppCode,
        (Method::Totp, true) => FactorPrompt::BackupCode,
        (Method::Email, _) => FactorPrompt::MailedCode {
            address: pending.email_hint,
            resend_after: pending.resend_after.map(|after| after.as_secs()),
        },
    }
}

/// Finishes the sign-in with a code, or mails another one.
pub(super) async fn verify(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let return_to = return_to(&pages, &request, form.given("return_to"));
    let Some((token, pending)) = find(&pages, &request).await? else { return sign_in::redirect("expired", return_to.as_ref()) };
    let behind = interaction::behind(&pages, &request, return_to.as_ref()).await?;
    let visitor = interaction::on_the_way(&pages, visitor, behind.as_ref());
    let identity = &pages.identity;
    if form.given("action") == Some("resend") {
        let resent = second_factor::resend(&identity.ctx, &identity.request_context(&request), &token).await;
        return match resent {
            Ok(None) => sign_in::redirect("expired", return_to.as_ref()),
            Ok(Some(_)) => {
                let cookie = auth::login_cookie(identity, &token)?;
                let path = pages::sign_in::with_return("/login/2fa", return_to.as_ref());
                let separator = if path.contains('?') { '&' } else { '?' };
                Ok(ApiResponse::see_other(&format!("{path}{separator}sent=1"))?.with(header::SET_COOKIE, cookie))
            }
            Err(fault) => asked_again(&pages, visitor, fault, asked(pending, false), return_to.as_ref()),
        };
    }
    let context = identity.sign_in_context(&request, &visitor.binding);
    let code = form.text("code");
    let verified = match pending.method {
        Method::Totp => Box::pin(second_factor::verify_totp(&identity.ctx, &context, &token, code)).await,
        Method::Email => Box::pin(second_factor::verify_mailed_code(&identity.ctx, &context, &token, code)).await,
    };
    let asked = asked(pending, form.given("with") == Some("backup"));
    match verified {
        Ok(VerificationOutcome::SignedIn { session, .. }) => sign_in::finish(&pages, &session, return_to),
        Ok(VerificationOutcome::WrongCode { attempts_left }) => {
            let wrong = Text::WrongCode.fill(visitor.language(), &[("left", &attempts_left.to_string())]);
            let problems = Problems::field("code", wrong);
            let view = SecondFactorView { asked, problems, was_resent: false, return_to: return_to.as_ref() };
            Ok(visitor.page(&pages, StatusCode::UNAUTHORIZED, |frame| view::second_factor_page(frame, &view)))
        }
        Ok(VerificationOutcome::Over) => sign_in::redirect("expired", return_to.as_ref()),
        Err(fault) => asked_again(&pages, visitor, fault, asked, return_to.as_ref()),
    }
}

/// The page again, with what is wrong.
fn asked_again(
    pages: &Pages,
    visitor: Visitor,
    fault: Fault,
    asked: FactorPrompt,
    return_to: Option<&ReturnTo>,
) -> Result<ApiResponse, Fault> {
    refuse(pages, visitor, fault, &["code"], |frame, problems| {
        view::second_factor_page(frame, &SecondFactorView { asked, problems, was_resent: false, return_to })
    })
}
