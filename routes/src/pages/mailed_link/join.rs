//! `/join`: an invitation to a space. It is shown to every visitor with the link, and taken by the person
//! with its address, who signs in or registers first.

use super::{expired, forget, kept_token, take_token};
use crate::{
    pages::{Form, Pages, Visitor, account},
    web::{ApiRequest, ApiResponse, cookie::MailedLink},
};
use domain::shared::Fault;
use http::StatusCode;
use pages::join::{JoinReader, JoinView, join_page};
use services::{identity::join as use_case, shared::JoinOutcome};

/// The page.
pub(crate) async fn show(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    if let Some(redirect) = take_token(&pages, &request, MailedLink::SpaceInvite, request.path())? {
        return Ok(redirect);
    }
    invitation_page(&pages, visitor, &request, StatusCode::OK).await
}

/// The page for the invitation of the cookie, or the one of an expired link.
async fn invitation_page(pages: &Pages, visitor: Visitor, request: &ApiRequest, status: StatusCode) -> Result<ApiResponse, Fault> {
    let hash = kept_token(pages, request, MailedLink::SpaceInvite);
    let (ctx, context) = (&pages.identity.ctx, pages.identity.request_context(request));
    let Some(invitation) = use_case::look_at(ctx, &context, hash).await? else {
        return expired(pages, visitor, MailedLink::SpaceInvite);
    };
    let own = if visitor.is_signed_in() {
        Some(account::find(pages, pages.identity.sessions.signed_in(request).await?).await?.email)
    } else {
        None
    };
    let reader = match &own {
        None => JoinReader::SignedOut { can_register: ctx.settings.registration_enabled },
        Some(email) if email.as_str() == invitation.email => JoinReader::Invited,
        Some(email) => JoinReader::OtherAccount(email.as_str()),
    };
    Ok(visitor.page(pages, status, |frame| join_page(frame, JoinView { invitation: &invitation, reader })))
}

/// Takes the invitation: 303 to the spaces of the person, or to the account where there is no studio. Nothing
/// is taken by another account, which is told again.
pub(crate) async fn join(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    Form::read(&pages, &visitor, &mut request).await?;
    let signed_in = pages.identity.sessions.signed_in(&request).await?;
    let hash = kept_token(&pages, &request, MailedLink::SpaceInvite);
    let context = pages.identity.request_context(&request);
    match use_case::join(&pages.identity.ctx, &context, hash, signed_in.claims()).await? {
        JoinOutcome::Joined(_) => {
            let next = if pages.has_studio { "/studio?done=joined" } else { "/account?done=joined" };
            forget(&pages, MailedLink::SpaceInvite, ApiResponse::see_other(next)?)
        }
        JoinOutcome::OtherAccount => invitation_page(&pages, visitor, &request, StatusCode::CONFLICT).await,
        JoinOutcome::Stale => expired(&pages, visitor, MailedLink::SpaceInvite),
    }
}
