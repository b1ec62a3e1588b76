//! `/device`: where a person types the code that a device shows, and allows or denies what the device asks for (RFC 8628, section 3.3). Nothing is decided by
//! a GET, also not with the code in the address: who sends a person such a link must not get what it asks for.

use super::{Form, Pages, Visitor, is_of_form, sign_in, status, with_retry};
use crate::web::{ApiRequest, ApiResponse, SignedIn};
use domain::{
    identity::{
        ReturnTo,
        oidc::{UserCode, device_code::Decision},
    },
    shared::Fault,
};
use http::StatusCode;
use pages::{
    Problems,
    device::{self as view, DeviceView, Done},
    sign_in::with_return,
};
use services::identity::oidc::device;

/// The field for the code; with a code in the query, what the device asks for.
pub(super) async fn show(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let typed = query.text("user_code");
    if !visitor.is_signed_in() {
        return sign_in::redirect("sign-in", page_of(typed).parse().ok().as_ref());
    }
    let done = match query.get("done") {
        Some("allowed") => Some(Done::Allowed),
        Some("denied") => Some(Done::Denied),
        _ => None,
    };
    if let Some(done) = done {
        return Ok(visitor.ok(&pages, |frame| view::done_page(frame, done)));
    }
    let Some(typed) = typed else { return Ok(visitor.ok(&pages, |frame| view::code_page(frame, "", &Problems::default()))) };
    let session = pages.identity.sessions.signed_in(&request).await?.claims();
    match device::find(&pages.identity.oidc, &pages.identity.request_context(&request), session, typed).await {
        Ok(found) => Ok(consent(&pages, visitor, &found)),
        Err(fault) => refuse(&pages, visitor, &fault, typed),
    }
}

/// The path of this page, with the code if it is one.
fn page_of(typed: Option<&str>) -> String {
    let code = typed.and_then(UserCode::parse);
    code.map_or_else(|| "/device".to_owned(), |code| format!("/device?user_code={}", code.shown()))
}

/// What the device asks for; 403 for a person without a role that the client demands.
fn consent(pages: &Pages, visitor: Visitor, found: &device::DeviceView) -> ApiResponse {
    let logo = found.client.logo_uri.as_deref();
    let seen = DeviceView {
        code: &found.code.shown(),
        client: &found.client.name,
        logo,
        email: &found.person.facts.email,
        scopes: found.request.scope.names(),
        policy_uri: found.client.policy_uri.as_deref(),
        tos_uri: found.client.tos_uri.as_deref(),
    };
    if found.may_sign_in() {
        visitor.showing(logo).ok(pages, |frame| view::consent_page(frame, &seen))
    } else {
        visitor.page(pages, StatusCode::FORBIDDEN, |frame| view::role_page(frame, &seen))
    }
}

/// The field for the code again, with what is wrong.
fn refuse(pages: &Pages, visitor: Visitor, fault: &Fault, typed: &str) -> Result<ApiResponse, Fault> {
    if !is_of_form(fault) {
        return Err(fault.clone());
    }
    let problems = Problems::of(visitor.language(), fault, &["user_code"]);
    Ok(with_retry(visitor.page(pages, status(fault), |frame| view::code_page(frame, typed, &problems)), fault))
}

/// Takes the code, and then what the person decided: 303 to what comes next. Another account signs in first.
pub(super) async fn decide(
    pages: Pages,
    (visitor, signed_in): (Visitor, SignedIn),
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let typed = form.text("user_code");
    let identity = &pages.identity;
    let (context, session) = (identity.request_context(&request), signed_in.claims());
    let page = page_of(Some(typed));
    let (outcome, next) = match form.text("action") {
        "" => (device::find(&identity.oidc, &context, session, typed).await.map(|_| ()), page.as_str()),
        "allow" => (device::decide(&identity.oidc, &context, session, typed, Decision::Allowed).await, "/device?done=allowed"),
        "deny" => (device::decide(&identity.oidc, &context, session, typed, Decision::Denied).await, "/device?done=denied"),
        "switch" => {
            let return_to: Option<ReturnTo> = page.parse().ok();
            return ApiResponse::see_other(&format!("{}&prompt=login", with_return("/login", return_to.as_ref())));
        }
        _ => return Err(Fault::bad_request("badForm", "The form has no such action")),
    };
    match outcome {
        Ok(()) => ApiResponse::see_other(next),
        // The page tells it.
        Err(fault) if fault.code == "loginRoleRequired" => ApiResponse::see_other(&page),
        Err(fault) => refuse(&pages, visitor, &fault, typed),
    }
}
