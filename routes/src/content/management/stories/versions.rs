//! The versions of a story. Lists answer them without content unless `show_content=1`; a single version has its content unless `show_content=0`.

use crate::{
    content::{
        Content,
        management::{access::Manager, paginate::list_parameters},
    },
    web::{ApiRequest, ApiResponse},
};
use domain::shared::{Fault, Parameters, SpaceId, StoryId, timestamp};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{json, value::RawValue};
use storage::content::stories::{
    read as stories,
    versions::{self, Version},
};

/// The most versions of one page.
const MAX_PER_PAGE: u32 = 100;

/// 200 `{"story_versions": […]}` of the story `by_story_id`.
pub(super) async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["by_story_id", "show_content"])?;
    page_of(&content, caller.space, query.required("by_story_id")?, &query, "story_versions").await
}

/// 200 `{"versions": […]}` of the story `model_id`: the request of Storyblok's own client. `model` must be `stories`: nothing else has versions.
pub(super) async fn list_of_model(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["model", "model_id", "show_content"])?;
    if query.get("model") != Some("stories") {
        return Err(Fault::invalid("model", "unsupported", "must be stories: nothing else has versions"));
    }
    page_of(&content, caller.space, query.required("model_id")?, &query, "versions").await
}

/// 200 `{"versions": […]}`.
pub(super) async fn list_of_story(
    content: Content,
    caller: Manager,
    story: StoryId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["show_content"])?;
    page_of(&content, caller.space, story, &query, "versions").await
}

/// 200 `{"story_versions": {…}}`: one version under the plural key, as on Storyblok.
pub(super) async fn read(content: Content, caller: Manager, id: i64, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    query.only(&["show_content"])?;
    let is_without_content = query.flag_if_given("show_content")? == Some(false);
    let connection = content.store.connection("version.find").await?;
    let (story, mut version) = versions::find(&connection, caller.space, id).await?.ok_or_else(Fault::not_found)?;
    version.content = version.content.filter(|_| !is_without_content);
    ApiResponse::ok(&json!({ "story_versions": view(story, &version) }))
}

/// The page of a story's versions that the query asks for, under a key.
async fn page_of(
    content: &Content,
    space: SpaceId,
    story: StoryId,
    query: &Parameters,
    key: &'static str,
) -> Result<ApiResponse, Fault> {
    let page = query.page(MAX_PER_PAGE)?;
    let connection = content.store.connection("version.list").await?;
    if stories::find(&connection, space, story).await?.is_none() {
        return Err(Fault::not_found());
    }
    let found = versions::list(&connection, space, story, query.flag("show_content")?, page).await?;
    let views: Vec<_> = found.items.iter().map(|version| view(story, version)).collect();
    Ok(ApiResponse::ok(&json!({ key: views }))?.paged(found.total, page))
}

#[derive(Serialize)]
struct VersionView<'a> {
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

fn view(story: StoryId, version: &Version) -> VersionView<'_> {
    VersionView {
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
