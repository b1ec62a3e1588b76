//! Validates a story by the schemas of its space, when a caller asks: saving never does.

use crate::{
    content::{Content, management::access::Manager},
    web::{ApiRequest, ApiResponse, body::STORY_LIMIT},
};
use domain::{
    content::validation::Problem,
    shared::{Fault, FieldCode, SpaceId, StoryId},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use services::content::validation;
use storage::content::stories::read::{self, StoryWithDraft};

#[derive(Default, Deserialize)]
struct ValidateBody {
    content: Option<Value>,
}

/// Of nothing, `{}` or `{"content": {…}}`: 200 `{"problems": […]}`, of the draft or of this content.
pub(super) async fn validate(
    content: Content,
    caller: Manager,
    id: StoryId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let body: ValidateBody = request.json_or_default(STORY_LIMIT).await?;
    let connection = content.store.connection("story.validate").await?;
    let current = read::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    let problems = match body.content {
        _ if current.story.is_folder => Vec::new(),
        None => validation::problems(&connection, caller.space(), current.draft.content.tree()?).await?.into_vec(),
        Some(given @ Value::Object(_)) => validation::problems(&connection, caller.space(), &given).await?.into_vec(),
        Some(_) => return Err(Fault::invalid("content", FieldCode::Invalid, "must be an object")),
    };
    ApiResponse::ok(&json!({ "problems": problems }))
}

/// The problems of a story that was just written. A folder has none.
pub(super) async fn problems_of(content: &Content, space: SpaceId, written: &StoryWithDraft) -> Result<Vec<Problem>, Fault> {
    if written.story.is_folder {
        return Ok(Vec::new());
    }
    let connection = content.store.connection("story.validate").await?;
    Ok(validation::problems(&connection, space, written.draft.content.tree()?).await?.into_vec())
}

/// An answer with the problems of what was written, if they were asked for.
#[derive(Serialize)]
pub(super) struct WithProblems<B> {
    #[serde(flatten)]
    pub(super) body: B,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) problems: Option<Vec<Problem>>,
}
