//! `GET /api/me/export`: everything that is stored about the account, as a file. The audit trail records each export.

use crate::{
    identity::{Identity, export},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::Fault;
use services::identity::account::export_account;

/// 200 with the document, to be saved as a file.
pub(crate) async fn export(identity: Identity, SignedIn { user, .. }: SignedIn, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let exported = export_account(&identity.ctx, &identity.request_context(&request), user).await?;
    export::respond(exported, &identity.ctx.settings.locales)
}
