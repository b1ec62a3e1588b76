//! `GET /api/admin/users`: a page of accounts, by kind and by a text in address or names.

use super::AdminUser;
use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{identity::admin::UserQuery, shared::Fault};
use serde::Serialize;
use services::identity::admin::user_details::list_users;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    users: Vec<AdminUser>,
    page: u32,
    per_page: u32,
    total: i64,
    total_pages: i64,
    total_is_exact: bool,
}

/// 200 with the page; 400 for a parameter that cannot be read.
pub(in crate::identity::admin) async fn list(identity: Identity, _: SignedIn, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = UserQuery::read(&request.query()?)?;
    let found = list_users(&identity.ctx, &query).await?;
    ApiResponse::ok(&Listed {
        users: found.accounts.into_iter().map(AdminUser::from).collect(),
        page: query.page.page,
        per_page: query.page.per_page,
        total: found.total,
        total_pages: query.page.pages_of(found.total),
        total_is_exact: found.is_total_exact,
    })
}
