//! `GET …/stories/{id}`: 200 `{"story": …}` with the draft's raw content. Deleted stories can be read too; `deleted_at` tells.

use super::view;
use crate::{
    content::{
        Content,
        management::{access, member},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId, StoryId},
};
use storage::content::stories::read;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<StoryId>("stories")
        .and(warp::get())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, read(content.clone(), space, id, call)))
        .boxed()
}

async fn read(content: Content, space: SpaceId, id: StoryId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    call.query()?.only(&[])?;
    let session = content.store.read("story.find").await?;
    let found = read::find(&session, space, id).await?.ok_or_else(Fault::not_found)?;
    let around = read::surroundings(&session, space, &found.story).await?;
    Answer::ok(&view::envelope(&found, &around))
}
