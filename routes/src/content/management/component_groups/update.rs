//! `PUT /api/v1/spaces/{space}/component_groups/{id}` `{"component_group": {…}}`: 200 with the component group as it is now.
//!
//! What is not named stays. PATCH is the same, as on the hosted service.

use super::view::GroupView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::hierarchy::UpdateNode;
use domain::{
    content::{Right, component_group::ComponentGroupChange},
    shared::{Fault, GroupId, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<GroupId>("component_groups")
        .and(warp::put().or(warp::patch()).unify())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, update(content.clone(), space, id, call)))
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: GroupId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let change: ComponentGroupChange = wrapper::read(&mut call, "component_group", DEFAULT_LIMIT).await?;
    let after = content.spaces.write(space, by, call.origin(), UpdateNode { id, change }).await?;
    Answer::ok(&wrapper::put("component_group", GroupView::of(&after)))
}
