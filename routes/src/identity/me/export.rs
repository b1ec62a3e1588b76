//! `GET /api/me/export`: everything that is stored about the account, as a file. The audit trail records each export.

use crate::{
    identity::{Identity, export::ExportDocument},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::Fault;
use http::{HeaderValue, header};
use services::identity::export::export_account;

/// 200 with the document, to be saved as a file.
pub(crate) async fn export(identity: Identity, SignedIn { user, .. }: SignedIn, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let export = export_account(&identity.ctx, &identity.request_context(&request), user).await?;
    let name = format!("account-export-{user}-{}.json", export.exported_at.strftime("%Y-%m-%d"));
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}\""))
        .map_err(|error| Fault::internal(format!("name of an export: {error}")))?;
    let document = ExportDocument::new(export, &identity.ctx.settings.locales);
    Ok(ApiResponse::ok(&document)?.with(header::CONTENT_DISPOSITION, disposition))
}
