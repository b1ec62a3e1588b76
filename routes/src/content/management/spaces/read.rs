//! `GET /api/v1/spaces/{space}`: for its owner by session, and for its tokens of any role.

use super::{one_space, view::SpaceView};
use crate::{
    content::{
        Content,
        management::{access, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use storage::content::spaces;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    one_space()
        .and(warp::get())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, read(content.clone(), space, call)))
        .boxed()
}

async fn read(content: Content, space: SpaceId, call: Call) -> Result<Answer, Fault> {
    access::manager_or_owner(&content, &call, space, Right::Read).await?;
    call.query()?.only(&[])?;
    let session = content.store.read("space.find").await?;
    let found = spaces::find(&session, space).await?.ok_or_else(Fault::not_found)?;
    Answer::ok(&wrapper::put("space", SpaceView::of(&found)))
}
