//! `GET /api/me/export`: everything that is stored about the account, as a file. The audit trail records each export.

use crate::{
    identity::{Identity, export::ExportDocument, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::Fault;
use http::{HeaderValue, header};
use services::identity::export::export_account;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "export")
        .and(warp::get())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, export(identity.clone(), request)))
        .boxed()
}

async fn export(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.refuse_head()?;
    let user = identity.sessions.signed_in(&request).await?.user;
    let export = export_account(&identity.ctx, &identity.request_context(&request), user).await?;
    let name = format!("account-export-{user}-{}.json", export.exported_at.strftime("%Y-%m-%d"));
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}\""))
        .map_err(|error| Fault::internal(format!("name of an export: {error}")))?;
    let document = ExportDocument::new(export, &identity.ctx.settings.locales);
    Ok(ApiResponse::ok(&document)?.with(header::CONTENT_DISPOSITION, disposition))
}
