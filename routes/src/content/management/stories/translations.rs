//! How far a story is translated.

use super::answer::{precondition, stale};
use crate::{
    content::{
        Content,
        management::{access::Manager, envelope},
    },
    web::{ApiRequest, ApiResponse, body::DEFAULT_LIMIT},
};
use domain::{
    content::translation_status::TranslationStatus,
    shared::{Fault, FieldCode, StoryId},
};
use serde::Deserialize;
use serde_json::json;
use services::content::stories::{ConfirmTranslations, Written, translation_status::statuses};
use storage::content::{spaces, stories::read};

/// The most fields that are confirmed at once.
const MAX_FIELDS: usize = 1000;

/// 200 `{"translations": [{language, translatable, missing, outdated}]}`, for each language of the space but
/// the default one; see [`TranslationStatus`].
pub(super) async fn show(content: Content, caller: Manager, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("story.translations").await?;
    let found = read::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    let languages = spaces::languages(&connection, caller.space()).await?;
    answer(statuses(&connection, caller.space(), &languages, id, &found.draft.content).await?)
}

#[derive(Deserialize)]
struct ConfirmBody {
    language: Option<String>,
    fields: Option<Vec<String>>,
}

/// Of `{"translation": {language, fields: ["body/3/title"]}}`: 200 with the translations as [`show`] has
/// them, after those of the fields were confirmed. 412 where `If-Match` names another revision: then their
/// default values may not be those that the caller has seen.
pub(super) async fn confirm(content: Content, caller: Manager, id: StoryId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let body: ConfirmBody = envelope::read(&mut request, "translation", DEFAULT_LIMIT).await?;
    let blank = |field: &'static str| Fault::invalid(field, FieldCode::Blank, "can't be blank");
    let language = body.language.filter(|language| !language.is_empty()).ok_or_else(|| blank("language"))?;
    let fields = body.fields.filter(|fields| !fields.is_empty()).ok_or_else(|| blank("fields"))?;
    if fields.len() > MAX_FIELDS {
        return Err(Fault::invalid("fields", FieldCode::TooMany, format!("is too long (maximum is {MAX_FIELDS})")));
    }
    let command = ConfirmTranslations { id, expected: precondition(&request)?, language, fields };
    match content.execute(&caller, command).await? {
        Written::Done(statuses) => answer(statuses),
        Written::Stale(detail) => stale(&content, &caller, &request, &detail).await,
    }
}

fn answer(statuses: Vec<TranslationStatus>) -> Result<ApiResponse, Fault> {
    ApiResponse::ok(&json!({ "translations": statuses }))
}
