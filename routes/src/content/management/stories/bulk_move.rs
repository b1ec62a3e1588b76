//! `POST …/stories/bulk_move` `{"story_ids": […], "to_folder"?, "after_id"?}`: 204. All move, or none.

use crate::{
    content::{
        Content,
        management::{access, below_space},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::stories::BulkMove;
use domain::{
    content::Right,
    shared::{Fault, SpaceId, StoryId},
};
use serde::Deserialize;
use warp::Filter;

/// The most stories of one request.
const MOST: usize = 500;

#[derive(Deserialize)]
struct Body {
    story_ids: Vec<StoryId>,
    to_folder: Option<StoryId>,
    after_id: Option<StoryId>,
}

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    below_space("stories")
        .and(warp::path!("bulk_move"))
        .and(warp::post())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, bulk_move(content.clone(), space, call)))
        .boxed()
}

async fn bulk_move(content: Content, space: SpaceId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let body: Body = call.json(DEFAULT_LIMIT).await?;
    if body.story_ids.len() > MOST {
        return Err(Fault::invalid("story_ids", "tooMany", format!("has more than {MOST} stories")));
    }
    let bulk_move = BulkMove { ids: body.story_ids, to_folder: body.to_folder, after: body.after_id };
    content.spaces.write(space, by, call.origin(), bulk_move).await?;
    Ok(Answer::empty())
}
