//! `GET /api/v1/spaces/{space}/components/{id}`.

use super::view::ComponentView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{ComponentId, Fault, SpaceId},
};
use storage::content::components;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<ComponentId>("components")
        .and(warp::get())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, read(content.clone(), space, id, call)))
        .boxed()
}

async fn read(content: Content, space: SpaceId, id: ComponentId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    call.query()?.only(&[])?;
    let session = content.store.read("component.find").await?;
    let found = components::find(&session, space, id).await?.ok_or_else(Fault::not_found)?;
    Answer::ok(&wrapper::put("component", ComponentView::of(&found)))
}
