//! `/interaction/{uid}`: where the OpenID provider sends a person who has to do something before an
//! application learns who they are.

use super::{Form, Pages, Visitor, is_of_form};
use crate::{
    identity::oidc::authorize::browser,
    web::{
        ApiRequest, ApiResponse,
        headers::{page_policy, source_of},
    },
};
use domain::{
    identity::{
        ReturnTo,
        oidc::{
            Client,
            policy::{Prompt, Reason},
        },
        origin::Origin,
    },
    shared::{Code, Fault},
};
use http::StatusCode;
use pages::{
    Frame,
    interaction::{self as page, ConsentView},
};
use services::identity::oidc::interaction::{self, Action, Decided, InteractionView};
use url::Url;

/// What is known of an interaction in this browser.
pub(super) async fn find(pages: &Pages, request: &ApiRequest, uid: &str) -> Result<InteractionView, Fault> {
    let identity = &pages.identity;
    interaction::view(&identity.oidc, &identity.request_context(request), browser(identity, request), uid).await
}

/// The interaction that a sign-in leads back to, if it is one that can go on.
pub(super) async fn behind(
    pages: &Pages,
    request: &ApiRequest,
    return_to: Option<&ReturnTo>,
) -> Result<Option<InteractionView>, Fault> {
    let Some(uid) = return_to.and_then(|page| page.as_str().strip_prefix("/interaction/")) else { return Ok(None) };
    match find(pages, request, uid).await {
        Ok(view) => Ok(Some(view)),
        // The page of the interaction tells what is wrong with it.
        Err(fault) if is_of_form(&fault) => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// A visitor of a page that is part of an interaction: in the language that the client wishes for, with forms
/// that may lead to the client.
pub(super) fn on_the_way(pages: &Pages, visitor: Visitor, behind: Option<&InteractionView>) -> Visitor {
    match behind {
        Some(view) => visitor.leading_to(&view.redirect_uri).preferring(pages, &view.ui_locales),
        None => visitor,
    }
}

/// The page that the person has to see; once there is none, on to the application.
pub(super) async fn show(pages: Pages, visitor: Visitor, uid: String, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let view = find(&pages, &request, &uid).await?;
    let visitor = on_the_way(&pages, visitor, Some(&view));
    let back = format!("return_to=/interaction/{uid}");
    let Some((prompt, reason)) = view.pending else { return resume(&uid) };
    let seen = |email| page::InteractionView { uid: &uid, client: &view.client.name, email };
    let email = view.person.as_ref().map(|person| person.facts.email.as_str());
    match (prompt, email) {
        (Prompt::Create, _) => ApiResponse::see_other(&format!("/register?{back}")),
        // A page that a person who is signed in does not skip.
        (Prompt::Login, _) if reason != Reason::NoSession => ApiResponse::see_other(&format!("/login?{back}&prompt=login")),
        (Prompt::Login, _) | (_, None) => ApiResponse::see_other(&format!("/login?{back}")),
        (Prompt::SelectAccount, Some(email)) => Ok(visitor.ok(&pages, |frame| page::account_page(frame, &seen(email)))),
        (Prompt::LoginRole, Some(email)) => {
            Ok(visitor.page(&pages, StatusCode::FORBIDDEN, |frame| page::role_page(frame, &seen(email))))
        }
        (Prompt::Consent, Some(email)) => {
            let missing = if view.missing_scope.is_empty() { &view.scope } else { &view.missing_scope };
            let (logo, host) = (logo(&view.client), host_of(&view.redirect_uri));
            let consent = ConsentView {
                interaction: seen(email),
                logo,
                scopes: missing.names(),
                is_app: view.client.asks_each_time(&view.redirect_uri),
                can_remember: view.can_remember,
                leads_to: host.as_deref(),
                policy_uri: view.client.policy_uri.as_deref(),
                tos_uri: view.client.tos_uri.as_deref(),
            };
            Ok(visitor.showing(logo).ok(&pages, |frame: &Frame<'_>| page::consent_page(frame, &consent)))
        }
    }
}

fn resume(uid: &str) -> Result<ApiResponse, Fault> {
    ApiResponse::see_other(&format!("/oidc/authorize/{uid}"))
}

/// Writes what the person decided: 303 to go on. Another account signs in first.
pub(super) async fn decide(pages: Pages, visitor: Visitor, uid: String, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let action = match form.text("action") {
        "allow" => Action::Consent { scope: None, remember: form.is_on("remember") },
        "continue" => Action::Continue,
        "deny" => Action::Abort,
        "switch" => {
            find(&pages, &request, &uid).await?;
            return ApiResponse::see_other(&format!("/login?return_to=/interaction/{uid}&prompt=login"));
        }
        _ => return Err(Fault::new(Code::BadForm, "The form has no such action")),
    };
    let identity = &pages.identity;
    let context = identity.request_context(&request);
    match interaction::finish(&identity.oidc, &context, browser(identity, &request), &uid, action).await? {
        Decided::Written => resume(&uid),
        // The page tells it.
        Decided::RoleRequired(_) => ApiResponse::see_other(&format!("/interaction/{uid}")),
    }
}

/// The address of a client's logo, if the policy of a page can name where it comes from: a browser would not
/// show another one.
pub(super) fn logo(client: &Client) -> Option<&str> {
    client.logo_uri.as_deref().filter(|uri| source_of(uri).is_some_and(|source| page_policy(Some(&source), None).is_some()))
}

/// The host that a redirect URI leads to; `None` for that of an app on the same device: a private scheme, or
/// a loopback host.
fn host_of(redirect_uri: &str) -> Option<String> {
    let origin = Origin::parse(redirect_uri).filter(|origin| !origin.is_loopback())?;
    let url = Url::parse(redirect_uri).ok()?;
    let host = url.host_str()?;
    Some(match url.port() {
        Some(port) if origin.is_https() => format!("{host}:{port}"),
        _ => host.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::host_of;

    #[test]
    fn a_person_is_told_the_host_that_a_redirect_uri_leads_to() {
        for (uri, host) in [
            ("https://app.example/cb?a=b", Some("app.example")),
            ("https://app.example:8443/cb", Some("app.example:8443")),
            ("https://xn--bcher-kva.example/cb", Some("xn--bcher-kva.example")),
            ("http://127.0.0.1:51004/cb", None),
            ("http://localhost/cb", None),
            ("com.example.app:/cb", None),
            ("com.example.app://bank.example/cb", None),
        ] {
            assert_eq!(host_of(uri).as_deref(), host, "{uri}");
        }
    }
}
