//! `…/stories/{id}/publish`, `unpublish`, `undelete`, `discard_changes`: 200 `{"story": …}`.
//!
//! The hosted service takes them as GET (facts, section 2.4); POST and PUT are taken as well, because a GET ought to change nothing.

use super::view;
use crate::{
    content::{
        Content,
        management::{access, below_space},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, path::segment, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId, StoryId},
};
use services::content::stories::{DiscardChanges, Publish, Undelete, Unpublish};
use std::str::FromStr;
use warp::Filter;

/// What is done to the story.
#[derive(Debug, Clone, Copy)]
enum Action {
    Publish,
    Unpublish,
    Undelete,
    DiscardChanges,
}

impl FromStr for Action {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Ok(match name {
            "publish" => Self::Publish,
            "unpublish" => Self::Unpublish,
            "undelete" => Self::Undelete,
            "discard_changes" => Self::DiscardChanges,
            _ => return Err(()),
        })
    }
}

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    below_space("stories")
        .and(segment::<StoryId>())
        .and(segment::<Action>())
        .and(warp::path::end())
        .and(warp::get().or(warp::post()).unify().or(warp::put()).unify())
        .and(api_request())
        .then(move |space, id, action, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, act(content.clone(), space, (id, action), request))
        })
        .boxed()
}

async fn act(content: Content, space: SpaceId, (id, action): (StoryId, Action), request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.refuse_head()?;
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    let (spaces, origin) = (&content.spaces, request.origin());
    let written = match action {
        Action::Publish => spaces.execute(space, by, origin, Publish { id }).await?,
        Action::Unpublish => spaces.execute(space, by, origin, Unpublish { id }).await?,
        Action::Undelete => spaces.execute(space, by, origin, Undelete { id }).await?,
        Action::DiscardChanges => spaces.execute(space, by, origin, DiscardChanges { id }).await?,
    };
    ApiResponse::ok(&view::written(&written))
}
