//! `…/stories/{id}/publish`, `unpublish`, `undelete`, `discard_changes`: 200 `{"story": …}`.
//!
//! The hosted service takes them as GET (facts, section 2.4); POST and PUT are taken as well, because a GET ought to change nothing.

use super::view;
use crate::{
    content::{
        Content,
        management::{access, below_space},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond, path::segment},
};
use actors::content::writes::stories::{DiscardChanges, Publish, Undelete, Unpublish};
use domain::{
    content::Right,
    shared::{Fault, SpaceId, StoryId},
};
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
        .and(call())
        .then(move |space, id, action, call: Call| {
            respond(Dialect::Management, call.arrival, act(content.clone(), space, (id, action), call))
        })
        .boxed()
}

async fn act(content: Content, space: SpaceId, (id, action): (StoryId, Action), call: Call) -> Result<Answer, Fault> {
    call.refuse_head()?;
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let (spaces, origin) = (&content.spaces, call.origin());
    let written = match action {
        Action::Publish => spaces.write(space, by, origin, Publish { id }).await?,
        Action::Unpublish => spaces.write(space, by, origin, Unpublish { id }).await?,
        Action::Undelete => spaces.write(space, by, origin, Undelete { id }).await?,
        Action::DiscardChanges => spaces.write(space, by, origin, DiscardChanges { id }).await?,
    };
    Answer::ok(&view::written(&written))
}
