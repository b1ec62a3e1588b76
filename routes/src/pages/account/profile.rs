//! `/account`: name and language.

use super::{Owner, done, find, first_steps};
use crate::{
    pages::{Form, Pages, is_of_form, status},
    web::{ApiRequest, ApiResponse, cookie, cookie::Keep},
};
use domain::{
    identity::{Account, ProfileRequest},
    shared::{Fault, Language},
};
use http::header;
use pages::{
    Problems, Text,
    account::profile::{self as view, ProfileView},
};
use services::identity::account::update_profile;
use std::time::Duration;

/// The page.
pub(crate) async fn show(pages: Pages, (visitor, signed_in): Owner, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let account = find(&pages, signed_in).await?;
    let done = done(
        &request,
        &[("saved", Text::Saved), ("address", Text::AddressChanged), ("joined", Text::Joined), ("link", Text::AddressLinkSent)],
    )?;
    let first_steps = first_steps::for_page(&pages, signed_in, &request).await?;
    let view = ProfileView { done, first_steps, ..of_account(&pages, &account) };
    Ok(visitor.ok(&pages, |frame| view::profile_page(frame, &view)))
}

fn of_account<'a>(pages: &'a Pages, account: &'a Account) -> ProfileView<'a> {
    ProfileView {
        done: None,
        first_steps: None,
        problems: Problems::default(),
        email: account.email.as_str(),
        first_name: &account.first_name,
        last_name: account.last_name.as_deref().unwrap_or_default(),
        display_name: account.display_name.as_deref().unwrap_or_default(),
        locale: &account.locale,
        locales: pages.identity.ctx.settings.locales.supported(),
    }
}

/// Changes the profile, and shows the pages in its language from then on.
pub(crate) async fn save(pages: Pages, (visitor, signed_in): Owner, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    if form.given("hide").is_some() {
        return first_steps::hide(&pages);
    }
    let sent = |name: &str| Some(form.given(name).map(str::to_owned));
    let changes = ProfileRequest {
        first_name: sent("firstName"),
        last_name: sent("lastName"),
        display_name: sent("displayName"),
        locale: sent("locale"),
    };
    let context = pages.identity.request_context(&request);
    match update_profile(&pages.identity.ctx, &context, signed_in.user, changes).await {
        Ok(account) => {
            let response = ApiResponse::see_other("/account?done=saved")?;
            let Some(language) = Language::exactly(&account.locale) else { return Ok(response) };
            let keep = Keep::For(Duration::from_hours(365 * 24));
            let cookie = pages.identity.sessions.cookies().set(cookie::LANGUAGE, language.tag(), keep)?;
            Ok(response.with(header::SET_COOKIE, cookie))
        }
        Err(fault) if is_of_form(&fault) => {
            let account = find(&pages, signed_in).await?;
            let view = ProfileView {
                problems: Problems::of(visitor.language(), &fault, &["firstName", "lastName", "displayName"]),
                first_name: form.text("firstName"),
                last_name: form.text("lastName"),
                display_name: form.text("displayName"),
                ..of_account(&pages, &account)
            };
            Ok(visitor.page(&pages, status(&fault), |frame| view::profile_page(frame, &view)))
        }
        Err(fault) => Err(fault),
    }
}
