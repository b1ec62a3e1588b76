//! `/api/admin/spaces…`: spaces, as far as administrators have to do with them.

use crate::{
    identity::{BODY_LIMIT, Identity},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{
    identity::admin::SpaceQuery,
    shared::{Fault, ListedSpace, SpaceId, UserId, timestamp},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use services::identity::admin::spaces::{self, NewOwner, find_space, give_owner, list_spaces};

/// A space as administrators see it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SpaceView {
    id: SpaceId,
    name: String,
    owner: Option<SpaceOwner>,
    /// Whether it has no owner.
    orphaned: bool,
    size: SpaceSize,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    /// The last change in the space or of its settings.
    #[serde(serialize_with = "timestamp::serialize")]
    changed_at: Timestamp,
    #[serde(serialize_with = "timestamp::option::serialize")]
    deleted_at: Option<Timestamp>,
}

#[derive(Serialize)]
struct SpaceOwner {
    id: UserId,
    email: String,
}

/// Stories without folders, assets without the trash, and the bytes of their files.
#[derive(Serialize)]
struct SpaceSize {
    stories: i64,
    assets: i64,
    bytes: i64,
}

impl From<ListedSpace> for SpaceView {
    fn from(space: ListedSpace) -> Self {
        Self {
            id: space.id,
            name: space.name,
            orphaned: space.owner.is_none(),
            owner: space.owner.map(|(id, email)| SpaceOwner { id, email }),
            size: SpaceSize { stories: space.stories, assets: space.assets, bytes: space.asset_bytes },
            created_at: space.created_at,
            changed_at: space.changed_at,
            deleted_at: space.deleted_at,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedSpaceView {
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
    ApiResponse::ok(&ListedSpaceView {
        spaces: found.items.into_iter().map(SpaceView::from).collect(),
        page: query.page.page,
        per_page: query.page.per_page,
        total: found.total,
        total_pages: (found.total + per_page - 1) / per_page,
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct OwnerBody {
    user_id: Option<String>,
    email: Option<String>,
}

/// 200 with the space.
pub(in crate::identity::admin) async fn set_owner(
    identity: Identity,
    signed_in: SignedIn,
    space: SpaceId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let shown = SpaceView::from(find_space(&identity.ctx, space).await?);
    let body = request.strict_json::<OwnerBody>(BODY_LIMIT).await?.read_beside(&shown)?;
    let owner = NewOwner { user_id: body.user_id, email: body.email };
    let space = give_owner(identity.acting(&identity.request_context(&request), signed_in.claims()), space, owner).await?;
    ApiResponse::ok(&SpaceView::from(space))
}

/// 200 with the space.
pub(in crate::identity::admin) async fn undelete(
    identity: Identity,
    signed_in: SignedIn,
    space: SpaceId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let space = spaces::undelete(identity.acting(&identity.request_context(&request), signed_in.claims()), space).await?;
    ApiResponse::ok(&SpaceView::from(space))
}
