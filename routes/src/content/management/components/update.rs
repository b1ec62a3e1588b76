//! `PUT /api/v1/spaces/{space}/components/{id}` `{"component": {…}}`: 200 with the component as it is now.
//!
//! What is not named stays; `schema` is replaced as a whole. Renaming a component leaves the bloks of stories as they are.

use super::view::ComponentView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::components::UpdateComponent;
use domain::{
    content::{Right, component::ComponentChange},
    shared::{ComponentId, Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<ComponentId>("components")
        .and(warp::put())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, update(content.clone(), space, id, call)))
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: ComponentId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let change: ComponentChange = wrapper::read(&mut call, "component", DEFAULT_LIMIT).await?;
    let after = content.spaces.write(space, by, call.origin(), UpdateComponent { id, change }).await?;
    Answer::ok(&wrapper::put("component", ComponentView::of(&after)))
}
