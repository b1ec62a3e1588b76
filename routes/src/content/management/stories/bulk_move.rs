//! `POST …/stories/bulk_move` `{"story_ids": […], "to_folder"?, "after_id"?}`: 204. All move, or none.

use crate::{
    content::{
        Content,
        management::{access, below_space},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId, StoryId},
};
use serde::Deserialize;
use services::content::stories::BulkMove;
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
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, bulk_move(content.clone(), space, request))
        })
        .boxed()
}

async fn bulk_move(content: Content, space: SpaceId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    let body: Body = request.json(DEFAULT_LIMIT).await?;
    if body.story_ids.len() > MOST {
        return Err(Fault::invalid("story_ids", "tooMany", format!("has more than {MOST} stories")));
    }
    let bulk_move = BulkMove { ids: body.story_ids, to_folder: body.to_folder, after: body.after_id };
    content.spaces.execute(space, by, request.origin(), bulk_move).await?;
    Ok(ApiResponse::empty())
}
