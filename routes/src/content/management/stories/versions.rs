//! The history of a story. Lists answer without content, unless `show_content=1`; one version with its content, unless `show_content=0`
//! (facts, section 2.4).

pub(super) mod by_story;
pub(super) mod of_model;
pub(super) mod of_story;
pub(super) mod read;

use crate::{content::Content, web::ApiResponse};
use domain::shared::{Fault, Parameters, SpaceId, StoryId, timestamp};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{json, value::RawValue};
use storage::content::stories::{read as stories, versions};

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

/// The page of a story's versions that is asked for, under a key.
async fn list(
    content: &Content,
    space: SpaceId,
    story: StoryId,
    query: &Parameters,
    key: &'static str,
) -> Result<ApiResponse, Fault> {
    let page = query.page(100)?;
    let connection = content.store.connection("version.list").await?;
    if stories::find(&connection, space, story).await?.is_none() {
        return Err(Fault::not_found());
    }
    let found = versions::list(&connection, space, story, query.flag("show_content")?, page).await?;
    let views: Vec<_> = found.items.iter().map(|version| view(story, version)).collect();
    Ok(ApiResponse::ok(&json!({ key: views }))?.paged(found.total, page))
}

fn view(story: StoryId, version: &versions::Version) -> View<'_> {
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
