//! `/account/security`: password, passkeys and authenticator app.

use super::{Owner, done, find};
use crate::{
    pages::{Pages, Visitor},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::Fault;
use http::StatusCode;
use pages::{
    Problems, Text,
    account::{
        DoneNotice,
        security::{self as view, SecurityView},
    },
};
use services::identity::totp;
use storage::identity::passkeys;

/// The page.
pub(crate) async fn show(pages: Pages, (visitor, signed_in): Owner, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let done = done(
        &request,
        &[
            ("password", Text::PasswordChanged),
            ("password-removed", Text::PasswordRemoved),
            ("passkey", Text::PasskeyAdded),
            ("passkey-removed", Text::PasskeyRemoved),
            ("saved", Text::Saved),
            ("app-removed", Text::AppTurnedOff),
        ],
    )?;
    security_page(&pages, visitor, signed_in, StatusCode::OK, (done, Problems::default())).await
}

/// The page with what was done, or what is wrong.
pub(super) async fn security_page(
    pages: &Pages,
    visitor: Visitor,
    signed_in: SignedIn,
    status: StatusCode,
    (done, problems): (Option<DoneNotice>, Problems),
) -> Result<ApiResponse, Fault> {
    let account = find(pages, signed_in).await?;
    let connection = pages.identity.ctx.store.connection("passkey.list").await?;
    let passkeys = passkeys::list(&connection, signed_in.user).await?;
    drop(connection);
    let app = totp::state(&pages.identity.ctx, signed_in.user).await?;
    let view = SecurityView {
        done,
        problems,
        has_password: account.has_password,
        is_proved: pages.identity.sessions.is_proved(&signed_in),
        passkeys: &passkeys,
        backup_codes_left: app.is_enabled.then_some(app.backup_codes_left),
    };
    Ok(visitor.page(pages, status, |frame| view::security_page(frame, &view)))
}
