//! `/register`: making an account.

use super::{Form, Pages, Visitor, interaction, is_of_form, return_to, sign_in, start::has_no_account, status, typed, with_retry};
use crate::web::{ApiRequest, ApiResponse, cookie::Keep};
use domain::{
    identity::{RegistrationRequest, ReturnTo},
    shared::Fault,
};
use http::header;
use pages::{
    Problems,
    registration::{self as view, RegistrationView},
};
use services::identity::registration::{self, RegistrationOutcome};
use std::time::Duration;

/// How long a browser keeps where the first sign-in leads: as long as an interaction of the OpenID provider
/// waits.
const KEPT_FOR: Duration = Duration::from_hours(1);

/// The page; 403 while registration is closed.
pub(super) async fn show(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    registration::check_enabled(&pages.identity.ctx)?;
    let return_to = return_to(&pages, &request, request.query()?.get("return_to"));
    let behind = interaction::behind(&pages, &request, return_to.as_ref()).await?;
    let visitor = interaction::on_the_way(&pages, visitor, behind.as_ref());
    let email = typed::typed_before(&pages, &request);
    let view = RegistrationView { is_first: is_first(&pages).await?, email: &email, ..base(&pages, return_to.as_ref()) };
    Ok(visitor.ok(&pages, |frame| view::registration_page(frame, &view)))
}

/// Whether the account will be the first one, and so an administrator.
async fn is_first(pages: &Pages) -> Result<bool, Fault> {
    Ok(pages.identity.ctx.settings.first_user_is_admin && has_no_account(pages).await?)
}

fn base<'a>(pages: &'a Pages, return_to: Option<&'a ReturnTo>) -> RegistrationView<'a> {
    RegistrationView {
        problems: Problems::default(),
        first_name: "",
        last_name: "",
        email: "",
        rules: &pages.identity.ctx.settings.password_rules,
        is_first: false,
        return_to,
    }
}

/// Makes the account: 303 to the page to sign in with, or to the one that asks to follow the mailed link.
pub(super) async fn register(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let ctx = &pages.identity.ctx;
    registration::check_enabled(ctx)?;
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let return_to = return_to(&pages, &request, form.given("return_to"));
    if let Some(place) = form.given("go") {
        return sign_in::elsewhere(&pages, place, form.text("email"), return_to.as_ref());
    }
    let behind = interaction::behind(&pages, &request, return_to.as_ref()).await?;
    let visitor = interaction::on_the_way(&pages, visitor, behind.as_ref());
    let registration = RegistrationRequest {
        email: form.owned("email"),
        password: form.secret("password"),
        first_name: form.owned("firstName"),
        last_name: form.owned("lastName"),
        display_name: None,
        // The language that the person reads this page in.
        locale: ctx.settings.locales.choose(Some(visitor.language().tag())).map(str::to_owned),
    };
    let context = pages.identity.request_context(&request);
    match Box::pin(registration::register(ctx, &context, visitor.binding.browser_hash(), registration)).await {
        // A person who is signed in with another account would skip the page.
        Ok(RegistrationOutcome::Registered { .. }) if visitor.is_signed_in() => {
            typed::keep(&pages, form.text("email"), sign_in::redirect("registered&prompt=login", return_to.as_ref())?)
        }
        Ok(RegistrationOutcome::Registered { .. }) => {
            typed::keep(&pages, form.text("email"), sign_in::redirect("registered", return_to.as_ref())?)
        }
        Ok(RegistrationOutcome::VerificationRequired) => {
            let response = typed::keep(&pages, form.text("email"), ApiResponse::see_other("/verify-email?sent=1")?)?;
            // The mail leads back without it.
            let Some(return_to) = return_to else { return Ok(response) };
            let cookies = pages.identity.sessions.cookies();
            let cookie = cookies.set(cookies.return_to(), return_to.as_str(), Keep::For(KEPT_FOR))?;
            Ok(response.with(header::SET_COOKIE, cookie))
        }
        Err(fault) if is_of_form(&fault) => {
            let view = RegistrationView {
                problems: Problems::of(visitor.language(), &fault, &["firstName", "lastName", "email", "password"]),
                first_name: form.text("firstName"),
                last_name: form.text("lastName"),
                email: form.text("email"),
                is_first: is_first(&pages).await?,
                ..base(&pages, return_to.as_ref())
            };
            Ok(with_retry(visitor.page(&pages, status(&fault), |frame| view::registration_page(frame, &view)), &fault))
        }
        Err(fault) => Err(fault),
    }
}
