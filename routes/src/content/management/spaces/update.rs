//! `PUT /api/v1/spaces/{space}` `{"space": {name?, domain?, languages?, default_lang_name?}}`: 200 with the space as it is now. What is not
//! named stays; `languages` is replaced as a whole. A change moves `cv`.

use super::{one_space, view::SpaceView};
use crate::{
    content::{
        Content,
        management::{access, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::spaces::UpdateSpace;
use domain::{
    content::{Right, SpaceChange},
    shared::{Fault, SpaceId},
};
use storage::content::spaces;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    one_space()
        .and(warp::put())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, update(content.clone(), space, call)))
        .boxed()
}

async fn update(content: Content, space: SpaceId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager_or_owner(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let change: SpaceChange = wrapper::read(&mut call, "space", DEFAULT_LIMIT).await?;
    content.spaces.write(space, by, call.origin(), UpdateSpace(change)).await?;
    let session = content.store.read("space.find").await?;
    let after = spaces::find(&session, space).await?.ok_or_else(Fault::not_found)?;
    Answer::ok(&wrapper::put("space", SpaceView::of(&after)))
}
