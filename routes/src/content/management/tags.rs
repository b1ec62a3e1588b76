//! The tags of stories. A tag has no number: its name is its id, as on Storyblok, and it exists as long as a
//! story has it.

use super::{access::Manager, envelope, paginate::list_parameters};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, body::DEFAULT_LIMIT},
};
use domain::{
    content::Right,
    shared::{Fault, FieldCode, StoryId},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use services::content::tags::{DeleteTag, RenameTag, TagStories};
use storage::content::tags::{self, Tag};

const KEY: &str = "tag";
/// The most tags of one page.
const MAX_PER_PAGE: u32 = 1000;
/// The most stories that one request tags.
const MAX_STORIES: usize = 500;

/// The endpoints below `/api/v1/spaces/{space}/tags`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/tags", Right::Read, list)
        .post("/api/v1/spaces/{space}/tags", Right::WriteContent, create)
        .post("/api/v1/spaces/{space}/tags/bulk_association", Right::WriteContent, associate)
        .put("/api/v1/spaces/{space}/tags/{name}", Right::WriteContent, rename)
        .delete("/api/v1/spaces/{space}/tags/{name}", Right::WriteContent, delete)
}

/// 200 `{"tags": […]}`, paged, by name. Filter: `search` (in the name). `all_tags` is accepted: the tags of
/// all stories are listed in any case.
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["all_tags", "search"])?;
    let search = query.search("search")?;
    let page = query.page(MAX_PER_PAGE)?;
    let connection = content.store.connection("tag.list").await?;
    let found = tags::list(&connection, caller.space(), search.as_deref(), page).await?;
    let views: Vec<_> = found.items.iter().map(TagView::of).collect();
    Ok(ApiResponse::ok(&envelope::wrap("tags", views))?.paged(found.total, page))
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct TagBody {
    name: Option<String>,
    story_id: Option<StoryId>,
}

/// Of `{"tag": {name, story_id}}`: 200 with the tag, which the story has now.
async fn create(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let body: TagBody = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    let name = body.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| Fault::invalid("name", FieldCode::Blank, "can't be blank"))?.to_owned();
    let story = body
        .story_id
        .ok_or_else(|| Fault::invalid("story_id", FieldCode::Blank, "can't be blank: a tag exists as long as a story has it"))?;
    let command = TagStories(vec![(story, vec![name.clone()])]);
    content.execute(&caller, command).await?;
    let connection = content.store.connection("tag.find").await?;
    let tag = tags::find(&connection, caller.space(), &name).await?.unwrap_or(Tag { name, stories: 0 });
    ApiResponse::ok(&envelope::wrap(KEY, TagView::of(&tag)))
}

#[derive(Deserialize)]
struct Association {
    story_id: StoryId,
    tag_list: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Associations {
    stories: Vec<Association>,
}

/// Of `{"tags": {"stories": [{story_id, tag_list}]}}`: 200 `{}`. Each story gets its tags beside those that
/// it has. All stories, or none.
async fn associate(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let body: Associations = envelope::read(&mut request, "tags", DEFAULT_LIMIT).await?;
    if body.stories.is_empty() {
        return Err(Fault::invalid("stories", FieldCode::Blank, "can't be blank"));
    }
    if body.stories.len() > MAX_STORIES {
        return Err(Fault::invalid("stories", FieldCode::TooMany, format!("has more than {MAX_STORIES} stories")));
    }
    let command = TagStories(body.stories.into_iter().map(|story| (story.story_id, story.tag_list)).collect());
    content.execute(&caller, command).await?;
    ApiResponse::ok(&json!({}))
}

/// Of `{"tag": {name}}`: 200 with the tag under its new name, in all stories that had it. A tag that has that
/// name already is merged with it.
async fn rename(content: Content, caller: Manager, from: String, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let body: TagBody = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    let command = RenameTag { from, to: body.name.unwrap_or_default() };
    let renamed = content.execute(&caller, command).await?;
    ApiResponse::ok(&envelope::wrap(KEY, TagView::of(&renamed)))
}

/// 204: no story has the tag any more.
async fn delete(content: Content, caller: Manager, name: String, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    content.execute(&caller, DeleteTag(name)).await?;
    Ok(ApiResponse::empty())
}

/// A tag in Storyblok's shape.
#[derive(Serialize)]
struct TagView<'a> {
    id: &'a str,
    name: &'a str,
    taggings_count: i64,
}

impl<'a> TagView<'a> {
    fn of(tag: &'a Tag) -> Self {
        Self { id: &tag.name, name: &tag.name, taggings_count: tag.stories }
    }
}
