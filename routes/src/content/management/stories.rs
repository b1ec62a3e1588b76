//! Stories and folders, and their versions.

mod answer;
mod body;
mod compare;
mod duplicate;
mod list;
mod translations;
mod validate;
mod versions;
mod view;

use super::{
    access::{Changing, Manager},
    warnings::WithWarnings,
    write_parameters::WriteParameters,
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, body::DEFAULT_LIMIT},
};
use answer::{answer, execute, execute_and_answer};
use body::StoryRequest;
use domain::{
    content::Right,
    shared::{Fault, FieldCode, SpaceId, StoryId},
};
use futures_util::future::try_join;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use services::content::stories::{
    Autosave, BulkMove, Create, Delete, DiscardChanges, MoveStory, Publish, PublishLanguages, Restore, Undelete, Unpublish,
    UnpublishLanguages, Update,
};
use storage::content::{delivery_tokens, stories::read as stories};
use validate::{WithProblems, problems_of};

/// The most stories of one bulk move.
const MAX_MOVED: usize = 500;

/// The endpoints below `/api/v1/spaces/{space}/stories`, `…/story_versions` and `…/versions`.
///
/// Each answer with one story has its revision as `ETag`, and each write of one takes `If-Match`.
///
/// Storyblok takes some changes as GET. They are taken as POST and PUT as well, because a GET ought to change
/// nothing (RFC 9110, section 9.2.1).
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/stories", Right::Read, list::list)
        .post("/api/v1/spaces/{space}/stories", Right::WriteContent, create)
        .get("/api/v1/spaces/{space}/stories/{id}", Right::Read, read)
        .put("/api/v1/spaces/{space}/stories/{id}", Right::WriteContent, update)
        .patch("/api/v1/spaces/{space}/stories/{id}", Right::WriteContent, update)
        .delete("/api/v1/spaces/{space}/stories/{id}", Right::WriteContent, delete)
        .get_post_put("/api/v1/spaces/{space}/stories/{id}/publish", Changing(Right::WriteContent), publish)
        .get_post_put("/api/v1/spaces/{space}/stories/{id}/unpublish", Changing(Right::WriteContent), unpublish)
        .get_post_put("/api/v1/spaces/{space}/stories/{id}/undelete", Changing(Right::WriteContent), undelete)
        .get_post_put("/api/v1/spaces/{space}/stories/{id}/discard_changes", Changing(Right::WriteContent), discard_changes)
        .put("/api/v1/spaces/{space}/stories/{id}/move", Right::WriteContent, move_story)
        .post("/api/v1/spaces/{space}/stories/bulk_move", Right::WriteContent, bulk_move)
        .put("/api/v1/spaces/{space}/stories/{id}/duplicate", Right::WriteContent, duplicate::duplicate)
        .post("/api/v1/spaces/{space}/stories/{id}/duplicate", Right::WriteContent, duplicate::duplicate)
        .get_post_put("/api/v1/spaces/{space}/stories/{id}/restore_with", Changing(Right::WriteContent), restore)
        .post("/api/v1/spaces/{space}/stories/{id}/validate", Right::Read, validate::validate)
        .get("/api/v1/spaces/{space}/stories/{id}/translations", Right::Read, translations::show)
        .put("/api/v1/spaces/{space}/stories/{id}/translations", Right::WriteContent, translations::confirm)
        .get("/api/v1/spaces/{space}/stories/{id}/compare", Right::Read, compare::compare)
        .get("/api/v1/spaces/{space}/stories/{id}/versions", Right::Read, versions::list_of_story)
        .get("/api/v1/spaces/{space}/versions", Right::Read, versions::list_of_model)
        .put("/api/v1/spaces/{space}/versions/{id}", Right::WriteContent, versions::restore)
        .get("/api/v1/spaces/{space}/story_versions", Right::Read, versions::list)
        .get("/api/v1/spaces/{space}/story_versions/{id}", Right::Read, versions::read)
}

/// 200 `{"story": …}` with the draft's raw content, and `preview_token {token, timestamp}`, by which the URL
/// of its preview is signed; null where the space has no preview token whose text is kept. Deleted stories
/// can be read too; they have a `deleted_at`.
async fn read(content: Content, caller: Manager, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    query.only(&["release_id"])?;
    if query.parsed::<i64>("release_id")?.is_some_and(|release| release != 0) {
        // There are no releases, and so nothing is in one.
        return Err(Fault::not_found());
    }
    let connection = content.store.connection("story.find").await?;
    let found = stories::find_detail(&connection, caller.space(), id);
    let (found, signing) = try_join(found, delivery_tokens::find_signing(&connection, caller.space())).await?;
    let story = found.ok_or_else(Fault::not_found)?;
    let preview = signing.and_then(|signing| preview_token(&content, caller.space(), &signing));
    answer(&content, &caller, StatusCode::OK, &story, |envelope| envelope.with_preview(preview)).await
}

/// The signature of previews of a space, by one of its tokens.
fn preview_token(content: &Content, space: SpaceId, (hash, sealed): &([u8; 32], Vec<u8>)) -> Option<view::PreviewToken> {
    let timestamp = content.clock.now().as_second();
    let token = content.token_keys.delivery.sign_preview(space, (hash, sealed), timestamp)?;
    Some(view::PreviewToken { token, timestamp: timestamp.to_string() })
}

/// Of `{"story": {…}, "publish"?}`: 201 `{"story": …, "warnings"?, "problems"?}`. With `preset_id` or
/// `use_default_preset` the content begins with that of a preset.
async fn create(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let StoryRequest { patch, publish, languages, preset, validates, without_effect, .. } =
        body::read_creation(&mut request).await?;
    let command = Create { story: patch, publish, languages, preset };
    let story = content.execute(&caller, command).await?;
    let warnings = without_effect.warnings(story.current.story.is_folder);
    let problems = if validates { Some(problems_of(&content, caller.space(), &story.current).await?) } else { None };
    answer(&content, &caller, StatusCode::CREATED, &story, |envelope| WithProblems {
        body: WithWarnings::new(envelope, warnings),
        problems,
    })
    .await
}

/// Of `{"story": {…}, "publish"?}`: 200 `{"story": …, "warnings"?, "problems"?}`. Members that are not named
/// keep their values; `content` is replaced as a whole. With `autosave` only the draft is written, see
/// [`Autosave`].
async fn update(content: Content, caller: Manager, id: StoryId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let StoryRequest { patch, publish, languages, validates, autosave, keep, without_effect, .. } =
        body::read_update(&mut request).await?;
    let written = if autosave {
        execute(&content, &caller, &request, id, Autosave { id, patch, keep }).await?
    } else {
        execute(&content, &caller, &request, id, Update { id, patch, publish, languages, keep }).await?
    };
    let story = match written {
        Ok(story) => story,
        Err(stale) => return Ok(stale),
    };
    let warnings = without_effect.warnings(story.current.story.is_folder);
    let problems = if validates { Some(problems_of(&content, caller.space(), &story.current).await?) } else { None };
    answer(&content, &caller, StatusCode::OK, &story, |envelope| WithProblems {
        body: WithWarnings::new(envelope, warnings),
        problems,
    })
    .await
}

/// 200 `{"story": …}`. The deletion is soft and takes the stories below a folder with it; `undelete` brings
/// them back.
async fn delete(content: Content, caller: Manager, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    execute_and_answer(&content, &caller, &request, id, Delete { id }).await
}

/// 200 `{"story": …}`. With `lang` only these languages are published, `[default]` for the default one.
async fn publish(content: Content, caller: Manager, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let languages = languages_of(&request)?;
    if languages.is_empty() {
        execute_and_answer(&content, &caller, &request, id, Publish { id }).await
    } else {
        execute_and_answer(&content, &caller, &request, id, PublishLanguages { id, languages }).await
    }
}

/// 200 `{"story": …}`. With `lang` only these languages are taken offline.
async fn unpublish(content: Content, caller: Manager, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let languages = languages_of(&request)?;
    if languages.is_empty() {
        execute_and_answer(&content, &caller, &request, id, Unpublish { id }).await
    } else {
        execute_and_answer(&content, &caller, &request, id, UnpublishLanguages { id, languages }).await
    }
}

/// The languages that `lang` in the query names; none for all of them.
fn languages_of(request: &ApiRequest) -> Result<Vec<String>, Fault> {
    let parameters = WriteParameters::of_query(request, &["lang[]", "release_id"])?;
    parameters.no_release()?;
    parameters.languages()
}

/// 200 `{"story": …}`: the story, and what was deleted with it, is there again.
async fn undelete(content: Content, caller: Manager, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    WriteParameters::of_query(&request, &[])?;
    execute_and_answer(&content, &caller, &request, id, Undelete { id }).await
}

/// 200 `{"story": …}`: the draft is what is published.
async fn discard_changes(content: Content, caller: Manager, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    WriteParameters::of_query(&request, &[])?;
    execute_and_answer(&content, &caller, &request, id, DiscardChanges { id }).await
}

/// With `to_folder` and `after_id` in the query: 200 `{"story": …}`. Without `after_id` the story comes first
/// in its folder.
async fn move_story(content: Content, caller: Manager, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    query.only(&["to_folder", "after_id"])?;
    let command = MoveStory { id, to_folder: query.parsed("to_folder")?, after: query.parsed("after_id")? };
    execute_and_answer(&content, &caller, &request, id, command).await
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
    content.execute(&caller, command).await?;
    ApiResponse::ok(&json!({}))
}

/// With the id of a version as `version` in the query: 200 `{"story": …}`. The version becomes the draft; the
/// published content stays.
async fn restore(content: Content, caller: Manager, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    query.only(&["version"])?;
    let command = Restore { id, version: query.required("version")? };
    execute_and_answer(&content, &caller, &request, id, command).await
}
