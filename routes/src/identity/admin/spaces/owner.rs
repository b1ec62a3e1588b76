//! `PUT /api/admin/spaces/{space}/owner`: gives a space without an owner one.

use super::SpaceView;
use crate::{
    identity::{BODY_LIMIT, Identity},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::{Fault, SpaceId};
use serde::Deserialize;
use services::identity::admin::spaces::{NewOwner, find_space, give_owner};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Body {
    user_id: Option<String>,
    email: Option<String>,
}

/// 200 with the space.
pub(in crate::identity::admin) async fn set(
    identity: Identity,
    signed_in: SignedIn,
    space: SpaceId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let shown = SpaceView::from(find_space(&identity.ctx, space).await?);
    let body = request.strict_json::<Body>(BODY_LIMIT).await?.read_beside(&shown)?;
    let owner = NewOwner { user_id: body.user_id, email: body.email };
    let space = give_owner(identity.acting(&identity.request_context(&request), signed_in.claims()), space, owner).await?;
    ApiResponse::ok(&SpaceView::from(space))
}
