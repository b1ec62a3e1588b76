//! `POST /api/admin/spaces/{space}/undelete`: brings a deleted space back.

use super::SpaceView;
use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::{Fault, SpaceId};
use services::identity::admin::spaces;

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
