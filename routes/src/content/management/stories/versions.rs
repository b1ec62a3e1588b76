//! The history of a story: `GET …/stories/{id}/versions`, `GET …/story_versions?by_story_id=`, `GET …/story_versions/{id}`.
//!
//! The first two answer lists without content, unless `show_content=1`; the last answers one version, under the plural key as the
//! hosted service does (facts, section 2.4).

use crate::{
    content::{Content, management::access::manager},
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond, path::segment},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId, StoryId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{json, value::RawValue};
use storage::content::stories::{read, versions as store};
use warp::Filter;

#[derive(Serialize)]
struct View<'a> {
    id: i64,
    story_id: i64,
    number: i32,
    status: &'static str,
    name: &'a str,
    author: &'a str,
    #[serde(with = "timestamp")]
    created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a RawValue>,
}

pub(super) fn of_story(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v1" / "spaces" / ..)
        .and(segment())
        .and(warp::path("stories"))
        .and(segment())
        .and(warp::path("versions"))
        .and(warp::path::end())
        .and(warp::get())
        .and(call())
        .then(move |space, story, call: Call| {
            respond(Dialect::Management, call.arrival, list(content.clone(), call, space, Some(story), "versions"))
        })
        .boxed()
}

pub(super) fn of_space(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v1" / "spaces" / ..)
        .and(segment())
        .and(warp::path("story_versions"))
        .and(warp::path::end())
        .and(warp::get())
        .and(call())
        .then(move |space, call: Call| {
            respond(Dialect::Management, call.arrival, list(content.clone(), call, space, None, "story_versions"))
        })
        .boxed()
}

pub(super) fn one(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v1" / "spaces" / ..)
        .and(segment())
        .and(warp::path("story_versions"))
        .and(segment())
        .and(warp::path::end())
        .and(warp::get())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, show(content.clone(), call, space, id)))
        .boxed()
}

async fn list(content: Content, call: Call, space: SpaceId, story: Option<StoryId>, key: &'static str) -> Result<Answer, Fault> {
    manager(&content, &call, space, Right::Read).await?;
    let query = call.query()?;
    query.only(&["by_story_id", "show_content", "page", "per_page"])?;
    let page = query.page(100)?;
    let by_query = || query.parsed("by_story_id")?.ok_or_else(|| Fault::invalid("by_story_id", "blank", "can't be blank"));
    let story = story.map_or_else(by_query, Ok)?;
    let session = content.store.read("version.list").await?;
    if read::find(&session, space, story).await?.is_none() {
        return Err(Fault::not_found());
    }
    let found = store::list(&session, space, story, query.flag("show_content")?, page).await?;
    let views: Vec<_> = found.items.iter().map(|version| view(story, version)).collect();
    Ok(Answer::ok(&json!({ key: views }))?.paged(found.total, page))
}

async fn show(content: Content, call: Call, space: SpaceId, id: i64) -> Result<Answer, Fault> {
    manager(&content, &call, space, Right::Read).await?;
    let session = content.store.read("version.find").await?;
    let (story, version) = store::find(&session, space, id).await?.ok_or_else(Fault::not_found)?;
    Answer::ok(&json!({ "story_versions": view(story, &version) }))
}

fn view(story: StoryId, version: &store::Version) -> View<'_> {
    View {
        id: version.id,
        story_id: story.0,
        number: version.number,
        status: version.status.name(),
        name: &version.name,
        author: &version.author,
        created_at: version.created_at,
        content: version.content.as_deref(),
    }
}
