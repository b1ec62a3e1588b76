//! `GET /api/admin/spaces`: a page of spaces, by kind and by a text in the name.

use super::SpaceView;
use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{identity::admin::SpaceQuery, shared::Fault};
use serde::Serialize;
use services::identity::admin::spaces::list_spaces;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    spaces: Vec<SpaceView>,
    page: u32,
    per_page: u32,
    total: i64,
    total_pages: i64,
}

/// 200 with the page; 400 for a parameter that cannot be read.
pub(in crate::identity::admin) async fn list(identity: Identity, _: SignedIn, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = SpaceQuery::read(&request.query()?)?;
    let found = list_spaces(&identity.ctx, &query).await?;
    let per_page = query.page.limit();
    ApiResponse::ok(&Listed {
        spaces: found.items.into_iter().map(SpaceView::from).collect(),
        page: query.page.page,
        per_page: query.page.per_page,
        total: found.total,
        total_pages: (found.total + per_page - 1) / per_page,
    })
}
