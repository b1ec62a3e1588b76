//! `DELETE /api/v1/spaces/{space}/tokens/{id}`: 200 with the token, which opens nothing from now on. A token may end itself.

use super::view::TokenView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::management_tokens::RevokeManagementToken;
use domain::{
    content::Right,
    shared::{Fault, SpaceId, TokenId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<TokenId>("tokens")
        .and(warp::delete())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, delete(content.clone(), space, id, call)))
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: TokenId, call: Call) -> Result<Answer, Fault> {
    let by = access::manager_or_owner(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let ended = content.spaces.write(space, by, call.origin(), RevokeManagementToken(id)).await?;
    Answer::ok(&wrapper::put("token", TokenView::of(&ended)))
}
