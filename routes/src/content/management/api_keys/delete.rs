//! `DELETE /api/v1/spaces/{space}/api_keys/{id}`: 200 with the delivery token, which opens nothing from now on.

use super::view::KeyView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::delivery_tokens::RevokeDeliveryToken;
use domain::{
    content::Right,
    shared::{Fault, SpaceId, TokenId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<TokenId>("api_keys")
        .and(warp::delete())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, delete(content.clone(), space, id, call)))
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: TokenId, call: Call) -> Result<Answer, Fault> {
    let by = access::manager_or_owner(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let ended = content.spaces.write(space, by, call.origin(), RevokeDeliveryToken(id)).await?;
    Answer::ok(&wrapper::put("api_key", KeyView::of(space, &ended, None)))
}
