//! The versions of a story. Lists answer them without content unless `show_content=1`; a single version has
//! its content unless `show_content=0`.

use super::answer::execute;
use crate::{
    content::{
        Content,
        management::{access::Manager, components, paginate::list_parameters},
    },
    web::{ApiRequest, ApiResponse, body::DEFAULT_LIMIT},
};
use domain::{
    content::story::StoryContent,
    shared::{
        ComponentId, Fault, FieldCode, Parameters, SpaceId, StoryId,
        json::{parse_cast, whole_number},
        timestamp,
    },
};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value, json, value::RawValue};
use services::content::stories::Restore;
use storage::content::stories::{
    read as stories,
    versions::{self, Status, Version},
};

/// The most versions of one page.
const MAX_PER_PAGE: u32 = 100;

/// 200 `{"story_versions": […]}` of the story `by_story_id`.
pub(super) async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["by_story_id", "show_content"])?;
    page_of(&content, caller.space(), query.required("by_story_id")?, &query, "story_versions").await
}

/// 200 `{"versions": […]}` of the story or component `model_id`: the request of Storyblok's own client.
/// `model` is `stories` or `components`.
pub(super) async fn list_of_model(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["model", "model_id", "versions_v2", "show_content"])?;
    if query.required::<Model>("model")? == Model::Components {
        return components::list_versions(&content, &caller, query.required("model_id")?, query.page(MAX_PER_PAGE)?).await;
    }
    page_of(&content, caller.space(), query.required("model_id")?, &query, "versions").await
}

/// 200 `{"versions": […]}`.
pub(super) async fn list_of_story(
    content: Content,
    caller: Manager,
    story: StoryId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["show_content"])?;
    page_of(&content, caller.space(), story, &query, "versions").await
}

/// 200 `{"story_versions": {…}}`: one version under the plural key, as on Storyblok.
pub(super) async fn read(content: Content, caller: Manager, id: i64, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    query.only(&["show_content"])?;
    let is_without_content = query.flag_if_given("show_content")? == Some(false);
    let connection = content.store.connection("version.find").await?;
    let (story, mut version) = versions::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    version.content = version.content.filter(|_| !is_without_content);
    ApiResponse::ok(&json!({ "story_versions": view(story, &version) }))
}

/// What has versions.
#[derive(Clone, Copy, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
enum Model {
    Stories,
    Components,
}

/// With `model` and `model_id`, in the query or in the body: 204. The story or component is what it was in
/// the version; of a story the draft, what is published stays. Components are for administrators.
pub(super) async fn restore(content: Content, caller: Manager, id: i64, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    query.only(&["model", "model_id"])?;
    let body = request.bytes(DEFAULT_LIMIT).await?;
    let body: Map<String, Value> = if body.is_empty() { Map::new() } else { parse_cast(&body)? };
    let model = body.get("model").and_then(Value::as_str).or_else(|| query.text("model")).and_then(|name| name.parse().ok());
    let model: Model = model.ok_or_else(|| Fault::invalid("model", FieldCode::Invalid, "must be stories or components"))?;
    let item =
        body.get("model_id").and_then(whole_number).or_else(|| query.text("model_id").and_then(|number| number.parse().ok()));
    let item = item.ok_or_else(|| Fault::invalid("model_id", FieldCode::Invalid, "must be a number"))?;
    if model == Model::Components {
        return components::restore_version(&content, caller, ComponentId(item), id).await;
    }
    let command = Restore { id: StoryId(item), version: id };
    Ok(match execute(&content, &caller, &request, command.id, command).await? {
        Ok(_) => ApiResponse::empty(),
        Err(stale) => stale,
    })
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
    author: Option<&'a str>,
    #[serde(with = "timestamp")]
    created_at: Timestamp,
    /// How Storyblok's client names the kind of change, and the story.
    event: &'static str,
    item_id: i64,
    is_draft: bool,
    author_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a RawValue>,
}

fn view(story: StoryId, version: &Version) -> VersionView<'_> {
    VersionView {
        id: version.id,
        story_id: story.0,
        number: version.number,
        status: version.status.into_str(),
        name: &version.name,
        author: version.author.name(),
        created_at: version.created_at,
        event: match version.status {
            Status::Draft => "update",
            Status::Published => "publish",
            Status::Unpublished => "unpublish",
        },
        item_id: story.0,
        is_draft: version.status != Status::Published,
        author_id: version.author.number(),
        content: version.content.as_ref().map(StoryContent::text),
    }
}
