//! `/account/security/password`: changing, setting and removing the password.

use super::{Owner, credential, find, refuse};
use crate::{
    identity::session_cookies,
    pages::{Form, Pages},
    web::{ApiRequest, ApiResponse},
};
use domain::shared::{Detail, Fault, FieldCode};
use pages::{Problems, account::password as view};
use services::identity::{password, reauth};

/// The page that changes the password, or sets the first one.
pub(crate) async fn show(pages: Pages, (visitor, signed_in): Owner, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let account = find(&pages, signed_in).await?;
    let about = (account.email.as_str(), &pages.identity.ctx.settings.password_rules);
    Ok(visitor.ok(&pages, |frame| view::password_page(frame, &Problems::default(), account.has_password, about)))
}

/// Changes it. Every other session of the account ends.
pub(crate) async fn change(pages: Pages, (visitor, signed_in): Owner, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let identity = &pages.identity;
    let context = identity.request_context(&request);
    let (current, new) = (form.secret("currentPassword"), form.secret("newPassword"));
    match Box::pin(password::change(&identity.ctx, &context, signed_in.claims(), current, new)).await {
        Ok(Some(changed)) => {
            let response = ApiResponse::see_other("/account/security?done=password")?;
            session_cookies::reissue(identity, signed_in, changed.session, response)
        }
        outcome => {
            let of_current = || vec![Detail::new("currentPassword", FieldCode::Wrong, "is wrong")];
            let fault = outcome.err().unwrap_or_else(|| reauth::wrong_password().about(of_current()));
            let account = find(&pages, signed_in).await?;
            let about = (account.email.as_str(), &identity.ctx.settings.password_rules);
            refuse(&pages, visitor, fault, &["currentPassword", "newPassword"], |frame, problems| {
                view::password_page(frame, &problems, account.has_password, about)
            })
        }
    }
}

/// The page that removes it.
pub(crate) async fn show_removal(pages: Pages, (visitor, _): Owner, _: ApiRequest) -> Result<ApiResponse, Fault> {
    Ok(visitor.ok(&pages, |frame| view::remove_page(frame, &Problems::default())))
}

/// Removes it, so that only a passkey signs in. Every other session of the account ends.
pub(crate) async fn remove(pages: Pages, (visitor, signed_in): Owner, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let identity = &pages.identity;
    let context = identity.request_context(&request);
    match Box::pin(password::remove(&identity.ctx, &context, signed_in.claims(), credential(&form, true))).await {
        Ok(times) => {
            let response = ApiResponse::see_other("/account/security?done=password-removed")?;
            session_cookies::reissue(identity, signed_in, times, response)
        }
        Err(fault) => refuse(&pages, visitor, fault, &["password"], |frame, problems| view::remove_page(frame, &problems)),
    }
}
