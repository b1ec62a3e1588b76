//! `/api/admin/blocks…`: who is refused just now for having failed or asked too often, and lifting that.

use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{
    identity::admin::BlockId,
    shared::{Fault, UserId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::json;
use services::identity::admin::blocks::{Block, lift_block, list_blocks};

#[derive(Serialize)]
struct BlocksView {
    blocks: Vec<BlockView>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BlockView {
    id: String,
    limit: &'static str,
    scope: &'static str,
    target: Option<&'static str>,
    user_id: Option<UserId>,
    user_email: Option<String>,
    caller: Option<String>,
    failures: Option<i32>,
    #[serde(serialize_with = "timestamp::serialize")]
    until: Timestamp,
}

impl From<Block> for BlockView {
    fn from(block: Block) -> Self {
        Self {
            id: block.id.to_string(),
            limit: block.limit,
            scope: match block.id {
                BlockId::Lockout(_) | BlockId::Shared { .. } => "all",
                BlockId::Process { .. } => "process",
            },
            target: block.target,
            user_id: block.user.as_ref().map(|account| account.id),
            user_email: block.user.map(|account| account.email.as_str().to_owned()),
            caller: block.caller,
            failures: block.failures,
            until: block.until,
        }
    }
}

/// `GET`: 200 with the blocks.
pub(super) async fn list(identity: Identity, _: SignedIn, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let blocks = list_blocks(&identity.ctx).await?;
    ApiResponse::ok(&BlocksView { blocks: blocks.into_iter().map(BlockView::from).collect() })
}

/// `DELETE …/{id}`: 200 when the block is lifted; 404 when there is none of that id.
pub(super) async fn lift(identity: Identity, signed_in: SignedIn, id: String, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let block = id.parse().map_err(|()| Fault::not_found())?;
    lift_block(identity.acting(&identity.request_context(&request), signed_in.claims()), &block).await?;
    ApiResponse::ok(&json!({ "id": id, "lifted": true }))
}
