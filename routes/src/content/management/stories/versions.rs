//! The history of a story: `GET …/stories/{id}/versions`, `GET …/versions?model=stories&model_id=`, `GET …/story_versions?by_story_id=`,
//! `GET …/story_versions/{id}`.
//!
//! The first three answer lists without content, unless `show_content=1`; the last answers one version, with its content unless
//! `show_content=0`, under the plural key as the hosted service does (facts, section 2.4).

use crate::{
    content::{Content, management::access::manager},
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond, path::segment},
};
use domain::{
    content::Right,
    shared::{Fault, Parameters, SpaceId, StoryId, timestamp},
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
            respond(Dialect::Management, call.arrival, story_only(content.clone(), call, space, story))
        })
        .boxed()
}

/// What the hosted service's own client asks for. Only stories have a history here.
pub(super) fn of_model(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v1" / "spaces" / ..)
        .and(segment())
        .and(warp::path("versions"))
        .and(warp::path::end())
        .and(warp::get())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, model(content.clone(), call, space)))
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
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, by_story_id(content.clone(), call, space)))
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

async fn story_only(content: Content, call: Call, space: SpaceId, story: StoryId) -> Result<Answer, Fault> {
    manager(&content, &call, space, Right::Read).await?;
    let query = call.query()?;
    query.only(&["show_content", "page", "per_page"])?;
    list(&content, space, story, &query, "versions").await
}

async fn model(content: Content, call: Call, space: SpaceId) -> Result<Answer, Fault> {
    manager(&content, &call, space, Right::Read).await?;
    let query = call.query()?;
    query.only(&["model", "model_id", "show_content", "page", "per_page"])?;
    if query.get("model") != Some("stories") {
        return Err(Fault::invalid("model", "unsupported", "must be stories: nothing else has versions"));
    }
    list(&content, space, named(&query, "model_id")?, &query, "versions").await
}

async fn by_story_id(content: Content, call: Call, space: SpaceId) -> Result<Answer, Fault> {
    manager(&content, &call, space, Right::Read).await?;
    let query = call.query()?;
    query.only(&["by_story_id", "show_content", "page", "per_page"])?;
    list(&content, space, named(&query, "by_story_id")?, &query, "story_versions").await
}

fn named(query: &Parameters, name: &'static str) -> Result<StoryId, Fault> {
    query.parsed(name)?.ok_or_else(|| Fault::invalid(name, "blank", "can't be blank"))
}

async fn list(content: &Content, space: SpaceId, story: StoryId, query: &Parameters, key: &'static str) -> Result<Answer, Fault> {
    let page = query.page(100)?;
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
    let query = call.query()?;
    query.only(&["show_content"])?;
    let is_bare = query.get("show_content").is_some() && !query.flag("show_content")?;
    let session = content.store.read("version.find").await?;
    let (story, mut version) = store::find(&session, space, id).await?.ok_or_else(Fault::not_found)?;
    version.content = version.content.filter(|_| !is_bare);
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
