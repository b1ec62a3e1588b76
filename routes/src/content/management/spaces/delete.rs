//! `DELETE /api/v1/spaces/{space}`: 200 with the space as it was. Softly: the rows stay for 30 days, all tokens stop at once.

use super::{one_space, view::SpaceView};
use crate::{
    content::{
        Content,
        management::{access, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::spaces::DeleteSpace;
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use storage::content::spaces;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    one_space()
        .and(warp::delete())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, delete(content.clone(), space, call)))
        .boxed()
}

async fn delete(content: Content, space: SpaceId, call: Call) -> Result<Answer, Fault> {
    let by = access::manager_or_owner(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let session = content.store.read("space.find").await?;
    let old = spaces::find(&session, space).await?.ok_or_else(Fault::not_found)?;
    drop(session);
    content.spaces.write(space, by, call.origin(), DeleteSpace).await?;
    Answer::ok(&wrapper::put("space", SpaceView::of(&old)))
}
