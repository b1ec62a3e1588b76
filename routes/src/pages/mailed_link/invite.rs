//! `/accept-invite`: sets the first password of an account that an administrator made, and signs in.

use super::{expired, forget, kept_token, take_token};
use crate::{
    pages::{Form, Pages, Visitor, is_of_form, return_to, sign_in, status, with_retry},
    web::{ApiRequest, ApiResponse, cookie::MailedLink},
};
use domain::shared::Fault;
use http::StatusCode;
use pages::{
    Problems,
    mailed_link::{InviteView, invite_page},
};
use services::identity::invites;

/// The page.
pub(crate) async fn show(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    if let Some(redirect) = take_token(&pages, &request, MailedLink::Invite, request.path())? {
        return Ok(redirect);
    }
    invitation_page(&pages, visitor, &request, StatusCode::OK, Problems::default()).await
}

/// The page for the invitation of the cookie, or the one of an expired link.
async fn invitation_page(
    pages: &Pages,
    visitor: Visitor,
    request: &ApiRequest,
    status: StatusCode,
    problems: Problems,
) -> Result<ApiResponse, Fault> {
    let hash = kept_token(pages, request, MailedLink::Invite);
    let context = pages.identity.request_context(request);
    let Some(invitation) = invites::read(&pages.identity.ctx, &context, hash).await? else {
        return expired(pages, visitor, MailedLink::Invite);
    };
    let view = InviteView {
        problems,
        name: &invitation.account.first_name,
        email: invitation.account.email.as_str(),
        rules: &pages.identity.ctx.settings.password_rules,
    };
    Ok(visitor.page(pages, status, |frame| invite_page(frame, &view)))
}

/// Accepts the invitation: 303 to the account.
pub(crate) async fn accept(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let hash = kept_token(&pages, &request, MailedLink::Invite);
    let context = pages.identity.sign_in_context(&request, &visitor.binding);
    match Box::pin(invites::accept(&pages.identity.ctx, &context, hash, form.secret("newPassword"))).await {
        Ok(started) => {
            let response = sign_in::finish(&pages, &started, return_to(&pages, &request, None))?;
            forget(&pages, MailedLink::Invite, response)
        }
        Err(fault) if is_of_form(&fault) => {
            let problems = Problems::of(visitor.language(), &fault, &["newPassword"]);
            Ok(with_retry(invitation_page(&pages, visitor, &request, status(&fault), problems).await?, &fault))
        }
        Err(fault) => Err(fault),
    }
}
