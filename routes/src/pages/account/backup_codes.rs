//! `/account/security/backup-codes`: new backup codes in the place of the old ones.

use super::{Owner, refuse};
use crate::{
    pages::{Form, Pages},
    web::{ApiRequest, ApiResponse},
};
use domain::shared::Fault;
use pages::{Problems, account::app as view};
use secrecy::ExposeSecret;
use services::identity::totp;

/// The page that asks for a code of the app.
pub(crate) async fn show(pages: Pages, (visitor, _): Owner, _: ApiRequest) -> Result<ApiResponse, Fault> {
    Ok(visitor.ok(&pages, |frame| view::renew_page(frame, &Problems::default())))
}

/// Makes and shows them: 200, because they are shown this one time.
pub(crate) async fn renew(pages: Pages, (visitor, signed_in): Owner, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let context = pages.identity.request_context(&request);
    match totp::renew_backup_codes(&pages.identity.ctx, &context, signed_in.claims(), form.text("code")).await {
        Ok(codes) => {
            let codes: Vec<&str> = codes.0.iter().map(ExposeSecret::expose_secret).collect();
            Ok(visitor.ok(&pages, |frame| view::backup_codes_page(frame, &codes)))
        }
        Err(fault) => refuse(&pages, visitor, fault, &["code"], |frame, problems| view::renew_page(frame, &problems)),
    }
}
