//! `POST /api/v1/spaces/{space}/component_groups` `{"component_group": {…}}`: 201 with the component group.

use super::view::GroupView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::hierarchy::CreateNode;
use domain::{
    content::{Right, component_group::ComponentGroupChange},
    shared::{Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("component_groups")
        .and(warp::post())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, create(content.clone(), space, call)))
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let change: ComponentGroupChange = wrapper::read(&mut call, "component_group", DEFAULT_LIMIT).await?;
    let made = content.spaces.write(space, by, call.origin(), CreateNode(change)).await?;
    Answer::created(&wrapper::put("component_group", GroupView::of(&made)))
}
