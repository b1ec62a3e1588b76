//! `/device`: where a person types the code that a device shows, and allows or denies what the device asks
//! for (RFC 8628, section 3.3). A GET with the code in the address fills the field, and no more: it neither
//! looks the code up nor decides anything. Who sends a person such a link must not get what it asks for.
//!
//! ```text
//! GET                    the field for the code
//! POST                   looks the code up, which counts where it is none: what the device asks for, or the field again
//! POST action=allow|deny 303 to the page that says so
//! ```

use super::{Form, Pages, Visitor, interaction, refuse, sign_in};
use crate::web::{ApiRequest, ApiResponse, SignedIn};
use domain::{
    identity::{
        ReturnTo,
        oidc::{UserCode, device_code::Decision},
    },
    shared::{Code, Fault},
};
use http::StatusCode;
use pages::{
    OwnPath, Problems,
    device::{self as view, DeviceDecision, DeviceView},
    sign_in::with_return,
};
use services::identity::{
    RequestContext,
    oidc::{device, interaction::Decided},
};
use storage::shared::sessions::SessionClaims;

/// The field for the code, with the one of the address in it.
pub(super) async fn show(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let sent = query.text("user_code");
    if !visitor.is_signed_in() {
        return sign_in::redirect("sign-in", page_of(sent).as_str().parse().ok().as_ref());
    }
    let done = match query.get("done") {
        Some("allowed") => Some(DeviceDecision::Allowed),
        Some("denied") => Some(DeviceDecision::Denied),
        _ => None,
    };
    if let Some(done) = done {
        return Ok(visitor.ok(&pages, |frame| view::done_page(frame, done)));
    }
    let code = sent.and_then(UserCode::parse).map(|code| code.shown());
    let filled = code.as_deref().or(sent).unwrap_or_default();
    Ok(visitor.ok(&pages, |frame| view::code_page(frame, filled, &Problems::default())))
}

/// The path of this page, with the code if it is one.
fn page_of(typed: Option<&str>) -> OwnPath {
    let code = typed.and_then(UserCode::parse);
    OwnPath::of("/device", &code.map(|code| format!("user_code={}", code.shown())).unwrap_or_default())
}

/// What the device asks for; 403 for a person without a role that the client demands.
fn consent(pages: &Pages, visitor: Visitor, found: &device::DeviceView) -> ApiResponse {
    let logo = interaction::logo(&found.client);
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
fn typed_again(pages: &Pages, visitor: Visitor, fault: Fault, typed: &str) -> Result<ApiResponse, Fault> {
    refuse(pages, visitor, fault, &["user_code"], |frame, problems| view::code_page(frame, typed, &problems))
}

/// Takes the code and shows what the device asks for, 403 for a person without a role that the client
/// demands; then takes what the person decided: 303. Another account signs in first.
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
    let (decision, done) = match form.text("action") {
        "" => return find_device(&pages, &context, visitor, session, typed).await,
        "allow" => (Decision::Allowed, "/device?done=allowed"),
        "deny" => (Decision::Denied, "/device?done=denied"),
        "switch" => {
            let return_to: Option<ReturnTo> = page.as_str().parse().ok();
            return ApiResponse::see_other(&format!("{}&prompt=login", with_return("/login", return_to.as_ref())));
        }
        _ => return Err(Fault::new(Code::BadForm, "The form has no such action")),
    };
    match device::decide(&identity.oidc, &context, session, typed, decision).await {
        Ok(Decided::Written) => ApiResponse::see_other(done),
        // The page tells it.
        Ok(Decided::RoleRequired(_)) => find_device(&pages, &context, visitor, session, typed).await,
        Err(fault) => typed_again(&pages, visitor, fault, typed),
    }
}

/// What the device of a code asks for; the field again for a code that is none.
async fn find_device(
    pages: &Pages,
    context: &RequestContext,
    visitor: Visitor,
    session: SessionClaims,
    typed: &str,
) -> Result<ApiResponse, Fault> {
    match device::find(&pages.identity.oidc, context, session, typed).await {
        Ok(found) => Ok(consent(pages, visitor.at(page_of(Some(typed))), &found)),
        Err(fault) => typed_again(pages, visitor, fault, typed),
    }
}
