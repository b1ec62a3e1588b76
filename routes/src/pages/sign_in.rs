//! `/login`: signing in with a password or a passkey.

use super::{Form, Pages, Visitor, interaction, refuse, return_to, typed};
use crate::{
    identity::{auth, session_cookies},
    web::{ApiRequest, ApiResponse, cookie::Keep},
};
use domain::{
    identity::{Email, ReturnTo, SignInBar},
    shared::{Code, Fault, Parameters},
};
use http::header;
use pages::sign_in::{self as view, Notice, Offer, SignInView, with_return};
use services::identity::{
    StartedSession,
    oidc::interaction::InteractionView,
    passkeys::{self, PasskeyLogin, PasskeyOffer},
    sign_in::{self, PasswordLogin, SignInOutcome},
};
use storage::identity::accounts;

/// The page. A person who is signed in goes on, unless the page that asked wants a new sign-in
/// (`prompt=login`).
pub(super) async fn show(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let return_to = return_to(&pages, &request, query.get("return_to"));
    if visitor.is_signed_in() && query.get("prompt") != Some("login") {
        return continue_to(&pages, return_to);
    }
    let behind = interaction::behind(&pages, &request, return_to.as_ref()).await?;
    // It may be any text; only an address is of use.
    let hint = behind.as_ref().and_then(|view| view.login_hint.as_deref()).and_then(Email::parse).map(|email| email.shown());
    let email = match hint {
        Some(hint) => hint,
        None => known_address(&pages, &visitor, &request, return_to.as_ref()).await?,
    };
    let offer = offer(&pages, &visitor)?;
    let view = SignInView {
        notice: notice(&query),
        offer: Some(&offer),
        return_to: return_to.as_ref(),
        remember: true,
        email: &email,
        ..base(&pages, behind.as_ref())
    };
    Ok(on_the_way(&pages, visitor, behind.as_ref()).ok(&pages, |frame| view::sign_in_page(frame, &view)))
}

/// The address that was typed before; without one, that of the person who is signed in and has to sign in
/// once more for a page of the account or the console. An application may ask for another account.
async fn known_address(
    pages: &Pages,
    visitor: &Visitor,
    request: &ApiRequest,
    return_to: Option<&ReturnTo>,
) -> Result<String, Fault> {
    let typed = typed::typed_before(pages, request);
    let is_own = return_to.is_some_and(|page| page.as_str().starts_with("/account") || page.as_str().starts_with("/admin"));
    if !typed.is_empty() || !is_own || !visitor.is_signed_in() {
        return Ok(typed);
    }
    let signed_in = pages.identity.sessions.signed_in(request).await?;
    let connection = pages.identity.ctx.store.shared("account.find").await?;
    let account = accounts::find(&connection, signed_in.user).await?;
    Ok(account.map(|account| account.email.shown()).unwrap_or_default())
}

/// What is told at the top, as the redirects here say it.
fn notice(query: &Parameters) -> Option<Notice> {
    // `/api/auth/verify-email` and the page that a mail links to say it in these words.
    match query.get("verified") {
        Some("1") => return Some(Notice::Verified),
        Some(_) => return Some(Notice::LinkExpired),
        None => {}
    }
    Some(match query.get("notice")? {
        "reset" => Notice::PasswordReset,
        "registered" => Notice::Registered,
        "address" => Notice::AddressChanged,
        "deleted" => Notice::Deleted,
        "sign-in" => Notice::SignInFirst,
        "expired" => Notice::SignInAgain,
        "administer" => Notice::Administer,
        _ => return None,
    })
}

/// A challenge for autofill.
fn offer(pages: &Pages, visitor: &Visitor) -> Result<Offer, Fault> {
    let PasskeyOffer { options, sealed } = passkeys::offer_login(&pages.identity.ctx, &visitor.binding.to_string())?;
    Ok(Offer { options: options.to_string(), sealed })
}

fn base<'a>(pages: &Pages, behind: Option<&'a InteractionView>) -> SignInView<'a> {
    let can_register = pages.identity.ctx.settings.registration_enabled;
    let client = behind.map(|view| view.client.as_ref());
    SignInView {
        can_register,
        client: client.map(|client| client.name.as_str()),
        logo: client.and_then(interaction::logo),
        ..SignInView::default()
    }
}

/// A visitor of this page on the way to a client.
fn on_the_way(pages: &Pages, visitor: Visitor, behind: Option<&InteractionView>) -> Visitor {
    let logo = behind.and_then(|view| interaction::logo(&view.client));
    interaction::on_the_way(pages, visitor, behind).showing(logo)
}

/// Signs in with the password: 303 to where the person wanted to go, or to the page of the second factor.
pub(super) async fn with_password(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let return_to = return_to(&pages, &request, form.given("return_to"));
    if let Some(place) = form.given("go") {
        return elsewhere(&pages, place, form.text("email"), return_to.as_ref());
    }
    let remember = form.is_on("remember");
    let identity = &pages.identity;
    let signed_in = async {
        let (email, password) = auth::login::credentials(form.given("email"), form.secret("password"))?;
        let context = identity.sign_in_context(&request, &visitor.binding);
        sign_in::sign_in(&identity.ctx, &context, PasswordLogin { email, password, remember }).await
    };
    let refused = match Box::pin(signed_in).await {
        Ok(SignInOutcome::SignedIn(started)) => return finish(&pages, &started, return_to),
        Ok(SignInOutcome::SecondFactorRequired(challenge)) => {
            let cookie = auth::login_cookie(identity, &challenge.login_token)?;
            let response = to_second_factor(return_to.as_ref())?.with(header::SET_COOKIE, cookie);
            // For the way back, should the code come too late.
            return typed::keep(&pages, form.text("email"), response);
        }
        Ok(SignInOutcome::Barred(bar)) => RefusedSignIn::from(bar),
        Err(fault) => RefusedSignIn::from(fault),
    };
    let behind = interaction::behind(&pages, &request, return_to.as_ref()).await?;
    let response = show_again(&pages, visitor, refused, behind.as_ref(), (form.text("email"), remember, return_to.as_ref()))?;
    typed::keep(&pages, form.text("email"), response)
}

/// To another page from the form of one that asks for an address, which is taken along: 303.
pub(super) fn elsewhere(pages: &Pages, place: &str, typed: &str, return_to: Option<&ReturnTo>) -> Result<ApiResponse, Fault> {
    let path = match place {
        "forgot-password" => "/forgot-password".to_owned(),
        "register" => with_return("/register", return_to),
        "login" => with_return("/login", return_to),
        _ => return Err(Fault::new(Code::BadForm, "The form leads to no such page")),
    };
    typed::keep(pages, typed, ApiResponse::see_other(&path)?)
}

/// Signs in with a passkey. The script of the page has put what the authenticator answered into the form.
pub(super) async fn with_passkey(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let return_to = return_to(&pages, &request, form.given("return_to"));
    let remember = form.is_on("remember");
    let signed_in = async {
        // What is no JSON is no answer of an authenticator, and refused like one that is not right.
        let credential = serde_json::from_str(form.text("credential")).unwrap_or_default();
        let (challenge, offer) = (form.owned("challenge"), form.owned("offer"));
        let login = PasskeyLogin { challenge, credential, offer, remember };
        let context = pages.identity.sign_in_context(&request, &visitor.binding);
        passkeys::finish_login(&pages.identity.ctx, &context, &visitor.binding.to_string(), login).await
    };
    let refused = match Box::pin(signed_in).await {
        Ok(Ok(started)) => return finish(&pages, &started, return_to),
        Ok(Err(bar)) => RefusedSignIn::from(bar),
        Err(fault) => RefusedSignIn::from(fault),
    };
    let behind = interaction::behind(&pages, &request, return_to.as_ref()).await?;
    show_again(&pages, visitor, refused, behind.as_ref(), ("", remember, return_to.as_ref()))
}

/// A sign-in that was refused.
struct RefusedSignIn {
    fault: Fault,
    /// Whether another link can be mailed that verifies the address.
    offers_verification: bool,
}

impl From<Fault> for RefusedSignIn {
    fn from(fault: Fault) -> Self {
        Self { fault, offers_verification: false }
    }
}

impl From<SignInBar> for RefusedSignIn {
    fn from(bar: SignInBar) -> Self {
        Self { fault: Fault::of(bar.code()), offers_verification: bar == SignInBar::Unverified }
    }
}

/// The page again, with what is wrong.
fn show_again(
    pages: &Pages,
    visitor: Visitor,
    RefusedSignIn { fault, offers_verification }: RefusedSignIn,
    behind: Option<&InteractionView>,
    (email, remember, return_to): (&str, bool, Option<&ReturnTo>),
) -> Result<ApiResponse, Fault> {
    let visitor = on_the_way(pages, visitor, behind);
    let offer = offer(pages, &visitor)?;
    refuse(pages, visitor, fault, &["email", "password"], |frame, problems| {
        let offer = Some(&offer);
        view::sign_in_page(
            frame,
            &SignInView { problems, email, remember, return_to, offers_verification, offer, ..base(pages, behind) },
        )
    })
}

/// Goes on with a session that was started.
pub(super) fn finish(pages: &Pages, started: &StartedSession, return_to: Option<ReturnTo>) -> Result<ApiResponse, Fault> {
    session_cookies::sign_in(&pages.identity, started, typed::forget(pages, continue_to(pages, return_to)?)?)
}

/// To where the person wanted to go. That was kept for this sign-in only.
fn continue_to(pages: &Pages, return_to: Option<ReturnTo>) -> Result<ApiResponse, Fault> {
    let cookies = pages.identity.sessions.cookies();
    let response = ApiResponse::see_other(return_to.unwrap_or_else(ReturnTo::account).as_str())?;
    Ok(response.with(header::SET_COOKIE, cookies.set(cookies.return_to(), "", Keep::Delete)?))
}

/// To the page of the second factor.
fn to_second_factor(return_to: Option<&ReturnTo>) -> Result<ApiResponse, Fault> {
    ApiResponse::see_other(&with_return("/login/2fa", return_to))
}

/// To the page to sign in with, with something to tell there.
pub(super) fn redirect(notice: &str, return_to: Option<&ReturnTo>) -> Result<ApiResponse, Fault> {
    let path = with_return("/login", return_to);
    let separator = if path.contains('?') { '&' } else { '?' };
    ApiResponse::see_other(&format!("{path}{separator}notice={notice}"))
}
