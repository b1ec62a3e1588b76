//! `GET /api/admin/users/{id}/export`: everything that is stored about an account, as a file. The audit trail records each export.

use crate::{
    identity::{Identity, export},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::{Fault, UserId};
use services::identity::admin::user_details::export_user;

/// 200 with the document that `/api/me/export` answers, to be saved as a file.
pub(in crate::identity::admin) async fn export(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let exported = export_user(identity.acting(&identity.request_context(&request), signed_in.claims()), id).await?;
    export::respond(exported, &identity.ctx.settings.locales)
}
