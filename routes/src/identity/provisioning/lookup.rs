//! `GET /api/provisioning/users/lookup`: the account of a person of another system.

use super::{CallingApp, UserView};
use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse},
};
use domain::shared::Fault;
use services::identity::provisioning::lookup;

/// 200 with the account of `legacySub` or, where that is not sent, of `email`; 400 for neither, 404 without
/// such an account.
pub(super) async fn lookup(identity: Identity, _: CallingApp, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let account = lookup::lookup(&identity.ctx, query.get("legacySub"), query.get("email")).await?;
    ApiResponse::ok(&UserView::new(account.id, account.email.as_str().to_owned(), account.legacy_sub))
}
