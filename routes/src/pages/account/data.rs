//! `/account/data`: everything that is stored about the account, as a file.

use super::{Owner, refuse};
use crate::{
    identity::me,
    pages::{Form, Pages},
    web::{ApiRequest, ApiResponse},
};
use domain::shared::Fault;
use pages::{Problems, account::data as view};

/// The page.
pub(crate) async fn show(pages: Pages, (visitor, _): Owner, _: ApiRequest) -> Result<ApiResponse, Fault> {
    Ok(visitor.ok(&pages, |frame| view::data_page(frame, &Problems::default())))
}

/// The file: what `/api/me/export` answers.
pub(crate) async fn export(pages: Pages, (visitor, signed_in): Owner, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    Form::read(&pages, &visitor, &mut request).await?;
    match me::account::export(pages.identity.clone(), signed_in, request).await {
        Ok(file) => Ok(file),
        Err(fault) => refuse(&pages, visitor, fault, &[], |frame, problems| view::data_page(frame, &problems)),
    }
}
