//! `/account/security/app`: the authenticator app.

use super::{Owner, refuse};
use crate::{
    pages::{Form, Pages},
    web::{ApiRequest, ApiResponse},
};
use domain::shared::{Code, Detail, Fault};
use pages::{
    Problems,
    account::app::{self as view, AppView, Replacement},
};
use secrecy::ExposeSecret;
use services::identity::totp::{self, ReplacementProof, StartedTotp};

/// The page, with the secret that waits for its first code; without one, a new one. The app that is in use
/// stays.
pub(crate) async fn show(pages: Pages, (visitor, signed_in): Owner, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let ctx = &pages.identity.ctx;
    let started = totp::start_or_resume(ctx, signed_in.user).await?;
    let is_replaced = totp::state(ctx, signed_in.user).await?.is_enabled;
    let replacement = replacement(is_replaced, request.query()?.get("lost") == Some("1"));
    Ok(visitor.ok(&pages, |frame| view::setup_page(frame, &of_secret(&started, replacement, Problems::default()))))
}

fn replacement(is_replaced: bool, is_lost: bool) -> Replacement {
    match (is_replaced, is_lost) {
        (false, _) => Replacement::First,
        (true, false) => Replacement::OldApp,
        (true, true) => Replacement::Lost,
    }
}

fn of_secret(started: &StartedTotp, replacement: Replacement, problems: Problems) -> AppView<'_> {
    AppView { problems, secret: started.secret.expose_secret(), uri: started.uri.expose_secret(), replacement }
}

/// Enables the app, and shows its backup codes: 200, because they are shown this one time.
pub(crate) async fn confirm(pages: Pages, (visitor, signed_in): Owner, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let ctx = &pages.identity.ctx;
    let context = pages.identity.request_context(&request);
    let confirmed = totp::confirm(ctx, &context, signed_in.claims(), form.text("code"), proof(&form));
    match Box::pin(confirmed).await {
        Ok(codes) => {
            let codes: Vec<&str> = codes.0.iter().map(ExposeSecret::expose_secret).collect();
            Ok(visitor.ok(&pages, |frame| view::backup_codes_page(frame, &codes)))
        }
        Err(fault) => {
            let started = totp::start_or_resume(ctx, signed_in.user).await?;
            let is_replaced = totp::state(ctx, signed_in.user).await?.is_enabled;
            let replacement = replacement(is_replaced, form.given("lost") == Some("1"));
            let fields = ["code", "currentCode", "password", "backupCode"];
            refuse(&pages, visitor, fault, &fields, |frame, problems| {
                view::setup_page(frame, &of_secret(&started, replacement, problems))
            })
        }
    }
}

/// What replaces the app that is in use, if anything was typed.
fn proof(form: &Form) -> Result<Option<ReplacementProof>, Fault> {
    if form.given("lost") != Some("1") {
        return Ok(form.owned("currentCode").map(ReplacementProof::Code));
    }
    match (form.secret("password"), form.owned("backupCode")) {
        (Some(password), Some(code)) => Ok(Some(ReplacementProof::PasswordAndBackupCode { password, code })),
        (password, code) => {
            let missing = [("password", password.is_none()), ("backupCode", code.is_none())];
            let missing = missing.into_iter().filter(|(_, is_missing)| *is_missing).map(|(name, _)| Detail::required(name));
            Err(Fault::fields(Code::Validation, missing.collect()))
        }
    }
}

/// The page that turns the app off.
pub(crate) async fn show_removal(pages: Pages, (visitor, _): Owner, _: ApiRequest) -> Result<ApiResponse, Fault> {
    Ok(visitor.ok(&pages, |frame| view::remove_page(frame, &Problems::default())))
}

/// Turns it off, for one of its codes or a backup code.
pub(crate) async fn remove(pages: Pages, (visitor, signed_in): Owner, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let context = pages.identity.request_context(&request);
    match totp::remove(&pages.identity.ctx, &context, signed_in.claims(), form.text("code")).await {
        Ok(()) => ApiResponse::see_other("/account/security?done=app-removed"),
        Err(fault) => refuse(&pages, visitor, fault, &["code"], |frame, problems| view::remove_page(frame, &problems)),
    }
}
