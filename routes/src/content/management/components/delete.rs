//! `DELETE /api/v1/spaces/{space}/components/{id}`: 200 with the component that was deleted, its presets with it. Stories keep their bloks.

use super::view::ComponentView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::components::DeleteComponent;
use domain::{
    content::Right,
    shared::{ComponentId, Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<ComponentId>("components")
        .and(warp::delete())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, delete(content.clone(), space, id, call)))
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: ComponentId, call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let gone = content.spaces.write(space, by, call.origin(), DeleteComponent(id)).await?;
    Answer::ok(&wrapper::put("component", ComponentView::of(&gone)))
}
