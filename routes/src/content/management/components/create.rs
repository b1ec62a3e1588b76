//! `POST /api/v1/spaces/{space}/components` `{"component": {…}}`: 201 with the component.

use super::view::ComponentView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::components::CreateComponent;
use domain::{
    content::{Right, component::ComponentChange},
    shared::{Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("components")
        .and(warp::post())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, create(content.clone(), space, call)))
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let change: ComponentChange = wrapper::read(&mut call, "component", DEFAULT_LIMIT).await?;
    let made = content.spaces.write(space, by, call.origin(), CreateComponent(change)).await?;
    Answer::created(&wrapper::put("component", ComponentView::of(&made)))
}
