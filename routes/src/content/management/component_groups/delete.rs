//! `DELETE /api/v1/spaces/{space}/component_groups/{id}`: 200 with the group that was deleted. Its components stay, without a group; groups
//! inside of it move up to its parent.

use super::view::GroupView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::hierarchy::DeleteNode;
use domain::{
    content::Right,
    shared::{Fault, GroupId, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<GroupId>("component_groups")
        .and(warp::delete())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, delete(content.clone(), space, id, call)))
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: GroupId, call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let gone = content.spaces.write(space, by, call.origin(), DeleteNode(id)).await?;
    Answer::ok(&wrapper::put("component_group", GroupView::of(&gone)))
}
