//! Stories and folders, and their versions.

mod body;
mod compare;
mod duplicate;
mod list;
mod versions;
mod view;

use super::{access::Manager, warnings::WithWarnings, write_parameters::WriteParameters};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, body::DEFAULT_LIMIT},
};
use body::StoryRequest;
use domain::{
    content::Right,
    shared::{Fault, FieldCode, StoryId},
};
use serde::Deserialize;
use serde_json::json;
use services::content::stories::{
    BulkMove, Create, Delete, DiscardChanges, MoveStory, Publish, PublishLanguages, Restore, Undelete, Unpublish,
    UnpublishLanguages, Update,
};
use std::str::FromStr;
use storage::content::stories::read as stories;

/// The most stories of one bulk move.
const MAX_MOVED: usize = 500;

/// The endpoints below `/api/v1/spaces/{space}/stories`, `…/story_versions` and `…/versions`.
///
/// Storyblok takes some changes as GET. They are taken as PUT and POST as well, because a GET ought to change nothing (RFC 9110, section 9.2.1).
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/stories", Right::Read, list::list)
        .post("/api/v1/spaces/{space}/stories", Right::WriteContent, create)
        .get("/api/v1/spaces/{space}/stories/{id}", Right::Read, read)
        .put("/api/v1/spaces/{space}/stories/{id}", Right::WriteContent, update)
        .patch("/api/v1/spaces/{space}/stories/{id}", Right::WriteContent, update)
        .delete("/api/v1/spaces/{space}/stories/{id}", Right::WriteContent, delete)
        .get_that_writes("/api/v1/spaces/{space}/stories/{id}/{action}", Right::WriteContent, act)
        .post("/api/v1/spaces/{space}/stories/{id}/{action}", Right::WriteContent, act)
        .put("/api/v1/spaces/{space}/stories/{id}/{action}", Right::WriteContent, act)
        .put("/api/v1/spaces/{space}/stories/{id}/move", Right::WriteContent, move_story)
        .post("/api/v1/spaces/{space}/stories/bulk_move", Right::WriteContent, bulk_move)
        .put("/api/v1/spaces/{space}/stories/{id}/duplicate", Right::WriteContent, duplicate::duplicate)
        .post("/api/v1/spaces/{space}/stories/{id}/duplicate", Right::WriteContent, duplicate::duplicate)
        .get_that_writes("/api/v1/spaces/{space}/stories/{id}/restore_with", Right::WriteContent, restore)
        .post("/api/v1/spaces/{space}/stories/{id}/restore_with", Right::WriteContent, restore)
        .put("/api/v1/spaces/{space}/stories/{id}/restore_with", Right::WriteContent, restore)
        .get("/api/v1/spaces/{space}/stories/{id}/compare", Right::Read, compare::compare)
        .get("/api/v1/spaces/{space}/stories/{id}/versions", Right::Read, versions::list_of_story)
        .get("/api/v1/spaces/{space}/versions", Right::Read, versions::list_of_model)
        .put("/api/v1/spaces/{space}/versions/{id}", Right::WriteContent, versions::restore)
        .get("/api/v1/spaces/{space}/story_versions", Right::Read, versions::list)
        .get("/api/v1/spaces/{space}/story_versions/{id}", Right::Read, versions::read)
}

/// 200 `{"story": …}` with the draft's raw content. Deleted stories can be read too; they have a `deleted_at`.
async fn read(content: Content, caller: Manager, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    query.only(&["release_id"])?;
    if query.parsed::<i64>("release_id")?.is_some_and(|release| release != 0) {
        // There are no releases, and so nothing is in one.
        return Err(Fault::not_found());
    }
    let connection = content.store.connection("story.find").await?;
    let story = stories::find_detail(&connection, caller.space, id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&view::envelope(caller.space, &story)?)
}

/// Of `{"story": {…}, "publish"?}`: 201 `{"story": …, "warnings"?}`. With `preset_id` or `use_default_preset` the content begins with that of a preset.
async fn create(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let StoryRequest { patch, publish, languages, preset, without_effect } = body::read_creation(&mut request).await?;
    let command = Create { story: patch, publish, languages, preset };
    let story = content.spaces.execute(caller.space, caller.actor, request.origin(), command).await?;
    let warnings = without_effect.warnings(story.current.story.is_folder);
    ApiResponse::created(&WithWarnings::new(view::envelope(caller.space, &story)?, warnings))
}

/// Of `{"story": {…}, "publish"?}`: 200 `{"story": …, "warnings"?}`. Members that are not named keep their values; `content` is replaced as a whole.
async fn update(content: Content, caller: Manager, id: StoryId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let StoryRequest { patch, publish, languages, without_effect, .. } = body::read_update(&mut request).await?;
    let command = Update { id, patch, publish, languages };
    let story = content.spaces.execute(caller.space, caller.actor, request.origin(), command).await?;
    let warnings = without_effect.warnings(story.current.story.is_folder);
    ApiResponse::ok(&WithWarnings::new(view::envelope(caller.space, &story)?, warnings))
}

/// 200 `{"story": …}`. The deletion is soft and takes the stories below a folder with it; `undelete` brings them back.
async fn delete(content: Content, caller: Manager, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let story = content.spaces.execute(caller.space, caller.actor, request.origin(), Delete { id }).await?;
    ApiResponse::ok(&view::envelope(caller.space, &story)?)
}

/// A change that needs nothing but the story's id.
#[derive(Clone, Copy)]
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

/// 200 `{"story": …}`. With `lang` only these languages are published or unpublished, `[default]` for the default one.
async fn act(content: Content, caller: Manager, id: StoryId, action: Action, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let known: &[&str] = if matches!(action, Action::Publish | Action::Unpublish) { &["lang[]", "release_id"] } else { &[] };
    let parameters = WriteParameters::of_query(&request, known)?;
    parameters.no_release()?;
    let languages = parameters.languages()?;
    let (space, actor) = (caller.space, caller.actor);
    let (spaces, origin) = (&content.spaces, request.origin());
    let story = match action {
        Action::Publish if languages.is_empty() => spaces.execute(space, actor, origin, Publish { id }).await?,
        Action::Publish => spaces.execute(space, actor, origin, PublishLanguages { id, languages }).await?,
        Action::Unpublish if languages.is_empty() => spaces.execute(space, actor, origin, Unpublish { id }).await?,
        Action::Unpublish => spaces.execute(space, actor, origin, UnpublishLanguages { id, languages }).await?,
        Action::Undelete => spaces.execute(space, actor, origin, Undelete { id }).await?,
        Action::DiscardChanges => spaces.execute(space, actor, origin, DiscardChanges { id }).await?,
    };
    ApiResponse::ok(&view::envelope(space, &story)?)
}

/// With `to_folder` and `after_id` in the query: 200 `{"story": …}`. Without `after_id` the story comes first in its folder.
async fn move_story(content: Content, caller: Manager, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    query.only(&["to_folder", "after_id"])?;
    let command = MoveStory { id, to_folder: query.parsed("to_folder")?, after: query.parsed("after_id")? };
    let story = content.spaces.execute(caller.space, caller.actor, request.origin(), command).await?;
    ApiResponse::ok(&view::envelope(caller.space, &story)?)
}

#[derive(Deserialize)]
struct BulkMoveBody {
    story_ids: Vec<StoryId>,
    to_folder: Option<StoryId>,
    after_id: Option<StoryId>,
}

/// Of `{"story_ids": […], "to_folder"?, "after_id"?}`: 200 `{}`. All stories move, or none.
async fn bulk_move(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let body: BulkMoveBody = request.json(DEFAULT_LIMIT).await?;
    if body.story_ids.len() > MAX_MOVED {
        return Err(Fault::invalid("story_ids", FieldCode::TooMany, format!("has more than {MAX_MOVED} stories")));
    }
    let command = BulkMove { ids: body.story_ids, to_folder: body.to_folder, after: body.after_id };
    content.spaces.execute(caller.space, caller.actor, request.origin(), command).await?;
    ApiResponse::ok(&json!({}))
}

/// With the id of a version as `version` in the query: 200 `{"story": …}`. The version becomes the draft; the published content stays.
async fn restore(content: Content, caller: Manager, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    query.only(&["version"])?;
    let command = Restore { id, version: query.required("version")? };
    let story = content.spaces.execute(caller.space, caller.actor, request.origin(), command).await?;
    ApiResponse::ok(&view::envelope(caller.space, &story)?)
}
