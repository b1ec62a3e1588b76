//! `/account/apps`: the applications that the account has signed in to, and withdrawing what they may do.

use super::{Owner, done};
use crate::{
    pages::{Form, Pages},
    web::{ApiRequest, ApiResponse},
};
use domain::shared::Fault;
use pages::{
    Text,
    account::apps::{AppRow, apps_page},
};
use services::identity::oidc::apps;

/// The page.
pub(crate) async fn show(pages: Pages, (visitor, signed_in): Owner, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let done = done(&request, &[("withdrawn", Text::Withdrawn)])?;
    let listed = apps::list(&pages.identity.ctx, signed_in.user).await?;
    let row = |app: apps::App| AppRow {
        name: client_name(&pages, &app.client_id),
        client_id: app.client_id,
        scopes: app.scope.names().to_vec(),
        since: app.since,
    };
    let rows: Vec<AppRow> = listed.into_iter().map(row).collect();
    Ok(visitor.ok(&pages, |frame| apps_page(frame, &rows, done)))
}

/// Withdraws what an application may do: its tokens end, and it has to ask again.
pub(crate) async fn withdraw(pages: Pages, (visitor, signed_in): Owner, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let context = pages.identity.request_context(&request);
    apps::withdraw(&pages.identity.ctx, &context, signed_in.claims(), form.text("client_id")).await?;
    ApiResponse::see_other("/account/apps?done=withdrawn")
}

/// The name of a client; its id when it is not configured any more.
pub(in crate::pages) fn client_name(pages: &Pages, id: &str) -> String {
    pages.identity.oidc.clients.find(id).map_or_else(|| id.to_owned(), |client| client.name.clone())
}
