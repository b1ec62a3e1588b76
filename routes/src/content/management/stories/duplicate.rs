//! `PUT …/stories/{id}/duplicate`: a copy of a story.

use super::answer::execute_and_answer;
use crate::{
    content::{
        Content,
        management::{access::Manager, write_parameters::WriteParameters},
    },
    web::{ApiRequest, ApiResponse, body::DEFAULT_LIMIT},
};
use domain::shared::{Fault, FieldCode, StoryId};
use serde::Deserialize;
use services::content::stories::Duplicate;
use uuid::Uuid;

/// `modify_translated_slugs` and `translatable_dimensions_app_fields` tell Storyblok's app for translation
/// what to do with the copy.
const PARAMETERS: [&str; 6] = [
    "target_dimension",
    "same_path",
    "auto_create_folders",
    "release_id",
    "modify_translated_slugs",
    "translatable_dimensions_app_fields[…]",
];

#[derive(Deserialize)]
struct StoryBody {
    name: Option<String>,
    slug: Option<String>,
    parent_id: Option<StoryId>,
    group_id: Option<Uuid>,
}

/// Of `{"story": {"name"?, "slug"?, "parent_id"?, "group_id"?}, "target_dimension"?, "same_path"?,
/// "auto_create_folders"?}`: 200 `{"story": …}`, the copy, unpublished.
///
/// `target_dimension` is the number of the folder of the copy, which `parent_id` is as well. With
/// `auto_create_folders` the copy is below it where the original is below the folder on its level, and
/// folders that are missing are made. Without a slug the copy has the original's.
pub(super) async fn duplicate(
    content: Content,
    caller: Manager,
    id: StoryId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let (story, parameters) =
        WriteParameters::read_maybe_empty::<StoryBody>(&mut request, "story", &PARAMETERS, DEFAULT_LIMIT).await?;
    parameters.no_release()?;
    let target = parameters.number("target_dimension")?.map(StoryId);
    if target.is_some() && story.parent_id.is_some_and(|parent| Some(parent) != target) {
        return Err(Fault::invalid("target_dimension", FieldCode::Invalid, "excludes another parent_id"));
    }
    let creates_folders = parameters.switch("auto_create_folders")?.unwrap_or(false);
    let parent = target.or(story.parent_id);
    if creates_folders && parent.is_none() {
        return Err(Fault::invalid("target_dimension", FieldCode::Blank, "can't be blank with auto_create_folders"));
    }
    let command = Duplicate {
        id,
        name: story.name,
        slug: story.slug,
        parent,
        group_id: story.group_id,
        keeps_path: parameters.switch("same_path")?.unwrap_or(false),
        creates_folders,
    };
    execute_and_answer(&content, &caller, &request, id, command).await
}
