//! `/verify-email`: asks for a link that verifies an address. The link itself leads to `/api/auth/verify-email`, and from there to the page to sign in with.

use crate::{
    identity::auth::parse_address,
    pages::{Form, Pages, Visitor, is_of_form, status, with_retry},
    web::{ApiRequest, ApiResponse},
};
use domain::shared::Fault;
use pages::{
    Problems,
    mailed_link::{Request, RequestView, request_page},
};
use services::identity::link_requests::request_verification;

/// The page.
pub(crate) async fn show(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    // Only a token's own characters are repeated.
    if let Some(token) = query.get("token").filter(|token| crypto::opaque_token::hash(token).is_some()) {
        return ApiResponse::see_other(&format!("/api/auth/verify-email?token={token}"));
    }
    let view = RequestView { is_sent: query.get("sent") == Some("1"), ..base(&pages) };
    Ok(visitor.ok(&pages, |frame| request_page(frame, &view)))
}

fn base(pages: &Pages) -> RequestView<'static> {
    let is_mail_on = pages.identity.ctx.mail_queue.is_on();
    RequestView { request: Request::Verification, problems: Problems::default(), email: "", is_sent: false, is_mail_on }
}

/// Mails another link, if the address has an account that needs one; the answer is always the same.
pub(crate) async fn send(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let sent = async {
        let email = parse_address(form.given("email"))?;
        request_verification(&pages.identity.ctx, &pages.identity.request_context(&request), &email).await
    };
    match sent.await {
        Ok(()) => ApiResponse::see_other("/verify-email?sent=1"),
        Err(fault) if is_of_form(&fault) => {
            let problems = Problems::of(visitor.language(), &fault, &["email"]);
            let view = RequestView { problems, email: form.text("email"), ..base(&pages) };
            Ok(with_retry(visitor.page(&pages, status(&fault), |frame| request_page(frame, &view)), &fault))
        }
        Err(fault) => Err(fault),
    }
}
